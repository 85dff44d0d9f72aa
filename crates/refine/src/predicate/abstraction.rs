//! Cartesian and Boolean predicate abstraction of a block's successors: SP^π (Sect. II-B of Beyer
//! et al., "Software Model Checking via Large-Block Encoding").
//!
//! Cartesian: one query per predicate and polarity, unless an earlier model has already answered
//! it.  Boolean: the predicates that the Cartesian abstraction leaves open are enumerated, one
//! generalised cube after another.

use std::time::Instant;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::block::BlockFormula;
use super::cube::{Circuit, Cube};
pub use super::effort::{AbstractionError, Effort};
use super::state::State;
use super::vocabulary::{PredicateId, Vocabulary};
use crate::limits;
use hardbop_base::budget::Budget;
use hardbop_logic::bdd::Stop;
use hardbop_smt::{Node, SmtAnswer, SmtError, SmtSolver, Solvers, Term, Terms, Unknown, Value};

/// How successors are abstracted.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_refine::predicate::Abstraction;
/// use hardbop_refine::predicate::formula::{FormulaError, abstraction_of_text};
/// use hardbop_smt::{Purpose, SolverKind, Solvers};
///
/// let solvers = Solvers::new(SolverKind::Blast, None, Purpose::Abstraction);
/// let of = |kind| {
///     let (declarations, budget) = ("(declare-const a Bool) (declare-const b Bool)", Budget::unlimited());
///     abstraction_of_text(declarations, "(or a b)", "a b", kind, solvers.clone(), &budget)
/// };
/// assert_eq!(of(Abstraction::Cartesian)?, "true");
/// assert_eq!(of(Abstraction::Boolean)?, "(or a b)");
/// # Ok::<(), FormulaError>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Abstraction {
    /// The strongest conjunction of predicates and their negations.
    Cartesian,
    /// The strongest Boolean combination.
    #[default]
    Boolean,
}

/// Computes abstract successors, and remembers them.
pub struct Abstractor {
    /// Makes the solvers below.
    source: Solvers,
    abstraction: Abstraction,
    limits: limits::Abstraction,
    /// A solver for each of the most recently used blocks, which knows the block's formula.
    solvers: FxHashMap<usize, (u64, Box<dyn SmtSolver>)>,
    uses: u64,
    known: FxHashMap<(usize, Term, Vec<PredicateId>), State>,
    /// The terms of each predicate, read after each block.
    after: FxHashMap<(usize, PredicateId), Term>,
    effort: Effort,
}

impl Abstractor {
    pub fn new(source: Solvers, abstraction: Abstraction) -> Self {
        Self {
            source,
            abstraction,
            limits: limits::Abstraction::default(),
            solvers: FxHashMap::default(),
            uses: 0,
            known: FxHashMap::default(),
            after: FxHashMap::default(),
            effort: Effort::default(),
        }
    }

    /// Replaces the default limits.
    #[must_use]
    pub fn with_limits(self, limits: limits::Abstraction) -> Self {
        Self { limits, ..self }
    }

    /// The effort so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// (SP_block(before))^π for a formula over program variables and the predicates of a precision,
    /// which are sorted. `false` if the block cannot be passed from there.
    ///
    /// # Errors
    /// If a solver fails or the budget runs out.
    pub fn successor(
        &mut self,
        terms: &mut Terms,
        vocabulary: &mut Vocabulary,
        before: Term,
        block: &BlockFormula,
        precision: &[PredicateId],
        budget: &Budget,
    ) -> Result<State, AbstractionError> {
        let start = Instant::now();
        self.effort.abstractions += 1;
        let key = (block.number, before, precision.to_vec());
        if let Some(known) = self.known.get(&key) {
            self.effort.cache_hits += 1;
            return Ok(known.clone());
        }
        let result = self.compute(terms, vocabulary, before, block, precision, budget);
        self.effort.time += start.elapsed();
        let result = result?;
        self.known.insert(key, result.clone());
        Ok(result)
    }

    fn compute(
        &mut self,
        terms: &mut Terms,
        vocabulary: &mut Vocabulary,
        before: Term,
        block: &BlockFormula,
        precision: &[PredicateId],
        budget: &Budget,
    ) -> Result<State, AbstractionError> {
        let before = terms.substitute(before, |terms, leaf| match *terms.node(leaf) {
            Node::Variable(s) => Some(terms.instance(s, 0)),
            _ => None,
        });
        let after: Vec<Term> = precision
            .iter()
            .map(|&p| {
                *self.after.entry((block.number, p)).or_insert_with(|| {
                    let predicate = vocabulary.term(p);
                    terms.substitute(predicate, |terms, leaf| {
                        let &Node::Variable(symbol) = terms.node(leaf) else { return None };
                        let changed = block.post.binary_search_by_key(&symbol, |&(s, _)| s);
                        Some(match changed {
                            Ok(i) => block.post[i].1,
                            Err(_) => terms.instance(symbol, 0),
                        })
                    })
                })
            })
            .collect();
        self.uses += 1;
        let uses = self.uses;
        if !self.solvers.contains_key(&block.number) {
            if self.solvers.len() >= self.limits.solvers {
                let oldest = self.solvers.iter().min_by_key(|(_, (used, _))| *used);
                let oldest = *oldest.expect("there are many").0;
                self.solvers.remove(&oldest);
            }
            let mut solver = self.source.solver()?;
            for &c in block.conjuncts {
                solver.assert(terms, c)?;
            }
            self.solvers.insert(block.number, (uses, solver));
        }
        let (used, solver) = self.solvers.get_mut(&block.number).expect("it was put there");
        *used = uses;
        let mut task = Task {
            terms,
            solver: &mut **solver,
            before,
            budget,
            effort: &mut self.effort,
            limits: self.limits,
            values: vec![Seen::default(); after.len()],
            after: &after,
        };
        if !task.cartesian()? {
            return Ok(vocabulary.manager().constant(false));
        }
        let values = task.values.clone();
        let mut open: Vec<(PredicateId, Term)> = vec![];
        let mut fixed = vocabulary.manager().constant(true);
        // From the deepest variable up, so that each conjunction adds one node.
        for ((&p, &term), seen) in precision.iter().zip(&after).zip(&values).rev() {
            match seen {
                Seen { yes: true, no: true } => open.push((p, term)),
                Seen { yes, .. } => {
                    let literal = literal(vocabulary, p, *yes)?;
                    fixed = vocabulary.manager().and(&fixed, &literal)?;
                }
            }
        }
        open.reverse();
        if open.is_empty() || self.abstraction == Abstraction::Cartesian {
            return Ok(fixed);
        }
        let models = task.enumerate(vocabulary, block, &open)?;
        Ok(vocabulary.manager().and(&fixed, &models)?)
    }
}

fn literal(vocabulary: &mut Vocabulary, p: PredicateId, value: bool) -> Result<State, Stop> {
    let variable = vocabulary.manager().variable(p.0);
    if value { Ok(variable) } else { vocabulary.manager().not(&variable) }
}

/// A cube as a formula over the predicates' values after the block.
fn term_of(terms: &mut Terms, predicates: &[Term], cube: &Cube) -> Term {
    let row = |terms: &mut Terms, literals: &mut dyn Iterator<Item = (usize, bool)>| {
        let all: Vec<Term> = literals
            .map(|(i, value)| if value { predicates[i] } else { terms.not(predicates[i]) })
            .collect();
        terms.and(&all)
    };
    let mut parts = vec![row(terms, &mut cube.fixed.iter().copied())];
    for group in &cube.groups {
        let literals = |row| group.predicates.iter().copied().zip(row);
        let rows = group.rows.iter().map(|r| row(terms, &mut literals(r.iter().copied())));
        let rows: Vec<Term> = rows.collect();
        parts.push(terms.or(&rows));
    }
    terms.and(&parts)
}

/// A cube as an abstract state.
fn state_of(
    vocabulary: &mut Vocabulary,
    open: &[(PredicateId, Term)],
    cube: &Cube,
) -> Result<State, Stop> {
    let mut state = row_of(vocabulary, open, cube.fixed.iter().copied())?;
    for group in &cube.groups {
        let mut rows = vocabulary.manager().constant(false);
        for row in &group.rows {
            let literals = group.predicates.iter().copied().zip(row.iter().copied());
            let row = row_of(vocabulary, open, literals)?;
            rows = vocabulary.manager().or(&rows, &row)?;
        }
        state = vocabulary.manager().and(&state, &rows)?;
    }
    Ok(state)
}

fn row_of(
    vocabulary: &mut Vocabulary,
    open: &[(PredicateId, Term)],
    literals: impl Iterator<Item = (usize, bool)>,
) -> Result<State, Stop> {
    let mut literals: Vec<(PredicateId, bool)> = literals.map(|(i, v)| (open[i].0, v)).collect();
    // From the deepest variable up, so that each conjunction adds one node.
    literals.sort_unstable_by_key(|&(p, _)| std::cmp::Reverse(p));
    let mut row = vocabulary.manager().constant(true);
    for (p, value) in literals {
        let literal = literal(vocabulary, p, value)?;
        row = vocabulary.manager().and(&row, &literal)?;
    }
    Ok(row)
}

/// The truth values of a predicate that models have shown.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    yes: bool,
    no: bool,
}

/// The computation of one abstraction.
struct Task<'a> {
    terms: &'a mut Terms,
    solver: &'a mut dyn SmtSolver,
    before: Term,
    budget: &'a Budget,
    effort: &'a mut Effort,
    limits: limits::Abstraction,
    /// The predicates after the block, as terms over its instances.
    after: &'a [Term],
    values: Vec<Seen>,
}

impl Task<'_> {
    fn note(&mut self) -> Result<(), SmtError> {
        let values = self.solver.values(self.terms, self.after)?;
        for (seen, value) in self.values.iter_mut().zip(values) {
            if value == Value::Bool(true) {
                seen.yes = true;
            } else {
                seen.no = true;
            }
        }
        Ok(())
    }

    /// Finds the values that each predicate can have.  `false`: the block cannot be passed at all.
    fn cartesian(&mut self) -> Result<bool, AbstractionError> {
        self.effort.cartesian_calls += 1;
        if !self.satisfiable(None)? {
            return Ok(false);
        }
        self.note()?;
        for i in 0..self.after.len() {
            let wanted = match self.values[i] {
                Seen { yes: true, no: true } => continue,
                Seen { yes: true, .. } => self.terms.not(self.after[i]),
                _ => self.after[i],
            };
            if self.terms.value(wanted).is_some() {
                continue;
            }
            self.effort.cartesian_calls += 1;
            if self.satisfiable(Some(wanted))? {
                self.note()?;
            }
        }
        Ok(true)
    }

    /// The disjunction of all models of the open predicates.
    fn enumerate(
        &mut self,
        vocabulary: &mut Vocabulary,
        block: &BlockFormula,
        open: &[(PredicateId, Term)],
    ) -> Result<State, AbstractionError> {
        let mut models = vocabulary.manager().constant(false);
        self.solver.push()?;
        let result = self.models(vocabulary, block, open, &mut models);
        self.solver.pop()?;
        result.map(|()| models)
    }

    fn models(
        &mut self,
        vocabulary: &mut Vocabulary,
        block: &BlockFormula,
        open: &[(PredicateId, Term)],
        models: &mut State,
    ) -> Result<(), AbstractionError> {
        let predicates: Vec<Term> = open.iter().map(|&(_, t)| t).collect();
        let mut circuit: Option<Circuit> = None;
        for found in 0.. {
            // A solver provided by the user may return models for ever.
            self.budget.poll().map_err(Unknown::from)?;
            self.effort.model_calls += 1;
            if !self.satisfiable(None)? {
                break;
            }
            if found == self.limits.single_models {
                let limits = self.limits;
                circuit = Some(Circuit::new(self.terms, self.before, block, &predicates, limits));
            }
            let mut cube = None;
            if let Some(circuit) = circuit.as_mut().filter(|c| c.pays()) {
                let model = self.solver.values(self.terms, circuit.inputs())?;
                cube = circuit.generalise(self.terms, model);
            }
            let cube = match cube {
                Some(cube) => cube,
                None => {
                    let values = self.solver.values(self.terms, &predicates)?;
                    Cube::single(values.into_iter().map(|v| v == Value::Bool(true)))
                }
            };
            self.effort.generalised += u64::from(!cube.groups.is_empty());
            let state = state_of(vocabulary, open, &cube)?;
            *models = vocabulary.manager().or(models, &state)?;
            let term = term_of(self.terms, &predicates, &cube);
            let other = self.terms.not(term);
            self.solver.assert(self.terms, other)?;
        }
        Ok(())
    }

    fn satisfiable(&mut self, further: Option<Term>) -> Result<bool, AbstractionError> {
        let assumptions: Vec<Term> = [self.before].into_iter().chain(further).collect();
        match self.solver.check(self.terms, &assumptions, self.budget)? {
            SmtAnswer::Sat => Ok(true),
            SmtAnswer::Unsat => Ok(false),
            SmtAnswer::Unknown(reason) => Err(reason.into()),
        }
    }
}
