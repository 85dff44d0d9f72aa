//! The strongest conjunctions of candidates that all blocks preserve.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::candidates::Sources;
use super::gates::Gates;
use super::needed;
use crate::block::execution::modelled;
use crate::block::liveness::CutLiveness;
use crate::block::path::PathFormula;
use crate::block::problem::Problem;
use crate::limits;
use crate::predicate::effort::AbstractionError;
use crate::proof::invariant::{Invariant, PartialInvariant, at};
use hardbop_base::budget::Budget;
use hardbop_cfa::Location;
use hardbop_smt::{SmtAnswer, SmtError, SmtSolver, Solvers, Symbol, Term, Terms, Unknown, Value};

/// Claims before and after a block that take a unit of work.
const CLAIMS: u64 = 64;

/// The candidates that hold at locations, as far as is known; nothing where no execution comes.
pub(super) type Claims = BTreeMap<Location, Vec<Term>>;

/// The search for the strongest conjunctions.
pub(super) struct Search<'a> {
    pub problem: Problem,
    gates: Gates,
    pub claims: Claims,
    solvers: &'a Solvers,
    /// The solver of each block, which knows its formula.
    of_block: FxHashMap<usize, Box<dyn SmtSolver>>,
    conflicts: u32,
    pub budget: &'a Budget,
}

/// The strongest invariant of candidates, reduced to what is needed for the edges into goals that it excludes.  `None`: it
/// excludes none, or, where a `part` is not enough, not all.
///
/// # Errors
/// If the budget runs out or a solver fails.
pub fn houdini(
    terms: &mut Terms,
    problem: &mut Problem,
    solvers: &Solvers,
    (limits, part): (limits::Limits, bool),
    budget: &Budget,
) -> Result<Option<PartialInvariant>, AbstractionError> {
    let sources = Sources::new(terms, problem, limits);
    let live = CutLiveness::new(terms, problem);
    let entry = problem.automaton.entry;
    let (gates, problem) = Gates::new(terms, problem);
    let mut search = Search {
        problem,
        gates,
        claims: BTreeMap::from([(entry, vec![])]),
        solvers,
        of_block: FxHashMap::default(),
        conflicts: limits.houdini.conflicts,
        budget,
    };
    let mut waiting = BTreeSet::new();
    search.opened(entry, &mut waiting);
    // Goals first.
    while let Some((not_goal, block)) = waiting.pop_first() {
        let target = search.problem.target(block);
        if !not_goal {
            let is_new = search.open_goals(terms, block, part)?;
            if is_new && !part || search.gates.are_open() {
                return Ok(None);
            }
            continue;
        }
        let mut grown = false;
        loop {
            let after = match search.claims.get(&target) {
                Some(claims) if claims.is_empty() => break,
                Some(claims) => claims.clone(),
                None => vec![],
            };
            match search.leads_on(terms, block, &after)? {
                SmtAnswer::Unsat => break,
                SmtAnswer::Sat => {
                    let all = match search.claims.contains_key(&target) {
                        true => after,
                        false => sources.at(terms, target, &live.at(target)),
                    };
                    let left = search.held(terms, block, &all)?;
                    search.claims.insert(target, left);
                }
                // What the solver cannot say is not claimed.
                SmtAnswer::Unknown(_) => {
                    search.claims.insert(target, vec![]);
                }
            }
            grown = true;
        }
        if grown {
            search.opened(target, &mut waiting);
        }
    }
    let needed = needed::needed(terms, &mut search)?;
    let at = needed.into_iter().map(|(l, claims)| (l, terms.and(&claims))).collect();
    let open = search.gates.open;
    Ok(Some(PartialInvariant { invariant: Invariant { at, rounds: None }, open }))
}

impl Search<'_> {
    /// Notes that blocks from a location have to be looked at.
    fn opened(&self, location: Location, waiting: &mut BTreeSet<(bool, usize)>) {
        for block in self.problem.summary.outgoing(location) {
            let target = self.problem.target(block);
            waiting.insert((self.problem.automaton.goal(target).is_none(), block));
        }
    }

    /// Opens the edges into a goal at the end of this block that what is claimed does not exclude; is there one?  Where
    /// a part of a proof is not enough, one says enough.
    fn open_goals(
        &mut self,
        terms: &mut Terms,
        block: usize,
        part: bool,
    ) -> Result<bool, AbstractionError> {
        let mut is_new = false;
        loop {
            let edge = match self.leads_on(terms, block, &[])? {
                SmtAnswer::Unsat => return Ok(is_new),
                _ if !part => return Ok(true),
                SmtAnswer::Sat => self.last_edge(terms, block)?,
                SmtAnswer::Unknown(_) => None,
            };
            let edges = &self.problem.summary.blocks[block].edges;
            let mut closed: Vec<u32> = self.gates.closed(edges).collect();
            // Where it is not known which one is taken, all are open.
            if let Some(edge) = edge.filter(|edge| closed.contains(edge)) {
                closed = vec![edge];
            }
            if closed.is_empty() {
                return Ok(is_new);
            }
            self.gates.open.extend(closed);
            is_new = true;
        }
    }

    /// The last edge on the path through a block in the model of the last answer.
    fn last_edge(
        &mut self,
        terms: &mut Terms,
        block: usize,
    ) -> Result<Option<u32>, AbstractionError> {
        let relation = self.problem.relation(terms, block);
        let inputs = relation.inputs.iter().map(|&(position, _, t, _)| (position, t)).collect();
        let formula = PathFormula {
            blocks: vec![relation.conjuncts.clone()],
            inputs: vec![inputs],
            values: vec![FxHashMap::default()],
        };
        let Some(solver) = self.of_block.get_mut(&block) else { return Ok(None) };
        let path = modelled(terms, &self.problem, (&[block], &formula), &mut **solver)?;
        Ok(path.and_then(|path| path.edges.last().copied()))
    }

    /// Can the block be passed, without the edges into goals that are open, from what is claimed before it to where not all of
    /// these hold?  None at all: can it be passed?
    ///
    /// # Errors
    /// If the budget runs out or the solver fails.
    pub fn leads_on(
        &mut self,
        terms: &mut Terms,
        block: usize,
        after: &[Term],
    ) -> Result<SmtAnswer, AbstractionError> {
        let source = self.problem.summary.blocks[block].source;
        let relation = self.problem.relation(terms, block);
        let solver = match self.of_block.entry(block) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let mut solver = self.solvers.solver()?;
                for &c in &relation.conjuncts {
                    solver.assert(terms, c)?;
                }
                solver.limit_conflicts(Some(self.conflicts));
                new.insert(solver)
            }
        };
        let mut assumed: Vec<Term> =
            self.claims[&source].iter().map(|&c| at(terms, c, &[])).collect();
        if !after.is_empty() {
            let after: Vec<Term> = after.iter().map(|&c| at(terms, c, &relation.post)).collect();
            let all = terms.and(&after);
            let other = terms.not(all);
            match terms.value(other) {
                Some(Value::Bool(false)) => return Ok(SmtAnswer::Unsat),
                _ => assumed.push(other),
            }
        }
        assumed.extend(self.gates.conditions(terms, &self.problem.summary.blocks[block].edges));
        self.budget.spend((assumed.len() + after.len()) as u64 / CLAIMS);
        match solver.check(terms, &assumed, self.budget)? {
            SmtAnswer::Unknown(Unknown::Exhausted(e)) => Err(Unknown::from(e).into()),
            answer => Ok(answer),
        }
    }

    /// The assumptions that the last answer needed, of the solver of this block.
    pub fn core(&self, block: usize) -> Result<Vec<Term>, SmtError> {
        self.of_block.get(&block).map_or(Ok(vec![]), |solver| solver.core())
    }

    /// Those of these that hold after the block in the model of the last answer.
    fn held(
        &mut self,
        terms: &mut Terms,
        block: usize,
        all: &[Term],
    ) -> Result<Vec<Term>, AbstractionError> {
        let post: Vec<(Symbol, Term)> = self.problem.relation(terms, block).post.clone();
        let after: Vec<Term> = all.iter().map(|&c| at(terms, c, &post)).collect();
        let leaves = terms.support_of(&after);
        let Some(solver) = self.of_block.get_mut(&block) else { return Ok(vec![]) };
        let values = solver.values(terms, &leaves)?;
        let model: FxHashMap<Term, Value> = leaves.into_iter().zip(values).collect();
        let holds = |t: Term| {
            terms.evaluate(t, &|leaf| model.get(&leaf).copied()) == Some(Value::Bool(true))
        };
        let both = all.iter().zip(after);
        let left: Vec<Term> = both.filter(|&(_, t)| holds(t)).map(|(&c, _)| c).collect();
        // A model that does not say what is violated helps as little as none.
        Ok(if left.len() == all.len() && self.claims.contains_key(&self.problem.target(block)) {
            vec![]
        } else {
            left
        })
    }
}
