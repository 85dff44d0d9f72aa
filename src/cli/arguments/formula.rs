//! `hardbop sat` and `hardbop qbf`.

use std::path::PathBuf;

use clap::Args;

use super::limits::Limits;
use super::solver::SolverArguments;
use hardbop_logic::sat;

const SAT_HELP: &str = "\
Prints `s SATISFIABLE` and the model in lines that begin with `v`, `s UNSATISFIABLE` or `s UNKNOWN`.
Exit code 10: satisfiable; 20: unsatisfiable; 0: a limit was reached; 130: Ctrl-C; 2: bad input.";

#[derive(Debug, Args)]
#[command(after_help = SAT_HELP)]
pub(crate) struct SatArguments {
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
pub(crate) struct QbfArguments {
    /// The formula; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub solvers: SolverArguments,

    #[command(flatten)]
    pub limits: Limits,
}
