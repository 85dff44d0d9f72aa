//! Functions that hand their additional arguments on, as a list that they do not read themselves: which calls get a list, and
//! whose arguments it then begins with.

use std::collections::{BTreeMap, BTreeSet};

use super::{COPY, NEXT, START, base, called, is_list_record};
use crate::flow::{
    Base, Body, Edge, Expr, ExprKind, Flow, FunctionId, Instruction, Place, VariableId,
};
use crate::library::{Kind, Writes, find};
use crate::types::{DataModel, Type};

/// Whose additional arguments a list is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// The function's own.
    Own,
    /// Those of the list that is this parameter of it.
    Parameter(usize),
}

/// The lists of a function at a place of it, as far as each is at its beginning there.
type Lists = BTreeMap<VariableId, Option<Source>>;

/// The arguments of a call that are lists, and the source of each, as far as the list is at its beginning there.
pub(super) type Given = Vec<(usize, Option<Source>)>;

/// What a function does with lists.
#[derive(Debug, Default)]
pub(super) struct Handed {
    /// The calls that get lists, by the numbers of their edges.
    pub calls: BTreeMap<usize, Given>,
    /// The parameters that are lists of which nothing else is done.
    lists: BTreeSet<usize>,
    /// What its calls need.
    pub sources: BTreeSet<Source>,
}

/// What each function does with lists, by number; nothing for those that read one, or hand it to a function that may.
pub(super) fn handed(flow: &Flow) -> Vec<Option<Handed>> {
    let ids = || (0..flow.functions.len() as u32).map(FunctionId);
    let mut all: Vec<_> = ids().map(|function| of_function(flow, function)).collect();
    loop {
        let fails = |f: &FunctionId| {
            let own = all[f.0 as usize].as_ref();
            own.is_some_and(|own| !own.calls.iter().all(|call| goes_on(flow, *f, call, &all)))
        };
        let Some(failed) = ids().find(fails) else { return all };
        all[failed.0 as usize] = None;
    }
}

/// Whether what a call does with its lists is known.
fn goes_on(
    flow: &Flow,
    caller: FunctionId,
    (&edge, lists): (&usize, &Given),
    all: &[Option<Handed>],
) -> bool {
    let body = flow.functions[caller.0 as usize].body.as_ref();
    let callee = body.and_then(|body| called(&body.edges[edge]));
    let Some(callee) = callee.map(|f| f.0 as usize) else { return false };
    if flow.functions[callee].body.is_none() {
        return true;
    }
    let takes = |i: &usize| all[callee].as_ref().is_some_and(|own| own.lists.contains(i));
    lists.iter().all(|(i, source)| source.is_some() && takes(i))
}

/// The functions whose calls are worth a copy: they give a list to a function of the library of which something is to be
/// known: what it writes, its result, or, where accesses are checked, what it reads.
pub(super) fn wanted(flow: &Flow, all: &[Option<Handed>], are_checked: bool) -> Vec<bool> {
    let mut wanted = vec![false; all.len()];
    loop {
        let is_new = |index: &usize| {
            let (Some(own), Some(body)) = (&all[*index], &flow.functions[*index].body) else {
                return false;
            };
            let matters = |(&edge, lists): (&usize, &Given)| {
                let edge = &body.edges[edge];
                let Some(callee) = called(edge) else { return false };
                let is_used = are_checked || edge.instruction.target().is_some();
                wanted[callee.0 as usize]
                    || list_parameter(flow, callee).is_some_and(|(i, writes)| {
                        lists.iter().any(|&(at, source)| at == i && source.is_some())
                            && (is_used || writes)
                    })
            };
            !wanted[*index] && own.calls.iter().any(matters)
        };
        let Some(index) = (0..all.len()).find(is_new) else { return wanted };
        wanted[index] = true;
    }
}

/// The parameter of a function of the library that is a list, and whether the function writes to memory.
pub(super) fn list_parameter(flow: &Flow, function: FunctionId) -> Option<(usize, bool)> {
    let function = &flow.functions[function.0 as usize];
    let known = find(&function.name).filter(|_| function.body.is_none())?;
    let at = known.prototype.parameters.iter().position(|&kind| kind == Kind::Arguments)?;
    let nothing = Writes::Anything { to: &[], more: false };
    let writes = known.model()?.effect.writes;
    Some((at, writes != Writes::Nothing && writes != nothing))
}

fn of_function(flow: &Flow, function: FunctionId) -> Option<Handed> {
    let own = &flow.functions[function.0 as usize];
    let body = own.body.as_ref()?;
    let name = |edge: &Edge| called(edge).map(|f| flow.functions[f.0 as usize].name.as_str());
    let is_mark = |edge: &&Edge| matches!(name(edge), Some(START | COPY | NEXT));
    if body.edges.iter().any(|edge| name(edge) == Some(NEXT)) {
        return None;
    }
    // What is begun, or becomes a copy.
    let marks = body.edges.iter().filter(is_mark);
    let set = marks.map(|edge| edge.instruction.values().next()?.place().and_then(base));
    let set: BTreeSet<VariableId> = set.collect::<Option<_>>()?;
    // Nobody else has it, and it is no part of something.
    let is_list = |variable: &VariableId| {
        let variable = &flow.variables[variable.0 as usize];
        variable.function == Some(function)
            && match (flow.types.get(variable.ty), flow.types.model) {
                (&(Type::Pointer(to) | Type::Array(to, Some(1))), DataModel::Lp64) => {
                    is_list_record(&flow.types, to)
                }
                (&Type::Pointer(to), DataModel::Ilp32) => *flow.types.get(to) == Type::Void,
                _ => false,
            }
    };
    let all = set.iter().chain(&own.parameters);
    let mut lists: BTreeSet<VariableId> = all.copied().filter(is_list).collect();
    let touched = |edge: &Edge, v: VariableId| {
        let target = edge.instruction.target().filter(|place| base(place) == Some(v));
        let parts = edge.instruction.parts();
        let parts = parts.filter(|part| part.place().and_then(base) == Some(v));
        usize::from(target.is_some()) + parts.count()
    };
    let is_plain = |edge: &Edge, v: VariableId| match &edge.instruction {
        Instruction::Havoc(..) => true,
        Instruction::Call { .. } if is_mark(&edge) => true,
        Instruction::Call { arguments, .. } => {
            let handed = arguments.iter().filter(|argument| list(argument) == Some(v));
            touched(edge, v) == handed.count()
        }
        _ => touched(edge, v) == 0,
    };
    lists.retain(|&v| body.edges.iter().all(|edge| is_plain(edge, v)));
    if !set.iter().all(|v| lists.contains(v)) || lists.is_empty() {
        return None;
    }
    let number = |v: VariableId| own.parameters.iter().position(|&p| p == v);
    let start: Lists = lists.iter().map(|&v| (v, number(v).map(Source::Parameter))).collect();
    let is_variadic = matches!(flow.types.get(own.ty), Type::Function { variadic: true, .. })
        .then_some(Source::Own);
    let states = states(body, start, |edge, lists| {
        let mut cells = edge.instruction.values().filter_map(Expr::place).filter_map(of_cell);
        match (name(edge), &edge.instruction) {
            (Some(START), _) => cells.next().map(|v| (v, is_variadic)),
            (Some(COPY), _) => {
                let to = cells.next()?;
                let from = cells.next().and_then(|from| lists.get(&from).copied().flatten());
                Some((to, from))
            }
            (_, Instruction::Havoc(place, _)) => base(place).map(|v| (v, None)),
            _ => None,
        }
    });
    let mut handed =
        Handed { lists: lists.iter().filter_map(|&v| number(v)).collect(), ..Handed::default() };
    for (index, edge) in body.edges.iter().enumerate() {
        let Instruction::Call { arguments, .. } = &edge.instruction else { continue };
        if is_mark(&edge) {
            continue;
        }
        let Some(state) = &states[edge.source.0 as usize] else { continue };
        // One that is handed over twice is at its beginning only once.
        let is_once = |v| arguments.iter().filter(|a| list(a) == Some(v)).count() == 1;
        let source = |v: VariableId| Some(state.get(&v)?.filter(|_| is_once(v)));
        let given = arguments.iter().enumerate();
        let given: Given = given.filter_map(|(i, a)| Some((i, source(list(a)?)?))).collect();
        handed.sources.extend(given.iter().filter_map(|(_, source)| *source));
        if !given.is_empty() {
            handed.calls.insert(index, given);
        }
    }
    Some(handed)
}

/// The sources of lists at each location that is reached. A call leaves the lists that it gets somewhere (C11, 7.16, 3).
fn states(
    body: &Body,
    start: Lists,
    change: impl Fn(&Edge, &Lists) -> Option<(VariableId, Option<Source>)>,
) -> Vec<Option<Lists>> {
    let mut states = vec![None; body.locations as usize];
    states[body.entry.0 as usize] = Some(start);
    loop {
        let mut is_new = false;
        for edge in &body.edges {
            let Some(mut state) = states[edge.source.0 as usize].clone() else { continue };
            let changed = change(edge, &state);
            if changed.is_none()
                && let Instruction::Call { arguments, .. } = &edge.instruction
            {
                for v in arguments.iter().filter_map(list) {
                    state.entry(v).and_modify(|source| *source = None);
                }
            }
            if let Some((v, source)) = changed {
                state.entry(v).and_modify(|old| *old = source);
            }
            let target = &mut states[edge.target.0 as usize];
            let joined = match target.as_ref() {
                None => state,
                Some(old) => {
                    let join = |(v, source): (&VariableId, &Option<Source>)| {
                        (*v, source.filter(|_| state.get(v) == Some(source)))
                    };
                    old.iter().map(join).collect()
                }
            };
            is_new |= target.as_ref() != Some(&joined);
            *target = Some(joined);
        }
        if !is_new {
            return states;
        }
    }
}

/// The variable whose list a pointer in a list is of.
fn of_cell(place: &Place) -> Option<VariableId> {
    match &place.base {
        Base::Pointer(pointer) => list(pointer),
        _ => base(place),
    }
}

/// The variable that an argument is the list of.
fn list(argument: &Expr) -> Option<VariableId> {
    match &argument.kind {
        ExprKind::Cast(inner) => list(inner),
        ExprKind::Load(place) if place.path.is_empty() => base(place),
        ExprKind::AddressOf(place) if place.is_first() => base(place),
        _ => None,
    }
}
