//! Lazy predicate abstraction: state formulas are BDDs over the predicates of a precision.

use super::analysis::Analysis;
use super::cuts::Cuts;
use super::nodes::NodeId;
use super::reached::Reached;
use crate::block::problem::Problem;
use crate::cegar::error::RefineError;
use crate::cegar::model::{Context, Refutation};
use crate::cegar::options::AnalysisOptions;
use crate::cegar::statistics::TreeStatistics;
use crate::predicate::abstraction::Abstractor;
use crate::predicate::effort::AbstractionError;
use crate::predicate::precision::{Precision, Scope};
use crate::predicate::state::State;
use crate::predicate::vocabulary::{PredicateId, Vocabulary};
use crate::select::view::{Selection, View};
use hardbop_base::budget::Budget;
use hardbop_cfa::Location;
use hardbop_smt::{Purpose, Symbol, Term, Terms};

/// Predicate abstraction as BLAST has it, with adjustable blocks: states are Cartesian or Boolean
/// abstractions (Sect. II-B of "Software Model Checking via Large-Block Encoding"), the order is
/// implication of BDDs, and a refinement adds predicates and explores the tree anew from the first
/// node whose location has new ones.
pub struct Predicates {
    vocabulary: Vocabulary,
    /// Π : L → 2^P.
    precision: Precision,
    abstractor: Abstractor,
    scope: Scope,
}

impl Predicates {
    /// An analysis without predicates.
    ///
    /// # Errors
    /// If there is no memory for BDDs.
    pub fn new(options: &AnalysisOptions, budget: &Budget) -> Result<Self, AbstractionError> {
        let solvers = options.solvers(Purpose::Abstraction);
        let abstractor = Abstractor::new(solvers, options.abstraction);
        Ok(Self {
            vocabulary: Vocabulary::new(budget)?,
            precision: Precision::default(),
            abstractor: abstractor.with_limits(options.limits.abstraction),
            scope: options.scope,
        })
    }

    /// π(l), in order.
    fn precision_at(&self, problem: &Problem, location: Location) -> Vec<PredicateId> {
        if problem.automaton.goal(location).is_some() {
            return vec![];
        }
        self.precision.get(self.place(problem, location).unwrap_or(u32::MAX))
    }

    /// (SP_block(before))^π for a formula over program variables, with the size of π.  `None`: the
    /// block cannot be passed.
    pub(super) fn post(
        &mut self,
        context: &mut Context,
        problem: &mut Problem,
        before: Term,
        block: usize,
    ) -> Result<Option<(State, usize)>, RefineError> {
        let precision = self.precision_at(problem, problem.target(block));
        let formula = problem.formula(context.terms, block);
        let after = self.abstractor.successor(
            context.terms,
            &mut self.vocabulary,
            before,
            &formula,
            &precision,
            context.budget,
        )?;
        Ok((!after.is_false()).then_some((after, precision.len())))
    }
}

impl Analysis for Predicates {
    /// The abstract state, with the number of predicates at the location when it was computed.
    type State = (State, usize);

    const STRENGTHENS: bool = false;

    fn top(&mut self, _terms: &Terms) -> Self::State {
        (self.vocabulary.manager().constant(true), 0)
    }

    fn successor(
        &mut self,
        context: &mut Context,
        problem: &mut Problem,
        state: &Self::State,
        block: usize,
    ) -> Result<Option<Self::State>, RefineError> {
        let before = self.formula(context.terms, state);
        self.post(context, problem, before, block)
    }

    fn implies(
        &mut self,
        _context: &mut Context,
        stronger: &Self::State,
        weaker: &Self::State,
    ) -> Result<bool, RefineError> {
        let rest = self.vocabulary.manager().minus(&stronger.0, &weaker.0);
        Ok(rest.map_err(AbstractionError::from)?.is_false())
    }

    fn formula(&mut self, terms: &mut Terms, state: &Self::State) -> Term {
        self.vocabulary.formula(terms, &state.0)
    }

    fn union(&mut self, terms: &mut Terms, states: &[Self::State]) -> Result<Term, RefineError> {
        let mut all = self.vocabulary.manager().constant(false);
        for (state, _) in states {
            all = self.vocabulary.manager().or(&all, state).map_err(AbstractionError::from)?;
        }
        Ok(self.vocabulary.formula(terms, &all))
    }

    fn refine(
        reached: &mut Reached<Self>,
        context: &mut Context,
        path: &[(usize, NodeId)],
        refutation: Refutation,
    ) -> Result<bool, RefineError> {
        let Reached { analysis, problem, tree, .. } = &*reached;
        let places = path.iter().map(|&(_, n)| analysis.place(problem, tree.node(n).location));
        let selection = refutation.predicates(context.terms, places);
        reached.analysis.track(context.terms, selection)?;
        // The first node whose location has got predicates since the node was made.
        let stale = path.iter().map(|&(_, n)| n).find(|&n| {
            let node = reached.tree.node(n);
            let now = reached.analysis.precision_at(&reached.problem, node.location);
            now.len() > node.state.1
        });
        let Some(stale) = stale else { return Ok(false) };
        reached.explore_again(context, stale)?;
        Ok(true)
    }

    fn track(&mut self, terms: &Terms, predicates: Selection) -> Result<(), RefineError> {
        for (place, predicate) in predicates {
            let added = self.vocabulary.add(terms, predicate).map_err(AbstractionError::from)?;
            if let Some(p) = added {
                self.precision.add(place, p);
            }
        }
        Ok(())
    }

    fn view(
        &self,
        problem: &Problem,
        at: Vec<(Location, Vec<Symbol>)>,
    ) -> Option<Box<dyn View + '_>> {
        let places = at.iter().map(|&(l, _)| self.place(problem, l)).collect();
        let live = at.into_iter().map(|(_, live)| live).collect();
        Some(Box::new(Cuts { places, live, known: (&self.vocabulary, &self.precision) }))
    }

    fn predicates(&self) -> Vec<Term> {
        self.vocabulary.terms().collect()
    }

    fn place(&self, problem: &Problem, location: Location) -> Option<u32> {
        match self.scope {
            Scope::Global => None,
            Scope::Location => Some(location.0),
            Scope::Function => Some(problem.frame(location)),
        }
    }

    fn tracked(&self) -> Selection {
        let all = self.precision.all().into_iter();
        all.map(|(predicate, place)| (place, self.vocabulary.term(predicate))).collect()
    }

    fn count(&self, statistics: &mut TreeStatistics) -> u64 {
        let sizes: Vec<usize> = self.precision.sizes().collect();
        statistics.predicates_most = sizes.iter().copied().max().unwrap_or(0) as u64;
        statistics.predicates_average = match sizes.len() {
            0 => 0.0,
            n => sizes.iter().sum::<usize>() as f64 / n as f64,
        };
        statistics.abstraction = self.abstractor.effort();
        self.vocabulary.len() as u64
    }
}
