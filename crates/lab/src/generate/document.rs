//! The text of a generated program.

use super::error::GenerateError;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::print::print;

/// The program in canonical form, after a comment with its command line and its verdict.
pub(super) fn document(command: &str, bug: bool, text: &str) -> Result<String, GenerateError> {
    let tree = parse(text, Dialect::default()).map_err(|d| {
        GenerateError::Ill(d.first().map_or_else(String::new, |d| d.message.clone()))
    })?;
    let (option, verdict) =
        if bug { (" --bug", "an error is reachable") } else { ("", "no error is reachable") };
    Ok(format!(
        "// hardbop gen {command}{option}\n// By construction, {verdict}.\n\n{}",
        print(&tree)
    ))
}
