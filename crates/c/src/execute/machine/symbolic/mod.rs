//! Values that are terms over inputs (see [`Ways::with_solver`](crate::execute::Ways::with_solver)).
//!
//! Such values are in memory as bytes without values, for each of which there is a term: what copies bytes copies these,
//! too.  Where a place or a size depends on inputs, there is an execution for each of its values.

mod arithmetic;
mod bytes;
mod expression;
mod image;
mod snapshot;

pub use snapshot::Snapshot;

use super::arithmetic::sign_extended;
use super::layout::Scalar;
use super::state::{Machine, Sort, Stop, Unanswered};
use crate::execute::execution::{Demand, Recorded, Request};
use crate::execute::machine::layout::mask;
use crate::execute::ways::{Site, Symbols};
use crate::flow::Expr;
use crate::terms::float_is_not_zero;
use crate::trace::{EdgeIndex, Input, InputKind};
use hardbop_smt::{Comparison, Term, Terms};

/// The number of inputs of an execution.
const MOST_INPUTS: usize = 1 << 10;
/// The same where a solver is not asked at each branch.
const MOST_GUIDED_INPUTS: usize = 1 << 13;

/// Values that are picked are told apart from branches.
const PICKED: usize = 1 << 16;
/// So are ways that no branch is about.
const OFFERED: usize = PICKED + 1;

impl Machine<'_, '_> {
    /// The inputs as terms, if the execution has them.
    pub(super) fn symbols(&mut self) -> Option<&mut Symbols> {
        self.oracle.ways().and_then(|ways| ways.symbols())
    }

    /// An edge is passed.
    pub fn pass(&mut self, edge: EdgeIndex) {
        if self.is_guided
            && let Some(symbols) = self.symbols()
        {
            symbols.pass(edge);
        }
    }

    pub(super) fn terms(&mut self) -> Result<&mut Terms, Stop> {
        Ok(&mut self.symbols().ok_or(Stop::NoInput)?.terms)
    }

    /// A constant.
    fn bits(&mut self, width: u32, value: u64) -> Result<Term, Stop> {
        Ok(self.terms()?.bits(width, value & mask(width)))
    }

    /// The input for which the oracle was asked last, as a term as wide as its sort.
    ///
    /// # Errors
    /// If there are no terms, and for pointers: they would be those of objects.
    pub(super) fn unanswered(&mut self) -> Result<Term, Stop> {
        let Some(Unanswered { kind, sort, demand }) = self.unanswered.take() else {
            return Err(Stop::NoInput);
        };
        let most = if self.is_guided { MOST_GUIDED_INPUTS } else { MOST_INPUTS };
        if sort.pointee.is_some() || self.inputs.len() >= most {
            return Err(Stop::NoInput);
        }
        let Sort { bits, width, float, .. } = sort;
        let never = self.never_set(&kind, bits);
        let position = self.inputs.len();
        let (edge, span) = (self.edge, self.span);
        let (pointer, concrete) = (false, false);
        let request = Request { kind: &kind, bits, float, pointer, concrete, span };
        let term = self.symbols().ok_or(Stop::NoInput)?.input(position, &request);
        self.inputs.push(Recorded {
            input: Input { kind, bits, value: 0, object: false },
            float,
            pointer: false,
            width,
            fresh: mask(width),
            object: None,
            demand,
            edge,
            span,
        });
        let terms = self.terms()?;
        if never == 0 {
            return Ok(terms.zero_extend(width, term));
        }
        let fine = terms.bits(bits, !never & mask(bits));
        let term = terms.binary(hardbop_smt::BitOp::And, term, fine);
        Ok(terms.zero_extend(width, term))
    }

    /// The value of a scalar; where inputs decide it, one of its values, for each of which there is an execution.
    pub fn fixed(&mut self, expr: &Expr) -> Result<u64, Stop> {
        match self.scalar(expr) {
            Err(Stop::NoInput) if self.symbols().is_some() => match self.term(expr) {
                Ok(term) => self.pick(term),
                Err(Stop::NoInput) => self.concretely(|machine| machine.scalar(expr)),
                Err(stop) => Err(stop),
            },
            value => value,
        }
    }

    /// What comes of the values that terms have in this execution.
    ///
    /// # Errors
    /// Those of `evaluate`, and [`Stop::NoInput`] where terms have no values.
    pub(super) fn concretely<T>(
        &mut self,
        evaluate: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        if !self.is_guided {
            return Err(Stop::NoInput);
        }
        let before = std::mem::replace(&mut self.concrete, true);
        let value = evaluate(self);
        self.concrete = before;
        value
    }

    /// Requests an input from the oracle, of which only a value will do.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn ask_for_value(
        &mut self,
        kind: InputKind,
        sort: Sort,
        demand: Demand,
    ) -> Result<u64, Stop> {
        let is_guided = self.is_guided;
        let before = std::mem::replace(&mut self.concrete, is_guided);
        let value = self.ask(kind, sort, demand);
        self.concrete = before;
        value
    }

    /// An expression that has no term, as a constant.
    pub(super) fn constant_term(&mut self, expr: &Expr) -> Result<Term, Stop> {
        let value = self.concretely(|machine| machine.scalar(expr))?;
        let width = self.scalar_type(expr.ty)?.bits();
        self.bits(width, value)
    }

    /// The branch at which the execution is.
    fn site(&self) -> Site {
        (self.frames.last().map(|frame| (frame.function.0, frame.location)), 0)
    }

    /// One of the values of a term.
    pub(super) fn pick(&mut self, term: Term) -> Result<u64, Stop> {
        if let Some(value) = self.terms()?.as_bits(term) {
            return Ok(value);
        }
        self.chosen += 1;
        let site = (self.site().0, PICKED);
        self.oracle.ways().and_then(|ways| ways.pick(term, site)).ok_or(Stop::NoInput)
    }

    /// The condition that the value of an expression is not 0, or that it is.
    pub fn decided(&mut self, expr: &Expr, value: Term, expected: bool) -> Result<Term, Stop> {
        let scalar = self.scalar_type(expr.ty)?;
        let truth = self.truth(scalar, value)?;
        let terms = self.terms()?;
        Ok(if expected { truth } else { terms.not(truth) })
    }

    /// The condition to go on with; `None` if none of them may hold.
    pub fn way_among(&mut self, conditions: &[Term]) -> Result<Option<usize>, Stop> {
        self.chosen += 1;
        let site = self.site();
        let ways = self.oracle.ways().ok_or(Stop::NoInput)?;
        ways.choose_among(conditions, site).ok_or(Stop::NoInput)
    }

    /// Takes in that all these conditions might hold here, which is another way for executions that are led.
    pub(super) fn might_hold(&mut self, conditions: &[Term]) -> Result<(), Stop> {
        if conditions.is_empty() {
            return Ok(());
        }
        let site = (self.site().0, OFFERED);
        let symbols = self.symbols().ok_or(Stop::NoInput)?;
        symbols.offer(conditions, site);
        Ok(())
    }

    /// Whether a condition holds; where it may and may not, there is an execution for each.
    pub(super) fn holds(&mut self, condition: Term) -> Result<bool, Stop> {
        let not = self.terms()?.not(condition);
        match self.way_among(&[condition, not])? {
            Some(way) => Ok(way == 0),
            None => Err(Stop::Assumption),
        }
    }

    /// A new input that is in a range, as a signed number.
    pub(super) fn between_terms(&mut self, value: Term, range: (i64, i64)) -> Result<Term, Stop> {
        let (least, greatest) = range;
        let symbols = self.symbols().ok_or(Stop::NoInput)?;
        let terms = &mut symbols.terms;
        let width = terms.width(value);
        // Where the range is not one of signed numbers, it may be any.
        if [least, greatest].iter().any(|&n| sign_extended(n as u64 & mask(width), width) != n) {
            return Ok(value);
        }
        let [least, greatest] =
            [least, greatest].map(|n| terms.bits(width, n as u64 & mask(width)));
        let above = terms.compare(Comparison::SLe, least, value);
        let below = terms.compare(Comparison::SLe, value, greatest);
        let both = symbols.terms.and(&[above, below]);
        if symbols.is_guided() && symbols.known(both) == Some(0) {
            let given = i128::from(sign_extended(symbols.known(value).unwrap_or_default(), width));
            let count = i128::from(range.1) - i128::from(range.0) + 1;
            let value = i128::from(range.0) + (given - i128::from(range.0)).rem_euclid(count);
            symbols.replace(value as u64 & mask(width));
        }
        if symbols.is_possible(both) != Some(true) {
            return Err(Stop::NoInput);
        }
        symbols.assume(both);
        Ok(value)
    }

    /// Goes on only where a condition holds, which it has to for all inputs that lead here.
    ///
    /// # Errors
    /// Where it may not.
    fn require(&mut self, condition: Term) -> Result<(), Stop> {
        let symbols = self.symbols().ok_or(Stop::NoInput)?;
        let not = symbols.terms.not(condition);
        match symbols.is_possible(not) {
            Some(false) => {
                // For the inputs of this execution, that is: it has to hold for those of others.
                if symbols.is_guided() {
                    symbols.assume(condition);
                }
                Ok(())
            }
            _ => Err(Stop::NoInput),
        }
    }

    /// The condition that a scalar of a type is not 0.
    pub fn truth(&mut self, scalar: Scalar, value: Term) -> Result<Term, Stop> {
        let terms = self.terms()?;
        Ok(match scalar {
            Scalar::Float | Scalar::Double => float_is_not_zero(terms, value),
            _ => {
                let zero = terms.bits(terms.width(value), 0);
                terms.distinct(value, zero)
            }
        })
    }

    /// A condition as a number of so many bits.
    fn number(&mut self, condition: Term, width: u32) -> Result<Term, Stop> {
        let terms = self.terms()?;
        let (one, zero) = (terms.bits(width, 1), terms.bits(width, 0));
        Ok(terms.ite(condition, one, zero))
    }
}

fn is_float(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Float | Scalar::Double)
}

fn is_signed(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Int { signed: true, .. })
}
