//! Which functions may return, and which may do so without the value that they should have.

use super::order::until_nothing_changes;
use crate::flow::{Body, Callee, ExprKind, Flow, FunctionId, Instruction};
use hardbop_base::errors::Check;

/// Whether some call in these functions uses a result that its callee may not have returned, if that is no error.
pub(in crate::lower) fn uses_missing_result(flow: &Flow, functions: &[FunctionId]) -> bool {
    if flow.checked.has(Check::Return) {
        return false;
    }
    let returns = Returns::new(flow);
    let bodies = functions.iter().filter_map(|f| flow.functions[f.0 as usize].body.as_ref());
    let mut used = bodies.flat_map(|body| &body.edges).filter_map(|e| match &e.instruction {
        Instruction::Call { result: Some(_), callee, .. } => Some(callee),
        _ => None,
    });
    used.any(|callee| match callee {
        Callee::Function(callee) => returns.lacks_value[callee.0 as usize],
        // Whatever it may lead to.
        Callee::Pointer(_) => functions.iter().any(|f| returns.lacks_value[f.0 as usize]),
    })
}

/// The ways in which functions end.
pub(crate) struct Returns {
    /// Whether a function may return, by its number; those without bodies do.
    may_return: Vec<bool>,
    /// Whether a function with a result may end without a value.
    lacks_value: Vec<bool>,
}

impl Returns {
    pub fn new(flow: &Flow) -> Self {
        let count = flow.functions.len();
        let may_return = flow.functions.iter().map(|f| f.body.is_none()).collect();
        let mut returns = Self { may_return, lacks_value: vec![false; count] };
        // A function returns only if what it calls does: the least solution, since recursion without an end returns nothing.
        until_nothing_changes(flow, |i| {
            let function = &flow.functions[i];
            let Some(body) = &function.body else { return false };
            let [with_value, without] = returns.ends(body);
            let found = (with_value || without, without && function.result.is_some());
            let before = (returns.may_return[i], returns.lacks_value[i]);
            (returns.may_return[i], returns.lacks_value[i]) = found;
            found != before
        });
        returns
    }

    pub fn may_return(&self, function: FunctionId) -> bool {
        self.may_return[function.0 as usize]
    }

    /// Whether some path returns a value, and whether some path returns none.
    fn ends(&self, body: &Body) -> [bool; 2] {
        let mut outgoing: Vec<Vec<usize>> = vec![vec![]; body.locations as usize];
        for (i, edge) in body.edges.iter().enumerate() {
            outgoing[edge.source.0 as usize].push(i);
        }
        let mut ends = [false; 2];
        let mut seen = vec![false; body.locations as usize];
        let mut open = vec![body.entry.0 as usize];
        while let Some(location) = open.pop() {
            if std::mem::replace(&mut seen[location], true) {
                continue;
            }
            for &i in &outgoing[location] {
                match &body.edges[i].instruction {
                    Instruction::Return(value) => ends[usize::from(value.is_none())] = true,
                    instruction if self.goes_on(instruction) => {
                        open.push(body.edges[i].target.0 as usize);
                    }
                    _ => {}
                }
            }
        }
        ends
    }

    /// Whether something may follow the instruction in its function.
    fn goes_on(&self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Error(_) | Instruction::Halt | Instruction::Unsupported(_) => false,
            Instruction::Call { callee: Callee::Function(callee), .. } => self.may_return(*callee),
            Instruction::Assume { condition, expected } => match condition.kind {
                ExprKind::Constant(value) => (value != 0) == *expected,
                _ => true,
            },
            _ => true,
        }
    }
}
