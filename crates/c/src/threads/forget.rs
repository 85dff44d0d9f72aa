//! What is left of variables where they die, or end.

use super::frame::Frame;
use super::weave::Weaver;
use crate::flow::{LocationId, VariableId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

const ENDS: &str = "the end of variables to which pointers may lead, in a program with threads";

impl Weaver<'_> {
    /// Forgets the values of variables at a location, and returns the location behind that, which stands for it in the text.
    pub(super) fn forget(&mut self, at: LocationId, variables: &[VariableId]) -> LocationId {
        // A pointer that nobody reads any more still keeps its block.
        if variables.is_empty() || self.asked.are_of_ends() {
            return at;
        }
        let place = self.places.remove(&at);
        let mut here = at;
        for &variable in variables {
            if self.flow.types.bits(self.flow.variables[variable.0 as usize].ty).is_none() {
                continue;
            }
            let next = self.code.fresh();
            self.assign((here, next), variable, 0, Span::default());
            here = next;
        }
        if let Some(place) = place {
            self.places.insert(here, place);
        }
        here
    }

    /// Where a function is left: what pointers may lead to ends there, and lives are not followed in a function that is
    /// expanded.
    pub(super) fn end(&mut self, frame: &Frame, at: LocationId, span: Span) -> LocationId {
        let is_asked = self.asked.has(Check::Lifetime);
        if !is_asked || !frame.own.iter().any(|&v| self.shared.is_variable(v)) {
            return at;
        }
        self.stop(at, ENDS, span);
        self.code.fresh()
    }
}
