//! Words that begin something: names that are types, and words that only newer standards reserve.

use super::Parser;
use crate::syntax::token::{Kind, Sign, Word};

/// A word that C23 reserves, where the text does not declare it as something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NewWord {
    AlignAs,
    AlignOf,
    Bool,
    Constexpr,
    False,
    NullPointer,
    OffsetOf,
    StaticAssert,
    ThreadLocal,
    True,
    TypeOfUnqualified,
}

impl Parser<'_> {
    /// The word of C23 that the token at an index is; `offsetof` is one of them.
    pub(super) fn new_word(&self, i: usize) -> Option<NewWord> {
        let token = self.token_at(i);
        if token.kind != Kind::Name {
            return None;
        }
        let text = self.text_of(token);
        let in_front = self.token_at(i + 1).kind == Kind::Sign(Sign::OpenRound);
        let word = match text {
            "alignas" if in_front => NewWord::AlignAs,
            "alignof" if in_front => NewWord::AlignOf,
            "bool" => NewWord::Bool,
            "constexpr" => NewWord::Constexpr,
            "false" => NewWord::False,
            "nullptr" => NewWord::NullPointer,
            "offsetof" if in_front => NewWord::OffsetOf,
            "static_assert" if in_front => NewWord::StaticAssert,
            "thread_local" => NewWord::ThreadLocal,
            "true" => NewWord::True,
            "typeof_unqual" if in_front => NewWord::TypeOfUnqualified,
            _ => return None,
        };
        (!self.names.is_known(text)).then_some(word)
    }

    /// Whether a type begins at a token.
    pub(super) fn begins_type(&self, i: usize) -> bool {
        match self.token_at(i).kind {
            Kind::Word(word) => word.begins_type(),
            Kind::Name => {
                self.names.is_type(self.text_of(self.token_at(i)))
                    || matches!(self.new_word(i), Some(NewWord::Bool | NewWord::TypeOfUnqualified))
            }
            _ => false,
        }
    }

    /// Whether a declaration begins at a token.
    pub(super) fn begins_declaration(&self, i: usize) -> bool {
        let mut i = i;
        while self.token_at(i).kind == Kind::Word(Word::Extension) {
            i += 1;
        }
        match self.token_at(i).kind {
            Kind::Word(word) => word.begins_declaration(),
            Kind::Name => {
                self.begins_type(i)
                    || match self.new_word(i) {
                        Some(NewWord::AlignAs) => true,
                        // A name of something else, unless a type follows.
                        Some(NewWord::Constexpr | NewWord::ThreadLocal) => {
                            self.begins_declaration(i + 1)
                        }
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    /// Whether a static assertion begins here.
    pub(super) fn begins_static_assert(&self) -> bool {
        let mut i = self.at;
        while self.token_at(i).kind == Kind::Word(Word::Extension) {
            i += 1;
        }
        self.token_at(i).kind == Kind::Word(Word::StaticAssert)
            || self.new_word(i) == Some(NewWord::StaticAssert)
    }
}
