//! What users of SV-COMP supply besides the text of a program: property files ([`Specification`]),
//! task definitions ([`Definition`]) and witnesses ([`Witness`]). All are parsed from text; nothing here opens files.

mod definition;
mod reader;
mod specification;
mod witness;
mod yaml;

pub use definition::{Claim, Definition, is_task};
pub use reader::Located;
pub use specification::Specification;
pub use witness::{
    Content, Expression, Head, Invariant, Place, Segment, Task, Waypoint, Witness, is_xml,
};
