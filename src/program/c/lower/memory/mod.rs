//! Memory as variables: which scalars have one, where places are, and what reads and writes become.

mod access;
mod cell;
mod cursor;

pub(super) use access::{Bits, Updates};
pub(super) use cell::{Cell, Memory};
pub(super) use cursor::Cursor;
