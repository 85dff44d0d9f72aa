//! From a text to a syntax tree: comments and line marks are blanked (`clean`), GNU C that lang-c
//! does not read is rewritten (`patch`), and lang-c parses (`syntax`).

mod attribute;
mod clean;
pub(super) mod patch;
mod syntax;
mod tokens;

pub(super) use clean::clean;
pub use clean::needs_preprocessor;
pub(super) use patch::patch;
pub(super) use syntax::parse as parse_text;
pub(in crate::program::c) use tokens::{Token, TokenKind, tokens_of};
