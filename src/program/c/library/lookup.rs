//! Rows of the table by name.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::function::{Family, LibraryFunction};
use super::table::TABLE;

/// Rows by all of their names.
static NAMES: LazyLock<FxHashMap<&'static str, &'static LibraryFunction>> =
    LazyLock::new(|| TABLE.iter().flat_map(|row| row.names().map(move |n| (n, row))).collect());

/// Beginnings of names, with their rows.
static PREFIXES: LazyLock<Vec<(&'static str, &'static LibraryFunction)>> = LazyLock::new(|| {
    TABLE.iter().filter_map(|row| Some((row.name.strip_suffix('*')?, row))).collect()
});

/// What is known of the function of this name, if the program has no body for it.
#[must_use]
pub fn find(name: &str) -> Option<&'static LibraryFunction> {
    if let Some(&row) = NAMES.get(name) {
        return Some(row);
    }
    builtin(name).or_else(|| {
        let found = PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix));
        found.map(|&(_, row)| row)
    })
}

/// The function of the library that `__builtin_x` is.
#[must_use]
pub fn builtin(name: &str) -> Option<&'static LibraryFunction> {
    let plain = name.strip_prefix("__builtin_")?;
    let row = *NAMES.get(plain)?;
    let is_builtin = row.family == Family::Library && row.name == plain && row.is_modelled();
    is_builtin.then_some(row)
}
