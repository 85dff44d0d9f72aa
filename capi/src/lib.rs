//! hardbop for C: what `include/hardbop.h` declares, and says how to use.
//!
//! Handles are numbers in a table (`handle`), not addresses: one that was freed, or is of another kind, is an error.  What
//! C hands over is read in `border` alone, the only file with `unsafe` code.  Every function goes through
//! `status::enter`, which no panic leaves.

#![deny(unsafe_op_in_unsafe_fn)]

mod abstraction;
mod automata;
mod boolean;
mod border;
mod c_program;
mod cancel;
mod handle;
mod options;
mod program;
mod result;
mod settings;
mod status;
