//! Decides bit-vector terms by bit-blasting and an incremental SAT solver.

use rustc_hash::FxHashSet;

use super::blast::Blaster;
use super::blast::elimination::{Equations, MOST, Said};
use super::solver::{SmtAnswer, SmtError, SmtSolver, Unknown};
use super::term::{Node, Sort, Term, Terms, Value};
use hardbop_base::budget::Budget;
use hardbop_logic::Lit;
use hardbop_logic::sat::{Backend, CircuitSolver, SatLit, SatResult};

/// New nodes of the graph for one check with a limit of conflicts.
const NEW_NODES: usize = 2_000_000;
/// Connectives that are looked through for equations.
const LOOKED_AT: usize = 128;

/// hardbop's own solver for bit-vectors.
pub struct BlastSolver {
    blaster: Blaster,
    solver: CircuitSolver,
    /// The guards of the assertions since each push.
    frames: Vec<SatLit>,
    /// The number of frames at the time when something false was asserted, if that has happened.
    contradiction: Option<usize>,
    assumed: Vec<(Term, Lit)>,
    conflicts: Option<u32>,
    /// The conjuncts that were asserted, with the number of frames then.
    asserted: Vec<(Term, usize)>,
    /// The lemmas so far.
    lemmas: FxHashSet<Vec<Lit>>,
}

impl BlastSolver {
    pub fn new() -> Self {
        Self {
            blaster: Blaster::new(),
            solver: Backend::default().circuit_solver(),
            frames: vec![],
            contradiction: None,
            assumed: vec![],
            conflicts: None,
            asserted: vec![],
            lemmas: FxHashSet::default(),
        }
    }

    /// Tells the SAT solver which equations in what is asserted and assumed follow from those that
    /// have to hold, or contradict them.
    fn add_lemmas(&mut self, terms: &Terms, assumptions: &[Term]) {
        let assumed = assumptions.iter().flat_map(|&t| terms.conjuncts(t));
        let parts: Vec<Term> = assumed.chain(self.asserted.iter().map(|&(t, _)| t)).collect();
        let (facts, questions): (Vec<Term>, Vec<Term>) =
            parts.into_iter().partition(|&t| is_equation(terms, t));
        let facts = &facts[..facts.len().min(MOST)];
        if facts.is_empty() {
            return;
        }
        let mut equations = Equations::default();
        let lits: Vec<Lit> = facts.iter().map(|&t| self.blaster.literal(terms, t)).collect();
        for (number, &fact) in facts.iter().enumerate() {
            if let Some(polynomial) = self.blaster.difference(terms, fact) {
                let said = equations.add(number, &polynomial);
                self.add_lemma(&lits, said, Lit::FALSE);
            }
        }
        for question in equations_in(terms, questions) {
            if let Some(polynomial) = self.blaster.difference(terms, question) {
                let lit = self.blaster.literal(terms, question);
                self.add_lemma(&lits, equations.say(&polynomial), lit);
            }
        }
    }

    /// Adds what is said of an equation, if it is something new.
    fn add_lemma(&mut self, facts: &[Lit], said: Said, equation: Lit) {
        let (from, equation) = match said {
            Said::Zero(from) => (from, equation),
            Said::NonZero(from) => (from, !equation),
            Said::Nothing => return,
        };
        let needed = facts.iter().enumerate().filter(|&(i, _)| from >> i & 1 == 1);
        let mut lemma: Vec<Lit> = needed.map(|(_, &l)| !l).chain([equation]).collect();
        lemma.retain(|&l| l != Lit::FALSE);
        lemma.sort_unstable();
        if !lemma.contains(&Lit::TRUE) && self.lemmas.insert(lemma.clone()) {
            self.solver.assert_clause(self.blaster.aig(), None, lemma);
        }
    }
}

impl Default for BlastSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl SmtSolver for BlastSolver {
    fn push(&mut self) -> Result<(), SmtError> {
        let guard = self.solver.activation();
        self.frames.push(guard);
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        if let Some(guard) = self.frames.pop() {
            self.solver.add_clause(&[-guard]);
        }
        self.asserted.retain(|&(_, at)| at <= self.frames.len());
        if self.contradiction.is_some_and(|at| at > self.frames.len()) {
            self.contradiction = None;
        }
        Ok(())
    }

    fn assert(&mut self, terms: &Terms, term: Term) -> Result<(), SmtError> {
        for part in terms.conjuncts(term) {
            let disjuncts = terms.disjuncts(part);
            let clause: Vec<Lit> =
                disjuncts.iter().map(|&t| self.blaster.literal(terms, t)).collect();
            self.asserted.push((part, self.frames.len()));
            if clause.iter().all(|&l| l == Lit::FALSE) {
                self.contradiction.get_or_insert(self.frames.len());
            }
            self.solver.assert_clause(self.blaster.aig(), self.frames.last().copied(), clause);
        }
        Ok(())
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError> {
        self.assumed.clear();
        let mut literals = self.frames.clone();
        // Whoever limits the search does not want to wait for circuits, either.
        let most = self.conflicts.map_or(usize::MAX, |_| self.blaster.aig().len() + NEW_NODES);
        for &term in assumptions {
            let Some(lit) = self.blaster.literal_within(terms, term, most) else {
                return Ok(SmtAnswer::Unknown(Unknown::Incomplete("the circuit is large".into())));
            };
            self.assumed.push((term, lit));
            if lit == Lit::FALSE {
                return Ok(SmtAnswer::Unsat);
            }
            if lit != Lit::TRUE {
                literals.push(self.solver.literal(self.blaster.aig(), lit));
            }
        }
        if self.contradiction.is_some() {
            return Ok(SmtAnswer::Unsat);
        }
        self.add_lemmas(terms, assumptions);
        Ok(match self.solver.solve_with(&literals, self.conflicts, budget) {
            SatResult::Sat => SmtAnswer::Sat,
            SatResult::Unsat => SmtAnswer::Unsat,
            SatResult::Unknown(reason) => SmtAnswer::Unknown(Unknown::Exhausted(reason)),
            SatResult::ConflictLimit => {
                SmtAnswer::Unknown(Unknown::Incomplete("the conflict limit was reached".into()))
            }
        })
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.conflicts = most;
    }

    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> {
        Ok(self.values(terms, &[t])?[0])
    }

    fn values(&mut self, terms: &Terms, wanted: &[Term]) -> Result<Vec<Value>, SmtError> {
        let bits: Vec<Vec<Lit>> =
            wanted.iter().map(|&t| self.blaster.bits(terms, t).to_vec()).collect();
        let roots: Vec<Lit> = bits.iter().flatten().copied().collect();
        let (aig, solver) = (self.blaster.aig(), &self.solver);
        let mut values = aig.evaluate(&roots, |i| solver.value(aig, i)).into_iter();
        Ok(wanted
            .iter()
            .zip(&bits)
            .map(|(&t, bits)| {
                let value =
                    (0..bits.len()).fold(0, |v, k| v | u64::from(values.next() == Some(true)) << k);
                match terms.sort(t) {
                    Sort::Bool => Value::Bool(value == 1),
                    _ => Value::Bits(value),
                }
            })
            .collect())
    }

    fn core(&self) -> Result<Vec<Term>, SmtError> {
        let one = self.assumed.iter().find(|&&(_, l)| l == Lit::FALSE);
        if let Some(&(term, _)) = one {
            return Ok(vec![term]);
        }
        if self.contradiction.is_some() {
            return Ok(vec![]);
        }
        let failed = |l: Lit| !l.is_constant() && self.solver.failed(l);
        let core = self.assumed.iter().filter(|&&(_, l)| failed(l)).map(|&(t, _)| t);
        let mut core: Vec<Term> = core.collect();
        core.sort_unstable();
        Ok(core)
    }
}

/// Is it an equation between numbers?
fn is_equation(terms: &Terms, t: Term) -> bool {
    matches!(*terms.node(t), Node::Equal(a, _) if matches!(terms.sort(a), Sort::Bits(_)))
}

/// Some equations on which the truth of formulas depends.
fn equations_in(terms: &Terms, formulas: Vec<Term>) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut found = vec![];
    let mut todo = formulas;
    while let Some(t) = todo.pop() {
        if seen.len() > LOOKED_AT || !seen.insert(t) {
            continue;
        }
        match *terms.node(t) {
            _ if is_equation(terms, t) => found.push(t),
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Ite(..) | Node::Equal(..) => {
                terms.for_each_child(t, |part| todo.push(part));
            }
            _ => {}
        }
    }
    found
}
