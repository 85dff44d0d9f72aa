//! Exit codes.

use std::process::ExitCode;

use hardbop_report::document::{Document, Verdict};

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// `VERDICT: SAFE`; `CERTIFICATE: VALID (..)`; success of other commands; `sat` and `qbf`: no
    /// answer.
    Safe,
    /// `fmt --check`: not in canonical form.  `certify`: rejected.
    Refused,
    /// Bad usage, bad input, or something that is missing on this machine.
    BadInput,
    /// `VERDICT: UNSAFE`; `sat` and `qbf`: satisfiable, true.
    Unsafe,
    /// `VERDICT: UNKNOWN (..)` and `CERTIFICATE: UNDECIDED (..)`, other than by an interrupt; `sat`
    /// and `qbf`: unsatisfiable, false.
    Unknown,
    /// A defect of hardbop.
    Internal,
    /// Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The exit of a run with this answer.
    pub fn of(answer: &Document) -> Self {
        match answer.verdict {
            Verdict::Safe => Self::Safe,
            Verdict::Unsafe => Self::Unsafe,
            Verdict::Unknown if answer.is_interrupted() => Self::Interrupted,
            Verdict::Unknown => Self::Unknown,
        }
    }

    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Safe => 0,
            Self::Refused => 1,
            Self::BadInput => 2,
            Self::Unsafe => 10,
            Self::Unknown => 20,
            Self::Internal => 70,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
