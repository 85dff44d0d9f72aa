//! Control-flow automata described in JSON, for programs supplied by other verifiers.
//!
//! A [`Description`] is plain data; [`Description::program`] turns it into a
//! [`Program`](super::Program) over terms, or reports all mistakes. docs/protocol.md explains the
//! format with examples.
//!
//! Global variables and the parameters of `main` have any value at the start; locals have any value
//! whenever their function is called. An execution follows edges from the entry of `main`, and ends
//! at its exit or where no edge can be taken.

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
