//! Incremental SAT over an and-inverter graph.
//!
//! A [`CircuitSolver`] belongs to one graph (the caller always passes the same one) and encodes
//! each node at most once, when it is first needed.  Invariant: the clauses say what nodes mean
//! and what was asserted, nothing else; a query is made by assumptions, or by clauses guarded by
//! an activation literal.

use std::time::Instant;

use super::backend::Solver;
use super::solver::{Effort, SatLit, SatResult, SatSolver};
use crate::base::budget::Budget;
use crate::solve::logic::cnf::{ClauseSink, Encoder};
use crate::solve::logic::{Aig, Input, Lit, shape};

impl<S: SatSolver> ClauseSink for S {
    fn fresh(&mut self) -> SatLit {
        self.new_variable()
    }

    fn clause(&mut self, lits: &[SatLit]) {
        self.add_clause(lits);
    }
}

/// A SAT solver that speaks in literals of a graph.
#[derive(Debug)]
pub struct CircuitSolver<S = Solver> {
    solver: S,
    encoder: Encoder,
    effort: Effort,
}

impl<S: SatSolver> CircuitSolver<S> {
    /// On top of an empty solver.
    pub fn new(solver: S) -> Self {
        Self { solver, encoder: Encoder::new(), effort: Effort::default() }
    }

    /// What its SAT calls have taken so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The same, counted from here on anew.
    pub fn take_effort(&mut self) -> Effort {
        std::mem::take(&mut self.effort)
    }

    /// The SAT literal of a literal of the graph; encodes its cone where that is new.
    pub fn literal(&mut self, aig: &Aig, lit: Lit) -> SatLit {
        self.encoder.literal(aig, lit, &mut self.solver)
    }

    /// A fresh literal that stands for nothing: to guard clauses that hold only while it is
    /// assumed.
    pub fn activation(&mut self) -> SatLit {
        self.solver.new_variable()
    }

    /// `lit` holds from now on.
    pub fn assert(&mut self, aig: &Aig, lit: Lit) {
        match shape::conjuncts(aig, [lit]) {
            None => self.solver.add_clause(&[]),
            Some(parts) => {
                for part in parts {
                    self.assert_clause(aig, None, [part]);
                }
            }
        }
    }

    /// `guard` (where given) implies one of `lits`, from now on.
    pub fn assert_clause(
        &mut self,
        aig: &Aig,
        guard: Option<SatLit>,
        lits: impl IntoIterator<Item = Lit>,
    ) {
        // The conjuncts of the negation are the literals of the clause.
        let Some(negated) = shape::conjuncts(aig, lits.into_iter().map(|l| !l)) else { return };
        let mut clause: Vec<SatLit> = guard.iter().map(|g| -g).collect();
        for l in negated {
            clause.push(-self.literal(aig, l));
        }
        self.solver.add_clause(&clause);
    }

    /// A clause of raw SAT literals, such as the end of an activation literal's life.
    pub fn add_clause(&mut self, clause: &[SatLit]) {
        self.solver.add_clause(clause);
    }

    /// Satisfiable together with the assumptions?
    pub fn solve(&mut self, aig: &Aig, assumptions: &[Lit], budget: &Budget) -> SatResult {
        let assumptions: Vec<SatLit> = assumptions.iter().map(|&l| self.literal(aig, l)).collect();
        self.solve_with(&assumptions, None, budget)
    }

    /// Satisfiable together with assumptions that are SAT literals already, within so many
    /// conflicts?
    pub fn solve_with(
        &mut self,
        assumptions: &[SatLit],
        conflicts: Option<u32>,
        budget: &Budget,
    ) -> SatResult {
        let start = Instant::now();
        let result = self.solver.solve(assumptions, conflicts, budget);
        self.effort += Effort { calls: 1, duration: start.elapsed() };
        result
    }

    /// Value of an input in the last model; false where it does not matter.  To be read before
    /// anything is added.
    pub fn value(&self, aig: &Aig, input: Input) -> bool {
        self.encoder.input(aig, input).and_then(|v| self.solver.value(v)).unwrap_or(false)
    }

    /// Value of a SAT literal in the last model; false where it does not matter.
    pub fn model(&self, lit: SatLit) -> bool {
        self.solver.value(lit).unwrap_or(false)
    }

    /// Is this assumption part of the reason why the last call answered `Unsat`?
    pub fn failed(&self, assumption: Lit) -> bool {
        self.encoder.known(assumption).is_some_and(|l| self.solver.failed(l))
    }
}
