//! From C text to typed control flow ([`Flow`](super::flow::Flow)).
//!
//! The text becomes a syntax tree (`text`), declarations at file scope are entered (`declaration`),
//! and then each body becomes a graph (`statement`, `expression`).

mod around;
mod bodies;
mod builder;
mod context;
mod declaration;
mod expression;
mod gate;
mod given;
mod kept;
mod options;
mod program;
mod reach;
mod scope;
mod stack;
mod statement;
mod surface;
mod text;
mod unit;
mod weave;

pub(crate) use bodies::bodies;
pub(crate) use gate::{Gate, Woven};
pub(crate) use kept::{RUN, Start};
pub use options::{MAX_DIAGNOSTICS, ParseOptions, Pointers};
pub use program::with_line_marks;
pub(crate) use program::{Parsed, alone, finished, refuse_length};
pub(crate) use reach::reachable;
pub use stack::on_large_stack;
pub(crate) use surface::{Facts, Strength, Surface};
pub(crate) use text::{Token, TokenKind, body_of, closing, tokens_of, used_words};
pub use text::{
    comments_of, conceal, data_model, expose, has_main, is_same_code, needs_preprocessor,
};
pub(crate) use unit::{Elsewhere, Outside, Thing, Unit};
