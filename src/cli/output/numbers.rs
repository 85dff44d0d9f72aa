//! What is wrong with a number among the arguments, in words for users.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};

use clap::Error;
use clap::error::{ContextKind, ErrorKind};

/// The error in other words, if it is about a value that is no number.
pub(crate) fn explained(error: &Error) -> Option<Error> {
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
