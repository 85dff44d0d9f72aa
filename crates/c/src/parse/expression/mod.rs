//! Turns expressions into values without side effects and instructions that precede them.

mod acsl;
mod assign;
mod builtin;
mod call;
mod checked;
pub(super) mod constant;
mod convention;
mod convert;
mod dispatch;
mod effects;
mod literal;
mod logic;
mod operator;
pub(super) mod outside;
mod pair;
mod place;
mod selection;
mod unordered;
mod vector;

pub(super) use builtin::binary;
pub(super) use convention::library_name;
pub(super) use convention::{Special, is_unknown};
