//! From a program's text to the document of its verdict: the steps that the command line and the server have in
//! common.  Knows no files and no streams.

#[cfg(feature = "c")]
pub mod abstraction;
pub mod boolean;
#[cfg(feature = "c")]
pub mod c;
