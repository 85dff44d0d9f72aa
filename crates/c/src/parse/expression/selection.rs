//! Choices: `?:`, `_Generic`, and comparisons of types.

use super::logic::is_plain_call;
use super::place::Operand;
use crate::flow::{Expr, ExprKind, Instruction};
use crate::parse::context::{Context, Typed};
use crate::parse::declaration::Qualified;
use crate::parse::scope::Entity;
use crate::syntax::tree::{
    BinaryOperator, ConditionalExpression, Expression, GenericAssociation, GenericSelection, Node,
    SpecifierQualifier, TypeName, TypeSpecifier, TypesCompatible, UnaryOperator,
};
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

/// A chain `a ? b : c ? d : e`, which may be long: what depends on its rest is found once.
struct Chain<'n> {
    links: Vec<&'n Node<ConditionalExpression>>,
    /// For each link, and for the last operand, whether what begins there may have effects or fail.
    careful: Vec<bool>,
    /// Whether the last operand is a record or nothing, once that is known.
    ends_in_record: Option<bool>,
}

/// An operand of `?:` with what its type does not say.
struct Choice {
    value: Expr,
    /// Whether it is a null pointer constant of type `void *` (C11, 6.3.2.3, 3).
    is_null: bool,
}

impl Context<'_> {
    /// `c ? a : b` or `c ?: b`.
    pub fn conditional(&mut self, node: &Node<ConditionalExpression>) -> Typed<Operand> {
        let mut links = vec![node];
        let mut last = &*node.node.else_expression;
        while let Expression::Conditional(next) = &last.node {
            links.push(next);
            last = &next.node.else_expression;
        }
        let mut careful = vec![self.is_careful(last)];
        for link in links.iter().rev() {
            let ConditionalExpression { condition, then_expression, .. } = &link.node;
            let own = self.is_careful(condition)
                || then_expression.as_deref().is_some_and(|then| self.is_careful(then));
            careful.push(own || careful.last().is_some_and(|rest| *rest));
        }
        careful.reverse();
        self.link(&mut Chain { links, careful, ends_in_record: None }, 0)
    }

    fn link(&mut self, chain: &mut Chain, at: usize) -> Typed<Operand> {
        let node = chain.links[at];
        let span = self.span(node);
        let ConditionalExpression { condition, then_expression, else_expression } = &node.node;
        let then_expression = then_expression.as_deref();
        // If the condition is constant, only one operand is evaluated, even in constant expressions.
        let mut known = None;
        if then_expression.is_some() && !matches!(condition.node, Expression::Conditional(_)) {
            let (value, executed) = if !self.is_careful(condition) {
                let (value, executed) = self.observed(|context| context.value(condition));
                (Some(value?), executed)
            } else if is_plain_call(&condition.node) {
                let (value, executed) = self.dry(|context| context.value(condition));
                (Some(value?), executed)
            } else {
                (None, true)
            };
            let number = value.as_ref().and_then(|value| self.as_number(value));
            if let Some(number) = number.filter(|_| !executed) {
                return self.chosen(number != 0, chain, at);
            }
            known = value.filter(|_| !self.is_careful(condition));
        }
        // In `c ?: b`, the condition is the value.
        let first = then_expression.unwrap_or(condition);
        let converts = self.asks(Check::Conversion, span);
        let is_careful = converts || self.is_careful(first) || chain.careful[at + 1];
        if is_careful || self.ends_in_record(chain)? {
            return self.conditional_flow(chain, at);
        }
        let condition = match known {
            Some(value) => value,
            None => self.value(condition)?,
        };
        let given = condition.clone();
        let condition = self.scalar(condition)?;
        let yes = match then_expression {
            Some(then_expression) => self.value(then_expression)?,
            None if self.types.is_pair(given.ty) => given,
            None => condition.clone(),
        };
        let no = self.otherwise(chain, at)?;
        let no = self.decay(no, self.span(else_expression))?;
        let (yes, no) = (self.choice(first, yes), self.choice(else_expression, no));
        let ty = self.joined_type(&yes, &no, span)?;
        let (yes, no) = (self.convert(yes.value, ty), self.convert(no.value, ty));
        if self.types.as_record(ty).is_some() {
            return self.chosen_record(condition, [yes, no], span).map(Operand::Value);
        }
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(Operand::Value(Expr { kind, ty, span }))
    }

    /// One of two records, which are in memory already.
    fn chosen_record(&mut self, condition: Expr, values: [Expr; 2], span: Span) -> Typed<Expr> {
        let ty = values[0].ty;
        let place = self.temporary(ty, span);
        let (yes, no, join) = (self.fresh(), self.fresh(), self.fresh());
        self.branch_on(condition, yes, no, span)?;
        for (location, value) in [yes, no].into_iter().zip(values) {
            self.go_on_at(location);
            self.emit(Instruction::Assign(place.clone(), value), span);
            self.jump(join, span);
        }
        self.go_on_at(join);
        Ok(Expr { kind: ExprKind::Load(place), ty, span })
    }

    /// The operand behind the `:` of a link.
    fn otherwise(&mut self, chain: &mut Chain, at: usize) -> Typed<Operand> {
        match at + 1 < chain.links.len() {
            true => self.link(chain, at + 1),
            false => self.operand(&chain.links[at].node.else_expression),
        }
    }

    /// Whether the last operand of a chain, which may not be careful, is a record or nothing.
    fn ends_in_record(&mut self, chain: &mut Chain) -> Typed<bool> {
        if let Some(known) = chain.ends_in_record {
            return Ok(known);
        }
        let mut last = chain.links.last().map(|link| &*link.node.else_expression);
        while let Some(Expression::Comma(all)) = last.map(|last| &last.node) {
            last = all.last();
        }
        let ty = match last.map(|last| (last, &last.node)) {
            // Their operands, which may be large, do not decide.
            None
            | Some((_, Expression::BinaryOperator(_) | Expression::UnaryOperator(_)))
            | Some((_, Expression::Constant(_) | Expression::StringLiteral(_))) => self.int(),
            Some((_, Expression::Cast(cast))) => self.type_name(&cast.node.type_name)?,
            Some((last, _)) => self.type_of(last)?,
        };
        let found = self.types.as_record(ty).is_some() || *self.types.get(ty) == Type::Void;
        chain.ends_in_record = Some(found);
        Ok(found)
    }

    /// One operand, converted to the common type of both.
    fn chosen(&mut self, first: bool, chain: &mut Chain, at: usize) -> Typed<Operand> {
        let node = chain.links[at];
        let span = self.span(node);
        let yes = node.node.then_expression.as_deref().unwrap_or(&node.node.condition);
        let no = &*node.node.else_expression;
        let (taken, other) = if first { (yes, no) } else { (no, yes) };
        let mut evaluate = |context: &mut Self, is_first: bool| match is_first {
            true => context.operand(yes),
            false => context.otherwise(chain, at),
        };
        let unused = self.left_out(|context| -> Typed<Option<Choice>> {
            match evaluate(context, !first)? {
                Operand::Nothing => Ok(None),
                operand => {
                    let value = context.decay(operand, context.span(other))?;
                    let choice = context.choice(other, value);
                    // It names nothing that is gone when a dry evaluation has ended.
                    let value = context.promote(choice.value);
                    let value = Expr { kind: ExprKind::Constant(1), ..value };
                    Ok(Some(Choice { value, ..choice }))
                }
            }
        });
        let unused = unused?;
        let operand = evaluate(self, first)?;
        let (Some(unused), false) = (unused, matches!(operand, Operand::Nothing)) else {
            return Ok(Operand::Nothing);
        };
        let value = self.decay(operand, self.span(taken))?;
        let used = self.choice(taken, value);
        let ty = match first {
            true => self.joined_type(&used, &unused, span)?,
            false => self.joined_type(&unused, &used, span)?,
        };
        Ok(Operand::Value(self.implicit(used.value, ty)))
    }

    /// Implements `c ? a : b` by branches.
    fn conditional_flow(&mut self, chain: &mut Chain, at: usize) -> Typed<Operand> {
        let node = chain.links[at];
        let span = self.span(node);
        let ConditionalExpression { condition, then_expression, else_expression } = &node.node;
        let (yes, no, join) = (self.fresh(), self.fresh(), self.fresh());
        let first;
        if let Some(then_expression) = then_expression {
            self.branch(condition, yes, no)?;
            self.go_on_at(yes);
            first = self.value_or_nothing(then_expression)?;
        } else {
            let value = self.value(condition)?;
            let value = self.keep(value);
            self.branch_on(value.clone(), yes, no, span)?;
            first = Some(value);
            self.go_on_at(yes);
        }
        let first_end = self.here();
        self.go_on_at(no);
        let second = match self.otherwise(chain, at)? {
            Operand::Nothing => None,
            operand => Some(self.decay(operand, self.span(else_expression))?),
        };
        let second_end = self.here();
        let (Some(first), Some(second)) = (first, second) else {
            for end in [first_end, second_end] {
                self.go_on_at(end);
                self.jump(join, span);
            }
            self.go_on_at(join);
            return Ok(Operand::Nothing);
        };
        let first = self.choice(then_expression.as_deref().unwrap_or(condition), first);
        let second = self.choice(else_expression, second);
        let ty = self.joined_type(&first, &second, span)?;
        let place = self.temporary(ty, span);
        for (end, choice) in [(first_end, first), (second_end, second)] {
            self.go_on_at(end);
            let value = self.implicit(choice.value, ty);
            self.emit(Instruction::Assign(place.clone(), value), span);
            self.jump(join, span);
        }
        self.go_on_at(join);
        Ok(Operand::Value(Expr { kind: ExprKind::Load(place), ty, span }))
    }

    /// The value of an operand of `?:`, as what its text says.
    fn choice(&mut self, node: &Node<Expression>, value: Expr) -> Choice {
        let is_null = match (&node.node, &value.kind, self.types.get(value.ty)) {
            (Expression::Cast(cast), ExprKind::Constant(0), &Type::Pointer(to)) => {
                let is_qualified = |specifier: &Node<SpecifierQualifier>| {
                    matches!(specifier.node, SpecifierQualifier::TypeQualifier(_))
                };
                *self.types.get(to) == Type::Void
                    && !cast.node.type_name.node.specifiers.iter().any(is_qualified)
                    && self.is_of_integers(&cast.node.expression)
            }
            _ => false,
        };
        Choice { value, is_null }
    }

    /// Whether an expression that is constant is an integer, and no pointer on the way.
    fn is_of_integers(&mut self, node: &Node<Expression>) -> bool {
        use BinaryOperator as B;
        match &node.node {
            Expression::Cast(cast) => {
                let (ty, _) = self.dry(|context| context.type_name(&cast.node.type_name));
                ty.is_ok_and(|ty| self.types.is_integer(ty))
            }
            Expression::Conditional(conditional) => {
                let ConditionalExpression { then_expression, else_expression, .. } =
                    &conditional.node;
                then_expression.as_deref().is_none_or(|then| self.is_of_integers(then))
                    && self.is_of_integers(else_expression)
            }
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::Negate => true,
                UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                    self.is_of_integers(&unary.node.operand)
                }
                _ => false,
            },
            Expression::BinaryOperator(binary)
                if matches!(binary.node.operator.node, B::Plus | B::Minus) =>
            {
                self.is_of_integers(&binary.node.lhs) && self.is_of_integers(&binary.node.rhs)
            }
            // gcc takes none for constant.
            Expression::Comma(_) | Expression::Statement(_) => false,
            _ => true,
        }
    }

    /// The type of both operands (C11, 6.5.15).
    fn joined_type(&mut self, yes: &Choice, no: &Choice, span: Span) -> Typed<TypeId> {
        let (left, right) = (yes.value.ty, no.value.ty);
        if left == right && !self.types.is_integer(left) {
            return Ok(left);
        }
        if self.types.is_number(left) && self.types.is_number(right) {
            // Of bit-fields, the type is not all; other values may be large.
            let [left, right] = [yes, no].map(|choice| match &choice.value.kind {
                ExprKind::Load(_) => choice.value.clone(),
                _ => Expr { kind: ExprKind::Constant(1), ..choice.value },
            });
            if [&left, &right].iter().any(|e| self.types.as_complex(e.ty).is_some()) {
                let part = self.common_part([&left, &right], span)?;
                return Ok(self.complex_type(part));
            }
            if let Some(ty) = self.common_wide([left.ty, right.ty]) {
                return Ok(ty);
            }
            return Ok(self.usual(left, right).0.ty);
        }
        let pointee = |context: &Self, ty: TypeId| match *context.types.get(ty) {
            Type::Pointer(pointee) => Some(pointee),
            _ => None,
        };
        let void = self.void();
        match (pointee(self, left), pointee(self, right)) {
            (Some(_), Some(_)) if no.is_null => Ok(left),
            (Some(_), Some(_)) if yes.is_null => Ok(right),
            (Some(to), Some(_)) if to == void => Ok(left),
            (Some(_), Some(to)) if to == void => Ok(right),
            (Some(_), None) if self.types.is_integer(right) => Ok(left),
            (None, Some(_)) if self.types.is_integer(left) => Ok(right),
            // Types that do not fit become 'void *', as in gcc.
            (Some(a), Some(b)) => {
                let to = self.types.composite(a, b).unwrap_or(void);
                Ok(self.types.pointer_to(to))
            }
            _ => {
                let (a, b) = (self.types.name(left), self.types.name(right));
                let message = format!("'?:' cannot choose between '{a}' and '{b}'");
                Err(self.type_error(span, message, "operands of these types do not fit"))
            }
        }
    }

    /// `_Generic(value, T: .., default: ..)`
    pub(super) fn selection(&mut self, node: &GenericSelection, span: Span) -> Typed<Operand> {
        let ty = self.type_of(&node.expression)?;
        let ty = self.adjusted(ty);
        let (mut chosen, mut otherwise) = (None, None);
        // Types have no qualifiers here, which make the difference between pointers.
        let pointer = self.types.is_pointer(ty);
        let unqualified = pointer && self.is_unqualified(&node.expression);
        let (mut fitting, mut is_certain) = (0, true);
        for association in &node.associations {
            match &association.node {
                GenericAssociation::Type(name, expression) => {
                    let named = self.type_name(name)?;
                    if named != ty && self.types.composite(named, ty).is_some() {
                        let what = "a selection by a type that is compatible and another one";
                        return Err(self.unsupported(span, what));
                    }
                    let qualified = Qualified::of_name(&name.node);
                    if named == ty && unqualified && qualified == Qualified::Yes {
                        continue;
                    }
                    if named == ty {
                        is_certain &= unqualified && qualified == Qualified::No;
                        chosen = chosen.or(Some(expression));
                        fitting += 1;
                    }
                }
                GenericAssociation::Default(expression) => otherwise = Some(expression),
            }
        }
        let is_open = pointer && !is_certain && otherwise.is_some();
        if fitting > 1 || fitting == 1 && is_open {
            return Err(self.unsupported(span, "a selection by what a pointer points to"));
        }
        match chosen.or(otherwise) {
            Some(expression) => self.operand(expression),
            None => {
                let name = self.types.name(ty);
                let message = format!("no case of this selection is for '{name}'");
                Err(self.type_error(span, message, "nothing fits"))
            }
        }
    }

    /// Whether it is certain that no part of the type of an expression has qualifiers.
    fn is_unqualified(&mut self, node: &Node<Expression>) -> bool {
        use UnaryOperator as U;
        match &node.node {
            Expression::Identifier(name) => match self.scopes.find(&name.node.name) {
                Some((Entity::Variable(id), _)) => self.unqualified.contains(&id),
                _ => false,
            },
            Expression::Constant(_) | Expression::StringLiteral(_) => true,
            Expression::Cast(cast) => {
                Qualified::of_name(&cast.node.type_name.node) == Qualified::No
            }
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                U::Address | U::Indirection => self.is_unqualified(&unary.node.operand),
                _ => false,
            },
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Index | BinaryOperator::Plus | BinaryOperator::Minus => {
                    self.is_unqualified(&binary.node.lhs) && self.is_unqualified(&binary.node.rhs)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// `__builtin_types_compatible_p`. Types have no qualifiers here, and enumerations are integers, unless it is certain
    /// that one of the types is none.
    pub(super) fn types_compatible(&mut self, node: &TypesCompatible, span: Span) -> Typed<Expr> {
        let certain = is_basic(&node.first.node) || is_basic(&node.second.node);
        let (a, b) = (self.type_name(&node.first)?, self.type_name(&node.second)?);
        let simple = |ty: TypeId| match self.types.get(ty) {
            Type::Int { rank: 3.., .. } => certain || !self.file.text.contains("enum"),
            Type::Int { .. } | Type::Bool | Type::Float { .. } | Type::Void => true,
            // A type has a name of its own.
            Type::Record(_) => true,
            Type::Pointer(_) | Type::Array(..) | Type::Function { .. } => false,
        };
        let kind = |ty: TypeId| std::mem::discriminant(self.types.get(ty));
        let known = match a == b {
            true => simple(a),
            // Arrays of unknown length, and functions without a prototype, fit to others.
            false => {
                kind(a) != kind(b) || simple(a) || matches!(self.types.get(a), Type::Int { .. })
            }
        };
        if !known {
            return Err(self.unsupported(span, "a comparison of these types"));
        }
        let int = self.int();
        Ok(self.constant(u64::from(a == b), int, span))
    }
}

/// Whether a type name has nothing but words such as `int`.
fn is_basic(name: &TypeName) -> bool {
    let is_word = |specifier: &Node<SpecifierQualifier>| match &specifier.node {
        SpecifierQualifier::TypeSpecifier(ty) => matches!(
            ty.node,
            TypeSpecifier::Void
                | TypeSpecifier::Char
                | TypeSpecifier::Short
                | TypeSpecifier::Int
                | TypeSpecifier::Long
                | TypeSpecifier::Float
                | TypeSpecifier::Double
                | TypeSpecifier::Signed
                | TypeSpecifier::Unsigned
                | TypeSpecifier::Bool
        ),
        _ => false,
    };
    name.declarator.is_none() && name.specifiers.iter().all(is_word)
}
