//! Calls of functions that only hand their additional arguments on, as those that write to a log do: each goes to a copy of the
//! function that has these arguments as parameters.  A call of `vprintf` in a copy is one of `printf`, with the format that the
//! call of the copy has.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::handed::{Handed, Source, handed, list_parameter, wanted};
use super::{COPY, START, called};
use crate::edit::numbered;
use crate::flow::{
    Base, Body, Callee, Expr, ExprKind, Flow, Function, FunctionId, Instruction, Place, Variable,
    VariableId, VariableKind,
};
use crate::library::{Kind, find};
use crate::rewrite::Numbers;
use crate::types::{Type, TypeId};

/// Copies functions for the calls of them; `are_checked`: accesses are.
pub(crate) fn specialise(flow: &mut Flow, are_checked: bool) {
    if flow.functions.iter().all(|function| function.name != START) {
        return;
    }
    let handed = handed(flow);
    let wanted = wanted(flow, &handed, are_checked);
    if !wanted.contains(&true) {
        return;
    }
    let count = flow.functions.len() as u32;
    let mut copies = Copies { flow, handed, wanted, made: FxHashMap::default(), open: vec![] };
    for function in (0..count).map(FunctionId) {
        copies.calls(function, &Frame::default());
    }
    while let Some((copy, frame)) = copies.open.pop() {
        copies.calls(copy, &frame);
    }
}

/// What a copy is made for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    function: FunctionId,
    /// For each parameter, the number of the string literal that it is.
    literals: Vec<Option<u32>>,
    /// The types of the arguments that become parameters.
    given: Vec<(Source, Vec<TypeId>)>,
}

/// What is known in a function.
#[derive(Debug, Default)]
struct Frame {
    /// The function that it is a copy of.
    of: Option<FunctionId>,
    literals: BTreeMap<VariableId, Expr>,
    given: BTreeMap<Source, Vec<VariableId>>,
}

impl Frame {
    /// The string literal that an argument is, also by way of a parameter.
    fn literal<'e>(&'e self, argument: &'e Expr) -> Option<(u32, &'e Expr)> {
        match &argument.kind {
            ExprKind::Cast(inner) => self.literal(inner),
            ExprKind::Load(Place { base: Base::Variable(v), path, .. }) if path.is_empty() => {
                self.literal(self.literals.get(v)?)
            }
            ExprKind::AddressOf(place) => match place.base {
                // Elsewhere in it another text begins.
                Base::String(number) if place.is_first() => Some((number, argument)),
                _ => None,
            },
            _ => None,
        }
    }
}

struct Copies<'f> {
    flow: &'f mut Flow,
    handed: Vec<Option<Handed>>,
    wanted: Vec<bool>,
    made: FxHashMap<Key, FunctionId>,
    /// Copies whose calls have not been looked at.
    open: Vec<(FunctionId, Frame)>,
}

impl Copies<'_> {
    /// Changes the calls in a function.
    fn calls(&mut self, function: FunctionId, frame: &Frame) {
        let function = function.0 as usize;
        let handed = frame.of.and_then(|of| self.handed[of.0 as usize].as_ref());
        let handed = handed.map(|handed| handed.calls.clone()).unwrap_or_default();
        let edges = self.flow.functions[function].body.as_ref().map_or(0, |b| b.edges.len());
        for index in 0..edges {
            // A copy of this very function needs its body.
            let Some(body) = &self.flow.functions[function].body else { return };
            let edge = &body.edges[index];
            let Some(callee) = called(edge) else { continue };
            let lists = handed.get(&index).map_or(&[][..], |lists| lists);
            let is_ours = matches!(self.handed.get(callee.0 as usize), Some(Some(_)));
            if !is_ours && lists.is_empty() {
                continue;
            }
            let Instruction::Call { arguments, .. } = &edge.instruction else { continue };
            let arguments = arguments.clone();
            let changed = match is_ours {
                true => self.copied(callee, arguments, lists, frame),
                false => self.printed(callee, &arguments, lists, frame),
            };
            if let (Some((to, given)), Some(body)) =
                (changed, &mut self.flow.functions[function].body)
                && let Instruction::Call { callee, arguments, .. } =
                    &mut body.edges[index].instruction
            {
                (*callee, *arguments) = (Callee::Function(to), given);
            }
        }
    }

    /// A call of a function of the library that takes a list, as one of that which takes the arguments of the list: that
    /// function, and its arguments.
    fn printed(
        &mut self,
        callee: FunctionId,
        arguments: &[Expr],
        lists: &[(usize, Option<Source>)],
        frame: &Frame,
    ) -> Option<(FunctionId, Vec<Expr>)> {
        let (at, _) = list_parameter(self.flow, callee)?;
        let source = lists.iter().find(|(i, _)| *i == at)?.1?;
        let function = self.flow.functions[callee.0 as usize].clone();
        let known = find(&function.name)?;
        let name = known.called(&function.name).strip_prefix('v')?;
        let parameters = known.prototype.parameters.strip_suffix(&[Kind::Arguments])?;
        let other = find(name)?.prototype;
        let is_same = other.variadic && other.parameters == parameters;
        let format =
            other.format().filter(|_| is_same && arguments.len() == parameters.len() + 1)?;
        let (_, literal) = frame.literal(&arguments[format])?;
        let mut given = arguments[..at].to_vec();
        given[format] = literal.clone().cast(arguments[format].ty);
        let more = frame.given.get(&source)?;
        given.extend(more.iter().map(|&v| self.flow.place_of(v, arguments[at].span).load()));
        Some((self.library(name, &function)?, given))
    }

    /// The function of the library of this name, declared as another one is but for its list.
    fn library(&mut self, name: &str, other: &Function) -> Option<FunctionId> {
        let known = self.flow.functions.iter().position(|f| f.name == name);
        if let Some(index) = known {
            return self.flow.functions[index].body.is_none().then_some(FunctionId(index as u32));
        }
        let Type::Function { result, parameters, .. } = self.flow.types.get(other.ty).clone()
        else {
            return None;
        };
        let (_, parameters) = parameters.split_last()?;
        let ty = Type::Function { result, parameters: parameters.to_vec(), variadic: true };
        let ty = self.flow.types.intern(ty);
        let (name, parameters) = (name.to_owned(), vec![]);
        self.flow.functions.push(Function { name, ty, parameters, ..other.clone() });
        Some(FunctionId(self.flow.functions.len() as u32 - 1))
    }

    /// A call of a function that hands arguments on, as one of a copy of it: the copy, and its arguments.
    fn copied(
        &mut self,
        callee: FunctionId,
        mut arguments: Vec<Expr>,
        lists: &[(usize, Option<Source>)],
        frame: &Frame,
    ) -> Option<(FunctionId, Vec<Expr>)> {
        let own = self.handed[callee.0 as usize].as_ref()?;
        let named = self.flow.functions[callee.0 as usize].parameters.len();
        let is_wanted = self.wanted[callee.0 as usize] || !lists.is_empty();
        if !is_wanted || arguments.len() < named {
            return None;
        }
        let literals: Vec<Option<u32>> =
            arguments[..named].iter().map(|a| Some(frame.literal(a)?.0)).collect();
        if lists.is_empty() && literals.iter().all(Option::is_none) {
            return None;
        }
        let mut more = vec![];
        let mut given = vec![];
        for &source in &own.sources {
            let values: Vec<Expr> = match source {
                Source::Own => arguments[named..].to_vec(),
                Source::Parameter(i) => {
                    let from = lists.iter().find(|(at, _)| *at == i)?.1?;
                    let from = frame.given.get(&from)?.iter();
                    from.map(|&v| self.flow.place_of(v, arguments[i].span).load()).collect()
                }
            };
            given.push((source, values.iter().map(|value| value.ty).collect()));
            more.extend(values);
        }
        arguments.truncate(named);
        for &(i, _) in lists.iter().filter(|(i, _)| *i < named) {
            // The copy does not look at it.
            arguments[i] = Expr::number(0, arguments[i].ty, arguments[i].span);
        }
        let values: Vec<Option<Expr>> =
            arguments.iter().map(|a| Some(frame.literal(a)?.1.clone())).collect();
        arguments.extend(more);
        let key = Key { function: callee, literals, given };
        let copy = match self.made.get(&key) {
            Some(&copy) => copy,
            None => self.copy(key, values)?,
        };
        Some((copy, arguments))
    }

    /// A copy of a function; `literals` are what its parameters are.
    fn copy(&mut self, key: Key, literals: Vec<Option<Expr>>) -> Option<FunctionId> {
        let id = FunctionId(self.flow.functions.len() as u32);
        let original = self.flow.functions[key.function.0 as usize].clone();
        let mut body = original.body.clone()?;
        let Type::Function { result, mut parameters, variadic } =
            self.flow.types.get(original.ty).clone()
        else {
            return None;
        };
        let mut numbers = Numbers::identical(self.flow);
        for index in 0..self.flow.variables.len() {
            if self.flow.variables[index].function == Some(key.function) {
                let variable =
                    Variable { function: Some(id), ..self.flow.variables[index].clone() };
                numbers.variables[index] = Some(self.flow.add_variable(variable));
            }
        }
        let known = original.parameters.iter().zip(literals);
        let known = known.filter(|(parameter, _)| is_fixed(&body, **parameter));
        let literals =
            known.filter_map(|(&p, value)| Some((numbers.variable(p), value?))).collect();
        numbers.body(&mut body);
        // Nobody reads the lists of a copy.
        let is_mark =
            |f: FunctionId| matches!(self.flow.functions[f.0 as usize].name.as_str(), START | COPY);
        for edge in body.edges.iter_mut().filter(|edge| called(edge).is_some_and(is_mark)) {
            edge.instruction = Instruction::Skip;
        }
        // Several copies have the loops of the text: what is said of one does not hold for all.
        body.loops.clear();
        let mut frame = Frame { of: Some(key.function), literals, given: BTreeMap::new() };
        let mut all: Vec<VariableId> =
            original.parameters.iter().map(|&v| numbers.variable(v)).collect();
        for (source, types) in &key.given {
            let own = frame.given.entry(*source).or_default();
            for &ty in types {
                let name = format!("argument@{}", all.len());
                let variable = Variable::hidden(name, ty, Some(id), original.span);
                let kind = VariableKind::Parameter;
                let variable = self.flow.add_variable(Variable { kind, ..variable });
                parameters.push(ty);
                all.push(variable);
                own.push(variable);
            }
        }
        let ty = self.flow.types.intern(Type::Function { result, parameters, variadic });
        let result = original.result.map(|v| numbers.variable(v));
        let body = Some(body);
        let taken = |name: &String| self.flow.functions.iter().any(|f| f.name == *name);
        let earlier = self.made.keys().filter(|other| other.function == key.function).count();
        let mut names = (earlier + 2..).map(|number| numbered(&original.name, number));
        let name = names.find(|name| !taken(name))?;
        self.flow.functions.push(Function { name, ty, parameters: all, result, body, ..original });
        self.made.insert(key, id);
        self.open.push((id, frame));
        Some(id)
    }
}

/// Whether a variable keeps its first value.
fn is_fixed(body: &Body, variable: VariableId) -> bool {
    let is_it = |place: &Place| matches!(place.base, Base::Variable(v) if v == variable);
    body.edges.iter().all(|edge| {
        let mut parts = edge.instruction.parts();
        !edge.instruction.target().is_some_and(is_it)
            && !parts.any(|e| matches!(&e.kind, ExprKind::AddressOf(place) if is_it(place)))
    })
}
