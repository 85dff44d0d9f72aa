//! `hardbop certify`: does a certificate prove its verdict?

mod boolean;
#[cfg(feature = "c")]
mod c;

use crate::cli::arguments::certify::CertifyArguments;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;

/// Judges, and prints what comes out.
pub(crate) fn run(arguments: &CertifyArguments) -> Result<Exit, CliError> {
    if output::is_stream(&arguments.file) && output::is_stream(&arguments.certificate) {
        return Err(CliError::Usage("program and certificate both need standard input".into()));
    }
    #[cfg(feature = "c")]
    {
        arguments.language.suits(&arguments.file)?;
        if arguments.language.is_c(&arguments.file) {
            return c::run(arguments);
        }
        if arguments.preprocessor.is_given || arguments.preprocessor.database.is_some() {
            let why = "options of the preprocessor are for C programs";
            return Err(CliError::Usage(why.to_owned()));
        }
    }
    boolean::run(arguments)
}
