//! Everything about Boolean programs: the language, the engines that decide it, and the evidence that they give.

pub mod engine;
pub mod generate;
pub mod language;
pub mod proof;
