//! Counts the live blocks of the heap in a hidden variable, and checks where the program ends that there is none, or that
//! none is lost.
//!
//! What the count says is right as long as only live blocks are freed.

use std::collections::BTreeSet;
use std::mem::replace;

use super::hidden;
use crate::edit::Edges;
use crate::flow::{
    Base, BinaryOp, Body, Callee, END, Edge, Expr, ExprKind, Flow, FunctionId, Instruction,
    LocationId, Place, State, UnaryOp, Variable, VariableId, Violation,
};
use crate::library::{Execution, LibraryFunction, Returns, Storage, find};
use crate::types::{Type, TypeId};
use hardbop_base::errors::{Check, Checks, ErrorKind};
use hardbop_base::source::Span;

/// Whether a call of the function, which has no body, may change the number of live blocks, where that is asked for.
pub(super) fn is_counted(name: &str, checks: Checks) -> bool {
    let changes = |known: &LibraryFunction| {
        let frees = known.model().is_some_and(|model| model.execution == Execution::Free);
        frees || known.makes_block() || hidden::is_open(known)
    };
    checks.are_of_ends() && find(name).is_none_or(changes)
}

/// Inserts the count and its checks, where they are asked for.
pub(super) fn insert(flow: &mut Flow) {
    if !flow.checked.are_of_ends() {
        return;
    }
    let span = flow.functions[flow.main.0 as usize].span;
    let word = flow.types.unsigned_word();
    let name = "number of live blocks".to_owned();
    let count = flow.add_variable(Variable::hidden(name, word, None, span));
    let restarts = is_called(flow, flow.main);
    let makers = makers(flow);
    for index in 0..flow.functions.len() {
        let Some(mut body) = flow.functions[index].body.take() else { continue };
        let function = FunctionId(index as u32);
        // What the library allocates for itself is no block of the program.
        if flow.is_of_library(function) {
            flow.functions[index].body = Some(body);
            continue;
        }
        let ends = (function == flow.main).then_some(restarts);
        let edges = std::mem::take(&mut body.edges);
        let (first, code) = (count.0 as usize, Edges::instead_of(&body));
        let makers = &makers;
        let mut counter = Counter { flow, function, count, first, code, makers };
        for edge in edges {
            counter.edge(edge, ends, body.exit);
        }
        flow.functions[index].body = Some(counter.finish(body));
    }
}

/// Functions of the library with bodies that allocate or free blocks of the program: all that do such a thing, but for
/// `getenv`, whose texts are its own.
fn makers(flow: &Flow) -> BTreeSet<FunctionId> {
    let mut makers = BTreeSet::new();
    loop {
        let count = makers.len();
        for index in 0..flow.functions.len() {
            let (id, function) = (FunctionId(index as u32), &flow.functions[index]);
            let Some(body) = function.body.as_ref().filter(|_| flow.is_of_library(id)) else {
                continue;
            };
            let makes = |edge: &Edge| match &edge.instruction {
                Instruction::Call { callee: Callee::Function(f), .. } => {
                    let called = &flow.functions[f.0 as usize];
                    let is_known = called.body.is_none() && is_counted(&called.name, flow.checked);
                    is_known || makers.contains(f)
                }
                _ => false,
            };
            if !flow.keeps_blocks(id) && body.edges.iter().any(makes) {
                makers.insert(id);
            }
        }
        if makers.len() == count {
            return makers;
        }
    }
}

/// Whether the program calls a function, or has its address.
fn is_called(flow: &Flow, function: FunctionId) -> bool {
    let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
    bodies.flat_map(|body| &body.edges).any(|edge| {
        let is_it = |e: &Expr| matches!(e.kind, ExprKind::FunctionAddress(f) if f == function);
        matches!(&edge.instruction,
            Instruction::Call { callee: Callee::Function(f), .. } if *f == function)
            || edge.instruction.parts().any(is_it)
    })
}

/// A body in which blocks are counted.
struct Counter<'f> {
    flow: &'f mut Flow,
    function: FunctionId,
    count: VariableId,
    /// The number of the first variable that this pass makes.
    first: usize,
    code: Edges,
    makers: &'f BTreeSet<FunctionId>,
}

impl Counter<'_> {
    fn finish(self, body: Body) -> Body {
        self.code.finish(body)
    }

    /// `ends` is there where returns end the program, and says whether it may go on all the same.
    fn edge(&mut self, mut edge: Edge, ends: Option<bool>, exit: LocationId) {
        let called = match &edge.instruction {
            Instruction::Return(_) => {
                if let Some(restarts) = ends {
                    edge.source = self.end(edge.source, (restarts, false), exit, edge.span);
                }
                return self.code.edges.push(edge);
            }
            Instruction::Call { callee: Callee::Function(id), arguments, .. } => {
                let function = &self.flow.functions[id.0 as usize];
                let is_maker = self.makers.contains(id);
                if function.body.is_some() && !is_maker {
                    return self.code.edges.push(edge);
                }
                let changes = is_maker || hidden::changes(self.flow, function, arguments);
                (function.name.clone(), changes)
            }
            _ => return self.code.edges.push(edge),
        };
        let (name, changes) = called;
        if name == END {
            edge.source = self.end(edge.source, (false, true), exit, edge.span);
            edge.instruction = Instruction::Skip;
            self.code.edges.push(edge);
        } else if changes {
            let what = format!("the blocks that '{name}' allocates or frees");
            let here = self.code.then(edge.source, Instruction::Unsupported(what), edge.span);
            self.code.edges.push(Edge { source: here, ..edge });
        } else if let Some(known) = find(&name) {
            self.call(known, edge);
        } else {
            self.code.edges.push(edge);
        }
    }

    /// A call of a library function.
    fn call(&mut self, known: &LibraryFunction, mut edge: Edge) {
        let Some(model) = known.model() else { return self.code.edges.push(edge) };
        let span = edge.span;
        let target = edge.target;
        let Instruction::Call { arguments, .. } = &edge.instruction else { return };
        let first = arguments.first().cloned();
        match (model.execution, model.effect.returns, first) {
            (Execution::Free, _, Some(freed)) => {
                let is_one = self.is_null(&freed, false);
                let less = self.changed(BinaryOp::Subtract, is_one, span);
                edge.source = self.code.then(edge.source, less, span);
                self.code.edges.push(edge);
            }
            (Execution::Reallocate, _, Some(old)) => {
                // glibc frees the block where nothing is left of it.
                let kept = self.temporary(old.ty, span);
                let assign = Instruction::Assign(kept.clone(), old);
                edge.source = self.code.then(edge.source, assign, span);
                let behind = self.code.fresh();
                let size = match &edge.instruction {
                    Instruction::Call { arguments, .. } => arguments.get(1).cloned(),
                    _ => None,
                };
                edge.target = behind;
                let (kept, int) = (kept.load(), self.flow.types.int());
                let result = self.call_keeping(edge, kept.ty);
                let is_new = [self.is_null(&result, false), self.is_null(&kept, true)];
                let is_new = self.both(is_new);
                let mut is_gone = [self.is_null(&result, true), self.is_null(&kept, false)];
                if let Some(size) = size {
                    let zero = Expr::number(0, size.ty, span);
                    let empty = Expr::binary(BinaryOp::Equal, size, zero, int);
                    let [null, some] = is_gone;
                    is_gone = [null, Expr::binary(BinaryOp::And, some, empty, int)];
                }
                let is_gone = self.both(is_gone);
                let more = self.changed(BinaryOp::Add, is_new, span);
                let less = self.changed(BinaryOp::Subtract, is_gone, span);
                let here = self.code.then(behind, more, span);
                let here = self.code.then(here, less, span);
                let middle = self.code.fresh();
                self.let_go(kept, (here, middle), span);
                self.let_go(result, (middle, target), span);
            }
            (_, Returns::Fresh(new), _) if new.storage == Storage::Heap => {
                let behind = self.code.fresh();
                edge.target = behind;
                let void = self.flow.types.intern(Type::Void);
                let pointer = self.flow.types.pointer_to(void);
                let result = self.call_keeping(edge, pointer);
                let is_one = self.is_null(&result, false);
                let more = self.changed(BinaryOp::Add, is_one, span);
                let here = self.code.then(behind, more, span);
                self.let_go(result, (here, target), span);
            }
            _ => self.code.edges.push(edge),
        }
    }

    /// Calls a function, and returns its result; that of a call that drops it is of type `otherwise`.  A result that is not
    /// kept in a whole variable is put there behind the call.
    fn call_keeping(&mut self, mut edge: Edge, otherwise: TypeId) -> Expr {
        let span = edge.span;
        let Instruction::Call { result, .. } = &mut edge.instruction else {
            return Expr::number(0, otherwise, span);
        };
        let is_whole = |place: &Place| place.path.is_empty() && place.operands().next().is_none();
        if let Some(place) = result.as_ref().filter(|place| is_whole(place)) {
            let value = place.clone().load();
            self.code.edges.push(edge);
            return value;
        }
        let ty = result.as_ref().map_or(otherwise, |place| place.ty);
        let kept = self.temporary(ty, span);
        if let Some(place) = result.replace(kept.clone()) {
            let middle = self.code.fresh();
            let target = replace(&mut edge.target, middle);
            self.code.add(middle, target, Instruction::Assign(place, kept.clone().load()), span);
        }
        self.code.edges.push(edge);
        kept.load()
    }

    /// Sets a temporary of this pass to null, so that it does not lead to the block.
    fn let_go(&mut self, value: Expr, (from, to): (LocationId, LocationId), span: Span) {
        let instruction = match value.kind {
            ExprKind::Load(place) if self.is_own(&place) => {
                Instruction::Assign(place, Expr::number(0, value.ty, span))
            }
            _ => Instruction::Skip,
        };
        self.code.add(from, to, instruction, span);
    }

    fn is_own(&self, place: &Place) -> bool {
        matches!(place.base, Base::Variable(v) if v.0 as usize >= self.first)
    }

    /// Checks the end of the program; with `calls` one in the middle of calls.
    fn end(
        &mut self,
        here: LocationId,
        (restarts, calls): (bool, bool),
        exit: LocationId,
        span: Span,
    ) -> LocationId {
        let mut here = here;
        if restarts {
            let what = "the end of a program that calls the function where it starts".to_owned();
            here = self.code.then(here, Instruction::Unsupported(what), span);
        }
        let count = self.flow.place_of(self.count, span).load();
        let int = self.flow.types.int();
        let zero = Expr::number(0, count.ty, span);
        let some = Expr::binary(BinaryOp::NotEqual, count.clone(), zero, int);
        let lost = ExprKind::Unary(UnaryOp::Is(State::Lost { calls }), Box::new(count));
        let lost = Expr { kind: lost, ty: int, span };
        // What is lost is an error of the other kind, too: it is named by what tells more.
        let checks = [
            (Check::Leak, lost, ErrorKind::LostBlock),
            (Check::Cleanup, some, ErrorKind::LiveBlock),
        ];
        for (check, condition, kind) in checks {
            if self.flow.checked.has(check) {
                let (error, next) = (self.code.fresh(), self.code.fresh());
                self.code.branch(here, condition, (error, next), span);
                self.code.add(error, exit, Instruction::Error(Violation::Of(kind)), span);
                here = next;
            }
        }
        here
    }

    /// The count, changed by one if a condition holds.
    fn changed(&mut self, op: BinaryOp, condition: Expr, span: Span) -> Instruction {
        let place = self.flow.place_of(self.count, span);
        let value = Expr::binary(op, place.clone().load(), condition.cast(place.ty), place.ty);
        Instruction::Assign(place, value)
    }

    fn is_null(&mut self, pointer: &Expr, is_null: bool) -> Expr {
        let zero = Expr::number(0, pointer.ty, pointer.span);
        let op = if is_null { BinaryOp::Equal } else { BinaryOp::NotEqual };
        Expr::binary(op, pointer.clone(), zero, self.flow.types.int())
    }

    fn both(&mut self, [a, b]: [Expr; 2]) -> Expr {
        Expr::binary(BinaryOp::And, a, b, self.flow.types.int())
    }

    fn temporary(&mut self, ty: TypeId, span: Span) -> Place {
        let name = format!("block@{}", self.flow.variables.len());
        let variable = Variable::hidden(name, ty, Some(self.function), span);
        let variable = self.flow.add_variable(variable);
        self.flow.place_of(variable, span)
    }
}
