//! `text.c`, as a program has it.

use crate::flow::{Flow, Function, Variable};
use crate::rewrite::renumbered;
use crate::types::{DataModel, Type, TypeId, Types};

/// The functions of `text.c`.
#[derive(Debug)]
pub(crate) struct Bodies {
    pub types: Types,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
}

/// Reads the bodies for a data model.
pub(crate) type Reader = fn(DataModel) -> Option<&'static Bodies>;

/// The bodies, with the numbers that their types have in a program.
pub(super) struct Models {
    pub unit: &'static Bodies,
    pub types: Vec<TypeId>,
    pub char: TypeId,
}

impl Models {
    /// The bodies for a program, whose table of types gets theirs.
    pub fn new(flow: &mut Flow, read: Reader) -> Option<Self> {
        let unit = read(flow.types.model)?;
        // The text has no structs.
        let types = renumbered(&unit.types, &mut flow.types, |id| id);
        let char = flow.types.intern(Type::Int { bits: 8, signed: true, rank: 1 });
        Some(Self { unit, types, char })
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&'static Function> {
        self.unit.functions.iter().find(|function| function.name == name)
    }
}
