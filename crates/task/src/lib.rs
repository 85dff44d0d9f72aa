//! Property files ([`Specification`]), task definitions ([`Definition`]), witnesses ([`Witness`])
//! and archives ([`Archive`]) of SV-COMP, the competition of software verifiers: what its users
//! supply besides the text of a program.
//!
//! ```
//! use hardbop_task::Specification;
//!
//! let specification = Specification::parse("CHECK( init(main()), LTL(G ! call(reach_error())) )")?;
//! assert_eq!(specification.entry, "main");
//! assert_eq!(specification.property.error_functions, ["reach_error"]);
//! # Ok::<(), hardbop_base::source::Diagnostic>(())
//! ```
//!
//! Nothing here opens files.

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
