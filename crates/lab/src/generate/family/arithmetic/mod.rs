//! Families about numbers: what must be known of them is simple, what they go through is long.

pub(super) mod complement;
pub(super) mod counter;
pub(super) mod depth;
pub(super) mod multiply;
mod numbers;
pub(super) mod parity;
pub(super) mod queue;
pub(super) mod saturating;
pub(super) mod stride;
pub(super) mod twins;
