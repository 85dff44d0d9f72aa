//! Expressions that depend on inputs which have no value (see [`Ways`](crate::execute::Ways)).

use super::evaluate::Value;
use super::layout::mask;
use super::state::{Machine, Stop};
use crate::flow::{Base, BinaryOp, Expr, ExprKind, Place, Step, UnaryOp};
use crate::library::{Execution, LibraryFunction, Returns, Writes, find};
use hardbop_smt::Term;

/// What comes of something that may depend on inputs without a value.
pub enum Known<T> {
    Is(T),
    /// It may be anything.
    Open,
    /// It is a term over inputs.
    Term(Term),
}

impl Machine<'_, '_> {
    /// Whether executions go on where something depends on an input without a value.
    pub fn stands_for_all(&mut self) -> bool {
        self.oracle.ways().is_some()
    }

    /// The way to take where inputs decide between so many.
    ///
    /// # Errors
    /// After too many choices.
    pub fn way(&mut self, ways: usize) -> Result<usize, Stop> {
        self.chosen += 1;
        self.oracle.ways().and_then(|all| all.choose(ways)).ok_or(Stop::NoInput)
    }

    /// What was evaluated, or that it is open.
    ///
    /// # Errors
    /// Those of the evaluation, and where more than the value depends on inputs.
    pub fn known<T>(&mut self, evaluated: Result<T, Stop>, expr: &Expr) -> Result<Known<T>, Stop> {
        match evaluated {
            Err(Stop::NoInput) if self.symbols().is_some() => {
                self.chosen += 1;
                match self.term(expr) {
                    Err(Stop::NoInput) => self.constant_term(expr).map(Known::Term),
                    term => term.map(Known::Term),
                }
            }
            Err(Stop::NoInput) if self.stands_for_all() => {
                self.is_harmless(expr)?;
                self.chosen += 1;
                Ok(Known::Open)
            }
            evaluated => evaluated.map(Known::Is),
        }
    }

    /// A scalar from outside.
    ///
    /// # Errors
    /// Where there is none, unless the execution stands for all.
    pub fn given(&mut self, given: Result<u64, Stop>) -> Result<Value, Stop> {
        match given {
            Err(Stop::NoInput) if self.symbols().is_some() => {
                self.chosen += 1;
                self.unanswered().map(Value::Term)
            }
            Err(Stop::NoInput) if self.stands_for_all() => {
                self.chosen += 1;
                Ok(Value::Open)
            }
            given => given.map(Value::Scalar),
        }
    }

    /// Fails unless the expression has a value for each value of the inputs.
    fn is_harmless(&mut self, expr: &Expr) -> Result<(), Stop> {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => Ok(()),
            ExprKind::Load(place) => {
                self.is_harmless_place(place)?;
                let spot = self.spot(place)?;
                match self.layout.scalar(place.ty) {
                    Some(scalar) => self.bits_of(spot, scalar).map(drop),
                    None => self.access(spot, self.layout.size(place.ty)).map(drop),
                }
            }
            ExprKind::AddressOf(place) => self.is_harmless_place(place),
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, left, right) => {
                let bits = self.scalar_type(right.ty)?.bits();
                let by = self.scalar(right)?;
                if by == 0 || by == mask(bits) {
                    return Err(Stop::NoInput);
                }
                self.is_harmless(left)
            }
            ExprKind::Unary(UnaryOp::Is(_), _)
            | ExprKind::Binary(BinaryOp::Apart | BinaryOp::Beyond, ..)
            | ExprKind::Difference { .. }
            | ExprKind::Rounded(..) => self.scalar(expr).map(drop),
            // What stands behind `p && ..` is looked at without `p`.
            _ => expr.operands().try_for_each(|operand| self.is_harmless(operand)),
        }
    }

    /// Fails unless it is known where the place is.
    fn is_harmless_place(&mut self, place: &Place) -> Result<(), Stop> {
        if let Base::Pointer(pointer) = &place.base {
            self.scalar(pointer)?;
        }
        for step in &place.path {
            if let Step::Index(index) = step {
                self.scalar(index)?;
            }
        }
        Ok(())
    }
}

/// Whether what a function of the library does is the same for each value of the open arguments; `pointers` says whether
/// there are pointers among these.
pub(super) fn takes_any(name: &str, values: &[Value], pointers: bool) -> bool {
    let is_open = |index: usize| matches!(values.get(index), Some(Value::Open | Value::Term(_)));
    let model = find(name).and_then(LibraryFunction::model);
    model.is_some_and(|model| {
        let is_read = match model.effect.returns {
            Returns::UpTo { argument, .. } => is_open(argument),
            _ => false,
        };
        let ignores = match model.execution {
            Execution::Output | Execution::Between { .. } => true,
            // Locks, semaphores and barriers are followed.
            Execution::Unmodelled => {
                !["pthread_", "sem_", "mtx_"].iter().any(|family| name.starts_with(family))
            }
            _ => false,
        };
        ignores && !is_read && !(pointers && model.effect.writes != Writes::Nothing)
    })
}
