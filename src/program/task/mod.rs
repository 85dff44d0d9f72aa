//! What users of SV-COMP supply besides the text of a program: property files ([`Specification`]),
//! task definitions ([`Definition`]), witnesses ([`Witness`]) and archives ([`Archive`]). Nothing here opens files.

mod archive;
mod definition;
mod reader;
mod specification;
mod witness;
mod yaml;

pub use archive::{Archive, ArchiveError, Members, is_program};
pub use definition::{Claim, Definition, is_task};
pub use reader::Located;
pub use specification::Specification;
pub use witness::{
    Content, Expression, Head, Invariant, Place, Segment, Task, Waypoint, Witness, is_xml, like,
};
