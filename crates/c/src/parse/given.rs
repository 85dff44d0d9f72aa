//! What a function is given where executions start in it: objects behind its pointers.
//!
//! A new function calls it with addresses of new variables of any value.  Pointers in these lead to further ones, [`DEPTH`] in a
//! row; behind those one object of each type stands for all, and `c::checks` leaves open what happens where it is used.

use super::options::Pointers;
use crate::edit::Edges;
use crate::flow::{
    BinaryOp, Body, Callee, Expr, ExprKind, Flow, Function, FunctionId, Instruction, Place, Step,
    Variable, VariableId, VariableKind,
};
use crate::reliance::Reliance;
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

/// Objects of its own that a chain of pointers leads to.
const DEPTH: u32 = 3;
/// Objects in all; what would be a further one is that of its type.
const MOST: usize = 64;
/// Elements of arrays in an object that have pointers to objects.
const ELEMENTS: u64 = 16;

/// Lets executions start in a new function, which gives objects to the one where they would start.
pub(super) fn give(flow: &mut Flow, pointers: Pointers) {
    let reliance = match pointers {
        Pointers::Any => return,
        Pointers::Valid => Reliance::GivenObjects,
        Pointers::MaybeNull => Reliance::GivenObjectsOrNull,
    };
    let entry = flow.functions[flow.main.0 as usize].clone();
    let is_given = |p: &VariableId| pointee(flow, flow.variables[p.0 as usize].ty).is_some();
    // What `main` is given is known.
    let is_main = entry.name == "main";
    if is_main || entry.body.is_none() || !entry.parameters.iter().any(is_given) {
        return;
    }
    let caller = FunctionId(flow.functions.len() as u32);
    let span = Span { end: entry.span.start, ..entry.span };
    let mut code = Edges::default();
    let (start, exit) = (code.fresh(), code.fresh());
    let may_be_null = pointers == Pointers::MaybeNull;
    let mut given = Given { flow, may_be_null, span, objects: 0, assigned: vec![] };
    let (mut parameters, mut arguments) = (vec![], vec![]);
    for &parameter in &entry.parameters {
        let variable = given.flow.variables[parameter.0 as usize].clone();
        let argument = match given.pointer(variable.ty, &variable.name, 0) {
            Some(argument) => argument,
            None => {
                let kind = VariableKind::Parameter;
                let own = Variable { function: Some(caller), kind, ..variable };
                let own = given.flow.add_variable(own);
                parameters.push(own);
                given.flow.place_of(own, span).load()
            }
        };
        arguments.push(argument);
    }
    let assigned = std::mem::take(&mut given.assigned);
    let mut here = start;
    for (place, value) in assigned {
        here = code.then(here, Instruction::Assign(place, value), span);
    }
    let callee = Callee::Function(flow.main);
    here = code.then(here, Instruction::Call { result: None, callee, arguments }, span);
    code.add(here, exit, Instruction::Return(None), span);
    let types: Vec<TypeId> = parameters.iter().map(|p| flow.variables[p.0 as usize].ty).collect();
    let result = flow.types.intern(Type::Void);
    let ty = Type::Function { result, parameters: types, variadic: false };
    let body = Body { entry: start, exit, locations: 0, edges: vec![], loops: vec![] };
    flow.functions.push(Function {
        name: format!("caller of {}", entry.name),
        ty: flow.types.intern(ty),
        parameters,
        result: None,
        body: Some(code.finish(body)),
        span,
    });
    flow.main = caller;
    flow.reliances.insert((reliance, None));
}

/// What a pointer leads to, if that can be an object.
fn pointee(flow: &Flow, ty: TypeId) -> Option<TypeId> {
    let Type::Pointer(to) = *flow.types.get(ty) else { return None };
    let is_object = !matches!(flow.types.get(to), Type::Void | Type::Function { .. });
    (is_object && flow.types.size(to).is_some_and(|size| size > 0)).then_some(to)
}

struct Given<'f> {
    flow: &'f mut Flow,
    may_be_null: bool,
    span: Span,
    /// How many there are.
    objects: usize,
    /// What the pointers in objects are.
    assigned: Vec<(Place, Expr)>,
}

impl Given<'_> {
    /// The value of a pointer of this type; `None` where it is any value.
    fn pointer(&mut self, ty: TypeId, name: &str, depth: u32) -> Option<Expr> {
        let to = pointee(self.flow, ty)?;
        let is_shared = depth >= DEPTH || self.objects >= MOST;
        let object = if is_shared { self.shared(to) } else { self.object(to, name, depth) };
        let (span, place) = (self.span, self.flow.place_of(object, self.span));
        let address = Expr { kind: ExprKind::AddressOf(place), ty, span };
        if !self.may_be_null || is_shared {
            return Some(address);
        }
        let int = self.flow.types.int();
        let flag = self.variable(format!("{name} is null"), int);
        let flag = self.flow.place_of(flag, span).load();
        let is_null = Expr::binary(BinaryOp::NotEqual, flag, Expr::number(0, int, span), int);
        let values = [is_null, Expr::number(0, ty, span), address].map(Box::new);
        let [is_null, null, address] = values;
        Some(Expr { kind: ExprKind::Conditional(is_null, null, address), ty, span })
    }

    /// A variable of any value, which others may know.
    fn variable(&mut self, name: String, ty: TypeId) -> VariableId {
        let variable = Variable::hidden(name, ty, None, self.span);
        let variable = Variable { kind: VariableKind::External, internal: false, ..variable };
        self.flow.add_variable(variable)
    }

    fn object(&mut self, ty: TypeId, name: &str, depth: u32) -> VariableId {
        self.objects += 1;
        let is_scalar = self.flow.types.is_scalar(ty);
        let name = if is_scalar { format!("*{name}") } else { format!("(*{name})") };
        let object = self.variable(name.clone(), ty);
        let place = self.flow.place_of(object, self.span);
        self.fill(place, &name, depth + 1);
        object
    }

    /// The object that stands for all of its type behind the others; so do those to which it leads.
    fn shared(&mut self, ty: TypeId) -> VariableId {
        if let Some(&known) = self.flow.beyond.get(&ty) {
            return known;
        }
        let name = format!("({} behind others)", self.flow.types.name(ty));
        let object = self.variable(name.clone(), ty);
        self.flow.beyond.insert(ty, object);
        let place = self.flow.place_of(object, self.span);
        self.fill(place, &name, DEPTH);
        object
    }

    /// Gives values to the pointers in an object.
    fn fill(&mut self, place: Place, name: &str, depth: u32) {
        let part = |step: Step, ty| {
            let path = place.path.iter().cloned().chain([step]).collect();
            Place { path, ty, ..place.clone() }
        };
        match self.flow.types.get(place.ty).clone() {
            Type::Pointer(_) => {
                if let Some(value) = self.pointer(place.ty, name, depth) {
                    self.assigned.push((place, value));
                }
            }
            Type::Array(element, Some(length)) if length <= ELEMENTS => {
                let word = self.flow.types.signed_word();
                for at in 0..length {
                    let index = Box::new(Expr::number(at, word, self.span));
                    self.fill(part(Step::Index(index), element), &format!("{name}[{at}]"), depth);
                }
            }
            Type::Record(_) => {
                let Some((_, record)) = self.flow.types.as_record(place.ty) else { return };
                // Members of a union are one memory: what is in it is any value.
                let fields = record.fields.clone().filter(|_| !record.union);
                for (number, field) in (0..).zip(fields.into_iter().flatten()) {
                    let name = format!("{name}.{}", field.name);
                    self.fill(part(Step::Field(number), field.ty), &name, depth);
                }
            }
            _ => {}
        }
    }
}
