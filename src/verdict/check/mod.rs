//! Does an invariant prove that no error node is reachable?  Knows nothing of engines.
//!
//! For each layer in order, given the layers before it and the layer itself where an execution
//! starts from:
//!
//! 1. the entry procedure is entered with its assertion, whatever the values;
//! 2. each path from one cut node to the next leads from assertion to assertion ([`region`]);
//! 3. each call enters the callee with its entry assertion; after the call the callee's exit
//!    assertions hold of what it was entered with and what it left.
//!
//! By induction over the length of executions every assertion holds where it stands.  Last,
//! the assertions at each error node, of all layers, contradict each other, so it is not reached.
//!
//! Choices in an assumption are free variables; in an obligation they are quantified inside, which
//! makes it a 2QBF query.  Return slots start with any value.

mod query;
mod region;

use rustc_hash::FxHashMap;

use super::failure::{Effort, Failure, Obligation, Place, Unproved};
use super::formula::{FALSE, Literal};
use super::invariant::Invariant;
use crate::bp::program::{EdgeId, NodeId, ProcId, Program};
use crate::budget::Budget;
use crate::logic::Aig;
use crate::logic::cnf::Cnf;
use crate::qbf::{self, ForallExists};
use crate::sat;
use query::{Refuted, implied, satisfiable, value};
use region::{Cuts, Encoding};

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
    assertions: FxHashMap<(ProcId, NodeId), Vec<(usize, Literal)>>,
    /// By variable.
    slot: Vec<usize>,
}

impl<'a> Index<'a> {
    fn new(program: &'a Program, invariant: &'a Invariant) -> Self {
        let mut assertions: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for (number, layer) in invariant.layers.iter().enumerate() {
            for a in &layer.assertions {
                assertions.entry((a.procedure, a.node)).or_default().push((number, a.formula));
            }
        }
        let mut slot = vec![0; program.variables.len()];
        for p in &program.procedures {
            let own = p.formals.iter().chain(&p.locals).chain(&p.returns);
            for (i, v) in program.globals.iter().chain(own).enumerate() {
                slot[v.index()] = i;
            }
        }
        Self { program, invariant, assertions, slot }
    }

    /// What layers say at a place.
    fn assertions(&self, place: (ProcId, NodeId)) -> &[(usize, Literal)] {
        self.assertions.get(&place).map_or(&[], |a| a)
    }

    /// What one layer says there.
    fn assertion(&self, layer: usize, place: (ProcId, NodeId)) -> Option<Literal> {
        let all = self.assertions(place);
        all.binary_search_by_key(&layer, |a| a.0).ok().map(|i| all[i].1)
    }

    /// Number of variables of a procedure, with globals.
    fn width(&self, procedure: ProcId) -> usize {
        let p = self.program.procedure(procedure);
        self.program.globals.len() + p.formals.len() + p.locals.len() + p.returns.len()
    }
}

/// `goal` is to follow from `premise`.
struct Goal {
    obligation: Obligation,
    /// Where the assertion stands.
    place: (ProcId, NodeId),
    premise: Literal,
    goal: Literal,
    choices: Vec<Literal>,
    /// The last edges of the paths to it.
    last: Vec<(Literal, EdgeId)>,
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
    let index = Index::new(program, invariant);
    let mut checker = Checker { index: &index, options, budget, observer, effort };
    for layer in 0..invariant.layers.len() {
        checker.layer(layer)?;
    }
    checker.errors(invariant.layers.len())
}

struct Checker<'a> {
    index: &'a Index<'a>,
    options: &'a Options,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    effort: &'a mut Effort,
}

impl Checker<'_> {
    fn layer(&mut self, layer: usize) -> Result<(), Unproved> {
        let program = self.index.program;
        let mut start = Encoding::new(self.index, layer);
        let (entry, current) = start.arbitrary(program.entry, true);
        let place = (program.entry, program.procedure(program.entry).entry);
        start.oblige(Obligation::Start, place, 1, &entry, &current, Vec::new());
        self.prove(start, layer, program.entry)?;

        for id in program.procedure_ids() {
            let procedure = program.procedure(id);
            let mut asserted = vec![false; procedure.node_count()];
            for (node, is) in (0..).map(NodeId).zip(&mut asserted) {
                *is = self.index.assertions((id, node)).first().is_some_and(|a| a.0 <= layer);
            }
            let cuts = Cuts::new(procedure, asserted);
            for (node, _) in (0..).map(NodeId).zip(&cuts.is_cut).filter(|(_, cut)| **cut) {
                let mut encoding = Encoding::new(self.index, layer);
                encoding.region(&cuts, (id, node), self.budget)?;
                self.prove(encoding, layer, id)?;
            }
        }
        Ok(())
    }

    fn errors(&mut self, layers: usize) -> Result<(), Unproved> {
        for id in self.index.program.procedure_ids() {
            let place = (id, self.index.program.procedure(id).error);
            let mut encoding = Encoding::new(self.index, layers);
            let (entry, current) = encoding.arbitrary(id, false);
            let premise = encoding.known(layers, place, &entry, &current);
            let (obligation, last) = (Obligation::Error, Vec::new());
            let goal = Goal { obligation, place, premise, goal: FALSE, choices: vec![], last };
            encoding.goals.push(goal);
            self.prove(encoding, layers, id)?;
        }
        Ok(())
    }

    /// Proves all goals: one query for those without choices, and one for each of the others.
    fn prove(&mut self, all: Encoding, layer: usize, procedure: ProcId) -> Result<(), Unproved> {
        self.budget.check()?;
        let Encoding { mut formula, goals, .. } = all;
        let mut violated = FALSE;
        for goal in goals.iter().filter(|g| g.choices.is_empty()) {
            let this = formula.and(goal.premise, goal.goal ^ 1);
            violated = formula.or(violated, this);
        }
        self.effort.sat_queries += u64::from(violated > 1);
        let model = satisfiable(&formula, violated, self.options, self.budget, self.observer)?;
        if let Some(model) = model {
            let wrong = |g: &&Goal| {
                g.choices.is_empty() && value(&model, g.premise) && !value(&model, g.goal)
            };
            let goal = goals.iter().find(wrong).expect("a model violates a goal");
            let last = goal.last.iter().find(|(taken, _)| value(&model, *taken));
            return Err(self.failure(goal, last.map(|l| l.1), layer, procedure));
        }
        for goal in goals.iter().filter(|g| !g.choices.is_empty()) {
            self.effort.qbf_queries += 1;
            let (premise, choices) = (goal.premise, &goal.choices);
            let refuted = implied(
                &formula,
                premise,
                goal.goal,
                choices,
                self.options,
                self.budget,
                self.observer,
            )?;
            let last = match &refuted {
                None => continue,
                Some(Refuted::By(model)) => {
                    goal.last.iter().find(|(taken, _)| value(model, *taken))
                }
                Some(Refuted::Somehow) => goal.last.first(),
            };
            return Err(self.failure(goal, last.map(|l| l.1), layer, procedure));
        }
        Ok(())
    }

    fn failure(&self, goal: &Goal, last: Option<EdgeId>, layer: usize, id: ProcId) -> Unproved {
        let program = self.index.program;
        let procedure = program.procedure(id);
        let into = || procedure.edges.iter().find(|e| e.target == goal.place.1).map(|e| e.span);
        let span = last.map(|e| procedure.edge(e).span).or_else(into).unwrap_or(procedure.span);
        let layer = self.index.invariant.layers.get(layer).map(|l| l.name.clone());
        let place = Place::new(program, id, span);
        Unproved::Fails(Failure { obligation: goal.obligation, layer, place })
    }
}
