//! The options of a run, as the command line, the server and the library name them.

use serde::{Deserialize, Serialize};

use hardbop_bp::engine;
use hardbop_bp::language::parser::Dialect;
use hardbop_bp::language::resolve::ResolveOptions;
use hardbop_bp::threads;
#[cfg(feature = "c")]
use hardbop_c::types::DataModel;
#[cfg(feature = "c")]
use hardbop_c::{ParseOptions, Property};
#[cfg(feature = "c")]
use hardbop_verify as verify;

/// The language of a program.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::{Language, RunOptions};
/// use hardbop_session::check::check_bp;
///
/// let source = Source::new("true.bp", "void main() begin assert(T); end");
/// let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.language, Language::BooleanProgram);
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Language {
    BooleanProgram,
    C,
    /// A description of control-flow automata.
    Automata,
}

/// The limits of a run.
///
/// ```
/// use std::time::Duration;
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::{LimitOptions, RunOptions};
/// use hardbop_session::check::check_bp;
///
/// let mut limits = LimitOptions::default();
/// limits.time_limit_seconds = Some(60.0);
/// let mut options = RunOptions::default();
/// options.limits = limits;
/// let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
/// let answer = check_bp(&Source::new("true.bp", "void main() begin assert(T); end"), &options, &budget, &mut ())?;
/// assert_eq!(serde_json::to_value(&answer)?["options"]["time-limit-seconds"], 60.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct LimitOptions {
    pub time_limit_seconds: Option<f64>,
    pub memory_limit_bytes: Option<u64>,
}

/// The options of a check of a Boolean program.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_bp::language::parser::Dialect;
/// use hardbop_report::document::{RunOptions, Verdict};
/// use hardbop_session::check::check_bp;
///
/// let mut options = RunOptions::default(); // what the command line does without options
/// options.dialect = Dialect::Wali;
/// options.resolve.check_asserts = false; // error labels only
/// let text = "decl held; void main() begin held := F; assert(held); if (held) then ERROR: skip; fi end";
/// let answer = check_bp(&Source::new("lock.bp", text), &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunOptions {
    #[serde(flatten)]
    pub engine: engine::Options,
    #[serde(flatten)]
    pub resolve: ResolveOptions,
    pub dialect: Dialect,
    /// For programs with threads.
    #[serde(flatten)]
    pub threads: threads::Options,
    #[serde(flatten)]
    pub limits: LimitOptions,
}

/// The options of a check of a C program.
///
/// ```
/// use hardbop_base::{budget::Budget, errors::Check, source::Source};
/// use hardbop_report::document::{COptions, Verdict};
/// use hardbop_session::check::check_c;
///
/// let mut options = COptions::default();
/// options.property.checks.set(Check::Overflow, true);
/// let text = "extern int __VERIFIER_nondet_int(void);
///     int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }";
/// let answer = check_c(&Source::new("next.c", text), &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Unsafe); // INT_MAX + 1
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[cfg(feature = "c")]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct COptions {
    #[serde(flatten)]
    pub verify: verify::Options,
    /// The one that the text shows, else LP64, where none is chosen; documents have the one that
    /// was taken.
    pub data_model: Option<DataModel>,
    pub entry: String,
    /// The property: what counts as an error.
    #[serde(flatten)]
    pub property: Property,
    #[serde(flatten)]
    pub limits: LimitOptions,
}

/// The options of a check of described automata.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_cfa::description::Description;
/// use hardbop_report::document::{AutomataOptions, Verdict};
/// use hardbop_session::check::check_automata;
/// use hardbop_verify::Route;
///
/// let mut options = AutomataOptions::default();
/// options.verify.route = Route::Bp;
/// let description: Description = serde_json::from_str(r#"{
///   "globals": [{"name": "x", "sort": "(_ BitVec 8)"}],
///   "functions": [{"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
///     {"from": 0, "to": 1, "step": {"assume": "(bvult x #x0a)"}},
///     {"from": 1, "step": "error"}]}]}"#)?;
/// let answer = check_automata(&description, "", &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Unsafe);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "c")]
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AutomataOptions {
    #[serde(flatten)]
    pub verify: verify::Options,
    #[serde(flatten)]
    pub limits: LimitOptions,
}

#[cfg(feature = "c")]
impl Default for COptions {
    /// The defaults of the command line.
    fn default() -> Self {
        Self::new(verify::Options::default(), &ParseOptions::default(), LimitOptions::default())
    }
}

#[cfg(feature = "c")]
impl COptions {
    /// The options of a check of a text that is read in this way.
    #[must_use]
    pub fn new(verify: verify::Options, reading: &ParseOptions, limits: LimitOptions) -> Self {
        Self {
            verify,
            data_model: reading.model,
            entry: reading.entry.clone().unwrap_or_else(|| "main".to_owned()),
            property: reading.property.clone(),
            limits,
        }
    }

    /// How a text is read.
    #[must_use]
    pub fn reading(&self) -> ParseOptions {
        let (model, property) = (self.data_model, self.property.clone());
        // `main` is what is looked for first where no other is named.
        let entry = (self.entry != "main").then(|| self.entry.clone());
        ParseOptions { model, property, entry, ..ParseOptions::default() }
    }
}

/// The options of a check, of any language.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Settings {
    Boolean(Box<RunOptions>),
    #[cfg(feature = "c")]
    C(Box<COptions>),
    #[cfg(feature = "c")]
    Automata(Box<AutomataOptions>),
}

impl Settings {
    /// The language of the programs that they are for.
    #[must_use]
    pub fn language(&self) -> Language {
        match self {
            Self::Boolean(_) => Language::BooleanProgram,
            #[cfg(feature = "c")]
            Self::C(_) => Language::C,
            #[cfg(feature = "c")]
            Self::Automata(_) => Language::Automata,
        }
    }
}
