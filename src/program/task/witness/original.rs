//! Columns of a file, in what the C preprocessor has made of it.
//!
//! It makes one blank of comments and of several blanks, so a column of the file is another one of its output.  What is in
//! front of a place is the same in both but for blanks and comments, unless a macro was expanded there.

use crate::program::c::comments_of;

/// The lines of a file, with blanks in place of comments.
pub struct Original {
    lines: Vec<Vec<char>>,
}

impl Original {
    pub fn new(text: &str) -> Self {
        let comments = comments_of(text);
        let mut rest = comments.iter().peekable();
        let mut lines = vec![vec![]];
        for (at, c) in text.char_indices() {
            while rest.peek().is_some_and(|(_, end)| *end <= at) {
                rest.next();
            }
            let is_comment = rest.peek().is_some_and(|(start, _)| *start <= at);
            match c {
                '\n' => lines.push(vec![]),
                _ => lines
                    .last_mut()
                    .into_iter()
                    .for_each(|l| l.push(if is_comment { ' ' } else { c })),
            }
        }
        Self { lines }
    }

    /// The offset in bytes, in the output's line, of what begins at a column of a line of the file, both from 1; `None`
    /// where nothing does, or where a macro was expanded in front of it.
    pub fn offset(&self, number: usize, column: usize, output: &str) -> Option<usize> {
        let line = self.lines.get(number.checked_sub(1)?)?;
        let column = column.checked_sub(1)?;
        line.get(column).filter(|c| !c.is_whitespace())?;
        let mut before = line[..column].iter().filter(|c| !c.is_whitespace());
        let mut signs = output.char_indices().filter(|(_, c)| !c.is_whitespace());
        loop {
            let (offset, sign) = signs.next()?;
            match before.next() {
                None => return Some(offset),
                Some(&expected) if expected == sign => {}
                Some(_) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Original;

    #[test]
    fn columns_behind_comments_and_blanks() {
        let original = Original::new(
            "int x;\n  x = 1; /*é*/x  =  2; M(x); x = 3; /* to\n the end */ x = 4;\n",
        );
        let output = "  x = 1; x = 2; if (x) f(); x = 3;\n";
        for (column, found) in [(3, Some(2)), (10, None), (15, Some(9)), (24, Some(16)), (30, None)]
        {
            assert_eq!(original.offset(2, column, output), found, "column {column}");
        }
        assert_eq!(original.offset(3, 13, "            x = 4;\n"), Some(12));
        assert_eq!(original.offset(9, 1, ""), None);
    }
}
