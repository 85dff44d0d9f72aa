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
    let streams = arguments.files.iter().filter(|file| output::is_stream(file)).count();
    if streams > 1 || streams == 1 && output::is_stream(&arguments.certificate) {
        let why = if streams > 1 { "two files" } else { "program and certificate" };
        return Err(CliError::Usage(format!("{why} both need standard input")));
    }
    #[cfg(feature = "c")]
    {
        let language = arguments.language;
        arguments.files.iter().try_for_each(|file| language.suits(file))?;
        if language.is_c(arguments.file()) {
            if let Some(other) = arguments.files.iter().find(|file| !language.is_c(file)) {
                let other = output::name(other);
                let why =
                    format!("several files are linked, which takes C files; '{other}' is none");
                return Err(CliError::Usage(why));
            }
            return c::run(arguments);
        }
        if arguments.adapt.is_some() {
            let why = "'--adapt' is for C programs";
            return Err(CliError::Usage(why.to_owned()));
        }
        if arguments.preprocessor.is_given || arguments.preprocessor.database.is_some() {
            let why = "options of the preprocessor are for C programs";
            return Err(CliError::Usage(why.to_owned()));
        }
    }
    if arguments.files.len() > 1 {
        return Err(CliError::Usage("a Boolean program is one file".to_owned()));
    }
    boolean::run(arguments)
}
