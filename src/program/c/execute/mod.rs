//! The concrete interpreter of C programs: the judge of traces.
//!
//! It executes [`Flow`](super::flow::Flow) on an address space of bytes, as a program that gcc compiles for x86 with
//! `-fwrapv` (see [`arithmetic`]), and shares nothing with the analyses.  Undefined behaviour that
//! this does not give a meaning to is a [`Fault`], and ends the execution.
//!
//! What the program text does not determine is asked of an [`Oracle`], in the order in which the
//! execution needs it:
//!
//! - the result of `__VERIFIER_nondet_*`, when it is called;
//! - a local scalar variable, each time its declaration is executed;
//! - parts of local records and arrays, of `extern` variables that nothing defines, of blocks of
//!   `malloc`, and what is never declared (parameters of `main`, missing arguments, the result of a function
//!   that ends without `return`): when they are read; they keep the value;
//! - the result of a function without a body, which changes nothing; but those that the table of
//!   [library functions](super::library) has do what it says.  `malloc` never fails.
//!
//! An object that the program uses as one of a larger type from its start is as large as that from
//! then on; [`Execution::larger`] says so.
//!
//! A pointer from outside is a number as well; the oracle may also answer that it points to an object of its
//! own, of unknown contents.  [`replay`] does so where the program accesses memory through such a pointer: that
//! it is valid is an assumption, and [`Input::object`](super::trace::Input::object) says where it was
//! made.

mod execution;
mod fault;
mod machine;
mod options;
mod oracle;
mod replay;
mod run;

pub use execution::{
    Change, Demand, End, Event, Execution, ExecutionOutcome, LargerObject, Limit, OutsideObject,
    Owner, Recorded,
};
pub use fault::{Fault, Undefined};
pub use machine::arithmetic;
pub use options::{ExecutionOptions, Recording};
pub use oracle::{Given, Oracle, Randomly, Request, Script, Traced, Zero};
pub use replay::{ReplayError, replay};
pub use run::run;
