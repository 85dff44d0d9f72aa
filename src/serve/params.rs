//! Parameters of the methods.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::host::Host;
use super::protocol::{Code, ErrorBody, Id};
use hardbop_base::source::Source;
use hardbop_bp::language::parser::Dialect;
use hardbop_report::document::LimitOptions;

/// A program: its text, or a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckParams {
    pub text: Option<String>,
    pub path: Option<String>,
    /// The name of the text in messages.
    pub name: Option<String>,
    #[serde(default)]
    pub options: Map<String, Value>,
    /// Is the way into an error to be shown?
    #[serde(default = "yes")]
    pub trace: bool,
    /// Is there to be a certificate (Boolean programs)?
    #[serde(default)]
    pub certificate: bool,
    #[serde(default)]
    pub statistics: bool,
}

/// A Boolean program that is to be printed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormatParams {
    pub text: Option<String>,
    pub path: Option<String>,
    pub name: Option<String>,
    #[serde(default)]
    pub dialect: Dialect,
}

/// A description of control-flow automata.
#[cfg(feature = "c")]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AutomataParams {
    pub description: hardbop_cfa::description::Description,
    /// Tracked from the start, in SMT-LIB.
    #[serde(default)]
    pub predicates: String,
    #[serde(default)]
    pub options: Map<String, Value>,
    #[serde(default = "yes")]
    pub trace: bool,
    #[serde(default = "yes")]
    pub invariants: bool,
    #[serde(default)]
    pub statistics: bool,
}

/// A description of which there is to be the Boolean program.
#[cfg(feature = "c")]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AbstractAutomataParams {
    pub description: hardbop_cfa::description::Description,
    #[serde(default)]
    pub predicates: String,
    #[serde(default)]
    pub options: Map<String, Value>,
}

/// A C program of which there is to be the Boolean program.
#[cfg(feature = "c")]
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AbstractParams {
    pub text: Option<String>,
    pub path: Option<String>,
    pub name: Option<String>,
    #[serde(default)]
    pub predicates: String,
    #[serde(default)]
    pub options: Map<String, Value>,
}

/// A formula that is to be abstracted; all in SMT-LIB.
#[cfg(feature = "c")]
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormulaParams {
    #[serde(default)]
    pub declarations: String,
    pub formula: String,
    #[serde(default)]
    pub predicates: String,
    #[serde(default)]
    pub options: Map<String, Value>,
}

/// The request that is to be cancelled.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CancelParams {
    pub id: Id,
}

/// The parameters of a method that has none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoParams {}

/// The limits, whatever the other parameters are; none where they are wrong, which will be said.
pub(super) fn limits(params: Option<&RawValue>) -> LimitOptions {
    #[derive(Deserialize)]
    struct Outer {
        #[serde(default)]
        options: LimitOptions,
    }
    let read = params.and_then(|p| serde_json::from_str::<Outer>(p.get()).ok());
    read.map_or_else(LimitOptions::default, |p| p.options)
}

fn yes() -> bool {
    true
}

/// Reads parameters; `null` and nothing are an empty object.
///
/// # Errors
/// They do not have the form that the method asks for.
pub(super) fn read<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T, ErrorBody> {
    let text = params.map(RawValue::get).filter(|t| *t != "null").unwrap_or("{}");
    if !text.starts_with('{') {
        return Err(ErrorBody::new(Code::InvalidParams, "'params' is an object"));
    }
    serde_json::from_str(text).map_err(|e| ErrorBody::json(Code::InvalidParams, &e))
}

/// The text of a program, from the parameters or a file.
///
/// # Errors
/// There is no text, or the file cannot be read.
pub(super) fn source(
    host: &dyn Host,
    (text, path, name): (Option<String>, Option<&str>, Option<String>),
) -> Result<Source, ErrorBody> {
    match (text, path) {
        (Some(text), None) if u32::try_from(text.len()).is_ok() => {
            Ok(Source::new(name.unwrap_or_else(|| "<text>".to_owned()), text))
        }
        (None, Some(path)) if name.is_none() => {
            host.read(path).map_err(|e| ErrorBody::new(Code::Unreadable, e))
        }
        _ => Err(ErrorBody::new(
            Code::InvalidParams,
            "either 'text' or 'path' is needed, 'name' with 'text' only",
        )),
    }
}
