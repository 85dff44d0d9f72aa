//! The questions whose answers are the statements of the Boolean program: what the program does
//! there, with the predicates before and after it.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::assignment::Variable;
use crate::model::skeleton::frame::{Skeleton, symbols};
use crate::model::skeleton::predicates::{Initial, Interface, Predicates};
use hardbop_cfa::Location;
use hardbop_cfa::encode::Relation;
use hardbop_smt::{Node, Symbol, Term, Terms};

/// A literal of a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literal {
    pub variable: Variable,
    pub after: bool,
    pub term: Term,
}

/// A formula with the predicates before and after it.
pub(super) struct Question {
    /// All conjuncts.
    pub all: Rc<[Term]>,
    /// The conjuncts that matter.
    pub conjuncts: Vec<Term>,
    pub definitions: Vec<(Term, Term)>,
    before: Vec<(Variable, Term)>,
    after: Vec<(Variable, Term)>,
}

impl Question {
    /// The literals, with each predicate before next to the same predicate after.
    pub fn order(&self) -> Vec<Literal> {
        let mut all: Vec<Literal> = vec![];
        for (list, after) in [(&self.before, false), (&self.after, true)] {
            all.extend(list.iter().map(|&(variable, term)| Literal { variable, after, term }));
        }
        all.sort_by_key(|l| (l.variable, l.after));
        all
    }

    /// Leaves out what cannot matter: definitions that neither the path condition nor the targets
    /// need, and predicates before that do not share variables with them, directly or through other
    /// predicates.
    fn focus(mut self, terms: &Terms) -> Self {
        let path = self.conjuncts.split_off(self.definitions.len());
        let mut roots: Vec<Term> = path.clone();
        roots.extend(self.after.iter().map(|&(_, t)| t));
        let mut needed: FxHashSet<Term> = terms.support_of(&roots).into_iter().collect();
        let mut kept = vec![];
        for (&(instance, value), &equation) in self.definitions.iter().zip(&self.conjuncts).rev() {
            if needed.contains(&instance) {
                needed.extend(terms.support(value));
                kept.push(((instance, value), equation));
            }
        }
        kept.reverse();
        let (definitions, mut conjuncts): (Vec<(Term, Term)>, Vec<Term>) = kept.into_iter().unzip();
        conjuncts.extend(path);
        let supports: Vec<Vec<Term>> = self.before.iter().map(|&(_, t)| terms.support(t)).collect();
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        let mut grown = true;
        while grown {
            grown = false;
            for (i, support) in supports.iter().enumerate() {
                if !chosen.contains(&i) && support.iter().any(|leaf| needed.contains(leaf)) {
                    needed.extend(support);
                    chosen.insert(i);
                    grown = true;
                }
            }
        }
        let before = chosen.into_iter().map(|i| self.before[i]).collect();
        Self { all: self.all, conjuncts, definitions, before, after: self.after }
    }
}

impl Question {
    /// Leaves out predicates before that neither concern the targets nor relate the caller's
    /// predicates to the callee's.
    fn meet(mut self, terms: &Terms) -> Self {
        // A component of literals that share variables: its members before, its leaves, and whether
        // it contains literals of the caller, of the callee, and targets.
        struct Part {
            members: Vec<usize>,
            leaves: Vec<Term>,
            sides: [bool; 3],
        }
        let mut parts: Vec<Part> = vec![];
        let before = self.before.iter().enumerate().map(|(i, &(v, t))| {
            let sides = [!v.is_left(), v.is_left(), false];
            Part { members: vec![i], leaves: terms.support(t), sides }
        });
        let after = self.after.iter().map(|&(_, t)| {
            let sides = [false, false, true];
            Part { members: vec![], leaves: terms.support(t), sides }
        });
        for mut new in before.chain(after) {
            parts.retain_mut(|part| {
                let apart = part.leaves.iter().all(|l| !new.leaves.contains(l));
                if !apart {
                    new.members.append(&mut part.members);
                    new.leaves.append(&mut part.leaves);
                    new.sides = [0, 1, 2].map(|i| new.sides[i] || part.sides[i]);
                }
                apart
            });
            parts.push(new);
        }
        let kept = parts.into_iter().filter(|p| p.sides[2] || p.sides[0] && p.sides[1]);
        let members: BTreeSet<usize> = kept.flat_map(|p| p.members).collect();
        self.before = members.into_iter().map(|i| self.before[i]).collect();
        self
    }
}

/// A function with its tracked predicates.
pub(super) struct Scope<'a> {
    pub terms: &'a mut Terms,
    pub predicates: &'a Predicates,
    pub interfaces: &'a [Interface],
    pub function: usize,
}

impl Scope<'_> {
    fn variables(&self) -> Vec<(Variable, Term)> {
        let locals = self.predicates.locals[self.function].iter().enumerate();
        let globals = self.predicates.globals.iter().enumerate();
        locals
            .map(|(i, &t)| (Variable::Local(i), t))
            .chain(globals.map(|(i, &t)| (Variable::Global(i), t)))
            .collect()
    }

    /// A formula over variables with these values substituted, and instance 0 for the other
    /// variables.
    fn read(&mut self, formula: Term, values: &FxHashMap<Symbol, Term>) -> Term {
        self.terms.substitute(formula, |terms, leaf| match *terms.node(leaf) {
            Node::Variable(s) => {
                Some(values.get(&s).copied().unwrap_or_else(|| terms.instance(s, 0)))
            }
            _ => None,
        })
    }

    pub fn start(&mut self, skeleton: &Skeleton) -> Question {
        let f = self.function;
        // At the entry, old values equal the current values.
        let same: FxHashMap<Symbol, Term> = skeleton
            .olds(f)
            .into_iter()
            .map(|(old, of)| (old, self.terms.instance(of, 0)))
            .collect();
        let (mut before, mut after) = (vec![], vec![]);
        for (variable, predicate) in self.variables() {
            let term = self.read(predicate, &same);
            let unknown = match variable {
                Variable::Local(i) => self.interfaces[f].initial[i] == Initial::Unknown,
                _ => false,
            };
            if self.terms.value(term).is_some() {
                continue;
            }
            if unknown {
                after.push((variable, term));
            } else {
                before.push((variable, term));
            }
        }
        let is_main = f == skeleton.program.main;
        if is_main {
            // No caller has established consistent values.
            after.append(&mut before);
        }
        let question =
            Question { all: Rc::new([]), conjuncts: vec![], definitions: vec![], before, after };
        if is_main { question } else { question.focus(self.terms) }
    }

    pub fn block(
        &mut self,
        skeleton: &Skeleton,
        relation: &Relation,
        target: Location,
        is_goal: bool,
    ) -> Question {
        let nothing = FxHashMap::default();
        let post: FxHashMap<Symbol, Term> = relation.post.iter().copied().collect();
        let (mut before, mut after) = (vec![], vec![]);
        for (variable, predicate) in self.variables() {
            before.push((variable, self.read(predicate, &nothing)));
            let changes = symbols(self.terms, predicate).any(|s| post.contains_key(&s));
            if changes && !is_goal {
                after.push((variable, self.read(predicate, &post)));
            }
        }
        let procedure = &skeleton.procedures[self.function];
        if let Some(number) = procedure.call_at(target) {
            let call = &procedure.calls[number];
            let arguments = self.arguments(skeleton, number, &post);
            for (j, &formal) in self.interfaces[call.callee].formals.clone().iter().enumerate() {
                let term = self.read(formal, &arguments);
                after.push((Variable::Argument(number, j), term));
            }
            for k in self.saved(skeleton, number) {
                let term = self.read(self.predicates.globals[k], &post);
                after.push((Variable::Saved(number, k), term));
            }
        }
        let (conjuncts, definitions) = (relation.conjuncts.clone(), relation.definitions.clone());
        let all = relation.conjuncts.clone().into();
        Question { all, conjuncts, definitions, before, after }.focus(self.terms)
    }

    /// The values of formals and globals when the callee is entered.
    fn arguments(
        &mut self,
        skeleton: &Skeleton,
        call: usize,
        state: &FxHashMap<Symbol, Term>,
    ) -> FxHashMap<Symbol, Term> {
        let call = &skeleton.procedures[self.function].calls[call];
        let mut values: FxHashMap<Symbol, Term> =
            state.iter().filter(|(s, _)| skeleton.is_global(**s)).map(|(&s, &t)| (s, t)).collect();
        for (&formal, &argument) in skeleton.formals(call.callee).iter().zip(&call.arguments) {
            let argument = self.read(argument, state);
            values.insert(formal, argument);
        }
        values
    }

    pub fn returned(&mut self, skeleton: &Skeleton, number: usize) -> Question {
        let f = self.function;
        let call = skeleton.procedures[f].calls[number].clone();
        let nothing = FxHashMap::default();
        let given = self.arguments(skeleton, number, &nothing);
        // The state that the callee leaves.
        let mut left: FxHashMap<Symbol, Term> = FxHashMap::default();
        for &global in skeleton.effects(call.callee) {
            left.insert(global, self.terms.instance(global, 1));
        }
        let result = skeleton.program.functions[call.callee].result;
        let returned = result.map(|s| self.terms.instance(s, 2));
        // The same state as the caller sees it.
        let mut seen = left.clone();
        if let (Some(to), Some(value)) = (call.result, returned) {
            seen.insert(to, value);
        }
        // The same state as the callee's predicates see it.
        let mut view: FxHashMap<Symbol, Term> = left.clone();
        for &formal in skeleton.formals(call.callee) {
            view.extend(given.get(&formal).map(|&t| (formal, t)));
        }
        for (old, of) in skeleton.olds(call.callee) {
            let value = given.get(&of).copied();
            let value = value.unwrap_or_else(|| self.terms.instance(of, 0));
            view.insert(old, value);
        }
        if let (Some(from), Some(value)) = (result, returned) {
            view.insert(from, value);
        }
        let (mut before, mut after) = (vec![], vec![]);
        for (variable, predicate) in self.variables() {
            let changes = symbols(self.terms, predicate).any(|s| seen.contains_key(&s));
            if changes {
                let now = self.read(predicate, &seen);
                match variable {
                    // The callee has already set those that depend on globals alone; the result is
                    // still to be assigned.
                    Variable::Global(_) if !self.reads_result(predicate, call.result) => {
                        before.push((variable, now));
                        continue;
                    }
                    _ => after.push((variable, now)),
                }
            }
            let state = if matches!(variable, Variable::Global(_)) { &left } else { &nothing };
            before.push((variable, self.read(predicate, state)));
        }
        for (j, &formal) in self.interfaces[call.callee].formals.clone().iter().enumerate() {
            let term = self.read(formal, &given);
            before.push((Variable::Argument(number, j), term));
        }
        for k in self.saved(skeleton, number) {
            let term = self.read(self.predicates.globals[k], &nothing);
            before.push((Variable::Saved(number, k), term));
        }
        for (r, &i) in self.interfaces[call.callee].returns.clone().iter().enumerate() {
            let predicate = self.predicates.locals[call.callee][i];
            let term = self.read(predicate, &view);
            before.push((Variable::Returned(number, r), term));
        }
        let all = Rc::new([]);
        Question { all, conjuncts: vec![], definitions: vec![], before, after }.meet(self.terms)
    }

    /// The global predicates that the caller has to save, since the callee's returned predicates
    /// may refer to their values before the call.
    fn saved(&self, skeleton: &Skeleton, call: usize) -> Vec<usize> {
        saved(self.terms, skeleton, self.predicates, self.interfaces, (self.function, call))
    }

    fn reads_result(&self, predicate: Term, result: Option<Symbol>) -> bool {
        symbols(self.terms, predicate).any(|s| Some(s) == result)
    }
}

/// The numbers of the global predicates to save for a function's call.
pub(in crate::model) fn saved(
    terms: &Terms,
    skeleton: &Skeleton,
    predicates: &Predicates,
    interfaces: &[Interface],
    (function, call): (usize, usize),
) -> Vec<usize> {
    let callee = skeleton.procedures[function].calls[call].callee;
    let returned = interfaces[callee].returns.iter().map(|&i| predicates.locals[callee][i]);
    let olds: FxHashSet<Symbol> = returned
        .flat_map(|p| symbols(terms, p))
        .filter_map(|s| skeleton.new_of(s))
        .filter(|&s| skeleton.is_global(s))
        .collect();
    let matters = |&p: &Term| symbols(terms, p).any(|s| olds.contains(&s));
    let all = predicates.globals.iter().enumerate();
    all.filter(|(_, p)| matters(p)).map(|(k, _)| k).collect()
}
