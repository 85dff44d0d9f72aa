//! What is shown to people and programs: traces, statistics, JSON.
//!
//! Makes text; writing it somewhere is up to [`crate::cli`].

#[cfg(feature = "c")]
pub mod automata;
#[cfg(feature = "c")]
pub mod c_formula;
#[cfg(feature = "c")]
pub mod c_invariant;
#[cfg(feature = "c")]
pub mod c_json;
#[cfg(feature = "c")]
mod c_names;
#[cfg(feature = "c")]
pub mod c_statistics;
#[cfg(feature = "c")]
pub mod c_trace;
#[cfg(feature = "c")]
mod c_trace_text;
pub mod certificate;
pub mod compare;
pub mod diagnostic;
pub mod invariant;
pub mod json;
pub mod statistics;
pub mod trace;
mod trace_text;
pub mod units;

use crate::boolean::proof::Outcome;
use json::Verdict;

/// The verdict line, which scripts read: the last line of standard output, without its line end.
pub fn verdict_line<I>(outcome: &Outcome<I>) -> String {
    let reason = match outcome {
        Outcome::Unknown(reason) => Some(reason.to_string()),
        _ => None,
    };
    Verdict::from(outcome).line(reason.as_deref())
}

/// The verdict line of a reason.
pub fn unknown_line(reason: &str) -> String {
    // A reason in the words of a solver must not break the line.
    let words: Vec<&str> = reason.split_whitespace().collect();
    format!("VERDICT: UNKNOWN ({})", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::verdict_line;
    use crate::boolean::proof::{Outcome, UnknownReason};

    #[test]
    fn one_line_whatever_the_reason() {
        let line = |reason| verdict_line(&Outcome::<()>::Unknown(reason));
        assert_eq!(line(UnknownReason::Time), "VERDICT: UNKNOWN (time limit reached)");
        let odd = UnknownReason::Solver("two\nlines".to_owned());
        assert_eq!(line(odd), "VERDICT: UNKNOWN (solver gave up: two lines)");
    }
}
