//! The parts of the abstraction that do not depend on the predicates: functions as
//! [procedures](crate::block::procedure) in a common [`frame`].  [`predicates`] determines which
//! predicates they exchange, and [`given`] reads the user's predicates.

pub mod frame;
pub mod given;
pub mod predicates;

pub use frame::{Home, Skeleton, symbols};
