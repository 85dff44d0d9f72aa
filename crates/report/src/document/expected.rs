//! The verdict that a task definition expects.

use serde::Serialize;

use super::verdict::Verdict;

/// The verdict that a task definition expects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Expected {
    /// Whether the property holds: `expected_verdict`.
    pub holds: bool,
    pub file: String,
    pub line: usize,
    /// Whether the verdict is the expected one; nothing where it is UNKNOWN.
    pub agrees: Option<bool>,
}

impl Expected {
    /// The expectation, compared with a verdict.
    #[must_use]
    pub fn against(self, verdict: Verdict) -> Self {
        let agrees = match verdict {
            Verdict::Safe => Some(self.holds),
            Verdict::Unsafe => Some(!self.holds),
            Verdict::Unknown => None,
        };
        Self { agrees, ..self }
    }

    /// `expected: false (UNSAFE)`
    #[must_use]
    pub fn line(&self) -> String {
        format!("expected: {} ({})", self.holds, self.verdict())
    }

    /// The warning where the verdict is not the expected one.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        (self.agrees == Some(false)).then(|| {
            let (file, line, expected) = (&self.file, self.line, self.verdict());
            format!("{file}:{line}: the verdict is not the expected one, {expected}")
        })
    }

    fn verdict(&self) -> &'static str {
        if self.holds { "SAFE" } else { "UNSAFE" }
    }
}
