//! `text.c`, read for a data model.

use std::sync::OnceLock;

use crate::flow::{Flow, Function};
use crate::link::renumbered;
use crate::parse::{Elsewhere, ParseOptions, Parsed, Thing, Unit, on_large_stack};
use crate::types::{DataModel, Type, TypeId};

const TEXT: &str = include_str!("text.c");

/// The bodies, with the numbers that their types have in a program.
pub(super) struct Models {
    pub unit: &'static Unit,
    pub types: Vec<TypeId>,
    pub char: TypeId,
}

impl Models {
    /// The bodies for a program, whose table of types gets theirs.
    pub fn new(flow: &mut Flow) -> Option<Self> {
        let unit = unit(flow.types.model)?;
        // The text has no structs.
        let types = renumbered(&unit.types, &mut flow.types, |id| id);
        let char = flow.types.intern(Type::Int { bits: 8, signed: true, rank: 1 });
        Some(Self { unit, types, char })
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&'static Function> {
        self.unit.names.iter().find_map(|(other, thing, _)| match thing {
            Thing::Function(id) if other == name => self.unit.functions.get(id.0 as usize),
            _ => None,
        })
    }
}

/// The text, read once.
fn unit(model: DataModel) -> Option<&'static Unit> {
    static LP64: OnceLock<Option<Unit>> = OnceLock::new();
    static ILP32: OnceLock<Option<Unit>> = OnceLock::new();
    let (cell, size) = match model {
        DataModel::Lp64 => (&LP64, "unsigned long"),
        DataModel::Ilp32 => (&ILP32, "unsigned"),
    };
    let read = || {
        let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
        let text = TEXT.replace("hardbop_size", size).replace("hardbop_wide", "int");
        let read = || {
            let file = Parsed::read(&text, 0, &text, &options).ok()?;
            file.unit(&options, &Elsewhere::default(), model).ok()
        };
        on_large_stack(read).ok()?
    };
    cell.get_or_init(read).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::models::plan::BODIES;

    #[test]
    fn the_text_has_all_bodies() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let unit = unit(model).expect("it is C");
            for name in BODIES.into_iter().flatten() {
                let of_name = unit.functions.iter().find(|f| f.name == *name);
                let body = of_name.and_then(|f| f.body.as_ref());
                assert!(body.is_some(), "{name}");
            }
        }
    }
}
