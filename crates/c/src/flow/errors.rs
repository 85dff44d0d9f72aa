//! The errors in the graphs of a program: which there are, and which count.

use std::collections::BTreeSet;

use super::{Flow, Instruction, Violation};
use hardbop_base::errors::Check;
use hardbop_base::source::{Source, Span};

impl Flow {
    /// The operations and accesses that a check guards, each once, in the order of the text.  What types and constants
    /// decide to be no error has no guard.
    pub fn operations(&self, check: Check) -> BTreeSet<Span> {
        let bodies = self.functions.iter().filter_map(|function| function.body.as_ref());
        let is_of_check = |instruction: &Instruction| match instruction {
            Instruction::Error(Violation::Of(kind)) => kind.row().checks.contains(&check),
            _ => false,
        };
        let edges = bodies.flat_map(|body| &body.edges).filter(|e| is_of_check(&e.instruction));
        edges.map(|edge| edge.span).collect()
    }

    /// Lets executions end, as `abort` does, at those errors that are not to be checked.
    pub fn check_only(&mut self, is_checked: impl Fn(&Source, Span, Violation) -> bool) {
        let bodies = self.functions.iter_mut().filter_map(|f| f.body.as_mut());
        for edge in bodies.flat_map(|body| &mut body.edges) {
            if let Instruction::Error(violation) = edge.instruction
                && !is_checked(&self.source, edge.span, violation)
            {
                edge.instruction = Instruction::Halt;
            }
        }
        self.stated.retain(|&(_, span)| is_checked(&self.source, span, Violation::Reached));
    }
}
