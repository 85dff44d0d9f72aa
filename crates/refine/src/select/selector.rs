//! Refinement by selection: which candidates, tracked at which locations, make a path infeasible?
//!
//! The path is cut between its blocks.  Each block has its own copies of the variables, and blocks
//! are joined only by predicates: p has the same value after a block as before the next one.  If
//! the result is unsatisfiable, so is the path's Boolean abstraction with these predicates (Sect.
//! II-B of "Software Model Checking via Large-Block Encoding": SP^π is the strongest combination),
//! and the core tells which of them are needed.  One guard represents a predicate at a location,
//! for all occurrences of the location on the path, so a loop that is passed ten times needs no
//! more predicates than one passed twice.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::candidates::{Candidates, relations};
use super::view::{Selection, View};
use crate::affine::Affine;
use crate::block::problem::Problem;
use crate::limits;
use crate::predicate::effort::AbstractionError;
use hardbop_base::budget::Budget;
use hardbop_cfa::Location;
use hardbop_smt::{
    Node, SmtAnswer, SmtError, SmtSolver, Solvers, Sort, Symbol, Term, Terms, Unknown, Value,
};

/// The sources of predicates, the same for all paths.
#[derive(Debug)]
pub struct Selector {
    candidates: Candidates,
    /// Affine relations by location; computed when they are first asked for.
    affine: Option<Affine>,
    solvers: Solvers,
    limits: limits::Limits,
}

/// An infeasible abstract path.
#[derive(Debug, Clone, Copy)]
pub struct AbstractPath<'a> {
    pub blocks: &'a [usize],
    /// The state after each block except the last, over program variables.  Refinement only
    /// strengthens the states of a tree, so they can be relied upon.
    pub states: &'a [Term],
}

/// A block of the path with its own copies of the variables.
struct Segment {
    /// The offset of the numbers of its instances.
    base: u32,
    conjuncts: Vec<Term>,
    post: FxHashMap<Symbol, Term>,
}

impl Segment {
    /// A formula over program variables, read before the block.
    fn before(&self, terms: &mut Terms, formula: Term) -> Term {
        terms.substitute(formula, |terms, leaf| {
            let &Node::Variable(s) = terms.node(leaf) else { return None };
            Some(terms.instance(s, self.base))
        })
    }

    /// A formula over program variables, read after the block.
    fn after(&self, terms: &mut Terms, formula: Term) -> Term {
        terms.substitute(formula, |terms, leaf| {
            let &Node::Variable(s) = terms.node(leaf) else { return None };
            let changed = self.post.get(&s).copied();
            Some(changed.unwrap_or_else(|| terms.instance(s, self.base)))
        })
    }
}

/// Things to choose from: the guard of each, with its place and subject.
type Choices<T> = IndexMap<Term, (Option<u32>, T), FxBuildHasher>;

impl Selector {
    /// A selector for these candidates.
    pub fn new(candidates: Candidates, solvers: Solvers, limits: limits::Limits) -> Self {
        Self { candidates, affine: None, solvers, limits }
    }

    /// Predicates that refute the path with those already tracked.  `None` if no candidates do.
    ///
    /// # Errors
    /// If the budget runs out or the solver fails.
    pub fn select(
        &mut self,
        terms: &mut Terms,
        problem: &mut Problem,
        view: &dyn View,
        AbstractPath { blocks, states }: AbstractPath,
        budget: &Budget,
    ) -> Result<Option<Selection>, AbstractionError> {
        let segments = segments(terms, problem, blocks);
        // The number of tracked predicates that mention one variable only, by place and variable.
        let mut tracked: FxHashMap<(Option<u32>, Symbol), usize> = FxHashMap::default();
        let cuts = segments.len().saturating_sub(1);
        let places: Vec<Option<u32>> = (0..cuts).map(|i| view.place(i)).collect();
        let mut known: IndexMap<Option<u32>, usize, FxBuildHasher> = IndexMap::default();
        for (i, &place) in places.iter().enumerate() {
            known.entry(place).or_insert(i);
        }
        for (place, cut) in known {
            for p in view.tracked(cut) {
                if let Some(s) = only(terms, p) {
                    *tracked.entry((place, s)).or_default() += 1;
                }
            }
        }
        let locations = match view.is_of_program() {
            true => {
                let limits = self.limits.affine;
                self.affine.get_or_insert_with(|| Affine::new(terms, problem, limits));
                blocks[..cuts].iter().map(|&b| Some(problem.target(b))).collect()
            }
            false => vec![None; cuts],
        };
        let mut path = Cut {
            selector: self,
            locations,
            solver: self.solvers.solver()?,
            view,
            places,
            segments,
            guards: 0,
            facts: vec![],
            guarded: FxHashMap::default(),
            budget,
        };
        path.assert(terms, states)?;
        for i in 0..path.joints() {
            for p in view.tracked(i) {
                for joined in path.join(terms, i, p) {
                    path.facts.push(joined);
                    path.solver.assert(terms, joined)?;
                }
            }
        }
        // Finds the variables whose values matter, which is easy and leaves few candidates.
        let variables = path.variables(terms)?;
        let Some(needed) = path.core(terms, &variables, |_| false)? else { return Ok(None) };
        let needed: IndexSet<(Option<u32>, Symbol), FxBuildHasher> =
            needed.iter().map(|g| variables[g]).collect();
        let is_needed = |place, s| needed.contains(&(place, s));
        let states = self.limits.selection.states;
        let is_state = |terms: &Terms, (place, p): (Option<u32>, Term)| {
            only(terms, p).is_some_and(|s| tracked.get(&(place, s)).is_some_and(|&n| n >= states))
        };
        let mut found = None;
        let mut some = path.affine(terms, is_needed)?;
        if !some.is_empty() {
            // Relations and bounds hold in all rounds of a loop, equations with constants in one.
            let mut few = some.clone();
            few.extend(path.candidates(terms, is_needed, is_bound)?);
            let core = path.core(terms, &few, |g| is_state(terms, few[&g]))?;
            found = core.map(|core| (core, few));
        }
        if found.is_none() {
            some.extend(path.candidates(terms, is_needed, |_, _| true)?);
            let core = path.core(terms, &some, |g| is_state(terms, some[&g]))?;
            found = core.map(|core| (core, some));
        }
        if found.is_none() {
            let mut all = path.affine(terms, |_, _| true)?;
            all.extend(path.candidates(terms, |_, _| true, |_, _| true)?);
            let mut core = path.core(terms, &all, |g| is_state(terms, all[&g]))?;
            if core.is_none() {
                path.relations(terms, &mut all, is_needed)?;
                core = path.core(terms, &all, |g| is_state(terms, all[&g]))?;
            }
            found = core.map(|core| (core, all));
        }
        Ok(found.map(|(core, from)| core.iter().map(|g| from[g]).collect()))
    }
}

/// The blocks with their own instances.
fn segments(terms: &mut Terms, problem: &mut Problem, blocks: &[usize]) -> Vec<Segment> {
    let mut base = 0;
    let mut segments = vec![];
    for &block in blocks {
        let relation = problem.relation(terms, block).clone();
        let mut most = 0;
        let mut shift = |terms: &mut Terms, t: Term| {
            terms.substitute(t, |terms, leaf| match *terms.node(leaf) {
                Node::Instance(s, k) => {
                    most = most.max(k);
                    Some(terms.instance(s, base + k))
                }
                _ => None,
            })
        };
        let conjuncts = relation.conjuncts.iter().map(|&c| shift(terms, c)).collect();
        let post = relation.post.iter().map(|&(s, t)| (s, shift(terms, t))).collect();
        segments.push(Segment { base, conjuncts, post });
        base += most + 1;
    }
    segments
}

/// A path cut between its blocks.
struct Cut<'a> {
    selector: &'a Selector,
    solver: Box<dyn SmtSolver>,
    view: &'a dyn View,
    places: Vec<Option<u32>>,
    /// The locations of the cuts, if affine relations are known there.
    locations: Vec<Option<Location>>,
    segments: Vec<Segment>,
    /// The number of guards so far.
    guards: u32,
    /// The formulas asserted unconditionally, and those under each guard.
    facts: Vec<Term>,
    guarded: FxHashMap<Term, Vec<Term>>,
    budget: &'a Budget,
}

impl Cut<'_> {
    /// Asserts the blocks, and what is known between them.
    fn assert(&mut self, terms: &mut Terms, states: &[Term]) -> Result<(), SmtError> {
        let conjuncts = self.segments.iter().flat_map(|s| &s.conjuncts);
        self.facts.extend(conjuncts);
        for (i, &state) in states.iter().enumerate() {
            self.facts.push(self.segments[i].after(terms, state));
            self.facts.push(self.segments[i + 1].before(terms, state));
        }
        for (from, to, symbols) in self.view.kept() {
            for symbol in symbols {
                let variable = terms.variable(symbol);
                let left = self.segments[from].after(terms, variable);
                let right = self.segments[to].before(terms, variable);
                self.facts.push(terms.equal(left, right));
            }
        }
        self.facts.iter().try_for_each(|&f| self.solver.assert(terms, f))
    }

    /// A solver that knows only these guards: formulas under others would slow it down.
    fn reduced(&self, terms: &Terms, guards: &[Term]) -> Result<Box<dyn SmtSolver>, SmtError> {
        let mut solver = self.selector.solvers.solver()?;
        let guarded = guards.iter().flat_map(|g| self.guarded.get(g).into_iter().flatten());
        for &f in self.facts.iter().chain(guarded) {
            solver.assert(terms, f)?;
        }
        Ok(solver)
    }

    /// The number of cuts.
    fn joints(&self) -> usize {
        self.segments.len().saturating_sub(1)
    }

    /// Equations that give a predicate of the program the same value on both sides of a cut, and on
    /// both sides of the preceding cut if it is foreseen there.
    fn join(&self, terms: &mut Terms, i: usize, predicate: Term) -> Vec<Term> {
        let Some(local) = self.view.local(terms, i, predicate) else { return vec![] };
        let mut all = vec![self.joined(terms, i, local)];
        if let Some(before) = i.checked_sub(1)
            && let Some(foreseen) = self.view.foreseen(terms, before, local)
        {
            all.push(self.joined(terms, before, foreseen));
        }
        all
    }

    /// Equates a predicate of the path after block i with itself before the next block.
    fn joined(&self, terms: &mut Terms, i: usize, predicate: Term) -> Term {
        let (before, after) = (&self.segments[i], &self.segments[i + 1]);
        let (left, right) = (before.after(terms, predicate), after.before(terms, predicate));
        terms.equal(left, right)
    }

    /// A new guard; guards have the same numbers in every refinement.
    fn guard(&mut self, terms: &mut Terms) -> Term {
        let symbol = terms.own_symbol(&format!("select.{}", self.guards), Sort::Bool);
        self.guards += 1;
        terms.variable(symbol)
    }

    /// Joins, at each cut, the terms that `choose` returns, under one guard per subject and place.
    fn offer<T: Copy + Eq + std::hash::Hash>(
        &mut self,
        terms: &mut Terms,
        mut choose: impl FnMut(&mut Terms, usize) -> Vec<(T, Term)>,
    ) -> Result<Choices<T>, SmtError> {
        let mut guards: IndexMap<(Option<u32>, T), Term, FxBuildHasher> = IndexMap::default();
        for i in 0..self.joints() {
            for (what, joined) in choose(terms, i) {
                let key = (self.places[i], what);
                let guard = match guards.get(&key) {
                    Some(&guard) => guard,
                    None => {
                        let guard = self.guard(terms);
                        guards.insert(key, guard);
                        guard
                    }
                };
                for joined in self.join(terms, i, joined) {
                    let clause = terms.implies(guard, joined);
                    self.guarded.entry(guard).or_default().push(clause);
                    self.solver.assert(terms, clause)?;
                }
            }
        }
        Ok(guards.into_iter().map(|(key, guard)| (guard, key)).collect())
    }

    /// Offers the values of all live variables.
    fn variables(&mut self, terms: &mut Terms) -> Result<Choices<Symbol>, SmtError> {
        let view = self.view;
        self.offer(terms, |terms, i| {
            let live = view.live(i).into_iter().map(|s| view.original(s));
            live.map(|s| (s, terms.variable(s))).collect()
        })
    }

    /// Offers candidates of this kind that mention a wanted variable, and only live ones.
    fn candidates(
        &mut self,
        terms: &mut Terms,
        wanted: impl Fn(Option<u32>, Symbol) -> bool,
        is_kind: impl Fn(&Terms, Term) -> bool,
    ) -> Result<Choices<Term>, SmtError> {
        let (selector, view, places) = (self.selector, self.view, self.places.clone());
        let mut known: FxHashMap<Symbol, Vec<Term>> = FxHashMap::default();
        self.offer(terms, |terms, i| {
            let mut found: IndexSet<Term, FxBuildHasher> = IndexSet::default();
            let live: IndexSet<Symbol, FxBuildHasher> =
                view.live(i).into_iter().map(|s| view.original(s)).collect();
            for &s in &live {
                if !wanted(places[i], s) {
                    continue;
                }
                let all = known.entry(s).or_insert_with(|| {
                    selector.candidates.of(terms, s, selector.limits.selection.constants)
                });
                let all = all.iter().copied().filter(|&p| is_kind(terms, p));
                found.extend(all.filter(|&p| {
                    terms.support(p).into_iter().all(|leaf| match *terms.node(leaf) {
                        Node::Variable(s) => live.contains(&s),
                        _ => false,
                    })
                }));
            }
            found.into_iter().map(|p| (p, p)).collect()
        })
    }

    /// Offers affine relations that mention a wanted variable, and only live ones.
    fn affine(
        &mut self,
        terms: &mut Terms,
        wanted: impl Fn(Option<u32>, Symbol) -> bool,
    ) -> Result<Choices<Term>, SmtError> {
        let (selector, view, places) = (self.selector, self.view, self.places.clone());
        let locations = self.locations.clone();
        let mut known: FxHashMap<Location, Vec<Term>> = FxHashMap::default();
        self.offer(terms, |terms, i| {
            let (Some(affine), Some(location)) = (&selector.affine, locations[i]) else {
                return vec![];
            };
            let all = known.entry(location).or_insert_with(|| {
                let mut found = affine.relations(terms, location, &view.live(i));
                found.retain(|&p| {
                    terms.support(p).into_iter().any(|leaf| match *terms.node(leaf) {
                        Node::Variable(s) => wanted(places[i], s),
                        _ => false,
                    })
                });
                found
            });
            all.iter().map(|&p| (p, p)).collect()
        })
    }

    /// Offers relations between a few live variables, wanted ones first, until the path is refuted
    /// or none of them distinguishes the two sides of a cut: all at once would be a heavy burden
    /// for the solver.
    fn relations(
        &mut self,
        terms: &mut Terms,
        choices: &mut Choices<Term>,
        wanted: impl Fn(Option<u32>, Symbol) -> bool,
    ) -> Result<(), AbstractionError> {
        let limits = self.selector.limits.selection;
        let mut open: Vec<Vec<(Term, Vec<Term>)>> = vec![];
        for i in 0..self.joints() {
            let live = self.view.live(i).into_iter();
            let mut symbols: Vec<Symbol> = live.map(|s| self.view.original(s)).collect();
            symbols.sort_by_key(|&s| !wanted(self.places[i], s));
            symbols.truncate(limits.related);
            let all = relations(terms, &symbols);
            open.push(all.into_iter().map(|p| (p, self.join(terms, i, p))).collect());
        }
        let joined = open.iter().flatten().flat_map(|(_, joined)| joined);
        let leaves: IndexSet<Term, FxBuildHasher> =
            joined.flat_map(|&j| terms.support(j)).collect();
        let leaves: Vec<Term> = leaves.into_iter().collect();
        self.solver.limit_conflicts(Some(limits.conflicts));
        loop {
            let guards: Vec<Term> = choices.keys().copied().collect();
            match self.solver.check(terms, &guards, self.budget)? {
                SmtAnswer::Sat => {}
                SmtAnswer::Unknown(Unknown::Exhausted(e)) => {
                    return Err(AbstractionError::Unknown(e.into()));
                }
                SmtAnswer::Unsat | SmtAnswer::Unknown(_) => return Ok(()),
            }
            let values = self.solver.values(terms, &leaves)?;
            let values: FxHashMap<Term, Value> = leaves.iter().copied().zip(values).collect();
            let is_violated = |joined: &Vec<Term>| {
                let value = |&j: &Term| terms.evaluate(j, &|leaf| values.get(&leaf).copied());
                joined.iter().any(|j| value(j) == Some(Value::Bool(false)))
            };
            let mut violated: IndexSet<(Option<u32>, Term), FxBuildHasher> = IndexSet::default();
            for (open, &place) in open.iter().zip(&self.places) {
                let new = open.iter().filter(|(_, joined)| is_violated(joined));
                violated.extend(new.take(limits.relations).map(|&(p, _)| (place, p)));
            }
            if violated.is_empty() {
                return Ok(());
            }
            let offered = |place, open: &[(Term, Vec<Term>)]| -> Vec<(Term, Term)> {
                let those = open.iter().map(|&(p, _)| (p, p));
                those.filter(|&(p, _)| violated.contains(&(place, p))).collect()
            };
            let places = self.places.clone();
            choices.extend(self.offer(terms, |_, i| offered(places[i], &open[i]))?);
            for (open, place) in open.iter_mut().zip(places) {
                open.retain(|&(p, _)| !violated.contains(&(place, p)));
            }
        }
    }

    /// A small set of guards that suffices to refute the path; it includes all guards of the first
    /// core that satisfy `stays`.  `None` if even all guards do not suffice.
    fn core<T>(
        &mut self,
        terms: &Terms,
        choices: &Choices<T>,
        stays: impl Fn(Term) -> bool,
    ) -> Result<Option<Vec<Term>>, AbstractionError> {
        let all: Vec<Term> = choices.keys().copied().collect();
        let limits = self.selector.limits.selection;
        self.solver.limit_conflicts(Some(limits.conflicts));
        let mut core = match self.solver.check(terms, &all, self.budget)? {
            SmtAnswer::Unsat => self.solver.core()?,
            SmtAnswer::Sat | SmtAnswer::Unknown(Unknown::Incomplete(_)) => return Ok(None),
            SmtAnswer::Unknown(reason) => return Err(reason.into()),
        };
        let mut other = match choices.len() >= limits.many_candidates {
            true => Some(self.reduced(terms, &core)?),
            false => None,
        };
        let solver = other.as_mut().unwrap_or(&mut self.solver);
        solver.limit_conflicts(Some(limits.few_conflicts));
        let kept: Vec<Term> = core.iter().copied().filter(|&g| stays(g)).collect();
        core.retain(|&g| !stays(g));
        let mut left = limits.reductions;
        let mut i = 0;
        while i < core.len() && left > 0 {
            left -= 1;
            let mut fewer = core.clone();
            // Tries to drop later choices first, since they are more specific.
            let at = core.len() - 1 - i;
            fewer.remove(at);
            fewer.extend(&kept);
            match solver.check(terms, &fewer, self.budget)? {
                SmtAnswer::Unsat => {
                    let mut next = solver.core()?;
                    next.retain(|&g| !stays(g));
                    // Those that could not be dropped before are still needed.
                    i = core[at + 1..].iter().filter(|g| next.contains(g)).count();
                    core = next;
                }
                SmtAnswer::Unknown(Unknown::Exhausted(e)) => {
                    return Err(AbstractionError::Unknown(e.into()));
                }
                _ => i += 1,
            }
        }
        core.extend(kept);
        Ok(Some(core))
    }
}

/// Whether a predicate is an inequality.
fn is_bound(terms: &Terms, predicate: Term) -> bool {
    matches!(terms.node(predicate), Node::Compare(..))
}

/// The variable that a predicate mentions, if it mentions only one.
fn only(terms: &Terms, predicate: Term) -> Option<Symbol> {
    match terms.support(predicate)[..] {
        [leaf] => match *terms.node(leaf) {
            Node::Variable(s) => Some(s),
            _ => None,
        },
        _ => None,
    }
}
