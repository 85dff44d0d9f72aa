//! The options of a run, as the command line, the server and the library name them.

use serde::{Deserialize, Serialize};

use crate::boolean::engine;
use crate::boolean::language::parser::Dialect;
use crate::boolean::language::resolve::ResolveOptions;
#[cfg(feature = "c")]
use crate::program::c::types::DataModel;
#[cfg(feature = "c")]
use crate::program::c::{ParseOptions, Property};
#[cfg(feature = "c")]
use crate::verify;

/// What a program is written in.
///
/// ```
/// use hardbop::{BpOptions, Budget, Language, Source, check_bp};
///
/// let source = Source::new("true.bp", "void main() begin assert(T); end");
/// let answer = check_bp(&source, &BpOptions::default(), &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.language, Language::BooleanProgram);
/// # Ok::<(), hardbop::CheckError>(())
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
/// use hardbop::{BpOptions, Budget, LimitOptions, Source, check_bp};
///
/// let mut limits = LimitOptions::default();
/// limits.time_limit_seconds = Some(60.0);
/// let mut options = BpOptions::default();
/// options.limits = limits;
/// let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
/// let answer = check_bp(&Source::new("true.bp", "void main() begin assert(T); end"), &options, &budget, &mut ())?;
/// assert_eq!(serde_json::to_value(&answer)?["options"]["time-limit-seconds"], 60.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct LimitOptions {
    pub time_limit_seconds: Option<f64>,
    pub memory_limit_bytes: Option<u64>,
}

/// The options of a check of a Boolean program.
///
/// ```
/// use hardbop::{BpOptions, Budget, Dialect, Source, Verdict, check_bp};
///
/// let mut options = BpOptions::default(); // what the command line does without options
/// options.dialect = Dialect::Wali;
/// options.resolve.check_asserts = false; // error labels only
/// let text = "decl held; void main() begin held := F; assert(held); if (held) then ERROR: skip; fi end";
/// let answer = check_bp(&Source::new("lock.bp", text), &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// # Ok::<(), hardbop::CheckError>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct RunOptions {
    #[serde(flatten)]
    pub engine: engine::Options,
    #[serde(flatten)]
    pub resolve: ResolveOptions,
    pub dialect: Dialect,
    #[serde(flatten)]
    pub limits: LimitOptions,
}

/// The options of a check of a C program.
///
/// ```
/// use hardbop::{Budget, COptions, Source, Verdict, check_c};
///
/// let mut options = COptions::default();
/// options.overflow_check = true;
/// let text = "extern int __VERIFIER_nondet_int(void);
///     int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }";
/// let answer = check_c(&Source::new("next.c", text), &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Unsafe); // INT_MAX + 1
/// # Ok::<(), hardbop::CheckError>(())
/// ```
#[cfg(feature = "c")]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct COptions {
    #[serde(flatten)]
    pub verify: verify::Options,
    /// The one that the text shows, else LP64, where none is chosen; documents have the one that was taken.
    pub data_model: Option<DataModel>,
    pub entry: String,
    pub error_functions: Vec<String>,
    pub error_labels: Vec<String>,
    pub check_asserts: bool,
    /// Whether assertions in ACSL are checked.
    pub acsl: bool,
    pub overflow_check: bool,
    pub check_bounds: bool,
    pub check_null: bool,
    #[serde(flatten)]
    pub limits: LimitOptions,
}

/// The options of a check of described automata.
///
/// ```
/// use hardbop::{AutomataDescription, AutomataOptions, Budget, Route, Verdict, check_automata};
///
/// let mut options = AutomataOptions::default();
/// options.verify.route = Route::Bp;
/// let description: AutomataDescription = serde_json::from_str(r#"{
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
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
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
        let Property { error_functions, error_labels, assertions, acsl, overflow, bounds, null } =
            reading.property.clone();
        Self {
            verify,
            data_model: reading.model,
            entry: reading.entry.clone().unwrap_or_else(|| "main".to_owned()),
            error_functions,
            error_labels,
            check_asserts: assertions,
            acsl,
            overflow_check: overflow,
            check_bounds: bounds,
            check_null: null,
            limits,
        }
    }

    /// What counts as the error.
    #[must_use]
    pub fn property(&self) -> Property {
        Property {
            error_functions: self.error_functions.clone(),
            error_labels: self.error_labels.clone(),
            assertions: self.check_asserts,
            acsl: self.acsl,
            overflow: self.overflow_check,
            bounds: self.check_bounds,
            null: self.check_null,
        }
    }

    /// How a text is read.
    #[must_use]
    pub fn reading(&self) -> ParseOptions {
        let (model, property) = (self.data_model, self.property());
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
