//! What can be said on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::compare::CompareArguments;
use super::units;
use crate::boolean::engine::Options;
use crate::boolean::language::parser::Dialect;
use crate::solve::{qbf, sat};

const EXAMPLES: &str = "\
Examples:
  hardbop check driver.bp                        is an error reachable?
  hardbop check driver.c --stats                 the same of a C program
  hardbop check driver.bp --time-limit 5m --stats
  hardbop check - --error BAD --json < driver.bp
  hardbop check driver.bp --certificate c.json && hardbop certify driver.bp c.json
  hardbop fmt driver.bp                          print in canonical form
  hardbop gen driver --vars 800 --procs 60 | hardbop check -
  hardbop compare *.bp --html page.html          which engine is the fastest?";

const EXIT_CODES: &str = "\
The last line of the output is the verdict:
  VERDICT: SAFE               exit code 0
  VERDICT: UNSAFE             exit code 10, after a trace into the error
  VERDICT: UNKNOWN (reason)   exit code 20, or 130 after Ctrl-C
Exit code 2 means bad usage or bad input, 70 an error in hardbop itself.

Examples:
  hardbop check driver.bp
  hardbop check driver.bp --error BAD --error WORSE --ignore-asserts
  hardbop check driver.bp --time-limit 5m --memory-limit 2G --stats
  hardbop check driver.bp --json > result.json
  hardbop check driver.bp --dump-cfg - | dot -Tsvg > driver.svg";

/// A software model checker for Boolean programs and C.
#[derive(Debug, Parser)]
#[command(name = "hardbop", version, about, after_help = EXAMPLES, max_term_width = 100)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Decide whether a program can reach an error
    Check(Box<CheckArguments>),
    /// Decide whether a certificate proves its verdict, without the engines
    Certify(Box<CertifyArguments>),
    /// Run the engines, and other programs, on the same files
    Compare(Box<CompareArguments>),
    /// Write the Boolean program that a C program is, as far as predicates tell
    #[cfg(feature = "c")]
    Abstract(super::abstraction::AbstractArguments),
    /// Show the control-flow automaton of a C program
    #[cfg(feature = "c")]
    Cfa(super::c_arguments::CfaArguments),
    /// Print a Boolean program in canonical form
    Fmt(FmtArguments),
    /// Answer requests in JSON, one per line of standard input
    Serve(super::serve::ServeArguments),
    /// Send the requests of a session again, and compare the answers
    Replay(super::replay::ReplayArguments),
    /// Generate benchmark programs
    Gen(GenerateArguments),
    /// Decide a formula in DIMACS
    Sat(SatArguments),
    /// Decide a 2QBF in QDIMACS
    Qbf(QbfArguments),
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// How to show the way into an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum TraceFormat {
    /// Statements, and what they change
    #[default]
    Text,
    /// The same for programs
    Json,
    /// Not at all
    None,
}

/// The names of the engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum EngineName {
    /// BDDs as long as they stay small; then universal summaries where they stay small, QBF summaries
    /// elsewhere
    #[default]
    Auto,
    /// QBF summaries
    Qbf,
    /// Universal summaries; QBF summaries for recursive procedures and those that get too large
    Universal,
    /// BDD summaries
    Bdd,
}

/// The names of the orders of BDD variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum OrderName {
    /// Variables that depend on each other close together (FORCE)
    #[default]
    Dependency,
    /// As a search through the transition functions meets them
    DepthFirst,
    /// As the program declares them
    Declaration,
}

/// The names of the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum BoundName {
    /// The reachability recurrence diameter: no execution visits one more new state
    Rrd,
    /// The last unrolling adds no state
    Fixpoint,
    /// The first, and now and then the second
    #[default]
    Both,
}

/// What a run may take.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Limits {
    /// Give up after this time: seconds, or a number with ms, s, m or h
    #[arg(long = "time-limit", value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,

    /// Give up beyond this resident memory: bytes, or a number with K, M or G
    #[arg(long = "memory-limit", value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct CheckArguments {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// A label that must not be reached, instead of ERROR and SLIC_ERROR; may be repeated
    #[arg(long, value_name = "LABEL", help_heading = "What to check")]
    pub error: Vec<String>,

    /// Check the labels only: `assert` and `abortif` do nothing
    #[arg(long, help_heading = "What to check")]
    pub ignore_asserts: bool,

    /// The procedure that the program starts with
    #[arg(long, value_name = "NAME", default_value = "main", help_heading = "What to check")]
    pub entry: String,

    /// How operators bind where the dialects disagree
    #[arg(long, value_enum, default_value_t, help_heading = "What to check")]
    pub dialect: Dialect,

    /// The algorithm
    #[arg(long, value_enum, default_value_t, help_heading = "How to check")]
    pub engine: EngineName,

    /// Race so many engines, each on a thread of its own (with `--engine auto`)
    #[arg(long, value_name = "N", default_value = "1", help_heading = "How to check")]
    pub threads: NonZeroUsize,

    /// When universal summaries stop to unroll a loop
    #[arg(long, value_enum, default_value_t, help_heading = "How to check")]
    pub bound: BoundName,

    /// Graph nodes of a path edge beyond which its procedure gets no universal summary
    #[arg(long, value_name = "N", default_value_t = Options::default().universal_limit, help_heading = "How to check")]
    pub universal_limit: usize,

    /// How the BDD engine orders variables
    #[arg(long, value_enum, default_value_t, value_name = "ORDER", help_heading = "How to check")]
    pub bdd_order: OrderName,

    /// The 2QBF solver: `embedded`, `depqbf` (where hardbop was built with it), or `cmd:` and the
    /// command line of any program that reads QDIMACS; `{}` in it is the file, else the query goes
    /// to its standard input
    #[arg(long, default_value_t, value_name = "SOLVER", help_heading = "How to check")]
    pub qbf: qbf::Backend,

    /// The SAT solver
    #[arg(long, value_enum, default_value_t, value_name = "SOLVER", help_heading = "How to check")]
    pub sat: sat::Backend,

    #[command(flatten)]
    pub limits: Limits,

    /// Another value for a limit of the engines, for measurements; `help` in place of NAME=VALUE lists them;
    /// may be repeated
    #[arg(long = "limit", value_name = "NAME=VALUE", hide = true)]
    pub limit: Vec<String>,

    #[cfg(feature = "c")]
    #[command(flatten)]
    pub c: super::c_arguments::CArguments,

    /// Seed of the random simulation
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "How to check")]
    pub seed: u64,

    /// The algorithm of the paper on the whole program: no bounded searches, no clausal
    /// invariant, no localization
    #[arg(long)]
    pub plain: bool,

    /// Print statistics before the verdict
    #[arg(long, help_heading = "Output")]
    pub stats: bool,

    /// Print one JSON document instead of everything else
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// How to show the way into an error
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Output")]
    pub trace: TraceFormat,

    /// Write the evidence for the verdict, for `hardbop certify`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,

    /// Write the control-flow graphs in the DOT format; `-` writes to standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub dump_cfg: Option<PathBuf>,

    /// Write every quantified query into this directory, as query-000001.qdimacs and so on
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub dump_qbf: Option<PathBuf>,

    /// Say on standard error what is being done
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,

    /// Print the verdict only: no trace, no progress, no warnings
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,

    /// When to colour messages
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}

const CERTIFY_HELP: &str = "\
The last line of the output is the result:
  CERTIFICATE: VALID (SAFE), VALID (UNSAFE)     exit code 0
  CERTIFICATE: REJECTED (what fails, and where) exit code 1
  CERTIFICATE: UNDECIDED (reason)               exit code 20, or 130 after Ctrl-C
Exit code 2 means bad usage, a bad program or no certificate at all, 70 an error in hardbop itself.

The certificate says which property it is about: it is printed.  --error, --entry and
--ignore-asserts demand one; a certificate of another property is rejected.";

#[derive(Debug, Args)]
#[command(after_help = CERTIFY_HELP)]
pub(super) struct CertifyArguments {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The certificate, as `hardbop check --certificate` writes it; `-` reads standard input
    #[arg(value_name = "CERTIFICATE")]
    pub certificate: PathBuf,

    /// The property must have exactly these labels; may be repeated
    #[arg(long, value_name = "LABEL", help_heading = "What it has to prove")]
    pub error: Vec<String>,

    /// The property must be about labels only
    #[arg(long, help_heading = "What it has to prove")]
    pub ignore_asserts: bool,

    /// The property must be about a program that starts with this procedure
    #[arg(long, value_name = "NAME", help_heading = "What it has to prove")]
    pub entry: Option<String>,

    /// The SAT solver; by default another one than the certificate's engine had
    #[arg(long, value_enum, value_name = "SOLVER", help_heading = "How to check")]
    pub sat: Option<sat::Backend>,

    /// The 2QBF solver, for assertions with choices: `embedded`, `depqbf` (where hardbop was built
    /// with it, and then the default), or `cmd:` and a command line
    #[arg(long, value_name = "SOLVER", help_heading = "How to check")]
    pub qbf: Option<qbf::Backend>,

    #[command(flatten)]
    pub limits: Limits,

    /// Write every SAT query and its DRAT proof into this directory, as query-000001.cnf and
    /// query-000001.drat, and every 2QBF query as query-000001.qdimacs; needs varisat
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub proofs: Option<PathBuf>,

    /// Print one JSON document instead of everything else
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// When to colour messages
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}

const FMT_HELP: &str = "\
Comments are not part of the canonical form: they are dropped, and --in-place refuses a file that
has some, unless --drop-comments is given.

Examples:
  hardbop fmt driver.bp > canonical.bp
  hardbop fmt --check driver.bp      exit code 1 where it is not in canonical form
  hardbop fmt -i driver.bp";

#[derive(Debug, Args)]
#[command(after_help = FMT_HELP)]
pub(super) struct FmtArguments {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print nothing, but exit with code 1 where the file is not in canonical form
    #[arg(long, conflicts_with = "in_place")]
    pub check: bool,

    /// Change the file
    #[arg(short, long)]
    pub in_place: bool,

    /// Change the file even where that loses comments
    #[arg(long, requires = "in_place")]
    pub drop_comments: bool,

    /// How operators bind where the dialects disagree
    #[arg(long, value_enum, default_value_t)]
    pub dialect: Dialect,

    /// When to colour messages
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

const SAT_HELP: &str = "\
Prints `s SATISFIABLE` and the model in lines that begin with `v`, `s UNSATISFIABLE` or `s UNKNOWN`.
Exit code 10: satisfiable; 20: unsatisfiable; 0: a limit was reached; 130: Ctrl-C; 2: bad input.";

#[derive(Debug, Args)]
#[command(after_help = SAT_HELP)]
pub(super) struct SatArguments {
    /// The formula; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The SAT solver
    #[arg(long, value_enum, default_value_t, value_name = "SOLVER")]
    pub sat: sat::Backend,

    #[command(flatten)]
    pub limits: Limits,
}

const QBF_HELP: &str = "\
Prefixes may be \u{2200}\u{2203} or a part of it; universal blocks further inside are eliminated.
Prints `s cnf 1` (true), `s cnf 0` (false; with values of universals that refute it in lines that
begin with `V`) or `s cnf -1` (unknown), each with the numbers of variables and clauses.
Exit code 10: true; 20: false; 0: a limit was reached; 130: Ctrl-C; 2: bad input.";

#[derive(Debug, Args)]
#[command(after_help = QBF_HELP)]
pub(super) struct QbfArguments {
    /// The formula; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The 2QBF solver: `embedded`, `depqbf` (where hardbop was built with it), or `cmd:` and the
    /// command line of any program that reads QDIMACS; `{}` in it is the file, else the query goes
    /// to its standard input
    #[arg(long, default_value_t, value_name = "SOLVER")]
    pub qbf: qbf::Backend,

    /// The SAT solver inside the embedded one
    #[arg(long, value_enum, default_value_t, value_name = "SOLVER")]
    pub sat: sat::Backend,

    #[command(flatten)]
    pub limits: Limits,

    /// Seed of the random simulation
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub(super) struct GenerateArguments {
    #[command(subcommand)]
    pub what: GenerateCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum GenerateCommand {
    /// A program as SLAM makes them from Windows device drivers
    Driver(DriverArguments),
    /// N bits that count: no shorter way tells what is reachable
    Counter(FamilyArguments),
    /// Two shift registers of N stages that must agree
    ShiftRegister(FamilyArguments),
    /// N locks, and critical sections within each other
    LockDiscipline(FamilyArguments),
    /// A recursive parser with N levels of precedence
    RecursiveDescent(FamilyArguments),
    /// A reversible circuit on N wires, in procedures that take and return all of them
    WideSummary(FamilyArguments),
    /// Does a nest of nondeterministic loops over N bits end?
    Terminator(FamilyArguments),
    /// N small procedures, for all kinds of statements in turn
    SlamRegression(FamilyArguments),
}

const FAMILY_HELP: &str = "\
The verdict is certain by construction: SAFE, or UNSAFE with --bug.";

#[derive(Debug, Args)]
#[command(after_help = FAMILY_HELP)]
pub(super) struct FamilyArguments {
    /// The parameter of the family
    #[arg(long, value_name = "N")]
    pub size: usize,

    /// Seed of the random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Make the error reachable
    #[arg(long)]
    pub bug: bool,

    /// Make the error unreachable (the default)
    #[arg(long, conflicts_with = "bug")]
    pub safe: bool,
}

const DRIVER_HELP: &str = "\
The verdict is certain by construction: SAFE, or UNSAFE with --bug. The same options give the
same program on every machine.

Examples:
  hardbop gen driver --vars 800 --procs 60 > driver.bp
  hardbop gen driver --vars 50 --procs 8 --seed 7 --bug | hardbop check -";

#[derive(Debug, Args)]
#[command(after_help = DRIVER_HELP)]
pub(super) struct DriverArguments {
    /// Number of global variables
    #[arg(long, value_name = "N")]
    pub vars: usize,

    /// Number of procedures; those of the protocol come on top
    #[arg(long, value_name = "P")]
    pub procs: usize,

    /// Length of the longest chain of calls
    #[arg(long, value_name = "D", default_value_t = 8)]
    pub depth: usize,

    /// Statements per procedure, about
    #[arg(long, value_name = "K", default_value_t = 25)]
    pub statements: usize,

    /// Seed of the random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Make the error reachable
    #[arg(long)]
    pub bug: bool,

    /// Make the error unreachable (the default)
    #[arg(long, conflicts_with = "bug")]
    pub safe: bool,
}
