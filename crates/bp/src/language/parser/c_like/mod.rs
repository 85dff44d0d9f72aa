//! The C-like dialect: texts with braces and types, as CUBA's programs are written.
//!
//! It is recognised by the text ([`is_c_like`]).  `token` divides it into tokens, `items`,
//! `statements` and `expressions` read these into a `tree` of their own, and `write` makes the syntax
//! tree of the language of that: `values` and `operators` turn numbers into `bits`, `names` knows
//! what is visible, `body` and `atomic` what leaves an `atomic` block.
//!
//! Invariants are those of the [parser](super): no recursion, all mistakes of a text in one run (those
//! of names and types where there are no others), and every loop reads a token or ends.  The syntax
//! tree can be printed, and read as a text of the language.

mod atomic;
mod bits;
mod body;
mod expressions;
mod items;
mod names;
mod operators;
mod reader;
mod statements;
mod token;
mod tree;
mod values;
mod write;

use super::state::Parser;
use crate::language::syntax::SyntaxTree;
use hardbop_base::source::Diagnostic;
use reader::Reader;
use token::{Kind, gap, token};

/// Whether a text is one of this dialect: a `{` behind a `)` comes before the first word `begin`.
/// No text of the other dialects has that, because bodies begin with `begin` there, and braces enclose
/// names.
pub(super) fn is_c_like(text: &str) -> bool {
    let (mut at, mut behind_bracket) = (0, false);
    loop {
        let (blank, unclosed) = gap(&text[at..]);
        at += blank;
        let rest = &text[at..];
        let Some(first) = rest.chars().next().filter(|_| !unclosed) else { return false };
        let length = match token(rest) {
            Some((Kind::Word, length)) if &rest[..length] == "begin" => return false,
            Some((_, length)) if first == '{' => {
                if behind_bracket {
                    return true;
                }
                // A name or an enumeration, on one line.
                let line = rest.lines().next().unwrap_or(rest);
                line.find('}').map_or(length, |end| end + 1)
            }
            Some((_, length)) => length,
            None => first.len_utf8(),
        };
        behind_bracket = first == ')';
        at += length;
    }
}

/// Reads a text of this dialect.
pub(super) fn parse(text: &str, mistakes: Parser) -> Result<SyntaxTree, Vec<Diagnostic>> {
    let mut reader = Reader::new(text, mistakes);
    reader.program();
    let (tree, mistakes) = (reader.tree, reader.tokens.mistakes);
    if !mistakes.is_sound() {
        return mistakes.finish(SyntaxTree::default());
    }
    write::written(&tree, mistakes)
}

#[cfg(test)]
mod tests {
    use super::is_c_like;

    #[test]
    fn a_text_shows_its_dialect() {
        for text in [
            "void main() {",
            "decl x; /* begin */ void f(bool a) // begin\n {",
            "var s: enum {0, 1}\n1 bool x = 0;\nint f()\n{ }",
            "decl {begin}; main(){",
        ] {
            assert!(is_c_like(text), "{text}");
        }
        for text in [
            "",
            "void main() begin x() {y} end",
            "decl {f() {}; void main() begin end",
            "void f(); void main() begin",
            "decl x; {} {",
            "void main() /* {",
            "\u{e9} ( } begin ) {",
        ] {
            assert!(!is_c_like(text), "{text}");
        }
    }
}
