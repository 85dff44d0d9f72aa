//! An execution as a C program: compiled by gcc and run, it reaches the error.
//!
//! One file: the program's own text with insertions, behind a few functions that give it the values
//! of the execution.  It needs no header and no library:
//!
//! ```text
//! gcc -std=gnu11 -w -O0 -fwrapv -fno-builtin -fno-strict-aliasing harness.c && ./a.out
//! gcc -m32 -nostdlib -static -fno-pie -fno-stack-protector -DHARDBOP_FREESTANDING ... # no C library for -m32
//! ```
//!
//! The process writes a line to standard error and exits with [`ERROR_CODE`] at the error, with
//! [`ASSUMPTION_CODE`] where an assumption is false, and with [`MISSING_CODE`] where it asks for more values than
//! the execution had (so it goes another way).
//!
//! How the parts are found again in the text:
//!
//! - functions without a body, `__VERIFIER_nondet_*` among them, are defined under other names that
//!   have the original ones as assembler names: no prototype of the program can be in conflict;
//! - where the execution reached the error, a call is inserted behind the label, or before the call
//!   that is the error; `assert` without a body is defined;
//! - where the error is an overflow, the compiler finds it: the harness has what gcc calls then, and its
//!   first lines say how to compile it;
//! - declarations of uninitialised scalars that the execution asked for get an initialiser, those of
//!   aggregates are followed by a statement that fills in the parts that are read;
//! - variables that nothing defines and objects that pointers from outside point to are defined, and filled
//!   when the program starts; where the program reads blocks of `malloc` before it writes them, `malloc` and its
//!   like are replaced;
//! - variables that are used as larger ones are `extern`, and what they name is defined in that size; their
//!   declarations stay under other names;
//! - where the data model has 32-bit `long` and the compiler has not, `long` becomes `int`; pointers
//!   keep the compiler's size.
//!
//! What cannot be put into the text is in [`Harness::notes`], and then running it may do something else.

mod edit;
mod larger;
mod library;
mod memory;
mod program;
mod runtime;
mod text;
mod value;

pub use program::{Harness, harness};
pub use runtime::{ACCESS_OPTIONS, ASSUMPTION_CODE, ERROR_CODE, MISSING_CODE, OVERFLOW_OPTIONS};
