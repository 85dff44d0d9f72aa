//! Calls of gcc's built-ins and of library functions, as expressions: on integers (`bits`), on floating-point numbers
//! (`real`), and accesses that are atomic (`atomic`).

mod atomic;
mod bits;
mod real;

pub(super) use bits::binary;
