//! Decides bit-vector formulas by Z3 as if their numbers were unbounded integers.
//!
//! Answers refer to the arithmetic of the paper, not to that of the program: overflow is ignored,
//! and terms that are not linear may have any value.  The caller must check its conclusions.

use super::Linear;
use crate::log::{Logged, Purpose, QueryLog};
use crate::solver::{SmtAnswer, SmtError, SmtSolver, Unknown};
use crate::term::{Memo, Sort, Term, Terms, Value};
use crate::z3::Z3;
use hardbop_base::budget::Budget;

/// A solver that translates all formulas of a query together.
pub struct LinearSolver {
    log: Option<QueryLog>,
    purpose: Purpose,
    /// A separate store for integer terms, to keep them out of the caller's store.
    own: Terms,
    imported: Memo,
    /// The caller's terms.
    asserted: Vec<Term>,
    levels: Vec<usize>,
    /// The last query.
    last: Option<Query>,
}

struct Query {
    linear: Linear,
    solver: Logged<Z3>,
    answer: SmtAnswer,
    /// The caller's assumptions, each with its translation.
    assumptions: Vec<(Term, Term)>,
}

impl LinearSolver {
    /// An empty solver.
    pub fn new(log: Option<&QueryLog>, purpose: Purpose) -> Self {
        Self {
            log: log.cloned(),
            purpose,
            own: Terms::new(),
            imported: Memo::default(),
            asserted: vec![],
            levels: vec![],
            last: None,
        }
    }

    fn import(&mut self, terms: &Terms, all: &[Term]) -> Vec<Term> {
        all.iter().map(|&t| self.own.import(terms, t, &mut self.imported)).collect()
    }
}

impl SmtSolver for LinearSolver {
    fn push(&mut self) -> Result<(), SmtError> {
        self.levels.push(self.asserted.len());
        self.last = None;
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        self.asserted.truncate(self.levels.pop().unwrap_or(0));
        self.last = None;
        Ok(())
    }

    fn assert(&mut self, _terms: &Terms, formula: Term) -> Result<(), SmtError> {
        self.asserted.push(formula);
        self.last = None;
        Ok(())
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError> {
        let asserted = self.asserted.clone();
        let mut all = self.import(terms, &asserted);
        all.extend(self.import(terms, assumptions));
        let (linear, images) = Linear::translate(&mut self.own, &all);
        let mut solver = Logged::new(Z3::with_integers()?, self.log.as_ref(), self.purpose);
        for fact in linear.lower_bounds(&mut self.own) {
            solver.assert(&self.own, fact)?;
        }
        let (facts, assumed) = images.split_at(asserted.len());
        facts.iter().try_for_each(|&f| solver.assert(&self.own, f))?;
        let mut answer = solver.check(&self.own, assumed, budget)?;
        // An execution needs all values; elsewhere, terms that are not linear may have any value.
        if let (SmtAnswer::Sat, Purpose::Path, Some(&t)) =
            (&answer, self.purpose, linear.abstracted().first())
        {
            let text = self.own.display(t).to_string();
            let reason = format!("not linear: {}", text.chars().take(80).collect::<String>());
            answer = SmtAnswer::Unknown(Unknown::Incomplete(reason));
        }
        let assumptions = assumptions.iter().copied().zip(assumed.iter().copied()).collect();
        self.last = Some(Query { linear, solver, answer: answer.clone(), assumptions });
        Ok(answer)
    }

    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> {
        let t = self.own.import(terms, t, &mut self.imported);
        let last = self.last.as_mut().filter(|q| q.answer == SmtAnswer::Sat);
        let last = last.ok_or(SmtError::NoModel)?;
        let image = last.linear.extend(&mut self.own, t);
        let value = last.solver.value(&self.own, image)?;
        Ok(match (value, self.own.sort(t)) {
            // The bits that the value has in the program.
            (Value::Int(i), Sort::Bits(width)) => {
                let all = (1_i128 << width) - 1;
                Value::Bits((i & all) as u64)
            }
            (value, _) => value,
        })
    }

    fn core(&self) -> Result<Vec<Term>, SmtError> {
        let last = self.last.as_ref().filter(|q| q.answer == SmtAnswer::Unsat);
        let last = last.ok_or(SmtError::NoCore)?;
        let core = last.solver.core()?;
        let needed = last.assumptions.iter().filter(|(_, image)| core.contains(image));
        let mut all: Vec<Term> = needed.map(|&(t, _)| t).collect();
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }
}
