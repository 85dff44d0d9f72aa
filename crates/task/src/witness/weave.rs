//! Finds the places that a witness names in the text of the program, and puts its expressions
//! behind that text.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::content::{Content, Expression, Place, Witness};
use super::files::like;
use crate::reader::Located;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Original, Source, Span};
use hardbop_c::instrument::{FUNCTION, Instrumentation, Point, PointKind, RESULT};

/// A statement of a witness about a place.
struct Saying<'w> {
    kind: PointKind,
    place: &'w Place,
    expression: Option<&'w Expression>,
}

impl Witness {
    /// Whether it is a correctness witness.
    #[must_use]
    pub fn is_of_correctness(&self) -> bool {
        matches!(self.content, Content::Invariants(_))
    }

    /// The place in the witness that says something, and the expression, if there is one.
    #[must_use]
    pub fn said(&self, saying: usize) -> (Span, Option<&str>) {
        let sayings = self.sayings();
        let Some(saying) = sayings.get(saying) else { return (Span::default(), None) };
        let span = saying.expression.map_or(saying.place.span, |e| e.span);
        (span, saying.expression.map(|e| e.text.as_str()))
    }

    /// The text of the program with the expressions behind it, and what is to be woven in where;
    /// `parts` says where its files are in the text.  Where the program has
    /// [originals](Source::originals), places are those of these files; otherwise line marks in the
    /// text do not count.
    ///
    /// # Errors
    /// Places that the program does not have, and expressions that are none; the spans are those of
    /// the witness.
    pub fn woven(
        &self,
        (program, parts): (&Source, &[Range<usize>]),
        witness: &Source,
    ) -> Result<(Source, Instrumentation), Vec<Diagnostic>> {
        let lines = Lines::new(program);
        let file_of = |at: &Range<u32>| parts.iter().position(|p| p.contains(&(at.start as usize)));
        let mut text = program.text.clone();
        let mut points = Vec::new();
        let mut mistakes = Vec::new();
        let name = witness.name.replace(['\\', '"', '\n', '\r'], "_");
        for (number, saying) in (0..).zip(&self.sayings()) {
            let at = lines.ranges(saying.place).unwrap_or_else(|mistake| {
                mistakes.push(mistake);
                vec![]
            });
            let (span, expression) = match saying.expression {
                Some(e) => (e.span, e.text.as_str()),
                None => (saying.place.span, "1"),
            };
            if let (Some(e), Some((at, what))) = (saying.expression, refused(expression)) {
                let found = Span::new(e.span.start as usize + at, e.span.start as usize + at + 1);
                let span = if e.is_literal { found } else { e.span };
                let message = format!("{what} in an expression of a witness is not supported");
                mistakes.push(Diagnostic::new(DiagnosticKind::Unsupported, span, message));
            }
            let (line, _) = witness.line_column(span.start);
            let expression = expression.replace("\\result", RESULT).replace(['\n', '\r'], " ");
            let mut files: Vec<usize> = at.iter().filter_map(file_of).collect();
            files.dedup();
            for file in files {
                let (begin, point) = (text.len(), points.len());
                text.push_str(&format!(
                    "\n# {line} \"{name}\"\nint {FUNCTION}{point}(void) {{ return ("
                ));
                let start = text.len();
                text.push_str(&expression);
                let expression = Span::new(start, text.len());
                text.push_str("); }\n");
                points.push(Point {
                    kind: saying.kind,
                    at: at.iter().filter(|at| file_of(at) == Some(file)).cloned().collect(),
                    function: saying.place.function.as_ref().map(|f| f.text.clone()),
                    expression,
                    text: begin..text.len(),
                    file,
                    saying: number,
                });
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let segments = match &self.content {
            Content::Invariants(_) => None,
            Content::Violation(all) => Some(all.len() as u32),
        };
        let instrumentation = Instrumentation { points, segments, is_strict: false };
        Ok((Source::new(program.name.clone(), text), instrumentation))
    }

    /// Mistakes that were found in the program with the expressions, as ones of the witness.
    #[must_use]
    pub fn blamed(&self, woven: &Instrumentation, mistakes: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let sayings = self.sayings();
        let moved = |span: Span, is_place: bool| {
            let number = woven.point_at(span)?;
            let saying = sayings.get(woven.points[number].saying as usize)?;
            let Some(e) = saying.expression.filter(|_| !is_place) else {
                return Some(saying.place.span);
            };
            let start = woven.points[number].expression.start;
            let offset = |at: u32| (e.span.start + at.saturating_sub(start)).min(e.span.end);
            Some(match e.is_literal {
                true => Span { start: offset(span.start), end: offset(span.end) },
                false => e.span,
            })
        };
        let blamed = mistakes.into_iter().map(|mut mistake| {
            let is_place = mistake.kind == DiagnosticKind::Misplaced;
            mistake.span = moved(mistake.span, is_place).unwrap_or_default();
            mistake.related = None;
            mistake
        });
        blamed.collect()
    }

    fn sayings(&self) -> Vec<Saying<'_>> {
        let segments = match &self.content {
            Content::Invariants(all) => {
                let said = all.iter().map(|i| Saying {
                    kind: match i.of_loop {
                        true => PointKind::LoopInvariant,
                        false => PointKind::LocationInvariant,
                    },
                    place: &i.place,
                    expression: Some(&i.value),
                });
                return said.collect();
            }
            Content::Violation(segments) => segments,
        };
        let mut said = Vec::new();
        for (number, segment) in (0..).zip(segments) {
            let avoid = segment.avoid.iter().map(|w| (PointKind::Avoid(number, w.kind), w));
            let follow = (PointKind::Follow(number, segment.follow.kind), &segment.follow);
            said.extend(avoid.chain([follow]).map(|(kind, waypoint)| Saying {
                kind,
                place: &waypoint.place,
                expression: waypoint.constraint.as_ref(),
            }));
        }
        said
    }
}

/// The first part that would end the expression before its end, or is no expression: the offset,
/// and what it is.
fn refused(expression: &str) -> Option<(usize, &'static str)> {
    let mut open = Vec::new();
    let mut quoted = None;
    let mut letters = expression.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if let Some(sign) = quoted {
            match letter {
                '\\' => drop(letters.next()),
                _ if letter == sign => quoted = None,
                _ => {}
            }
            continue;
        }
        let next = letters.peek().map(|&(_, c)| c);
        match letter {
            '"' | '\'' => quoted = Some(letter),
            '(' | '[' => open.push(letter),
            ')' if open.pop() != Some('(') => return Some((at, "an unmatched ')'")),
            ']' if open.pop() != Some('[') => return Some((at, "an unmatched ']'")),
            '{' | '}' | ';' | '#' => return Some((at, "this sign")),
            '/' if matches!(next, Some('/' | '*')) => return Some((at, "a comment")),
            '\\' if !expression[at..].starts_with("\\result") => {
                return Some((at, "an operator of ACSL"));
            }
            _ => {}
        }
    }
    let unclosed = (!open.is_empty() || quoted.is_some()).then_some("an open bracket or quote");
    unclosed.map(|what| (0, what))
}

/// The closing parenthesis of the call of a function whose name is at this offset; none where that
/// is no call of it.
fn end_of_call(text: &str, at: usize, callee: &str) -> Option<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    if text[..at].ends_with(is_letter) {
        return None;
    }
    let behind = text[at + callee.len()..].trim_start();
    if !behind.starts_with('(') {
        return None;
    }
    let start = text.len() - behind.len();
    let (mut open, mut quoted) = (0_usize, None);
    let mut letters = behind.char_indices();
    while let Some((offset, letter)) = letters.next() {
        match (quoted, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (Some(sign), _) if sign == letter => quoted = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quoted = Some(letter),
            (None, '(') => open += 1,
            (None, ')') => open -= 1,
            (None, _) => {}
        }
        if open == 0 {
            return Some(start + offset);
        }
    }
    None
}

/// The lines of a program.
struct Lines<'a> {
    program: &'a str,
    whole: &'a str,
    originals: &'a [(String, Arc<Original>)],
    /// The names of the files that it has lines of.
    files: BTreeSet<&'a str>,
    lines: Vec<Line<'a>>,
}

/// A line of the text, and which one of which file it is.
struct Line<'a> {
    file: &'a str,
    number: usize,
    start: usize,
    text: &'a str,
}

impl<'a> Lines<'a> {
    fn new(program: &'a Source) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for (number, text) in (1..).zip(program.text.split_inclusive('\n')) {
            let (file, number) = if program.originals().is_empty() {
                (program.name.as_str(), number)
            } else {
                let position = program.position(start as u32);
                (position.file, position.line)
            };
            lines.push(Line { file, number, start, text });
            start += text.len();
        }
        Self {
            program: &program.name,
            whole: &program.text,
            originals: program.originals(),
            files: lines.iter().map(|line| line.file).collect(),
            lines,
        }
    }

    /// The ranges of the text in which a place may be.
    fn ranges(&self, place: &Place) -> Result<Vec<Range<u32>>, Diagnostic> {
        let wrong =
            |span: Span, message: String| Diagnostic::new(DiagnosticKind::Misplaced, span, message);
        let file = match &place.file {
            None => self.program,
            Some(Located { text, span }) => match like(text, self.files.iter().copied())[..] {
                [file] => file,
                [] => return Err(wrong(*span, format!("the program has no file '{text}'"))),
                [one, other, ..] => {
                    let message =
                        format!("the program has several files '{text}': '{one}', '{other}'");
                    return Err(wrong(*span, message));
                }
            },
        };
        let is_file = |line: &&Line| line.file == file;
        let is_there = |line: &&Line| line.number == place.line && is_file(line);
        let there: Vec<&Line> = self.lines.iter().filter(is_there).collect();
        let found = there.iter().filter_map(|line| self.within(line, place));
        let found: Vec<Range<u32>> = found.collect();
        if !found.is_empty() {
            return Ok(found);
        }
        Err(match &place.callee {
            _ if there.is_empty() => {
                let message = format!("the program has nothing in line {}", place.line);
                wrong(place.span, message)
            }
            Some(callee) => {
                let message = format!("line {} has no call of '{}'", place.line, callee.text);
                wrong(place.span, message)
            }
            None => {
                let (line, column) = (place.line, place.column.unwrap_or_default());
                let message = match self.originals {
                    [] => format!("line {line} has no column {column}"),
                    _ => format!(
                        "nothing begins in line {line}, column {column}, or a macro is expanded in front of it"
                    ),
                };
                wrong(place.span, message)
            }
        })
    }

    /// The offsets in a line that may be this place.
    fn within(&self, line: &Line, place: &Place) -> Option<Range<u32>> {
        let range = self.column(line, place.column)?;
        let Some(callee) = &place.callee else { return Some(range) };
        let end = line.start + line.text.len();
        let start = range.start as usize;
        let calls = self.whole.get(start..end)?.match_indices(&callee.text);
        let ends = calls.filter_map(|(at, _)| end_of_call(&self.whole[start..], at, &callee.text));
        let at = (start + { ends }.next()?) as u32;
        Some(at..at + 1)
    }

    /// The offsets in a line that may have this column.
    fn column(&self, line: &Line, column: Option<usize>) -> Option<Range<u32>> {
        let Some(column) = column else {
            return Some(line.start as u32..(line.start + line.text.len()) as u32);
        };
        let offset = match self.originals.iter().find(|(name, _)| name == line.file) {
            Some((_, original)) => original.offset(line.number, column, line.text)?,
            None => line.text.char_indices().nth(column - 1)?.0,
        };
        let at = (line.start + offset) as u32;
        Some(at..at + 1)
    }
}
