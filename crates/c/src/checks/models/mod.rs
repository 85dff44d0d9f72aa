//! Calls of library functions where accesses are checked: what they access becomes control flow in front of the call, or in
//! place of it, so that errors are found, and their absence proved, as in the program's own code.
//!
//! The bodies are C (`text.c`).  All of an expansion has the place of the call.

mod format;
mod plan;
mod unit;

use crate::flow::{
    Base, Body, Callee, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, LocationId,
    Place, Step, Variable, VariableId, VariableKind,
};
use crate::rewrite::Numbers;
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

#[cfg(test)]
pub(crate) use plan::BODIES as NAMES;
pub(super) use plan::is_covered;
use plan::{Piece, Plan, plan};
use unit::Models;
pub(crate) use unit::{Bodies, Reader};

/// Expands the calls of all functions.
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
        let locations = body.locations;
        let body = Expansion { flow, models, function, edges: vec![], locations }.of(body);
        flow.functions[index].body = Some(body);
    }
}

/// What a call becomes, if it is one of a library function whose accesses are known.
fn plan_of(flow: &Flow, edge: &Edge) -> Option<Plan> {
    let Instruction::Call { callee: Callee::Function(id), arguments, .. } = &edge.instruction
    else {
        return None;
    };
    let function = &flow.functions[id.0 as usize];
    if function.body.is_some() {
        return None;
    }
    plan(&function.name, arguments, &flow.strings, &flow.types)
}

/// A body whose calls are expanded.
struct Expansion<'f> {
    flow: &'f mut Flow,
    /// `None`: they could not be read, as where the system refuses a thread.
    models: Option<&'f Models>,
    function: FunctionId,
    edges: Vec<Edge>,
    locations: u32,
}

impl Expansion<'_> {
    fn of(mut self, body: Body) -> Body {
        for edge in body.edges {
            match plan_of(self.flow, &edge) {
                Some(plan) => self.call(plan, edge),
                None => self.edges.push(edge),
            }
        }
        Body { edges: self.edges, locations: self.locations, ..body }
    }

    fn fresh(&mut self) -> LocationId {
        self.locations += 1;
        LocationId(self.locations - 1)
    }

    /// The pieces of a plan in order, then the call, unless they do all that it does.
    fn call(&mut self, plan: Plan, edge: Edge) {
        let Edge { source, target, instruction, span } = edge;
        let Instruction::Call { result, callee, arguments } = instruction else { return };
        let Some(models) = self.models else {
            let what = "the accesses of a library function, whose body could not be read";
            let instruction = Instruction::Unsupported(what.to_owned());
            return self.edges.push(Edge { source, target, instruction, span });
        };
        let mut here = source;
        let mut last = None;
        for piece in plan.pieces {
            let next = self.fresh();
            last = self.piece(models, piece, (&arguments, last), (here, next), span);
            here = next;
        }
        let instruction = match (plan.replaces, result, last) {
            (false, result, _) => Instruction::Call { result, callee, arguments },
            (true, Some(place), Some(value)) => {
                let value = self.load(value, span);
                let value = Expr { ty: place.ty, kind: ExprKind::Cast(Box::new(value)), span };
                Instruction::Assign(place, value)
            }
            (true, ..) => Instruction::Skip,
        };
        self.edges.push(Edge { source: here, target, instruction, span });
    }

    /// The body of a piece between two locations, and the variable that has its result.
    ///
    /// # Panics
    /// If `text.c` has no such body: a unit test asks for all.
    fn piece(
        &mut self,
        models: &Models,
        piece: Piece,
        (arguments, last): (&[Expr], Option<VariableId>),
        (from, to): (LocationId, LocationId),
        span: Span,
    ) -> Option<VariableId> {
        let model = models.function(piece.body).expect("a body of this name");
        let body = model.body.as_ref().expect("it is defined");
        let numbers = self.numbers(models, &model.name, span);
        let mut here = from;
        for (&parameter, given) in model.parameters.iter().zip(piece.arguments) {
            let value = match given {
                plan::Given::Argument(i) => arguments[i].clone(),
                plan::Given::Converted { argument, bits, signed } => {
                    let rank = if bits == 32 { 3 } else { 5 };
                    let ty = self.flow.types.intern(Type::Int { bits, signed, rank });
                    let value = Box::new(arguments[argument].clone());
                    Expr { kind: ExprKind::Cast(value), ty, span }
                }
                plan::Given::Number(n) => {
                    let ty = self.flow.types.unsigned_word();
                    Expr { kind: ExprKind::Constant(n), ty, span }
                }
                plan::Given::Text(bytes) => self.literal(models.char, bytes, span),
                plan::Given::Last => self.load(last.expect("the piece before has a result"), span),
            };
            let variable = numbers.variable(parameter);
            let next = self.fresh();
            self.assign(variable, value, (here, next), span);
            here = next;
        }
        // Locations of the body, behind those that there are.
        let first = self.locations;
        self.locations += body.locations;
        let at = |location: LocationId| match location {
            l if l == body.exit => to,
            l => LocationId(l.0 + first),
        };
        let skip = Instruction::Skip;
        self.edges.push(Edge { source: here, target: at(body.entry), instruction: skip, span });
        let result = model.result.map(|v| numbers.variable(v));
        let hidden = self.hidden(span);
        let mut copy = body.clone();
        numbers.body(&mut copy);
        for mut edge in copy.edges {
            (edge.source, edge.target) = (at(edge.source), at(edge.target));
            edge.instruction = match (edge.instruction, result) {
                (Instruction::Return(Some(value)), Some(result)) => {
                    Instruction::Assign(self.place(result, span), value)
                }
                (Instruction::Return(_) | Instruction::Havoc(_, HavocKind::Uninitialised), _) => {
                    Instruction::Skip
                }
                (other, _) => other,
            };
            if matches!(edge.instruction, Instruction::Assume { .. } | Instruction::Skip) {
                edge.span = hidden;
            }
            self.edges.push(edge);
        }
        result
    }

    /// The name of the function that is called, as the place of branches that the text does not have.
    fn hidden(&self, call: Span) -> Span {
        let text = self.flow.source.text.get(call.start as usize..call.end as usize);
        let length = text.unwrap_or_default().bytes();
        let length = length.take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        Span { end: call.start + length as u32, ..call }
    }

    /// New numbers for the variables of a model.
    fn numbers(&mut self, models: &Models, model: &str, span: Span) -> Numbers {
        let unit = models.unit;
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
        Numbers { types: models.types.clone(), variables, span: Some(span), ..Numbers::default() }
    }

    fn assign(
        &mut self,
        variable: VariableId,
        value: Expr,
        (source, target): (LocationId, LocationId),
        span: Span,
    ) {
        let place = self.place(variable, span);
        let value = match value.ty == place.ty {
            true => value,
            false => Expr { ty: place.ty, kind: ExprKind::Cast(Box::new(value)), span },
        };
        let instruction = Instruction::Assign(place, value);
        self.edges.push(Edge { source, target, instruction, span });
    }

    fn place(&self, variable: VariableId, span: Span) -> Place {
        let ty = self.flow.variables[variable.0 as usize].ty;
        Place { base: Base::Variable(variable), path: vec![], ty, span }
    }

    fn load(&self, variable: VariableId, span: Span) -> Expr {
        let place = self.place(variable, span);
        Expr { ty: place.ty, kind: ExprKind::Load(place), span }
    }

    /// The address of a new string literal.
    fn literal(&mut self, char: TypeId, mut bytes: Vec<u8>, span: Span) -> Expr {
        bytes.push(0);
        self.flow.strings.push(bytes);
        let base = Base::String(self.flow.strings.len() as u32 - 1);
        let word = self.flow.types.signed_word();
        let zero = Expr { kind: ExprKind::Constant(0), ty: word, span };
        let path = vec![Step::Index(Box::new(zero))];
        let place = Place { base, path, ty: char, span };
        Expr { kind: ExprKind::AddressOf(place), ty: self.flow.types.pointer_to(char), span }
    }
}
