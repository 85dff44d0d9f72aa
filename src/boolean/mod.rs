//! Everything about Boolean programs: the language, the engines that decide them, and the evidence of verdicts.

pub mod engine;
pub mod export;
pub mod generate;
pub mod language;
pub mod proof;
