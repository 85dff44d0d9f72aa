//! Options of the parser.

use crate::instrument::Instrumentation;
use crate::property::Property;
use crate::types::DataModel;

/// What the pointers lead to that the function is given in which executions start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pointers {
    /// They have any value.
    #[default]
    Any,
    /// Each leads to an object of its own, of its type, and so do the pointers in that.
    Valid,
    /// As [`Self::Valid`], or they are null.
    MaybeNull,
}

/// Options of the parser.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    /// The data model; else the one that the text shows ([`data_model`](super::data_model)), else LP64.
    pub model: Option<DataModel>,
    pub property: Property,
    /// The function in which executions start, instead of `main`; its parameters have any values.
    pub entry: Option<String>,
    /// What its pointers lead to.
    pub pointers: Pointers,
    /// The sayings of a witness that are woven into the program, of one file: its text has the expressions at the end.
    pub instrumentation: Instrumentation,
}

/// The maximal number of mistakes that are reported.
pub const MAX_DIAGNOSTICS: usize = 20;
