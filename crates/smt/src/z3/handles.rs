//! Reference-counted handles to Z3's solvers, models and Horn-clause engines.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};

use super::context::{Ast, Context, c_string, copied, count, pointers};
use super::ffi;
use crate::{SmtAnswer, SmtError, Sort, Unknown};
use hardbop_base::budget::Budget;

/// A parameter of a solver or an engine.
#[derive(Debug, Clone, Copy)]
pub enum Parameter<'a> {
    Bool(&'a str, bool),
    Number(&'a str, u32),
    Name(&'a str, &'a str),
}

/// Calls `f` with a set of parameters.
fn with_parameters(context: &Context, all: &[Parameter<'_>], f: impl FnOnce(*mut ffi::Params)) {
    let (z3, c) = (context.api(), context.raw());
    // SAFETY: the set lives from here to the end, and symbols live as long as the context.
    unsafe {
        let set = z3.Z3_mk_params(c);
        z3.Z3_params_inc_ref(c, set);
        // Otherwise Z3 would treat Ctrl-C as the end of the current call only, and nobody else
        // would receive the signal.
        z3.Z3_params_set_bool(c, set, context.symbol("ctrl_c"), false);
        for p in all {
            match *p {
                Parameter::Bool(k, v) => z3.Z3_params_set_bool(c, set, context.symbol(k), v),
                Parameter::Number(k, v) => z3.Z3_params_set_uint(c, set, context.symbol(k), v),
                Parameter::Name(k, v) => {
                    z3.Z3_params_set_symbol(c, set, context.symbol(k), context.symbol(v));
                }
            }
        }
        f(set);
        z3.Z3_params_dec_ref(c, set);
    }
}

/// Runs a check within a budget.
fn watched(
    context: &Context,
    budget: &Budget,
    run: impl FnOnce() -> c_int,
    reason: impl FnOnce() -> String,
) -> Result<SmtAnswer, SmtError> {
    if let Err(spent) = context.watch().begin(budget) {
        return Ok(SmtAnswer::Unknown(Unknown::Exhausted(spent)));
    }
    let answer = context.checked(run());
    let fired = context.watch().end();
    match (answer, fired) {
        (Ok(ffi::FALSE), _) => Ok(SmtAnswer::Unsat),
        (Ok(ffi::TRUE), None) => Ok(SmtAnswer::Sat),
        // An interrupted call may also report an error, or be satisfiable without a model.
        (_, Some(spent)) => Ok(SmtAnswer::Unknown(Unknown::Exhausted(spent))),
        (Ok(_), None) => Ok(SmtAnswer::Unknown(Unknown::Incomplete(reason()))),
        (Err(error), None) => Err(error),
    }
}

/// A choice among Z3's solvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Core {
    /// Z3's default.
    Default,
    /// The SMT core alone, incremental.
    Simple,
    /// Z3's solver for quantifier-free bit-vectors: bit-blasting into an incremental SAT solver.
    Bits,
    /// A solver for bit-vectors and floating-point numbers: as `Bits`, but each check begins anew.
    Floats,
    /// A solver for bit-vectors that is asked once: equals are substituted before bits are made.
    Once,
}

/// Z3's steps of [`Core::Floats`] and of [`Core::Once`], and whether each makes sums of products.
const FLOATS: [(&CStr, bool); 1] = [(c"qffpbv", false)];
const ONCE: [(&CStr, bool); 7] = [
    (c"simplify", false),
    (c"propagate-values", false),
    (c"solve-eqs", false),
    (c"simplify", true),
    (c"max-bv-sharing", false),
    (c"bit-blast", false),
    (c"sat", false),
];

/// Z3's tactic of these steps, one after the other, which the caller releases.
fn tactic(context: &Context, steps: &[(&CStr, bool)]) -> Result<*mut ffi::Tactic, SmtError> {
    let (z3, c) = (context.api(), context.raw());
    let mut whole: Option<*mut ffi::Tactic> = None;
    for &(step, makes_sums) in steps {
        // SAFETY: a live context; each tactic is counted as soon as it is made, and released when
        // it is a part of another one, as is the set of parameters.
        unsafe {
            let mut next = z3.Z3_mk_tactic(c, step.as_ptr());
            context.checked(())?;
            z3.Z3_tactic_inc_ref(c, next);
            if makes_sums {
                let set = z3.Z3_mk_params(c);
                z3.Z3_params_inc_ref(c, set);
                z3.Z3_params_set_bool(c, set, context.symbol("som"), true);
                let told = z3.Z3_tactic_using_params(c, next, set);
                z3.Z3_tactic_inc_ref(c, told);
                z3.Z3_tactic_dec_ref(c, next);
                z3.Z3_params_dec_ref(c, set);
                next = told;
            }
            whole = Some(match whole {
                None => next,
                Some(first) => {
                    let both = z3.Z3_tactic_and_then(c, first, next);
                    z3.Z3_tactic_inc_ref(c, both);
                    z3.Z3_tactic_dec_ref(c, first);
                    z3.Z3_tactic_dec_ref(c, next);
                    both
                }
            });
        }
    }
    context.checked(whole)?.ok_or_else(|| SmtError::Z3("a tactic without steps".into()))
}

/// A solver of Z3.
#[derive(Debug)]
pub struct RawSolver {
    context: Context,
    raw: *mut ffi::Solver,
}

impl RawSolver {
    pub fn new(
        context: &Context,
        core: Core,
        parameters: &[Parameter<'_>],
    ) -> Result<Self, SmtError> {
        let (z3, c) = (context.api(), context.raw());
        // SAFETY: a live context; the solver is counted at once.
        unsafe {
            let raw = match core {
                Core::Default => z3.Z3_mk_solver(c),
                Core::Simple => z3.Z3_mk_simple_solver(c),
                Core::Bits => z3.Z3_mk_solver_for_logic(c, context.symbol("QF_BV")),
                Core::Floats | Core::Once => {
                    let steps = if core == Core::Once { &ONCE[..] } else { &FLOATS[..] };
                    let tactic = tactic(context, steps)?;
                    let raw = z3.Z3_mk_solver_from_tactic(c, tactic);
                    z3.Z3_tactic_dec_ref(c, tactic);
                    raw
                }
            };
            context.checked(())?;
            z3.Z3_solver_inc_ref(c, raw);
            let solver = Self { context: context.clone(), raw };
            solver.set(parameters)?;
            Ok(solver)
        }
    }

    pub fn set(&self, parameters: &[Parameter<'_>]) -> Result<(), SmtError> {
        with_parameters(&self.context, parameters, |set| {
            // SAFETY: solver and parameters live.
            unsafe { self.context.api().Z3_solver_set_params(self.context.raw(), self.raw, set) }
        });
        self.context.checked(())
    }

    pub fn push(&self) -> Result<(), SmtError> {
        // SAFETY: a live solver.
        unsafe { self.context.api().Z3_solver_push(self.context.raw(), self.raw) };
        self.context.checked(())
    }

    /// Closes `levels` levels; Z3 reports an error if there are fewer.
    pub fn pop(&self, levels: u32) -> Result<(), SmtError> {
        // SAFETY: a live solver.
        unsafe { self.context.api().Z3_solver_pop(self.context.raw(), self.raw, levels) };
        self.context.checked(())
    }

    pub fn assert(&self, a: &Ast) -> Result<(), SmtError> {
        // SAFETY: a live solver and term.
        unsafe { self.context.api().Z3_solver_assert(self.context.raw(), self.raw, a.raw()) };
        self.context.checked(())
    }

    /// Asserts the assertions of an SMT-LIB text.
    pub fn read(&self, text: &str) -> Result<(), SmtError> {
        let text = c_string(text);
        // SAFETY: a live solver, and a string that lives during the call.
        unsafe {
            self.context.api().Z3_solver_from_string(self.context.raw(), self.raw, text.as_ptr())
        };
        self.context.checked(())
    }

    pub fn check(&self, assumptions: &[Ast], budget: &Budget) -> Result<SmtAnswer, SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        let all = pointers(assumptions);
        // SAFETY: a live solver, and as many live terms as stated.
        let run =
            || unsafe { z3.Z3_solver_check_assumptions(c, self.raw, count(&all), all.as_ptr()) };
        // SAFETY: a live solver; the text is copied at once.
        let reason = || unsafe { copied(z3.Z3_solver_get_reason_unknown(c, self.raw)) };
        watched(&self.context, budget, run, reason)
    }

    /// The assumptions that the last check, which answered `Unsat`, needed.
    pub fn core(&self) -> Result<Vec<Ast>, SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: the vector is counted while it is read.
        unsafe {
            let vector = z3.Z3_solver_get_unsat_core(c, self.raw);
            self.context.checked(())?;
            z3.Z3_ast_vector_inc_ref(c, vector);
            let all = (0..z3.Z3_ast_vector_size(c, vector))
                .map(|i| self.context.own(z3.Z3_ast_vector_get(c, vector, i)))
                .collect();
            z3.Z3_ast_vector_dec_ref(c, vector);
            all
        }
    }

    /// The model of the last check, which answered `Sat`.
    pub fn model(&self) -> Result<Model, SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live solver; the model is counted at once.
        unsafe {
            let raw = z3.Z3_solver_get_model(c, self.raw);
            self.context.checked(())?;
            z3.Z3_model_inc_ref(c, raw);
            Ok(Model { context: self.context.clone(), raw })
        }
    }
}

impl Drop for RawSolver {
    fn drop(&mut self) {
        // SAFETY: counted when it was made.
        unsafe { self.context.api().Z3_solver_dec_ref(self.context.raw(), self.raw) }
    }
}

/// A model of Z3.
#[derive(Debug)]
pub struct Model {
    context: Context,
    raw: *mut ffi::Model,
}

impl Model {
    /// The value of a term; parts that do not matter get arbitrary values.
    pub fn value(&self, a: &Ast) -> Result<Ast, SmtError> {
        let mut out = std::ptr::null_mut();
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live model and term, and a place for the answer.
        let found = unsafe { z3.Z3_model_eval(c, self.raw, a.raw(), true, &raw mut out) };
        if !found {
            return self.context.checked(()).and(Err(SmtError::NoModel));
        }
        self.context.own(out)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: counted when it was made.
        unsafe { self.context.api().Z3_model_dec_ref(self.context.raw(), self.raw) }
    }
}

/// An uninterpreted relation of a system of Horn clauses.
#[derive(Debug)]
pub struct Relation {
    context: Context,
    raw: *mut ffi::FuncDecl,
    arity: usize,
}

impl Relation {
    /// The relation applied to operands; there must be as many as its arity.
    pub fn of(&self, operands: &[Ast]) -> Result<Ast, SmtError> {
        assert_eq!(operands.len(), self.arity, "operands of a relation");
        let all = pointers(operands);
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live declaration, and as many live terms as stated.
        self.context.own(unsafe { z3.Z3_mk_app(c, self.raw, count(&all), all.as_ptr()) })
    }
}

/// Z3's engine for Horn clauses.
#[derive(Debug)]
pub struct Horn {
    context: Context,
    raw: *mut ffi::Fixedpoint,
}

impl Horn {
    pub fn new(context: &Context, parameters: &[Parameter<'_>]) -> Result<Self, SmtError> {
        let (z3, c) = (context.api(), context.raw());
        // SAFETY: a live context; the engine is counted at once.
        unsafe {
            let raw = z3.Z3_mk_fixedpoint(c);
            context.checked(())?;
            z3.Z3_fixedpoint_inc_ref(c, raw);
            let horn = Self { context: context.clone(), raw };
            with_parameters(context, parameters, |set| z3.Z3_fixedpoint_set_params(c, raw, set));
            context.checked(())?;
            Ok(horn)
        }
    }

    /// Declares a relation; the engine keeps it alive.
    pub fn relation(&self, name: &str, sorts: &[Sort]) -> Result<Relation, SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        let domain: Vec<_> = sorts.iter().map(|&s| self.context.raw_sort(s)).collect();
        // SAFETY: sorts of this context, as many as stated.  Registering counts the declaration.
        unsafe {
            let raw = z3.Z3_mk_func_decl(
                c,
                self.context.symbol(name),
                count(&domain),
                domain.as_ptr(),
                self.context.raw_sort(Sort::Bool),
            );
            self.context.checked(())?;
            z3.Z3_fixedpoint_register_relation(c, self.raw, raw);
            self.context.checked(())?;
            Ok(Relation { context: self.context.clone(), raw, arity: sorts.len() })
        }
    }

    /// Adds a rule: a closed implication.
    pub fn rule(&self, name: &str, rule: &Ast) -> Result<(), SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live engine and term.
        unsafe { z3.Z3_fixedpoint_add_rule(c, self.raw, rule.raw(), self.context.symbol(name)) };
        self.context.checked(())
    }

    /// Can the query be derived from the rules?
    pub fn query(&self, query: &Ast, budget: &Budget) -> Result<SmtAnswer, SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live engine and term; the text is copied at once.
        let run = || unsafe { z3.Z3_fixedpoint_query(c, self.raw, query.raw()) };
        // SAFETY: as before.
        let reason = || unsafe { copied(z3.Z3_fixedpoint_get_reason_unknown(c, self.raw)) };
        watched(&self.context, budget, run, reason)
    }

    /// The number of levels at which the relation has lemmas.
    pub fn levels(&self, relation: &Relation) -> Result<u32, SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live engine and a relation of it.
        self.context.checked(unsafe { z3.Z3_fixedpoint_get_num_levels(c, self.raw, relation.raw) })
    }

    /// The lemmas about the relation at a level (-1: those that hold at all levels), over variables
    /// numbered like its operands.
    pub fn lemmas(&self, level: i32, relation: &Relation) -> Result<Ast, SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live engine and a relation of it.
        self.context
            .own(unsafe { z3.Z3_fixedpoint_get_cover_delta(c, self.raw, level, relation.raw) })
    }
}

impl Drop for Horn {
    fn drop(&mut self) {
        // SAFETY: counted when it was made.
        unsafe { self.context.api().Z3_fixedpoint_dec_ref(self.context.raw(), self.raw) }
    }
}
