//! `__attribute__`: removed if it cannot matter, otherwise kept or noted.

use super::known::{Noted, Treatment, plain, treatment};
use super::patch::{Patcher, RecordAttributes};

impl Patcher<'_> {
    /// `__attribute__((..))`: blanked unless it may matter.
    pub fn attribute(&mut self, i: usize) {
        if !self.is(i + 1, b'(') {
            return;
        }
        let Some(end) = self.closing(i + 1) else { return };
        let names = self.attribute_names(i, end);
        let treated = |t: Treatment| names.iter().any(|&j| treatment(plain(self.get(j))) == t);
        let matters = treated(Treatment::Read);
        let packed = names.iter().find(|&&j| plain(self.get(j)) == "packed").copied();
        let mut noted = Vec::new();
        for &j in &names {
            let name = plain(self.get(j));
            let treatment = treatment(name);
            let treatment = if name == "weakref" { Treatment::Weak } else { treatment };
            if matches!(treatment, Treatment::Harmless | Treatment::Read) {
                continue;
            }
            // The order of bytes that all machines have that hardbop knows.
            if name == "scalar_storage_order" && self.get(j + 2).contains("little") {
                continue;
            }
            noted.push(Noted { at: self.tokens[j].start, name: name.to_owned(), treatment });
        }
        if let Some(j) = packed
            && self.record_around(i, end).is_none()
            && self.tag_around(i, end).is_some()
        {
            let (at, name) = (self.tokens[j].start, "packed' on an 'enum".to_owned());
            noted.push(Noted { at, name, treatment: Treatment::Refused });
        }
        self.noted.extend(noted);
        if packed.is_some()
            && let Some(record) = self.record_around(i, end)
        {
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

    /// The tokens that name the attributes in `__attribute__((a, b(c)))`.
    fn attribute_names(&self, i: usize, end: usize) -> Vec<usize> {
        let mut depth = 0_usize;
        let mut names = Vec::new();
        for j in i + 1..end {
            if self.is(j, b'(') {
                depth += 1;
            } else if self.is(j, b')') {
                depth = depth.saturating_sub(1);
            } else if depth == 2 && (self.is(j - 1, b'(') || self.is(j - 1, b',')) {
                names.push(j);
            }
        }
        // An empty place between commas is no name.
        names.retain(|&j| !self.is(j, b','));
        names
    }

    /// The word `struct` or `union` of the record to which the attribute at `i..end` belongs.
    fn record_around(&self, i: usize, end: usize) -> Option<usize> {
        self.tag_around(i, end).filter(|&j| matches!(self.get(j), "struct" | "union"))
    }

    /// The word `struct`, `union` or `enum` of the type to which the attribute at `i..end` belongs.
    fn tag_around(&self, i: usize, end: usize) -> Option<usize> {
        let is_tag = |j: usize| matches!(self.get(j), "struct" | "union" | "enum");
        if i > 0 && is_tag(i - 1) {
            return Some(i - 1);
        }
        if i > 1 && is_tag(i - 2) && self.is(end, b'{') {
            return Some(i - 2);
        }
        self.type_closed_before(i)
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
