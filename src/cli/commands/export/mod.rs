//! `hardbop export`: a program in the language of another tool.

mod boolean;
#[cfg(feature = "c")]
mod c;

use crate::cli::arguments::translate::ExportArguments;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::interrupt;

/// Writes the program.
pub(crate) fn run(arguments: &ExportArguments) -> Result<Exit, CliError> {
    interrupt::at_once();
    #[cfg(feature = "c")]
    {
        arguments.c.language.suits(&arguments.file)?;
        if arguments.c.language.is_c(&arguments.file) {
            return c::run(arguments);
        }
        if let Some(given) = arguments.c.given() {
            return Err(CliError::Usage(format!("{given} for C programs")));
        }
    }
    boolean::run(arguments)
}
