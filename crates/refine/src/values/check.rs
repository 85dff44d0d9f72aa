//! The check of a complete exploration, which believes nothing of it.
//!
//! It is claimed that the states at the ends of blocks are all that can be there.  From each of
//! them, the edges of its blocks are passed one by one.  What the exploration says of an edge is a
//! claim as well, {state} edge {states}: it is evaluated by the terms' own rules if the state fixes
//! all that the edge reads, and else decided by a solver, over the variables that the edge reads or
//! that change.  Such claims are small, and few of them differ.  At the end of a block, one of the
//! states there has to hold.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::formula;
use super::hop::{Hop, Hops, Remembered};
use super::machine::bounds;
use super::machine::code::{Action, Code, Variable};
use super::machine::interval::{Interval, bits, signed};
use super::machine::state::{Cell, State, add, width_of};
use super::pass::Passage;
use super::store::{Place, Row};
use hardbop_base::budget::Budget;
use hardbop_cfa::{Automaton, Location};
use hardbop_smt::{Node, SmtAnswer, SmtError, Solvers, Sort, Symbol, Term, Terms, Unknown, Value};

/// The most states within blocks that are remembered, so that they need some dozens of megabytes at
/// most.
const SEEN: usize = 200_000;

/// Why an exploration proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValuesError {
    #[error("the states do not hold at the entry")]
    Initial,
    #[error("the edge from {0} to {1} leads to other states than is claimed")]
    Edge(u32, u32),
    #[error("a state that is not known is reached at {0}")]
    Missing(u32),
    #[error("a goal is reached from {0}")]
    Goal(u32),
    #[error(transparent)]
    Unknown(#[from] Unknown),
    #[error(transparent)]
    Solver(#[from] SmtError),
}

/// A check in progress.
pub struct Check<'a> {
    pub terms: &'a mut Terms,
    pub automaton: &'a Automaton,
    pub passage: &'a mut Passage,
    pub places: &'a FxHashMap<Location, Place>,
    /// Makes a solver for each claim: old ones get slower than new ones.
    pub solvers: &'a Solvers,
    pub budget: &'a Budget,
    /// The values that each edge gives to what it changes, or whether its condition holds, by the
    /// values that it reads.
    pub known: Vec<Known>,
    /// Working space.
    pub values: Vec<Option<i64>>,
    /// Claims that a solver has found to hold.
    pub proved: FxHashSet<Claim>,
    /// States where paths in a block join, from which all is or will be followed.
    pub seen: FxHashSet<(Location, Row)>,
    /// The hops along the edges that are checked.
    pub hops: Hops,
}

/// The results of an edge by the values that it reads, as far as they are known.
pub type Known = FxHashMap<Box<[Option<i64>]>, Rc<[Fixed]>>;

/// What a term of an edge is, if the state says that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    Number(i64),
    /// The value of a variable that may be any: a cell of an array to which the edge does not write.
    Copy(Variable),
}

/// An edge, the variables that matter for it, what is known of them before it, and what after it.
type Claim = (u32, Vec<Variable>, Vec<Cell>, Vec<Vec<Cell>>);

impl Check<'_> {
    /// Checks all states; `candidate` is where a state at the end of a block is said to be among
    /// those known there.
    ///
    /// # Errors
    /// If something does not hold, or the budget ends.
    pub fn run(
        &mut self,
        candidate: &dyn Fn(&Passage, Location, &State) -> Option<usize>,
    ) -> Result<(), ValuesError> {
        let entry = self.automaton.entry;
        let nothing = self.passage.pack(entry, &super::store::nothing(self.passage.code()));
        if !self.is_known(entry, &nothing, candidate) {
            return Err(ValuesError::Initial);
        }
        let mut places: Vec<Location> = self.places.keys().copied().collect();
        places.sort_unstable();
        for from in places {
            for number in 0..self.places[&from].len() {
                self.budget.check().map_err(|e| ValuesError::Unknown(Unknown::Exhausted(e)))?;
                self.state(from, number, candidate)?;
            }
        }
        Ok(())
    }

    /// Checks all that follows a state at a location.
    fn state(
        &mut self,
        from: Location,
        number: usize,
        candidate: &dyn Fn(&Passage, Location, &State) -> Option<usize>,
    ) -> Result<(), ValuesError> {
        if self.seen.len() > SEEN {
            self.seen.clear();
        }
        let mut open = vec![(from, Row::from(self.places[&from].row(number)))];
        while let Some((at, row)) = open.pop() {
            for (target, row) in self.hop(at, &row)? {
                // Where paths join, what is dead is forgotten, so that they are followed once.
                if !self.passage.graph.is_cut(target) {
                    if self.seen.insert((target, row.clone())) {
                        open.push((target, row));
                    }
                } else if self.automaton.goal(target).is_some() {
                    return Err(ValuesError::Goal(from.0));
                } else if !self.is_known(target, &row, candidate) {
                    return Err(ValuesError::Missing(target.0));
                }
            }
        }
        Ok(())
    }

    /// The states that follow a state where paths join or a block ends.
    fn hop(&mut self, at: Location, row: &Row) -> Result<Vec<(Location, Row)>, ValuesError> {
        let graph = self.passage.graph.clone();
        let mut remembered = Remembered::Nothing;
        if self.hops.pays(at) {
            remembered = self.hops.find(&graph, self.passage.code(), at, row);
        }
        if let Remembered::Rows(rows) = remembered {
            return Ok(rows);
        }
        let state = self.passage.unpack(at, row);
        self.passage.resume(&state);
        let notes = matches!(remembered, Remembered::New);
        let mut hop = Hop::new(at, state, notes);
        let (mut rows, mut ends) = (vec![], vec![]);
        while let Some(outcome) = hop.next(&graph, usize::MAX, |e, state| self.edge(e, state))? {
            let to = self.passage.pack(outcome.at, &outcome.state);
            rows.push((outcome.at, to.clone()));
            if notes {
                ends.push(outcome.end(to));
            }
        }
        if let Some(reads) = &hop.reads {
            self.hops.learn(&graph, &self.passage.intervals, (at, row), (reads, ends));
        }
        Ok(rows)
    }

    /// Does one of the states known at a location hold in this one?
    fn is_known(
        &self,
        at: Location,
        row: &Row,
        candidate: &dyn Fn(&Passage, Location, &State) -> Option<usize>,
    ) -> bool {
        let Some(place) = self.places.get(&at) else { return false };
        if place.find(row).is_some() {
            return true;
        }
        let state = self.passage.unpack(at, row);
        let Some(number) = candidate(self.passage, at, &state) else { return false };
        let code = self.passage.code();
        let mut first: FxHashMap<u32, (Cell, Cell)> = FxHashMap::default();
        let known = place.cells(&self.passage.intervals, number);
        place.live.iter().zip(known).all(|(&v, known)| {
            let here = state.get(v);
            if known.interval.meet(here.interval) != Some(here.interval) {
                return false;
            }
            if known.unknown == 0 {
                return true;
            }
            // What is said of the difference from the first of its class.
            let (of, is) = *first.entry(known.unknown).or_insert((known, here));
            let width = width_of(code.variables[v as usize].1);
            let said = add(width, known.offset, of.offset.wrapping_neg());
            let number = |cell: Cell| match cell.unknown {
                0 => cell.interval.low,
                _ => cell.offset,
            };
            here.unknown == is.unknown
                && add(width, number(here), number(is).wrapping_neg()) == said
        })
    }

    /// The states after an edge: its values are computed here, or what the exploration says is
    /// checked.
    fn edge(&mut self, e: u32, mut before: State) -> Result<Vec<State>, ValuesError> {
        let action = self.passage.code().actions[e as usize].clone();
        match &action {
            Action::Skip => return Ok(vec![before]),
            Action::Assume(_) => {
                if let Some(values) = self.fixed(e, &action, &before)
                    && let [Fixed::Number(truth)] = values[..]
                {
                    return Ok(if truth == 0 { vec![] } else { vec![before] });
                }
            }
            Action::Assign(all) => {
                if let Some(values) = self.fixed(e, &action, &before) {
                    let cells = values.iter().map(|value| match *value {
                        Fixed::Number(number) => Cell::new(Interval::one(number), 0),
                        Fixed::Copy(v) => before.get(v),
                    });
                    let cells: Vec<Cell> = cells.collect();
                    all.iter().zip(cells).for_each(|(&(v, _), cell)| before.set(v, cell));
                    return Ok(vec![before]);
                }
            }
            Action::Havoc(_) => {}
        }
        let after = self.passage.step(self.terms, e, before.clone());
        let holds = match &action {
            Action::Havoc(v) => {
                matches!(&after[..], [after] if havocs(*v, &before, after, self.passage.code()))
            }
            _ => self.claim(e, &action, &before, &after)?,
        };
        let edge = &self.automaton.edges[e as usize];
        if holds { Ok(after) } else { Err(ValuesError::Edge(edge.source.0, edge.target.0)) }
    }

    /// The values of the terms of an edge, if the state fixes them: what the terms do not need may
    /// be unknown.
    fn fixed(&mut self, e: u32, action: &Action, before: &State) -> Option<Rc<[Fixed]>> {
        let reads = &self.passage.graph.reads[e as usize];
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        values.extend(reads.iter().map(|&v| before.get(v).interval.only()));
        let found = self.evaluated(e, action, &values);
        self.values = values;
        found
    }

    /// The values of the terms of an edge by the values that it reads, if those suffice.
    fn evaluated(
        &mut self,
        e: u32,
        action: &Action,
        values: &[Option<i64>],
    ) -> Option<Rc<[Fixed]>> {
        if let Some(known) = self.known[e as usize].get(values) {
            return Some(known.clone());
        }
        let code = self.passage.code();
        let reads = &self.passage.graph.reads[e as usize];
        let known = reads.iter().zip(values).filter_map(|(&v, &number)| {
            let (symbol, sort) = code.variables[v as usize];
            Some((symbol, value(sort, number?)))
        });
        let known: FxHashMap<Symbol, Value> = known.collect();
        let registers: Vec<u32> = match action {
            Action::Assume(r) => vec![*r],
            Action::Assign(all) => all.iter().map(|&(_, r)| r).collect(),
            Action::Skip | Action::Havoc(_) => vec![],
        };
        let fixed = registers.into_iter().map(|r| fixed(self.terms, code, r, &known));
        let fixed: Rc<[Fixed]> = fixed.collect::<Option<Vec<_>>>()?.into();
        self.known[e as usize].insert(values.into(), fixed.clone());
        Some(fixed)
    }

    /// Has a solver decide what is claimed of an edge.
    fn claim(
        &mut self,
        e: u32,
        action: &Action,
        before: &State,
        after: &[State],
    ) -> Result<bool, ValuesError> {
        let targets: Vec<Variable> = match action {
            Action::Assign(all) => all.iter().map(|&(v, _)| v).collect(),
            _ => vec![],
        };
        let mut variables: Vec<Variable> = self.passage.graph.reads[e as usize].clone();
        variables.extend(&targets);
        for after in after {
            let changed = before.cells.iter().zip(&after.cells).zip(0..);
            variables.extend(changed.filter(|((a, b), _)| a != b).map(|(_, v)| v));
        }
        variables.sort_unstable();
        variables.dedup();
        // What a change says of a variable that does not change and is not read.
        let mut others = vec![];
        for after in after {
            for &v in &variables {
                let unknown = after.get(v).unknown;
                let shares = |w: &Variable| unknown != 0 && after.get(*w).unknown == unknown;
                let is_said = variables.iter().any(|w| *w != v && shares(w));
                if !is_said {
                    let all = 0..after.cells.len() as Variable;
                    others.extend(all.filter(|w| *w != v).find(shares));
                }
            }
        }
        variables.extend(others);
        variables.sort_unstable();
        variables.dedup();
        let claim = self.projected(e, &variables, before, after);
        if self.proved.contains(&claim) {
            return Ok(true);
        }
        if self.is_bounded(action, before, after) || self.decide(action, &targets, &claim)? {
            self.proved.insert(claim);
            return Ok(true);
        }
        // A value that wraps says less by its interval than by that from which it differs: `m = n +
        // 1` is not 0 for a natural `n`, though `m` may be negative.
        let mut related = variables.clone();
        for &v in &variables {
            let unknown = before.get(v).unknown;
            let all = 0..before.cells.len() as Variable;
            related.extend(all.filter(|w| unknown != 0 && before.get(*w).unknown == unknown));
        }
        related.sort_unstable();
        related.dedup();
        if related == variables {
            return Ok(false);
        }
        let claim = self.projected(e, &related, before, after);
        let holds = self.proved.contains(&claim) || self.decide(action, &targets, &claim)?;
        if holds {
            self.proved.insert(claim);
        }
        Ok(holds)
    }

    /// The claim on an edge, as far as it is about these variables.
    fn projected(&self, e: u32, variables: &[Variable], before: &State, after: &[State]) -> Claim {
        let project = |state: &State| -> Vec<Cell> {
            let mut classes: FxHashMap<u32, (u32, i64)> = FxHashMap::default();
            let cells = variables.iter().map(|&v| {
                let mut cell = state.get(v);
                if cell.unknown != 0 {
                    let next = classes.len() as u32 + 1;
                    let (class, first) =
                        *classes.entry(cell.unknown).or_insert((next, cell.offset));
                    let width = width_of(self.passage.code().variables[v as usize].1);
                    cell.unknown = class;
                    cell.offset = add(width, cell.offset, first.wrapping_neg());
                }
                cell
            });
            cells.collect()
        };
        (e, variables.to_vec(), project(before), after.iter().map(project).collect())
    }

    /// Do bounds of the assigned terms say it?  Solvers take a second for a division.
    fn is_bounded(&self, action: &Action, before: &State, after: &[State]) -> bool {
        let (Action::Assign(all), [after]) = (action, after) else { return false };
        let code = self.passage.code();
        let mut rest = after.clone();
        for &(v, r) in all {
            let Cell { interval, unknown, .. } = after.get(v);
            let shares = after.cells.iter().zip(0..).any(|(c, w)| w != v && c.unknown == unknown);
            let bounds = bounds::of(self.terms, code.terms[r as usize], |symbol| {
                code.number(symbol).map(|v| before.get(v).interval)
            });
            let fits = bounds.is_some_and(|b| interval.low <= b.low && b.high <= interval.high);
            if !fits || (shares && unknown != 0) {
                return false;
            }
            rest.set(v, before.get(v));
        }
        rest == *before
    }

    fn decide(
        &mut self,
        action: &Action,
        targets: &[Variable],
        (_, variables, before, after): &Claim,
    ) -> Result<bool, ValuesError> {
        let code = self.passage.code();
        let named: Vec<(Symbol, Sort)> =
            variables.iter().map(|&v| code.variables[v as usize]).collect();
        let terms = &mut *self.terms;
        let mut facts = vec![formula::one(terms, &named, before)];
        let mut new: FxHashMap<Symbol, Term> = FxHashMap::default();
        match action {
            Action::Assume(r) => facts.push(code.terms[*r as usize]),
            Action::Assign(all) => {
                for &(v, r) in all {
                    let symbol = code.variables[v as usize].0;
                    let value = terms.instance(symbol, 1);
                    new.insert(symbol, value);
                    facts.push(terms.equal(value, code.terms[r as usize]));
                }
            }
            Action::Skip | Action::Havoc(_) => {}
        }
        debug_assert!(targets.iter().all(|t| variables.contains(t)), "what changes is looked at");
        for cells in after {
            let state = formula::one(terms, &named, cells);
            let state = terms.substitute(state, |terms, leaf| match *terms.node(leaf) {
                Node::Variable(s) => new.get(&s).copied(),
                _ => None,
            });
            facts.push(terms.not(state));
        }
        let mut solver = self.solvers.solver()?;
        for &fact in &facts {
            solver.assert(self.terms, fact)?;
        }
        match solver.check(self.terms, &[], self.budget)? {
            SmtAnswer::Unsat => Ok(true),
            SmtAnswer::Sat => Ok(false),
            SmtAnswer::Unknown(reason) => Err(reason.into()),
        }
    }
}

/// What the term of a register is, if some variables have these values.  Of choices, only what is
/// chosen is looked at.
fn fixed(
    terms: &Terms,
    code: &Code,
    register: u32,
    values: &FxHashMap<Symbol, Value>,
) -> Option<Fixed> {
    let leaf = |leaf: Term| match *terms.node(leaf) {
        Node::Variable(symbol) => values.get(&symbol).copied(),
        _ => None,
    };
    let mut term = code.terms[register as usize];
    while let Node::Ite(condition, then, otherwise) = *terms.node(term) {
        let Value::Bool(holds) = terms.evaluate(condition, &leaf)? else { return None };
        term = if holds { then } else { otherwise };
    }
    if let Node::Variable(symbol) = *terms.node(term)
        && !values.contains_key(&symbol)
    {
        return code.number(symbol).map(Fixed::Copy);
    }
    Some(Fixed::Number(match terms.evaluate(term, &leaf)? {
        Value::Bits(b) => signed(code.widths[register as usize], b),
        Value::Bool(b) => i64::from(b),
        Value::Int(_) => return None,
    }))
}

fn value(sort: Sort, number: i64) -> Value {
    match sort {
        Sort::Bits(width) => Value::Bits(bits(width, number)),
        Sort::Bool | Sort::Int => Value::Bool(number == 1),
    }
}

/// Is one variable forgotten, and nothing else changed?
fn havocs(v: Variable, before: &State, after: &State, code: &Code) -> bool {
    let Cell { interval, unknown, .. } = after.get(v);
    let all = Interval::all(code.variables[v as usize].1);
    let rest = before.cells.iter().zip(&after.cells).zip(0..).filter(|(_, w)| *w != v);
    interval == all
        && rest.clone().all(|((a, b), _)| a == b && (b.unknown != unknown || unknown == 0))
}
