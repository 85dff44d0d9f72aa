//! Interval analysis (Cousot, Cousot: "Abstract Interpretation: A Unified Lattice Model", POPL 1977): one state for each location,
//! the join of all that lead there, widened where loops begin, and narrowed again.
//!
//! Its time hardly depends on how often loops go round, nor on how many paths there are, and it needs no solver.  What
//! needs a disjunction, or a relation other than a known difference, is beyond it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::formula;
use super::loops::Loops;
use super::machine::code::{Action, Instruction, Register, Variable};
use super::machine::interval::Interval;
use super::machine::narrow::Machine;
use super::machine::state::{Cell, State, add, width_of};
use super::pass::Passage;
use super::store::{Row, cells, nothing};
use super::thresholds::Thresholds;
use crate::block::problem::Problem;
use crate::limits;
use crate::proof::invariant::{Invariant, PartialInvariant};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_cfa::summarise::postorder;
use hardbop_cfa::{Automaton, Location};
use hardbop_smt::{Sort, Symbol, Terms};

/// Visits of the beginning of a loop after which its state is widened to thresholds, and after which to all values.
const VISITS: [u32; 2] = [2, 6];
/// Terms that are looked into for a condition.
const LOOKED: u32 = 200;
/// States at one location in a block before they are joined.
const WAYS: usize = 8;
/// States that differ in what is zero, and are not joined.
const GROUPS: usize = 32;
/// Values on the way that are known.
const KNOWN: usize = 8;
/// Values of variables that are copied, which takes a second or less.
const CELLS: u64 = 100_000_000;
/// Rounds in which states are joined with what follows them, as long as that is more, and then narrowed to it.
const ROUNDS: usize = 4;

/// The states at locations where blocks end.
type States = BTreeMap<Location, Row>;

/// The analysis at work.
struct Analysis<'a> {
    automaton: &'a Automaton,
    passage: Passage,
    /// The place of each location in an order in which most edges lead on.
    order: Vec<u32>,
    /// Classes of variables with at most so many constants are also widened to those.
    constants: usize,
    states: States,
    /// The edges into goals that states have passed.
    open: BTreeSet<u32>,
}

/// A state on its way.
struct Way {
    state: State,
    /// The values that variables were given on the way, of variables that have not changed since (Miné: "Symbolic Methods to
    /// Enhance the Precision of Numerical Abstract Domains", VMCAI 2006).
    known: Vec<(Variable, Register)>,
}

/// The intervals of variables at the locations between blocks; `None` if the automaton is none for that (as for exploration), or if
/// it takes more steps than `limits` say.
///
/// # Errors
/// If the budget runs out.
pub fn interval_analysis(
    terms: &mut Terms,
    problem: &Problem,
    limits: limits::Values,
    budget: &Budget,
) -> Result<Option<PartialInvariant>, Exhausted> {
    let automaton = &*problem.automaton;
    let Some(mut passage) = Passage::new(terms, automaton, &problem.summary, 1) else {
        return Ok(None);
    };
    let variables = passage.code().variables.len().max(1) as u64;
    passage.most = limits.steps.min(CELLS / variables);
    passage.machine.most = LOOKED;
    let outgoing = automaton.outgoing();
    let next =
        |l: Location| outgoing[l.index()].iter().map(|&e| automaton.edges[e as usize].target);
    let mut order = vec![u32::MAX; automaton.locations as usize];
    for (place, l) in (0..).zip(postorder(automaton.entry, next).iter().rev()) {
        order[l.index()] = place;
    }
    let constants = limits.constants;
    let (states, open) = (States::new(), BTreeSet::new());
    let mut analysis = Analysis { automaton, passage, order, constants, states, open };
    if analysis.ascend(terms, budget)?.is_none() {
        return Ok(None);
    }
    let mut kept: Option<(States, BTreeSet<u32>)> = None;
    for _ in 0..ROUNDS {
        budget.check()?;
        analysis.open.clear();
        let Some(after) = analysis.after_all(terms) else { break };
        if !after.iter().all(|(&at, row)| analysis.holds(at, row)) {
            if kept.is_some() {
                break;
            }
            // States that meet are joined where they are many, so that less may lead to more.
            analysis.join(&after);
            continue;
        }
        let is_last = analysis.open.is_empty() || after == analysis.states;
        let states = std::mem::replace(&mut analysis.states, after);
        kept = Some((states, std::mem::take(&mut analysis.open)));
        if is_last {
            break;
        }
    }
    let Some((states, open)) = kept else { return Ok(None) };
    analysis.states = states;
    let invariant = analysis.invariant(terms, problem);
    Ok(Some(PartialInvariant { invariant, open }))
}

impl Analysis<'_> {
    /// Finds states that all edges preserve; `None`: it takes too many steps.
    fn ascend(&mut self, terms: &Terms, budget: &Budget) -> Result<Option<()>, Exhausted> {
        let thresholds = Thresholds::new(self.passage.code(), self.constants);
        let mut visits: FxHashMap<Location, u32> = FxHashMap::default();
        let loops = Loops::new(self.automaton, &self.order);
        let mut written: FxHashMap<Location, BTreeSet<Variable>> = FxHashMap::default();
        let entry = self.automaton.entry;
        let first = self.passage.pack(entry, &nothing(self.passage.code()));
        self.states.insert(entry, first);
        let mut open = BTreeSet::from([(self.order[entry.index()], entry)]);
        while let Some((place, from)) = open.pop_first() {
            budget.check()?;
            let row = self.states[&from].clone();
            let Some(after) = self.after(terms, from, &row) else { return Ok(None) };
            for (at, new) in after {
                let mut state = new;
                if let Some(old) = self.states.get(&at) {
                    let before = self.passage.unpack(at, old);
                    state = self.joined(at, &before, &state);
                    if self.passage.pack(at, &state) == *old {
                        continue;
                    }
                    // An edge that leads back.
                    if place >= self.order[at.index()] {
                        let count = visits.entry(at).or_default();
                        *count += 1;
                        if *count > VISITS[0] {
                            let to = (*count <= VISITS[1]).then_some(&thresholds);
                            let written = written
                                .entry(at)
                                .or_insert_with(|| loops.written(at, &self.passage.graph));
                            self.widen((at, written), &before, &mut state, to);
                        }
                    }
                }
                let row = self.passage.pack(at, &state);
                self.states.insert(at, row);
                open.insert((self.order[at.index()], at));
            }
        }
        Ok(Some(()))
    }

    /// The joins of all that the states lead to; `None`: it takes too many steps.
    fn after_all(&mut self, terms: &Terms) -> Option<States> {
        let entry = self.automaton.entry;
        let first = self.passage.pack(entry, &nothing(self.passage.code()));
        let mut found: BTreeMap<Location, State> = BTreeMap::new();
        found.insert(entry, self.passage.unpack(entry, &first));
        for (from, row) in self.states.clone() {
            for (at, new) in self.after(terms, from, &row)? {
                let joined = match found.get(&at) {
                    Some(old) => self.joined(at, old, &new),
                    None => new,
                };
                // Equal states are equal rows then, and what is dead is forgotten.
                let row = self.passage.pack(at, &joined);
                found.insert(at, self.passage.unpack(at, &row));
            }
        }
        Some(found.into_iter().map(|(l, state)| (l, self.passage.pack(l, &state))).collect())
    }

    /// The states at the ends of blocks that follow one, but for goals: edges into these are [noted](Self::open).  `None`: it takes
    /// too many steps.  In blocks, states that meet stay apart as long as they are few.
    fn after(
        &mut self,
        terms: &Terms,
        from: Location,
        row: &Row,
    ) -> Option<Vec<(Location, State)>> {
        let state = self.passage.unpack(from, row);
        self.passage.resume(&state);
        let graph = self.passage.graph.clone();
        let mut found = vec![];
        let mut open = BTreeMap::from([((0, from), vec![Way { state, known: vec![] }])]);
        while let Some(((_, at), mut ways)) = open.pop_first() {
            if self.passage.steps > self.passage.most {
                return None;
            }
            if ways.len() > WAYS {
                ways = self.fewer(at, ways);
            }
            for (&edge, way) in
                graph.outgoing[at.index()].iter().flat_map(|e| ways.iter().map(move |w| (e, w)))
            {
                let to = graph.targets[edge as usize];
                let (states, known) = self.parts(terms, edge, way);
                // Goals have no outgoing edges.
                if graph.outgoing[to.index()].is_empty() && self.automaton.goal(to).is_some() {
                    if !states.is_empty() {
                        self.open.insert(edge);
                    }
                    continue;
                }
                for state in states {
                    match graph.is_cut(to) {
                        true => found.push((to, state)),
                        false => {
                            let there = open.entry((1 + self.order[to.index()], to)).or_default();
                            there.push(Way { state, known: known.clone() });
                        }
                    }
                }
            }
        }
        Some(found)
    }

    /// States that meet, joined where the same variables are zero in them, or may be: null pointers, flags and results that say
    /// that something has failed decide what follows.  All as one, if that leaves too many.
    fn fewer(&mut self, at: Location, ways: Vec<Way>) -> Vec<Way> {
        let mut groups: BTreeMap<Vec<Option<bool>>, Vec<Way>> = BTreeMap::new();
        for way in ways {
            let cells = self.passage.graph.live(at).iter().map(|&v| way.state.get(v).interval);
            groups.entry(cells.map(is_zero).collect()).or_default().push(way);
        }
        let mut groups: Vec<Vec<Way>> = groups.into_values().collect();
        if groups.len() > GROUPS {
            groups = vec![groups.into_iter().flatten().collect()];
        }
        let mut joined = vec![];
        for group in groups {
            let both = |a: Way, b: Way| {
                let known = a.known.into_iter().filter(|known| b.known.contains(known)).collect();
                Way { state: self.joined(at, &a.state, &b.state), known }
            };
            let one = group.into_iter().reduce(both);
            one.iter().for_each(|way| self.passage.avoid(&way.state));
            joined.extend(one);
        }
        joined
    }

    /// The states after an edge, and what is known of variables there.  Where the edge assigns one of two values, the states
    /// of each are apart, so that what is found out of the value later says which of them it was.
    fn parts(
        &mut self,
        terms: &Terms,
        edge: u32,
        way: &Way,
    ) -> (Vec<State>, Vec<(Variable, Register)>) {
        let machine = &mut self.passage.machine;
        let (mut known, action) = (way.known.clone(), machine.code.actions[edge as usize].clone());
        let mut before = vec![way.state.clone()];
        if let Action::Assign(all) = &action
            && let [(_, value)] = all[..]
            && let Instruction::Ite(condition, ..) = machine.code.instructions[value as usize]
            && machine.evaluate(terms, &way.state, condition).only().is_none()
        {
            let truths = [Interval::TRUE, Interval::FALSE].into_iter();
            before = truths
                .flat_map(|t| machine.narrow(terms, way.state.clone(), condition, t, 0))
                .collect();
        }
        let step = |state| self.passage.step(terms, edge, state);
        let mut parts: Vec<State> = before.into_iter().flat_map(step).collect();
        let machine = &mut self.passage.machine;
        let written = &self.passage.graph.writes[edge as usize];
        known.retain(|(v, r)| {
            let reads = machine.code.reads(&[*r]);
            !written.contains(v) && written.iter().all(|w| !reads.contains(w))
        });
        match action {
            Action::Assign(all) => {
                let reads = |machine: &mut Machine, r| machine.code.reads(&[r]);
                let lasts = all.iter().filter(|&&(_, r)| {
                    let reads = reads(machine, r);
                    !reads.is_empty() && written.iter().all(|w| !reads.contains(w))
                });
                known.extend(lasts);
                known.drain(..known.len().saturating_sub(KNOWN));
            }
            Action::Assume(_) => {
                for &(v, r) in known.iter().rev() {
                    let narrowed = |state: State| {
                        let to = state.get(v).interval;
                        machine.narrow(terms, state, r, to, 0)
                    };
                    parts = parts.into_iter().flat_map(narrowed).collect();
                }
            }
            Action::Skip | Action::Havoc(_) => {}
        }
        (parts, known)
    }

    /// The least state that has both: variables keep a known difference that they have in both.
    fn joined(&self, at: Location, a: &State, b: &State) -> State {
        let code = self.passage.code();
        let mut joined = nothing(code);
        let mut next = 2 * code.variables.len() as u32;
        let mut classes: FxHashMap<(u32, u32, i64, u32), (u32, i64)> = FxHashMap::default();
        for &v in self.passage.graph.live(at) {
            let (x, y) = (a.get(v), b.get(v));
            let interval = x.interval.join(y.interval);
            let mut cell = Cell::new(interval, 0);
            if interval.only().is_none() {
                let width = width_of(code.variables[v as usize].1);
                let [left, right] = [x, y].map(value);
                let apart = add(width, right, left.wrapping_neg());
                let key = (x.unknown, y.unknown, apart, width);
                let &mut (unknown, first) = classes.entry(key).or_insert_with(|| {
                    next += 1;
                    (next, left)
                });
                cell.unknown = unknown;
                cell.offset = add(width, left, first.wrapping_neg());
            }
            joined.set(v, cell);
        }
        joined
    }

    /// Whether the state at a location has all of these.
    fn holds(&self, at: Location, these: &Row) -> bool {
        self.states.get(&at).is_some_and(|all| {
            let [a, b] = [all, these].map(|row| self.passage.unpack(at, row));
            self.passage.pack(at, &self.joined(at, &a, &b)) == *all
        })
    }

    /// Joins states with others.
    fn join(&mut self, others: &States) {
        for (&at, row) in others {
            let mut state = self.passage.unpack(at, row);
            if let Some(old) = self.states.get(&at) {
                state = self.joined(at, &self.passage.unpack(at, old), &state);
            }
            self.states.insert(at, self.passage.pack(at, &state));
        }
    }

    /// Widens what has grown since an earlier state of what the loop writes, to thresholds if there are any.  What a loop around
    /// it writes is widened at the beginning of that one.
    fn widen(
        &self,
        (at, written): (Location, &BTreeSet<Variable>),
        old: &State,
        new: &mut State,
        to: Option<&Thresholds>,
    ) {
        let code = self.passage.code();
        for &v in self.passage.graph.live(at).iter().filter(|v| written.contains(v)) {
            let (before, mut cell) = (old.get(v).interval, new.get(v));
            let all = Interval::all(code.variables[v as usize].1);
            let mut interval = cell.interval;
            let far = to.map_or(all, |to| to.widened(v, interval, all, false));
            if interval.low < before.low {
                interval.low = far.low;
            }
            if interval.high > before.high {
                interval.high = far.high;
            }
            cell.interval = interval;
            new.set(v, cell);
        }
    }

    /// The states between blocks as formulas.
    fn invariant(&self, terms: &mut Terms, problem: &Problem) -> Invariant {
        let mut at = vec![];
        for &l in &problem.summary.locations {
            let Some(row) = self.states.get(&l) else { continue };
            let live = self.passage.graph.live(l);
            let all = &self.passage.code().variables;
            let variables: Vec<(Symbol, Sort)> = live.iter().map(|&v| all[v as usize]).collect();
            let cells = cells(&self.passage.intervals, live, row);
            at.push((l, formula::one(terms, &variables, &cells)));
        }
        Invariant { at, rounds: None }
    }
}

/// Whether all numbers of an interval are zero, or none.
fn is_zero(interval: Interval) -> Option<bool> {
    match interval.meet(Interval::FALSE) {
        None => Some(false),
        Some(_) => interval.only().map(|_| true),
    }
}

/// The number that a value differs by from that of its class; the value itself where it is known.
fn value(cell: Cell) -> i64 {
    match cell.interval.only() {
        Some(only) => only,
        None => cell.offset,
    }
}
