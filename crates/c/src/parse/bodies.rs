//! The bodies of library functions that `checks` puts at calls, read for a data model.

use std::sync::OnceLock;

use super::options::ParseOptions;
use super::program::Parsed;
use super::stack::on_large_stack;
use super::unit::Elsewhere;
use crate::checks::Bodies;
use crate::types::DataModel;

const TEXT: &str = include_str!("../checks/models/text.c");

/// The bodies, read once; none where the system refuses a thread.
pub fn bodies(model: DataModel) -> Option<&'static Bodies> {
    static LP64: OnceLock<Option<Bodies>> = OnceLock::new();
    static ILP32: OnceLock<Option<Bodies>> = OnceLock::new();
    let (cell, size) = match model {
        DataModel::Lp64 => (&LP64, "unsigned long"),
        DataModel::Ilp32 => (&ILP32, "unsigned"),
    };
    let read = || {
        let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
        let text = TEXT.replace("hardbop_size", size).replace("hardbop_wide", "int");
        let read = || {
            let file = Parsed::read(&text, 0, &text, &options).ok()?;
            let unit = file.unit(&options, &Elsewhere::default(), model).ok()?;
            let (types, variables, functions) = (unit.types, unit.variables, unit.functions);
            Some(Bodies { types, variables, functions })
        };
        on_large_stack(read).ok()?
    };
    cell.get_or_init(read).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::NAMES;

    #[test]
    fn the_text_has_all_bodies() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let bodies = bodies(model).expect("it is C");
            for name in NAMES.into_iter().flatten() {
                let of_name = bodies.functions.iter().find(|f| f.name == *name);
                let body = of_name.and_then(|f| f.body.as_ref());
                assert!(body.is_some(), "{name}");
            }
        }
    }
}
