//! From a program's text to the document of its verdict: the steps that the command line, the server and the library
//! for C have in common.  Knows no files and no streams.

#[cfg(feature = "c")]
pub mod abstraction;
#[cfg(feature = "c")]
pub mod automata;
pub mod boolean;
#[cfg(feature = "c")]
pub mod c;
pub mod check;
pub mod contents;
pub mod nothing;
#[cfg(feature = "c")]
pub mod witness;
