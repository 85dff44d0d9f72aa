//! Verdicts of the properties of a program, one for each: for `hardbop check --each`.

use hardbop_base::errors::Check;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::document::Verdict;

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
    /// Labels, then assertions, then what is checked of operations, kind by kind, all in the order of the text.
    pub properties: Vec<Property>,
}

/// A property, and its verdict.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Property {
    pub kind: Kind,
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
}

impl Kind {
    /// The kind as a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Assertion => "assertion",
            Self::Operations(check) => check.row().name,
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl Property {
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
            properties,
        }
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
                format!("VERDICT: UNKNOWN ({open} of {all} properties undecided)\n")
            }
        }
    }
}
