//! Abstract transition relations: the Boolean predicate abstraction of a block over predicates
//! before and after it (SP^π of "Software Model Checking via Large-Block Encoding", Sect. II-B, for
//! all abstract states at once).
//!
//! A [`query`] asks which truth values literals can have together; [`atoms`] answers it by BDDs.
//! An [`update`] is the answer as a constrained assignment whose formulas are short
//! [covers](cover); a [`cache`] keeps updates between runs.

pub mod atoms;
pub mod cache;
pub mod cover;
pub mod query;
pub mod update;
