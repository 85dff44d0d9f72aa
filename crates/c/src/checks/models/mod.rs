//! Calls of library functions where accesses are checked: what they access becomes control flow in front of the call, or in
//! place of it, so that errors are found, and their absence proved, as in the program's own code.
//!
//! The bodies are C (`text.c`).  All of an expansion has the place of the call.

mod format;
mod plan;
mod print;
mod scan;
mod unit;
mod unrolled;

use crate::bodies::Reader;
use crate::edit::Edges;
use crate::flow::{
    Base, BinaryOp, Body, Callee, Edge, Expr, ExprKind, Flow, Function, FunctionId, HavocKind,
    Instruction, LocationId, Place, Step, Variable, VariableId, VariableKind,
};
use crate::reliance::Reliance;
use crate::rewrite::Numbers;
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

#[cfg(test)]
pub(crate) use plan::names;
use plan::{Call, Piece, Plan, Wanted, plan};
pub(super) use plan::{is_covered, literal};
use unit::Models;

/// Expands the calls of all functions.
///
/// Where accesses are not checked, those whose result or text is then known.
pub(super) fn expand(flow: &mut Flow, read: Reader) {
    let mut models = None;
    for index in 0..flow.functions.len() {
        let Some(body) = flow.functions[index].body.take() else { continue };
        let calls = |edge: &Edge| plan_of(flow, edge).is_some();
        if !body.edges.iter().any(calls) {
            flow.functions[index].body = Some(body);
            continue;
        }
        if models.is_none() {
            models = Models::new(flow, read);
        }
        let models = models.as_ref();
        let function = FunctionId(index as u32);
        let code = Edges::instead_of(&body);
        let body = Expansion { flow, models, function, code }.of(body);
        flow.functions[index].body = Some(body);
    }
}

/// What a call becomes, if it is one of a library function whose accesses are known.
fn plan_of(flow: &Flow, edge: &Edge) -> Option<Plan> {
    let Instruction::Call { result, callee: Callee::Function(id), arguments } = &edge.instruction
    else {
        return None;
    };
    let function = &flow.functions[id.0 as usize];
    if function.body.is_some() {
        return None;
    }
    let accesses = flow.checked.look_into_calls();
    let has_word = result.as_ref().is_none_or(|place| is_word(flow, place));
    if !accesses && !has_word {
        return None;
    }
    let wanted = Wanted { accesses, result: result.is_some() };
    plan(&function.name, arguments, &flow.strings, &flow.types, wanted)
        .filter(|plan| !plan.allocates() || allocator(flow).is_some())
}

/// The program's `malloc`, if the library has it: where it is among the functions, or would come.
fn allocator(flow: &Flow) -> Option<FunctionId> {
    let known = flow.functions.iter().position(|f| f.name == "malloc");
    let is_own = known.is_some_and(|index| flow.functions[index].body.is_some());
    (!is_own).then_some(FunctionId(known.unwrap_or(flow.functions.len()) as u32))
}

/// Whether it is a place for an integer or a pointer: some programs declare functions of the library with other results.
fn is_word(flow: &Flow, place: &Place) -> bool {
    flow.types.is_integer(place.ty) || flow.types.is_pointer(place.ty)
}

/// Whether writing to a place does not change where it is.
fn is_variable(place: &Place) -> bool {
    matches!(place.base, Base::Variable(_)) && place.path.is_empty()
}

/// A body whose calls are expanded.
struct Expansion<'f> {
    flow: &'f mut Flow,
    /// `None`: they could not be read, as where the system refuses a thread.
    models: Option<&'f Models>,
    function: FunctionId,
    code: Edges,
}

impl Expansion<'_> {
    fn of(mut self, mut body: Body) -> Body {
        for edge in std::mem::take(&mut body.edges) {
            match plan_of(self.flow, &edge) {
                Some(plan) => self.call(plan, edge),
                None => self.code.edges.push(edge),
            }
        }
        self.code.finish(body)
    }

    /// The pieces of a plan in order, then the call, unless they do all that it does.
    fn call(&mut self, plan: Plan, edge: Edge) {
        let Edge { source, target, instruction, span } = edge;
        let Instruction::Call { result, callee, arguments } = instruction else { return };
        let Some(models) = self.models else {
            let what = "the accesses of a library function, whose body could not be read";
            let instruction = Instruction::Unsupported(what.to_owned());
            return self.code.edges.push(Edge { source, target, instruction, span });
        };
        let mut here = source;
        let mut results = Vec::with_capacity(plan.pieces.len());
        if plan.is_output && result.is_some() {
            self.flow.reliances.insert((Reliance::Output, Some(span)));
        }
        if plan.allocates() {
            self.declare_allocator(models, span);
        }
        for piece in plan.pieces {
            let next = self.code.fresh();
            results.push(self.piece(models, piece, (&arguments, &results), (here, next), span));
            here = next;
        }
        for (to, size) in plan.room {
            let size = self.given(models, size, (&arguments, &results), span);
            here = self.within(arguments[to].clone(), size, here, span);
        }
        let last = results.pop().flatten();
        if plan.is_output {
            // What else it does, such as to change 'errno', is that of the call.
            let (callee, arguments) = (callee.clone(), arguments.clone());
            let call = Instruction::Call { result: None, callee, arguments };
            here = self.code.then(here, call, span);
        }
        let instruction = match (plan.call, result, last) {
            (Call::Stays | Call::Signed, result, last) => {
                let sign = last.zip(result.clone()).filter(|_| plan.call == Call::Signed);
                let call = Instruction::Call { result, callee, arguments };
                let is_compared = |place: &Place| is_variable(place) && is_word(self.flow, place);
                let Some((sign, place)) = sign.filter(|(_, place)| is_compared(place)) else {
                    return self.code.edges.push(Edge {
                        source: here,
                        target,
                        instruction: call,
                        span,
                    });
                };
                let next = self.code.fresh();
                self.code.edges.push(Edge { source: here, target: next, instruction: call, span });
                here = next;
                let condition = self.same_sign(place, sign, span);
                Instruction::Assume { condition, expected: true }
            }
            (Call::Replaced, Some(place), Some(_)) if !is_word(self.flow, &place) => {
                let what = "a function of the library that is declared with another result";
                Instruction::Unsupported(what.to_owned())
            }
            (Call::Replaced, Some(place), Some(value)) => {
                let value = self.flow.place_of(value, span).load();
                let value = Expr { ty: place.ty, kind: ExprKind::Cast(Box::new(value)), span };
                Instruction::Assign(place, value)
            }
            (Call::Replaced, ..) => Instruction::Skip,
        };
        self.code.edges.push(Edge { source: here, target, instruction, span });
    }

    /// Goes on where there are as many bytes behind a pointer as the call may write to: with fewer it is not known whether it
    /// writes to what is behind them.
    fn within(&mut self, to: Expr, size: Expr, here: LocationId, span: Span) -> LocationId {
        let (word, int) = (self.flow.types.unsigned_word(), self.flow.types.int());
        let size = size.cast(word);
        let condition = match self.flow.checked.has(Check::Bounds) {
            true => Expr::binary(BinaryOp::Beyond, to, size, int),
            false => {
                let none = Expr::number(0, to.ty, span);
                let is_null = Expr::binary(BinaryOp::Equal, to, none, int);
                let some = Expr::binary(BinaryOp::NotEqual, size, Expr::number(0, word, span), int);
                Expr::binary(BinaryOp::And, is_null, some, int)
            }
        };
        let (outside, next) = (self.code.fresh(), self.code.fresh());
        self.code.branch(here, Expr { span, ..condition }, (outside, next), span);
        let what = "how much of a buffer a text needs that is not known";
        self.code.then(outside, Instruction::Unsupported(what.to_owned()), span);
        next
    }

    /// Whether a result has the sign of a variable.
    fn same_sign(&mut self, result: Place, variable: VariableId, span: Span) -> Expr {
        let int = self.flow.types.int();
        let result = result.load();
        let variable = self.flow.place_of(variable, span).load();
        let binary = |op, left, right| Expr::binary(op, left, right, int);
        let zero = |ty| Expr::number(0, ty, span);
        let both = |op| {
            let [a, b] = [&result, &variable].map(|e| binary(op, e.clone(), zero(e.ty)));
            binary(BinaryOp::Equal, a, b)
        };
        binary(BinaryOp::And, both(BinaryOp::Less), both(BinaryOp::Greater))
    }

    /// The body of a piece between two locations, and the variable that has its result.
    ///
    /// # Panics
    /// If `text.c` has no such body: a unit test asks for all.
    fn piece(
        &mut self,
        models: &Models,
        piece: Piece,
        (arguments, results): (&[Expr], &[Option<VariableId>]),
        (from, to): (LocationId, LocationId),
        span: Span,
    ) -> Option<VariableId> {
        let model = models.bodies.function(piece.body).expect("a body of this name");
        let body = model.body.as_ref().expect("it is defined");
        let numbers = self.numbers(models, &model.name, span);
        if let Some(cells) = self.walks(&piece, arguments) {
            let result = model.result.map(|v| numbers.variable(v));
            self.unrolled(&cells, result, (from, to), span);
            return result;
        }
        let mut here = from;
        for (&parameter, given) in model.parameters.iter().zip(piece.arguments) {
            let value = self.given(models, given, (arguments, results), span);
            let variable = numbers.variable(parameter);
            let next = self.code.fresh();
            self.assign(variable, value, (here, next), span);
            here = next;
        }
        // Locations of the body, behind those that there are.
        let first = self.code.locations;
        self.code.locations += body.locations;
        let at = |location: LocationId| match location {
            l if l == body.exit => to,
            l => LocationId(l.0 + first),
        };
        let skip = Instruction::Skip;
        self.code.edges.push(Edge {
            source: here,
            target: at(body.entry),
            instruction: skip,
            span,
        });
        let result = model.result.map(|v| numbers.variable(v));
        let hidden = self.flow.name_in(span);
        let mut copy = body.clone();
        numbers.body(&mut copy);
        for mut edge in copy.edges {
            (edge.source, edge.target) = (at(edge.source), at(edge.target));
            edge.instruction = match (edge.instruction, result) {
                (Instruction::Return(Some(value)), Some(result)) => {
                    Instruction::Assign(self.flow.place_of(result, span), value)
                }
                (Instruction::Return(_) | Instruction::Havoc(_, HavocKind::Uninitialised), _) => {
                    Instruction::Skip
                }
                (other, _) => other,
            };
            if matches!(edge.instruction, Instruction::Assume { .. } | Instruction::Skip) {
                edge.span = hidden;
            }
            self.code.edges.push(edge);
        }
        result
    }

    /// The value of an argument of a piece.
    fn given(
        &mut self,
        models: &Models,
        given: plan::Given,
        (arguments, results): (&[Expr], &[Option<VariableId>]),
        span: Span,
    ) -> Expr {
        match given {
            plan::Given::Argument(i) => arguments[i].clone(),
            plan::Given::Converted { argument, bits, signed } => {
                let rank = if bits == 64 { 5 } else { (bits / 8).ilog2() as u8 + 1 };
                let ty = self.flow.types.intern(Type::Int { bits, signed, rank });
                let inner = Box::new(arguments[argument].clone());
                Expr { kind: ExprKind::Cast(inner), ty, span }
            }
            plan::Given::Number(n) => {
                let ty = self.flow.types.unsigned_word();
                let n = n & (u64::MAX >> (64 - self.flow.types.model.word()));
                Expr::number(n, ty, span)
            }
            plan::Given::Text(bytes) => self.literal(models.char, bytes, span),
            plan::Given::Result(number) => {
                let result = results[number].expect("this piece has a result");
                self.flow.place_of(result, span).load()
            }
        }
    }

    /// New numbers for the variables of a model.
    fn numbers(&mut self, models: &Models, model: &str, span: Span) -> Numbers {
        let unit = models.bodies;
        let mut variables = vec![None; unit.variables.len()];
        for (old, variable) in unit.variables.iter().enumerate() {
            let is_own = |f: FunctionId| unit.functions[f.0 as usize].name == model;
            if !variable.function.is_some_and(is_own) {
                continue;
            }
            variables[old] = Some(VariableId(self.flow.variables.len() as u32));
            self.flow.variables.push(Variable {
                name: format!("{}@{}", variable.name, self.flow.variables.len()),
                ty: models.types[variable.ty.0 as usize],
                function: Some(self.function),
                kind: VariableKind::Temporary,
                internal: true,
                span,
                ..variable.clone()
            });
        }
        // Nothing but `malloc` is called.
        let functions = match allocator(self.flow) {
            Some(id) => vec![id; unit.functions.len()],
            None => vec![],
        };
        let types = models.types.clone();
        Numbers { types, variables, functions, span: Some(span), ..Numbers::default() }
    }

    /// Lets the program have `malloc`.
    fn declare_allocator(&mut self, models: &Models, span: Span) {
        let Some(id) = allocator(self.flow) else { return };
        if (id.0 as usize) < self.flow.functions.len() {
            return;
        }
        let model = models.bodies.function("malloc").expect("it is declared");
        let ty = models.types[model.ty.0 as usize];
        let (name, parameters) = (model.name.clone(), vec![]);
        self.flow.functions.push(Function { name, ty, parameters, result: None, body: None, span });
    }

    fn assign(
        &mut self,
        variable: VariableId,
        value: Expr,
        (source, target): (LocationId, LocationId),
        span: Span,
    ) {
        let place = self.flow.place_of(variable, span);
        let value = value.cast(place.ty);
        self.code.add(source, target, Instruction::Assign(place, value), span);
    }

    /// The address of a new string literal.
    fn literal(&mut self, char: TypeId, mut bytes: Vec<u8>, span: Span) -> Expr {
        bytes.push(0);
        self.flow.strings.push(bytes);
        let base = Base::String(self.flow.strings.len() as u32 - 1);
        let word = self.flow.types.signed_word();
        let zero = Expr::number(0, word, span);
        let path = vec![Step::Index(Box::new(zero))];
        let place = Place { base, path, ty: char, span };
        Expr { kind: ExprKind::AddressOf(place), ty: self.flow.types.pointer_to(char), span }
    }
}
