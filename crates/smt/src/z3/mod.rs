//! Z3 (Microsoft Research, MIT licence) as a back end.  Its library is loaded when the first
//! context is made.

mod carried;
pub mod context;
pub mod encode;
pub mod ffi;
mod float;
pub mod handles;
mod library;
mod watch;

use rustc_hash::FxHashMap;

pub use self::carried::{Carried, carry};
pub use self::context::version;
pub use self::handles::Core;

use self::context::{Ast, Context};
use self::encode::Encoder;
use self::handles::{Model, Parameter, RawSolver};
use super::solver::{SmtAnswer, SmtError, SmtSolver};
use super::term::{Node, Sort, Term, Terms, Value};
use hardbop_base::budget::Budget;

/// An incremental solver.  All terms must come from one store.
#[derive(Debug)]
pub struct Z3 {
    encoder: Encoder,
    solver: RawSolver,
    context: Context,
    /// Names for assumptions that are not literals, each with the level at which it was defined.
    names: FxHashMap<Term, (Ast, usize)>,
    /// The number of names ever made.
    named: usize,
    level: usize,
    /// The assertions at each level, as long as another core may be needed for them: that for
    /// bit-vectors knows no floating-point operators.
    asserted: Option<Vec<Vec<Ast>>>,
    /// The assumptions of the last check, by the address of their term.
    assumed: FxHashMap<usize, (Term, Ast)>,
    model: Option<Model>,
    unsatisfiable: bool,
    limit: Option<u32>,
    /// Has a check been made?
    is_used: bool,
}

/// The work that one conflict stands for, in Z3's unit.
const WORK_PER_CONFLICT: u32 = 2_000;

/// The seed, for the same answers in every run.
const SEED: [Parameter; 1] = [Parameter::Number("random_seed", 0)];

impl Z3 {
    /// A solver for formulas over Booleans and bit-vectors.
    ///
    /// # Errors
    /// If there is no Z3, or it refuses.
    pub fn new() -> Result<Self, SmtError> {
        Self::with_core(Core::Bits)
    }

    /// A solver for formulas with integers as well.
    ///
    /// # Errors
    /// If there is no Z3, or it refuses.
    pub fn with_integers() -> Result<Self, SmtError> {
        Self::with_core(Core::Simple)
    }

    /// A solver with the given core of Z3.
    ///
    /// # Errors
    /// If there is no Z3, or it refuses.
    pub fn with_core(core: Core) -> Result<Self, SmtError> {
        let context = Context::new()?;
        let solver = RawSolver::new(&context, core, &SEED)?;
        Ok(Self {
            encoder: Encoder::new(&context),
            solver,
            context,
            names: FxHashMap::default(),
            named: 0,
            level: 0,
            asserted: (core == Core::Bits).then(|| vec![vec![]]),
            assumed: FxHashMap::default(),
            model: None,
            unsatisfiable: false,
            limit: None,
            is_used: false,
        })
    }

    /// Ends each check after so much work, in Z3's unit, which is the same in every run.
    ///
    /// # Errors
    /// If there is no Z3, or it refuses.
    pub fn set_work_limit(&mut self, limit: Option<u32>) -> Result<(), SmtError> {
        self.limit = limit;
        self.solver.set(&[Parameter::Number("rlimit", limit.unwrap_or(0))])
    }

    /// Asserts the assertions of an SMT-LIB text.  Its symbols are distinct from those of terms.
    ///
    /// # Errors
    /// If Z3 cannot read it.
    pub fn assert_text(&mut self, text: &str) -> Result<(), SmtError> {
        self.forget_answer();
        self.asserted = None;
        self.solver.read(text)
    }

    /// A literal for an assumption, which may need a name.
    fn literal(&mut self, terms: &Terms, t: Term) -> Result<Ast, SmtError> {
        let atom = match *terms.node(t) {
            Node::Not(a) => a,
            _ => t,
        };
        if terms.node(atom).is_leaf() {
            return self.encoder.encode(terms, t);
        }
        if let Some((name, _)) = self.names.get(&t) {
            return Ok(name.clone());
        }
        let formula = self.encoder.encode(terms, t)?;
        let name = self.context.leaf(&format!("a!{}", self.named), Sort::Bool)?;
        self.named += 1;
        let definition = self.context.two(ffi::IMPLIES, &name, &formula)?;
        self.add(&definition)?;
        self.names.insert(t, (name.clone(), self.level));
        Ok(name)
    }

    fn add(&mut self, formula: &Ast) -> Result<(), SmtError> {
        if self.encoder.floats
            && let Some(levels) = self.asserted.take()
        {
            self.solver = RawSolver::new(&self.context, Core::Floats, &SEED)?;
            self.set_work_limit(self.limit)?;
            for (i, level) in levels.iter().enumerate() {
                if i > 0 {
                    self.solver.push()?;
                }
                level.iter().try_for_each(|formula| self.solver.assert(formula))?;
            }
        }
        if let Some(level) = self.asserted.as_mut().and_then(|levels| levels.last_mut()) {
            level.push(formula.clone());
        }
        self.solver.assert(formula)
    }

    /// Another solver for a first check of assertions alone, which may be the only one: one that does not have to
    /// keep variables for later ones.
    fn once(&mut self, assumptions: &[Ast]) -> Result<Option<RawSolver>, SmtError> {
        let is_first = !std::mem::replace(&mut self.is_used, true);
        let Some([level]) = self.asserted.as_deref() else { return Ok(None) };
        if !is_first || !assumptions.is_empty() {
            return Ok(None);
        }
        let solver = RawSolver::new(&self.context, Core::Once, &SEED)?;
        solver.set(&[Parameter::Number("rlimit", self.limit.unwrap_or(0))])?;
        level.iter().try_for_each(|formula| solver.assert(formula))?;
        Ok(Some(solver))
    }

    fn forget_answer(&mut self) {
        self.model = None;
        self.unsatisfiable = false;
    }
}

impl SmtSolver for Z3 {
    fn push(&mut self) -> Result<(), SmtError> {
        self.forget_answer();
        self.solver.push()?;
        self.level += 1;
        if let Some(levels) = &mut self.asserted {
            levels.push(vec![]);
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        self.forget_answer();
        self.solver.pop(1)?;
        self.level = self.level.saturating_sub(1);
        if let Some(levels) = &mut self.asserted {
            levels.pop();
        }
        let level = self.level;
        self.names.retain(|_, name| name.1 <= level);
        Ok(())
    }

    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<(), SmtError> {
        self.forget_answer();
        let ast = self.encoder.encode(terms, formula)?;
        self.add(&ast)
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError> {
        self.forget_answer();
        self.assumed.clear();
        let mut literals = Vec::with_capacity(assumptions.len());
        for &t in assumptions {
            let literal = self.literal(terms, t)?;
            self.assumed.insert(literal.key(), (t, literal.clone()));
            literals.push(literal);
        }
        let once = self.once(&literals)?;
        let solver = once.as_ref().unwrap_or(&self.solver);
        let answer = solver.check(&literals, budget)?;
        match answer {
            SmtAnswer::Sat => self.model = Some(solver.model()?),
            SmtAnswer::Unsat => self.unsatisfiable = true,
            SmtAnswer::Unknown(_) => {}
        }
        Ok(answer)
    }

    /// Z3 has no such limit that all its solvers keep to: this is one of work.
    fn limit_conflicts(&mut self, most: Option<u32>) {
        let work = most.map(|conflicts| conflicts.saturating_mul(WORK_PER_CONFLICT));
        // Z3 knows the parameter; should it refuse, checks only take longer.
        let _ = self.set_work_limit(work);
    }

    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> {
        let ast = self.encoder.encode(terms, t)?;
        let model = self.model.as_ref().ok_or(SmtError::NoModel)?;
        encode::decode_value(&model.value(&ast)?)
    }

    fn core(&self) -> Result<Vec<Term>, SmtError> {
        if !self.unsatisfiable {
            return Err(SmtError::NoCore);
        }
        if self.assumed.is_empty() {
            return Ok(vec![]);
        }
        let core = self.solver.core()?;
        let mut all: Vec<Term> =
            core.iter().filter_map(|a| self.assumed.get(&a.key())).map(|a| a.0).collect();
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }
}
