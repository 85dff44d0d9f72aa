//! Effects on one object that C leaves without an order (C11, 6.5, 2), where they are looked for.

use crate::flow::{Base, BinaryOp, Edge, Expr, ExprKind, Instruction, Place, Step};
use crate::parse::context::Context;
use crate::reliance::Reliance;
use crate::syntax::tree::{BinaryOperator, Expression, Node};
use crate::types::Type;
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

impl Context<'_> {
    /// An expression whose effects may have no order that C gives: an error where these conditions hold, or something that is
    /// relied on; `None` where it is not known when the effects meet.
    pub(in crate::parse::expression) fn unsequenced(
        &mut self,
        clashes: Option<Vec<Expr>>,
        span: Span,
    ) {
        if !self.asks(Check::Sequence, span) {
            return self.rely(Reliance::Sequence, span);
        }
        let Some(clashes) = clashes else {
            return self.not_modelled(span, "effects in an order that C leaves open");
        };
        for clash in clashes {
            self.refuse_where(Expr { span, ..clash }, ErrorKind::Unsequenced, span);
        }
    }

    /// When the places of a pair are one, after these instructions: `None` where that is not known.
    pub(in crate::parse::expression) fn clashes(
        &self,
        pairs: &[(Place, Place)],
        all: &[Edge],
    ) -> Option<Vec<Expr>> {
        // What is executed in some cases only has an effect in these.
        if all.iter().any(|edge| matches!(edge.instruction, Instruction::Assume { .. })) {
            return None;
        }
        pairs.iter().map(|pair| self.clash(pair, all)).collect()
    }

    fn clash(&self, (a, b): &(Place, Place), all: &[Edge]) -> Option<Expr> {
        let int = self.types.known(&Type::Int { bits: 32, signed: true, rank: 3 })?;
        let span = a.span;
        let is_kept = |place: &Place| place.operands().all(|operand| self.is_kept(operand, all));
        if is_same_place(a, b) && is_kept(a) {
            return Some(Expr { kind: ExprKind::Constant(1), ty: int, span });
        }
        let is_whole = |place: &Place| self.types.is_scalar(place.ty) && !self.is_bit_field(place);
        let is_like = is_whole(a) && is_whole(b) && self.types.size(a.ty) == self.types.size(b.ty);
        if !is_like || !is_kept(a) || !is_kept(b) {
            return None;
        }
        let ty = self.types.known(&Type::Pointer(a.ty))?;
        let [a, b] = [a, b].map(|place| {
            let own = self.types.known(&Type::Pointer(place.ty))?;
            let kind = ExprKind::AddressOf(place.clone());
            let address = Expr { kind, ty: own, span };
            let cast = ExprKind::Cast(Box::new(address.clone()));
            Some(if own == ty { address } else { Expr { kind: cast, ty, span } })
        });
        Some(Expr::binary(BinaryOp::Equal, a?, b?, int))
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

    fn is_bit_field(&self, place: &Place) -> bool {
        self.last_member(place).is_some_and(|(of, field)| {
            let record = self.types.as_record(of).and_then(|(_, record)| record.fields.as_ref());
            let field = record.and_then(|fields| fields.get(field as usize));
            field.is_some_and(|field| field.bit_field.is_some())
        })
    }
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
