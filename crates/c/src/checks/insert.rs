//! Inserts checks before the operations of each instruction.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::assigned::{Written, refuse_missing_results};
use super::{access, counted, formats, models, overlap, pointers, range, streams};
use crate::bodies::Reader;
use crate::edit::Edges;
use crate::flow::{
    BinaryOp, Body, Callee, Checked, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind,
    Instruction, LocationId, Place, UnaryOp, Variable, VariableId, Violation,
};
use crate::instrument::Instrumentation;
use crate::property::Property;
use crate::types::{Type, TypeId, Types};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

/// Operands with more parts than this are kept in temporaries, so that the checks around them do
/// not repeat them.
pub(crate) const LARGE: usize = 24;

/// Puts the checks of a property into all functions.
///
/// What is evaluated for the invariants of a witness has to have a meaning, whatever the property is.
pub(crate) fn insert(flow: &mut Flow, asked: (&Property, &Instrumentation), read: Reader) {
    let (property, instrumentation) = asked;
    let has_invariants = instrumentation.segments.is_none() && !instrumentation.is_empty();
    flow.checked = property.checks;
    pointers::direct(flow, |name| access::is_checked(name, &property.checks));
    if flow.checked.has(Check::Format) {
        formats::insert(flow);
    }
    if flow.checked.has(Check::Overlap) {
        overlap::insert(flow);
    }
    streams::insert(flow);
    models::expand(flow, read);
    counted::insert(flow);
    if property.checks.is_empty() && !has_invariants && flow.beyond.is_empty() {
        return;
    }
    if property.checks.has(Check::Uninitialised) && !property.checks.has(Check::Return) {
        refuse_missing_results(flow);
    }
    let undefined = flow.functions.iter();
    let undefined: Vec<String> =
        undefined.map(|f| if f.body.is_some() { String::new() } else { f.name.clone() }).collect();
    for index in 0..flow.functions.len() {
        if let Some(body) = flow.functions[index].body.take() {
            let body_of = Inserter::new(flow, asked, &undefined, FunctionId(index as u32), &body);
            let body = body_of.body(body);
            flow.functions[index].body = Some(body);
        }
    }
}

/// A function body under construction.
pub(super) struct Inserter<'f> {
    /// For the instruction at hand.
    pub(super) property: Cow<'f, Property>,
    /// The property of the whole program.
    whole: &'f Property,
    instrumentation: &'f Instrumentation,
    /// Whether the instruction at hand is of an invariant of a witness.
    is_woven: bool,
    /// Names of functions without bodies, by number; empty for other functions.
    pub(super) undefined: &'f [String],
    pub(super) strings: &'f [Vec<u8>],
    pub(super) beyond: &'f BTreeMap<TypeId, VariableId>,
    pub(super) types: &'f mut Types,
    pub(super) variables: &'f mut Vec<Variable>,
    function: FunctionId,
    pub(super) code: Edges,
    exit: LocationId,
    /// The location behind the checks inserted so far for the current instruction.
    pub(super) here: LocationId,
    /// The location where the current instruction began.
    pub(super) began: LocationId,
    pub(super) written: Written,
    temporaries: usize,
}

impl<'f> Inserter<'f> {
    fn new(
        flow: &'f mut Flow,
        (whole, instrumentation): (&'f Property, &'f Instrumentation),
        undefined: &'f [String],
        function: FunctionId,
        body: &Body,
    ) -> Self {
        Self {
            property: Cow::Borrowed(whole),
            whole,
            instrumentation,
            is_woven: false,
            undefined,
            strings: &flow.strings,
            beyond: &flow.beyond,
            types: &mut flow.types,
            variables: &mut flow.variables,
            function,
            code: Edges::instead_of(body),
            exit: body.exit,
            here: body.entry,
            began: body.entry,
            written: Written::default(),
            temporaries: 0,
        }
    }

    fn body(mut self, mut body: Body) -> Body {
        if self.whole.checks.has(Check::Uninitialised) {
            self.written = Written::new(&body, self.variables, self.types);
        }
        // The first edge of a branch carries the checks; the other way uses its checked condition.  Where there are more
        // ways than two, each has a condition of its own, of variables that need no check.
        let mut branches: Vec<Option<(LocationId, Expr, bool)>> =
            vec![None; body.locations as usize];
        for mut edge in std::mem::take(&mut body.edges) {
            let source = edge.source;
            (self.here, self.began) = (source, source);
            self.look_at(&edge);
            match &mut edge.instruction {
                Instruction::Assume { condition, expected } => {
                    let branch = &mut branches[source.0 as usize];
                    if let Some((behind, checked, _)) =
                        branch.as_ref().filter(|first| first.2 != *expected)
                    {
                        (self.here, *condition) = (*behind, checked.clone());
                    } else {
                        self.value(condition);
                        *branch = Some((self.here, condition.clone(), *expected));
                    }
                }
                other => self.instruction(other, edge.span),
            }
            edge.source = self.here;
            self.code.edges.push(edge);
        }
        self.code.finish(body)
    }

    /// Says what is checked in an edge.
    fn look_at(&mut self, edge: &Edge) {
        let instrumentation = self.instrumentation;
        let is_of_point = |expr: &Expr| instrumentation.point_at(expr.span).is_some();
        self.is_woven = instrumentation.segments.is_none()
            && edge.instruction.values().flat_map(Expr::parts).any(is_of_point);
        self.property = match self.is_woven {
            true => {
                let property = self.whole.clone();
                Cow::Owned(Property {
                    checks: property
                        .checks
                        .with(Check::Bounds)
                        .with(Check::Null)
                        .with(Check::Division),
                    ..property
                })
            }
            false => Cow::Borrowed(self.whole),
        };
    }

    fn instruction(&mut self, instruction: &mut Instruction, span: Span) {
        match instruction {
            Instruction::Assign(place, value) => {
                if self.is_copy(place, value) {
                    self.copied(value);
                } else {
                    self.value(value);
                }
                self.accessed(place);
                self.may_be_written(place);
            }
            Instruction::Havoc(_, HavocKind::Ended) => {}
            Instruction::Havoc(place, kind) => {
                self.got_from_outside(place, kind);
                self.accessed(place);
                self.may_be_written(place);
            }
            Instruction::Call { result, callee, arguments } => {
                if let Callee::Pointer(pointer) = callee {
                    self.value(pointer);
                    self.not_null(pointer, pointer.span);
                }
                arguments.iter_mut().for_each(|a| self.value(a));
                let may_be_outside = match callee {
                    Callee::Function(function) => !self.undefined[function.0 as usize].is_empty(),
                    Callee::Pointer(_) => true,
                };
                if may_be_outside {
                    arguments.iter_mut().for_each(|a| self.not_beyond(a));
                }
                if let Callee::Function(function) = callee {
                    self.library(*function, arguments, span);
                }
                if let Some(place) = result {
                    self.accessed(place);
                    self.may_be_written(place);
                }
            }
            Instruction::Return(Some(value)) => self.value(value),
            Instruction::Assume { condition, .. } => self.value(condition),
            Instruction::Skip
            | Instruction::Return(None)
            | Instruction::Error(_)
            | Instruction::Halt
            | Instruction::Unsupported(_) => {}
        }
    }

    /// Checks what is copied: where it is.
    fn copied(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Load(place) => self.accessed(place),
            ExprKind::Cast(inner) => self.copied(inner),
            _ => self.value(expr),
        }
    }

    /// Checks what an expression does.
    pub(super) fn value(&mut self, expr: &mut Expr) {
        let (ty, span) = (expr.ty, expr.span);
        match &mut expr.kind {
            ExprKind::Float(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Constant(number) => {
                let number = *number;
                self.aligned_number(Some(number), ty, span);
            }
            ExprKind::Load(place) => {
                self.accessed(place);
                self.written(expr);
            }
            ExprKind::AddressOf(place) => {
                self.place(place, false);
                self.address_taken(place);
            }
            ExprKind::Unary(op, inner) => {
                self.value(inner);
                if *op == UnaryOp::Negate && self.is_signed(ty) {
                    self.keep_large(inner);
                    let zero = Expr { kind: ExprKind::Constant(0), ty, span };
                    self.overflow(Checked::Subtract, zero, (**inner).clone(), span);
                }
            }
            ExprKind::Binary(op, left, right) => {
                self.value(left);
                self.value(right);
                let signed = self.is_signed(left.ty);
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                if divides {
                    self.not_zero(right);
                }
                let checked = match op {
                    BinaryOp::ShiftRight => Some(Checked::ShiftCount),
                    BinaryOp::ShiftLeft if !signed => Some(Checked::ShiftCount),
                    _ => Checked::of(*op).filter(|_| signed),
                };
                if let Some(checked) = checked {
                    self.keep_large(left);
                    self.keep_large(right);
                    self.overflow(checked, (**left).clone(), (**right).clone(), span);
                }
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.value(pointer);
                self.not_beyond(pointer);
                let subtracted = index.is_subtracted_index(span);
                match &mut index.kind {
                    ExprKind::Unary(_, inner) if subtracted => self.value(inner),
                    _ => self.value(index),
                }
            }
            ExprKind::Difference { left, right, .. } | ExprKind::Rounded(left, right) => {
                self.value(left);
                self.value(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                for part in [condition, yes, no] {
                    self.value(part);
                }
            }
            ExprKind::Cast(inner) => {
                self.value(inner);
                if inner.ty != ty {
                    self.not_beyond(inner);
                }
                self.aligned(inner, ty);
            }
        }
    }

    pub(super) fn is_signed(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Int { signed: true, .. })
    }

    pub(super) fn overflow(&mut self, op: Checked, left: Expr, right: Expr, span: Span) {
        let asked = self.property.checks;
        let is_shift = matches!(op, Checked::ShiftLeft | Checked::ShiftCount);
        let is_asked = asked.has(Check::Overflow) || is_shift && asked.has(Check::Shift);
        if !is_asked || range::is_defined(self.types, op, &left, &right) {
            return;
        }
        let condition = Expr::binary(BinaryOp::Overflows(op), left, right, self.types.int());
        let condition = Expr { span, ..condition };
        let violation = match op {
            Checked::ShiftCount => Violation::Of(ErrorKind::ShiftCount),
            Checked::ShiftLeft if !asked.has(Check::Overflow) => {
                Violation::Of(ErrorKind::LeftShift)
            }
            _ => Violation::Of(ErrorKind::SignedOverflow),
        };
        self.check(condition, violation, span);
    }

    /// Checks that a divisor is not 0.
    fn not_zero(&mut self, divisor: &mut Expr) {
        let (ty, span) = (divisor.ty, divisor.span);
        let (check, error, zero) = match self.types.get(ty) {
            Type::Float { .. } => {
                let zero = ExprKind::Float(0.0);
                (Check::FloatDivision, ErrorKind::FloatDivisionByZero, zero)
            }
            _ => (Check::Division, ErrorKind::DivisionByZero, ExprKind::Constant(0)),
        };
        if !self.property.checks.has(check) || !range::has_zero(self.types, divisor) {
            return;
        }
        self.keep_large(divisor);
        let zero = Expr { kind: zero, ty, span };
        let condition = Expr::binary(BinaryOp::Equal, divisor.clone(), zero, self.types.int());
        self.check(Expr { span, ..condition }, Violation::Of(error), span);
    }

    /// Branches to an error where the condition holds.
    pub(super) fn check(&mut self, condition: Expr, violation: Violation, span: Span) {
        let saying = self.instrumentation.saying_at(span).filter(|_| self.is_woven);
        let violation = saying.map_or(violation, Violation::Witness);
        let (error, next) = (self.fresh(), self.fresh());
        let source = std::mem::replace(&mut self.here, next);
        let assume = |condition, expected| Instruction::Assume { condition, expected };
        self.code.add(source, error, assume(condition.clone(), true), span);
        self.code.add(error, self.exit, Instruction::Error(violation), span);
        self.code.add(source, next, assume(condition, false), span);
    }

    /// Leaves open what follows where a condition holds.
    pub(super) fn undecided_where(&mut self, condition: Expr, what: &str, span: Span) {
        let (open, next) = (self.fresh(), self.fresh());
        let source = std::mem::replace(&mut self.here, next);
        self.code.branch(source, condition, (open, next), span);
        self.code.add(open, self.exit, Instruction::Unsupported(what.to_owned()), span);
    }

    pub(super) fn fresh(&mut self) -> LocationId {
        self.code.fresh()
    }

    /// Moves a large value into a temporary.
    pub(super) fn keep_large(&mut self, expr: &mut Expr) {
        if expr.parts().take(LARGE).count() < LARGE {
            return;
        }
        let (ty, span) = (expr.ty, expr.span);
        self.temporaries += 1;
        let name = format!("operand@{}", self.temporaries);
        self.variables.push(Variable::hidden(name, ty, Some(self.function), span));
        let place = Place::of(VariableId(self.variables.len() as u32 - 1), ty, span);
        let load = place.clone().load();
        let value = std::mem::replace(expr, load);
        let target = self.fresh();
        let source = std::mem::replace(&mut self.here, target);
        let instruction = Instruction::Assign(place, value);
        self.code.add(source, target, instruction, span);
    }
}
