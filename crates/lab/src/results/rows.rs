//! The tasks of a campaign, with their results.

use serde::Serialize;

use hardbop_report::document::{Reason, Verdict};

/// Seconds of the processor below which a time is not told apart from none: the system counts
/// hundredths.
const COARSE: f64 = 0.1;

/// The result of a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Finished {
    pub verdict: Verdict,
    /// Why the verdict is UNKNOWN.
    pub reason: Option<Reason>,
    /// Seconds from the start of the process to its end.
    pub seconds: f64,
    /// Seconds of the processor, by the process and what it has started.
    pub cpu_seconds: Option<f64>,
    /// The largest resident set.
    pub memory_bytes: Option<u64>,
    /// The machine on which it ran, if that was elsewhere.
    pub node: Option<String>,
    /// Whether it was not proved anew, but a certificate of an earlier run accepted.
    pub by_certificate: bool,
    /// The parts on which the verdict rests, for a task that was split, where they are not the task
    /// as it was asked.
    pub part: Option<String>,
}

impl Finished {
    /// Adds the time of an attempt that came before.
    pub fn add(&mut self, seconds: f64, cpu_seconds: Option<f64>) {
        self.seconds += seconds;
        self.cpu_seconds = self.cpu_seconds.zip(cpu_seconds).map(|(own, more)| own + more);
    }

    /// Has the run failed, rather than not decided?
    #[must_use]
    pub fn is_failure(&self) -> bool {
        let code = self.reason.as_ref().map(|r| &*r.code);
        matches!(code, Some("bad-input" | "internal" | "crash" | "lost"))
    }

    /// Is the program SAFE or UNSAFE?
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.verdict != Verdict::Unknown
    }
}

/// A task, and its result where there is one.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    pub hash: String,
    pub program: String,
    pub property: String,
    pub options: String,
    /// The verdict from elsewhere.
    pub expected: Option<Verdict>,
    pub result: Option<Finished>,
    /// Is there a page about it?
    pub has_page: bool,
}

impl Row {
    /// The verdict as a word; ERROR where the run has failed, nothing where there was none.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match &self.result {
            None => "",
            Some(result) if result.is_failure() => "ERROR",
            Some(result) => result.verdict.word(),
        }
    }

    /// Does the verdict contradict the one from elsewhere?
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        let verdict = self.result.as_ref().filter(|r| r.is_decided()).map(|r| r.verdict);
        matches!((verdict, self.expected), (Some(found), Some(expected)) if found != expected)
    }

    /// The origin of the verdict.
    #[must_use]
    pub fn how(&self) -> String {
        match &self.result {
            None => String::new(),
            Some(result) if result.by_certificate => "certificate".to_owned(),
            Some(result) => result
                .part
                .as_ref()
                .map_or_else(|| "check".to_owned(), |part| format!("part {part}")),
        }
    }

    /// Why there is no verdict, in words.
    #[must_use]
    pub fn reason(&self) -> &str {
        let reason = self.result.as_ref().and_then(|r| r.reason.as_ref());
        reason.map_or("", |r| r.message.as_str())
    }

    /// Seconds of the processor; where they are not known, or too few for its clock, those that
    /// have passed.
    #[must_use]
    pub fn time(&self) -> Option<f64> {
        self.result.as_ref().map(|r| r.cpu_seconds.filter(|s| *s >= COARSE).unwrap_or(r.seconds))
    }
}

/// A campaign: all its tasks.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Campaign {
    pub name: String,
    /// Version of hardbop.
    pub version: &'static str,
    pub time_limit_seconds: f64,
    pub memory_limit_bytes: u64,
    /// Whether it was ended before all tasks were.
    pub interrupted: bool,
    pub rows: Vec<Row>,
}

impl Campaign {
    /// The properties with options, in the order of the tasks: as a name, and as both.
    #[must_use]
    pub fn columns(&self) -> Vec<(String, (&str, &str))> {
        let mut pairs: Vec<(&str, &str)> = vec![];
        for row in &self.rows {
            let pair = (row.property.as_str(), row.options.as_str());
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        let several = |of: fn(&(&str, &str)) -> String| {
            pairs.first().is_some_and(|first| pairs.iter().any(|p| of(p) != of(first)))
        };
        let properties = several(|p| p.0.to_owned());
        let options = several(|p| p.1.to_owned());
        let name = |(property, set): (&str, &str)| match (properties, options) {
            (true, true) => format!("{property}, {set}"),
            (false, true) => set.to_owned(),
            _ => property.to_owned(),
        };
        pairs.iter().map(|&pair| (name(pair), pair)).collect()
    }

    /// How many rows have each word: SAFE, UNSAFE, UNKNOWN, ERROR, none.
    #[must_use]
    pub fn counts(&self) -> [usize; 5] {
        ["SAFE", "UNSAFE", "UNKNOWN", "ERROR", ""]
            .map(|word| self.rows.iter().filter(|row| row.word() == word).count())
    }
}
