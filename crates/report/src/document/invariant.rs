//! Invariants: what holds at places of a safe program.

use std::fmt::Write as _;

use serde::Serialize;

/// A formula at a place.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::RunOptions;
/// use hardbop_session::check::check_bp;
///
/// let mut options = RunOptions::default();
/// options.engine.certify = true;
/// let text = "decl held; void main() begin held := F;\nwhile (*) do held := held & *; od assert(!held); end";
/// let answer = check_bp(&Source::new("lock.bp", text), &options, &Budget::unlimited(), &mut ())?;
/// let invariant = answer.invariants.iter().find(|i| i.line == Some(2)).expect("at the loop");
/// assert_eq!(invariant.function, "main");
/// assert_eq!(invariant.formula.as_deref(), Some("!held"));
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Invariant {
    /// The function, or procedure.
    pub function: String,
    /// The place in words: `line 3`, `a.h:3`, `the end`, `location loop`.
    pub place: String,
    /// The file, where it is another one than that of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The location's name, for automata.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The calls that are open, for automata; the first one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<OpenCall>,
    /// The formula in the program's language, of automata in SMT-LIB; nothing where the text would
    /// be very long.
    pub formula: Option<String>,
}

/// A call that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenCall {
    /// The caller.
    pub function: String,
    /// Number of the edge in its function.
    pub edge: u32,
}

/// Columns beyond which a formula goes on in the next line.
const COLUMNS: usize = 100;
/// Lines of a formula that are shown.
const LINES: usize = 4;

/// Invariants as text, one line per place: `invariant at line 3 in main: i <= n`. Long formulas
/// have several lines, and very long ones are cut off.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::{RunOptions, invariant_text};
/// use hardbop_session::check::check_bp;
///
/// let mut options = RunOptions::default();
/// options.engine.certify = true;
/// let text = "decl held; void main() begin held := F;\nwhile (*) do held := held & *; od assert(!held); end";
/// let answer = check_bp(&Source::new("lock.bp", text), &options, &Budget::unlimited(), &mut ())?;
/// assert!(invariant_text(&answer.invariants).contains("invariant at line 2 in main: !held\n"));
/// # Ok::<(), hardbop_session::check::CheckError>(())
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
        let line = format!("invariant at {} in {}{calls}: {formula}", i.place, i.function);
        write_wrapped(&mut out, &line);
    }
    out
}

/// Breaks a line behind `&&` and `||`.
fn write_wrapped(out: &mut String, line: &str) {
    let mut lines: Vec<String> = vec![String::new()];
    let mut rest = line;
    while !rest.is_empty() {
        let end = [" && ", " || "].iter().filter_map(|sign| Some(rest.find(sign)? + sign.len()));
        let (part, next) = rest.split_at(end.min().unwrap_or(rest.len()));
        let last = lines.last_mut().filter(|last| {
            last.is_empty() || last.chars().count() + part.trim_end().chars().count() <= COLUMNS
        });
        match last {
            Some(last) => last.push_str(part),
            None => lines.push(format!("    {part}")),
        }
        rest = next;
    }
    let hidden: usize = lines.iter().skip(LINES).map(|l| l.chars().count()).sum();
    for line in lines.iter().take(LINES) {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if hidden > 0 {
        // Writing to a string does not fail.
        let _ = writeln!(out, "    ... ({hidden} more characters; '--json' shows all)");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_formulas_have_several_lines() {
        let shown = |parts: usize| {
            let mut out = String::new();
            write_wrapped(&mut out, &vec!["first == second"; parts].join(" && "));
            out
        };
        assert_eq!(shown(1), "first == second\n");
        let text = shown(12);
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
        assert_eq!(text.lines().count(), 3);
        let text = shown(1_000);
        assert_eq!(text.lines().count(), LINES + 1);
        assert!(text.ends_with(" more characters; '--json' shows all)\n"), "{text}");
    }
}
