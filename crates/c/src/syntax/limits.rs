//! How deeply a text may nest: the parser, and what reads its tree, follow that by recursion.

use super::lexer::Lexed;
use super::token::{Kind, Sign, Word};
use hardbop_base::source::{Diagnostic, DiagnosticKind};

/// The maximal nesting of brackets: the stack suffices for about twice as many.
const NESTED: usize = 200_000;

/// The maximal number of operators and words in one statement, and of `else` in the text: bounds on nesting without
/// brackets, as in `!!!!x`, `a = a = a`, `if (x) if (x)` and `else if`.
const WORDS: usize = 300_000;

/// The first token that is nested too deeply, with a message.
pub(super) fn too_deep(lexed: &Lexed) -> Option<Diagnostic> {
    let (mut depth, mut round, mut words, mut elses) = (0_usize, 0_usize, 0_usize, 0_usize);
    for token in &lexed.tokens {
        let Kind::Sign(sign) = token.kind else {
            words += usize::from(!matches!(token.kind, Kind::Text | Kind::Character));
            elses += usize::from(token.kind == Kind::Word(Word::Else));
            let message = if words > WORDS {
                format!("a statement has more than {WORDS} operators and words")
            } else if elses > WORDS {
                format!("the text has more than {WORDS} times 'else'")
            } else {
                continue;
            };
            return Some(Diagnostic::new(DiagnosticKind::Unsupported, token.span, message));
        };
        if sign.opens() {
            depth += 1;
        } else if sign.closes() {
            depth = depth.saturating_sub(1);
        }
        match sign {
            Sign::OpenRound => round += 1,
            Sign::CloseRound => round = round.saturating_sub(1),
            _ => {}
        }
        match sign {
            Sign::OpenBrace | Sign::CloseBrace => words = 0,
            Sign::Semicolon | Sign::Comma if round == 0 => words = 0,
            Sign::CloseRound | Sign::CloseSquare => {}
            _ => words += 1,
        }
        let message = if depth > NESTED {
            format!("brackets nest deeper than {NESTED} levels")
        } else if words > WORDS {
            format!("a statement has more than {WORDS} operators and words")
        } else {
            continue;
        };
        return Some(Diagnostic::new(DiagnosticKind::Unsupported, token.span, message));
    }
    None
}
