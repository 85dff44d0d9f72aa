//! Statements with several accesses to what signal handlers access, one by one.

use super::handlers::{Handlers, is_about_signals};
use crate::edit::{Edges, replace, two_ways};
use crate::flow::{
    Callee, Edge, Expr, Flow, FunctionId, Instruction, LocationId, Place, READ, Variable,
};
use crate::threads::Calls;
use crate::types::TypeId;
use hardbop_base::source::Span;

const ATOMIC: &str = "an atomic section that begins or ends on one way and not on another";
const CHOICE: &str = "a choice among several conditions in a program with signal handlers";

/// The new edges of a function.
pub(super) struct Divider<'f> {
    pub flow: &'f mut Flow,
    pub handlers: &'f Handlers,
    pub calls: &'f Calls,
    pub function: FunctionId,
    /// The function that has signals come.
    pub come: FunctionId,
    /// The function that leaves undecided that one comes in the midst of an access.
    pub amid: FunctionId,
    /// By location of the function: whether no signal comes there, as it is within an atomic access; `None`: that depends on
    /// the way there.
    pub atomic: Vec<Option<bool>>,
    /// Where the function ends.
    pub exit: LocationId,
    pub code: Edges,
}

impl Divider<'_> {
    /// Signals may come at a location; returns the one behind that.
    pub fn come(&mut self, at: LocationId, span: Span) -> LocationId {
        self.called(at, self.come, span)
    }

    fn called(&mut self, at: LocationId, function: FunctionId, span: Span) -> LocationId {
        let callee = Callee::Function(function);
        let call = Instruction::Call { result: None, callee, arguments: vec![] };
        self.code.then(at, call, span)
    }

    /// All ways on from a location.
    pub fn edges(&mut self, at: LocationId, edges: Vec<Edge>) {
        let span = edges[0].span;
        match self.atomic[edges[0].source.0 as usize] {
            None => self.stop(at, ATOMIC, span),
            Some(true) => {
                for edge in edges {
                    self.code.add(at, edge.target, edge.instruction, edge.span);
                }
            }
            Some(false) => match <[Edge; 1]>::try_from(edges) {
                Ok([edge]) => self.edge(at, edge),
                Err(edges) => self.branches(at, edges),
            },
        }
    }

    /// An edge that is the only way on.
    fn edge(&mut self, mut at: LocationId, mut edge: Edge) {
        let mut target = edge.target;
        at = self.come_amid(at, &edge);
        at = self.divided(at, &mut edge);
        if self.calls.of(&edge).is_some() {
            at = self.come(at, edge.span);
        }
        let is_about = match edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => is_about_signals(self.flow, f),
            _ => false,
        };
        if is_about {
            at = self.come(at, edge.span);
            let behind = self.code.fresh();
            let last = self.come(behind, edge.span);
            self.code.add(last, target, Instruction::Skip, edge.span);
            edge.target = behind;
            target = behind;
        }
        if self.function == self.flow.main && target == self.exit && self.handlers.may_fail() {
            at = self.come(at, edge.span);
        }
        if let Instruction::Call { result, .. } = &mut edge.instruction
            && let Some(place) = result.clone().filter(|place| self.handlers.is_shared(place))
        {
            // What it returns is stored later.
            let returned = self.temporary(place.ty, edge.span);
            *result = Some(returned.clone());
            let behind = self.code.then(at, edge.instruction, edge.span);
            let instruction = Instruction::Assign(place, returned.load());
            let store = Edge { source: behind, target, instruction, span: edge.span };
            let here = self.come_amid(behind, &store);
            let here = self.come(here, store.span);
            return self.code.add(here, target, store.instruction, store.span);
        }
        self.code.add(at, target, edge.instruction, edge.span);
    }

    /// Leaves undecided that a signal comes in the midst of an edge, where handlers do something else then.
    fn come_amid(&mut self, at: LocationId, edge: &Edge) -> LocationId {
        match self.handlers.are_amid(self.flow, edge) {
            true => self.called(at, self.amid, edge.span),
            false => at,
        }
    }

    /// Several ways on from a location: the two of one condition, if it reads more than one value.
    fn branches(&mut self, mut at: LocationId, mut edges: Vec<Edge>) {
        let span = edges[0].span;
        let count = |edge: &Edge| self.handlers.accesses(self.flow, edge);
        let accesses = edges.iter().map(count).max().unwrap_or(0);
        if accesses > 1 {
            let Some(mut read) = two_ways(&edges).cloned() else {
                return self.stop(at, CHOICE, span);
            };
            at = self.extract(at, [&mut read]);
            for edge in &mut edges {
                for value in edge.instruction.values_mut() {
                    value.clone_from(&read);
                }
            }
        } else if accesses == 1 {
            at = self.come(at, span);
        }
        for Edge { target, instruction, span, .. } in edges {
            self.code.add(at, target, instruction, span);
        }
    }

    /// Reads what an instruction has of shared memory, so that at most one access is left.  Returns where it comes.
    fn divided(&mut self, mut at: LocationId, edge: &mut Edge) -> LocationId {
        if self.handlers.accesses(self.flow, edge) > 1 {
            at = self.extract(at, edge.instruction.values_mut());
        }
        match self.handlers.accesses(self.flow, edge) {
            0 => at,
            _ => self.come(at, edge.span),
        }
    }

    /// Reads the shared values in expressions, each into a temporary.  Loads with one place in the text are one.
    fn extract<'e>(
        &mut self,
        mut at: LocationId,
        values: impl IntoIterator<Item = &'e mut Expr>,
    ) -> LocationId {
        let mut read: Vec<Expr> = vec![];
        for value in values {
            replace(value, &mut |part: &Expr| {
                if !self.handlers.is_load(part) {
                    return None;
                }
                if let Some(known) = read.iter().find(|r| (r.span, r.ty) == (part.span, part.ty)) {
                    return Some(known.clone());
                }
                let kept = self.temporary(part.ty, part.span);
                at = self.come(at, part.span);
                at = self.code.then(at, Instruction::Assign(kept.clone(), part.clone()), part.span);
                read.push(kept.clone().load());
                Some(kept.load())
            });
        }
        at
    }

    fn temporary(&mut self, ty: TypeId, span: Span) -> Place {
        let name = format!("{READ}{}", self.flow.variables.len());
        let kept = Variable::hidden(name, ty, Some(self.function), span);
        let kept = self.flow.add_variable(kept);
        self.flow.place_of(kept, span)
    }

    fn stop(&mut self, at: LocationId, what: &str, span: Span) {
        let nowhere = self.code.fresh();
        self.code.add(at, nowhere, Instruction::Unsupported(what.to_owned()), span);
    }
}
