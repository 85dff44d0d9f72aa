//! Columns of a file, and offsets in what the C preprocessor has made of it.
//!
//! A preprocessor makes one blank of comments and of several blanks, and other text of macros; a
//! line of the file may become several lines with marks between them.  So both are compared word by
//! word.  Where they differ, a word of the file is the name of a macro, with its arguments if there
//! are any; what it has become ends where the next word of the file stands outside of all brackets.

/// A file before the preprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// The lines of the file, with blanks in place of comments.
    lines: Vec<String>,
}

/// Length of a line up to which it is compared.
const LONGEST: usize = 1 << 14;

/// A word, a string, or a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word<'a> {
    /// The first byte.
    start: usize,
    text: &'a str,
}

impl Word<'_> {
    fn opens(self) -> bool {
        matches!(self.text, "(" | "[" | "{")
    }

    fn closes(self) -> bool {
        matches!(self.text, ")" | "]" | "}")
    }

    fn is_name(self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
    }
}

impl Original {
    /// The text of a file, and where it has comments, as ranges of offsets in bytes in the order of
    /// the text.
    #[must_use]
    pub fn new(text: &str, comments: &[(usize, usize)]) -> Self {
        let mut rest = comments.iter().peekable();
        let mut lines = vec![String::new()];
        for (at, c) in text.char_indices() {
            while rest.peek().is_some_and(|(_, end)| *end <= at) {
                rest.next();
            }
            let is_comment = rest.peek().is_some_and(|(start, _)| *start <= at);
            match (c, lines.last_mut()) {
                ('\n', _) => lines.push(String::new()),
                (_, Some(line)) => line.push(if is_comment { ' ' } else { c }),
                (_, None) => {}
            }
        }
        Self { lines }
    }

    /// The offset in `output`, what has become of a line of the file, of what begins at a column of
    /// that line, both from 1; `None` where nothing does, or a macro.
    #[must_use]
    pub fn offset(&self, number: usize, column: usize, output: &str) -> Option<usize> {
        let line = self.line(number, output)?;
        let start = line.char_indices().nth(column.checked_sub(1)?)?.0;
        let is_there = |(from, _, is_same): &(Word, Word, bool)| {
            let end = if *is_same { from.start + from.text.len() } else { from.start + 1 };
            (from.start..end).contains(&start)
        };
        let (from, to, _) = aligned(line, output).into_iter().find(is_there)?;
        Some(to.start + (start - from.start))
    }

    /// The column, from 1, in a line of the file, of what is at an offset in `output`, which has
    /// become of that line; of a macro where the offset is in what has become of one.
    #[must_use]
    pub fn column(&self, number: usize, output: &str, offset: usize) -> Option<usize> {
        let line = self.line(number, output)?;
        let words = aligned(line, output);
        let (from, to, is_same) =
            words.into_iter().take_while(|(_, to, _)| to.start <= offset).last()?;
        let within = if is_same { offset - to.start } else { 0 };
        if is_same && within >= to.text.len() {
            return None;
        }
        let before = line.get(..from.start + within)?;
        Some(before.chars().count() + 1)
    }

    fn line(&self, number: usize, output: &str) -> Option<&str> {
        let line = self.lines.get(number.checked_sub(1)?)?;
        (line.len() <= LONGEST && output.len() <= LONGEST).then_some(line)
    }
}

/// Words of a line of the file with those that they have become, and whether they are the same;
/// else the first is a macro, and the second is where its text begins.
fn aligned<'a>(line: &'a str, output: &'a str) -> Vec<(Word<'a>, Word<'a>, bool)> {
    let (line, output) = (words(line), words(output));
    let mut found = vec![];
    let mut tries = TRIES;
    // The way with the fewest macros is the likeliest.
    for macros in 0..=MACROS {
        found.clear();
        if align((&line, 0), (&output, 0), macros, &mut tries, &mut found) {
            return found;
        }
    }
    // What was tried last is no better than another way, but for what is in front of the first
    // macro.
    let first = found.iter().position(|(_, _, is_same)| !is_same);
    found.truncate(first.map_or(found.len(), |first| first + 1));
    found
}

/// Macros that a line may have.
const MACROS: usize = 8;

/// Ends of macros that are tried for a line.
const TRIES: usize = 256;

/// Aligns words from these on to the ends of both, with so many macros at most; whether that is
/// possible.
fn align<'a>(
    (line, mut i): (&[Word<'a>], usize),
    (output, mut o): (&[Word<'a>], usize),
    macros: usize,
    tries: &mut usize,
    found: &mut Vec<(Word<'a>, Word<'a>, bool)>,
) -> bool {
    loop {
        let (Some(&from), Some(&to)) = (line.get(i), output.get(o)) else {
            return i >= line.len() && o >= output.len();
        };
        if from.text == to.text {
            found.push((from, to, true));
            (i, o) = (i + 1, o + 1);
            continue;
        }
        if !from.is_name() {
            return false;
        }
        found.push((from, to, false));
        let Some(macros) = macros.checked_sub(1) else { return false };
        // Past the macro and its arguments.
        i += 1;
        if line.get(i).is_some_and(|word| word.text == "(") {
            i = closed(line, i);
        }
        // All of the rest is its text, where the file goes on in another line or not at all.
        let Some(next) = line.get(i) else { return true };
        let length = found.len();
        let mut last = found.clone();
        for end in outside(&output[o..], next.text) {
            let Some(left) = tries.checked_sub(1) else { break };
            *tries = left;
            if align((line, i), (output, o + end), macros, tries, found) {
                return true;
            }
            last = std::mem::take(found);
            found.extend_from_slice(&last[..length]);
        }
        *found = last;
        return false;
    }
}

/// The word behind the bracket that closes the one at `open`.
fn closed(words: &[Word], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, word) in words.iter().enumerate().skip(open) {
        depth += usize::from(word.opens());
        depth -= usize::from(word.closes() && depth > 0);
        if depth == 0 {
            return index + 1;
        }
    }
    words.len()
}

/// The positions at which a word is this text, outside of brackets that are opened here.
fn outside(words: &[Word], text: &str) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut found = vec![];
    for (index, word) in words.iter().enumerate() {
        if depth == 0 && word.text == text {
            found.push(index);
        }
        depth += usize::from(word.opens());
        depth -= usize::from(word.closes() && depth > 0);
    }
    found
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = vec![];
    let mut letters = text.char_indices().peekable();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    while let Some((start, c)) = letters.next() {
        if c.is_whitespace() {
            continue;
        }
        let next = letters.peek().map(|&(_, c)| c);
        if c == '/' && next == Some('/') {
            break;
        }
        if c == '/' && next == Some('*') {
            let end = text[start + 2..].find("*/").map_or(text.len(), |at| start + 2 + at + 2);
            while letters.next_if(|&(at, _)| at < end).is_some() {}
            continue;
        }
        if is_letter(c) {
            while letters.next_if(|&(_, c)| is_letter(c)).is_some() {}
        } else if c == '"' || c == '\'' {
            while let Some((_, inner)) = letters.next() {
                match inner {
                    '\\' => drop(letters.next()),
                    _ if inner == c => break,
                    _ => {}
                }
            }
        }
        let end = letters.peek().map_or(text.len(), |&(end, _)| end);
        found.push(Word { start, text: &text[start..end] });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Original;

    #[test]
    fn columns_behind_comments_and_blanks() {
        let text = "int x;\n  x = 1; /*é*/x  =  2; M(x); x = 3; /* to\n the end */ x = 4;\n";
        let comment =
            |part: &str| (text.find(part).unwrap(), text.find(part).unwrap() + part.len());
        let original = Original::new(text, &[comment("/*é*/"), comment("/* to\n the end */")]);
        let output = "  x = 1; x = 2; if (x) f(); x = 3;\n";
        for (column, found) in [
            (3, Some(2)),
            (10, None),
            (15, Some(9)),
            (24, Some(16)),
            (25, None),
            (30, Some(28)),
            (90, None),
        ] {
            assert_eq!(original.offset(2, column, output), found, "column {column}");
        }
        for (offset, column) in [(2, 3), (9, 15), (16, 24), (23, 24), (28, 30), (30, 32)] {
            assert_eq!(original.column(2, output, offset), Some(column), "offset {offset}");
        }
        assert_eq!(original.offset(3, 13, "            x = 4;\n"), Some(12));
        assert_eq!(original.offset(9, 1, ""), None);
    }

    #[test]
    fn two_macros_on_a_line() {
        let original = Original::new("  assert(a); assert(b == ';'); f(X);\n", &[]);
        let output = " ((a) ? 0 : ({ g(); h(); })); ((b == ';') ? 0 : ({ g(); h(); })); f(12);\n";
        let column = |part: &str| original.column(1, output, output.find(part).unwrap());
        assert_eq!(column("((a)"), Some(3));
        assert_eq!(column("h()"), Some(3));
        assert_eq!(column("((b"), Some(14));
        assert_eq!(column("f(12"), Some(32));
        assert_eq!(column("12"), Some(34));
    }

    #[test]
    fn a_macro_of_several_statements() {
        let original = Original::new("  BOTH(x); y = 1;\n", &[]);
        let output = "  f(x); g(x); y = 1;\n";
        let column = |part: &str| original.column(1, output, output.find(part).unwrap());
        for (part, at) in [("f(x", 3), ("g(x", 3), ("y =", 12)] {
            assert_eq!(column(part), Some(at), "{part}");
        }
        // Nothing is said of what cannot be.
        let other = "  f(x); g(x) + 3\n";
        assert_eq!(original.column(1, other, other.find("g(x").unwrap()), Some(3));
    }
}
