//! What is known of a program whatever the predicates: its functions as [procedures](procedure) in a common
//! [`frame`], and which predicates they tell each other ([`predicates`]).  [`given`] reads the user's predicates.

pub mod frame;
pub mod given;
pub mod predicates;
pub mod procedure;

pub use frame::{Home, Skeleton, symbols};
