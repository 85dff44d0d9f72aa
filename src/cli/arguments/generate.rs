//! `hardbop gen`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    #[command(subcommand)]
    pub what: GenerateCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GenerateCommand {
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
    /// A number with N bits that counts up to a limit and stays there
    Saturating(FamilyArguments),
    /// Two numbers with N bits, counted by a procedure each, that stay equal
    Twins(FamilyArguments),
    /// A number with N bits that counts up, and one that counts down
    Complement(FamilyArguments),
    /// A number with N bits that is counted in steps of 4
    Stride(FamilyArguments),
    /// N bits that are flipped in any order, and their parity
    Parity(FamilyArguments),
    /// Two procedures that multiply numbers with N bits
    Multiply(FamilyArguments),
    /// N stations that hand a token around
    Ring(FamilyArguments),
    /// A recursive procedure with 2^(N-1) open calls and more
    Depth(FamilyArguments),
    /// N modules, each with an assertion of its own
    Modules(FamilyArguments),
    /// Two shift registers with N stages that feed themselves, and stay equal
    Feedback(FamilyArguments),
    /// Head, tail and number of entries of a queue, with N bits each
    Queue(FamilyArguments),
}

const FAMILY_HELP: &str = "\
The verdict is certain by construction: SAFE, or UNSAFE with --bug.";

#[derive(Debug, Args)]
#[command(after_help = FAMILY_HELP)]
pub(crate) struct FamilyArguments {
    /// The parameter of the family
    #[arg(long, value_name = "N")]
    pub size: usize,

    /// Seed of the random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Make the error reachable
    #[arg(long)]
    pub bug: bool,

    /// Make the error unreachable: the default, for scripts that choose between the two
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
pub(crate) struct DriverArguments {
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

    /// Make the error unreachable: the default, for scripts that choose between the two
    #[arg(long, conflicts_with = "bug")]
    pub safe: bool,
}
