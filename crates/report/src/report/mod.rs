//! Reports: an answer in the formats of other programs, each a text for a file.

mod findings;
mod github;
mod junit;
mod page;
mod rule;
mod sarif;
