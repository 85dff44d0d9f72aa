//! Lazy abstraction with interpolants: state formulas are conjunctions of interpolants.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::analysis::Analysis;
use super::forced;
use super::nodes::NodeId;
use super::reached::Reached;
use crate::program::cfa::Location;
use crate::refine::block::problem::Problem;
use crate::refine::cegar::algorithm::Algorithm;
use crate::refine::cegar::error::RefineError;
use crate::refine::cegar::model::{Context, Refutation};
use crate::refine::cegar::options::AnalysisOptions;
use crate::refine::cegar::statistics::TreeStatistics;
use crate::refine::interpolate::InterpolationEngine;
use crate::refine::select::view::{Selection, View};
use crate::solve::smt::{
    Purpose, SmtAnswer, SmtError, SmtSolver, Solvers, Symbol, Term, Terms, Unknown,
};

/// IMPACT in the framework of Beyer and Wendler: new states are *true*, the order is implication by a solver, and a
/// refinement conjoins interpolants to the states of the path.
///
/// Invariant: the state of a node and the block to a child imply the state of the child; a child that has been removed
/// had the state *false*.
pub struct Labels {
    solvers: Solvers,
    /// Decides implications.
    solver: Option<Box<dyn SmtSolver>>,
    known: FxHashMap<(Term, Term), bool>,
    /// Is this McMillan's order of steps?
    pub(super) original: bool,
    /// For forced covering.
    pub(super) forced: Option<InterpolationEngine>,
    /// The atoms of all interpolants.
    atoms: IndexSet<Term, FxBuildHasher>,
    checks: u64,
    pub(super) attempts: u64,
    pub(super) covers: u64,
}

impl Labels {
    /// Without states.
    ///
    /// # Errors
    /// If the interpolating solver refuses.
    pub fn new(options: &AnalysisOptions) -> Result<Self, SmtError> {
        let forced = options.forced_covering.then(|| options.interpolation_engine()).transpose()?;
        Ok(Self {
            solvers: options.solvers(Purpose::Coverage),
            solver: None,
            known: FxHashMap::default(),
            original: options.algorithm == Algorithm::ImpactOriginal,
            forced,
            atoms: IndexSet::default(),
            checks: 0,
            attempts: 0,
            covers: 0,
        })
    }

    /// A solver that knows nothing.
    pub(super) fn new_solver(&self) -> Result<Box<dyn SmtSolver>, SmtError> {
        self.solvers.solver()
    }
}

impl Analysis for Labels {
    type State = Term;

    const STRENGTHENS: bool = true;

    fn top(&mut self, terms: &Terms) -> Term {
        terms.bool(true)
    }

    fn successor(
        &mut self,
        context: &mut Context,
        _problem: &mut Problem,
        _state: &Term,
        _block: usize,
    ) -> Result<Option<Term>, RefineError> {
        Ok(Some(context.terms.bool(true)))
    }

    fn implies(
        &mut self,
        context: &mut Context,
        &stronger: &Term,
        &weaker: &Term,
    ) -> Result<bool, RefineError> {
        let Context { terms, budget, .. } = context;
        let all = terms.conjuncts(stronger);
        if stronger == terms.bool(false) || terms.conjuncts(weaker).iter().all(|c| all.contains(c))
        {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(&(stronger, weaker)) {
            return Ok(known);
        }
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => none.insert(self.solvers.solver()?),
        };
        self.checks += 1;
        let other = terms.not(weaker);
        let implied = match solver.check(terms, &[stronger, other], budget)? {
            SmtAnswer::Unsat => true,
            SmtAnswer::Sat | SmtAnswer::Unknown(Unknown::Incomplete(_)) => false,
            SmtAnswer::Unknown(reason) => return Err(reason.into()),
        };
        self.known.insert((stronger, weaker), implied);
        Ok(implied)
    }

    fn formula(&mut self, _terms: &mut Terms, &state: &Term) -> Term {
        state
    }

    fn expands_at_once(&self) -> bool {
        self.original
    }

    fn force_cover(
        reached: &mut Reached<Self>,
        context: &mut Context,
        n: NodeId,
    ) -> Result<bool, RefineError> {
        forced::cover(reached, context, n)
    }

    fn refine(
        reached: &mut Reached<Self>,
        context: &mut Context,
        path: &[(usize, NodeId)],
        refutation: Refutation,
    ) -> Result<bool, RefineError> {
        let Refutation::Interpolants(interpolants) = refutation else { return Ok(false) };
        let mut stronger = vec![];
        for (&(_, n), interpolant) in path.iter().zip(interpolants) {
            stronger.push((n, context.terms.to_variables(interpolant)));
        }
        let goal = path.last().map(|&(_, n)| (n, context.terms.bool(false)));
        stronger.extend(goal);
        strengthen(reached, context, &stronger)?;
        if reached.analysis.original {
            // No state on the path may be coverable, lest its descendants be expanded in vain.
            for &(_, n) in path {
                if reached.tree.node(n).removed || reached.is_covered(n) {
                    break;
                }
                reached.try_cover(context, n)?;
            }
        }
        Ok(true)
    }

    fn track(&mut self, _terms: &Terms, _predicates: Selection) -> Result<(), RefineError> {
        // It has no precision: states are made of interpolants alone.
        Ok(())
    }

    fn view(
        &self,
        _problem: &Problem,
        _at: Vec<(Location, Vec<Symbol>)>,
    ) -> Option<Box<dyn View + '_>> {
        None
    }

    fn predicates(&self) -> Vec<Term> {
        self.atoms.iter().copied().collect()
    }

    fn count(&self, statistics: &mut TreeStatistics) -> u64 {
        statistics.coverage_checks = self.checks;
        statistics.forced_attempts = self.attempts;
        statistics.forced_covers = self.covers;
        self.atoms.len() as u64
    }
}

/// Conjoins a formula to the state of each of these nodes, which lie on one path, from the root downwards.  Coverings
/// by states that are now stronger are checked again, and the strengthened states themselves may now be covered.
pub(super) fn strengthen(
    reached: &mut Reached<Labels>,
    context: &mut Context,
    by: &[(NodeId, Term)],
) -> Result<(), RefineError> {
    let never = context.terms.bool(false);
    let mut stronger = vec![];
    for &(n, formula) in by {
        let state = reached.tree.node(n).state;
        if reached.analysis.implies(context, &state, &formula)? {
            continue;
        }
        let atoms = context.terms.atoms(formula);
        reached.analysis.atoms.extend(atoms);
        let new = context.terms.and(&[state, formula]);
        if new == never || reached.analysis.implies(context, &new, &never)? {
            // The nodes that follow on the path are its descendants.
            reached.remove(context, n)?;
            break;
        }
        reached.tree.node_mut(n).state = new;
        stronger.push(n);
    }
    // All coverings that no longer hold go first, so that none of them is relied on when nodes are settled.
    let mut lost = vec![];
    for &n in &stronger {
        let state = reached.tree.node(n).state;
        for covered in reached.tree.node(n).covers.clone() {
            let its = reached.tree.node(covered).state;
            if !reached.analysis.implies(context, &its, &state)? {
                reached.tree.uncover(covered);
                lost.push(covered);
            }
        }
    }
    for n in lost {
        reached.settle(context, n)?;
    }
    for n in stronger {
        if !reached.tree.node(n).removed && !reached.is_covered(n) {
            reached.try_cover(context, n)?;
        }
    }
    Ok(())
}
