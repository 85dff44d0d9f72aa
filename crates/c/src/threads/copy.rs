//! Makes copies of functions' bodies.

use super::dying::dying;
use super::frame::{Frame, sections};
use super::weave::Weaver;
use crate::flow::{FunctionId, LocationId, ThreadPlace, VariableId};
use crate::rewrite::Numbers;

impl Weaver<'_> {
    /// A copy of a function's body, for a call in which its parameters are these variables.
    pub(super) fn frame(
        &mut self,
        thread: usize,
        function: FunctionId,
        callers: &[FunctionId],
        (repeated, started, atomic): (bool, bool, bool),
        parameters: Vec<VariableId>,
    ) -> Frame {
        let head = self.flow.functions[function.0 as usize].clone();
        let body = head.body.expect("only functions with bodies are expanded");
        let mut numbers = Numbers::identical(self.flow);
        let is_own = thread == 0 && callers.is_empty();
        for index in 0..numbers.variables.len() {
            if !is_own && self.flow.variables[index].function == Some(function) {
                let own = VariableId(index as u32);
                let given = head.parameters.iter().position(|&v| v == own);
                let copy = given.and_then(|i| parameters.get(i).copied());
                numbers.variables[index] = Some(copy.unwrap_or_else(|| self.copy(own)));
            }
        }
        let own = (0..numbers.variables.len() as u32).map(VariableId);
        let own = own.filter(|v| self.flow.variables[v.0 as usize].function == Some(function));
        let own = own.map(|v| numbers.variable(v)).collect();
        let result = head.result.map(|v| numbers.variable(v));
        let copies = |all: Vec<VariableId>| all.into_iter().map(|v| numbers.variable(v)).collect();
        let dying = dying(self.flow, &self.shared, function, &body);
        let dying = dying.into_iter().map(copies).collect();
        let offset = self.code.locations;
        self.code.locations += body.locations;
        let starting = body.edges.iter().filter(|e| self.shared.may_start(self.calls, e));
        let mut others = body.reached(starting.map(|e| e.target), |_| true);
        others.iter_mut().for_each(|other| *other |= started);
        let stack = callers.iter().copied().chain([function]).collect::<Vec<_>>();
        let atomic = sections(self.calls, &body, atomic);
        for at in 0..body.locations {
            let place = ThreadPlace { thread: thread as u32, function };
            self.places.insert(LocationId(offset + at), place);
        }
        let started = others;
        Frame {
            thread,
            body,
            stack,
            numbers,
            offset,
            own,
            result,
            repeated,
            dying,
            started,
            atomic,
        }
    }
}
