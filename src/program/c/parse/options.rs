//! Options of the parser.

use crate::program::c::property::Property;
use crate::program::c::types::DataModel;

/// Options of the parser.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    pub model: DataModel,
    pub property: Property,
    /// The function in which executions start, instead of `main`; its parameters have any values.
    pub entry: Option<String>,
}

/// The maximal number of mistakes that are reported.
pub const MAX_DIAGNOSTICS: usize = 20;
