//! Messages about wrong arguments, in words for users.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;

use clap::Error;
use clap::error::{ContextKind, ErrorKind};

/// The error, in other words where there are better ones.
pub(crate) fn explained(mut error: Error) -> Error {
    match error.kind() {
        ErrorKind::InvalidSubcommand => no_command(&error).unwrap_or(error),
        ErrorKind::UnknownArgument => {
            if let Some(other) = for_compilers(&error).or_else(|| of_others(&error)) {
                return other;
            }
            // Where nothing is like it, what is suggested is to pass it as a value, and that would
            // fail as well.
            if error.get(ContextKind::SuggestedArg).is_none() {
                error.remove(ContextKind::Suggested);
            }
            error
        }
        _ => no_number(&error).unwrap_or(error),
    }
}

/// Options of other checkers, as users of those try them, and what to do here.
const OF_OTHERS: [(&str, &str); 11] = [
    ("--unwind", "no bound is needed: loops are checked for any number of passes"),
    ("--unwinding-assertions", "no bound is needed: loops are checked for any number of passes"),
    ("--function", "'--entry NAME' says where executions start"),
    ("--bounds-check", "'--check bounds' makes accesses out of bounds errors"),
    ("--pointer-check", "'--check null' and '--check bounds' make wrong accesses errors"),
    ("--signed-overflow-check", "'--check overflow' makes signed overflows errors"),
    ("--no-assertions", "'--ignore-asserts' checks labels only"),
    ("--graphml-witness", "'--dump-witness FILE.graphml' writes a witness (1.0, GraphML)"),
    ("--propertyfile", "'--spec FILE' reads a property file"),
    ("--json-ui", "'--json' prints one document"),
    ("--timeout", "'--time-limit' is one, such as '--time-limit 90s'"),
];

/// An option that another checker has.
fn of_others(error: &Error) -> Option<Error> {
    let option = error.get(ContextKind::InvalidArg)?.to_string();
    let (_, instead) = OF_OTHERS.iter().find(|(other, _)| *other == option)?;
    let message = format!(
        "unexpected argument '{option}' found\n\n  tip: {instead}\n\nFor more information, try '--help'.\n"
    );
    Some(Error::raw(ErrorKind::UnknownArgument, message))
}

/// A value that is no number.
fn no_number(error: &Error) -> Option<Error> {
    let reason = error.source()?.downcast_ref::<ParseIntError>()?;
    let (option, value) =
        (error.get(ContextKind::InvalidArg)?, error.get(ContextKind::InvalidValue)?);
    let what = match reason.kind() {
        IntErrorKind::Zero => "must be at least 1",
        IntErrorKind::PosOverflow => "this number is too large",
        _ if value.to_string().starts_with('-') => "must not be negative",
        _ => "must be a whole number",
    };
    let message = format!(
        "invalid value '{value}' for '{option}': {what}\n\nFor more information, try '--help'.\n"
    );
    Some(Error::raw(ErrorKind::ValueValidation, message))
}

/// A file where a command should be.
fn no_command(error: &Error) -> Option<Error> {
    let name = error.get(ContextKind::InvalidSubcommand)?.to_string();
    let path = Path::new(&name);
    if path.extension().is_none() && !path.exists() {
        return None;
    }
    let message = format!(
        "'{name}' is not a command\n\n  tip: 'hardbop check {name}' checks a program\n\nFor more information, try \
         '--help'.\n"
    );
    Some(Error::raw(ErrorKind::InvalidSubcommand, message))
}

/// An option of C compilers, for a command that does not read C.
fn for_compilers(error: &Error) -> Option<Error> {
    let option = error.get(ContextKind::InvalidArg)?.to_string();
    let is_known = ["-I", "-D", "-U", "-std", "-include", "--std", "--include"];
    if !is_known.contains(&option.as_str()) {
        return None;
    }
    let message = format!(
        "unexpected argument '{option}' found\n\n  tip: '-I', '-D', '-U', '-include' and '-std=' are for commands that read \
         C, such as 'check'\n\nFor more information, try '--help'.\n"
    );
    Some(Error::raw(ErrorKind::UnknownArgument, message))
}
