//! JUnit's XML, which build servers read: one test, which passes where the program is SAFE.

use super::rule::{Rule, file, sentence};
use crate::document::{Document, Verdict};

impl Document {
    /// The report of one run that took so many seconds.  UNSAFE is a failure with the trace as its
    /// text, UNKNOWN an error: neither lets a build pass.
    ///
    /// ```
    /// use hardbop_base::{budget::Budget, source::Source};
    /// use hardbop_report::document::RunOptions;
    /// use hardbop_session::check::check_bp;
    ///
    /// let source = Source::new("lock.bp", "decl held;\nvoid main() begin assert(!held); end");
    /// let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
    /// assert!(answer.junit(0.5).contains("<failure type=\"reachable-error\""));
    /// # Ok::<(), hardbop_session::check::CheckError>(())
    /// ```
    #[must_use]
    pub fn junit(&self, wall_seconds: f64) -> String {
        written(self, wall_seconds)
    }
}

fn written(document: &Document, wall_seconds: f64) -> String {
    let name = document.file.as_deref().unwrap_or("program");
    let (failures, errors) = match document.verdict {
        Verdict::Safe => (0, 0),
        Verdict::Unsafe => (1, 0),
        Verdict::Unknown => (0, 1),
    };
    let counts = format!(
        "tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" time=\"{wall_seconds:.3}\""
    );
    let mut place = String::new();
    if let Some(trace) = &document.trace
        && let Some(step) = trace.steps.last()
        && let (Some(file), Some(line)) = (file(document, trace, step), step.line)
    {
        place = format!(" file=\"{}\" line=\"{line}\"", escaped(file));
    }
    let (file, property) = (escaped(name), escaped(&document.property.join(", ")));
    let result = result(document);
    let notes: Vec<&str> =
        document.warnings.iter().chain(&document.assumptions).map(String::as_str).collect();
    let notes = match notes.is_empty() {
        true => String::new(),
        false => format!("      <system-err>{}</system-err>\n", escaped(&notes.join("\n"))),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"hardbop\" {counts}>\n  \
           <testsuite name=\"{file}\" skipped=\"0\" {counts}>\n    \
             <testcase classname=\"{file}\" name=\"{property}\" time=\"{wall_seconds:.3}\"{place}>\n\
         {result}{notes}    \
             </testcase>\n  \
           </testsuite>\n\
         </testsuites>\n"
    )
}

/// The element for what went wrong, if anything.
fn result(document: &Document) -> String {
    let line = |tag: &str, code: &str, message: &str, text: &str| {
        let (code, message, text) = (escaped(code), escaped(message), escaped(text));
        format!("      <{tag} type=\"{code}\" message=\"{message}\">{text}</{tag}>\n")
    };
    match (document.verdict, &document.trace, &document.reason) {
        (Verdict::Safe, ..) => String::new(),
        (Verdict::Unsafe, Some(trace), _) => {
            line("failure", Rule::of(trace).id, &sentence(trace), &trace.text())
        }
        (Verdict::Unsafe, None, _) => line("failure", "reachable-error", "UNSAFE", ""),
        (Verdict::Unknown, _, Some(reason)) => line("error", &reason.code, &reason.message, ""),
        (Verdict::Unknown, _, None) => line("error", "unknown", "UNKNOWN", ""),
    }
}

/// Text of XML 1.0, which has no control characters but tabs and line ends.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other if other.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}
