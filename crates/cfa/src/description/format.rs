//! The data format of descriptions.

use serde::{Deserialize, Serialize};

/// A program.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_cfa::description::Description;
/// use hardbop_smt::Terms;
///
/// let description: Description = serde_json::from_str(r#"{
///   "globals": [{"name": "x", "sort": "(_ BitVec 8)"}],
///   "functions": [{"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
///     {"from": 0, "to": 1, "step": {"assume": "(bvult x #x0a)"}},
///     {"from": 1, "step": "error"}]}]}"#)?;
/// let mut terms = Terms::new();
/// let described = description.program(&mut terms, &Budget::unlimited())?;
/// assert_eq!(described.program.functions[0].name, "main");
/// assert!(terms.find_symbol("x").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Description {
    #[serde(default)]
    pub globals: Vec<Declaration>,
    pub functions: Vec<FunctionDescription>,
    /// The function in which executions start.
    #[serde(default = "main")]
    pub main: String,
}

fn main() -> String {
    "main".to_owned()
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// The name: any text that contains no control characters, `#`, `@`, `|` or `\`, and does not
    /// end with `'`.
    pub name: String,
    /// `Bool` or `(_ BitVec n)`, n from 1 to 64.
    pub sort: String,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FunctionDescription {
    /// The name, under the same restrictions as the names of variables.
    pub name: String,
    #[serde(default)]
    pub parameters: Vec<Declaration>,
    /// The parameter or local that holds the result at the exit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(default)]
    pub locals: Vec<Declaration>,
    pub locations: Locations,
    pub entry: LocationName,
    /// A location that no edge leaves.
    pub exit: LocationName,
    pub edges: Vec<EdgeDescription>,
}

/// The locations of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "the number of locations or a list of their names")]
pub enum Locations {
    /// A number of locations, named by numbers from 0.
    Count(u32),
    Names(Vec<String>),
}

/// A location: its name, or its number, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "the name or the number of a location")]
pub enum LocationName {
    Number(u32),
    Name(String),
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EdgeDescription {
    pub from: LocationName,
    /// The target of the edge; not needed if the step is `error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<LocationName>,
    pub step: StepDescription,
    /// Text to show in traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Line of a program text to show in traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The step of an edge.  Terms are SMT-LIB text over the variables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepDescription {
    Skip,
    /// Can only be passed if a Boolean term holds.
    Assume(String),
    /// Pairs of a variable and its new value, a term over the values before; simultaneous.
    Assign(Vec<(String, String)>),
    Havoc(HavocDescription),
    Relation(RelationDescription),
    Call(CallDescription),
    /// The property is violated.
    Error,
}

/// Gives variables any values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HavocDescription {
    pub variables: Vec<String>,
    #[serde(default)]
    pub origin: ValueOrigin,
}

/// Why a value is not determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueOrigin {
    /// The value comes from outside: any value can occur.
    #[default]
    Input,
    /// The description does not determine it, and perhaps only some values can occur: errors that
    /// depend on it are not yet errors.
    Approximation,
}

/// A transition relation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationDescription {
    /// A Boolean term over the values before, `x`, and after, `x'` (also `|x'|`).
    pub formula: String,
    /// The variables that it may change; all others keep their values.
    pub changes: Vec<String>,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallDescription {
    pub function: String,
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The variable that receives the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}
