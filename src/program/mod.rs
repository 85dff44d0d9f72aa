//! From the text of a C program to control-flow automata over terms; automata may also come from a
//! description.  Task definitions and property files of SV-COMP are read here as well.

pub mod c;
pub mod cfa;
pub mod task;
