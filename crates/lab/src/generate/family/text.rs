//! Pieces of program text.

/// `prefix0`, `prefix1`, ...
pub(super) fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{prefix}{i}")).collect()
}

/// The items, separated by commas.
pub(super) fn list<T: AsRef<str>>(items: &[T]) -> String {
    items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// One expression `count` times, separated by commas.
pub(super) fn repeated(expression: &str, count: usize) -> String {
    list(&vec![expression; count])
}

/// Declarations with a few names each.
pub(super) fn declarations(names: &[String]) -> String {
    names.chunks(12).map(|some| format!("decl {};\n", list(some))).collect()
}

/// `name` or its negation.
pub(super) fn literal(name: &str, positive: bool) -> String {
    format!("{}{name}", if positive { "" } else { "!" })
}
