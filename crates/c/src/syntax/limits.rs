//! How deeply a text may nest: the parser, and what reads its tree, follow that by recursion.

use super::lexer::Lexed;
use super::token::{Kind, Sign, Word};
use hardbop_base::source::{Diagnostic, DiagnosticKind};

/// The maximal nesting of brackets: the stack suffices for about twice as many.
const NESTED: usize = 200_000;

/// The maximal number of operators and words in one statement, with those of the expressions that it is in, and of `else`
/// in the text: bounds on nesting without brackets, as in `!!!!x`, `a = a = a`, `if (x) if (x)` and `else if`.
const WORDS: usize = 300_000;

/// The maximal number of signs `?` whose `:` is still to come: for each, all within is looked through.  Those behind a `:`,
/// as in `a ? b : c ? d : e`, are not counted.
const CHOICES: usize = 2_000;

/// The first token that is nested too deeply, with a message.
pub(super) fn too_deep(lexed: &Lexed) -> Option<Diagnostic> {
    let mut nesting = Nesting::default();
    let (mut elses, mut before) = (0_usize, Kind::End);
    for token in &lexed.tokens {
        match token.kind {
            Kind::Sign(sign) => nesting.sign(sign, before),
            Kind::Text | Kind::Character => {}
            kind => {
                nesting.words += 1;
                elses += usize::from(kind == Kind::Word(Word::Else));
            }
        }
        before = token.kind;
        let message = if nesting.open.len() > NESTED {
            format!("brackets nest deeper than {NESTED} levels")
        } else if nesting.words > WORDS {
            format!("a statement has more than {WORDS} operators and words")
        } else if nesting.choices > CHOICES {
            format!("more than {CHOICES} times '?' is within another one")
        } else if elses > WORDS {
            format!("the text has more than {WORDS} times 'else'")
        } else {
            continue;
        };
        return Some(Diagnostic::new(DiagnosticKind::Unsupported, token.span, message));
    }
    None
}

/// A bracket that is open.
#[derive(Clone, Copy)]
struct Open {
    is_brace: bool,
    /// Whether it is in an expression, which goes on behind it.
    is_within: bool,
    /// Whether it may be around the type of a compound literal.
    is_cast: bool,
    /// The words, and the signs `?` without their `:`, in front of it.
    words: usize,
    choices: usize,
    /// The words in front of each statement within it.
    base: usize,
}

/// A place in a text, by what may nest there.
#[derive(Default)]
struct Nesting {
    open: Vec<Open>,
    /// The operators and words of the statement, and of the expressions that it is in.
    words: usize,
    /// The signs `?` without their `:`.
    choices: usize,
    /// Whether the bracket that was closed last may be around the type of a compound literal.
    is_behind_cast: bool,
}

impl Nesting {
    fn sign(&mut self, sign: Sign, before: Kind) {
        match sign {
            Sign::OpenBrace => self.opens(true, self.is_in_expression(before), false),
            Sign::OpenRound => {
                self.words += 1;
                self.opens(false, true, !is_named(before));
            }
            _ if sign.opens() => {
                self.words += 1;
                self.opens(false, true, false);
            }
            _ if sign.closes() => {
                let base = self.base_around();
                let Some(open) = self.open.pop() else { return self.words = 0 };
                self.is_behind_cast = open.is_cast;
                self.choices = open.choices;
                self.words = match (open.is_brace, open.is_within) {
                    // What is in parentheses is a part of the same expression.
                    (false, _) => self.words,
                    (true, true) => open.words,
                    (true, false) => base,
                };
            }
            Sign::Semicolon if self.is_in_braces() => self.next(),
            Sign::Comma if self.is_in_braces() && self.choices == self.outer_choices() => {
                self.next()
            }
            Sign::Question => {
                self.words += 1;
                self.choices += 1;
            }
            Sign::Colon => {
                self.words += 1;
                self.choices = self.choices.saturating_sub(1).max(self.outer_choices());
            }
            _ => self.words += 1,
        }
    }

    fn opens(&mut self, is_brace: bool, is_within: bool, is_cast: bool) {
        let Self { words, choices, .. } = *self;
        let base = match (is_brace, self.open.last()) {
            (true, Some(outer)) if !is_within => outer.base,
            (true, None) if !is_within => 0,
            _ => words,
        };
        self.open.push(Open { is_brace, is_within, is_cast, words, choices, base });
        if is_brace {
            self.words = base;
        }
    }

    /// The next statement, or the next item of a list, is beside the one before.
    fn next(&mut self) {
        self.words = self.open.last().map_or(0, |open| open.base);
        self.choices = self.outer_choices();
    }

    fn outer_choices(&self) -> usize {
        self.open.last().map_or(0, |open| open.choices)
    }

    fn is_in_braces(&self) -> bool {
        self.open.last().is_none_or(|open| open.is_brace)
    }

    /// The words in front of each statement around the innermost bracket.
    fn base_around(&self) -> usize {
        self.open.iter().rev().nth(1).map_or(0, |open| open.base)
    }

    /// Whether a brace behind such a token is in an expression, or may be.
    fn is_in_expression(&self, before: Kind) -> bool {
        let is_list = self.open.last().is_some_and(|open| !open.is_brace || open.is_within);
        is_list
            || match before {
                Kind::Sign(Sign::CloseRound) => self.is_behind_cast,
                Kind::Sign(sign) => matches!(sign, Sign::Assign | Sign::CloseSquare),
                _ => false,
            }
    }
}

/// Whether a parenthesis behind such a token is that of a statement, a function or an attribute.
fn is_named(before: Kind) -> bool {
    match before {
        Kind::Name => true,
        Kind::Sign(sign) => sign.closes() && sign != Sign::CloseBrace,
        Kind::Word(word) => matches!(
            word,
            Word::If | Word::While | Word::For | Word::Switch | Word::Attribute | Word::Asm
        ),
        _ => false,
    }
}
