//! Terms over Booleans, bit-vectors and integers, shared and simplified as they are built.
//!
//! Invariants: two terms have equal indices iff they are structurally equal; every term is built by
//! a constructor of [`Terms`], which folds constants and simplifies locally, so `node` only shows
//! normal forms:
//! - the only comparisons are `ULt`, `SLt` and `IntLe` (`a <= b` is `not (b < a)`), with a constant
//!   on the right (`5 < x` is `not (x < 6)`), so an atom and its complement share one atom;
//! - `And` and `Or` have at least two operands, sorted, without duplicates and complements;
//! - `Equal` and the commutative operators have their constant on the right;
//! - subtraction of a constant is addition.
//!
//! All traversals are loops, since a term may be 100,000 levels deep.

mod bits;
mod boolean;
mod display;
mod float;
mod import;
mod integer;
mod node;
mod real;
mod semantics;
mod slice;
mod store;
mod traverse;

pub(crate) use self::display::Piece;
pub use self::float::{FloatOp, Rounding};
pub use self::node::{BitOp, Comparison, Node, Sort, Symbol, Term, UnaryOp, Value};
pub use self::store::Terms;
pub use self::traverse::Memo;
