//! From text to syntax tree: `clean` blanks comments and line marks, `patch` rewrites GNU C that
//! lang-c does not accept, and `syntax` parses with lang-c.

pub(super) mod acsl;
mod attribute;
mod clean;
pub(super) mod extension;
mod model;
mod number;
pub(super) mod patch;
pub(super) mod patched;
mod syntax;
mod tokens;

pub use acsl::{conceal, expose, is_same_code};
pub(super) use clean::{clean, clean_annotated};
pub use clean::{comments_of, needs_preprocessor};
pub use model::data_model;
pub(super) use patch::patch;
pub(super) use syntax::parse as parse_text;
pub(super) use tokens::words_of;
pub(in crate::program::c) use tokens::{Token, TokenKind, tokens_of};
