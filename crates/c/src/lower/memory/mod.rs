//! Represents memory by variables: which scalars have one, where places are, and how to read and write them.

mod access;
mod asked;
mod cell;
mod cursor;
mod ends;
mod forget;
mod given;
mod lifetime;
mod one_cell;
mod outside;
mod recent;
mod rounds;
mod seen;
mod tracked;
mod written;

pub(super) use access::{Bits, Updates};
pub(super) use cell::{Cell, Memory};
pub(super) use cursor::{Cursor, Target};
pub(super) use rounds::rounds;
