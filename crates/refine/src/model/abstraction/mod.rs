//! The Boolean abstraction of a program's functions (Ball, Majumdar, Millstein, Rajamani:
//! "Automatic Predicate Abstraction of C Programs", PLDI 2001, Sect. 4), block by block.
//!
//! A [`question`] asks what the program does at a statement, with predicates before and after it;
//! the [`abstracter`] computes the answers and stores them as [assignments](assignment);
//! [`simulation`] proves that these leave nothing out.

pub mod abstracter;
pub mod assignment;
pub mod question;
pub mod simulation;
