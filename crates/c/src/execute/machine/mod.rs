//! The machine that executes programs: memory, open calls, expressions, and library functions.

mod activation;
mod anything;
mod arguments;
pub mod arithmetic;
mod asked;
mod call;
mod describe;
mod evaluate;
mod larger;
mod layout;
mod library;
mod memory;
mod state;
mod symbolic;
mod tables;
mod unknown;

pub(super) use anything::Known;
pub(super) use evaluate::{Location, Spot};
pub(super) use layout::{Scalar, mask};
pub(super) use memory::{Memory, ObjectId};
pub(super) use state::{ErrorNumber, Frame, Machine, REACH, Stop};
pub(super) use symbolic::Snapshot;
pub(super) use tables::{Slot, Tables};
