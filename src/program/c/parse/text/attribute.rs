//! `__attribute__`: removed if it cannot matter, otherwise kept or noted.

use crate::program::c::syntax::known::{Noted, Treatment, plain, stays, treatment};
use super::patch::Patcher;
use super::patched::RecordAttributes;
use super::tokens::TokenKind;

impl Patcher<'_> {
    /// `__attribute__((..))`: blanked unless it may matter.
    pub fn attribute(&mut self, i: usize) {
        if !self.is(i + 1, b'(') {
            return;
        }
        let Some(end) = self.closing(i + 1) else { return };
        let names = self.attribute_names(i, end);
        let text = self.text[self.tokens[i].start..self.tokens[end - 1].end].to_owned();
        self.attributes(i, end, &names, &text);
    }

    /// `[[..]]`: the same, with the names of gcc's attributes and those of the standard.
    pub fn standard_attribute(&mut self, i: usize) {
        let Some(end) = self.closing(i) else { return };
        let mut names = Vec::new();
        let mut words = Vec::new();
        let mut j = i + 2;
        while j < end - 2 {
            let scope = (self.is(j + 1, b':') && self.is(j + 2, b':')).then(|| self.get(j));
            let gnu = scope.is_none_or(|s| plain(s) == "gnu");
            let name = if scope.is_some() { j + 3 } else { j };
            let arguments = self.is(name + 1, b'(').then(|| self.closing(name + 1)).flatten();
            let behind = arguments.unwrap_or(name + 1).min(end - 2);
            // What the standard alone has changes nothing; other compilers' attributes are not for gcc.
            let known = !matches!(
                plain(self.get(name)),
                "nodiscard" | "maybe_unused" | "likely" | "unlikely"
            );
            if gnu && (known || scope.is_some()) && name < behind {
                names.push(name);
                words.push(&self.text[self.tokens[name].start..self.tokens[behind - 1].end]);
            }
            j = behind + 1;
        }
        let mut text = format!("__attribute__(({}))", words.join(", "));
        // Behind a type, or behind the parameters of a function, gcc drops it.
        let of_type = self.type_closed_before(i).is_some() || i > 0 && self.is(i - 1, b')');
        if of_type {
            names.clear();
        }
        // In `f [[noreturn]] (void)`, it belongs behind the parameters.
        if self.is(end, b'(')
            && i > 0
            && self.kind(i - 1) == Some(TokenKind::Word)
            && let Some(behind) = self.closing(end)
        {
            let at = self.tokens[behind - 1].end;
            let kept = !names.is_empty();
            if kept {
                self.insert(at, &std::mem::take(&mut text));
            }
            self.blank(i, end);
            return;
        }
        if names.is_empty() {
            self.blank(i, end);
        } else {
            self.attributes(i, end, &names, &text);
        }
    }

    /// The attributes of these names in the tokens `i..end`, which mean the same as the text.
    fn attributes(&mut self, i: usize, end: usize, names: &[usize], text: &str) {
        let promises = self.only_promises(names);
        let matters =
            names.iter().any(|&j| stays(plain(self.get(j)))) && !(promises && self.is_nested(i));
        // What is said of the function in `void *__attribute__((noreturn)) f(void)` is said in front of the `*`.
        if matters && promises && i > 0 && self.is(i - 1, b'*') {
            let star = (0..i).rev().find(|&j| !self.is(j, b'*'));
            if let Some(j) = star.filter(|&j| self.kind(j) == Some(TokenKind::Word)) {
                let at = self.tokens[j].end;
                self.insert(at, &format!(" {text}"));
                return self.blank(i, end);
            }
        }
        let packed = names.iter().find(|&&j| plain(self.get(j)) == "packed").copied();
        let mut noted = Vec::new();
        for &j in names {
            let name = plain(self.get(j));
            let treatment = treatment(name);
            let treatment = if name == "weakref" { Treatment::Weak } else { treatment };
            // What lies in these is called at the start or at the end.
            let section = self.get(j + 2);
            let runs = ["init_array", "fini_array", ".ctors", ".dtors", "\".init\"", "\".fini\""];
            if name == "section" && runs.iter().any(|part| section.contains(part)) {
                let (at, name) = (self.tokens[j].start, format!("section({section})"));
                noted.push(Noted { at, name, treatment: Treatment::Refused });
                continue;
            }
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
                let at = self.tokens[close - 1].end;
                self.insert(at, text);
            }
        }
        if in_front || !matters {
            self.blank(i, end);
        } else if self.is(i, b'[') {
            self.rewrite(i, end, text.to_owned());
        }
    }

    /// Whether the attributes that matter only say what calls do.
    fn only_promises(&self, names: &[usize]) -> bool {
        let kept = |&j: &usize| stays(plain(self.get(j)));
        let promise =
            |&j: &usize| matches!(plain(self.get(j)), "noreturn" | "pure" | "const" | "weak");
        names.iter().filter(|j| kept(j)).all(promise)
    }

    /// Whether a parenthesis is open at `i`.
    fn is_nested(&self, i: usize) -> bool {
        let mut at = i;
        while let Some(before) = at.checked_sub(1) {
            match self.tokens[before].kind {
                TokenKind::Sign(b'(' | b'[') => return true,
                TokenKind::Sign(b';' | b'{' | b'}') => return false,
                TokenKind::Sign(b')' | b']') => match self.opening(before) {
                    Some(open) => at = open,
                    None => return false,
                },
                _ => at = before,
            }
        }
        false
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
