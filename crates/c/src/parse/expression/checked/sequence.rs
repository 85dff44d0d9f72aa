//! Effects on one object that C leaves without an order (C11, 6.5, 2), where they are looked for.

use crate::flow::{Base, BinaryOp, Callee, Edge, Expr, ExprKind, Instruction, Place, Step};
use crate::parse::builder::Mark;
use crate::parse::context::Context;
use crate::reliance::Reliance;
use crate::syntax::tree::{BinaryOperator, Expression, Node};
use crate::threads::END_ACCESS;
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

impl Context<'_> {
    /// An expression with effects on places that may be one, and have no order: an error where they are one, or something that
    /// is relied on; `None` where it is not known when they are.
    pub(in crate::parse::expression) fn unsequenced(
        &mut self,
        clashes: Option<Vec<Clash>>,
        span: Span,
    ) {
        if !self.asks(Check::Sequence, span) {
            return self.rely(Reliance::Sequence, span);
        }
        let Some(clashes) = clashes else {
            return self.not_modelled(span, "effects in an order that C leaves open");
        };
        for clash in clashes {
            for condition in self.conditions(clash, span) {
                self.refuse_where(condition, ErrorKind::Unsequenced, span);
            }
        }
    }

    /// When two places overlap.
    fn conditions(&mut self, clash: Clash, span: Span) -> Vec<Expr> {
        let (int, word) = (self.int(), self.types.signed_word());
        let Clash::Perhaps { places, distances } = clash else {
            return vec![self.constant(1, int, span)];
        };
        let char = self.char();
        let bytes = self.types.pointer_to(char);
        let [small, large] = places.map(|place| {
            let ty = self.types.pointer_to(place.ty);
            let address = Expr { kind: ExprKind::AddressOf(place), ty, span };
            self.convert(address, bytes)
        });
        let at = |distance: u64| {
            let index = Expr { kind: ExprKind::Constant(distance), ty: word, span };
            let (pointer, index) = (Box::new(large.clone()), Box::new(index));
            let kind = ExprKind::Offset { pointer, index, scale: 1 };
            let byte = if distance == 0 { large.clone() } else { Expr { kind, ty: bytes, span } };
            Expr { span, ..Expr::binary(BinaryOp::Equal, small.clone(), byte, int) }
        };
        distances.into_iter().map(at).collect()
    }

    /// When the places of pairs are one, after the instructions since a mark: `None` where that is not known.
    pub(in crate::parse::expression) fn clashes(
        &self,
        pairs: Vec<(&Place, &Place)>,
        start: Mark,
    ) -> Option<Vec<Clash>> {
        let current = self.current.as_ref()?;
        let all = current.builder.since(start);
        // What is executed in some cases only has an effect in these; what a call does has an order with all else.
        let is_choice = |edge: &Edge| matches!(edge.instruction, Instruction::Assume { .. });
        if all.iter().any(is_choice) || current.written_out.is_some_and(|end| end.is_behind(start))
        {
            return None;
        }
        pairs.into_iter().map(|(a, b)| self.clash(a, b, all)).collect()
    }

    fn clash(&self, a: &Place, b: &Place, all: &[Edge]) -> Option<Clash> {
        let is_kept = |place: &Place| place.operands().all(|operand| self.is_kept(operand, all));
        if !is_kept(a) || !is_kept(b) {
            return None;
        }
        if is_same_place(a, b) {
            return Some(Clash::Always);
        }
        let size = |place: &Place| {
            let is_whole =
                self.types.is_scalar(place.ty) && !place.is_bit_field(&self.variables, &self.types);
            self.types.size(place.ty).filter(|_| is_whole)
        };
        let (own, other) = (size(a)?, size(b)?);
        let (small, large) = if own <= other { (a, b) } else { (b, a) };
        let (step, most) = (own.min(other), own.max(other));
        let distances = (0..most / step).map(|i| i * step).collect();
        Some(Clash::Perhaps { places: [small, large].map(Place::clone), distances })
    }

    /// Notes where a call ends that is written out as instructions, of which some change more than temporaries.
    pub(in crate::parse::expression) fn note_written_out(&mut self, start: Mark) {
        let end = self.mark();
        let Some(current) = &self.current else { return };
        let all = current.builder.since(start);
        // What an atomic access is written out as ends with a mark.
        let is_mark = |callee: &Callee| match callee {
            Callee::Function(f) => self.functions[f.0 as usize].name == END_ACCESS,
            Callee::Pointer(_) => false,
        };
        let is_call = all.last().is_some_and(|edge| match &edge.instruction {
            Instruction::Call { callee, .. } => !is_mark(callee),
            _ => false,
        });
        let writes = |edge: &Edge| edge.instruction.target().is_some_and(|p| !self.is_temporary(p));
        let is_written_out = !is_call && all.iter().any(writes);
        if let Some(current) = self.current.as_mut().filter(|_| is_written_out) {
            current.written_out = Some(end);
        }
    }

    /// Whether a value is the same before and after instructions.
    fn is_kept(&self, value: &Expr, all: &[Edge]) -> bool {
        value.parts().all(|part| match &part.kind {
            // A temporary is written once, before it is used.
            ExprKind::Load(Place { base: Base::Variable(id), .. })
                if self.is_temporary_variable(*id) =>
            {
                true
            }
            ExprKind::Load(place) => !all.iter().any(|edge| {
                let is_written = |target: &Place| self.may_overlap(place, target);
                matches!(edge.instruction, Instruction::Call { .. })
                    || edge.instruction.target().is_some_and(is_written)
            }),
            _ => true,
        })
    }

    /// Whether all effects of an expression come before a sequence point, behind which its value is computed.
    pub(in crate::parse::expression) fn is_sealed(&self, node: &Node<Expression>) -> bool {
        let is_pure = |node: &Node<Expression>| !self.has_effects(node);
        match &node.node {
            Expression::Call(_) => true,
            Expression::Comma(all) => all.last().is_none_or(is_pure),
            Expression::BinaryOperator(binary) if is_lazy(binary.node.operator.node) => {
                is_pure(&binary.node.rhs)
            }
            Expression::Conditional(choice) => {
                choice.node.then_expression.as_deref().is_none_or(is_pure)
                    && is_pure(&choice.node.else_expression)
            }
            _ => false,
        }
    }
}

/// When two places are one.
#[derive(Debug)]
pub(in crate::parse::expression) enum Clash {
    Always,
    /// Where the first one begins so many bytes behind the start of the other one, which is at least as large.
    Perhaps {
        places: [Place; 2],
        distances: Vec<u64>,
    },
}

/// Whether both lead to one object, where their parts have the same values.
fn is_same_place(a: &Place, b: &Place) -> bool {
    let is_same_base = match (&a.base, &b.base) {
        (Base::Variable(a), Base::Variable(b)) => a == b,
        (Base::Pointer(a), Base::Pointer(b)) => is_same_value(a, b),
        _ => false,
    };
    let is_same_step = |steps: (&Step, &Step)| match steps {
        (Step::Field(a), Step::Field(b)) => a == b,
        (Step::Index(a), Step::Index(b)) => is_same_value(a, b),
        _ => false,
    };
    let is_same_type = a.ty == b.ty && a.path.len() == b.path.len();
    is_same_type && is_same_base && a.path.iter().zip(&b.path).all(is_same_step)
}

fn is_same_value(a: &Expr, b: &Expr) -> bool {
    a.ty == b.ty
        && match (&a.kind, &b.kind) {
            (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
            (ExprKind::Load(a), ExprKind::Load(b))
            | (ExprKind::AddressOf(a), ExprKind::AddressOf(b)) => is_same_place(a, b),
            (ExprKind::Cast(a), ExprKind::Cast(b)) => is_same_value(a, b),
            _ => false,
        }
}

fn is_lazy(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
}

/// Whether the evaluation of an expression has sequence points within it, but for those of calls (C11, Annex C).
pub(in crate::parse::expression) fn has_sequence_points(node: &Node<Expression>) -> bool {
    let has = |node: &Node<Expression>| has_sequence_points(node);
    match &node.node {
        Expression::Identifier(_)
        | Expression::Constant(_)
        | Expression::StringLiteral(_)
        | Expression::LabelAddress(_)
        | Expression::SizeOfVal(_)
        | Expression::SizeOfTy(_)
        | Expression::AlignOf(_)
        | Expression::TypesCompatible(_)
        | Expression::OffsetOf(_) => false,
        Expression::Member(member) => has(&member.node.expression),
        Expression::UnaryOperator(unary) => has(&unary.node.operand),
        Expression::Cast(cast) => has(&cast.node.expression),
        Expression::BinaryOperator(binary) => {
            is_lazy(binary.node.operator.node) || has(&binary.node.lhs) || has(&binary.node.rhs)
        }
        Expression::Call(call) => call.node.arguments.iter().any(has),
        Expression::Conditional(_)
        | Expression::Comma(_)
        | Expression::Statement(_)
        | Expression::GenericSelection(_)
        | Expression::CompoundLiteral(_)
        | Expression::VaArg(_) => true,
    }
}
