//! From the text of a C program to control-flow automata over terms; automata may also come from
//! descriptions. Also reads task definitions and property files of SV-COMP.

pub mod c;
pub mod cfa;
pub mod task;
