//! Boolean programs as a language: reading, resolving, printing, executing.

mod build_program;
mod c_like;
mod drivers;
mod families;
mod fuzz;
mod interpreter;
mod lowering;
mod malformed;
mod names;
mod nesting;
mod parser;
mod printer;
mod resolve;

#[path = "../support/mod.rs"]
mod support;
