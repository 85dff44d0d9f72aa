//! The interface of 2QBF solvers, and their answers.

use super::query::ForallExists;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::sat::Effort;
use hardbop_logic::{Aig, Input};

/// The stage that decided a query, cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DecidedBy {
    /// Simplification and substitution left a constant.
    Structure,
    /// Random simulation found a counterexample.
    Simulation,
    /// No existential (or no universal) was left, so one SAT call sufficed.
    Sat,
    /// The 2QBF solver; always reported for solvers other than the embedded one.
    Qbf,
}

/// Is the query valid?
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_logic::Aig;
/// use hardbop_qbf::{Embedded, ForallExists, QbfSolver, Validity};
///
/// let mut graph = Aig::new();
/// let x = graph.new_input();
/// let mut query = ForallExists::default();
/// query.conclusion = vec![graph.input(x)]; // x holds whatever it is
/// match Embedded::new(0).solve(&mut graph, &query, &Budget::unlimited()).validity {
///     Validity::Invalid { counterexample } => assert_eq!(counterexample, Some(vec![(x, false)])),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Validity {
    Valid,
    /// Values of the universals for which there is no existential answer, if the solver provides them; inputs that are
    /// not listed do not matter.  [`Embedded`](super::Embedded) always provides them, and lists all inputs.
    Invalid {
        counterexample: Option<Vec<(Input, bool)>>,
    },
    Unknown(Exhausted),
}

/// The answer to a query, and its effort.
///
/// ```
/// use hardbop_qbf::{QbfAnswer, Validity};
///
/// let answer = QbfAnswer::new(Validity::Valid); // of a solver of your own
/// assert_eq!(answer.validity, Validity::Valid);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct QbfAnswer {
    pub validity: Validity,
    pub decided_by: DecidedBy,
    /// The effort of its SAT calls.
    pub sat: Effort,
}

impl QbfAnswer {
    /// The answer of a solver other than the embedded one.
    #[must_use]
    pub fn new(validity: Validity) -> Self {
        Self { validity, decided_by: DecidedBy::Qbf, sat: Effort::default() }
    }
}

/// A solver for ∀∃ queries.
///
/// `aig` may grow (simplified copies of the query are built in it).
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_logic::{Aig, factory::Factory, sat};
/// use hardbop_qbf::{Backend, ForallExists, Limits, QbfAnswer, QbfSolver, Validity};
///
/// /// Tries all values of the universals.
/// struct Patient;
///
/// impl QbfSolver for Patient {
///     fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> QbfAnswer {
///         let universals = query.universals(aig);
///         for bits in 0..1_u32 << universals.len() {
///             if let Err(limit) = budget.check() {
///                 return QbfAnswer::new(Validity::Unknown(limit));
///             }
///             let values = universals.iter().enumerate().map(|(i, &x)| (x, bits >> i & 1 == 1)).collect::<Vec<_>>();
///             if query.refutes(aig, &values) {
///                 return QbfAnswer::new(Validity::Invalid { counterexample: Some(values) });
///             }
///         }
///         QbfAnswer::new(Validity::Valid)
///     }
/// }
///
/// // As an option of the engines:
/// let backend = Backend::Own(Factory::new("patient", || Box::new(Patient) as Box<dyn QbfSolver>));
/// let mut solver = backend.solver(0, sat::Backend::default(), Limits::default());
/// let mut graph = Aig::new();
/// let (x, y) = (graph.new_input_lit(), graph.new_input());
/// let mut query = ForallExists::default();
/// query.existentials = vec![y];
/// query.equalities = vec![(graph.input(y), x)];
/// assert_eq!(solver.solve(&mut graph, &query, &Budget::unlimited()).validity, Validity::Valid);
/// ```
pub trait QbfSolver {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> QbfAnswer;
}
