//! JUnit's XML, which build servers read: one test, which passes where the program is SAFE.

use super::rule::{self, Rule, file};
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

/// A test, and what has become of it.
pub(super) struct Test<'a> {
    pub name: String,
    pub seconds: f64,
    /// File and line.
    pub place: Option<(&'a str, usize)>,
    pub result: Verdict,
    /// Why it counts neither as passed nor as failed.
    pub skipped: Option<String>,
    /// Of one that does not pass: what is wrong as a code, as a sentence, and in full.
    pub wrong: [&'a str; 3],
    pub notes: Vec<&'a str>,
}

/// The report of tests of one program.
pub(super) fn suite(program: &str, tests: &[Test], wall_seconds: f64) -> String {
    let counted = tests.iter().filter(|test| test.skipped.is_none());
    let of = |verdict| counted.clone().filter(|test| test.result == verdict).count();
    let skipped = tests.len() - counted.clone().count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{wall_seconds:.3}\"",
        tests.len(),
        of(Verdict::Unsafe),
        of(Verdict::Unknown),
    );
    let program = escaped(program);
    let tests: String = tests.iter().map(|test| test.element(&program)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"hardbop\" {counts}>\n  \
           <testsuite name=\"{program}\" skipped=\"{skipped}\" {counts}>\n\
         {tests}  \
           </testsuite>\n\
         </testsuites>\n"
    )
}

impl Test<'_> {
    fn element(&self, program: &str) -> String {
        let (name, seconds) = (escaped(&self.name), self.seconds);
        let place = self.place.map_or_else(String::new, |(file, line)| {
            format!(" file=\"{}\" line=\"{line}\"", escaped(file))
        });
        let [code, message, text] = self.wrong.map(escaped);
        let tag = match self.result {
            Verdict::Safe => None,
            Verdict::Unsafe => Some("failure"),
            Verdict::Unknown => Some("error"),
        };
        let result = match (&self.skipped, tag) {
            (Some(why), _) => {
                format!("      <skipped message=\"{}: {message}\"/>\n", escaped(why))
            }
            (None, Some(tag)) => {
                format!("      <{tag} type=\"{code}\" message=\"{message}\">{text}</{tag}>\n")
            }
            (None, None) => String::new(),
        };
        let notes = match self.notes.is_empty() {
            true => String::new(),
            false => {
                format!("      <system-err>{}</system-err>\n", escaped(&self.notes.join("\n")))
            }
        };
        format!(
            "    <testcase classname=\"{program}\" name=\"{name}\" time=\"{seconds:.3}\"{place}>\n\
             {result}{notes}    </testcase>\n"
        )
    }
}

fn written(document: &Document, wall_seconds: f64) -> String {
    let program = document.file.as_deref();
    let place = document.trace.as_ref().and_then(|trace| {
        let step = trace.steps.last()?;
        Some((file(program, trace, step)?, step.line?))
    });
    let (sentence, text);
    let wrong = match (document.verdict, &document.trace, &document.reason) {
        (Verdict::Unsafe, Some(trace), _) => {
            (sentence, text) = (rule::sentence(trace), trace.text());
            [Rule::of(trace).id, &sentence, &text]
        }
        (Verdict::Safe | Verdict::Unsafe, ..) => ["reachable-error", "UNSAFE", ""],
        (Verdict::Unknown, _, Some(reason)) => [&*reason.code, &*reason.message, ""],
        (Verdict::Unknown, _, None) => ["unknown", "UNKNOWN", ""],
    };
    let notes = document.warnings.iter().chain(&document.assumptions).map(String::as_str).collect();
    let test = Test {
        name: document.property.join(", "),
        seconds: wall_seconds,
        place,
        result: document.verdict,
        skipped: None,
        wrong,
        notes,
    };
    suite(program.unwrap_or("program"), &[test], wall_seconds)
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
