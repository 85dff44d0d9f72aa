//! The error path as a list of steps, in which each call can be folded.

use std::fmt::Write as _;

use super::source::Listing;
use crate::document::Document;
use crate::markup::escaped;
use crate::report::rule::file;
use crate::trace::{Input, Step, StepKind, Trace, Value};
use crate::units::{count, counted};

/// Steps that are shown: browsers give up on very long lists.  Longer paths keep their start and
/// their end.
const STEPS: usize = 6_000;
/// Calls that are nested: deeper ones are listed with their depth, for the same reason.
const NESTED: usize = 40;

/// The steps that are shown, each with its position.
pub(super) fn shown(trace: &Trace) -> impl Iterator<Item = (usize, &Step)> {
    let last = trace.steps.len();
    let gap = if last > STEPS { STEPS / 2..last - STEPS / 2 } else { 0..0 };
    trace.steps.iter().enumerate().filter(move |(position, _)| !gap.contains(position))
}

/// Initial values that something reads.
pub(super) fn initial(trace: &Trace) -> impl Iterator<Item = &Value> {
    let initial = trace.initial.iter().enumerate();
    initial.filter(|(position, _)| !trace.unread.contains(position)).map(|(_, value)| value)
}

/// The section; nothing where there is no trace.
pub(super) fn section(document: &Document, listing: &Listing) -> String {
    let Some(trace) = &document.trace else { return String::new() };
    let mut out = format!(
        "<section class=\"path\" aria-labelledby=\"path-title\">\n\
         <h2 id=\"path-title\">Error path <small>{}</small></h2>\n\
         <div class=\"tools\" hidden>\n\
         <button type=\"button\" id=\"first\" title=\"First step (Home)\">First</button>\n\
         <button type=\"button\" id=\"previous\" title=\"Previous step (k, arrow up)\">Previous</button>\n\
         <button type=\"button\" id=\"next\" title=\"Next step (j, arrow down)\">Next</button>\n\
         <button type=\"button\" id=\"last\" title=\"Last step (End)\">Last</button>\n\
         <label title=\"j, k, arrows, Home, End\"><input type=\"checkbox\" id=\"keys\" checked> Keys</label>\n\
         <p id=\"now\" role=\"status\"></p>\n\
         </div>\n",
        counted(trace.steps.len() as u64, "step"),
    );
    let start: Vec<&Value> = initial(trace).collect();
    if !start.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "<p class=\"start\">Starts with {}</p>", values(start));
    }
    inputs(document, trace, listing, &mut out);
    out.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Steps\">\n");
    steps(document, trace, listing, &mut out);
    out.push_str(
        "</div>\n<div class=\"values\" hidden>\n<h3>Values after this step <small>as last assigned under each name</small></h3>\n\
         <div id=\"values\"></div>\n</div>\n</section>\n",
    );
    out
}

/// The list, with a list of its own for the steps in each call.
fn steps(document: &Document, trace: &Trace, listing: &Listing, out: &mut String) {
    let all: Vec<(usize, &Step)> = shown(trace).collect();
    // Depths of the calls whose lists are open.
    let mut open: Vec<usize> = Vec::new();
    let mut before = None;
    out.push_str("<ol class=\"steps\">\n");
    for (i, &(position, step)) in all.iter().enumerate() {
        while open.last().is_some_and(|depth| step.depth <= *depth) {
            open.pop();
            out.push_str("</ol></details></li>\n");
        }
        let hidden = position - before.map_or(0, |b: usize| b + 1);
        before = Some(position);
        if hidden > 0 {
            let hidden = count(hidden as u64);
            let _ = writeln!(
                out,
                "<li class=\"gap\">{hidden} steps left out; <code>--json</code> has all</li>"
            );
        }
        let next = all.get(i + 1).map(|(_, next)| *next);
        let is_entered = next.is_some_and(|next| next.depth > step.depth);
        let link = link(document, trace, listing, position);
        if is_entered && open.len() < NESTED {
            open.push(step.depth);
            let _ = writeln!(out, "<li><details open><summary>{link}</summary><ol>");
        } else {
            let _ = writeln!(out, "<li>{link}</li>");
        }
    }
    out.push_str(&"</ol></details></li>\n".repeat(open.len()));
    out.push_str("</ol>\n");
}

/// A step, as a link to its line.
fn link(document: &Document, trace: &Trace, listing: &Listing, position: usize) -> String {
    let step = &trace.steps[position];
    let number = position + 1;
    let place = step
        .line
        .and_then(|line| listing.anchor(file(document.file.as_deref(), trace, step), line));
    let target = place.unwrap_or_else(|| format!("s{number}"));
    let class = if step.kind.is_error() { "step error" } else { "step" };
    let mut out =
        format!("<a class=\"{class}\" id=\"s{number}\" data-step=\"{number}\" href=\"#{target}\">");
    let _ = write!(out, "<span class=\"number\">{number}</span> ");
    if step.depth >= NESTED {
        let _ = write!(out, "<span class=\"depth\">depth {}</span> ", step.depth);
    }
    out.push_str(&words(step));
    // Where there are several files, the list need not say in which folder.
    let other = step.file.as_deref().and_then(|file| file.rsplit(['/', '\\']).next());
    let line = match (other, step.line) {
        (Some(file), Some(line)) => format!(", {}:{line}", escaped(file)),
        (None, Some(line)) => format!(", line {line}"),
        (_, None) => String::new(),
    };
    let _ = write!(out, " <span class=\"where\">{}{line}</span>", escaped(&step.function));
    if !step.changed.is_empty() {
        let _ = write!(out, " <span class=\"new\">{}</span>", values(&step.changed));
    }
    out + "</a>"
}

/// The action of a step, in words.
fn words(step: &Step) -> String {
    let text = |text: &str| format!("<code>{}</code>", escaped(text));
    let outcome = match step.kind {
        StepKind::Statement | StepKind::Call | StepKind::Rounds => None,
        StepKind::BranchTaken => Some("true"),
        StepKind::BranchNotTaken => Some("false"),
        StepKind::AssertionHolds => Some("holds"),
        StepKind::AssertionFails => Some("FAILS"),
        StepKind::Abort => Some("ABORTS"),
        StepKind::ErrorLabel => Some("ERROR LABEL"),
        StepKind::Error => Some("ERROR"),
        StepKind::Return => {
            return format!("back from {}", text(step.callee.as_ref().unwrap_or(&step.text)));
        }
        StepKind::Begin => return "begin".to_owned(),
        StepKind::End => return "end".to_owned(),
    };
    let outcome = outcome.map_or(String::new(), |o| format!(" <b class=\"outcome\">{o}</b>"));
    let round = match step.iteration {
        Some(round) if round > 1 => {
            format!(" <span class=\"round\">iteration {}</span>", count(round))
        }
        _ => String::new(),
    };
    text(&step.text) + &outcome + &round
}

/// `a = T, b = F`
fn values<'v>(values: impl IntoIterator<Item = &'v Value>) -> String {
    let one = |v: &Value| format!("<code>{} = {}</code>", escaped(&v.name), escaped(&v.value));
    values.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

fn inputs(document: &Document, trace: &Trace, listing: &Listing, out: &mut String) {
    if trace.inputs.is_empty() {
        return;
    }
    let number = counted(trace.inputs.len() as u64, "input");
    let _ = write!(
        out,
        "<details class=\"inputs\"><summary>{number}, in the order in which they are read</summary>\n\
         <div class=\"wide\"><table>\n<tr><th>input</th><th>value</th><th>place</th></tr>\n"
    );
    for input in &trace.inputs {
        let (name, value) = (escaped(&input.name), escaped(&input.value));
        let place = input_place(document, trace, listing, input);
        let _ = writeln!(
            out,
            "<tr><td><code>{name}</code></td><td><code>{value}</code></td><td>{place}</td></tr>"
        );
    }
    out.push_str("</table></div>\n</details>\n");
}

fn input_place(document: &Document, trace: &Trace, listing: &Listing, input: &Input) -> String {
    let Some(line) = input.line else { return String::new() };
    let other = input.file.as_deref();
    let words = other.map_or(format!("line {line}"), |file| format!("{}:{line}", escaped(file)));
    let file = other.or(trace.file.as_deref()).or(document.file.as_deref());
    match listing.anchor(file, line) {
        Some(anchor) => format!("<a href=\"#{anchor}\">{words}</a>"),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{AnsweredBy, Settings, Subject, Verdict};
    use crate::statistics::Table;

    fn step(depth: usize) -> Step {
        Step {
            kind: StepKind::Call,
            function: "f".to_owned(),
            depth,
            file: None,
            line: None,
            column: None,
            edge: None,
            iteration: None,
            thread: None,
            callee: None,
            text: "f()".to_owned(),
            changed: vec![],
        }
    }

    /// Browsers nest some hundred elements, and no more.
    #[test]
    fn deep_and_long_paths_stay_within_bounds() {
        let subject =
            Subject { file: None, property: vec![], options: Settings::Boolean(Box::default()) };
        let by = AnsweredBy::Executions;
        let mut document = Document::new(subject, (Verdict::Unsafe, None), by, Table::default());
        let depths = (0..10_000).chain((0..10_000).rev());
        let trace = Trace { steps: depths.map(step).collect(), ..Trace::default() };
        document.trace = Some(trace);
        let listing = Listing::new(&document, |_| Err(String::new()));
        let page = section(&document, &listing);
        assert_eq!(page.matches("<details open>").count(), NESTED);
        assert_eq!(page.matches("<ol").count(), page.matches("</ol>").count());
        assert_eq!(page.matches("<li").count(), page.matches("</li>").count());
        assert_eq!(page.matches("data-step=").count(), STEPS);
        assert!(page.contains("14,000 steps left out"), "{}", &page[..2_000]);
        assert!(page.contains("data-step=\"20000\""));
    }
}
