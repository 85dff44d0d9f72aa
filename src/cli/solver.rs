//! What the options of several commands say about solvers.

use std::env;
use std::path::Path;

use super::error::CliError;
use crate::base::process::CommandLine;
use crate::solve::qbf::Backend;

/// Finds out at once whether the program of a back end is there, not at the first query.
pub(super) fn available(backend: &Backend) -> Result<(), CliError> {
    let Backend::Process(command) = backend else { return Ok(()) };
    program_there(command)
}

/// Finds out whether the program of a command line is there.
pub(super) fn program_there(command: &CommandLine) -> Result<(), CliError> {
    let program = command.program();
    let found = if program.contains(std::path::MAIN_SEPARATOR) {
        Path::new(program).is_file()
    } else {
        let path = env::var_os("PATH").unwrap_or_default();
        let name = format!("{program}{}", env::consts::EXE_SUFFIX);
        env::split_paths(&path).any(|f| f.join(program).is_file() || f.join(&name).is_file())
    };
    if found { Ok(()) } else { Err(CliError::Usage(format!("there is no program '{program}'"))) }
}
