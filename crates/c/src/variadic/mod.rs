//! Additional arguments of the program's own functions (C11, 7.16): a caller keeps them in objects of its own, which are linked
//! in order, and a list of arguments is a pointer to the next one.
//!
//! `c::parse` leaves calls of functions that no text can name where a list is used ([`START`], [`NEXT`], [`COPY`]).  What they
//! mean takes the whole program, so they are replaced after linking.  Each argument is in a record of a pointer to the next one,
//! a number that says what its type is, and its value.  The first one is handed over in a variable of the program, which serves
//! calls through pointers as well.  Reading an argument that is not there, or as another type, leaves a path undecided.

mod argument;
mod handed;
mod specialise;

use std::collections::BTreeSet;

use crate::edit::Edges;
use crate::flow::{
    Base, BinaryOp, Body, Callee, Edge, Expr, ExprKind, Flow, Function, FunctionId, Instruction,
    LocationId, Place, Step, Variable, VariableId, Violation,
};
use crate::types::{Type, TypeId, Types};
use argument::{ENDED, code, node, readable};
use hardbop_base::errors::Check;
use hardbop_base::errors::ErrorKind;
use hardbop_base::source::Span;
pub(crate) use specialise::specialise;

/// `va_start`, `va_arg` and `va_copy`, on the places of lists; no text can have these names.
pub(crate) const START: &str = "start of additional arguments";
pub(crate) const NEXT: &str = "next additional argument";
pub(crate) const COPY: &str = "copy of additional arguments";

/// The name of the record that a list is on x86-64 (System V ABI, 3.5.7); invented ones may be in several files.
pub(crate) const TAG: &str = "__va_list_tag@";

/// Whether it is the record that a list is on x86-64.
pub(crate) fn is_list_record(types: &Types, ty: TypeId) -> bool {
    types.as_record(ty).is_some_and(|(_, record)| record.name == TAG)
}

/// Replaces what is done with lists of arguments.
pub(crate) fn expand(flow: &mut Flow) {
    let name = |f: FunctionId| flow.functions[f.0 as usize].name.as_str();
    let used = |edge: &Edge| called(edge).map(name).filter(|n| [START, NEXT, COPY].contains(n));
    let all = flow.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges);
    let used: BTreeSet<&str> = all.filter_map(used).collect();
    if used.is_empty() {
        return settle(flow);
    }
    let is_read = used.contains(NEXT);
    let ids = || (0..flow.functions.len() as u32).map(FunctionId);
    let readers: Vec<bool> = ids().map(|f| is_read && reads(flow, f)).collect();
    let mut lists = Lists { given: VariableId(0), codes: BTreeSet::new(), readers, is_read };
    if is_read {
        let void = flow.types.intern(Type::Void);
        let ty = flow.types.pointer_to(void);
        lists.given = variable(flow, "arguments@", ty, None);
        let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
        let given = bodies.flat_map(|b| &b.edges).filter_map(|e| lists.additional(flow, e));
        lists.codes = given.flatten().map(|value| code(&flow.types, value.ty)).collect();
    }
    for index in 0..flow.functions.len() {
        if let Some(body) = flow.functions[index].body.take() {
            let function = FunctionId(index as u32);
            let own = None;
            let starts =
                |e: &Edge| called(e).is_some_and(|f| flow.functions[f.0 as usize].name == START);
            let is_printed = !lists.readers[index] && body.edges.iter().any(starts);
            let code = Edges::instead_of(&body);
            let expansion = Expansion { flow, lists: &lists, function, own, is_printed, code };
            let body = expansion.of(body);
            flow.functions[index].body = Some(body);
        }
    }
    settle(flow);
}

/// Gives the functions that no text can name bodies that do nothing: nobody outside defines them.
fn settle(flow: &mut Flow) {
    let is_mark = |f: &&mut Function| [START, NEXT, COPY].contains(&f.name.as_str());
    for function in flow.functions.iter_mut().filter(is_mark) {
        let (entry, exit, span) = (LocationId(0), LocationId(1), function.span);
        let instruction = Instruction::Return(None);
        let edges = vec![Edge { source: entry, target: exit, instruction, span }];
        function.body = Some(Body { entry, exit, locations: 2, edges, loops: vec![] });
    }
}

/// The function that is called by its name.
fn called(edge: &Edge) -> Option<FunctionId> {
    match &edge.instruction {
        Instruction::Call { callee: Callee::Function(id), .. } => Some(*id),
        _ => None,
    }
}

fn base(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(id) => Some(id),
        _ => None,
    }
}

/// Whether a function begins a list, and does more with it than to hand it to functions without bodies, such as `vprintf`.
fn reads(flow: &Flow, function: FunctionId) -> bool {
    let Some(body) = &flow.functions[function.0 as usize].body else { return false };
    let name = |edge: &Edge| called(edge).map(|f| flow.functions[f.0 as usize].name.as_str());
    let marks = || body.edges.iter().filter(|e| matches!(name(e), Some(START | COPY)));
    if !marks().any(|edge| name(edge) == Some(START)) {
        return false;
    }
    let cells = marks().flat_map(|e| e.instruction.values()).map(|e| e.place().and_then(base));
    let Some(lists) = cells.collect::<Option<BTreeSet<VariableId>>>() else { return true };
    let is_list = |place: &Place| base(place).is_some_and(|v| lists.contains(&v));
    body.edges.iter().any(|edge| {
        let is_outside = called(edge).is_some_and(|f| flow.functions[f.0 as usize].body.is_none());
        let is_harmless = is_outside && name(edge) != Some(NEXT)
            || matches!(edge.instruction, Instruction::Havoc(..));
        let touches = edge.instruction.target().is_some_and(is_list)
            || edge.instruction.parts().any(|part| part.place().is_some_and(is_list));
        touches && !is_harmless
    })
}

fn variable(flow: &mut Flow, name: &str, ty: TypeId, function: Option<FunctionId>) -> VariableId {
    flow.add_variable(Variable::hidden(name.to_owned(), ty, function, Span::default()))
}

/// What is known of the lists of a program.
struct Lists {
    /// The first additional argument of the call at hand.
    given: VariableId,
    /// The types of additional arguments.
    codes: BTreeSet<u64>,
    /// The functions that read their additional arguments, by number.
    readers: Vec<bool>,
    /// Whether any function does.
    is_read: bool,
}

impl Lists {
    /// The additional arguments of a call, where the function that is called may read them.
    fn additional<'e>(&self, flow: &Flow, edge: &'e Edge) -> Option<&'e [Expr]> {
        let Instruction::Call { callee, arguments, .. } = &edge.instruction else { return None };
        let named = match callee {
            Callee::Function(id) if self.readers[id.0 as usize] => {
                flow.functions[id.0 as usize].parameters.len()
            }
            Callee::Function(_) => return None,
            Callee::Pointer(pointer) => {
                let Type::Pointer(to) = *flow.types.get(pointer.ty) else { return None };
                match flow.types.get(to) {
                    Type::Function { parameters, variadic: true, .. }
                        if self.readers.contains(&true) && !parameters.is_empty() =>
                    {
                        parameters.len()
                    }
                    _ => return None,
                }
            }
        };
        arguments.get(named..)
    }
}

/// A body whose uses of lists are replaced.
struct Expansion<'f> {
    flow: &'f mut Flow,
    lists: &'f Lists,
    function: FunctionId,
    /// The first additional argument of the function itself.
    own: Option<VariableId>,
    /// Whether it begins a list that it does not read.
    is_printed: bool,
    code: Edges,
}

impl Expansion<'_> {
    fn of(mut self, mut body: Body) -> Body {
        if self.lists.readers[self.function.0 as usize] {
            let given = self.flow.place_of(self.lists.given, Span::default());
            let ty = given.ty;
            let own = variable(self.flow, "own arguments@", ty, Some(self.function));
            self.own = Some(own);
            let span = self.flow.functions[self.function.0 as usize].span;
            let (entry, next) = (self.code.fresh(), self.code.fresh());
            let own = self.flow.place_of(own, span);
            self.code.add(entry, next, Instruction::Assign(own, given.clone().load()), span);
            // Who calls it as another function gives nothing.
            let nothing = Expr::number(0, ty, span);
            self.code.add(next, body.entry, Instruction::Assign(given, nothing), span);
            body.entry = entry;
        }
        for edge in std::mem::take(&mut body.edges) {
            let name = called(&edge).map(|id| self.flow.functions[id.0 as usize].name.clone());
            match name.as_deref() {
                Some(START) => self.start(edge),
                Some(COPY) => self.copy(edge),
                Some(NEXT) => self.next(edge),
                _ => match self.lists.additional(self.flow, &edge) {
                    Some(more) => {
                        let more = more.to_vec();
                        self.call(edge, more);
                    }
                    None => self.code.edges.push(edge),
                },
            }
        }
        self.code.finish(body)
    }

    fn local(&mut self, name: &str, ty: TypeId, span: Span) -> Place {
        let variable = variable(self.flow, name, ty, Some(self.function));
        self.flow.place_of(variable, span)
    }

    /// `va_start` (C11, 7.16.1.4)
    fn start(&mut self, edge: Edge) {
        let ty = self.flow.functions[self.function.0 as usize].ty;
        let is_variadic = matches!(self.flow.types.get(ty), Type::Function { variadic: true, .. });
        let instruction = match (self.own, edge.instruction.values().next().and_then(Expr::place)) {
            (Some(own), Some(cell)) if is_variadic => {
                let value = self.flow.place_of(own, edge.span).load();
                Instruction::Assign(cell.clone(), value.cast(cell.ty))
            }
            (Some(_), _) => Instruction::Unsupported("va_start in a function without '...'".into()),
            (None, _) => Instruction::Skip,
        };
        self.code.edges.push(Edge { instruction, ..edge });
    }

    /// `va_copy` (C11, 7.16.1.2)
    fn copy(&mut self, edge: Edge) {
        let mut cells = edge.instruction.values().filter_map(Expr::place);
        let instruction = match (cells.next(), cells.next()) {
            // A list that is only printed was not begun.
            (Some(to), Some(from)) if self.lists.is_read && !self.is_printed => {
                Instruction::Assign(to.clone(), from.clone().load().cast(to.ty))
            }
            _ => Instruction::Skip,
        };
        self.code.edges.push(Edge { instruction, ..edge });
    }

    /// `va_arg` (C11, 7.16.1.1)
    fn next(&mut self, edge: Edge) {
        let Edge { source, target, instruction, span } = edge;
        let Instruction::Call { result: Some(result), arguments, .. } = instruction else { return };
        let Some(cell) = arguments.first().and_then(Expr::place).cloned() else { return };
        let pointer = self.flow.variables[self.lists.given.0 as usize].ty;
        let word = self.flow.types.unsigned_word();
        let list = self.local("list@", pointer, span);
        let value = cell.clone().load().cast(pointer);
        let mut here = self.code.then(source, Instruction::Assign(list.clone(), value), span);
        let end = match self.flow.checked.has(Check::Bounds) {
            true => Instruction::Error(Violation::Of(ErrorKind::OutOfBounds)),
            false => Instruction::Unsupported("va_arg behind the last argument".into()),
        };
        here = self.stop_unless(here, BinaryOp::NotEqual, (list.clone().load(), 0), end, span);
        let found = self.local("type@", word, span);
        let kind = self.part(&list, 1, word, span);
        here = self.code.then(here, Instruction::Assign(found.clone(), kind.load()), span);
        let wanted = readable(&self.flow.types, result.ty, &self.lists.codes);
        let value = self.part(&list, 2, result.ty, span);
        let ready = self.code.fresh();
        for (code, sign) in wanted {
            let (yes, no) = (self.code.fresh(), self.code.fresh());
            let condition = self.compared(BinaryOp::Equal, found.clone().load(), code);
            self.code.branch(here, condition, (yes, no), span);
            let mut fine = yes;
            if let Some(signed) = sign {
                let value = self.part(&list, 2, signed, span);
                let end = Instruction::Unsupported("va_arg as a type without this value".into());
                let op = BinaryOp::GreaterEqual;
                fine = self.stop_unless(fine, op, (value.load(), 0), end, span);
            }
            self.code.add(fine, ready, Instruction::Skip, span);
            here = no;
        }
        let exit = self.code.fresh();
        let wrong = Instruction::Unsupported("va_arg with another type than the argument's".into());
        self.code.add(here, exit, wrong, span);
        here = self.code.then(ready, Instruction::Assign(result, value.load()), span);
        let next = self.part(&list, 0, pointer, span).load();
        let next = next.cast(cell.ty);
        self.code.add(here, target, Instruction::Assign(cell, next), span);
    }

    /// A comparison of a value with a number.
    fn compared(&mut self, op: BinaryOp, value: Expr, number: u64) -> Expr {
        let (ty, span) = (value.ty, value.span);
        Expr::binary(op, value, Expr::number(number, ty, span), self.flow.types.int())
    }

    /// Goes on where a comparison holds, and else stops.
    fn stop_unless(
        &mut self,
        source: LocationId,
        op: BinaryOp,
        (value, number): (Expr, u64),
        stop: Instruction,
        span: Span,
    ) -> LocationId {
        let condition = self.compared(op, value, number);
        let (yes, no) = (self.code.fresh(), self.code.fresh());
        self.code.branch(source, condition, (yes, no), span);
        self.code.then(no, stop, span);
        yes
    }

    /// So many words behind the beginning of the argument to which a pointer leads.
    fn part(&mut self, list: &Place, words: u64, ty: TypeId, span: Span) -> Place {
        let to = self.flow.types.pointer_to(ty);
        let mut pointer = list.clone().load();
        if words > 0 {
            let scale = words * u64::from(self.flow.types.model.word() / 8);
            let signed = self.flow.types.signed_word();
            let index = Expr::number(1, signed, span);
            let list_ty = pointer.ty;
            let (pointer_box, index) = (Box::new(pointer), Box::new(index));
            let kind = ExprKind::Offset { pointer: pointer_box, index, scale };
            pointer = Expr { kind, ty: list_ty, span };
        }
        let pointer = pointer.cast(to);
        Place { base: Base::Pointer(Box::new(pointer)), path: vec![], ty, span }
    }

    /// Hands over additional arguments, which end with the call.
    fn call(&mut self, edge: Edge, more: Vec<Expr>) {
        let Edge { source, target, mut instruction, span } = edge;
        let mut here = source;
        let mut nodes = Vec::with_capacity(more.len());
        for value in &more {
            let Some(ty) = node(&mut self.flow.types, value.ty) else {
                let what = "an additional argument of this type".to_owned();
                return self.code.add(source, target, Instruction::Unsupported(what), span);
            };
            nodes.push(self.local("argument@", ty, span));
        }
        let given = self.flow.place_of(self.lists.given, span);
        let word = self.flow.types.unsigned_word();
        let field = |node: &Place, index: u32, ty| {
            let mut place = node.clone();
            place.path.push(Step::Field(index));
            Place { ty, ..place }
        };
        let mut first = Expr::number(0, given.ty, span);
        for (node, value) in nodes.iter().zip(more).rev() {
            let code = code(&self.flow.types, value.ty);
            for (to, value) in [
                (field(node, 0, given.ty), first),
                (field(node, 1, word), Expr::number(code, word, span)),
                (field(node, 2, value.ty), value),
            ] {
                here = self.code.then(here, Instruction::Assign(to, value), span);
            }
            let address = self.flow.types.pointer_to(node.ty);
            let address = Expr { kind: ExprKind::AddressOf(node.clone()), ty: address, span };
            first = address.cast(given.ty);
        }
        here = self.code.then(here, Instruction::Assign(given, first), span);
        if let Instruction::Call { callee: Callee::Function(_), arguments, .. } = &mut instruction {
            arguments.truncate(arguments.len() - nodes.len());
        }
        for node in &nodes {
            here = self.code.then(here, instruction, span);
            instruction =
                Instruction::Assign(field(node, 1, word), Expr::number(ENDED, word, span));
        }
        self.code.add(here, target, instruction, span);
    }
}
