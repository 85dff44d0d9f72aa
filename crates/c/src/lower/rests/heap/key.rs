//! Names of places, as far as two expressions can be seen to mean the same one.

use crate::flow::{Base, Expr, ExprKind, Flow, Place, Step, VariableId};

/// A place: a variable, and the steps from there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub root: VariableId,
    steps: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Target,
    Field(u32),
    Index(i64),
}

impl Key {
    pub fn new(flow: &Flow, place: &Place) -> Option<Self> {
        let mut key = match &place.base {
            Base::Variable(root) => Self { root: *root, steps: vec![] },
            Base::Pointer(pointer) => {
                let mut key = Self::new(flow, loaded(pointer)?)?;
                key.steps.push(Part::Target);
                key
            }
            Base::String(_) => return None,
        };
        for step in &place.path {
            key.steps.push(match step {
                Step::Field(field) => Part::Field(*field),
                Step::Index(index) => Part::Index(flow.constant(index)?),
            });
        }
        Some(key)
    }

    pub fn is_variable(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether it goes through a pointer.
    pub fn is_pointed(&self) -> bool {
        self.steps.contains(&Part::Target)
    }

    /// Whether a write to the place may change what is found here.
    pub fn depends_on(&self, other: &Self) -> bool {
        let is_within = self.root == other.root && self.steps.starts_with(&other.steps);
        let may_be_one = match (self.steps.last(), other.steps.last()) {
            (Some(Part::Field(a)), Some(Part::Field(b))) => a == b,
            _ => true,
        };
        is_within || other.is_pointed() && self.is_pointed() && may_be_one
    }
}

/// The place from which a pointer is read, whatever its type.
pub(super) fn loaded(pointer: &Expr) -> Option<&Place> {
    match &pointer.kind {
        ExprKind::Load(place) => Some(place),
        ExprKind::Cast(inner) => loaded(inner),
        _ => None,
    }
}
