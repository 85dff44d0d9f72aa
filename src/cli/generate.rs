//! `hardbop gen`: benchmark programs.

use super::args::{DriverArguments, GenerateCommand};
use super::error::CliError;
use super::exit::Exit;
use super::output;
use crate::generate::{DriverOptions, driver};

/// Prints the program.
pub(super) fn run(command: &GenerateCommand) -> Result<Exit, CliError> {
    let GenerateCommand::Driver(DriverArguments {
        vars, procs, depth, statements, seed, bug, ..
    }) = *command;
    let options = DriverOptions { vars, procs, depth, statements, seed, bug };
    output::print(&driver(&options)?)?;
    Ok(Exit::Safe)
}
