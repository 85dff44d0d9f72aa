//! What users of SV-COMP say about a program beside its text: property files ([`Specification`]) and
//! task definitions ([`Definition`]), as texts; nothing here reads a file.

mod definition;
mod specification;
mod yaml;

pub use definition::{Claim, Definition, Located, is_task};
pub use specification::Specification;
