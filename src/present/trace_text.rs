//! A counterexample as text: one line per step, indented by call depth.

use std::fmt::Write as _;

use super::trace::{Step, StepKind, TraceReport, Value};
use super::units::{count, counted};

/// Traces with more steps are shown in part ...
const LONG: usize = 2_000;
/// ... namely so many from the start, and as many before the end.
const SHOWN: usize = 500;
/// Initial values that are shown.
const INITIAL: usize = 20;
/// New values that are shown per step.
const CHANGES: usize = 12;
/// Deeper calls are not indented further; their depth is written out.
const INDENT: usize = 16;
/// Column of the new values, counted from the statement's start.
const COLUMN: usize = 44;
/// Longer statements are shown in part.
const STATEMENT: usize = 80;

/// Everything of a line but its new values.
struct Line {
    place: String,
    procedure: String,
    statement: String,
}

impl TraceReport {
    /// The trace for people.
    pub fn text(&self) -> String {
        let steps: Vec<&Step> = self.steps.iter().filter(|s| tells_something(s)).collect();
        let left_out = if steps.len() > LONG { steps.len() - 2 * SHOWN } else { 0 };
        let cut = if left_out > 0 { SHOWN } else { steps.len() };
        let shown = steps[..cut].iter().chain(&steps[cut + left_out..]);
        let lines: Vec<(Line, &Step)> = shown.map(|s| (self.line(s), *s)).collect();
        let place = lines.iter().map(|(l, _)| l.place.chars().count()).max().unwrap_or(0);
        let name = lines.iter().map(|(l, _)| l.procedure.chars().count()).max().unwrap_or(0);

        let mut out = format!("The error is reached in {}:\n", counted(steps.len() as u64, "step"));
        // Writing to a String cannot fail.
        let initial: Vec<&Value> = self.initial.iter().filter(|v| v.relevant).collect();
        if !initial.is_empty() {
            let _ = writeln!(out, "  start with {}", values(&initial, INITIAL));
        }
        for (i, (line, step)) in lines.iter().enumerate() {
            if left_out > 0 && i == cut {
                let _ = writeln!(
                    out,
                    "  ... {} steps left out; '--trace json' shows all ...",
                    count(left_out as u64)
                );
            }
            let changed: Vec<&Value> = step.changed.iter().collect();
            let start = format!(
                "  {:<place$}  {:<name$}  {:<COLUMN$}",
                line.place, line.procedure, line.statement
            );
            if changed.is_empty() {
                let _ = writeln!(out, "{}", start.trim_end());
            } else {
                let _ = writeln!(out, "{start}  {}", values(&changed, CHANGES));
            }
        }
        out
    }

    fn line(&self, step: &Step) -> Line {
        let indent = "  ".repeat(step.depth.min(INDENT));
        let deep = if step.depth > INDENT { format!("[{}] ", step.depth) } else { String::new() };
        Line {
            place: format!("{}:{}", self.file, step.line),
            procedure: step.procedure.clone(),
            statement: format!("{indent}{deep}{}", words(step)),
        }
    }
}

/// Returns that change nothing can be seen from the indentation.
fn tells_something(step: &Step) -> bool {
    !matches!(step.kind, StepKind::Return | StepKind::End) || !step.changed.is_empty()
}

/// The text, or its start.
fn shortened(text: &str) -> String {
    if text.chars().count() <= STATEMENT {
        return text.to_owned();
    }
    text.chars().take(STATEMENT - 3).chain("...".chars()).collect()
}

/// What a step does, in words.
fn words(step: &Step) -> String {
    let text = &shortened(&step.text);
    match step.kind {
        StepKind::Statement | StepKind::Call => text.clone(),
        StepKind::BranchTaken => format!("{text}: true"),
        StepKind::BranchNotTaken => format!("{text}: false"),
        StepKind::Return => format!("back from {}", callee(&step.text)),
        StepKind::End => "end".to_owned(),
        StepKind::AssertionHolds => format!("{text}: holds"),
        StepKind::AssertionFails => format!("{text}: FAILS"),
        StepKind::Abort => format!("{text}: ABORTS"),
        StepKind::ErrorLabel => format!("{text}: ERROR LABEL"),
    }
}

/// `f` of `x, y := f(a, b)`.
fn callee(call: &str) -> &str {
    let call = call.split_once(":=").map_or(call, |(_, right)| right);
    call.split('(').next().unwrap_or(call).trim()
}

/// `a = T, b = F`, and how many more there are.
fn values(values: &[&Value], limit: usize) -> String {
    let shown: Vec<String> = values
        .iter()
        .take(limit)
        .map(|v| format!("{} = {}", v.name, if v.value { "T" } else { "F" }))
        .collect();
    let mut out = shown.join(", ");
    if values.len() > limit {
        let _ = write!(out, ", and {} more", count((values.len() - limit) as u64));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(kind: StepKind, depth: usize, text: &str) -> Step {
        let procedure = format!("f{depth}");
        Step { kind, procedure, depth, line: 7, column: 1, text: text.to_owned(), changed: vec![] }
    }

    fn report(steps: Vec<Step>) -> TraceReport {
        let value = |name: &str, relevant| Value { name: name.to_owned(), value: true, relevant };
        let initial = vec![value("x", true), value("unused", false)];
        TraceReport { file: "a.bp".to_owned(), initial, steps }
    }

    #[test]
    fn one_line_per_step() {
        let mut last = step(StepKind::AssertionFails, 1, "assert(!x)");
        last.changed.push(Value { name: "y".to_owned(), value: false, relevant: true });
        let text = report(vec![step(StepKind::Call, 0, "y := f1(x)"), last]).text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "The error is reached in 2 steps:");
        assert_eq!(lines[1], "  start with x = T");
        assert_eq!(lines[2], "  a.bp:7  f0  y := f1(x)");
        assert!(lines[3].starts_with("  a.bp:7  f1    assert(!x): FAILS  "), "{text}");
        assert!(lines[3].ends_with("  y = F"), "{text}");
    }

    #[test]
    fn long_traces_lose_their_middle() {
        let steps = vec![step(StepKind::Statement, 40, "skip"); 5_000];
        let text = report(steps).text();
        assert!(text.contains("... 4,000 steps left out; '--trace json' shows all ..."), "{text}");
        assert_eq!(text.lines().count(), 2 + 1_000 + 1);
        assert!(text.contains("[40] skip"));
    }

    #[test]
    fn callee_of_a_call() {
        for call in ["f(a)", "x := f(a)", "x, y := f (b, c)", "_ := f()"] {
            assert_eq!(callee(call), "f", "{call}");
        }
    }
}
