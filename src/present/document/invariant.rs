//! Invariants: what holds at places of a safe program.

use std::fmt::Write as _;

use serde::Serialize;

/// A formula at a place.
///
/// ```
/// use hardbop::{BpOptions, Budget, Source, check_bp};
///
/// let mut options = BpOptions::default();
/// options.engine.certify = true;
/// let text = "decl held; void main() begin held := F;\nwhile (*) do held := held & *; od assert(!held); end";
/// let answer = check_bp(&Source::new("lock.bp", text), &options, &Budget::unlimited(), &mut ())?;
/// let invariant = answer.invariants.iter().find(|i| i.line == Some(2)).expect("at the loop");
/// assert_eq!(invariant.function, "main");
/// assert_eq!(invariant.formula.as_deref(), Some("!held"));
/// # Ok::<(), hardbop::CheckError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Invariant {
    /// The function, or procedure.
    pub function: String,
    /// In words: `line 3`, `the end`, `location loop`.
    pub place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Of automata: the location's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Of automata: the calls that are open, the first one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<OpenCall>,
    /// In the program's language, of automata in SMT-LIB; nothing where the text would be very long.
    pub formula: Option<String>,
}

/// A call that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OpenCall {
    /// The caller.
    pub function: String,
    /// Number of the edge in its function.
    pub edge: u32,
}

/// One line per place: `invariant at line 3 in main: i <= n`.
///
/// ```
/// use hardbop::{BpOptions, Budget, Source, check_bp, invariant_text};
///
/// let mut options = BpOptions::default();
/// options.engine.certify = true;
/// let text = "decl held; void main() begin held := F;\nwhile (*) do held := held & *; od assert(!held); end";
/// let answer = check_bp(&Source::new("lock.bp", text), &options, &Budget::unlimited(), &mut ())?;
/// assert!(invariant_text(&answer.invariants).contains("invariant at line 2 in main: !held\n"));
/// # Ok::<(), hardbop::CheckError>(())
/// ```
#[must_use]
pub fn invariant_text(invariants: &[Invariant]) -> String {
    let mut out = String::new();
    for i in invariants {
        let calls: Vec<String> =
            i.calls.iter().map(|c| format!("{} edge {}", c.function, c.edge)).collect();
        let calls = match calls.is_empty() {
            true => String::new(),
            false => format!(", called at {}", calls.join(", ")),
        };
        let formula = i.formula.as_deref().unwrap_or("(a very long formula)");
        // Writing to a string does not fail.
        let _ = writeln!(out, "invariant at {} in {}{calls}: {formula}", i.place, i.function);
    }
    out
}
