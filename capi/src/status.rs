//! What functions return, and the message of the last error of a thread.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use hardbop_base::source::{Diagnostic, Source};
use hardbop_report::diagnostic::render;
use hardbop_session::nothing::NothingToCheck;
use hardbop_smt::SmtError;
use hardbop_verify::VerifyError;

use crate::border::c_string;

/// `hardbop_status`
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Ok = 0,
    NullArgument = 1,
    InvalidUtf8 = 2,
    InvalidHandle = 3,
    UnknownOption = 4,
    InvalidValue = 5,
    InvalidInput = 6,
    Misuse = 7,
    NotAvailable = 8,
    OutOfRange = 9,
    Unreadable = 10,
    Limit = 11,
    Internal = 12,
    NoSolver = 13,
}

/// Why a function fails.
#[derive(Debug)]
pub struct Error {
    pub status: Status,
    pub message: String,
}

impl Error {
    pub fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub fn internal(message: impl ToString) -> Self {
        Self::new(Status::Internal, message.to_string())
    }

    /// A check without an answer.
    pub fn failed(error: &VerifyError) -> Self {
        let status = match error {
            VerifyError::Solver(SmtError::Library(_)) => Status::NoSolver,
            _ => Status::Internal,
        };
        Self::new(status, error.to_string())
    }

    /// A program in which nothing counts as an error.
    pub fn nothing(error: &NothingToCheck) -> Self {
        Self::new(Status::InvalidInput, error.to_string())
    }

    /// Mistakes in a text, with their places.
    pub fn input(source: &Source, diagnostics: &[Diagnostic]) -> Self {
        Self::new(Status::InvalidInput, render(source, diagnostics, false).trim_end())
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs the work of a function; no panic leaves it.
pub fn enter(work: impl FnOnce() -> Result<(), Error>) -> Status {
    let error = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return say(Status::Ok, ""),
        Ok(Err(error)) => error,
        Err(panic) => Error::internal(format!("panic: {}", words(&*panic))),
    };
    say(error.status, &error.message)
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// At the end of a thread nothing is kept, for nobody can ask any more.
fn say(status: Status, message: &str) -> Status {
    let _ = LAST.try_with(|last| last.replace(c_string(message)));
    status
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_version() -> *const c_char {
    static VERSION: LazyLock<CString> = LazyLock::new(|| c_string(hardbop_base::VERSION));
    VERSION.as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_status_name(status: i32) -> *const c_char {
    let name = match status {
        0 => c"HARDBOP_OK",
        1 => c"HARDBOP_NULL_ARGUMENT",
        2 => c"HARDBOP_INVALID_UTF8",
        3 => c"HARDBOP_INVALID_HANDLE",
        4 => c"HARDBOP_UNKNOWN_OPTION",
        5 => c"HARDBOP_INVALID_VALUE",
        6 => c"HARDBOP_INVALID_INPUT",
        7 => c"HARDBOP_MISUSE",
        8 => c"HARDBOP_NOT_AVAILABLE",
        9 => c"HARDBOP_OUT_OF_RANGE",
        10 => c"HARDBOP_UNREADABLE",
        11 => c"HARDBOP_LIMIT",
        12 => c"HARDBOP_INTERNAL",
        13 => c"HARDBOP_NO_SOLVER",
        _ => c"(no status)",
    };
    name.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(enter(|| panic!("oh {}", 1)), Status::Internal);
        let message = LAST.with(|last| last.borrow().to_string_lossy().into_owned());
        assert_eq!(message, "panic: oh 1");
        assert_eq!(enter(|| Ok(())), Status::Ok);
        assert!(LAST.with(|last| last.borrow().is_empty()));
    }
}
