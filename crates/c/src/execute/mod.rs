//! The concrete interpreter of C programs: the judge of traces.
//!
//! It executes [`Flow`](super::flow::Flow) on a byte-addressed memory, like a program that gcc
//! compiles for x86 with `-fwrapv` (see [`arithmetic`]), and shares nothing with the analyses.
//! Undefined behaviour to which this gives no meaning is a [`Fault`] and ends the execution.
//!
//! What the program text does not determine is requested from an [`Oracle`], in the order in which
//! the execution needs it:
//!
//! - the result of `__VERIFIER_nondet_*`, when it is called;
//! - a local scalar variable, each time its declaration is executed, or with [`ExecutionOptions::lazy`] when it is read;
//! - parts of local records and arrays, of `extern` variables that are not defined, of blocks from
//!   `malloc`, and of anything never declared (parameters of `main`, missing arguments, the result
//!   of a function that ends without `return`), when they are read; they then keep the value;
//! - the result of a function without a body, which changes nothing, except that [library
//!   functions](super::library) in the table do what it says;
//! - whether `malloc` fails, with [`ExecutionOptions::allocations_may_fail`]; otherwise it never does.
//!
//! If the program uses an object, from its start, as one of a larger type, the object is that large
//! from then on, and [`Execution::larger`] lists it.
//!
//! Rounds of a loop that only add constants to integer variables are taken at once (`leap`).
//!
//! A pointer from outside is a number as well, but the oracle may answer with a pointer to a new
//! object of unknown contents. [`replay`] does so where the program accesses memory through such a
//! pointer. This assumes that the pointer is valid; [`Input::object`](super::trace::Input::object)
//! records the assumption.

mod cycle;
mod execution;
mod explore;
mod fault;
mod image;
mod leap;
mod live;
mod loaded;
mod machine;
mod options;
mod oracle;
mod replay;
mod run;
mod transfer;
mod uses;
mod waiting;
mod ways;

pub use execution::{
    Change, Demand, End, Event, Execution, ExecutionOutcome, Given, LargerObject, Leap, Limit,
    OutsideObject, Owner, Recorded, Request,
};
pub use explore::Exploration;
pub use fault::{Fault, Undefined};
pub use loaded::Loaded;
pub use machine::arithmetic;
pub use options::{ExecutionOptions, Recording};
pub use oracle::{Evolution, Oracle, Randomly, Script, Traced, Zero};
pub use replay::{ReplayError, replay};
pub use run::{run, run_again};
pub use transfer::transferred;
pub use ways::Ways;
