//! Turns an execution into a C program that reaches the error when compiled by gcc and run.
//!
//! It is one file: the program's own text with insertions, after some functions that supply the
//! inputs of the execution. It needs no header and no library:
//!
//! ```text
//! gcc -std=gnu11 -w -O0 -fwrapv -fno-builtin -fno-strict-aliasing harness.c -lm && ./a.out
//! gcc -m32 -nostdlib -static -fno-pie -fno-stack-protector -DHARDBOP_FREESTANDING ... # no C library for -m32
//! ```
//!
//! At the error, the process writes a line to standard error and exits with [`ERROR_CODE`]. It
//! exits with [`ASSUMPTION_CODE`] where an assumption is false, and with [`MISSING_CODE`] where it
//! requests more inputs than the execution did, so that it must have taken another path.
//!
//! How the harness changes the text:
//!
//! - functions without a body, `__VERIFIER_nondet_*` among them, are defined under other names, with the original
//!   ones as assembler names, so that they cannot conflict with the program's prototypes;
//! - where the execution reached the error, a call is inserted after the label or before the call
//!   that is the error; an `assert` without a body is defined;
//! - if the error is an overflow, the compiler detects it: the harness defines the functions that
//!   gcc then calls, and its first lines say how to compile it;
//! - declarations of uninitialised scalars that the execution requested get an initialiser; those
//!   of aggregates are followed by a statement that fills in the parts that are read;
//! - `main` sets its parameters to arguments of the harness, where the execution has read some;
//! - undefined variables and the targets of pointers from outside are defined, and filled when the
//!   program starts; if the program reads blocks from `malloc` before it writes them, or some calls
//!   of it fail, `malloc` and the like are replaced;
//! - variables that are used as larger ones are declared `extern` and defined in that size; their
//!   original declarations are renamed;
//! - if the data model has a 32-bit `long` but the compiler does not, `long` becomes `int`;
//!   pointers keep the compiler's size.
//!
//! [`Harness::notes`] lists what cannot be expressed in the text; the compiled program may then behave differently.

mod arguments;
mod edit;
mod larger;
mod library;
mod memory;
mod models;
mod program;
mod runtime;
mod text;
mod value;

pub use program::{Harness, harness};
pub use runtime::{
    ACCESS_OPTIONS, ASSUMPTION_CODE, DIVISION_OPTIONS, ERROR_CODE, MISSING_CODE, OVERFLOW_OPTIONS,
};
