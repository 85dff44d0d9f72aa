//! The document.  Reading is strict: unknown fields, other versions and evidence that does not fit
//! the verdict are errors.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::form::departure;
use hardbop_base::errors::NamedChecks;
use hardbop_base::source::from_json;
use hardbop_bp::proof::certificate::{CertificateError, MAX_BYTES, is_fingerprint};
use hardbop_c::flow::Flow;
use hardbop_c::lower;
use hardbop_c::points_to::Externals;
use hardbop_c::trace::{Input, InputKind};
use hardbop_c::types::DataModel;
use hardbop_c::{self as c, ParseOptions};
use hardbop_refine::block::Blocks;
use hardbop_smt::SolverKind;

/// The value of the field `format`.
const FORMAT: &str = "hardbop-c-certificate";
/// The version of the format, for writing and reading.
const VERSION: u32 = 1;

/// The property that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PropertyFields", into = "PropertyFields")]
pub struct Property {
    /// The function that the program starts with, where that is said.
    pub entry: Option<String>,
    /// The error conditions.
    pub errors: c::Property,
    pub data_model: DataModelName,
}

/// [`Property`] as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct PropertyFields {
    entry: Option<String>,
    error_functions: Vec<String>,
    error_labels: Vec<String>,
    check_asserts: bool,
    acsl: bool,
    #[serde(flatten)]
    checks: NamedChecks,
    data_model: DataModelName,
}

impl From<Property> for PropertyFields {
    fn from(property: Property) -> Self {
        let Property { entry, errors, data_model } = property;
        let c::Property { error_functions, error_labels, assertions, acsl, checks } = errors;
        let (check_asserts, checks) = (assertions, NamedChecks(checks));
        Self { entry, error_functions, error_labels, check_asserts, acsl, checks, data_model }
    }
}

impl From<PropertyFields> for Property {
    fn from(fields: PropertyFields) -> Self {
        let PropertyFields { entry, error_functions, error_labels, acsl, data_model, .. } = fields;
        let (assertions, NamedChecks(checks)) = (fields.check_asserts, fields.checks);
        let errors = c::Property { error_functions, error_labels, assertions, acsl, checks };
        Self { entry, errors, data_model }
    }
}

/// The sizes of `long` and of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataModelName {
    #[serde(rename = "ILP32")]
    Ilp32,
    #[serde(rename = "LP64")]
    Lp64,
}

impl Property {
    /// The property that a program was read for.
    #[must_use]
    pub fn new(options: &ParseOptions, model: DataModel) -> Self {
        Self {
            entry: options.entry.clone(),
            errors: options.property.clone(),
            data_model: match model {
                DataModel::Ilp32 => DataModelName::Ilp32,
                DataModel::Lp64 => DataModelName::Lp64,
            },
        }
    }

    /// The options of the parser for this property.
    #[must_use]
    pub fn parse_options(&self) -> ParseOptions {
        ParseOptions {
            model: Some(match self.data_model {
                DataModelName::Ilp32 => DataModel::Ilp32,
                DataModelName::Lp64 => DataModel::Lp64,
            }),
            property: self.errors.clone(),
            entry: self.entry.clone(),
            ..ParseOptions::default()
        }
    }

    /// The property in words.
    #[must_use]
    pub fn words(&self) -> String {
        let formulas = self.errors.formulas();
        let entry = self.entry.as_deref().unwrap_or("main");
        let model = match self.data_model {
            DataModelName::Ilp32 => "ILP32",
            DataModelName::Lp64 => "LP64",
        };
        format!("entry {entry}, {} ({model})", formulas.join(", "))
    }
}

/// The model: the choices that C or the program leave open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Model {
    /// The assumption on functions without a body.
    pub externals: Externals,
    /// Whether `malloc` and its like may return null.
    pub malloc_may_fail: bool,
}

impl Model {
    /// The model in words.
    #[must_use]
    pub fn words(&self) -> String {
        let externals = match self.externals {
            Externals::Any => "may change what other files can name, and call back",
            Externals::Reachable => "change only what they are given",
            Externals::Pure => "change nothing",
        };
        let malloc = if self.malloc_may_fail { "may fail" } else { "does not fail" };
        format!("functions without a body {externals}; malloc {malloc}")
    }
}

/// The evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    Safe(Proof),
    /// The inputs of an execution that reaches the error.
    Unsafe(Vec<InputRecord>),
}

/// Why no execution reaches the error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
pub enum Proof {
    /// There is only one execution, as nothing comes from outside, or a few stand for all, and they end without an error.
    OnlyExecution {},
    /// An invariant of the ends of blocks.
    #[serde(rename_all = "kebab-case")]
    Invariant {
        /// How much of memory the automaton has.
        memory: lower::Model,
        /// The behaviour of functions without a body in the automaton; `reachable` for the model's
        /// `any` where that makes no difference.
        externals: Externals,
        /// How deep recursion is followed, in activations of one function.
        recursion: u32,
        /// Deeper ones, after some stacks of calls.
        deeper: Vec<Deeper>,
        /// The block operator, which says where blocks end.
        blocks: Blocks,
        /// The solver that had a part in finding it.
        solver: SolverKind,
        /// Formulas in SMT-LIB that others share, under the names `?0`, `?1` and so on; each may
        /// use those before it.
        definitions: Vec<String>,
        /// The formulas that hold at locations; others are never reached.
        states: Vec<StatesAt>,
        /// The bound in place of states: no execution passes so many blocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rounds: Option<u32>,
        /// The outline for other versions of the program; a proof does not need it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outline: Option<Outline>,
    },
    /// Summaries of functions: calls are not followed.
    #[serde(rename_all = "kebab-case")]
    Summaries {
        /// The memory model, as in an invariant.
        memory: lower::Model,
        externals: Externals,
        solver: SolverKind,
        definitions: Vec<String>,
        /// The summaries of functions, by number; others are never called.
        functions: Vec<FunctionSummary>,
    },
}

/// The names by which another version of the program knows the locations and variables of an
/// invariant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Outline {
    /// The variables of the automaton, as declarations in SMT-LIB, in the order in which it has
    /// them.
    pub variables: Vec<String>,
    /// The place of each of the states.
    pub places: Vec<NamedPlace>,
}

/// A place between blocks by names that an edit elsewhere does not change.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NamedPlace {
    /// The functions that are active, outermost first.
    pub calls: Vec<String>,
    /// The line of the text.
    pub line: String,
    /// How many places before it have the same calls and line.
    pub before: u32,
}

/// A summary that holds of every activation of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FunctionSummary {
    /// The number of the function among the program's automata.
    pub function: u32,
    pub name: String,
    /// The formula that holds of globals and parameters whenever it is entered, in SMT-LIB.
    pub entry: String,
    /// The formulas that hold at locations of its automaton.
    pub states: Vec<StatesAt>,
}

/// A stack of calls after which recursion is followed deeper.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Deeper {
    /// Function, instruction, and the text's place of each call.
    pub calls: Vec<[u32; 4]>,
    pub activations: u32,
}

/// The formula that holds at a location of the automaton.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StatesAt {
    pub location: u32,
    /// The formula in SMT-LIB.
    pub formula: String,
}

/// A value from outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct InputRecord {
    pub of: Origin,
    pub bits: u32,
    pub value: u64,
    /// Whether it is a pointer to a new object.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub object: bool,
}

/// The source of a value: see [`InputKind`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Origin {
    Nondet { function: String },
    Volatile { name: String },
    Undefined { function: String },
    Fails { function: String },
    Uninitialised { name: String, variable: u32, instance: Option<u64>, bit: u64 },
    Heap { block: Option<u64>, bit: u64 },
    Address { number: u64 },
    Outside { object: u64, bit: i64 },
    Argument { index: u64, byte: u64 },
}

impl From<&Input> for InputRecord {
    fn from(input: &Input) -> Self {
        let of = match input.kind.clone() {
            InputKind::Nondet { function } => Origin::Nondet { function },
            InputKind::Volatile { name } => Origin::Volatile { name },
            InputKind::Undefined { function } => Origin::Undefined { function },
            InputKind::Fails { function } => Origin::Fails { function },
            InputKind::Uninitialised { name, variable, instance, bit } => {
                Origin::Uninitialised { name, variable, instance, bit }
            }
            InputKind::Heap { block, bit } => Origin::Heap { block, bit },
            InputKind::Address { number } => Origin::Address { number },
            InputKind::Outside { object, bit } => Origin::Outside { object, bit },
            InputKind::Argument { index, byte } => Origin::Argument { index, byte },
        };
        Self { of, bits: input.bits, value: input.value, object: input.object }
    }
}

impl From<&InputRecord> for Input {
    fn from(record: &InputRecord) -> Self {
        let kind = match record.of.clone() {
            Origin::Nondet { function } => InputKind::Nondet { function },
            Origin::Volatile { name } => InputKind::Volatile { name },
            Origin::Undefined { function } => InputKind::Undefined { function },
            Origin::Fails { function } => InputKind::Fails { function },
            Origin::Uninitialised { name, variable, instance, bit } => {
                InputKind::Uninitialised { name, variable, instance, bit }
            }
            Origin::Heap { block, bit } => InputKind::Heap { block, bit },
            Origin::Address { number } => InputKind::Address { number },
            Origin::Outside { object, bit } => InputKind::Outside { object, bit },
            Origin::Argument { index, byte } => InputKind::Argument { index, byte },
        };
        Self { kind, bits: record.bits, value: record.value, object: record.object }
    }
}

/// A certificate of a C program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Document", into = "Document")]
pub struct CCertificate {
    /// The version of hardbop that made it.
    pub hardbop: String,
    /// The [`fingerprint`] of the program.
    pub program_sha256: String,
    pub property: Property,
    pub model: Model,
    pub evidence: Evidence,
}

/// SHA-256 of a program's text in hexadecimal, without the marks by which a preprocessor says where
/// lines come from: they have the names of folders.
#[must_use]
pub fn fingerprint(flow: &Flow) -> String {
    let mut hash = Sha256::new();
    let is_mark = |line: &str| {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        rest.is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()) || r.starts_with("line"))
    };
    for line in flow.source.text.split_inclusive('\n').filter(|line| !is_mark(line)) {
        hash.update(line);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why the fields of a document do not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
enum Misfit {
    #[error("its format is '{0}', not '{FORMAT}'")]
    Format(String),
    #[error("its format has version {0}; this hardbop reads version {VERSION}")]
    Version(u32),
    #[error("SAFE needs a proof and no inputs")]
    Safe,
    #[error("UNSAFE needs inputs and no proof")]
    Unsafe,
    #[error("an input has from 1 to 64 bits")]
    Bits,
    #[error("'program-sha256' has 64 hexadecimal digits")]
    Hash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Verdict {
    Safe,
    Unsafe,
}

/// A certificate in its serialised form.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    hardbop: String,
    program_sha256: String,
    property: Property,
    model: Model,
    verdict: Verdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proof: Option<Proof>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inputs: Option<Vec<InputRecord>>,
}

impl TryFrom<Document> for CCertificate {
    type Error = Misfit;

    fn try_from(d: Document) -> Result<Self, Misfit> {
        if d.format != FORMAT {
            return Err(Misfit::Format(d.format.chars().take(40).collect()));
        }
        if d.version != VERSION {
            return Err(Misfit::Version(d.version));
        }
        if !is_fingerprint(&d.program_sha256) {
            return Err(Misfit::Hash);
        }
        let evidence = match (d.verdict, d.proof, d.inputs) {
            (Verdict::Safe, Some(proof), None) => Evidence::Safe(proof),
            (Verdict::Unsafe, None, Some(inputs)) => Evidence::Unsafe(inputs),
            (Verdict::Safe, ..) => return Err(Misfit::Safe),
            (Verdict::Unsafe, ..) => return Err(Misfit::Unsafe),
        };
        if let Evidence::Unsafe(inputs) = &evidence
            && inputs.iter().any(|input| !(1..=64).contains(&input.bits))
        {
            return Err(Misfit::Bits);
        }
        let Document { hardbop, program_sha256, property, model, .. } = d;
        Ok(Self { hardbop, program_sha256, property, model, evidence })
    }
}

impl From<CCertificate> for Document {
    fn from(c: CCertificate) -> Self {
        let (verdict, proof, inputs) = match c.evidence {
            Evidence::Safe(proof) => (Verdict::Safe, Some(proof), None),
            Evidence::Unsafe(inputs) => (Verdict::Unsafe, None, Some(inputs)),
        };
        let CCertificate { hardbop, program_sha256, property, model, .. } = c;
        let (format, version) = (FORMAT.to_owned(), VERSION);
        Self { format, version, hardbop, program_sha256, property, model, verdict, proof, inputs }
    }
}

impl CCertificate {
    /// The document, as one line with a line end.
    ///
    /// # Errors
    /// [`CertificateError::Unwritable`]; never for certificates that were read or made.
    pub fn to_json(&self) -> Result<String, CertificateError> {
        serde_json::to_string(self)
            .map(|text| text + "\n")
            .map_err(|e| CertificateError::Unwritable(e.to_string()))
    }

    /// Reads a document.
    ///
    /// # Errors
    /// The mistake in the document, and its place.
    pub fn from_json(bytes: &[u8]) -> Result<Self, CertificateError> {
        if bytes.len() > MAX_BYTES {
            return Err(CertificateError::TooLarge);
        }
        let ill = CertificateError::Ill;
        let read: Self = from_json(bytes).map_err(ill)?;
        // Readers of Rust's types accept a list for an object, or nothing for null.
        let given: Value = from_json(bytes).map_err(ill)?;
        let canonical =
            serde_json::to_value(&read).map_err(|e| CertificateError::Unwritable(e.to_string()))?;
        match departure(&given, &canonical) {
            None => Ok(read),
            Some(what) => Err(ill(what)),
        }
    }
}
