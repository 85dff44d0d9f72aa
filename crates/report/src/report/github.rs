//! Workflow commands of GitHub Actions: lines on standard output from which GitHub makes annotations, beside the lines of a change.

use super::rule::{Rule, file, statement};
use super::sarif::message;
use crate::document::{Document, Verdict};
use crate::properties::{Properties, Property};
use crate::trace::Trace;

impl Document {
    /// The annotation of one answer: of an error, or of what is undecided; nothing where the program is SAFE.
    ///
    /// ```
    /// use hardbop_base::{budget::Budget, source::Source};
    /// use hardbop_report::document::RunOptions;
    /// use hardbop_session::check::check_bp;
    ///
    /// let source = Source::new("lock.bp", "decl held;\nvoid main() begin assert(!held); end");
    /// let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
    /// let line = answer.github();
    /// assert!(line.starts_with("::error file=lock.bp,line=2,col=19,title=hardbop%3A Reachable error::"));
    /// # Ok::<(), hardbop_session::check::CheckError>(())
    /// ```
    #[must_use]
    pub fn github(&self) -> String {
        let program = self.file.as_deref();
        match (self.verdict, &self.trace) {
            (Verdict::Safe, _) => String::new(),
            (Verdict::Unsafe, Some(trace)) => of_error(program, trace, None),
            (Verdict::Unsafe | Verdict::Unknown, _) => {
                let place = program.map(|file| (file, None, None));
                let level = if self.verdict == Verdict::Unsafe { "error" } else { "warning" };
                command(level, place, self.verdict.word(), &self.verdict_line)
            }
        }
    }
}

impl Properties {
    /// An annotation for each finding that is neither known nor silenced: of an error, or of what is undecided.
    #[must_use]
    pub fn github(&self) -> String {
        self.properties.iter().filter(|property| property.is_new()).map(annotation).collect()
    }
}

fn annotation(property: &Property) -> String {
    let place = property.positions().next();
    let place = place.map(|(file, line, column)| (file, Some(line), Some(column)));
    let told = || statement(property) + ".";
    match (property.verdict, property.trace()) {
        (Verdict::Unsafe, Some(trace)) => of_error(None, &trace, place),
        (Verdict::Unsafe, None) => {
            command("error", place, Rule::of_property(property).title, &told())
        }
        (Verdict::Safe | Verdict::Unknown, _) => command("warning", place, "Undecided", &told()),
    }
}

/// The annotation of the error that a trace ends with, in a program whose first file is this one; it is at another place where the
/// trace has none.
fn of_error(program: Option<&str>, trace: &Trace, other: Option<Place>) -> String {
    let place = trace
        .steps
        .last()
        .and_then(|step| Some((file(program, trace, step)?, Some(step.line?), step.column)));
    command("error", place.or(other), Rule::of(trace).title, &message(trace))
}

/// A file, and a line and a column where they are known.
type Place<'a> = (&'a str, Option<usize>, Option<usize>);

/// A command of a level, with the place, if it is known.
fn command(level: &str, place: Option<Place>, title: &str, message: &str) -> String {
    let mut properties = vec![];
    if let Some((file, line, column)) = place {
        properties.push(format!("file={}", value(file)));
        properties.extend(line.map(|line| format!("line={line}")));
        properties.extend(column.map(|column| format!("col={column}")));
    }
    properties.push(format!("title={}", value(&format!("hardbop: {title}"))));
    format!("::{level} {}::{}\n", properties.join(","), text(message))
}

/// The text of a command: what would end its line is escaped.
fn text(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property: what would end it is escaped, too.
fn value(words: &str) -> String {
    text(words).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn what_would_end_a_value_or_a_line_is_escaped() {
        let place = Some(("C:a,b%.c", Some(3), Some(4)));
        let said = command("error", place, "a, b", "100%: a,\r\nb");
        let expected =
            "::error file=C%3Aa%2Cb%25.c,line=3,col=4,title=hardbop%3A a%2C b::100%25: a,%0D%0Ab\n";
        assert_eq!(said, expected);
        assert_eq!(command("warning", None, "t", "m"), "::warning title=hardbop%3A t::m\n");
    }
}
