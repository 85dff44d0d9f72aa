//! The errors in the graphs of a program: which there are, and which count.

use std::collections::BTreeMap;

use super::{Edge, Flow, Instruction, Violation};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::{Source, Span};

impl Flow {
    /// The operations and accesses that a check guards, each once, in the order of the text, with the kind of their error.  What
    /// types and constants decide to be no error has no guard.
    pub fn operations(&self, check: Check) -> BTreeMap<Span, ErrorKind> {
        let bodies = self.functions.iter().filter_map(|function| function.body.as_ref());
        let of_check = |edge: &Edge| match edge.instruction {
            Instruction::Error(Violation::Of(kind)) if kind.row().checks.contains(&check) => {
                Some((edge.span, kind))
            }
            _ => None,
        };
        // Of several kinds the first one names all.
        bodies.flat_map(|body| body.edges.iter().rev()).filter_map(of_check).collect()
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
