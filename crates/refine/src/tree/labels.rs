//! Lazy abstraction with interpolants: state formulas are conjunctions of interpolants.

use std::time::{Duration, Instant};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::analysis::Analysis;
use super::forced;
use super::nodes::NodeId;
use super::predicates::Predicates;
use super::reached::Reached;
use crate::block::problem::Problem;
use crate::cegar::algorithm::Algorithm;
use crate::cegar::error::RefineError;
use crate::cegar::model::{Context, Refutation};
use crate::cegar::options::AnalysisOptions;
use crate::cegar::statistics::TreeStatistics;
use crate::interpolate::InterpolationEngine;
use crate::select::view::{Selection, View};
use hardbop_base::budget::Budget;
use hardbop_cfa::Location;
use hardbop_smt::{Purpose, SmtAnswer, SmtError, SmtSolver, Solvers, Symbol, Term, Terms, Unknown};

/// IMPACT in the framework of Beyer and Wendler: new states are *true* or abstractions, the order
/// is implication by a solver, and a refinement conjoins interpolants to the states of the path.
///
/// Invariant: the state of a node and the block to a child imply the state of the child; a child
/// that has been removed had the state *false*.
pub struct Labels {
    solvers: Solvers,
    /// Decides implications.
    solver: Option<Box<dyn SmtSolver>>,
    known: FxHashMap<(Term, Term), bool>,
    /// Is this McMillan's order of steps?
    pub(super) original: bool,
    /// The interpolation for forced covering.
    pub(super) forced: Option<InterpolationEngine>,
    /// Abstracts new states; `None`: they are *true*.
    abstraction: Option<Predicates>,
    /// The atoms of all interpolants.
    atoms: IndexSet<Term, FxBuildHasher>,
    checks: u64,
    pub(super) checking_time: Duration,
    pub(super) attempts: u64,
    pub(super) covers: u64,
    pub(super) forcing_time: Duration,
}

impl Labels {
    /// Labels without states.
    ///
    /// # Errors
    /// If there is no memory for BDDs.
    pub fn new(options: &AnalysisOptions, budget: &Budget) -> Result<Self, RefineError> {
        let forced = options.forced_covering.then(|| options.interpolation_engine());
        Ok(Self {
            solvers: options.solvers(Purpose::Coverage),
            solver: None,
            known: FxHashMap::default(),
            original: options.algorithm == Algorithm::ImpactOriginal,
            forced,
            abstraction: options
                .algorithm
                .abstracts()
                .then(|| Predicates::new(options, budget))
                .transpose()?,
            atoms: IndexSet::default(),
            checks: 0,
            checking_time: Duration::ZERO,
            attempts: 0,
            covers: 0,
            forcing_time: Duration::ZERO,
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
        problem: &mut Problem,
        &state: &Term,
        block: usize,
    ) -> Result<Option<Term>, RefineError> {
        let Some(predicates) = &mut self.abstraction else {
            return Ok(Some(context.terms.bool(true)));
        };
        let after = predicates.post(context, problem, state, block)?;
        Ok(after.map(|after| predicates.formula(context.terms, &after)))
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
        let (start, other) = (Instant::now(), terms.not(weaker));
        let answer = solver.check(terms, &[stronger, other], budget)?;
        self.checking_time += start.elapsed();
        let implied = match answer {
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
        if reached.analysis.forced.is_none() {
            return Ok(false);
        }
        let (start, checking) = (Instant::now(), reached.analysis.checking_time);
        let covered = forced::cover(reached, context, n);
        let checking = reached.analysis.checking_time - checking;
        reached.analysis.forcing_time += start.elapsed().saturating_sub(checking);
        covered
    }

    fn refine(
        reached: &mut Reached<Self>,
        context: &mut Context,
        path: &[(usize, NodeId)],
        refutation: Refutation,
    ) -> Result<bool, RefineError> {
        let Reached { analysis, problem, tree, .. } = &mut *reached;
        if let Some(predicates) = &mut analysis.abstraction {
            let locations = path.iter().map(|&(_, n)| tree.node(n).location);
            let places: Vec<_> = locations.map(|l| predicates.place(problem, l)).collect();
            let found = refutation.clone().predicates(context.terms, places.into_iter());
            predicates.track(context.terms, found)?;
        }
        let stronger = match refutation {
            Refutation::Interpolants(interpolants) => {
                let states = interpolants.into_iter().map(|i| context.terms.to_variables(i));
                let mut stronger: Vec<_> = path.iter().map(|&(_, n)| n).zip(states).collect();
                let goal = path.last().map(|&(_, n)| (n, context.terms.bool(false)));
                stronger.extend(goal);
                stronger
            }
            Refutation::Predicates(_) => match posts(reached, context, path)? {
                Some(stronger) => stronger,
                None => return Ok(false),
            },
        };
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

    fn track(&mut self, terms: &Terms, given: Selection) -> Result<(), RefineError> {
        // Without abstractions there is no precision: states are made of interpolants alone.
        self.abstraction.as_mut().map_or(Ok(()), |predicates| predicates.track(terms, given))
    }

    fn view(
        &self,
        problem: &Problem,
        at: Vec<(Location, Vec<Symbol>)>,
    ) -> Option<Box<dyn View + '_>> {
        self.abstraction.as_ref()?.view(problem, at)
    }

    fn has_precision(&self) -> bool {
        self.abstraction.is_some()
    }

    fn place(&self, problem: &Problem, location: Location) -> Option<u32> {
        self.abstraction.as_ref().and_then(|predicates| predicates.place(problem, location))
    }

    fn predicates(&self) -> Vec<Term> {
        self.atoms.iter().copied().collect()
    }

    fn count(&self, statistics: &mut TreeStatistics) -> u64 {
        if let Some(predicates) = &self.abstraction {
            predicates.count(statistics);
        }
        statistics.coverage_checks = self.checks;
        statistics.coverage_time = self.checking_time;
        statistics.forced_time = self.forcing_time;
        statistics.forced_attempts = self.attempts;
        statistics.forced_covers = self.covers;
        self.atoms.len() as u64
    }
}

/// The abstractions of the states along a path, up to one that is *false*; `None`: there is no such
/// state.
fn posts(
    reached: &mut Reached<Labels>,
    context: &mut Context,
    path: &[(usize, NodeId)],
) -> Result<Option<Vec<(NodeId, Term)>>, RefineError> {
    let Reached { analysis, problem, tree, .. } = reached;
    let Some(predicates) = &mut analysis.abstraction else { return Ok(None) };
    let (mut before, mut stronger) = (context.terms.bool(true), vec![]);
    for &(block, n) in path {
        let Some(after) = predicates.post(context, problem, before, block)? else {
            stronger.push((n, context.terms.bool(false)));
            return Ok(Some(stronger));
        };
        let after = predicates.formula(context.terms, &after);
        stronger.push((n, after));
        before = context.terms.and(&[tree.node(n).state, after]);
    }
    Ok(None)
}

/// Conjoins a formula to the state of each of these nodes, which lie on one path, from the root
/// downwards.  Coverings by states that are now stronger are checked again, and the strengthened
/// states themselves may now be covered.
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
    // All coverings that no longer hold go first, so that none of them is relied on when nodes are
    // settled.
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
