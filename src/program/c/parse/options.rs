//! How a text is read.

use crate::program::c::property::Property;
use crate::program::c::types::DataModel;

/// How a text is read.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    pub model: DataModel,
    pub property: Property,
    /// The function that an execution starts with, instead of `main`; its parameters have any values.
    pub entry: Option<String>,
}

/// More mistakes are not reported.
pub const MAX_DIAGNOSTICS: usize = 20;
