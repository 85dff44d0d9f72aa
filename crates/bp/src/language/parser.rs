//! Reads a text into a [`SyntaxTree`], by the pest grammar (`grammars/boolean_program.pest`).
//!
//! The grammar reads the union of the dialects of SLAM/Bebop, SATABS/Boppo, Getafix and WALi.  They
//! contradict each other on one point, the precedence of operators, which [`Dialect`] chooses.
//! Texts with braces, as of CUBA, are recognised and read by `c_like`, whatever the dialect.
//! `reader` applies the grammar to one entry of the program after another; `items`, `blocks`,
//! `statements` and `expressions` build the tree from the matches, and `mistakes` explains
//! failures.
//!
//! Invariants:
//! - No recursion: neither the grammar nor this code nests; blocks and pending operators are kept
//!   on explicit stacks, so no input overflows the call stack.
//! - All mistakes of a file are reported in one run (up to [`MAX_DIAGNOSTICS`]).  Some are rules of
//!   the grammar; after others, text is skipped to where reading makes sense again.  No two syntax
//!   errors are reported at one token, nor after a character already reported as unknown.
//! - Every loop reads a token or ends.

mod blocks;
mod c_like;
mod dialect;
mod expressions;
mod items;
mod mistakes;
mod reader;
mod state;
mod statements;

use super::syntax::{Expression, SyntaxTree};
pub use dialect::{Dialect, UnknownDialect};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};
pub use reader::MAX_NESTING;
use reader::{Reader, Rule};
pub use state::MAX_DIAGNOSTICS;
use state::{NO_EXPRESSION, Parser};

/// Reads a program.
///
/// # Errors
///
/// All mistakes found, in the order of their positions; never an empty list.  Their spans lie
/// within `text`, on character boundaries.
pub fn parse(text: &str, dialect: Dialect) -> Result<SyntaxTree, Vec<Diagnostic>> {
    if text.len() >= u32::MAX as usize {
        let start = Span::new(0, 0);
        return Err(vec![Diagnostic::new(
            DiagnosticKind::Unsupported,
            start,
            "files of 4 GiB or more are not supported",
        )]);
    }
    let mut parser = Parser::new(dialect);
    if c_like::is_c_like(text) {
        return c_like::parse(text, parser);
    }
    let tree = parser.program(&mut Reader::new(text));
    parser.finish(tree)
}

/// Reads a single expression.
///
/// # Errors
/// As [`parse`].
pub fn parse_expression(text: &str, dialect: Dialect) -> Result<Expression, Vec<Diagnostic>> {
    // A text of 4 GiB or more is no sensible expression.
    let text = if text.len() < u32::MAX as usize { text } else { "" };
    let (mut reader, mut parser) = (Reader::new(text), Parser::new(dialect));
    loop {
        let failure = match reader.read(Rule::lone_expression, 0) {
            Ok(node) => {
                let expression = parser.expressions(node.children()).pop();
                return parser.finish(expression.unwrap_or(NO_EXPRESSION));
            }
            Err(failure) => failure,
        };
        if !parser.strange(&mut reader, failure.at) {
            parser.unreadable(&reader, &failure, 0);
            return parser.finish(NO_EXPRESSION);
        }
    }
}

/// Whether a text is a name and nothing else.
pub(super) fn is_name(text: &str) -> bool {
    text.len() < u32::MAX as usize && Reader::new(text).read(Rule::lone_name, 0).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Parser, Reader};

    #[test]
    fn windows_do_not_matter() {
        let sound = "decl do_do/* * / ***/, {x == 0} // end\n; bool<2> f(a-, b) begin {x == 0}\r\n\
            := (a-) <=> !b & schoose[T, 'x] constrain /* , */ x' => 1; print: goto/**/print end";
        let broken = "decl a b; void f() begin x := y @ /\u{e9}\u{e9}/ z \n if (x then {x\n fi; y \n \
            while x do end_ := {} end void g() begin return 12a end /* z";
        for text in [sound, broken] {
            let read = |window| {
                let mut parser = Parser::new(Dialect::Slam);
                let tree = parser.program(&mut Reader::with_window(text, window));
                parser.finish(tree)
            };
            let whole = read(1 << 16);
            assert_eq!(whole.is_ok(), text == sound, "{whole:?}");
            for window in 1..text.len() + 2 {
                assert_eq!(read(window), whole, "window of {window}");
            }
        }
    }
}
