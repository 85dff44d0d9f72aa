//! The syntax of C: from a preprocessed text to its tree, as GNU C17 and C23 have it.
//!
//! `lexer` splits the text, `attributes` takes out what changes nothing, and `parser` builds the [`tree`].

mod attributes;
pub(crate) mod known;
mod lexer;
mod limits;
mod names;
mod number;
mod parser;
pub(crate) mod splice;
#[cfg(test)]
mod tests;
mod token;
pub(crate) mod tree;

use std::collections::HashSet;

pub(crate) use attributes::Refusal;
pub(crate) use lexer::Replacement;

use self::known::Noted;
use self::lexer::Lexed;
use self::parser::Surroundings;
use self::token::{Kind, Sign, Token};
use self::tree::TranslationUnit;
use hardbop_base::source::{Diagnostic, Span};

/// A text to be read.
#[derive(Debug)]
pub(crate) struct Input<'t> {
    /// Without comments and directives.
    pub text: &'t str,
    /// The text of the program, for messages.
    pub program: &'t str,
    /// Where the text begins in it.
    pub base: usize,
    /// Texts that are read in place of parts of this one.
    pub replacements: &'t [Replacement],
    /// Offset and limit of each `#pragma pack`; `None` removes the limit.
    pub packs: &'t [(usize, Option<u64>)],
    /// Assertions of ACSL, in the text of the program.
    pub assertions: &'t [Span],
}

/// A file as a tree.
#[derive(Debug)]
pub(crate) struct File {
    pub unit: TranslationUnit,
    /// The text without comments and directives.
    pub text: String,
    lexed: Lexed,
    /// Names that follow an `&` somewhere.
    pub addressed: HashSet<String>,
    /// Attributes that are refused, or ignored with a warning.
    pub noted: Vec<Noted>,
    /// Parts of the text that are refused by name.
    pub refusals: Vec<Refusal>,
}

impl File {
    /// The tokens in a part of the text, with blanks between them.
    pub fn said(&self, span: Span) -> String {
        self.words(span).collect::<Vec<_>>().join(" ")
    }

    /// The tokens in a part of the text of the program.
    pub fn words(&self, span: Span) -> impl Iterator<Item = &str> {
        let tokens = &self.lexed.tokens;
        let first = tokens.partition_point(|token| token.span.start < span.start);
        let within = tokens[first..].iter().take_while(move |t| t.span.end <= span.end);
        within.filter(|t| t.kind != Kind::End).map(|token| self.lexed.text_of(*token))
    }
}

/// Reads a text.
///
/// # Errors
/// The mistakes, or the first of them, in order of the text.
pub(crate) fn parse(
    input: &Input,
    is_allowed: impl Fn(&str) -> bool,
) -> Result<File, Vec<Diagnostic>> {
    let mut lexed = lexer::lex(input.text, input.base, input.replacements, is_allowed);
    if !lexed.mistakes.is_empty() {
        return Err(std::mem::take(&mut lexed.mistakes));
    }
    if let Some(mistake) = limits::too_deep(&lexed) {
        return Err(vec![mistake]);
    }
    let mut found = attributes::filter(&mut lexed);
    let surroundings = Surroundings {
        program: input.program,
        base: input.base,
        packs: input.packs,
        assertions: input.assertions,
    };
    let unit = parser::parse(&lexed, surroundings, &mut found)?;
    let addressed = addressed(&lexed);
    let attributes::Found { noted, refusals } = found;
    Ok(File { unit, text: input.text.to_owned(), lexed, addressed, noted, refusals })
}

/// The names that follow an `&`, perhaps in parentheses.
fn addressed(lexed: &Lexed) -> HashSet<String> {
    let mut names = HashSet::new();
    let is = |token: &Token, sign: Sign| token.kind == Kind::Sign(sign);
    for (i, _) in lexed.tokens.iter().enumerate().filter(|(_, t)| is(t, Sign::And)) {
        let next = lexed.tokens[i + 1..].iter().find(|token| !is(token, Sign::OpenRound));
        if let Some(name) = next.filter(|t| matches!(t.kind, Kind::Name | Kind::Word(_))) {
            let name = lexed.text_of(*name);
            if !names.contains(name) {
                names.insert(name.to_owned());
            }
        }
    }
    names
}
