//! A text that lang-c accepts, and how its offsets are those of the original.

use std::collections::HashMap;

use super::extension::Refusal;
use crate::program::c::syntax::known::Noted;
use crate::base::source::{Diagnostic, Span};

/// Attributes of a record that change its layout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::program::c::parse) struct RecordAttributes {
    pub packed: bool,
    /// The limit of `#pragma pack(n)`.
    pub limit: Option<u64>,
}

/// A text that lang-c accepts.
#[derive(Debug)]
pub(in crate::program::c::parse) struct Patched {
    pub text: String,
    /// For each edit, the position after it in `text` and the corresponding original offset; sorted.
    pub edits: Vec<(usize, usize)>,
    /// The number of bytes inserted at the front.
    pub prelude: usize,
    /// Indexed by the (patched) offset of the word `struct` or `union`.
    pub records: HashMap<usize, RecordAttributes>,
    /// Whether a union may be transparent.
    pub transparent: bool,
    /// Names that follow an `&` somewhere.
    pub addressed: std::collections::HashSet<String>,
    /// Attributes that are refused, or ignored with a warning.
    pub noted: Vec<Noted>,
    /// What is refused by name.
    pub refusals: Vec<Refusal>,
    /// Mistakes of which lang-c would tell in other words.
    pub mistakes: Vec<Diagnostic>,
    /// Invariants of loops in ACSL that are not in front of a statement of a block, in the original text.
    pub unplaced: Vec<Span>,
    /// Assertions of ACSL in the original text.
    pub assertions: Vec<Span>,
}

impl Patched {
    /// Converts a span to one of the original text.
    pub fn span(&self, span: lang_c::span::Span) -> Span {
        // lang-c includes trailing blanks in its spans.
        let text = self.text.get(span.start..span.end).unwrap_or("");
        let start = self.offset(span.start);
        Span::new(start, self.offset(span.start + text.trim_end().len()).max(start))
    }

    pub fn offset(&self, at: usize) -> usize {
        let i = self.edits.partition_point(|&(position, _)| position <= at);
        let Some(&(position, original)) = i.checked_sub(1).map(|i| &self.edits[i]) else {
            return at;
        };
        // Positions within inserted text map to the place of the insertion.
        let next = self.edits.get(i).map_or(usize::MAX, |&(_, original)| original);
        (original + (at - position)).min(next)
    }

    /// Makes the offsets those of a longer text, in which the original begins at `start`.
    pub fn move_by(&mut self, start: usize) {
        if self.edits.first().is_none_or(|&(position, _)| position > 0) {
            self.edits.insert(0, (0, 0));
        }
        self.edits.iter_mut().for_each(|(_, original)| *original += start);
        self.noted.iter_mut().for_each(|noted| noted.at += start);
        self.refusals.iter_mut().for_each(|refusal| refusal.at += start);
        for span in &mut self.assertions {
            *span = Span::new(span.start as usize + start, span.end as usize + start);
        }
    }

    /// The assertion of ACSL that has this original offset.
    pub fn assertion_at(&self, at: usize) -> Option<Span> {
        let within = |span: &&Span| (span.start as usize..span.end as usize).contains(&at);
        self.assertions.iter().find(within).copied()
    }

    /// The patched position of an original offset that no edit removed.
    pub fn patched_offset(&self, original: usize) -> usize {
        let i = self.edits.partition_point(|&(_, o)| o <= original);
        match i.checked_sub(1).map(|i| self.edits[i]) {
            Some((position, start)) => position + (original - start),
            None => original,
        }
    }
}
