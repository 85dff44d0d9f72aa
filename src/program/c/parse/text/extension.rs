//! Rewrites extensions of gcc, and parts of newer standards, that lang-c does not parse at all.

use crate::program::c::syntax::known::plain;
use super::patch::{Patcher, UNSUPPORTED_ASM};
use super::tokens::TokenKind;

/// A call of this function is the address of a label.
pub(in crate::program::c::parse) const LABEL: &str = "__hardbop_label";
/// A call of this function is a `goto` to an address.
pub(in crate::program::c::parse) const GOTO: &str = "__hardbop_goto";
/// The result of a selection between types that may be compatible.
pub(in crate::program::c::parse) const COMPATIBLE: &str = "__hardbop_compatible";
/// As [`COMPATIBLE`], where one type is certainly neither qualified nor an enumeration.
pub(in crate::program::c::parse) const SAME_TYPE: &str = "__hardbop_same_type";

/// Something that is refused by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::program::c::parse) struct Refusal {
    /// Offset and length in the original text.
    pub at: usize,
    pub length: usize,
    pub what: &'static str,
    pub hint: &'static str,
}

const BASIC: &[&str] =
    &["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool"];

/// Words with which a type may begin, besides [`BASIC`] ones.
const TYPE_WORDS: &[&str] = &["register", "static", "restrict", "bool", "typeof_unqual", "complex"];

impl Patcher<'_> {
    /// Refuses the text from token `i` on.
    fn refuse(&mut self, i: usize, what: &'static str, hint: &'static str) {
        let token = self.tokens[i];
        let length = token.end - token.start;
        self.refusals.push(Refusal { at: token.start, length, what, hint });
    }

    /// `_Alignas(..)` becomes an attribute.
    pub fn align_as(&mut self, i: usize) {
        let Some(end) = self.closing(i + 1).filter(|_| self.is(i + 1, b'(')) else { return };
        let inside =
            self.text[self.tokens[i + 1].end..self.tokens[end - 1].start].trim().to_owned();
        if inside == "0" {
            return self.blank(i, end);
        }
        let text = if self.is_type(i + 2, end - 1) {
            format!("__attribute__((aligned(_Alignof({inside}))))")
        } else {
            format!("__attribute__((aligned({inside})))")
        };
        self.rewrite(i, end, text);
    }

    /// `_Alignof(expression)`, an extension of gcc, becomes that of the type, which is the same unless a declaration
    /// says otherwise, or it is a member.
    pub fn align_of(&mut self, i: usize) {
        let Some(end) = self.closing(i + 1) else { return };
        let (from, to) = (i + 2, end - 1);
        let first = self.get(from);
        let known = self.kind(from) != Some(TokenKind::Word) || !first.starts_with('_');
        if from >= to || !known || self.is_type(from, to) || TYPE_WORDS.contains(&first) {
            return;
        }
        let plain = (from..to).all(|j| match self.tokens[j].kind {
            TokenKind::Word => !self.is_aligned(self.get(j)),
            TokenKind::Sign(b'-') => !self.is(j + 1, b'>'),
            TokenKind::Sign(sign) => sign != b'.',
            _ => true,
        });
        if !plain {
            let hint = "write the type instead";
            return self.refuse(i, "the alignment of this expression", hint);
        }
        // For an expression, both keywords give the alignment of an object.
        self.replace(i, "__alignof__");
        self.insert(self.tokens[from].start, "__typeof__(");
        self.insert(self.tokens[to].start, ")");
    }

    /// Whether the name stands in a declaration that has an alignment.
    fn is_aligned(&self, name: &str) -> bool {
        let stops = |j: usize| self.is(j, b';') || self.is(j, b'{') || self.is(j, b'}');
        let word = |j: usize| matches!(plain(self.get(j)), "aligned" | "Alignas" | "alignas");
        (0..self.tokens.len()).filter(|&j| word(j)).any(|at| {
            let before = (0..at).rev().take_while(|&j| !stops(j));
            let behind = (at..self.tokens.len()).take_while(|&j| !stops(j));
            before.chain(behind).any(|j| self.get(j) == name)
        })
    }

    /// Whether the tokens `from..to` are a type.
    fn is_type(&self, from: usize, to: usize) -> bool {
        let word = self.get(from);
        if BASIC.contains(&word) {
            return true;
        }
        if ["struct", "union", "enum", "const", "volatile", "_Atomic", "typeof", "__typeof__"]
            .contains(&word)
        {
            return true;
        }
        let named = to == from + 1 || self.is(to - 1, b'*');
        named && self.kind(from) == Some(TokenKind::Word) && self.is_typedef(word)
    }

    /// Whether the last name of some `typedef` is this one.
    fn is_typedef(&self, name: &str) -> bool {
        (0..self.tokens.len()).filter(|&j| self.get(j) == "typedef").any(|j| {
            let mut at = j;
            while at < self.tokens.len() && !self.is(at, b';') {
                at = match self.tokens[at].kind {
                    TokenKind::Sign(b'{') => self.closing(at).unwrap_or(self.tokens.len()),
                    _ => at + 1,
                };
            }
            at > 0 && self.get(at - 1) == name
        })
    }

    /// `__builtin_types_compatible_p(T, U)` becomes a selection.
    pub fn types_compatible(&mut self, i: usize) {
        let Some(end) = self.closing(i + 1).filter(|_| self.is(i + 1, b'(')) else { return };
        let mut depth = 0_usize;
        let comma = (i + 1..end).find(|&j| {
            match self.tokens[j].kind {
                TokenKind::Sign(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Sign(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 1 && self.is(j, b',')
        });
        let Some(comma) = comma.filter(|&j| j > i + 2 && j + 2 < end) else { return };
        let basic = |from: usize, to: usize| (from..to).all(|j| BASIC.contains(&self.get(j)));
        let certain = basic(i + 2, comma) || basic(comma + 1, end - 1);
        // lang-c takes a type of a type for an expression.
        let part = |from: usize, to: usize| {
            let text = &self.text[self.tokens[from].start..self.tokens[to - 1].end];
            match plain(self.get(from)) == "typeof" && self.closing(from + 1) == Some(to) {
                true => text.to_owned(),
                false => format!("__typeof__({text})"),
            }
        };
        let text = format!(
            "_Generic(({}*)0, {}*: {}, default: 0)",
            part(i + 2, comma),
            part(comma + 1, end - 1),
            if certain { SAME_TYPE } else { COMPATIBLE },
        );
        self.rewrite(i, end, text);
    }

    /// `_Pragma("..")` is dropped, unless it is about layout or names.
    pub fn pragma(&mut self, i: usize) {
        let Some(end) = self.closing(i + 1).filter(|_| self.is(i + 1, b'(')) else { return };
        let matters = (i..end).any(|j| {
            let text = self.get(j);
            ["pack", "scalar_storage_order", "weak", "redefine_extname", "ms_struct"]
                .iter()
                .any(|word| text.contains(word))
                && self.kind(j) == Some(TokenKind::Quoted)
        });
        if matters {
            self.refuse(i, "this '_Pragma'", "write it as a line '#pragma ..'");
        }
        self.blank(i, end);
    }

    /// Rewrites `asm goto (..)` and other forms that lang-c does not accept.
    pub fn assembler(&mut self, i: usize) {
        let mut open = i + 1;
        let mut plain = true;
        while self.kind(open) == Some(TokenKind::Word) {
            plain &= matches!(self.get(open), "volatile" | "__volatile__" | "__volatile");
            open += 1;
        }
        if plain || !self.is(open, b'(') {
            // The grammar takes `asm` for a name, and `asm("nop")` for a call.
            if plain && self.get(i) == "asm" && self.kind(open + 1) == Some(TokenKind::Quoted) {
                self.replace(i, "__asm__");
            }
            return;
        }
        let Some(end) = self.closing(open) else { return };
        self.blank(i, end);
        let start = self.tokens[i].start;
        self.insert(start, &format!("{UNSUPPORTED_ASM}()"));
    }

    /// `asm("..");` outside of functions.
    pub fn file_assembler(&mut self, i: usize) {
        let open = i + 1;
        let Some(end) = self.closing(open).filter(|_| self.is(open, b'(')) else { return };
        let empty = (open + 1..end - 1).all(|j| {
            self.kind(j) == Some(TokenKind::Quoted)
                && self.get(j).trim_matches('"').trim().is_empty()
        });
        if !empty {
            let hint = "write in C what it defines, or remove it";
            self.refuse(i, "assembler outside of functions", hint);
        }
        let end = if self.is(end, b';') { end + 1 } else { end };
        self.blank(i, end);
    }

    /// `goto *p;`
    pub fn computed_goto(&mut self, i: usize) {
        let mut depth = 0_usize;
        let end = (i + 2..self.tokens.len()).find(|&j| {
            match self.tokens[j].kind {
                TokenKind::Sign(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Sign(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && self.is(j, b';')
        });
        let Some(end) = end else { return };
        self.rewrite(i, i + 2, format!("{GOTO}("));
        let at = self.tokens[end - 1].end;
        self.insert(at, ")");
    }

    /// `&&label` where an operand is expected; false for an operator.
    pub fn label_address(&mut self, i: usize) -> bool {
        let label = self.is(i + 1, b'&')
            && self.tokens[i].end == self.tokens[i + 1].start
            && self.kind(i + 2) == Some(TokenKind::Word)
            && self.expects_operand(i)
            && self.is_label(i + 2);
        if label {
            let text = format!("{LABEL}({})", self.get(i + 2));
            self.rewrite(i, i + 3, text);
        }
        label
    }

    /// Whether an operand, rather than an operator, stands at `i`.
    fn expects_operand(&self, i: usize) -> bool {
        let Some(before) = i.checked_sub(1) else { return false };
        match self.tokens[before].kind {
            TokenKind::Word => matches!(self.get(before), "return" | "else" | "do" | "case"),
            TokenKind::Number | TokenKind::Quoted => false,
            // Behind a cast.
            TokenKind::Sign(b')') => {
                let cast = self.is(before - 1, b'*') || BASIC.contains(&self.get(before - 1));
                cast && before > 1
            }
            TokenKind::Sign(b']' | b'}') => false,
            TokenKind::Sign(_) => true,
        }
    }

    /// Whether the word at `i` is a label somewhere.
    fn is_label(&self, i: usize) -> bool {
        let name = self.get(i);
        (0..self.tokens.len())
            .any(|j| self.is(j + 1, b':') && self.get(j) == name && !self.is(j.max(1) - 1, b'?'))
    }
}
