//! Calls of gcc's built-ins and of library functions, as expressions: on integers (`bits`, `overflow`), on floating-point numbers
//! (`real`), accesses that are atomic (`atomic`), input (`scan`), vectors (`vector`), and
//! what is written out (`inlined`), sizes of objects (`object_size`), and others of the compilers (`compiler`).

mod atomic;
mod bits;
mod compiler;
mod inlined;
mod object_size;
mod overflow;
mod real;
mod scan;
mod variadic;
mod vector;

pub(in crate::parse) use bits::binary;
pub(super) use compiler::{is_choice, unchecked};
pub(super) use vector::is_of_compiler;
