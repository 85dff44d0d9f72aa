//! Expressions become values without side effects, and instructions before them.

mod assign;
mod call;
pub(super) mod constant;
mod convention;
mod convert;
mod dispatch;
mod literal;
mod logic;
mod operator;
mod place;
