//! The three verdicts, why there is none, and the line that scripts read.

use serde::{Deserialize, Serialize};

use crate::base::budget::Exhausted;
use crate::boolean::proof::{Outcome, UnknownReason};

/// The three answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

/// Why there is no verdict, or why a certificate is not valid: for programs that read documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// Somebody ended the run.
    Interrupted,
    /// A solver gave up, or failed.
    Solver,
    /// The methods do not suffice for this program.
    Incomplete,
    /// In a comparison: another program has no verdict, runs contradict each other, or nothing was run.
    NoVerdict,
    Contradiction,
    NotTried,
    /// Of a certificate: it is for another program, or for another property ...
    OtherProgram,
    OtherProperty,
    /// ... its trace is no way into an error, its invariant is none, or proves nothing.
    Trace,
    IllFormed,
    Unproved,
}

/// Why there is no verdict, or why a certificate is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub code: ReasonCode,
    /// For people; on one line.
    pub message: String,
}

impl Reason {
    /// With words that may be those of a solver: line ends become spaces.
    #[must_use]
    pub fn new(code: ReasonCode, message: &str) -> Self {
        let words: Vec<&str> = message.split_whitespace().collect();
        Self { code, message: words.join(" ") }
    }

    /// The reason of an engine that has no answer.
    #[must_use]
    pub fn of<I>(outcome: &Outcome<I>) -> Option<Self> {
        match outcome {
            Outcome::Unknown(reason) => Some(reason.into()),
            Outcome::Safe(_) | Outcome::Unsafe(_) => None,
        }
    }

    /// The reason for a verdict on a C program or on automata.
    #[cfg(feature = "c")]
    #[must_use]
    pub fn of_verification(message: &str) -> Self {
        let limits = [Exhausted::Time, Exhausted::Memory, Exhausted::Cancelled];
        match limits.into_iter().find(|e| message == e.to_string()) {
            Some(limit) => limit.into(),
            None if message.starts_with("solver gave up") => Self::new(ReasonCode::Solver, message),
            None => Self::new(ReasonCode::Incomplete, message),
        }
    }
}

impl From<&UnknownReason> for Reason {
    fn from(reason: &UnknownReason) -> Self {
        let code = match reason {
            UnknownReason::Time => ReasonCode::Time,
            UnknownReason::Memory => ReasonCode::Memory,
            UnknownReason::Interrupted => ReasonCode::Interrupted,
            UnknownReason::Solver(_) => ReasonCode::Solver,
        };
        Self::new(code, &reason.to_string())
    }
}

impl From<Exhausted> for Reason {
    fn from(limit: Exhausted) -> Self {
        Self::from(&UnknownReason::from(limit))
    }
}

impl Verdict {
    /// The verdict line: the last line of standard output, without its line end.
    #[must_use]
    pub fn line(self, reason: Option<&Reason>) -> String {
        match self {
            Self::Safe => "VERDICT: SAFE".to_owned(),
            Self::Unsafe => "VERDICT: UNSAFE".to_owned(),
            Self::Unknown => {
                format!("VERDICT: UNKNOWN ({})", reason.map_or("", |r| r.message.as_str()))
            }
        }
    }

    /// The exit code of a process that ends with it.
    #[must_use]
    pub fn exit_code(self, reason: Option<&Reason>) -> u8 {
        match self {
            Self::Safe => 0,
            Self::Unsafe => 10,
            Self::Unknown => match reason.map(|r| r.code) {
                Some(ReasonCode::Interrupted) => 130,
                _ => 20,
            },
        }
    }
}

/// The verdict line of an engine's answer.
#[must_use]
pub fn verdict_line<I>(outcome: &Outcome<I>) -> String {
    Verdict::from(outcome).line(Reason::of(outcome).as_ref())
}

impl<I> From<&Outcome<I>> for Verdict {
    fn from(outcome: &Outcome<I>) -> Self {
        match outcome {
            Outcome::Safe(_) => Self::Safe,
            Outcome::Unsafe(_) => Self::Unsafe,
            Outcome::Unknown(_) => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_whatever_the_reason() {
        let line = |reason| verdict_line(&Outcome::<()>::Unknown(reason));
        assert_eq!(line(UnknownReason::Time), "VERDICT: UNKNOWN (time limit reached)");
        let odd = UnknownReason::Solver("two\nlines".to_owned());
        assert_eq!(line(odd), "VERDICT: UNKNOWN (solver gave up: two lines)");
    }

    #[test]
    fn only_an_interrupted_run_exits_otherwise() {
        let code = |reason| Verdict::Unknown.exit_code(Some(&Reason::from(reason)));
        assert_eq!((code(Exhausted::Cancelled), code(Exhausted::Time)), (130, 20));
    }
}
