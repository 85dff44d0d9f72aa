//! Options for Boolean programs: those that are checked, and those that C programs are abstracted
//! to.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::solver::SolverArguments;
use hardbop_bp::engine::{Bound, Engine, Options, VariableOrder};
use hardbop_bp::language::parser::Dialect;
use hardbop_bp::threads::{self, Method};

/// Options under this heading are for programs in the language of Boolean programs only.
pub(super) const HEADING: &str = "Boolean programs";
/// More rounds are of no use: their programs are too large.
const MOST_ROUNDS: i64 = 16;
/// Options under this heading also serve C programs, on the route through Boolean programs.
pub(super) const ENGINES: &str = "Engines for Boolean programs";

/// Options of `hardbop check` for programs in the language of Boolean programs only.
#[derive(Debug, Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct BooleanArguments {
    /// How operators bind: tools that write Boolean programs disagree about it
    #[arg(long, value_enum, default_value_t)]
    pub dialect: Dialect,

    /// How programs with threads are decided
    #[arg(long, value_enum, default_value_t)]
    pub method: Method,

    /// Look at schedules of so many rounds at most, where a program with threads is too large for its
    /// states; in a round, each thread has a turn
    #[arg(long, value_name = "N", default_value_t = threads::Options::default().rounds,
        value_parser = clap::value_parser!(u32).range(1..=MOST_ROUNDS))]
    pub rounds: u32,

    /// Write the control-flow graphs in the DOT format; `-` writes to standard output
    #[arg(long, value_name = "FILE")]
    pub dump_cfg: Option<PathBuf>,

    /// Write every quantified query into this directory, as query-000001.qdimacs and so on, for
    /// other solvers
    #[arg(long, value_name = "DIR")]
    pub dump_qbf: Option<PathBuf>,
}

impl BooleanArguments {
    /// How a program with threads is decided.
    pub fn threads(&self) -> threads::Options {
        threads::Options { method: self.method, rounds: self.rounds }
    }
}

/// How Boolean programs are decided.
#[derive(Debug, Args)]
#[command(next_help_heading = ENGINES)]
pub(crate) struct EngineArguments {
    /// The algorithm; which one is the fastest depends on the program (see `hardbop compare`)
    #[arg(long, value_enum, default_value_t)]
    pub engine: Engine,

    /// Search on so many threads, with the same answer for every number; with `--engine race`, so
    /// many engines; for a C program with `--route auto`, race the tree and Boolean programs
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: NonZeroUsize,

    /// When universal summaries stop unrolling a loop
    #[arg(long, value_enum, default_value_t)]
    pub bound: Bound,

    /// Nodes of a path edge beyond which its procedure gets no universal summary, as that may cost
    /// more than it saves (with `--engine universal`)
    #[arg(long, value_name = "N", default_value_t = Options::default().universal_limit)]
    pub universal_limit: usize,

    /// How the BDD engine orders variables: its memory depends on it
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    pub bdd_order: VariableOrder,

    #[command(flatten)]
    pub solvers: SolverArguments,

    /// The algorithm of the paper on the whole program, for comparisons: no bounded searches, no
    /// clausal invariant, no localization
    #[arg(long)]
    pub plain: bool,
}

impl EngineArguments {
    /// The options of the engines; certificates are asked for elsewhere.
    pub fn options(&self) -> Options {
        Options {
            engine: self.engine,
            bound: self.bound,
            universal_limit: self.universal_limit,
            bdd_order: self.bdd_order,
            qbf: self.solvers.qbf.clone(),
            sat: self.solvers.sat,
            seed: self.solvers.seed,
            plain: self.plain,
            threads: self.threads,
            ..Options::default()
        }
    }

    /// Is there more than one thread?
    pub fn has_threads(&self) -> bool {
        self.threads > NonZeroUsize::MIN
    }
}
