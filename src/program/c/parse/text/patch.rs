//! Rewrites GNU C that lang-c does not accept in terms that it does.
//!
//! This changes the length of the text; [`Patched`] maps its offsets back to the original.

use std::collections::HashMap;

use super::acsl::ASSERTION;
use super::clean::{Clean, splice_length, spliced};
use super::extension::Refusal;
use crate::program::c::syntax::known::Noted;
use super::patched::{Patched, RecordAttributes};
use super::tokens::{Token, TokenKind, partners, tokens};
use crate::base::source::{Diagnostic, DiagnosticKind, Span};
use crate::program::c::instrument::FUNCTION;

/// So begin the names that stand in rewritten texts for what C has no words for; no program may have such names.
const OWN: &str = "__hardbop_";
/// What a program may call all the same.
const INVARIANT: &str = "__hardbop_invariant";
/// Stands for the omitted operand of `a ?: b`.
pub(in crate::program::c::parse) const SAME: &str = "__hardbop_same";
/// A call of this function marks a statement as unsupported.
pub(in crate::program::c::parse) const UNSUPPORTED_ASM: &str = "__hardbop_asm_goto";
/// Types that lang-c takes for ordinary names.
const PRELUDE: &str = "typedef __builtin_va_list __int128_t, __uint128_t, __float128, __auto_type;";

/// An edit: the range to remove and the text to insert.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

pub(in crate::program::c::parse) struct Patcher<'a> {
    pub text: &'a str,
    pub tokens: Vec<Token>,
    /// Of each bracket the one that belongs to it.
    partners: Vec<Option<usize>>,
    edits: Vec<Edit>,
    /// Indexed by the offset of the word `struct` or `union` in the original text.
    pub records: Vec<(usize, RecordAttributes)>,
    addressed: std::collections::HashSet<String>,
    pub noted: Vec<Noted>,
    pub refusals: Vec<Refusal>,
    pub mistakes: Vec<Diagnostic>,
    /// Assertions of ACSL.
    pub annotated: Vec<Span>,
    /// Invariants of loops among them that were dropped.
    pub unplaced: Vec<Span>,
}

/// Rewrites a text that has been cleaned.
pub(in crate::program::c::parse) fn patch(clean: &Clean) -> Patched {
    let text = &clean.text;
    let mut patcher = Patcher {
        text,
        tokens: tokens(text),
        partners: Vec::new(),
        edits: Vec::new(),
        records: Vec::new(),
        addressed: Default::default(),
        noted: Vec::new(),
        refusals: Vec::new(),
        mistakes: Vec::new(),
        annotated: Vec::new(),
        unplaced: Vec::new(),
    };
    patcher.splices();
    patcher.partners = partners(&patcher.tokens);
    patcher.pragmas(&clean.packs);
    patcher.assertions(&clean.annotations.assertions);
    let mut depth = 0_usize;
    for i in 0..patcher.tokens.len() {
        match patcher.tokens[i].kind {
            TokenKind::Word => patcher.word(i, depth),
            TokenKind::Sign(sign) => {
                match sign {
                    b'{' => depth += 1,
                    b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                patcher.sign(i, sign, depth);
            }
            TokenKind::Quoted => patcher.escapes(i),
            TokenKind::Number => patcher.number(i),
        }
    }
    patcher.finish()
}

const TYPE_WORDS: &[&str] = &[
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "static",
    "extern",
    "register",
    "auto",
    "typedef",
    "__signed__",
    "__const",
    "__extension__",
    "typeof",
    "__typeof__",
    "inline",
    "__inline",
    "__inline__",
    "_Atomic",
    "_Alignas",
    "_Noreturn",
    "_Thread_local",
    "_Complex",
];
const STORAGE: &[&str] = &["static", "extern", "register", "auto", "const", "volatile", "inline"];
const STATEMENTS: &[&str] = &["if", "while", "for", "switch", "return", "sizeof", "do", "else"];
impl Patcher<'_> {
    pub fn get(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| t.text(self.text))
    }

    pub fn is(&self, i: usize, sign: u8) -> bool {
        self.tokens.get(i).is_some_and(|t| t.is(sign))
    }

    pub fn kind(&self, i: usize) -> Option<TokenKind> {
        self.tokens.get(i).map(|t| t.kind)
    }

    /// Removes tokens `from..to`.
    pub fn blank(&mut self, from: usize, to: usize) {
        let (start, end) = (self.tokens[from].start, self.tokens[to - 1].end);
        self.edits.push(Edit { start, end, text: " ".to_owned() });
    }

    /// Replaces tokens `from..to`.
    pub fn rewrite(&mut self, from: usize, to: usize, text: String) {
        let (start, end) = (self.tokens[from].start, self.tokens[to - 1].end);
        self.edits.push(Edit { start, end, text });
    }

    pub fn replace_bytes(&mut self, start: usize, end: usize, text: String) {
        self.edits.push(Edit { start, end, text });
    }

    pub fn insert(&mut self, at: usize, text: &str) {
        self.edits.push(Edit { start: at, end: at, text: text.to_owned() });
    }

    pub fn replace(&mut self, i: usize, text: &str) {
        let Token { start, end, .. } = self.tokens[i];
        self.edits.push(Edit { start, end, text: text.to_owned() });
    }

    /// The index after the parenthesis that closes the one at `i`.
    pub fn closing(&self, i: usize) -> Option<usize> {
        let bracket = (i..self.tokens.len()).find(|&j| self.tokens[j].is_bracket())?;
        self.partners[bracket].filter(|&j| j > bracket).map(|j| j + 1)
    }

    /// Whether a declaration or statement may begin at `i`.
    fn begins(&self, i: usize) -> bool {
        i == 0 || self.is(i - 1, b';') || self.is(i - 1, b'}') || self.is(i - 1, b'{')
    }

    fn splices(&mut self) {
        let bytes = self.text.as_bytes();
        let mut from = 0;
        while let Some(at) = self.text[from..].find('\\').map(|i| i + from) {
            let length = splice_length(bytes, at);
            if spliced(bytes, at) {
                self.edits.push(Edit { start: at, end: at + length, text: String::new() });
            }
            from = at + length.max(2).min(bytes.len() - at);
            while !self.text.is_char_boundary(from) {
                from += 1;
            }
        }
        // A word may continue after a spliced line: tokens must not contain the backslash.
        if !self.edits.is_empty() {
            self.tokens.retain(|t| !t.is(b'\\'));
        }
    }

    fn pragmas(&mut self, packs: &[(usize, Option<u64>)]) {
        if packs.is_empty() {
            return;
        }
        for token in &self.tokens {
            if matches!(token.text(self.text), "struct" | "union") {
                let behind = packs.partition_point(|&(at, _)| at < token.start);
                if let Some(limit) = behind.checked_sub(1).and_then(|i| packs[i].1) {
                    let attributes = RecordAttributes { packed: false, limit: Some(limit) };
                    self.records.push((token.start, attributes));
                }
            }
        }
    }

    fn word(&mut self, i: usize, depth: usize) {
        match self.get(i) {
            "__attribute__" | "__attribute" => self.attribute(i),
            "__label__" => {
                let end = (i..self.tokens.len()).find(|&j| self.is(j, b';'));
                if let Some(end) = end {
                    self.blank(i, end + 1);
                }
            }
            "asm" | "__asm__" | "__asm" if depth == 0 && self.begins(i) => self.file_assembler(i),
            "asm" | "__asm__" | "__asm" => self.assembler(i),
            "_Alignas" | "alignas" if self.is(i + 1, b'(') => self.align_as(i),
            "_Alignof" | "alignof" | "__alignof__" | "__alignof" if self.is(i + 1, b'(') => {
                self.align_of(i);
            }
            "__builtin_types_compatible_p" => self.types_compatible(i),
            "_Pragma" => self.pragma(i),
            "goto" if self.is(i + 1, b'*') => self.computed_goto(i),
            "__thread" => self.replace(i, "_Thread_local"),
            "__int128" => {
                let unsigned = i > 0 && self.get(i - 1) == "unsigned";
                if unsigned {
                    self.blank(i - 1, i);
                }
                self.replace(i, if unsigned { "__uint128_t" } else { "__int128_t" });
            }
            "offsetof" if self.is(i + 1, b'(') => self.replace(i, "__builtin_offsetof"),
            "_Static_assert" | "static_assert" if self.is(i + 1, b'(') => {
                if let Some(end) = self.closing(i + 1) {
                    // C23 needs no message.
                    if self.tokens[end - 2].kind != TokenKind::Quoted && end > i + 3 {
                        self.insert(self.tokens[end - 1].start, ", \"\"");
                    }
                    self.replace(i, "_Static_assert");
                }
            }
            word if word.starts_with(OWN) && !(word == INVARIANT || word.starts_with(FUNCTION)) => {
                let token = &self.tokens[i];
                let span = Span::new(token.start, token.end);
                let message = format!("'{word}' is a name of hardbop's own");
                let mistake = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
                let hint = format!("rename it: names that begin with '{OWN}' are reserved");
                self.mistakes.push(mistake.with_hint(hint));
            }
            _ => self.implicit_int(i, depth),
        }
    }

    /// Rewrites `\e`, and drops backslashes before characters that need none.
    fn escapes(&mut self, i: usize) {
        let (start, bytes) = (self.tokens[i].start, self.get(i).as_bytes().to_vec());
        let mut at = 0;
        while at + 1 < bytes.len() {
            if bytes[at] != b'\\' {
                at += 1;
                continue;
            }
            let new = match bytes[at + 1] {
                b'e' | b'E' => "\\033",
                b'u' | b'U' if self.universal(i, at) => {
                    at += 2;
                    continue;
                }
                b'%' | b'(' | b'{' | b'[' => "",
                // As gcc, which warns of unknown escapes.
                other if other.is_ascii_alphabetic() && !b"abcfnrtvxuU".contains(&other) => "",
                _ => {
                    self.escape_digits(i, at);
                    at += 2;
                    continue;
                }
            };
            // Remove the backslash of `\%`.
            let end = if new.is_empty() { at + 1 } else { at + 2 };
            let text = new.to_owned();
            self.edits.push(Edit { start: start + at, end: start + end, text });
            at += 2;
        }
    }

    /// The bracket that the one at `i` closes.
    pub fn opening(&self, i: usize) -> Option<usize> {
        let bracket = (0..=i).rev().find(|&j| self.tokens[j].is_bracket())?;
        self.partners[bracket].filter(|&j| j < bracket)
    }

    /// Whether a semicolon at file scope, at `i`, ends nothing.
    fn is_superfluous(&self, i: usize) -> bool {
        if i == 0 || self.is(i - 1, b';') {
            return true;
        }
        // A semicolon after the body of a function.
        if !self.is(i - 1, b'}') {
            return false;
        }
        let Some(open) = self.opening(i - 1).filter(|&open| open > 0) else { return false };
        let attribute = self.opening(open - 1).and_then(|j| j.checked_sub(1));
        self.is(open - 1, b';')
            || self.is(open - 1, b')')
                && !attribute.is_some_and(|j| self.get(j).starts_with("__attribute"))
                && !self.initialises(open)
    }

    /// Whether the brace at `i`, at file scope, is part of an initialiser.
    fn initialises(&self, i: usize) -> bool {
        let mut at = i;
        while let Some(before) = at.checked_sub(1) {
            match self.tokens[before].kind {
                TokenKind::Sign(b'=') => return true,
                TokenKind::Sign(b';') => return false,
                TokenKind::Sign(b')' | b']' | b'}') => match self.opening(before) {
                    Some(open) => at = open,
                    None => return false,
                },
                _ => at = before,
            }
        }
        false
    }

    /// Inserts `int` in `main() {` and `static x;`.
    fn implicit_int(&mut self, i: usize, depth: usize) {
        let word = self.get(i);
        let named = !TYPE_WORDS.contains(&word) && !STATEMENTS.contains(&word);
        let first = self.begins(i);
        let mut behind_storage = false;
        if !first && i > 0 && STORAGE.contains(&self.get(i - 1)) {
            let mut j = i - 1;
            while j > 0 && STORAGE.contains(&self.get(j - 1)) {
                j -= 1;
            }
            behind_storage = self.begins(j) && self.type_closed_before(j).is_none();
        }
        if !named || !(behind_storage || first && depth == 0) {
            return;
        }
        let missing = if self.is(i + 1, b'(') {
            // A function definition or declaration; in `T (*f)(int)`, another parenthesis follows.
            self.closing(i + 1).is_some_and(|end| !self.is(end, b'(') && !self.is(end, b'['))
                && !self.is(i + 2, b'*')
                && (behind_storage || self.type_closed_before(i).is_none())
        } else {
            [b';', b'=', b',', b'['].into_iter().any(|sign| self.is(i + 1, sign))
                && (behind_storage || self.type_closed_before(i).is_none())
        };
        if missing {
            let start = self.tokens[i].start;
            self.insert(start, "int ");
        }
    }

    /// Whether the closing brace is that of a structure or union.
    fn ends_record(&self, brace: usize) -> bool {
        self.type_closed_before(brace + 1).is_some_and(|tag| self.get(tag) != "enum")
    }

    fn sign(&mut self, i: usize, sign: u8, depth: usize) {
        match sign {
            b'[' if self.is(i + 1, b'[') => self.standard_attribute(i),
            b'?' if self.is(i + 1, b':') => {
                let at = self.tokens[i].end;
                self.insert(at, SAME);
            }
            b':' => {
                let declaration =
                    TYPE_WORDS.contains(&self.get(i + 1)) || self.label_before_declaration(i);
                if self.is(i + 1, b'}') || declaration {
                    let at = self.tokens[i].end;
                    self.insert(at, ";");
                }
            }
            b';' if depth == 0 && self.is_superfluous(i) => self.blank(i, i + 1),
            // gcc warns of a last member without a semicolon.
            b'}' if i > 0
                && !self.is(i - 1, b';')
                && !self.is(i - 1, b'{')
                && self.ends_record(i) =>
            {
                let at = self.tokens[i].start;
                self.insert(at, ";");
            }
            b'{' if self.is(i + 1, b'}') && i > 1 && self.is(i - 1, b')') => {
                // An empty compound literal.
                let open = self.opening(i - 1);
                let before = open.and_then(|j| j.checked_sub(1));
                if before.is_some_and(|j| {
                    matches!(self.tokens[j].kind, TokenKind::Sign(b'=' | b',' | b'(' | b'&' | b'?'))
                        || self.get(j) == "return"
                }) {
                    let at = self.tokens[i].end;
                    self.insert(at, "0");
                }
            }
            // `a && b` takes no address; a single `&` after `&&` still does.
            b'&' if self.label_address(i) => {}
            b'&' if self.joined(i) && !self.joined(i - 1) => {}
            b'&' if self.kind(i + 1) == Some(TokenKind::Word) => {
                let name = self.get(i + 1).to_owned();
                self.addressed.insert(name);
            }
            b'&' if self.is(i + 1, b'(') => {
                let name = (i + 1..self.tokens.len()).find(|&j| !self.is(j, b'('));
                let name = name.map_or("", |j| self.get(j)).to_owned();
                self.addressed.insert(name);
            }
            _ => {}
        }
    }

    /// Whether the same sign is directly before the one at `i`.
    fn joined(&self, i: usize) -> bool {
        i > 0
            && self.tokens[i - 1].kind == self.tokens[i].kind
            && self.tokens[i - 1].end == self.tokens[i].start
    }

    /// `label: Type name`.
    fn label_before_declaration(&self, colon: usize) -> bool {
        colon >= 1
            && self.kind(colon - 1) == Some(TokenKind::Word)
            && (self.get(colon - 1) == "default" || colon >= 2 && self.begins(colon - 1))
            && self.kind(colon + 1) == Some(TokenKind::Word)
            && self.kind(colon + 2) == Some(TokenKind::Word)
            && !["goto", "return", "case", "else", "do", "sizeof"].contains(&self.get(colon + 1))
            && !STATEMENTS.contains(&self.get(colon + 1))
    }

    fn finish(mut self) -> Patched {
        // Insertions come before removals at the same place.
        self.edits.sort_by_key(|e| (e.start, e.end));
        let prelude = ["__int128", "__uint128_t", "__float128", "__auto_type"]
            .iter()
            .any(|w| self.text.contains(w));
        let mut text = String::with_capacity(self.text.len() + 64);
        let mut map = Vec::new();
        if prelude {
            text.push_str(PRELUDE);
            map.push((0, 0));
            map.push((text.len(), 0));
        }
        let mut starts: Vec<(usize, usize)> = map.clone();
        let mut copied = 0;
        for edit in &self.edits {
            if edit.start < copied {
                if edit.text.starts_with(ASSERTION) {
                    self.mistakes.push(lost(Span::new(edit.start, edit.end)));
                }
                continue;
            }
            text.push_str(&self.text[copied..edit.start]);
            starts.push((text.len(), edit.start));
            text.push_str(&edit.text);
            copied = edit.end;
            starts.push((text.len(), edit.end));
        }
        text.push_str(&self.text[copied..]);
        let mut patched = Patched {
            text,
            edits: starts,
            prelude: if prelude { PRELUDE.len() } else { 0 },
            records: HashMap::new(),
            transparent: self.text.contains("transparent_union"),
            addressed: self.addressed,
            noted: self.noted,
            refusals: self.refusals,
            mistakes: self.mistakes,
            assertions: self.annotated,
            unplaced: self.unplaced,
        };
        for (original, attributes) in self.records {
            let at = patched.patched_offset(original);
            let entry = patched.records.entry(at).or_default();
            entry.packed |= attributes.packed;
            entry.limit = entry.limit.or(attributes.limit);
        }
        patched
    }
}

/// An assertion in a part of the text that is not read.
fn lost(span: Span) -> Diagnostic {
    let message = "an assertion here is not supported";
    Diagnostic::new(DiagnosticKind::Unsupported, span, message).with_label("not supported here")
}
