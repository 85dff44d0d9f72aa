//! The parts of a text besides tokens of C: `clean` blanks comments and line marks, and `acsl` reads annotations.

pub(super) mod acsl;
mod clean;
mod definition;
mod model;
mod tokens;

pub use acsl::{conceal, expose, is_same_code};
pub(super) use clean::{clean, clean_annotated};
pub use clean::{comments_of, needs_preprocessor};
pub use definition::has_main;
pub(crate) use definition::{body_of, closing};
pub use model::data_model;
pub(crate) use tokens::{Token, TokenKind, tokens_of, used_words};
