//! Verdicts of the properties of a program, one for each: for `hardbop check --each`.

use std::collections::BTreeSet;

use hardbop_base::errors::{Check, ERRORS};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::document::Verdict;
use super::trace::Trace;

/// The code of an error that the program states itself.
pub(crate) const REACHED: &str = "reachable-error";

/// The verdicts.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Properties {
    /// The format, with its version: `hardbop-each-1`.
    pub schema: &'static str,
    /// Version of hardbop.
    pub version: &'static str,
    pub files: Vec<String>,
    /// The worst one: UNSAFE where one is, else UNKNOWN where one is.
    pub verdict: Verdict,
    /// What is taken for granted besides what the answers say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// Labels, then assertions, then what is checked of operations, kind by kind, all in the order of the text.
    pub properties: Vec<Property>,
}

/// A property, and its verdict.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Property {
    pub kind: Kind,
    /// The kind of error that it would be, as reports name it: `out-of-bounds`.
    pub code: &'static str,
    /// The name of a label; of an assertion, a call or an operation, its text.
    pub name: String,
    /// The places as FILE:LINE:COLUMN; a label may be in several functions.
    pub places: Vec<String>,
    pub verdict: Verdict,
    /// Why it is UNKNOWN.
    pub reason: Option<String>,
    /// Wall time.
    pub seconds: f64,
    /// The document of `check --json`, with the trace of an error; none where the run was ended
    /// before it, or where another property has it: one proof may be that of several.
    pub answer: Option<Value>,
}

/// The kind of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A label is not reached.
    Label,
    /// An assertion holds, or a function is not called.
    Assertion,
    /// There is no error of the kinds that this check looks for.
    Operations(Check),
    /// A function in which executions start has no error.
    Function,
    /// One of the programs of a project has no error.
    Program,
}

impl Kind {
    /// The kind as a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Assertion => "assertion",
            Self::Operations(check) => check.row().name,
            Self::Function => "function",
            Self::Program => "program",
        }
    }

    /// The kind of error as reports name it; of a check, the first one that it looks for.
    #[must_use]
    pub fn code(self) -> &'static str {
        let Self::Operations(check) = self else { return REACHED };
        ERRORS.iter().find(|row| row.checks.contains(&check)).map_or(REACHED, |row| row.code)
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl Property {
    /// A property that is not decided.
    #[must_use]
    pub fn open(kind: Kind, name: &str, places: Vec<String>) -> Self {
        Self {
            kind,
            code: kind.code(),
            name: name.to_owned(),
            places,
            verdict: Verdict::Unknown,
            reason: None,
            seconds: 0.0,
            answer: None,
        }
    }

    /// The way into the error, where this one has it.
    #[must_use]
    pub fn trace(&self) -> Option<Trace> {
        Trace::deserialize(&self.answer.as_ref()?["trace"]).ok()
    }

    /// The places as files, lines and columns.
    pub fn positions(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        self.places.iter().filter_map(|place| {
            let mut parts = place.rsplitn(3, ':');
            let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            Some((parts.next()?, line, column))
        })
    }

    /// The warnings of the answer.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.texts("warnings")
    }

    /// The assumptions of the answer.
    #[must_use]
    pub fn assumptions(&self) -> Vec<String> {
        self.texts("assumptions")
    }

    fn texts(&self, key: &str) -> Vec<String> {
        // The answer on a function may have those of its properties.
        let findings = self.answer.iter().filter_map(|all| all["properties"].as_array()).flatten();
        let answers = self.answer.iter().chain(findings.map(|finding| &finding["answer"]));
        let list = answers.filter_map(|answer| answer[key].as_array()).flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The place of the property; `FILE:LINE:COLUMN and 2 more`.
    #[must_use]
    pub fn place(&self) -> String {
        match self.places.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
        }
    }

    /// The property as a line, with columns of at least so many characters for kind, name and place.
    #[must_use]
    pub fn line(&self, [kinds, names, places]: [usize; 3]) -> String {
        let verdict = match self.verdict {
            Verdict::Safe => "SAFE",
            Verdict::Unsafe => "UNSAFE",
            Verdict::Unknown => "UNKNOWN",
        };
        let reason = self.reason.as_ref().map_or_else(String::new, |r| format!(" ({r})"));
        let (kind, at) = (self.kind.name(), self.place());
        format!("{kind:<kinds$}  {:<names$}  {at:<places$}  {verdict}{reason}\n", self.name)
    }
}

impl Properties {
    /// The properties of a program, with the worst of all verdicts.
    #[must_use]
    pub fn new(files: Vec<String>, properties: Vec<Property>) -> Self {
        let is_any = |verdict| properties.iter().any(|p| p.verdict == verdict);
        let verdict = match (is_any(Verdict::Unsafe), is_any(Verdict::Unknown)) {
            (true, _) => Verdict::Unsafe,
            (false, true) => Verdict::Unknown,
            (false, false) => Verdict::Safe,
        };
        Self {
            schema: "hardbop-each-1",
            version: hardbop_base::VERSION,
            files,
            verdict,
            assumptions: vec![],
            properties,
        }
    }

    /// The warnings of all answers, each once.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.once(Property::warnings)
    }

    /// What the verdicts take for granted, each once.
    #[must_use]
    pub fn assumptions(&self) -> Vec<String> {
        [self.assumptions.clone(), self.once(Property::assumptions)].concat()
    }

    fn once(&self, of: impl Fn(&Property) -> Vec<String>) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let all = self.properties.iter().flat_map(of);
        all.filter(|text| seen.insert(text.clone())).collect()
    }

    /// The last line of the output.
    #[must_use]
    pub fn verdict_line(&self) -> String {
        let of = |verdict| self.properties.iter().filter(|p| p.verdict == verdict).count();
        match self.verdict {
            Verdict::Safe => "VERDICT: SAFE\n".to_owned(),
            Verdict::Unsafe => "VERDICT: UNSAFE\n".to_owned(),
            Verdict::Unknown => {
                let (open, all) = (of(Verdict::Unknown), self.properties.len());
                let are_all = |kind| self.properties.iter().all(|p| p.kind == kind);
                let what = if are_all(Kind::Function) {
                    "functions"
                } else if are_all(Kind::Program) {
                    "programs"
                } else {
                    "properties"
                };
                format!("VERDICT: UNKNOWN ({open} of {all} {what} undecided)\n")
            }
        }
    }
}
