//! Bodies of functions of the C library: `library/text.c`, read for a data model.

use crate::flow::{Function, Variable};
use crate::types::{DataModel, Types};

/// The functions of the text, with a table of types of their own, which has no records.
#[derive(Debug)]
pub(crate) struct Bodies {
    pub types: Types,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
}

/// What reads them for a data model; nothing where the system refuses a thread.
pub(crate) type Reader = fn(DataModel) -> Option<&'static Bodies>;

impl Bodies {
    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}
