//! The errors in the graphs of a program: which there are, and which count.

use std::collections::BTreeMap;

use super::{Edge, Flow, FunctionId, Instruction, Violation};
use crate::parse::reachable;
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

    /// The functions that errors in operations and accesses are in.
    pub fn functions_of_errors(&self) -> BTreeMap<Span, &str> {
        let bodies =
            self.functions.iter().filter_map(|f| Some((f.name.as_str(), f.body.as_ref()?)));
        let is_error =
            |edge: &&Edge| matches!(edge.instruction, Instruction::Error(Violation::Of(_)));
        // Of several the first one in the text.
        let errors = bodies.rev().flat_map(|(name, body)| {
            body.edges.iter().filter(is_error).map(move |edge| (edge.span, name))
        });
        errors.collect()
    }

    /// Forgets the bodies of functions that executions cannot enter, as far as the text shows, and the errors in them.
    pub fn keep_reached(&mut self) {
        let reached = reachable(&self.functions, &self.initialisers, self.main);
        for (number, function) in (0..).zip(&mut self.functions) {
            if !reached.contains(&FunctionId(number)) {
                function.body = None;
            }
        }
        self.stated.retain(|(function, _)| reached.contains(function));
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
