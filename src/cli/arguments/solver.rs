//! The solvers of propositional formulas.

use std::env;
use std::path::Path;

use clap::Args;

use crate::cli::output::error::CliError;
use hardbop_base::process::CommandLine;
use hardbop_logic::sat;
use hardbop_qbf as qbf;

/// Which solvers are asked.
#[derive(Debug, Args)]
pub(crate) struct SolverArguments {
    /// The 2QBF solver: `embedded`, `depqbf` (where hardbop was built with it), or `cmd:` and the
    /// command line of any program that reads QDIMACS; `{}` in it is the file, else the query goes
    /// to its standard input
    #[arg(long, default_value_t, value_name = "SOLVER")]
    pub qbf: qbf::Backend,

    /// The SAT solver, also inside the embedded 2QBF solver
    #[arg(long, value_enum, default_value_t, value_name = "SOLVER")]
    pub sat: sat::Backend,

    /// Seed of the random simulation in the embedded 2QBF solver
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// Finds out at once whether the program of a back end is there, not at the first query.
///
/// # Errors
/// It is not there.
pub(crate) fn available(backend: &qbf::Backend) -> Result<(), CliError> {
    let qbf::Backend::Process(command) = backend else { return Ok(()) };
    program_there(command)
}

/// Finds out whether the program of a command line is there.
///
/// # Errors
/// It is not there.
pub(crate) fn program_there(command: &CommandLine) -> Result<(), CliError> {
    let program = command.program();
    if is_there(program) {
        Ok(())
    } else {
        Err(CliError::Usage(format!("there is no program '{program}'")))
    }
}

/// Is there a program of this name or path?
pub(crate) fn is_there(program: &str) -> bool {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return Path::new(program).is_file();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path).any(|f| f.join(program).is_file() || f.join(&name).is_file())
}
