//! The outcome of a run that has ended, by its exit code, its document, its messages.

use serde_json::Value;

use crate::results::Finished;
use hardbop_report::document::{Reason, Verdict};

/// Longest reason that is taken from messages.
const REASON: usize = 300;

/// A process of `check --json` that has ended.
#[derive(Debug, Clone)]
pub struct Ended<'a> {
    /// The exit code; none where a signal has ended it.
    pub exit: Option<i32>,
    pub output: &'a str,
    pub errors: &'a str,
    pub seconds: f64,
    pub cpu_seconds: Option<f64>,
    pub node: Option<String>,
}

impl Ended<'_> {
    /// The result of the task; none where the run was interrupted.
    #[must_use]
    pub fn finished(&self) -> Option<Finished> {
        let document: Option<Value> = serde_json::from_str(self.output).ok();
        let word = document.as_ref().and_then(|d| d["verdict"].as_str());
        // Both have to say so.
        let (verdict, reason) = match (word, self.exit) {
            (Some("SAFE"), Some(0)) => (Verdict::Safe, None),
            (Some("UNSAFE"), Some(10)) => (Verdict::Unsafe, None),
            (Some("UNKNOWN"), Some(20)) => {
                let reason = document.as_ref().map(|d| d["reason"].clone());
                let reason = reason.and_then(|r| serde_json::from_value(r).ok());
                (Verdict::Unknown, reason.or(Some(Reason::new("no-verdict", "no reason is given"))))
            }
            (_, Some(130)) => return None,
            (_, Some(2)) => (Verdict::Unknown, Some(Reason::new("bad-input", &self.message()))),
            (_, Some(70)) => (Verdict::Unknown, Some(Reason::new("internal", &self.message()))),
            (_, Some(code)) => {
                let message = format!("exit code {code}: {}", self.message());
                (Verdict::Unknown, Some(Reason::new("crash", &message)))
            }
            (_, None) => {
                (Verdict::Unknown, Some(Reason::new("crash", "the process was ended by a signal")))
            }
        };
        let memory = document.as_ref().map(|d| &d["statistics"]["peak-memory-bytes"]);
        Some(Finished {
            verdict,
            reason,
            seconds: self.seconds,
            cpu_seconds: self.cpu_seconds,
            memory_bytes: memory.and_then(Value::as_u64),
            node: self.node.clone(),
            by_certificate: false,
            part: None,
        })
    }

    /// The result of the task, where this is a run of `certify --json` that has accepted a proof.
    #[must_use]
    pub fn certified(&self) -> Option<Finished> {
        let document: Value = serde_json::from_str(self.output).ok()?;
        let says = |key: &str, word: &str| {
            document[key].as_str().is_some_and(|found| found.eq_ignore_ascii_case(word))
        };
        let is_valid = self.exit == Some(0) && says("result", "valid") && says("verdict", "safe");
        is_valid.then(|| Finished {
            verdict: Verdict::Safe,
            reason: None,
            seconds: self.seconds,
            cpu_seconds: self.cpu_seconds,
            memory_bytes: None,
            node: self.node.clone(),
            by_certificate: true,
            part: None,
        })
    }

    /// The decisive message, with its place.
    fn message(&self) -> String {
        let lines = || self.errors.lines().map(str::trim).filter(|line| !line.is_empty());
        let Some(first) = lines().find(|l| l.starts_with("error")).or_else(|| lines().next_back())
        else {
            return "no message".to_owned();
        };
        let text = first.trim_start_matches("error: ").trim_start_matches("error");
        let place = lines().skip_while(|l| *l != first).find_map(|l| l.strip_prefix("--> "));
        let all = place.map_or_else(|| text.to_owned(), |place| format!("{place}: {text}"));
        all.chars().take(REASON).collect()
    }
}

/// The result of a task that something outside of it has ended, or kept from running.
#[must_use]
pub fn stopped(code: &'static str, message: &str, seconds: f64) -> Finished {
    Finished {
        verdict: Verdict::Unknown,
        reason: Some(Reason::new(code, message)),
        seconds,
        cpu_seconds: None,
        memory_bytes: None,
        node: None,
        by_certificate: false,
        part: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(exit: Option<i32>, output: &str, errors: &str) -> Option<(Verdict, String)> {
        let ended = Ended { exit, output, errors, seconds: 1.0, cpu_seconds: None, node: None };
        let finished = ended.finished()?;
        let reason = finished.reason.map(|r| format!("{}: {}", r.code, r.message));
        Some((finished.verdict, reason.unwrap_or_default()))
    }

    #[test]
    fn the_document_and_the_exit_code_have_to_agree() {
        let safe = r#"{"verdict": "SAFE"}"#;
        assert_eq!(of(Some(0), safe, ""), Some((Verdict::Safe, String::new())));
        let crash = "crash: exit code 10: no message".to_owned();
        assert_eq!(of(Some(10), safe, ""), Some((Verdict::Unknown, crash)));
        let killed = "crash: the process was ended by a signal".to_owned();
        assert_eq!(of(None, safe, ""), Some((Verdict::Unknown, killed)));
        assert_eq!(of(Some(130), r#"{"verdict": "UNKNOWN"}"#, ""), None);
    }

    #[test]
    fn a_certificate_counts_that_is_valid_for_safe() {
        fn of(exit: Option<i32>, output: &str) -> bool {
            let errors = "";
            let ended = Ended { exit, output, errors, seconds: 1.0, cpu_seconds: None, node: None };
            ended.certified().is_some_and(|r| r.verdict == Verdict::Safe && r.by_certificate)
        }
        let safe = r#"{"result": "valid", "verdict": "SAFE"}"#;
        assert!(of(Some(0), safe));
        assert!(!of(Some(1), safe) && !of(None, safe));
        assert!(!of(Some(0), &safe.replace("SAFE", "UNSAFE")));
        assert!(!of(Some(0), &safe.replace("valid", "rejected")));
    }

    #[test]
    fn a_mistake_has_its_place() {
        let errors = "error: expected ';'\n --> a.c:3:4\n  |\n";
        let reason = "bad-input: a.c:3:4: expected ';'".to_owned();
        assert_eq!(of(Some(2), "", errors), Some((Verdict::Unknown, reason)));
    }
}
