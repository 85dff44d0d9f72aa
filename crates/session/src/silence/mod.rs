//! Comments that silence findings, and the lines of a text without its comments.
//!
//! `// hardbop: ignore bounds: the caller checks it` is about the findings of this kind at its line, or at the next line with code
//! where it has a line of its own. It says nothing to the check: the finding is looked for, and is an error if there is one.

mod comment;

use hardbop_base::source::{Diagnostic, Source};
use hardbop_report::document::{Language, Verdict};
use hardbop_report::kept::Silence;
use hardbop_report::properties::{Kind, Property};

/// The text of a file, with its comments.
#[derive(Debug)]
pub struct Text {
    source: Source,
    comments: Vec<(usize, usize)>,
    /// The lines with blanks in place of comments.
    code: Vec<String>,
}

/// A comment that silences findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silencer {
    kinds: Vec<Kind>,
    /// The line that it is about.
    line: usize,
    file: String,
    silence: Silence,
}

impl Text {
    /// The text of a file, as it was written, before any preprocessor.
    #[must_use]
    pub fn new(source: Source, language: Language) -> Self {
        let comments = comment::all(&source.text, language == Language::C);
        let mut code = source.text.clone().into_bytes();
        for &(start, end) in &comments {
            code[start..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|b| *b = b' ');
        }
        let code = String::from_utf8_lossy(&code).lines().map(str::to_owned).collect();
        Self { source, comments, code }
    }

    /// The text as it was read.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What is in a line besides comments and blanks.
    #[must_use]
    pub fn code(&self, line: usize) -> String {
        let line = line.checked_sub(1).and_then(|index| self.code.get(index));
        line.map_or_else(String::new, |line| line.split_whitespace().collect())
    }

    /// The comments that silence findings.
    ///
    /// ```
    /// use hardbop_base::source::Source;
    /// use hardbop_report::document::Language;
    /// use hardbop_session::silence::Text;
    ///
    /// let of = |comment: &str| {
    ///     let source = Source::new("p.c", format!("int i = a[n]; {comment}\n"));
    ///     Text::new(source, Language::C).silencers()
    /// };
    /// assert_eq!(of("// hardbop: ignore bounds: n is below 8").map(|all| all.len()), Ok(1));
    /// assert_eq!(of("// as hardbop says").map(|all| all.len()), Ok(0));
    /// let mistakes = of("// hardbop: ignore bounds").expect_err("there is no reason");
    /// assert_eq!(mistakes[0].message, "this comment gives no reason");
    /// ```
    ///
    /// # Errors
    /// What is wrong in comments to hardbop.
    pub fn silencers(&self) -> Result<Vec<Silencer>, Vec<Diagnostic>> {
        let (mut found, mut mistakes) = (vec![], vec![]);
        for &(start, end) in &self.comments {
            match comment::read(&self.source.text, start, end) {
                None => {}
                Some(Err(mistake)) => mistakes.push(mistake),
                Some(Ok((kinds, reason))) => {
                    let silence = Silence { reason, place: self.place(start) };
                    let file = self.source.name.clone();
                    found.push(Silencer { kinds, line: self.line_of(start, end), file, silence });
                }
            }
        }
        if mistakes.is_empty() { Ok(found) } else { Err(mistakes) }
    }

    fn place(&self, offset: usize) -> String {
        let (line, column) = self.source.line_column(offset as u32);
        format!("{}:{line}:{column}", self.source.name)
    }

    /// The line that a comment is about.
    fn line_of(&self, start: usize, end: usize) -> usize {
        let line = |offset: usize| self.source.line_column(offset as u32).0;
        let (first, last) = (line(start), line(end.max(start + 1) - 1));
        let has_code = |line: &usize| !self.code(*line).is_empty();
        let own = [first, last].into_iter().find(has_code);
        own.or_else(|| (last + 1..=self.code.len()).find(has_code)).unwrap_or(last)
    }
}

impl Silencer {
    /// Whether it is about this kind of finding at this place.
    fn is_about(&self, kind: Kind, (file, line, _): (&str, usize, usize)) -> bool {
        self.line == line && self.file == file && self.kinds.contains(&kind)
    }

    /// Why it can go, for each of its kinds of which no finding is left, once all are decided. Where `are_all` is not so, the program
    /// may have findings that are not among these.
    #[must_use]
    pub fn idle(&self, properties: &[Property], are_all: bool) -> Vec<String> {
        let why = |kind: &Kind| {
            let of_kind = || properties.iter().filter(|p| p.kind == *kind);
            let is_meant = |p: &&Property| p.positions().any(|place| self.is_about(*kind, place));
            let meant: Vec<&Property> = of_kind().filter(is_meant).collect();
            let why = if meant.iter().any(|p| p.verdict != Verdict::Safe) {
                return None;
            } else if !meant.is_empty() {
                "it is proved"
            } else if are_all && of_kind().next().is_some() {
                "there is no such finding"
            } else {
                return None;
            };
            let place = &self.silence.place;
            Some(format!("{place}: 'ignore {}' silences nothing: {why}", kind.name()))
        };
        self.kinds.iter().filter_map(why).collect()
    }
}

/// Silences the findings that comments are about: all of whose places they are about.
pub fn silence(properties: &mut [Property], silencers: &[Silencer]) {
    for property in properties {
        let about = |place: (&str, usize, usize)| {
            silencers.iter().find(|silencer| silencer.is_about(property.kind, place))
        };
        let found: Vec<Option<&Silencer>> = property.positions().map(about).collect();
        if found.iter().all(Option::is_some)
            && let Some(silencer) = found.into_iter().flatten().next()
        {
            property.silenced = Some(silencer.silence.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, language: Language) -> Vec<usize> {
        let text = Text::new(Source::new("p", text), language);
        text.silencers().expect("no mistake").iter().map(|silencer| silencer.line).collect()
    }

    #[test]
    fn a_comment_is_about_its_line_or_the_next_one_with_code() {
        let note = "// hardbop: ignore assertion: known";
        let block = "/* hardbop: ignore\n assertion: known\n to all */";
        for (text, expected) in [
            (format!("x := y; {note}\nz := y;\n"), 1),
            (format!("x := y;\n{note}\nz := y;\n"), 3),
            (format!("x := y;\n  {note}\n  {note}\n// too\n\n z := y;\n"), 6),
            (format!("{block} x := y;\nz := y;\n"), 3),
            (format!("x := y; {block}\nz := y;\n"), 1),
            (format!("{block}\nz := y;\n"), 4),
            (note.to_owned(), 1),
        ] {
            let found = lines(&text, Language::BooleanProgram);
            assert!(found.iter().all(|line| *line == expected) && !found.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_comment_is_none() {
        let text = "char *s = \"// hardbop: ignore bounds\"; /* hardbop: ignore bounds: x */\n";
        assert_eq!(lines(text, Language::C), [1]);
    }
}
