//! The bodies as a program has them.

use crate::bodies::{Bodies, Reader};
use crate::flow::Flow;
use crate::rewrite::renumbered;
use crate::types::{Type, TypeId};

/// The bodies, with the numbers that their types have in a program.
pub(super) struct Models {
    pub bodies: &'static Bodies,
    pub types: Vec<TypeId>,
    pub char: TypeId,
}

impl Models {
    /// The bodies for a program, whose table of types gets theirs.
    pub fn new(flow: &mut Flow, read: Reader) -> Option<Self> {
        let bodies = read(flow.types.model)?;
        let types = renumbered(&bodies.types, &mut flow.types, |id| id);
        let char = flow.types.intern(Type::Int { bits: 8, signed: true, rank: 1 });
        Some(Self { bodies, types, char })
    }
}
