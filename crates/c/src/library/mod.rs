//! The table of library functions: all that the checker knows of functions that programs may call
//! without defining them. A body in the program takes precedence over the table.
//!
//! A [`LibraryFunction`] is a row: names, prototype, and a [`Role`]. The role is either a [`Convention`], for a call
//! that `c::parse` replaces by control flow (`__VERIFIER_assume`, `abort`), or a [`Model`]:
//!
//! | part          | says                                              | read by                                 |
//! |---------------|---------------------------------------------------|-----------------------------------------|
//! | [`Effect`]    | what the analyses may assume of memory and result | `c::points_to`, `c::memory`, `c::lower` |
//! | [`Execution`] | what the interpreter does                         | `c::execute`                            |
//! | [`Accesses`]  | what `--check memory` checks                      | `c::checks`                             |
//! | `overflow`    | what `--check overflow` checks                    | `c::checks`                             |
//!
//! [`Link`] says how a harness defines the function.  Each reader matches its enum without a wildcard.
//!
//! The rows are in `table.rs`, and in `unmodelled` for standard functions without a model; [`rows`]
//! has them all. To add a function, add one row. If no [`Writes`], [`Returns`], [`Execution`],
//! [`Accesses`] or [`Link`] fits, add a variant: the compiler then names the places that must
//! handle it. For every name in the table, `tests/c/library.rs` generates a program and checks that
//! it is parsed, executed, lowered in agreement with the execution, and linked in a harness.
//!
//! The effect must include everything that the function may do, because proofs rely on it. The execution must do what
//! the function does, or stop, because errors rely on it. No standard function's result is guessed:
//! where it is not known, the execution stops at its use ([`Execution::Unmodelled`]). Of the kernel's functions
//! that are guessed ([`Execution::AnyResult`]) the user is warned.

mod bits;
mod character;
mod convention;
mod effect;
mod execution;
mod function;
mod lent;
mod link;
mod lookup;
mod prototype;
mod real;
mod scan;
mod table;
mod text;
mod unmodelled;

pub use character::{Ranges, class, class_bits};
pub use convention::{Arithmetic, BitFunction, Convention, RealFunction};
pub use effect::{Allocation, Effect, Returns, Storage, Writes, in_bits};
pub use execution::{CharacterTable, Execution, TextFunction, TextResult};
pub use function::{Accesses, Family, LibraryFunction, Model, Role};
pub use lent::{keeps, lends};
pub use link::Link;
pub use lookup::{builtin, find, rows};
pub use prototype::{Kind, Prototype};
pub use real::{Elementary, Facts};
pub use scan::{
    Base, Conversion, Directive, Scanned, Set, depends_on_stream, directives, is_inlined,
    reads_stream, scan, scan_format,
};
pub use text::ERROR_NUMBER;

/// Variables of the C library that its own functions need: pointers to different objects that are there.
pub const VARIABLES: &[&str] = &["stdin", "stdout", "stderr", "environ", "__environ"];
