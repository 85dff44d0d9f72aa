//! What a program has that can be checked.

use std::collections::HashSet;

use crate::base::source::Span;
use crate::program::c::flow::{Instruction, Violation};
use crate::program::c::parse::{RUN, Unit};

/// What can be checked, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// The functions with bodies.
    pub functions: Vec<(String, Span)>,
    /// The function, and a label, a call of an error function or an assertion in it.
    pub errors: Vec<(String, Span)>,
}

impl Contents {
    pub(super) fn of(unit: &Unit) -> Self {
        let mut contents = Self::default();
        let mut seen: HashSet<Span> = HashSet::new();
        let internal = unit.function(RUN).map(|id| id.0 as usize);
        for (id, function) in unit.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            if function.is_convention() || Some(id) == internal {
                continue;
            }
            contents.functions.push((function.name.clone(), function.span));
            for edge in &body.edges {
                let is_error = matches!(edge.instruction, Instruction::Error(Violation::Reached));
                // An assertion may be a place of several edges.
                if is_error && seen.insert(edge.span) {
                    contents.errors.push((function.name.clone(), edge.span));
                }
            }
        }
        contents.functions.sort_by_key(|(_, span)| span.start);
        contents.errors.sort_by_key(|(_, span)| span.start);
        contents
    }
}
