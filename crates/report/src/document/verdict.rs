//! The three verdicts, why there is none, and the line that scripts read.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use hardbop_base::budget::Exhausted;
use hardbop_base::verdict::{Outcome, UnknownReason};

/// The three answers.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::{RunOptions, Verdict, invariant_text};
/// use hardbop_session::check::check_bp;
///
/// let source = Source::new("lock.bp", "decl held; void main() begin assert(!held); end");
/// let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
/// let evidence = match answer.verdict {
///     Verdict::Safe => invariant_text(&answer.invariants),
///     Verdict::Unsafe => answer.trace.map_or(String::new(), |trace| trace.text()),
///     Verdict::Unknown => answer.reason.map_or(String::new(), |reason| reason.message),
/// };
/// assert!(evidence.contains("assert(!held)"));
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

/// Why there is no verdict, or why a certificate is not valid.
///
/// ```
/// use std::time::Duration;
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::RunOptions;
/// use hardbop_session::check::check_bp;
///
/// let source = Source::new("lock.bp", "decl held; void main() begin held := F; assert(!held); end");
/// let budget = Budget::unlimited().with_time_limit(Duration::ZERO);
/// let answer = check_bp(&source, &RunOptions::default(), &budget, &mut ())?;
/// let reason = answer.reason.expect("the verdict is UNKNOWN");
/// assert_eq!((&*reason.code, &*reason.message), ("time", "time limit reached"));
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reason {
    /// The code for programs: of an answer `UnknownReason::code`; in comparisons also `no-verdict`,
    /// `no-input`, `contradiction` and `not-tried`, of certificates `other-program`,
    /// `other-property`, `trace`, `ill-formed` and `unproved`.
    pub code: Cow<'static, str>,
    /// The message for people; on one line.
    pub message: String,
    /// Whether the run was interrupted; in JSON the code says it.
    #[serde(skip)]
    is_interruption: bool,
}

impl Reason {
    /// The message may come from a solver: line ends become spaces.
    #[must_use]
    pub fn new(code: &'static str, message: &str) -> Self {
        let words: Vec<&str> = message.split_whitespace().collect();
        Self { code: code.into(), message: words.join(" "), is_interruption: false }
    }

    /// A reason that was kept.
    #[must_use]
    pub fn stored(code: String, message: String) -> Self {
        Self { code: code.into(), message, is_interruption: false }
    }

    /// Whether the run was interrupted.
    #[must_use]
    pub fn is_interruption(&self) -> bool {
        self.is_interruption
    }

    /// The reason of an engine that has no answer.
    #[must_use]
    pub fn of<I, C>(outcome: &Outcome<I, C>) -> Option<Self> {
        match outcome {
            Outcome::Unknown(reason) => Some(reason.into()),
            Outcome::Safe(_) | Outcome::Unsafe(_) => None,
        }
    }
}

impl From<&UnknownReason> for Reason {
    fn from(reason: &UnknownReason) -> Self {
        let is_interruption = matches!(reason, UnknownReason::Interrupted);
        Self { is_interruption, ..Self::new(reason.code(), &reason.to_string()) }
    }
}

impl From<Exhausted> for Reason {
    fn from(limit: Exhausted) -> Self {
        Self::from(&UnknownReason::from(limit))
    }
}

impl Verdict {
    /// The word of the verdict line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Safe => "SAFE",
            Self::Unsafe => "UNSAFE",
            Self::Unknown => "UNKNOWN",
        }
    }

    /// How bad it is, from 0 for SAFE to 2 for UNSAFE: the worst of several is that of all.
    #[must_use]
    pub fn severity(self) -> u8 {
        match self {
            Self::Safe => 0,
            Self::Unknown => 1,
            Self::Unsafe => 2,
        }
    }

    /// The verdict line: the last line of standard output, without its line end.
    #[must_use]
    pub fn line(self, reason: Option<&Reason>) -> String {
        match self {
            Self::Safe | Self::Unsafe => format!("VERDICT: {}", self.word()),
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
            Self::Unknown if reason.is_some_and(Reason::is_interruption) => 130,
            Self::Unknown => 20,
        }
    }
}

/// The verdict line of an engine's answer.
#[must_use]
pub fn verdict_line<I, C>(outcome: &Outcome<I, C>) -> String {
    Verdict::from(outcome).line(Reason::of(outcome).as_ref())
}

impl<I, C> From<&Outcome<I, C>> for Verdict {
    fn from(outcome: &Outcome<I, C>) -> Self {
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
        let line = |reason| verdict_line(&Outcome::<(), ()>::Unknown(reason));
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
