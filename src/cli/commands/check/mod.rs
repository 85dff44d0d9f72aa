//! `hardbop check`: is an error reachable?
//!
//! [`ending`] is what runs on programs of both languages have in common: limits, progress, and what
//! is printed at the end, and [`kept`] what an earlier run and comments say of findings.  [`each`] runs the others, once for each property, `functions` and `programs` all of them, once
//! for each function or program.

mod boolean;
#[cfg(feature = "c")]
mod c;
pub(super) mod each;
mod ending;
#[cfg(feature = "c")]
mod findings;
#[cfg(feature = "c")]
mod functions;
mod kept;
#[cfg(feature = "c")]
mod programs;
#[cfg(feature = "c")]
mod several;

use crate::cli::arguments::check::CheckArguments;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;

/// Decides, and prints the answer.
pub(crate) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    let result = decide(arguments);
    if let (Err(CliError::Diagnostics(mistakes)), Some(path)) =
        (&result, &arguments.reports.mistakes)
    {
        output::write(path, output::json(&mistakes.all())?.as_bytes())?;
    }
    result
}

fn decide(arguments: &CheckArguments) -> Result<Exit, CliError> {
    #[cfg(feature = "c")]
    arguments.files.iter().try_for_each(|file| arguments.c.language.suits(file))?;
    #[cfg(feature = "c")]
    if let Some(all) = programs::several(arguments)? {
        return programs::run(&all, arguments);
    }
    #[cfg(feature = "c")]
    programs::tell(arguments);
    #[cfg(feature = "c")]
    if arguments.entry.as_deref() == Some(functions::ALL) {
        return match arguments.c.language.is_c(arguments.file()) {
            true => functions::run(arguments),
            false => Err(CliError::Usage("'--entry *' is for C programs".to_owned())),
        };
    }
    if arguments.each {
        return each::run(arguments);
    }
    #[cfg(feature = "c")]
    if arguments.c.language.is_c(arguments.file()) {
        return c::run(arguments);
    }
    boolean::run(arguments)
}
