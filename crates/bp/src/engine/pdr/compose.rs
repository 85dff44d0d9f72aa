//! Composes rules to have fewer places: what is left are loop heads and the ends of procedures.
//!
//! A place whose rules are composed has no lemmas, and relative induction sees whole rounds of a
//! loop.  A procedure with one rule from its entry to its exit that cannot fail becomes part of its
//! callers' rules, callees first.

use std::collections::BTreeSet;

use super::system::{Exit, Kind, PlaceId, Rule, System};
use crate::engine::limits::Directed;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::block::BlockStep;
use crate::language::program::ProcId;
use hardbop_logic::{Aig, Lit, Substitution};

/// Composes rules, and enters what is left at the places.
pub fn compose(system: &mut System, aig: &mut Aig, prepared: &Prepared, limits: &Directed) {
    let most = limits.growth.saturating_mul(aig.len()).saturating_add(limits.nodes);
    system.inlined = vec![None; prepared.program.procedures.len()];
    let order: Vec<ProcId> = prepared.calls.components.iter().flatten().copied().collect();
    let mut run = Run::new(system, aig, prepared, most);
    for p in order {
        run.inline_calls(p);
        run.eliminate_places(p);
        run.through(p);
    }
    run.system.rules = run.rules.into_iter().flatten().collect();
    run.system.index();
}

struct Run<'a> {
    system: &'a mut System,
    aig: &'a mut Aig,
    prepared: &'a Prepared<'a>,
    most: usize,
    /// The rules; none where one is gone.
    rules: Vec<Option<Rule>>,
    /// The rules into each place and out of it, those that are gone included.
    into: Vec<Vec<usize>>,
    out: Vec<Vec<usize>>,
    /// The places of each procedure.
    places: Vec<Vec<PlaceId>>,
}

impl<'a> Run<'a> {
    fn new(
        system: &'a mut System,
        aig: &'a mut Aig,
        prepared: &'a Prepared<'a>,
        most: usize,
    ) -> Self {
        let mut places = vec![vec![]; prepared.program.procedures.len()];
        for (place, id) in system.places.iter().zip(0..) {
            places[place.procedure.index()].push(PlaceId(id));
        }
        let none = vec![vec![]; system.places.len()];
        let rules = std::mem::take(&mut system.rules);
        let (into, out) = (none.clone(), none);
        let mut run = Self { system, aig, prepared, most, rules: vec![], into, out, places };
        rules.into_iter().for_each(|rule| run.add(rule));
        run
    }

    fn add(&mut self, rule: Rule) {
        let id = self.rules.len();
        self.into[rule.target.index()].push(id);
        self.out[rule.source.index()].push(id);
        self.rules.push(Some(rule));
    }

    /// The rules out of the places of a procedure, in order.
    fn rules_of(&self, p: ProcId) -> Vec<usize> {
        let out = self.places[p.index()].iter().flat_map(|place| &self.out[place.index()]);
        let mut rules: Vec<usize> = out.copied().filter(|&r| self.rules[r].is_some()).collect();
        rules.sort_unstable();
        rules
    }

    fn procedure(&self, place: PlaceId) -> ProcId {
        self.system.places[place.index()].procedure
    }

    /// Replaces the returns from procedures that have one rule.
    fn inline_calls(&mut self, p: ProcId) {
        let rules = self.rules_of(p);
        for &i in &rules {
            let Some(rule) = &self.rules[i] else { continue };
            let Some(exit) = &rule.exit else { continue };
            let callee = self.procedure(exit.place);
            if self.aig.len() > self.most {
                continue;
            }
            if let Some(inside) = &self.system.inlined[callee.index()] {
                let (rule, exit, inside) = (rule.clone(), exit.clone(), inside.clone());
                self.rules[i] = Some(self.inline(rule, &exit, &inside));
            }
        }
        let exits = rules.iter().filter_map(|&r| self.rules[r].as_ref()?.exit.as_ref());
        let left: BTreeSet<ProcId> = exits.map(|e| self.procedure(e.place)).collect();
        let is_gone = |rule: &Rule| {
            let q = self.procedure(rule.target);
            let inlined = self.system.inlined[q.index()].is_some();
            rule.kind == Kind::Enter && inlined && !left.contains(&q)
        };
        let is_gone = |&r: &usize| self.rules[r].as_ref().is_some_and(is_gone);
        let gone: Vec<usize> = rules.into_iter().filter(is_gone).collect();
        gone.into_iter().for_each(|r| self.rules[r] = None);
    }

    /// A return of a procedure with this rule.
    fn inline(&mut self, rule: Rule, exit: &Exit, inside: &Rule) -> Rule {
        let (entry, last) = (inside.source.index(), inside.target.index());
        let slots = self.system.places[entry].values.len() / 2;
        // By item of the callee's entry: the values that are passed.
        let given = [&exit.values[slots..], &exit.values[slots..]].concat();
        let inner = self.instantiated(inside, &given, entry);
        let mut map = Substitution::new();
        let callee = self.system.places[last].procedure;
        for (slot, &input) in self.system.returned[callee.index()].iter().enumerate() {
            // What is dead at the exit may have any value.
            let value = inner.after[slot].unwrap_or_else(|| self.aig.new_input_lit());
            map.replace(self.aig, input, value);
        }
        let mut result = self.replaced(&rule, &mut map);
        result.guard = self.aig.and(result.guard, inner.guard);
        result.first = [rule.first, inner.first, vec![BlockStep::Return], rule.then].concat();
        Rule { kind: Kind::Step, then: vec![], exit: None, ..result }
    }

    /// A rule with other values before it, by item of its source, and with choices of its own.
    fn instantiated(&mut self, rule: &Rule, before: &[Option<Lit>], source: usize) -> Rule {
        let mut map = Substitution::new();
        let exit = rule.exit.iter().flat_map(|e| &e.values);
        let roots = rule.after.iter().chain(exit).filter_map(|v| *v).chain([rule.guard]);
        for input in self.aig.support(roots) {
            let fresh = self.aig.new_input_lit();
            map.replace(self.aig, input, fresh);
        }
        let callee = rule.exit.as_ref().map(|e| self.procedure(e.place));
        for &input in callee.iter().flat_map(|c| &self.system.returned[c.index()]) {
            let same = self.aig.input(input);
            map.replace(self.aig, input, same);
        }
        for (value, new) in self.system.places[source].values.iter().zip(before) {
            let input = value.and_then(|lit| self.aig.as_input(lit));
            if let (Some(input), Some(new)) = (input, *new) {
                map.replace(self.aig, input, new);
            }
        }
        self.replaced(rule, &mut map)
    }

    /// A rule with its inputs replaced.
    fn replaced(&mut self, rule: &Rule, map: &mut Substitution) -> Rule {
        let aig = &mut *self.aig;
        let mut all = |values: &[Option<Lit>]| -> Vec<Option<Lit>> {
            values.iter().map(|v| v.map(|lit| aig.substitute_one(lit, map))).collect()
        };
        let after = all(&rule.after);
        let exit = rule.exit.as_ref().map(|e| Exit { values: all(&e.values), ..e.clone() });
        let guard = self.aig.substitute_one(rule.guard, map);
        Rule { guard, after, exit, ..rule.clone() }
    }

    /// Composes the rules through places that are neither loop heads nor ends of the procedure.
    fn eliminate_places(&mut self, p: ProcId) {
        let prepared = self.prepared;
        let is_explored = prepared.slice.procedure(p).is_some() && !prepared.is_transparent(p);
        if !is_explored {
            return;
        }
        let procedure = prepared.procedure(p);
        let heads = &prepared.blocks(p).order.head;
        let ends = [procedure.entry, procedure.exit, procedure.error];
        let nodes: Vec<_> = prepared.cut_nodes(p).collect();
        for n in nodes.into_iter().filter(|n| !ends.contains(n) && !heads[n.index()]) {
            if let Some(place) = self.system.place(p, n)
                && self.aig.len() <= self.most
            {
                self.eliminate(place);
            }
        }
    }

    fn eliminate(&mut self, place: PlaceId) {
        let left = |all: &[usize]| -> Vec<usize> {
            all.iter().copied().filter(|&r| self.rules[r].is_some()).collect()
        };
        let (into, out) = (left(&self.into[place.index()]), left(&self.out[place.index()]));
        let is_any = |rules: &[usize], of: fn(Kind) -> bool| {
            rules.iter().any(|&r| self.rules[r].as_ref().is_some_and(|rule| of(rule.kind)))
        };
        let loops = into.iter().any(|r| out.contains(r));
        let returns = is_any(&into, |kind| kind == Kind::Return);
        let calls = is_any(&out, |kind| kind != Kind::Step);
        let many = into.len() > 1 && out.len() > 1;
        if loops || returns && calls || many || into.is_empty() {
            return;
        }
        for &a in &into {
            for &b in &out {
                let (Some(a), Some(b)) = (self.rules[a].clone(), self.rules[b].clone()) else {
                    continue;
                };
                let rule = self.one_after_the_other(a, &b);
                if rule.guard != Lit::FALSE {
                    self.add(rule);
                }
            }
        }
        into.into_iter().chain(out).for_each(|r| self.rules[r] = None);
        self.system.places[place.index()].is_composed = true;
    }

    /// Two rules as one; not both have a callee.
    fn one_after_the_other(&mut self, a: Rule, b: &Rule) -> Rule {
        let next = self.instantiated(b, &a.after, b.source.index());
        let guard = self.aig.and(a.guard, next.guard);
        let (mut first, mut then) = (a.first, a.then);
        match a.kind {
            Kind::Return => then.extend(next.first),
            _ => {
                first.extend(next.first);
                then = next.then;
            }
        }
        let (kind, exit) = match a.exit {
            Some(exit) => (a.kind, Some(exit)),
            None => (next.kind, next.exit),
        };
        Rule {
            kind,
            first,
            then,
            source: a.source,
            target: b.target,
            guard,
            after: next.after,
            exit,
        }
    }

    /// Lets callers take in a procedure that has become a single rule; then nothing is left of it.
    fn through(&mut self, p: ProcId) {
        let inside = self.rules_of(p);
        let (prepared, system) = (self.prepared, &mut *self.system);
        let procedure = prepared.procedure(p);
        let (Some(entry), Some(exit)) =
            (system.place(p, procedure.entry), system.place(p, procedure.exit))
        else {
            return;
        };
        let is_pure = |place: PlaceId| {
            let values = &system.places[place.index()].values;
            values[values.len() / 2..].iter().all(Option::is_none)
        };
        let [only] = inside[..] else { return };
        let Some(rule) = &self.rules[only] else { return };
        let is_through = (rule.source, rule.target) == (entry, exit) && rule.kind == Kind::Step;
        if p == prepared.program.entry || !is_through || !is_pure(entry) {
            return;
        }
        let mut rule = rule.clone();
        rule.guard = self.aig.and(rule.guard, system.places[entry.index()].known);
        system.inlined[p.index()] = Some(rule);
    }
}
