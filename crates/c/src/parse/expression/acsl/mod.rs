//! Assertions in ACSL.  Their integers have no bounds: values are compared, and terms computed, in types that hold whatever
//! they can be; a term that may need more than 64 bits is refused.

mod call;
mod contract;
mod old;
mod predicate;
mod shape;
mod term;

pub(super) use call::Contracted;
