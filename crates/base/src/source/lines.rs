//! Lines of the files that a text was made of.
//!
//! A preprocessor leaves marks (`# 12 "file.c"`, `#line 12`) in its output; with them a place in
//! the text has a file and a line of its own.

/// A place as the user knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position<'a> {
    pub file: &'a str,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1, in characters.
    pub column: usize,
}

/// The files and lines from which pieces of a text come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineMap {
    /// Line of the text (from 1) behind a mark, file, and the line's number there; sorted.
    marks: Vec<(usize, u32, usize)>,
    files: Vec<String>,
}

impl LineMap {
    /// Says that line `line` of the text is line `number` of `file` (`None`: of the file before).
    /// Lines must be given in order.
    pub fn mark(&mut self, line: usize, file: Option<&str>, number: usize) {
        let last = self.marks.last().map(|&(_, file, _)| file);
        let file = match file {
            Some(name) => {
                let known = self.files.iter().position(|f| f == name);
                Some(known.unwrap_or_else(|| {
                    self.files.push(name.to_owned());
                    self.files.len() - 1
                }) as u32)
            }
            None => last,
        };
        self.marks.push((line, file.unwrap_or(u32::MAX), number));
    }

    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// File (`None`: the text's own name) and line number of a line of the text.
    pub(super) fn find(&self, line: usize) -> (Option<&str>, usize) {
        let behind = self.marks.partition_point(|&(start, ..)| start <= line);
        let Some(&(start, file, number)) = behind.checked_sub(1).map(|i| &self.marks[i]) else {
            return (None, line);
        };
        (self.files.get(file as usize).map(String::as_str), number + (line - start))
    }
}
