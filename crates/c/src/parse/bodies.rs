//! Reads the bodies of library functions.

use std::sync::OnceLock;

use super::options::ParseOptions;
use super::program::Parsed;
use super::stack::on_large_stack;
use super::unit::Elsewhere;
use crate::bodies::Bodies;
use crate::types::DataModel;

const TEXT: &str = include_str!("../library/text.c");
/// The lines around those functions that are there for wide characters, too.
const TWICE: &str = "// Twice";
const ONCE: &str = "// Once";

/// The text with its functions for wide characters.
fn with_wide(text: &str) -> String {
    let (start, end) = (text.find(TWICE).unwrap_or(0), text.find(ONCE).unwrap_or(0));
    let narrow = text.get(start..end).unwrap_or_default();
    let wide = [("char", "hardbop_wide"), ("str", "wcs"), ("text", "wide")];
    let wide = wide.iter().fold(narrow.to_owned(), |text, (from, to)| text.replace(from, to));
    format!("{text}{wide}")
}

/// The bodies, read once; none where the system refuses a thread.
pub(crate) fn bodies(model: DataModel) -> Option<&'static Bodies> {
    static LP64: OnceLock<Option<Bodies>> = OnceLock::new();
    static ILP32: OnceLock<Option<Bodies>> = OnceLock::new();
    let (cell, size) = match model {
        DataModel::Lp64 => (&LP64, "unsigned long"),
        DataModel::Ilp32 => (&ILP32, "unsigned"),
    };
    let read = || {
        let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
        let text = with_wide(TEXT).replace("hardbop_size", size).replace("hardbop_wide", "int");
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
    use crate::checks::names;

    #[test]
    fn the_text_has_all_bodies() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let bodies = bodies(model).expect("it is C");
            for name in names() {
                let of_name = bodies.functions.iter().find(|f| f.name == name);
                let body = of_name.and_then(|f| f.body.as_ref());
                assert!(body.is_some(), "{name}");
            }
        }
    }
}
