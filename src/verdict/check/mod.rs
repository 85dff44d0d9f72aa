//! Does an invariant prove that no error node is reachable?  Knows nothing of engines.
//!
//! For each layer in order, given the layers before it and the layer itself where an execution
//! starts from:
//!
//! 1. the entry procedure is entered with its assertion, whatever the values;
//! 2. each path from one cut node to the next ([`region`]) leads from assertion to assertion;
//! 3. each call enters the callee with its entry assertion; after the call the callee's exit
//!    assertions hold of what it was entered with and what it left.
//!
//! By induction over the length of executions every assertion holds where it stands.  Last,
//! the assertions at each error node, of all layers, contradict each other, so it is not reached.
//!
//! Choices in an assumption are free variables; in an obligation they are quantified inside, which
//! makes it a 2QBF query.  Return slots start with any value.
//!
//! Large invariants say the same thing nearly everywhere.  So they are taken apart into conjuncts
//! ([`assertion`]): what an assumption says a variable equals is substituted, and a conjunct that
//! then is, gate for gate, one of those assumed needs no solver.

mod assertion;
mod query;
mod region;
mod statement;

use rustc_hash::FxHashMap;

use super::failure::{Effort, Failure, Obligation, Place as TextPlace, Unproved};
use super::formula::{FALSE, Formula, Literal, TRUE};
use super::invariant::{Atom, Circuit, Invariant};
use crate::bp::program::{ProcId, Program};
use crate::budget::{Budget, Exhausted};
use crate::logic::Aig;
use crate::logic::cnf::Cnf;
use crate::qbf::{self, ForallExists};
use crate::sat;
use assertion::{Encoding, Goal, Place};
use query::Asker;
use region::Cuts;

/// How to check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Decides queries without choices, and is at the bottom of the embedded 2QBF solver.
    pub sat: sat::Backend,
    /// Decides queries with choices.
    pub qbf: qbf::Backend,
    /// SAT queries come with proofs; they are then varisat's, whatever `sat` says.
    pub proofs: bool,
}

/// A query that was answered as it should be.
#[derive(Debug, Clone, Copy)]
pub enum Solved<'a> {
    /// The clauses are unsatisfiable; the proof is in the DRAT format.
    Sat { cnf: &'a Cnf, proof: Option<&'a [u8]> },
    /// The query is valid.
    Qbf { aig: &'a Aig, query: &'a ForallExists },
}

/// Watches a check.
pub trait Observer {
    fn solved(&mut self, _query: Solved<'_>) {}
}

/// Watches nothing.
#[derive(Debug, Default)]
pub struct Silent;
impl Observer for Silent {}

/// The assertions of an invariant, and where variables stand in a state.
struct Index<'a> {
    program: &'a Program,
    invariant: &'a Invariant,
    /// By place: the layers that say something, in order, and what.
    assertions: FxHashMap<Place, Vec<(usize, Literal)>>,
    /// By layer and variable of its circuit: does it depend on choices?
    quantified: Vec<Vec<bool>>,
    /// By variable.
    slot: Vec<usize>,
}

impl<'a> Index<'a> {
    fn new(program: &'a Program, invariant: &'a Invariant) -> Self {
        let mut assertions: FxHashMap<_, Vec<_>> = FxHashMap::default();
        let mut quantified = Vec::new();
        for (number, layer) in invariant.layers.iter().enumerate() {
            for a in &layer.assertions {
                assertions.entry((a.procedure, a.node)).or_default().push((number, a.formula));
            }
            let mut depends = vec![false];
            depends.extend(layer.circuit.inputs.iter().map(|i| matches!(i, Atom::Choice(_))));
            for &(a, b) in &layer.circuit.gates {
                depends.push(depends[(a >> 1) as usize] || depends[(b >> 1) as usize]);
            }
            quantified.push(depends);
        }
        let mut slot = vec![0; program.variables.len()];
        for p in &program.procedures {
            let own = p.formals.iter().chain(&p.locals).chain(&p.returns);
            for (i, v) in program.globals.iter().chain(own).enumerate() {
                slot[v.index()] = i;
            }
        }
        Self { program, invariant, assertions, quantified, slot }
    }

    fn circuit(&self, layer: usize) -> &'a Circuit {
        &self.invariant.layers[layer].circuit
    }

    /// What layers say at a place.
    fn assertions(&self, place: Place) -> &[(usize, Literal)] {
        self.assertions.get(&place).map_or(&[], |a| a)
    }

    /// What one layer says there.
    fn assertion(&self, layer: usize, place: Place) -> Option<Literal> {
        let all = self.assertions(place);
        all.binary_search_by_key(&layer, |a| a.0).ok().map(|i| all[i].1)
    }

    /// Number of globals and formals of a procedure.
    fn entry_width(&self, procedure: ProcId) -> usize {
        self.program.globals.len() + self.program.procedure(procedure).formals.len()
    }

    /// Number of variables of a procedure, with globals.
    fn width(&self, procedure: ProcId) -> usize {
        let p = self.program.procedure(procedure);
        self.entry_width(procedure) + p.locals.len() + p.returns.len()
    }
}

/// Checks an invariant; `effort` counts along.
///
/// # Errors
/// The first obligation that does not hold, or the limit that was reached.
pub fn check(
    program: &Program,
    invariant: &Invariant,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
    effort: &mut Effort,
) -> Result<(), Unproved> {
    budget.check()?;
    invariant.validate(program)?;
    let index = &Index::new(program, invariant);
    let mut checker = Checker { index, asker: Asker { options, budget, observer, effort } };
    (0..invariant.layers.len()).try_for_each(|layer| checker.layer(layer))?;
    checker.errors(invariant.layers.len())
}

struct Checker<'a> {
    index: &'a Index<'a>,
    asker: Asker<'a>,
}

impl Checker<'_> {
    fn layer(&mut self, layer: usize) -> Result<(), Unproved> {
        let program = self.index.program;
        let mut start = Encoding::new(self.index, layer);
        let place = (program.entry, program.procedure(program.entry).entry);
        let (entry, current) = start.start(0, place, true);
        start.oblige((Obligation::Start, place, None), TRUE, &entry, &current);
        self.prove(start, program.entry)?;

        for id in program.procedure_ids() {
            let procedure = program.procedure(id);
            let asserted = |n| self.index.assertions((id, n)).first().is_some_and(|a| a.0 <= layer);
            let cuts = Cuts::new(procedure, procedure.node_ids().map(asserted).collect());
            for node in procedure.node_ids().filter(|n| cuts.is_cut[n.index()]) {
                let mut encoding = Encoding::new(self.index, layer);
                encoding.region(&cuts, (id, node), self.asker.budget)?;
                self.prove(encoding, id)?;
            }
        }
        Ok(())
    }

    fn errors(&mut self, layers: usize) -> Result<(), Unproved> {
        for id in self.index.program.procedure_ids() {
            let place = (id, self.index.program.procedure(id).error);
            let mut encoding = Encoding::new(self.index, layers);
            encoding.start(layers, place, false);
            let (obligation, ways) = (Obligation::Error, vec![(vec![FALSE], vec![])]);
            let goal = Goal { obligation, place, last: None, reached: TRUE, ways };
            encoding.goals.push(goal);
            self.prove(encoding, id)?;
        }
        Ok(())
    }

    /// Proves all goals: one query for those without choices together, and one for each other.
    fn prove(&mut self, all: Encoding, procedure: ProcId) -> Result<(), Unproved> {
        self.asker.budget.check()?;
        let Encoding { mut formula, mut goals, facts, layer, .. } = all;
        let plain = |goal: &Goal| goal.ways[0].1.is_empty();
        let mut violated = FALSE;
        for goal in goals.iter().filter(|g| plain(g)) {
            let all = goal.ways[0].0.iter().fold(TRUE, |all, &l| formula.and(all, l));
            let this = formula.and(goal.reached, all ^ 1);
            violated = formula.or(violated, this);
        }
        if self.asker.contradictory(&formula, &[&facts[..], &[violated]].concat())? {
            goals.retain(|g| !plain(g));
        }
        match self.unproved(&formula, &facts, &goals)? {
            Some(goal) => Err(self.failure(goal, layer, procedure)),
            None => Ok(()),
        }
    }

    /// The first goal that cannot be proved.
    fn unproved<'g>(
        &mut self,
        formula: &Formula,
        facts: &[Literal],
        goals: &'g [Goal],
    ) -> Result<Option<&'g Goal>, Exhausted> {
        'goals: for goal in goals {
            let premises = [facts, &[goal.reached]].concat();
            for (all, choices) in &goal.ways {
                if self.asker.implied(formula, &premises, all, choices)? {
                    continue 'goals;
                }
            }
            return Ok(Some(goal));
        }
        Ok(None)
    }

    fn failure(&self, goal: &Goal, layer: usize, id: ProcId) -> Unproved {
        let program = self.index.program;
        let procedure = program.procedure(id);
        let into = || procedure.edges.iter().find(|e| e.target == goal.place.1).map(|e| e.span);
        let last = goal.last.map(|e| procedure.edge(e).span);
        let place = TextPlace::new(program, id, last.or_else(into).unwrap_or(procedure.span));
        let layer = self.index.invariant.layers.get(layer).map(|l| l.name.clone());
        Unproved::Fails(Failure { obligation: goal.obligation, layer, place })
    }
}
