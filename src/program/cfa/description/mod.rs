//! Control-flow automata as a description in JSON: programs that other verifiers hand over.
//!
//! A [`Description`] is plain data; [`Description::program`] makes a [`Program`](super::Program) over terms of it, or
//! says all that is wrong.  docs/protocol.md has the format with examples.
//!
//! What it means: global variables and the parameters of `main` have any value at the start, locals have
//! any value whenever their function is called.  An execution follows edges from the entry of `main`;
//! it ends at its exit, and where no edge can be taken.

mod build;
mod convert;
mod error;
mod format;

pub use convert::Described;
pub use error::{DescriptionError, DescriptionErrors, ErrorKind, TermPosition};
pub use format::{
    CallDescription, Declaration, Description, EdgeDescription, FunctionDescription,
    HavocDescription, LocationName, Locations, RelationDescription, StepDescription, ValueOrigin,
};
