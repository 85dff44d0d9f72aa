//! Verdicts of the properties of a program, one for each: for `hardbop check --each`.

use std::collections::BTreeSet;

use hardbop_base::errors::{CHECKS, Check, ERRORS};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::document::Verdict;
use super::kept::{BaselineState, Counts, Earlier, Gone, Silence};
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
    /// How many are new, known and silenced; none where nothing is compared with an earlier run, and nothing is silenced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// What an earlier run had, and this one has not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
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
    /// The function that it is in, where that is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The places as FILE:LINE:COLUMN; a label may be in several functions.
    pub places: Vec<String>,
    /// What tells it from others from run to run, wherever its lines move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// What an earlier run says of it.
    #[serde(skip)]
    pub earlier: Earlier,
    /// How it differs from that, once it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_state: Option<BaselineState>,
    /// The comment that silences it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silenced: Option<Silence>,
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

    /// The kind of this name, of a finding that has a place in the text: a label, an assertion, or a check.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let checks = CHECKS.iter().map(|row| Self::Operations(row.check));
        checks.chain([Self::Label, Self::Assertion]).find(|kind| kind.name() == name)
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
            function: None,
            places,
            fingerprint: None,
            earlier: Earlier::NotAsked,
            baseline_state: None,
            silenced: None,
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
        self.places.iter().filter_map(|place| position(place))
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

    /// How it differs from what the earlier run says of it; nothing where none is asked.
    #[must_use]
    pub fn state(&self) -> Option<BaselineState> {
        self.earlier.state(self.verdict)
    }

    /// Whether somebody has to look at it: an error or undecided, neither known from an earlier run nor silenced.
    #[must_use]
    pub fn is_new(&self) -> bool {
        let is_known = matches!(self.state(), Some(state) if state != BaselineState::New);
        self.verdict != Verdict::Safe && self.silenced.is_none() && !is_known
    }

    /// What a line says behind the verdict; nothing of what is proved, and where nothing is compared or silenced.
    #[must_use]
    pub fn mark(&self) -> Option<String> {
        if self.verdict == Verdict::Safe {
            return None;
        }
        match (&self.silenced, self.state()) {
            (Some(silence), _) => Some(format!("silenced: {}", silence.reason)),
            (None, Some(BaselineState::New)) => Some("new".to_owned()),
            (None, Some(BaselineState::Unchanged | BaselineState::Updated)) => {
                Some("known".to_owned())
            }
            (None, None) => None,
        }
    }

    /// The property as a line, with columns of at least so many characters for kind, name and place.
    #[must_use]
    pub fn line(&self, [kinds, names, places]: [usize; 3]) -> String {
        let verdict = self.verdict.word();
        let mark = self.mark().map_or_else(String::new, |mark| format!("  {mark}"));
        let reason = self.reason.as_ref().map_or_else(String::new, |r| format!(" ({r})"));
        let (kind, at) = (self.kind.name(), self.place());
        format!("{kind:<kinds$}  {:<names$}  {at:<places$}  {verdict}{reason}{mark}\n", self.name)
    }
}

/// A place as file, line and column.
pub(crate) fn position(place: &str) -> Option<(&str, usize, usize)> {
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((parts.next()?, line, column))
}

impl Properties {
    /// The properties of a program, with the worst of all verdicts.
    #[must_use]
    pub fn new(files: Vec<String>, properties: Vec<Property>) -> Self {
        let all = properties.iter().map(|property| property.verdict);
        let verdict = all.max_by_key(|verdict| verdict.severity()).unwrap_or(Verdict::Safe);
        Self {
            schema: "hardbop-each-1",
            version: hardbop_base::VERSION,
            files,
            verdict,
            assumptions: vec![],
            counts: None,
            gone: vec![],
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
        let mut all = [self.assumptions.clone(), self.once(Property::assumptions)].concat();
        let mut seen = BTreeSet::new();
        all.retain(|text| seen.insert(text.clone()));
        all
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
