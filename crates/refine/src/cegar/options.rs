//! The options of abstraction and refinement.

use serde::{Deserialize, Serialize};

use super::algorithm::{Algorithm, Order};
use super::error::RefineError;
use crate::block::operator::Blocks;
use crate::interpolate::{InterpolationEngine, InterpolationOptions, Strategy};
use crate::limits::Limits;
use crate::predicate::abstraction::Abstraction;
use crate::predicate::precision::Scope;
use hardbop_base::limits::is_default;
use hardbop_base::rejected::is_strict;
use hardbop_base::verdict::UnknownReason;
use hardbop_smt::{Purpose, QueryLog, SolverFactory, SolverKind, Solvers};

/// Where the predicates that refute an infeasible path come from.
///
/// ```
/// use hardbop_refine::cegar::{AnalysisOptions, PredicateSource};
///
/// let options: AnalysisOptions = serde_json::from_str(r#"{"refinement": "interpolants"}"#)?;
/// assert_eq!(options.refinement, PredicateSource::Interpolants); // as in the paper
/// assert_eq!(AnalysisOptions::default().refinement, PredicateSource::Auto);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PredicateSource {
    /// Comparisons that the program text suggests, if they suffice; otherwise interpolants.
    #[default]
    Auto,
    /// Interpolants only, as in the paper.
    Interpolants,
}

/// How a program is abstracted, and how abstractions are refined.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_cfa::{description::Description, expand::expand};
/// use hardbop_refine::block::problem::Problem;
/// use hardbop_refine::cegar::{AnalysisOptions, Cegar, Finding};
/// use hardbop_refine::predicate::Abstraction;
/// use hardbop_refine::tree::{Predicates, ReachabilityTree};
/// use hardbop_smt::Terms;
///
/// let description: Description = serde_json::from_str(r#"{
///   "globals": [{"name": "x", "sort": "(_ BitVec 8)"}],
///   "functions": [{"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
///     {"from": 0, "to": 1, "step": {"assume": "(bvult x #x05)"}},
///     {"from": 1, "to": 2, "step": {"assume": "(bvult x #x0a)"}},
///     {"from": 1, "to": 1, "step": {"assign": [["x", "(bvudiv x #x02)"]]}}]}]}"#)?;
/// let (mut terms, budget) = (Terms::new(), Budget::unlimited());
/// let program = description.program(&mut terms, &budget)?.program;
/// let automaton = expand(&mut terms, &program, &Default::default(), &budget)?;
///
/// let mut options = AnalysisOptions::default();
/// options.abstraction = Abstraction::Cartesian;
/// options.explicit_states = 0; // abstract ones from the start
/// let problem = Problem::new(automaton, options.blocks);
/// let tree = ReachabilityTree::new(problem, Predicates::new(&options, &budget)?, options.order);
/// let finding = Cegar::new(tree, &mut terms, &options, &budget).decide(&mut ())?;
/// assert!(matches!(finding, Finding::Safe(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct AnalysisOptions {
    /// The block operator, which says where blocks end.
    pub blocks: Blocks,
    /// The algorithm: the states of the tree, and what a refinement does to them.
    pub algorithm: Algorithm,
    /// Whether IMPACT tries to strengthen a state such that another one covers it, before its
    /// successors are made (interpolation-based forced covering, Sect. II).
    pub forced_covering: bool,
    /// The order in which states are expanded.
    pub order: Order,
    /// How the successors of an abstract state are abstracted.
    pub abstraction: Abstraction,
    /// The scope in which the tree tracks a predicate.  Boolean programs ignore it: they track
    /// predicates over globals everywhere, and others in their function.
    pub scope: Scope,
    /// The source of new predicates.
    pub refinement: PredicateSource,
    /// How interpolants are sought.
    pub interpolation: Strategy,
    /// The SMT solver of the abstraction.
    pub solver: SolverKind,
    /// A solver provided by the user of the library, instead of `solver`.
    ///
    /// It is used for abstraction, enumeration of states, path feasibility and the selection of
    /// predicates.  Interpolants are found and proved by built-in solvers, a built-in solver checks
    /// the invariant of SAFE, and UNSAFE comes with an execution of the program text.  So the
    /// verdict is UNKNOWN where this solver is wrong.
    #[serde(skip)]
    pub own_solver: Option<SolverFactory>,
    /// The most states that are enumerated before a tree is built.  Programs with few inputs and
    /// bounded loops, and state machines, have fewer than the default.
    pub explicit_states: u64,
    /// The most refinements; `None`: no bound.
    pub refinements: Option<u64>,
    /// Does a proof that is rejected end the run?  By default as the [environment](is_strict) says.
    #[serde(skip, default = "is_strict")]
    pub strict: bool,
    /// The log of all queries, if there is one.
    #[serde(skip)]
    pub log: Option<QueryLog>,
    /// Limits for measurements; serialised only if they differ from the defaults.
    #[serde(skip_serializing_if = "is_default")]
    pub limits: Limits,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            blocks: Blocks::default(),
            algorithm: Algorithm::default(),
            forced_covering: false,
            order: Order::default(),
            abstraction: Abstraction::default(),
            scope: Scope::default(),
            refinement: PredicateSource::default(),
            interpolation: Strategy::default(),
            solver: SolverKind::default(),
            own_solver: None,
            explicit_states: 2_000,
            refinements: None,
            strict: is_strict(),
            log: None,
            limits: Limits::default(),
        }
    }
}

impl AnalysisOptions {
    /// A factory of solvers for a purpose.
    pub fn solvers(&self, purpose: Purpose) -> Solvers {
        match &self.own_solver {
            Some(factory) => Solvers::own(factory.clone(), self.log.as_ref(), purpose),
            None => Solvers::new(self.solver, self.log.as_ref(), purpose),
        }
    }

    /// A factory of solvers that check the invariant; they had no part in finding it.
    pub fn checkers(&self) -> Solvers {
        let kind = match self.own_solver {
            Some(_) => SolverKind::default(),
            None => self.solver.other(),
        };
        Solvers::new(kind, self.log.as_ref(), Purpose::Invariant)
    }

    /// An engine that interpolates.
    pub fn interpolation_engine(&self) -> InterpolationEngine {
        let limits = self.limits.interpolation;
        let options = InterpolationOptions { strategy: self.interpolation, limits };
        InterpolationEngine::new(options).with_log(self.log.as_ref())
    }

    /// The result where another solver finds a proof to be wrong: the user's own solver is to
    /// blame, if there is one.
    ///
    /// # Errors
    /// Otherwise hardbop has a defect, which [ends the run](RefineError::reason) where it is
    /// strict.
    pub fn wrong_proof(
        &self,
        what: &'static str,
        why: String,
    ) -> Result<UnknownReason, RefineError> {
        match &self.own_solver {
            Some(own) => Ok(UnknownReason::WrongProof { solver: own.name().to_owned(), why }),
            None => RefineError::Proof { what, why }.reason(self.strict),
        }
    }

    /// Do solvers treat numbers as unbounded integers?
    pub fn is_linear(&self) -> bool {
        self.own_solver.is_none() && self.solver == SolverKind::Linear
    }
}
