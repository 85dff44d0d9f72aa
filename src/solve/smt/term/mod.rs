//! Terms over Booleans, bit-vectors and integers, shared and simplified as they are built.
//!
//! Invariants: equal indices if and only if structurally equal terms; every term is built by a
//! constructor of [`Terms`], which folds constants and simplifies locally, so `node` only shows
//! normal forms:
//! - of comparisons only `ULt`, `SLt` and `IntLe` occur (`a <= b` is `not (b < a)`), and a constant
//!   is on the right (`5 < x` is `not (x < 6)`), so an atom and its complement are one atom;
//! - `And`, `Or` have at least two operands, sorted, without duplicates and complements;
//! - `Equal`, and the commutative operators, have their constant on the right;
//! - subtraction of a constant is addition.
//!
//! All traversals are loops: a term may be 100,000 deep.

mod bits;
mod boolean;
mod display;
mod import;
mod integer;
mod node;
mod semantics;
mod slice;
mod store;
mod traverse;

pub(in crate::solve::smt) use self::display::Piece;
pub use self::node::{BitOp, Comparison, Node, Sort, Symbol, Term, UnaryOp, Value};
pub use self::store::Terms;
pub use self::traverse::Memo;
