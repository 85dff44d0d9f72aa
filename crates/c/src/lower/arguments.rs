//! What `main` is given (see [`crate::arguments`]), as code in front of its body.
//!
//! Of any arguments, one text is looked at: any one of them, of any length.  An access beyond a text is found when that is
//! the one; so those to all others count as fine, and what is in them may be anything.  Which one it is does not change, so
//! `argv[1]` is the same text each time.
//!
//! Of few arguments ([`Model::FewArguments`]), each has its characters.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::options::Model;
use crate::arguments::{MOST, Parameters};
use crate::edit::Edges;
use crate::flow::{
    Base, BinaryOp, Callee, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction,
    LocationId, Place, Step, Variable, VariableId,
};
use crate::library::{Writes, find};
use crate::limits;
use crate::points_to::PointsTo;
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

/// The number of bytes that a text has at most, with its zero: for each width of pointers.
const LONGEST: [(u32, u64); 2] = [(32, 1 << 17), (64, (1 << 31) - 1)];

/// Variables that stand for what `main` is given.
#[derive(Debug, Clone, Default)]
pub(super) struct Given {
    /// For a variable that is one object, the one that holds its size in bytes.
    pub sizes: IndexMap<VariableId, VariableId>,
    /// Arrays of pointers to texts, and whether these are all that there are.
    pub arrays: Vec<VariableId>,
    /// The text that is looked at, and the address of the pointer that leads to it.
    pub text: Option<(VariableId, VariableId)>,
    /// An object that all other texts are in.
    pub others: Option<VariableId>,
    /// Of pointers, and of characters: the address from which one was read last, and what it is.
    pub last: Vec<[VariableId; 2]>,
    /// The texts of few arguments, in order.
    pub few: Vec<VariableId>,
    /// The edges of `main` from here on are the code in front.
    pub code: usize,
}

impl Given {
    /// The objects of whose content nothing is kept.
    pub fn any(&self) -> impl Iterator<Item = VariableId> {
        self.arrays.iter().copied().chain(self.texts())
    }

    /// Whether the program reads texts.
    pub fn has_texts(&self) -> bool {
        !self.arrays.is_empty() || !self.few.is_empty()
    }

    /// The objects of texts of any length.
    pub fn texts(&self) -> impl Iterator<Item = VariableId> {
        self.text.map(|(text, _)| text).into_iter().chain(self.others)
    }
}

/// The program with arguments; `None` if it has none, or calls `main` itself.
pub(super) fn with_arguments(
    flow: &Flow,
    model: Model,
    limits: limits::Memory,
) -> Option<(Flow, Given)> {
    let parameters = Parameters::of(flow)?;
    let main = &flow.functions[flow.main.0 as usize];
    main.body.as_ref()?;
    if is_used(flow, flow.main) {
        return None;
    }
    let reads = |v: &VariableId| {
        let is_it = |place: &Place| matches!(place.base, Base::Variable(id) if id == *v);
        flow.parts().any(|part| part.place().is_some_and(is_it))
    };
    let arrays: Vec<VariableId> =
        parameters.texts.iter().chain(&parameters.environment).copied().filter(reads).collect();
    if arrays.is_empty() && !reads(&parameters.count) {
        return None;
    }
    let mut flow = flow.clone();
    let main = &mut flow.functions[flow.main.0 as usize];
    let body = main.body.take()?;
    let span = Span { end: main.span.start, ..main.span };
    // They are set here.
    main.parameters.truncate(1);
    let mut code = Edges { edges: body.edges.clone(), locations: body.locations };
    let entry = code.fresh();
    let given = Given { code: code.edges.len(), ..Given::default() };
    let mut start = Start { flow: &mut flow, given, code, here: entry, span, limits };
    start.count(&parameters, model);
    match model {
        Model::FewArguments => start.few(&parameters, &arrays),
        Model::Havoc | Model::Regions | Model::OneCell if !arrays.is_empty() => {
            start.any(&parameters, &arrays);
        }
        Model::Havoc | Model::Regions | Model::OneCell => {}
    }
    let Start { given, mut code, here, .. } = start;
    code.add(here, body.entry, Instruction::Skip, span);
    let body = crate::flow::Body { entry, ..code.finish(body) };
    let main = flow.main.0 as usize;
    flow.functions[main].body = Some(body);
    Some((flow, given))
}

/// Whether the program calls the function, or has its address.
fn is_used(flow: &Flow, function: FunctionId) -> bool {
    let is_it = |e: &Expr| matches!(e.kind, ExprKind::FunctionAddress(f) if f == function);
    let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
    let mut edges = bodies.flat_map(|body| &body.edges);
    flow.parts().any(is_it)
        || edges.any(|edge| match edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => f == function,
            _ => false,
        })
}

/// The code in front of `main`.
struct Start<'f> {
    flow: &'f mut Flow,
    given: Given,
    code: Edges,
    here: LocationId,
    span: Span,
    limits: limits::Memory,
}

impl Start<'_> {
    fn count(&mut self, parameters: &Parameters, model: Model) {
        let count = self.flow.place_of(parameters.count, self.span).load();
        let least = self.compared(BinaryOp::GreaterEqual, count.clone(), 1);
        self.assume(least);
        let most = match model {
            Model::FewArguments => u64::from(self.limits.arguments).min(MOST),
            Model::Havoc | Model::Regions | Model::OneCell => MOST,
        };
        let fits = self.compared(BinaryOp::LessEqual, count, most);
        self.assume(fits);
    }

    /// Any arguments.
    fn any(&mut self, parameters: &Parameters, arrays: &[VariableId]) {
        let text = self.text_of(arrays[0]);
        let characters = self.flow.types.intern(Type::Array(text, None));
        let others = self.local("texts@", characters);
        self.given.others = variable(&others);
        let others = self.first(&others, text);
        let mut pointers = vec![others];
        let word = self.flow.types.unsigned_word();
        if self.flow.checked.has(Check::Bounds) {
            let looked_at = self.local("text@", characters);
            let size = self.size_of(&looked_at);
            self.set_any(size.clone());
            let bits = self.flow.types.model.word();
            let most = LONGEST.iter().find(|(width, _)| *width == bits).map_or(0, |&(_, n)| n);
            let some = self.compared(BinaryOp::GreaterEqual, size.clone().load(), 1);
            self.assume(some);
            let fits = self.compared(BinaryOp::LessEqual, size.load(), most);
            self.assume(fits);
            let place = self.global("place of text@", word);
            self.set_any(place.clone());
            self.given.text = variable(&looked_at).zip(variable(&place));
            pointers.push(self.first(&looked_at, text));
        }
        for ty in [word, text] {
            let last = [word, ty].map(|ty| self.global("last@", ty));
            if let [Some(place), Some(value)] = last.map(|place| variable(&place)) {
                self.given.last.push([place, value]);
            }
        }
        for &parameter in arrays {
            let to = self.flow.place_of(parameter, self.span);
            let element = pointee(self.flow, to.ty);
            let ty = self.flow.types.intern(Type::Array(element, None));
            let array = self.local("pointers@", ty);
            self.given.arrays.extend(variable(&array));
            for pointer in &pointers {
                let place = self.element(&array, 0, element);
                self.set(place, pointer.clone().cast(element));
            }
            let size = self.size_of(&array);
            let count = self.flow.place_of(parameters.count, self.span);
            let number = match Some(parameter) == parameters.texts {
                true => count,
                false => {
                    let number = self.global("environment@", count.ty);
                    self.set_any(number.clone());
                    let least = self.compared(BinaryOp::GreaterEqual, number.clone().load(), 0);
                    self.assume(least);
                    number
                }
            };
            self.set_size(size, number);
            let first = self.first(&array, element);
            let ty = to.ty;
            self.set(to, first.cast(ty));
        }
    }

    /// Few arguments, and no environment.
    fn few(&mut self, parameters: &Parameters, arrays: &[VariableId]) {
        for &parameter in arrays {
            let to = self.flow.place_of(parameter, self.span);
            let element = pointee(self.flow, to.ty);
            let is_environment = Some(parameter) != parameters.texts;
            let number = if is_environment { 0 } else { u64::from(self.limits.arguments) };
            let ty = self.flow.types.intern(Type::Array(element, Some(number + 1)));
            let array = self.local("pointers@", ty);
            for index in 0..=number {
                let place = self.element(&array, index, element);
                let null = Expr::number(0, element, self.span);
                let value = if index < number {
                    let text = self.small_text(index, pointee(self.flow, element));
                    let count = self.flow.place_of(parameters.count, self.span).load();
                    let is_there = self.compared(BinaryOp::Greater, count, index);
                    let parts = [is_there, text.cast(element), null].map(Box::new);
                    let [condition, then, other] = parts;
                    let kind = ExprKind::Conditional(condition, then, other);
                    Expr { kind, ty: element, span: self.span }
                } else {
                    null
                };
                self.set(place, value);
            }
            if !is_environment && self.flow.checked.has(Check::Bounds) {
                let size = self.size_of(&array);
                let count = self.flow.place_of(parameters.count, self.span);
                self.set_size(size, count);
            }
            let first = self.first(&array, element);
            let ty = to.ty;
            self.set(to, first.cast(ty));
        }
    }

    /// The address of a new text of few characters.
    fn small_text(&mut self, index: u64, character: TypeId) -> Expr {
        let bytes = self.limits.argument.max(1);
        let ty = self.flow.types.intern(Type::Array(character, Some(bytes)));
        let text = self.local(&format!("argument {index}@"), ty);
        self.given.few.extend(variable(&text));
        self.set_any(text.clone());
        let last = self.element(&text, bytes - 1, character);
        self.set(last, Expr::number(0, character, self.span));
        let int = self.flow.types.int();
        // Behind the first zero there is none that the program can see.
        for at in 1..bytes - 1 {
            let [before, here] = [at - 1, at].map(|at| self.element(&text, at, character).load());
            let more = self.compared(BinaryOp::NotEqual, before, 0);
            let end = self.compared(BinaryOp::Equal, here, 0);
            self.assume(Expr::binary(BinaryOp::Or, more, end, int));
        }
        if self.flow.checked.has(Check::Bounds) {
            let word = self.flow.types.unsigned_word();
            let size = (1..bytes).rev().fold(Expr::number(bytes, word, self.span), |rest, size| {
                let end = self.element(&text, size - 1, character).load();
                let end = self.compared(BinaryOp::Equal, end, 0);
                let here = Expr::number(size, word, self.span);
                let [end, here, rest] = [end, here, rest].map(Box::new);
                Expr { kind: ExprKind::Conditional(end, here, rest), ty: word, span: self.span }
            });
            let place = self.size_of(&text);
            self.set(place, size);
        }
        self.first(&text, character)
    }

    /// The type of the characters to which a parameter leads.
    fn text_of(&self, parameter: VariableId) -> TypeId {
        let ty = self.flow.variables[parameter.0 as usize].ty;
        pointee(self.flow, pointee(self.flow, ty))
    }

    /// A variable whose address is taken.
    fn local(&mut self, name: &str, ty: TypeId) -> Place {
        self.variable(name, ty, Some(self.flow.main))
    }

    /// A variable that other functions read, too.
    fn global(&mut self, name: &str, ty: TypeId) -> Place {
        self.variable(name, ty, None)
    }

    fn variable(&mut self, name: &str, ty: TypeId, function: Option<FunctionId>) -> Place {
        let variable = Variable::hidden(name.to_owned(), ty, function, self.span);
        let variable = self.flow.add_variable(variable);
        self.flow.place_of(variable, self.span)
    }

    /// A new variable for the size of an object.
    fn size_of(&mut self, object: &Place) -> Place {
        let word = self.flow.types.unsigned_word();
        let size = self.global("size@", word);
        self.given.sizes.extend(variable(object).zip(variable(&size)));
        size
    }

    /// Sets the size of an array of as many pointers as a variable says, and a null pointer.
    fn set_size(&mut self, size: Place, count: Place) {
        let word = size.ty;
        let number = |n| Expr::number(n, word, self.span);
        let one = number(1);
        let bytes = number(u64::from(self.flow.types.model.word() / 8));
        let all = Expr::binary(BinaryOp::Add, count.load().cast(word), one, word);
        self.set(size, Expr::binary(BinaryOp::Multiply, all, bytes, word));
    }

    fn element(&mut self, array: &Place, index: u64, ty: TypeId) -> Place {
        let word = self.flow.types.signed_word();
        let step = Step::Index(Box::new(Expr::number(index, word, self.span)));
        Place { path: vec![step], ty, ..array.clone() }
    }

    /// The address of the first element.
    fn first(&mut self, array: &Place, ty: TypeId) -> Expr {
        let place = self.element(array, 0, ty);
        let ty = self.flow.types.pointer_to(ty);
        Expr { kind: ExprKind::AddressOf(place), ty, span: self.span }
    }

    fn compared(&mut self, op: BinaryOp, value: Expr, number: u64) -> Expr {
        let number = Expr::number(number, value.ty, self.span);
        Expr::binary(op, value, number, self.flow.types.int())
    }

    fn then(&mut self, instruction: Instruction) {
        self.here = self.code.then(self.here, instruction, self.span);
    }

    fn assume(&mut self, condition: Expr) {
        self.then(Instruction::Assume { condition, expected: true });
    }

    fn set(&mut self, place: Place, value: Expr) {
        self.then(Instruction::Assign(place, value));
    }

    fn set_any(&mut self, place: Place) {
        self.then(Instruction::Havoc(place, HavocKind::Uninitialised));
    }
}

fn variable(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(variable) => Some(variable),
        _ => None,
    }
}

/// The variables of arguments to which the program does not write.
pub(super) fn unwritten(
    flow: &Flow,
    points_to: &mut PointsTo<'_>,
    given: &Given,
) -> FxHashSet<VariableId> {
    let mut kept: FxHashSet<VariableId> = given.any().collect();
    kept.retain(|&v| !points_to.has_escaped(points_to.objects().variable(v)));
    for function in points_to.reached() {
        if kept.is_empty() {
            break;
        }
        let Some(body) = &flow.functions[function.0 as usize].body else { continue };
        let code = if function == flow.main { given.code } else { body.edges.len() };
        for edge in &body.edges[..code.min(body.edges.len())] {
            for pointer in written(flow, edge) {
                for address in points_to.addresses(pointer) {
                    kept.retain(|&v| points_to.objects().variable(v) != address.object);
                }
            }
        }
    }
    kept
}

/// Pointers through which an edge may write.
fn written<'f>(flow: &'f Flow, edge: &'f Edge) -> Vec<&'f Expr> {
    let through = |place: &'f Place| match &place.base {
        Base::Pointer(pointer) => Some(&**pointer),
        Base::Variable(_) | Base::String(_) => None,
    };
    let target = edge.instruction.target().and_then(through);
    let Instruction::Call { callee, arguments, .. } = &edge.instruction else {
        return target.into_iter().collect();
    };
    let of = |f: &FunctionId| &flow.functions[f.0 as usize];
    let known = match callee {
        // Its body is looked at.
        Callee::Function(f) if of(f).body.is_some() => return target.into_iter().collect(),
        Callee::Function(f) => find(&of(f).name).and_then(|known| Some((known, known.model()?))),
        Callee::Pointer(_) => None,
    };
    let may_write = |i: usize| match known.map(|(_, model)| model.effect.writes) {
        Some(Writes::Nothing) => false,
        Some(Writes::Copy { to, .. } | Writes::Fill { to, .. } | Writes::Text { to }) => i == to,
        Some(Writes::Anything { .. }) => known.is_none_or(|(known, model)| {
            let parameters = known.prototype.parameters.len();
            model.effect.written(parameters, arguments.len()).contains(&i)
        }),
        None => true,
    };
    let arguments = arguments.iter().enumerate();
    let arguments = arguments.filter(|(i, a)| flow.types.is_pointer(a.ty) && may_write(*i));
    target.into_iter().chain(arguments.map(|(_, a)| a)).collect()
}

/// What a pointer points to; another type is returned as it is.
fn pointee(flow: &Flow, ty: TypeId) -> TypeId {
    match *flow.types.get(ty) {
        Type::Pointer(to) => to,
        _ => ty,
    }
}
