//! Standard functions without a model: it is known what they may write, but not the values.
//!
//! A row has several names if their prototypes agree in what matters: the parameters that are
//! written to. Where a variant returns a `float`, the row says `double`; no value is ever used.

mod math;
mod other;
mod row;
mod system;
mod text;
mod windows;

use super::function::LibraryFunction;

/// The rows, in parts.
pub(super) static TABLES: &[&[LibraryFunction]] =
    &[math::TABLE, system::TABLE, text::TABLE, other::TABLE, windows::TABLE];
