//! Finds rows of the table by name.

use std::sync::LazyLock;

use super::function::{Family, LibraryFunction};
use super::{bits, real, table, text, unmodelled};

/// The rows of all functions that the checker knows.
pub fn rows() -> impl Iterator<Item = &'static LibraryFunction> {
    let modelled = table::TABLE
        .iter()
        .chain(bits::TABLE)
        .chain(text::TABLE)
        .chain(real::TABLE)
        .chain(real::ELEMENTARY);
    modelled.chain(unmodelled::TABLES.iter().copied().flatten())
}

/// All names and their rows, sorted by name; no name occurs twice.
static NAMES: LazyLock<Vec<(&'static str, &'static LibraryFunction)>> = LazyLock::new(|| {
    let mut names: Vec<_> = rows().flat_map(|row| row.names().map(move |n| (n, row))).collect();
    names.sort_by_key(|&(name, _)| name);
    names
});

/// The row that has exactly this name.
fn named(name: &str) -> Option<&'static LibraryFunction> {
    let at = NAMES.binary_search_by_key(&name, |&(name, _)| name).ok()?;
    Some(NAMES[at].1)
}

/// Prefixes of names, with their rows.
static PREFIXES: LazyLock<Vec<(&'static str, &'static LibraryFunction)>> =
    LazyLock::new(|| rows().filter_map(|row| Some((row.name.strip_suffix('*')?, row))).collect());

/// What is known of a function with this name that has no body in the program.
#[must_use]
pub fn find(name: &str) -> Option<&'static LibraryFunction> {
    named(name).or_else(|| builtin(name)).or_else(|| {
        let found = PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix));
        found.map(|&(_, row)| row)
    })
}

/// The library function that `__builtin_x` stands for.
#[must_use]
pub fn builtin(name: &str) -> Option<&'static LibraryFunction> {
    let plain = name.strip_prefix("__builtin_").filter(|_| named(name).is_none())?;
    let row = named(plain)?;
    let is_builtin = row.family == Family::Library && row.is_called(plain) && row.is_modelled();
    is_builtin.then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_once() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
