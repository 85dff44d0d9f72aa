//! An execution of a C program as text: one line per step, indented by call depth.

use std::fmt::Write as _;

use super::c_trace::{CStep, CStepKind, CTraceReport};
use super::units::{count, counted};

/// Traces with more steps are shown in part ...
const LONG: usize = 2_000;
/// ... namely so many from the start, and as many before the end.
const SHOWN: usize = 500;
/// Values from outside that are shown.
const INPUTS: usize = 50;
/// New values that are shown per step.
const CHANGES: usize = 12;
/// Deeper calls are not indented further; their depth is written out.
const INDENT: usize = 16;
/// Column of the new values, counted from the statement's start.
const COLUMN: usize = 44;
/// Longer statements are shown in part.
const STATEMENT: usize = 80;

impl CTraceReport {
    /// The execution for people.
    pub fn text(&self) -> String {
        let steps: Vec<&CStep> = self.steps.iter().filter(|s| tells_something(s)).collect();
        let left_out = if steps.len() > LONG { steps.len() - 2 * SHOWN } else { 0 };
        let cut = if left_out > 0 { SHOWN } else { steps.len() };
        let shown: Vec<&CStep> =
            steps[..cut].iter().chain(&steps[cut + left_out..]).copied().collect();
        let places: Vec<String> = shown.iter().map(|s| self.place(s)).collect();
        let width = |words: &mut dyn Iterator<Item = &str>| {
            words.map(|w| w.chars().count()).max().unwrap_or(0)
        };
        let place_width = width(&mut places.iter().map(String::as_str));
        let name_width = width(&mut shown.iter().map(|s| s.function.as_str()));

        let error = match &self.violation {
            Some(violation) => format!("The error, {violation},"),
            None => "The error".to_owned(),
        };
        let mut out = format!("{error} is reached in {}:\n", counted(steps.len() as u64, "step"));
        // Writing to a String cannot fail.
        for input in self.inputs.iter().take(INPUTS) {
            let _ = writeln!(out, "  input {} = {} (line {})", input.what, input.value, input.line);
        }
        if self.inputs.len() > INPUTS {
            let _ =
                writeln!(out, "  and {} more inputs", count((self.inputs.len() - INPUTS) as u64));
        }
        for (i, (step, place)) in shown.iter().zip(&places).enumerate() {
            if left_out > 0 && i == cut {
                let _ = writeln!(
                    out,
                    "  ... {} steps left out; '--trace json' shows all ...",
                    count(left_out as u64)
                );
            }
            let start = format!(
                "  {place:<place_width$}  {:<name_width$}  {:<COLUMN$}",
                step.function,
                statement(step)
            );
            let values = values(step);
            let _ = writeln!(out, "{}", format!("{start}  {values}").trim_end());
        }
        out
    }

    fn place(&self, step: &CStep) -> String {
        format!("{}:{}", step.file.as_ref().unwrap_or(&self.file), step.line)
    }
}

/// Returns that change nothing can be seen from the indentation.
fn tells_something(step: &CStep) -> bool {
    step.kind != CStepKind::Return || !step.changed.is_empty()
}

fn statement(step: &CStep) -> String {
    let indent = "  ".repeat((step.depth as usize).min(INDENT));
    let deep =
        if step.depth as usize > INDENT { format!("[{}] ", step.depth) } else { String::new() };
    let text = shortened(&step.text);
    let words = match step.kind {
        CStepKind::Statement | CStepKind::Call => text,
        CStepKind::BranchTaken => format!("{text}: true"),
        CStepKind::BranchNotTaken => format!("{text}: false"),
        CStepKind::Return => {
            format!("back from {}", text.split('(').next().unwrap_or(&text).trim())
        }
        CStepKind::Error => format!("{text}: ERROR"),
    };
    match step.iteration {
        Some(iteration) if iteration > 1 => {
            format!("{indent}{deep}{words} (iteration {iteration})")
        }
        _ => format!("{indent}{deep}{words}"),
    }
}

/// The text, or its start.
fn shortened(text: &str) -> String {
    if text.chars().count() <= STATEMENT {
        return text.to_owned();
    }
    text.chars().take(STATEMENT - 3).chain("...".chars()).collect()
}

/// `a = 1, b = &x`, and how many more there are.
fn values(step: &CStep) -> String {
    let shown: Vec<String> = (step.changed.iter().take(CHANGES))
        .map(|change| format!("{} = {}", change.name, change.value))
        .collect();
    let mut out = shown.join(", ");
    if step.changed.len() > CHANGES {
        let _ = write!(out, ", and {} more", count((step.changed.len() - CHANGES) as u64));
    }
    out
}
