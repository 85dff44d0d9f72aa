//! Joins the tables of units.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::call;
use super::labels;
use super::rename::rename;
use super::symbols::Symbols;
use super::types;
use crate::edit::numbered;
use crate::flow::{Base, Function, FunctionId, Place, Variable, VariableId, VariableKind};
use crate::parse::{Gate, Outside, Start, Strength, Surface, Thing, Unit, Woven};
use crate::property::Property;
use crate::rewrite::Numbers;
use crate::types::{Type, TypeId, Types};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// What several files call by the same name.
#[derive(Debug, Default)]
struct Group {
    /// Several where there are aliases; the first one is for messages.
    names: Vec<String>,
    /// By unit, in order.
    things: Vec<(usize, Thing)>,
    /// The one whose definition counts.
    chosen: Option<usize>,
    ty: Option<TypeId>,
}

/// The units and what is known of them.
struct Merge<'a> {
    units: Vec<Unit>,
    surfaces: &'a [Surface],
    symbols: &'a Symbols,
    /// Which units are the library's own: there a declaration is what it is.
    is_model: Vec<bool>,
    groups: Vec<Group>,
    /// The group of what other files can name.
    group_of: HashMap<(usize, Thing), usize>,
    mistakes: Vec<Diagnostic>,
}

/// The unit that all units are together.
///
/// # Errors
/// Declarations that contradict each other.
pub(super) fn merge(
    units: Vec<Unit>,
    surfaces: &[Surface],
    symbols: &Symbols,
    is_model: impl Fn(usize) -> bool,
    property: &Property,
) -> Result<Unit, Vec<Diagnostic>> {
    let model = units.first().map(|unit| unit.types.model).unwrap_or_default();
    let (mut types, maps) = types::merge(&units, model);
    let (groups, group_of, mistakes) = (vec![], HashMap::new(), vec![]);
    let is_model = (0..units.len()).map(is_model).collect();
    let mut merge = Merge { units, surfaces, symbols, is_model, groups, group_of, mistakes };
    merge.group();
    merge.mistakes =
        labels::refused(&merge.units, surfaces, |unit, name| merge.is_shared(unit, name));
    for index in 0..merge.groups.len() {
        merge.agree(index, &mut types, &maps);
        merge.choose(index, property);
    }
    if !merge.mistakes.is_empty() {
        merge.mistakes.truncate(crate::parse::MAX_DIAGNOSTICS);
        return Err(merge.mistakes);
    }
    let numbers = merge.numbers(maps);
    Ok(merge.joined(types, &numbers))
}

impl Merge<'_> {
    /// Whether other files can name it.
    fn is_shared(&self, unit: usize, name: &str) -> bool {
        let facts = self.surfaces[unit].names.get(name);
        !facts.is_some_and(|facts| facts.is_static)
            && !self.symbols.private.contains(&(unit, name.to_owned()))
    }

    fn group(&mut self) {
        let mut by_name: HashMap<String, usize> = HashMap::new();
        for unit in 0..self.units.len() {
            let names = self.units[unit].names.iter();
            let names: Vec<(String, Thing)> =
                names.map(|(name, thing, _)| (name.clone(), *thing)).collect();
            for (name, thing) in names {
                if !self.is_shared(unit, &name) {
                    continue;
                }
                let known = self.group_of.get(&(unit, thing)).copied();
                let symbol = labels::symbol(&self.surfaces[unit], &name);
                let named = by_name.get(&symbol).copied();
                let index = match (known, named) {
                    (Some(a), Some(b)) if a != b => self.unite(a, b, &mut by_name),
                    (Some(index), _) | (None, Some(index)) => index,
                    (None, None) => {
                        self.groups.push(Group::default());
                        self.groups.len() - 1
                    }
                };
                let group = &mut self.groups[index];
                if !group.names.contains(&name) {
                    group.names.push(name.clone());
                }
                if !group.things.contains(&(unit, thing)) {
                    group.things.push((unit, thing));
                }
                by_name.insert(symbol, index);
                self.group_of.insert((unit, thing), index);
            }
        }
    }

    /// Makes one group of two, which an alias joins.
    fn unite(&mut self, a: usize, b: usize, by_name: &mut HashMap<String, usize>) -> usize {
        let other = std::mem::take(&mut self.groups[b]);
        by_name.values_mut().filter(|index| **index == b).for_each(|index| *index = a);
        self.group_of.values_mut().filter(|index| **index == b).for_each(|index| *index = a);
        self.groups[a].names.extend(other.names);
        self.groups[a].things.extend(other.things);
        self.groups[a].things.sort_by_key(|(unit, _)| *unit);
        a
    }

    fn span(&self, (unit, thing): (usize, Thing)) -> Span {
        match thing {
            Thing::Function(id) => self.units[unit].functions[id.0 as usize].span,
            Thing::Variable(id) => self.units[unit].variables[id.0 as usize].span,
        }
    }

    fn contradiction(&mut self, message: String, at: [(usize, Thing); 2], words: [String; 2]) {
        let [there, here] = words;
        let mistake = Diagnostic::new(DiagnosticKind::Type, self.span(at[1]), message)
            .with_label(here)
            .with_related(self.span(at[0]), there);
        self.mistakes.push(mistake);
    }

    /// Warns of what files declare with types that are passed or stored alike: that of the definition counts.
    fn differs(&mut self, name: &str, things: &[(usize, Thing)], defined: (usize, Thing)) {
        let Some(&other) = things.iter().find(|thing| **thing != defined) else { return };
        let message = format!("'{name}' is declared with two types");
        let warning = Diagnostic::new(DiagnosticKind::Type, self.span(other), message)
            .with_label("one declaration")
            .with_related(self.span(defined), "the definition, which counts");
        self.units[defined.0].warnings.push(warning);
    }

    /// Finds the type that all files together give a name.
    fn agree(&mut self, index: usize, types: &mut Types, maps: &[Vec<TypeId>]) {
        let things = self.groups[index].things.clone();
        let Some(&first) = things.first() else { return };
        let name = self.groups[index].names[0].clone();
        let own = |merge: &Self, (unit, thing): (usize, Thing)| match thing {
            Thing::Function(id) => {
                maps[unit][merge.units[unit].functions[id.0 as usize].ty.0 as usize]
            }
            Thing::Variable(id) => {
                maps[unit][merge.units[unit].variables[id.0 as usize].ty.0 as usize]
            }
        };
        let has_body = |merge: &Self, &(unit, thing): &(usize, Thing)| match thing {
            Thing::Function(id) => merge.units[unit].functions[id.0 as usize].body.is_some(),
            Thing::Variable(_) => false,
        };
        let is_defined = |merge: &Self, &(unit, thing): &(usize, Thing)| match thing {
            Thing::Function(_) => false,
            Thing::Variable(id) => {
                merge.units[unit].variables[id.0 as usize].kind == VariableKind::Global
            }
        };
        let (mut ty, mut is_alike) = (own(self, first), true);
        for &other in &things[1..] {
            let is_function = |thing| matches!(thing, Thing::Function(_));
            if is_function(first.1) != is_function(other.1) {
                let words = |thing| {
                    (if is_function(thing) { "a function here" } else { "a variable here" })
                        .to_owned()
                };
                let message = format!("'{name}' is a function in one file, a variable in another");
                return self.contradiction(
                    message,
                    [first, other],
                    [words(first.1), words(other.1)],
                );
            }
            let new = own(self, other);
            ty = match types.composite(ty, new) {
                Some(both) => both,
                None if things.iter().all(|&(unit, _)| !self.is_model[unit])
                    && (call::are_passed_alike(types, ty, new)
                        || call::are_stored_alike(types, ty, new)) =>
                {
                    is_alike = false;
                    ty
                }
                None => {
                    let words = [ty, new].map(|ty| format!("'{}' here", types.declare(ty, &name)));
                    let message = format!("'{name}' is declared with two types");
                    return self.contradiction(message, [first, other], words);
                }
            };
            if let (Thing::Variable(a), Thing::Variable(b)) = (first.1, other.1) {
                let [a, b] = [(first.0, a), (other.0, b)]
                    .map(|(unit, id)| self.units[unit].variables[id.0 as usize].volatile);
                if a != b {
                    let words =
                        |v| (if v { "volatile here" } else { "not volatile here" }).to_owned();
                    let message = format!("'{name}' is volatile in one file only");
                    return self.contradiction(message, [first, other], [words(a), words(b)]);
                }
            }
        }
        let body = things.iter().copied().find(|thing| has_body(self, thing));
        let defined = body.or_else(|| things.iter().copied().find(|thing| is_defined(self, thing)));
        if let (Some(defined), false) = (defined, is_alike) {
            self.differs(&name, &things, defined);
            ty = own(self, defined);
        }
        if let (Type::Array(element, None), true) = (types.get(ty).clone(), defined.is_some()) {
            // No file gives it a length (C11, 6.9.2).
            ty = types.intern(Type::Array(element, Some(1)));
        }
        self.groups[index].ty = Some(ty);
        if body.is_none() {
            return;
        }
        // A prototype and a declaration without one agree only where arguments are passed alike (C11, 6.7.6.3).
        let views = things.iter().map(|&thing| {
            let old = self.units[thing.0].old_style.contains(&name) && has_body(self, &thing);
            (thing, call::View::of(types, own(self, thing), old))
        });
        let views: Vec<((usize, Thing), call::View)> = views.collect();
        for (i, (thing, view)) in views.iter().enumerate() {
            let clash = views[..i].iter().find(|(_, other)| !view.agrees(*other));
            if let Some((other, _)) = clash {
                let message = format!(
                    "'{name}' has a prototype in one file only, and does not take its arguments as calls without one pass them"
                );
                let words = ["declared here".to_owned(), "and otherwise here".to_owned()];
                return self.contradiction(message, [*other, *thing], words);
            }
        }
    }

    /// Chooses the declaration that stays.
    fn choose(&mut self, index: usize, property: &Property) {
        let group = &self.groups[index];
        let strength = |unit: usize| {
            let names = &self.surfaces[unit].names;
            let facts = group.names.iter().filter_map(|name| names.get(name));
            facts.filter_map(|facts| Some(facts.definition.as_ref()?.strength)).max()
        };
        let function = |&(unit, thing): &(usize, Thing)| match thing {
            Thing::Function(id) => Some(&self.units[unit].functions[id.0 as usize]),
            Thing::Variable(_) => None,
        };
        let is_convention =
            |thing: &(usize, Thing)| function(thing).is_some_and(Function::is_convention);
        // What is an error is one also where it has a body.
        let is_error = group.names.iter().any(|name| property.error_functions.contains(name));
        let error = group.things.iter().position(|thing| is_error && is_convention(thing));
        let wins = |thing: &(usize, Thing)| {
            let is_body = function(thing).is_some_and(|f| f.body.is_some() && !f.is_convention());
            is_body
                && group.names.iter().any(|name| self.symbols.winners.get(name) == Some(&thing.0))
        };
        let body = group.things.iter().position(wins);
        let convention = group.things.iter().position(is_convention);
        let object = |thing: &(usize, Thing)| match thing.1 {
            Thing::Variable(id) => {
                let kind = self.units[thing.0].variables[id.0 as usize].kind;
                (kind == VariableKind::Global)
                    .then(|| strength(thing.0).unwrap_or(Strength::Tentative))
            }
            Thing::Function(_) => None,
        };
        // Of equal definitions, the first counts.
        let objects = group.things.iter().enumerate().rev();
        let objects = objects.filter_map(|(i, thing)| object(thing).map(|strength| (i, strength)));
        let object = objects.max_by_key(|(_, strength)| *strength).map(|(i, _)| i);
        self.groups[index].chosen = error.or(body).or(convention).or(object);
    }

    /// Whether a thing is in the program: no other file's takes its place.
    fn is_kept(&self, unit: usize, thing: Thing) -> bool {
        match self.group_of.get(&(unit, thing)) {
            Some(&index) => {
                let group = &self.groups[index];
                group.things.get(group.chosen.unwrap_or(0)) == Some(&(unit, thing))
            }
            None => true,
        }
    }

    /// Numbers everything anew.
    fn numbers(&self, maps: Vec<Vec<TypeId>>) -> Vec<Numbers> {
        let (mut functions, mut variables) = (0, 0);
        let mut of_group: HashMap<usize, u32> = HashMap::new();
        let mut strings: HashMap<&[u8], u32> = HashMap::new();
        let mut all = vec![];
        let mut number = |key: (usize, Thing), count: &mut u32| {
            let mut next = || {
                *count += 1;
                *count - 1
            };
            match self.group_of.get(&key) {
                Some(&index) => *of_group.entry(index).or_insert_with(next),
                None => next(),
            }
        };
        for (i, (unit, types)) in self.units.iter().zip(maps).enumerate() {
            let mut numbers = Numbers { types, ..Numbers::default() };
            for id in (0..unit.functions.len() as u32).map(FunctionId) {
                let key = (i, Thing::Function(id));
                numbers.functions.push(FunctionId(number(key, &mut functions)));
            }
            for (id, variable) in unit.variables.iter().enumerate() {
                let thing = Thing::Variable(VariableId(id as u32));
                let is_kept = match (variable.kind, variable.function) {
                    (VariableKind::Global | VariableKind::External, _) | (_, None) => true,
                    (_, Some(function)) => self.is_kept(i, Thing::Function(function)),
                };
                let id = is_kept.then(|| VariableId(number((i, thing), &mut variables)));
                numbers.variables.push(id);
            }
            for string in &unit.strings {
                let next = strings.len() as u32;
                numbers.strings.push(*strings.entry(string).or_insert(next));
            }
            all.push(numbers);
        }
        all
    }

    /// The tables, one after the other.
    fn joined(mut self, types: Types, numbers: &[Numbers]) -> Unit {
        let mut out = Unit {
            types,
            variables: vec![],
            functions: vec![],
            strings: vec![],
            initialisers: vec![],
            names: vec![],
            undefined: vec![],
            stated: vec![],
            outside: vec![],
            undecided: BTreeSet::new(),
            error_labels: HashSet::new(),
            old_style: HashSet::new(),
            reliances: BTreeSet::new(),
            unordered: BTreeSet::new(),
            starts: vec![],
            gate: None,
            woven: Woven::default(),
            statements: vec![],
            warnings: vec![],
        };
        let mut functions: Vec<Option<Function>> = vec![];
        let mut variables: Vec<Option<Variable>> = vec![];
        let mut internal: Vec<(Thing, bool)> = vec![];
        for (i, (unit, numbers)) in self.units.iter().zip(numbers).enumerate() {
            for (id, function) in unit.functions.iter().enumerate() {
                let thing = Thing::Function(FunctionId(id as u32));
                let new = numbers.function(FunctionId(id as u32));
                if self.is_kept(i, thing) {
                    let mut function = function.clone();
                    function.ty = self.ty(i, thing).unwrap_or(numbers.ty(function.ty));
                    function.parameters.iter_mut().for_each(|id| *id = numbers.variable(*id));
                    function.result = function.result.map(|id| numbers.variable(id));
                    function.body.iter_mut().for_each(|body| numbers.body(body));
                    put(&mut functions, new.0, function);
                    internal.push((Thing::Function(new), !self.group_of.contains_key(&(i, thing))));
                }
            }
            for (id, variable) in unit.variables.iter().enumerate() {
                let thing = Thing::Variable(VariableId(id as u32));
                let Some(new) = numbers.variables[id].filter(|_| self.is_kept(i, thing)) else {
                    continue;
                };
                let mut variable = variable.clone();
                variable.ty = self.ty(i, thing).unwrap_or(numbers.ty(variable.ty));
                variable.function = variable.function.map(|id| numbers.function(id));
                if variable.function.is_none() {
                    internal.push((Thing::Variable(new), !self.group_of.contains_key(&(i, thing))));
                }
                put(&mut variables, new.0, variable);
            }
            for (string, &new) in unit.strings.iter().zip(&numbers.strings) {
                if new as usize == out.strings.len() {
                    out.strings.push(string.clone());
                }
            }
            let is_kept = |place: &Place| match place.base {
                Base::Variable(id) => self.is_kept(i, Thing::Variable(id)),
                _ => true,
            };
            for (place, value) in unit.initialisers.iter().filter(|(place, _)| is_kept(place)) {
                let (mut place, mut value) = (place.clone(), value.clone());
                numbers.place(&mut place);
                numbers.expr(&mut value);
                out.initialisers.push((place, value));
            }
            for (name, thing, span) in &unit.names {
                let is_shared = self.group_of.contains_key(&(i, *thing));
                if is_shared && !self.is_kept(i, *thing) {
                    continue;
                }
                let name = if is_shared { name.clone() } else { numbered(name, i + 1) };
                let thing = match *thing {
                    Thing::Function(id) => Thing::Function(numbers.function(id)),
                    Thing::Variable(id) => Thing::Variable(numbers.variable(id)),
                };
                out.names.push((name, thing, *span));
            }
            let stated = unit.stated.iter();
            let stated = stated.filter(|(id, _)| self.is_kept(i, Thing::Function(*id)));
            out.stated.extend(stated.map(|&(id, span)| (numbers.function(id), span)));
            let outside = unit.outside.iter();
            let outside = outside.filter(|o| self.is_kept(i, Thing::Function(o.function)));
            let function = |id| numbers.function(id);
            out.outside.extend(outside.map(|o| Outside { function: function(o.function), ..*o }));
            let starts = unit.starts.iter();
            let starts = starts.filter(|s| self.is_kept(i, Thing::Function(s.function)));
            out.starts.extend(starts.map(|start| Start {
                function: function(start.function),
                flag: numbers.variable(start.flag),
                required: start.required.clone(),
            }));
            let undefined = unit.undefined.iter();
            let undefined = undefined.filter(|(id, ..)| self.is_kept(i, Thing::Function(*id)));
            out.undefined.extend(
                undefined.map(|&(a, b, span)| (numbers.function(a), numbers.function(b), span)),
            );
        }
        out.functions = functions.into_iter().map(|f| f.expect(KEPT)).collect();
        out.variables = variables.into_iter().map(|v| v.expect(KEPT)).collect();
        for (unit, numbers) in self.units.iter_mut().zip(numbers) {
            out.woven.include(std::mem::take(&mut unit.woven));
            if let Some(own) = unit.gate.take() {
                let segment = numbers.variable(own.segment);
                let (targets, is_anywhere) = (vec![], own.is_anywhere);
                let gate = out.gate.get_or_insert(Gate { segment, targets, is_anywhere });
                gate.targets.extend(own.targets);
            }
            out.statements.append(&mut unit.statements);
            out.reliances.append(&mut unit.reliances);
            out.unordered.append(&mut unit.unordered);
            out.undecided.append(&mut unit.undecided);
            out.error_labels.extend(unit.error_labels.drain());
            out.old_style.extend(unit.old_style.drain());
            for warning in unit.warnings.drain(..) {
                if out.warnings.iter().all(|known| known.message != warning.message) {
                    out.warnings.push(warning);
                }
            }
        }
        rename(&mut out, &internal);
        call::fit(&mut out);
        out
    }

    fn ty(&self, unit: usize, thing: Thing) -> Option<TypeId> {
        self.groups[*self.group_of.get(&(unit, thing))?].ty
    }
}

/// Of the things that share a number.
const KEPT: &str = "one of them is kept";

/// Puts a thing at its number; all numbers get one in the end.
fn put<T>(all: &mut Vec<Option<T>>, number: u32, thing: T) {
    let number = number as usize;
    if all.len() <= number {
        all.resize_with(number + 1, || None);
    }
    all[number] = Some(thing);
}
