//! A trace as text: one line per step, indented by call depth, with what changes.

use std::fmt::Write as _;

use super::step::{FAILED, Step, StepKind, Trace, Value};
use crate::units::{count, counted};

/// Traces with more steps are shown in part ...
const LONG: usize = 2_000;
/// ... namely so many from the start, and as many before the end.
const SHOWN: usize = 500;
/// Initial values that are shown.
const INITIAL: usize = 20;
/// Values from outside that are shown.
const INPUTS: usize = 50;
/// New values that are shown per step.
const CHANGES: usize = 12;
/// Deeper calls are not indented further; their depth is written out.
const INDENT: usize = 16;
/// Column of the new values, counted from the statement's start.
const COLUMN: usize = 44;
/// Length of a statement beyond which it is shown in part.
const STATEMENT: usize = 80;

impl Trace {
    /// The trace for people.
    #[must_use]
    pub fn text(&self) -> String {
        let steps: Vec<&Step> = self.steps.iter().filter(|s| tells_something(s)).collect();
        let left_out = if steps.len() > LONG { steps.len() - 2 * SHOWN } else { 0 };
        let cut = if left_out > 0 { SHOWN } else { steps.len() };
        let shown: Vec<&Step> =
            steps[..cut].iter().chain(&steps[cut + left_out..]).copied().collect();
        let places: Vec<String> = shown.iter().map(|s| self.place(s)).collect();
        let width = |words: &mut dyn Iterator<Item = &str>| {
            words.map(|w| w.chars().count()).max().unwrap_or(0)
        };
        let place_width = width(&mut places.iter().map(String::as_str));
        let names: Vec<String> = shown.iter().map(|s| name(s)).collect();
        let name_width = width(&mut names.iter().map(String::as_str));

        let error = match &self.violation {
            Some(violation) => format!("The error, {violation},"),
            None => "The error".to_owned(),
        };
        let mut out = format!("{error} is reached in {}:\n", counted(steps.len() as u64, "step"));
        self.write_start(&mut out);
        for (i, ((step, place), name)) in shown.iter().zip(&places).zip(&names).enumerate() {
            // Writing to a String cannot fail.
            if left_out > 0 && i == cut {
                let _ = writeln!(
                    out,
                    "  ... {} steps left out; '--trace json' shows all ...",
                    count(left_out as u64)
                );
            }
            out.push_str("  ");
            // Automata need not have places.
            if place_width > 0 {
                let _ = write!(out, "{place:<place_width$}  ");
            }
            let line = format!("{name:<name_width$}  {:<COLUMN$}", statement(step));
            let changed: Vec<&Value> = step.changed.iter().collect();
            let line = format!("{line}  {}", values(&changed, CHANGES));
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }

    /// Writes the values known before the first step.
    fn write_start(&self, out: &mut String) {
        let initial = self.initial.iter().enumerate();
        let initial: Vec<&Value> =
            initial.filter(|(i, _)| !self.unread.contains(i)).map(|(_, v)| v).collect();
        if !initial.is_empty() {
            let _ = writeln!(out, "  start with {}", values(&initial, INITIAL));
        }
        if let Some(command) = &self.command {
            let _ = writeln!(out, "  run as {command}");
        }
        for input in self.inputs.iter().take(INPUTS) {
            let line = match (&input.file, input.line) {
                (Some(file), Some(line)) => format!(" ({file}:{line})"),
                (None, Some(line)) => format!(" (line {line})"),
                (_, None) => String::new(),
            };
            let _ = match input.value.as_str() {
                FAILED => writeln!(out, "  {} returns null{line}", input.name),
                value => writeln!(out, "  input {} = {value}{line}", input.name),
            };
        }
        if self.inputs.len() > INPUTS {
            let _ =
                writeln!(out, "  and {} more inputs", count((self.inputs.len() - INPUTS) as u64));
        }
    }

    /// `f.c:7`, as far as it is known.
    fn place(&self, step: &Step) -> String {
        match (step.file.as_ref().or(self.file.as_ref()), step.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (None, Some(line)) => format!("line {line}"),
            (_, None) => String::new(),
        }
    }
}

impl Step {
    /// The action of the step, in words, on one line.
    pub(crate) fn words(&self) -> String {
        words(self)
    }

    /// The new values: `a = T, b = F`.
    pub(crate) fn new_values(&self) -> String {
        values(&self.changed.iter().collect::<Vec<_>>(), CHANGES)
    }
}

/// The function, behind the number of its thread.
fn name(step: &Step) -> String {
    match step.thread {
        Some(thread) => format!("{thread}: {}", step.function),
        None => step.function.clone(),
    }
}

/// Returns that change nothing can be seen from the indentation.
fn tells_something(step: &Step) -> bool {
    !matches!(step.kind, StepKind::Return | StepKind::End) || !step.changed.is_empty()
}

/// The action of a step, indented.
fn statement(step: &Step) -> String {
    let indent = "  ".repeat(step.depth.min(INDENT));
    let deep = if step.depth > INDENT { format!("[{}] ", step.depth) } else { String::new() };
    let round = match step.iteration {
        Some(iteration) if iteration > 1 => format!(" (iteration {iteration})"),
        _ => String::new(),
    };
    format!("{indent}{deep}{}{round}", words(step))
}

/// The action of a step, in words.
fn words(step: &Step) -> String {
    let text = shortened(&step.text);
    match step.kind {
        StepKind::Statement | StepKind::Call | StepKind::Rounds => text,
        StepKind::BranchTaken => format!("{text}: true"),
        StepKind::BranchNotTaken => format!("{text}: false"),
        StepKind::Return => format!("back from {}", step.callee.as_ref().unwrap_or(&text)),
        StepKind::Begin => "begin".to_owned(),
        StepKind::End => "end".to_owned(),
        StepKind::AssertionHolds => format!("{text}: holds"),
        StepKind::AssertionFails => format!("{text}: FAILS"),
        StepKind::Abort => format!("{text}: ABORTS"),
        StepKind::ErrorLabel => format!("{text}: ERROR LABEL"),
        StepKind::Error => format!("{text}: ERROR"),
    }
}

/// The text, or its start.
fn shortened(text: &str) -> String {
    if text.chars().count() <= STATEMENT {
        return text.to_owned();
    }
    text.chars().take(STATEMENT - 3).chain("...".chars()).collect()
}

/// `a = T, b = F`, and how many more there are.
fn values(values: &[&Value], limit: usize) -> String {
    let shown: Vec<String> =
        values.iter().take(limit).map(|v| format!("{} = {}", v.name, v.value)).collect();
    let mut out = shown.join(", ");
    if values.len() > limit {
        let _ = write!(out, ", and {} more", count((values.len() - limit) as u64));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::step::Input;
    use super::*;

    fn step(kind: StepKind, depth: usize, text: &str) -> Step {
        Step {
            kind,
            function: format!("f{depth}"),
            depth,
            file: None,
            line: Some(7),
            column: Some(1),
            edge: None,
            iteration: None,
            thread: None,
            callee: None,
            text: text.to_owned(),
            changed: vec![],
        }
    }

    fn value(name: &str, value: &str) -> Value {
        Value { name: name.to_owned(), value: value.to_owned(), is_global: false }
    }

    fn trace(steps: Vec<Step>) -> Trace {
        Trace {
            file: Some("a.bp".to_owned()),
            initial: vec![value("unused", "T"), value("x", "T")],
            unread: vec![0],
            steps,
            ..Trace::default()
        }
    }

    #[test]
    fn one_line_per_step() {
        let mut last = step(StepKind::AssertionFails, 1, "assert(!x)");
        last.changed.push(value("y", "F"));
        let text = trace(vec![step(StepKind::Call, 0, "y := f1(x)"), last]).text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "The error is reached in 2 steps:");
        assert_eq!(lines[1], "  start with x = T");
        assert_eq!(lines[2], "  a.bp:7  f0  y := f1(x)");
        assert!(lines[3].starts_with("  a.bp:7  f1    assert(!x): FAILS  "), "{text}");
        assert!(lines[3].ends_with("  y = F"), "{text}");
    }

    #[test]
    fn what_a_c_program_has_besides() {
        let mut steps = vec![step(StepKind::BranchTaken, 0, "i < n"); 2];
        steps[1].iteration = Some(2);
        steps[1].file = Some("a.h".to_owned());
        steps.push(step(StepKind::Return, 0, "g(1)"));
        steps[2].callee = Some("g".to_owned());
        steps[2].changed.push(value("i", "1"));
        steps.push(step(StepKind::Return, 0, "g(2)"));
        let input = Input {
            name: "get()".to_owned(),
            value: "3".to_owned(),
            file: None,
            line: Some(4),
            step: None,
        };
        let violation = Some("a division by zero in line 7".to_owned());
        let text = Trace { violation, inputs: vec![input], initial: vec![], ..trace(steps) }.text();
        assert!(
            text.starts_with("The error, a division by zero in line 7, is reached in 3 steps:")
        );
        assert!(text.contains("\n  input get() = 3 (line 4)\n"), "{text}");
        assert!(text.contains("\n  a.h:7   f0  i < n: true (iteration 2)\n"), "{text}");
        assert!(text.contains("back from g  ") && text.ends_with("  i = 1\n"), "{text}");
    }

    #[test]
    fn automata_without_places() {
        let mut steps = vec![step(StepKind::Begin, 0, ""), step(StepKind::Error, 0, "edge 3")];
        steps.iter_mut().for_each(|s| s.line = None);
        let text = Trace { file: None, steps, ..Trace::default() }.text();
        assert_eq!(text, "The error is reached in 2 steps:\n  f0  begin\n  f0  edge 3: ERROR\n");
    }

    #[test]
    fn long_traces_lose_their_middle() {
        let steps = vec![step(StepKind::Statement, 40, "skip"); 5_000];
        let text = trace(steps).text();
        assert!(text.contains("... 4,000 steps left out; '--trace json' shows all ..."), "{text}");
        assert_eq!(text.lines().count(), 2 + 1_000 + 1);
        assert!(text.contains("[40] skip"));
    }
}
