//! `__attribute__`: removed if it cannot matter, otherwise kept or noted.

use super::patch::{Patcher, RecordAttributes};

/// Attributes that can change what a program does.
const ATTRIBUTES: &[&str] =
    &["mode", "aligned", "packed", "vector_size", "cleanup", "alias", "constructor", "destructor"];

impl Patcher<'_> {
    /// `__attribute__((..))`: blanked unless it may matter.
    pub fn attribute(&mut self, i: usize) {
        if !self.is(i + 1, b'(') {
            return;
        }
        let Some(end) = self.closing(i + 1) else { return };
        let named = |name: &str| (i + 2..end).any(|j| self.get(j).trim_matches('_') == name);
        let matters = ATTRIBUTES.iter().any(|name| named(name));
        let packed = named("packed");
        if packed && let Some(record) = self.record_around(i, end) {
            let attributes = RecordAttributes { packed: true, limit: None };
            self.records.push((self.tokens[record].start, attributes));
        }
        let is_tag = |j: usize| matches!(self.get(j), "struct" | "union" | "enum");
        let in_front = i > 0 && is_tag(i - 1) || i > 1 && is_tag(i - 2) && self.is(end, b'{');
        if in_front && matters {
            // lang-c accepts it only after the members.
            let open = if self.is(end, b'{') { end } else { end + 1 };
            if let Some(close) = self.closing(open).filter(|_| self.is(open, b'{')) {
                let text = self.text[self.tokens[i].start..self.tokens[end - 1].end].to_owned();
                let at = self.tokens[close - 1].end;
                self.insert(at, &text);
            }
        }
        if in_front || !matters {
            self.blank(i, end);
        }
    }

    /// The word `struct` or `union` of the record to which the attribute at `i..end` belongs.
    fn record_around(&self, i: usize, end: usize) -> Option<usize> {
        let is_record = |j: usize| matches!(self.get(j), "struct" | "union");
        if i > 0 && is_record(i - 1) {
            return Some(i - 1);
        }
        if i > 1 && is_record(i - 2) && self.is(end, b'{') {
            return Some(i - 2);
        }
        self.type_closed_before(i).filter(|&j| is_record(j))
    }

    /// The word `struct`, `union` or `enum` of the member list that ends right before token `i`.
    pub fn type_closed_before(&self, i: usize) -> Option<usize> {
        let open = self.opening(i.checked_sub(1).filter(|&j| self.is(j, b'}'))?)?;
        let is_tag = |j: usize| matches!(self.get(j), "struct" | "union" | "enum");
        let mut at = self.before_attributes(open.checked_sub(1)?)?;
        if !is_tag(at) {
            at = self.before_attributes(at.checked_sub(1)?)?;
        }
        is_tag(at).then_some(at)
    }

    /// The last token before `at` that does not belong to an attribute.
    fn before_attributes(&self, mut at: usize) -> Option<usize> {
        while self.is(at, b')') {
            let word = self.opening(at)?.checked_sub(1)?;
            if !matches!(self.get(word), "__attribute__" | "__attribute") {
                break;
            }
            at = word.checked_sub(1)?;
        }
        Some(at)
    }
}
