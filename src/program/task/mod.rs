//! What users of SV-COMP supply besides the text of a program: property files ([`Specification`])
//! and task definitions ([`Definition`]). Both are parsed from text; nothing here opens files.

mod definition;
mod specification;
mod yaml;

pub use definition::{Claim, Definition, Located, is_task};
pub use specification::Specification;
