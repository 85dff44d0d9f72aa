//! Places in the files of a program as the user wrote them, found from places in the preprocessed
//! text.

use hardbop_base::source::Span;
use hardbop_c::flow::Flow;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    /// The file as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters; `None` where the preprocessor has moved what is there.
    pub column: Option<usize>,
    pub function: String,
}

/// The files of a program, and the text that was made of them.
pub(super) struct Texts<'a> {
    flow: &'a Flow,
    files: Vec<(&'a str, String)>,
    /// The one file is what was read: no preprocessor has changed it, and what marks of one it has
    /// do not count.
    is_own: bool,
}

/// Characters that have to be the same in the file and in the text, up to the end of the line.
const SAME: usize = 12;

impl<'a> Texts<'a> {
    pub fn new(flow: &'a Flow, files: &'a [(String, Vec<u8>)]) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let files: Vec<(&str, String)> = files.iter().map(|(n, b)| (n.as_str(), text(b))).collect();
        let read = &flow.source.text;
        let is_own = matches!(files.as_slice(), [(_, only)] if only.len() == read.len()
            && only.lines().count() == read.lines().count());
        Self { flow, files, is_own }
    }

    /// The place where a span begins in its file; none where the preprocessor has moved it, or it
    /// is not in one of the files.
    pub fn at(&self, span: Span, function: &str) -> Option<At> {
        let (name, line, column) = if self.is_own {
            let (line, column) = self.flow.source.line_column(span.start);
            (self.files[0].0, line, column)
        } else {
            let position = self.flow.source.position(span.start);
            (position.file, position.line, position.column)
        };
        let (file, text) = self.files.iter().find(|(file, _)| *file == name)?;
        let there: String =
            text.lines().nth(line - 1)?.chars().skip(column - 1).take(SAME).collect();
        let read = self.flow.source.text.get(span.start as usize..)?;
        let here: String = read.chars().take_while(|&c| c != '\n').take(SAME).collect();
        let is_same =
            !here.is_empty() && (there.starts_with(&here) || here.starts_with(there.trim_end()));
        let is_same = is_same && !there.trim().is_empty();
        is_same.then(|| At {
            file: (*file).to_owned(),
            line,
            column: Some(column),
            function: function.to_owned(),
        })
    }

    /// The line on which a span begins in its file.
    pub fn line_of(&self, span: Span, function: &str) -> Option<At> {
        let position = self.flow.source.position(span.start);
        let (file, text) = self.files.iter().find(|(file, _)| *file == position.file)?;
        let is_there = text.lines().count() >= position.line;
        is_there.then(|| At {
            file: (*file).to_owned(),
            line: position.line,
            column: None,
            function: function.to_owned(),
        })
    }

    /// The characters of its file before a place; none where its column is not known.
    pub fn offset(&self, at: &At) -> Option<usize> {
        let (_, text) = self.files.iter().find(|(file, _)| *file == at.file)?;
        let before = text.split_inclusive('\n').take(at.line - 1);
        Some(before.map(|line| line.chars().count()).sum::<usize>() + at.column? - 1)
    }

    /// The name of the first file, and whether there are others.
    pub fn first(&self) -> (&'a str, bool) {
        (self.files.first().map_or("", |(name, _)| name), self.files.len() > 1)
    }

    /// The closing parenthesis of the call of `callee` that is all or a part of this span.
    pub fn end_of_call(&self, span: Span, callee: &str, function: &str) -> Option<At> {
        let read = self.flow.source.text.get(span.start as usize..span.end as usize)?;
        let name = read.find(callee)?;
        if read[name + callee.len()..].contains(callee) {
            return None;
        }
        let mut open = 0_usize;
        let mut end = None;
        for (offset, letter) in read.char_indices().skip_while(|&(i, _)| i < name + callee.len()) {
            match letter {
                '(' => open += 1,
                ')' if open == 1 => {
                    end = Some(offset);
                    break;
                }
                ')' => open = open.checked_sub(1)?,
                _ => {}
            }
        }
        let end = span.start as usize + end?;
        // The call itself has to be where it is said to be, and the sign as well.
        self.at(Span::new(span.start as usize + name, end + 1), function)?;
        self.at(Span::new(end, end + 1), function)
    }
}
