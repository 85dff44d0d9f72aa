//! The texts of the files that an answer names, line by line, with what is known at the lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::document::{Document, Invariant};
use crate::markup::escaped;
use crate::report::rule::file;
use crate::units::count;

/// Files with more lines are shown in part ...
const LONG: usize = 5_000;
/// ... namely so many lines around those that the answer names.
const AROUND: usize = 40;
/// Length of a line, in characters, beyond which it is shown in part.
const WIDE: usize = 2_000;
/// Length of a formula beyond which it is shown in part; the section of invariants has all of it.
const FORMULA: usize = 1_000;

/// The files.
pub(super) struct Listing {
    files: Vec<Shown>,
}

/// A file, with what the answer says of its lines.
struct Shown {
    name: String,
    /// The text, or why there is none.
    text: Result<String, String>,
    /// Lines of the text.
    lines: usize,
    /// Lines that the answer names.
    named: BTreeSet<usize>,
    /// Lines that steps are at.
    visited: BTreeSet<usize>,
    /// Lines of errors.
    errors: BTreeSet<usize>,
}

impl Listing {
    /// The files of an answer, in the order in which it names them.
    pub fn new(document: &Document, read: impl FnMut(&str) -> Result<String, String>) -> Self {
        let mut lines: Vec<(&str, usize, Named)> = Vec::new();
        if let Some(trace) = &document.trace {
            for step in &trace.steps {
                if let (Some(file), Some(line)) =
                    (file(document.file.as_deref(), trace, step), step.line)
                {
                    let named = if step.kind.is_error() { Named::Error } else { Named::Step };
                    lines.push((file, line, named));
                }
            }
            for input in &trace.inputs {
                let file = input.file.as_ref().or(trace.file.as_ref()).or(document.file.as_ref());
                if let (Some(file), Some(line)) = (file, input.line) {
                    lines.push((file, line, Named::Only));
                }
            }
        }
        for invariant in &document.invariants {
            if let (Some(file), Some(line)) = (file_of(document, invariant), invariant.line) {
                lines.push((file, line, Named::Only));
            }
        }
        let programs = document.file.iter().chain(&document.files).map(String::as_str);
        Self::of(programs, &lines, read)
    }

    /// The files of a program, and others of which lines are named.
    pub fn of<'a>(
        programs: impl Iterator<Item = &'a str>,
        lines: &[(&'a str, usize, Named)],
        mut read: impl FnMut(&str) -> Result<String, String>,
    ) -> Self {
        let mut files: Vec<Shown> = Vec::new();
        let mut at = |name: &str| match files.iter().position(|f| f.name == name) {
            Some(known) => known,
            None => {
                files.push(Shown::new(name));
                files.len() - 1
            }
        };
        let programs: Vec<usize> = programs.map(&mut at).collect();
        let lines: Vec<(usize, usize, Named)> =
            lines.iter().map(|&(file, line, named)| (at(file), line, named)).collect();
        for (at, line, named) in lines {
            let file = &mut files[at];
            file.named.insert(line);
            match named {
                Named::Only => {}
                Named::Step => _ = file.visited.insert(line),
                Named::Error => _ = file.errors.insert(line),
            }
        }
        // Of several files, those that nothing happens in need not be there.
        let is_named = |f: &Shown| !f.named.is_empty();
        let any = files.iter().any(is_named);
        let first = programs.first().copied();
        let mut position = 0;
        files.retain(|f| {
            position += 1;
            is_named(f) || (!any && first == Some(position - 1))
        });
        for file in &mut files {
            file.text = read(&file.name);
            file.lines = file.text.as_ref().map_or(0, |text| text.lines().count());
        }
        Self { files }
    }

    /// The anchor of a line, where it is shown.
    pub fn anchor(&self, file: Option<&str>, line: usize) -> Option<String> {
        let position = self.files.iter().position(|f| Some(f.name.as_str()) == file)?;
        // Lines that the answer names are shown, if the text has them.
        (1..=self.files[position].lines).contains(&line).then(|| anchor(position, line))
    }

    /// The anchor of the line of an invariant.
    pub fn anchor_of(&self, document: &Document, invariant: &Invariant) -> Option<String> {
        self.anchor(file_of(document, invariant), invariant.line?)
    }

    /// The section; nothing where there are no files.
    pub fn section(&self, document: Option<&Document>) -> String {
        if self.files.is_empty() {
            return String::new();
        }
        let mut out = String::from(
            "<section class=\"program\" aria-labelledby=\"program-title\">\n\
             <h2 id=\"program-title\">Program</h2>\n",
        );
        for (position, file) in self.files.iter().enumerate() {
            let mut invariants: BTreeMap<usize, Vec<&Invariant>> = BTreeMap::new();
            for (document, invariant) in
                document.into_iter().flat_map(|d| d.invariants.iter().map(move |i| (d, i)))
            {
                if file_of(document, invariant) == Some(&file.name)
                    && let Some(line) = invariant.line
                {
                    invariants.entry(line).or_default().push(invariant);
                }
            }
            file.write(position, &invariants, &mut out);
        }
        out.push_str("</section>\n");
        out
    }
}

/// The reason for which a line is named.
#[derive(Clone, Copy)]
pub(super) enum Named {
    Only,
    Step,
    Error,
}

fn anchor(file: usize, line: usize) -> String {
    format!("f{file}-{line}")
}

/// The file of an invariant.
fn file_of<'a>(document: &'a Document, invariant: &'a Invariant) -> Option<&'a str> {
    invariant.file.as_deref().or(document.file.as_deref())
}

impl Shown {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: Err(String::new()),
            lines: 0,
            named: BTreeSet::new(),
            visited: BTreeSet::new(),
            errors: BTreeSet::new(),
        }
    }

    fn write(
        &self,
        position: usize,
        invariants: &BTreeMap<usize, Vec<&Invariant>>,
        out: &mut String,
    ) {
        let name = escaped(&self.name);
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<details class=\"file\" open>\n<summary><h3><code>{name}</code></h3></summary>"
        );
        let text = match &self.text {
            Ok(text) => text,
            Err(why) => {
                let why = escaped(why);
                let _ = writeln!(
                    out,
                    "<p class=\"missing\">Its text is not shown: {why}.</p>\n</details>"
                );
                return;
            }
        };
        let _ = writeln!(
            out,
            "<div class=\"scroll code\" tabindex=\"0\" role=\"region\" aria-label=\"Text of {name}\">"
        );
        let lines: Vec<&str> = text.lines().collect();
        let mut hidden = 0;
        for (line, text) in lines.iter().enumerate().map(|(i, text)| (i + 1, text)) {
            if lines.len() > LONG && !self.is_near(line) {
                hidden += 1;
                continue;
            }
            write_gap(std::mem::take(&mut hidden), out);
            for invariant in invariants.get(&line).into_iter().flatten() {
                write_invariant(invariant, out);
            }
            self.write_line((position, line), text, out);
        }
        write_gap(hidden, out);
        out.push_str("</div>\n</details>\n");
    }

    /// Is the line beside one that the answer names?  Of a text of which it names none, at the
    /// start?
    fn is_near(&self, line: usize) -> bool {
        if self.named.is_empty() {
            return line <= LONG;
        }
        self.named.range(line.saturating_sub(AROUND)..=line + AROUND).next().is_some()
    }

    fn write_line(&self, (position, line): (usize, usize), text: &str, out: &mut String) {
        let class = match (self.errors.contains(&line), self.visited.contains(&line)) {
            (true, _) => "line visited error",
            (false, true) => "line visited",
            (false, false) => "line",
        };
        let anchor = anchor(position, line);
        let text = start(text, WIDE);
        let _ = writeln!(
            out,
            "<div class=\"{class}\" id=\"{anchor}\"><span class=\"number\">{line}</span><code>{text}</code></div>"
        );
    }
}

fn write_gap(lines: usize, out: &mut String) {
    if lines > 0 {
        let _ = writeln!(out, "<div class=\"gap\">{} lines left out</div>", count(lines as u64));
    }
}

fn write_invariant(invariant: &Invariant, out: &mut String) {
    let formula = invariant.formula.as_deref().unwrap_or("(a very long formula)");
    let (function, formula) = (escaped(&invariant.function), start(formula, FORMULA));
    let _ = writeln!(
        out,
        "<div class=\"invariant\"><span class=\"label\">invariant in {function}</span> <code>{formula}</code></div>"
    );
}

/// The text in HTML, or its start.
fn start(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => escaped(&text[..end]) + " ...",
        None => escaped(text),
    }
}
