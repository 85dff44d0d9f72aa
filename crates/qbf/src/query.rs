//! The ∀∃ query.

use std::io;

use hardbop_base::budget::Budget;
use hardbop_logic::sat::{self, SatResult};
use hardbop_logic::{Aig, Input, Lit, Substitution, qdimacs};

/// `∀X. premise(X) ⇒ ∃Y. ⋀ conclusion(X, Y) ∧ ⋀ (left(X, Y) = right(X, Y))`
///
/// Y is `existentials`; X is every other input in the support.  The premise does not depend on Y.
/// This is the shape of subsumption (Eq. 8) and applicability (Eq. 5) of the SPIN'07 paper.
///
/// ```
/// use hardbop_logic::Aig;
/// use hardbop_qbf::ForallExists;
///
/// let mut graph = Aig::new();
/// let (x, y) = (graph.new_input(), graph.new_input());
/// let mut query = ForallExists::default();
/// query.existentials = vec![y];
/// query.conclusion = vec![graph.input(x), graph.input(y)];
/// assert!(query.refutes(&graph, &[(x, false)])); // no y makes x & y true where x is false
/// let mut qdimacs = vec![];
/// query.to_qdimacs(&mut graph, &mut qdimacs)?; // for programs
/// assert!(String::from_utf8_lossy(&qdimacs).contains("\na 1 0\ne 2 3 0\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ForallExists {
    pub existentials: Vec<Input>,
    /// Conjuncts over X.
    pub premise: Vec<Lit>,
    /// Conjuncts over X and Y.
    pub conclusion: Vec<Lit>,
    /// Pairs that must be equal; kept apart from `conclusion`, since a pair with a bare existential on one side defines
    /// it.
    pub equalities: Vec<(Lit, Lit)>,
}

impl ForallExists {
    /// Every literal of the query.
    pub fn literals(&self) -> impl Iterator<Item = Lit> + '_ {
        let pairs = self.equalities.iter().flat_map(|&(l, r)| [l, r]);
        self.premise.iter().copied().chain(self.conclusion.iter().copied()).chain(pairs)
    }

    /// The universals: every input of the support that is not existential, in order.
    pub fn universals(&self, aig: &Aig) -> Vec<Input> {
        let mut existentials = self.existentials.clone();
        existentials.sort_unstable();
        let mut support = aig.support(self.literals());
        support.retain(|i| existentials.binary_search(i).is_err());
        support
    }

    /// The matrix as one literal: premise ⇒ conclusion ∧ equalities.
    pub fn matrix(&self, aig: &mut Aig) -> Lit {
        let premise = aig.and_all(self.premise.iter().copied());
        let conclusion = self.goal(aig);
        aig.implies(premise, conclusion)
    }

    /// Writes the query in QDIMACS: true iff valid.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn to_qdimacs(&self, aig: &mut Aig, out: &mut impl io::Write) -> io::Result<()> {
        let matrix = self.matrix(aig);
        // Existentials that do not occur stay listed (once), so that variables can be found again.
        let mut existentials = self.existentials.clone();
        existentials.sort_unstable();
        existentials.dedup();
        qdimacs::write_qdimacs(aig, &self.universals(aig), &existentials, &[matrix], out)
    }

    /// The condition on an answer: conclusion ∧ equalities.
    fn goal(&self, aig: &mut Aig) -> Lit {
        let mut parts = self.conclusion.clone();
        for &(l, r) in &self.equalities {
            parts.push(aig.iff(l, r));
        }
        aig.and_all(parts)
    }

    /// Is this assignment to the universals a counterexample?  One SAT call on the original query decides; inputs that
    /// are not listed count as false.
    pub fn refutes(&self, aig: &Aig, counterexample: &[(Input, bool)]) -> bool {
        let mut aig = aig.clone();
        let mut map = Substitution::new();
        for x in self.universals(&aig) {
            let value = counterexample.iter().any(|&(i, v)| i == x && v);
            map.replace(&aig, x, value.into());
        }
        let goal = self.goal(&mut aig);
        let premise = aig.substitute(&self.premise, &mut map);
        let goal = aig.substitute_one(goal, &mut map);
        if premise.iter().any(|&l| l != Lit::TRUE) {
            return false;
        }
        let mut solver = sat::Backend::default().circuit_solver();
        solver.assert(&aig, goal);
        solver.solve(&aig, &[], &Budget::unlimited()) == SatResult::Unsat
    }
}
