//! Dispatches each kind of expression to the code that handles it.

use super::builtin::is_choice;
use super::operator::plain;
use super::place::Operand;
use crate::flow::{Base, BinaryOp, Expr, ExprKind, Place, Step, UnaryOp, VariableKind};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::syntax::tree::{
    BinaryOperator, BinaryOperatorExpression, BlockItem, CastExpression, CompoundLiteral,
    ConditionalExpression, Expression, LabeledStatement, Node, OffsetMember, OffsetOfExpression,
    SpecifierQualifier, Statement, TypeOf, TypeQualifier, UnaryOperator, UnaryOperatorExpression,
};
use crate::types::{INT128, Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

impl Context<'_> {
    /// The value of an expression.
    pub fn value(&mut self, node: &Node<Expression>) -> Typed<Expr> {
        let span = self.span(node);
        let operand = self.operand(node)?;
        self.decay(operand, span)
    }

    /// The value, unless the expression has type `void`.
    pub fn value_or_nothing(&mut self, node: &Node<Expression>) -> Typed<Option<Expr>> {
        let span = self.span(node);
        match self.operand(node)? {
            Operand::Nothing => Ok(None),
            operand => self.decay(operand, span).map(Some),
        }
    }

    /// Evaluates an expression only for its effects.
    pub fn effect(&mut self, node: &Node<Expression>) -> Typed<()> {
        match &node.node {
            Expression::BinaryOperator(binary) if is_assignment(binary.node.operator.node) => {
                self.assignment(binary, false)?;
            }
            Expression::UnaryOperator(unary) if is_step(unary.node.operator.node) => {
                let span = self.span(node);
                self.step(&unary.node.operator.node, &unary.node.operand, span, false)?;
            }
            Expression::Call(call) => {
                self.call_for_effect(call)?;
            }
            Expression::Comma(all) => {
                for expression in all.iter() {
                    self.effect(expression)?;
                }
            }
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?;
                if *self.types.get(ty) == Type::Void {
                    return self.effect(&cast.node.expression);
                }
                self.dropped(node)?;
            }
            // A call that is the last part uses no result.
            Expression::Conditional(conditional) if self.asks(Check::Return, self.span(node)) => {
                let span = self.span(node);
                let ConditionalExpression { condition, then_expression, else_expression } =
                    &conditional.node;
                let Some(then_expression) = then_expression else { return self.dropped(node) };
                let (yes, no, join) = (self.fresh(), self.fresh(), self.fresh());
                self.branch(condition, yes, no)?;
                for (location, part) in [(yes, then_expression), (no, else_expression)] {
                    self.go_on_at(location);
                    self.effect(part)?;
                    self.jump(join, span);
                }
                self.go_on_at(join);
            }
            Expression::Statement(statement) if self.asks(Check::Return, self.span(node)) => {
                self.statement(statement);
            }
            _ => self.dropped(node)?,
        }
        Ok(())
    }

    /// Evaluates an expression whose value is not used; the evaluation may still be an error.
    fn dropped(&mut self, node: &Node<Expression>) -> Typed<()> {
        let value = self.value_or_nothing(node)?;
        if let Some(value) = value.filter(|_| self.checked()) {
            self.keep(value);
        }
        Ok(())
    }

    /// The operand that an expression denotes.
    pub fn operand(&mut self, node: &Node<Expression>) -> Typed<Operand> {
        let span = self.span(node);
        let value = match &node.node {
            Expression::Identifier(name) => return self.identifier(name),
            Expression::Constant(constant) => self.literal(constant)?,
            Expression::StringLiteral(string) => {
                return self.string(&string.node, span).map(Operand::Place);
            }
            Expression::GenericSelection(node) => return self.selection(&node.node, span),
            Expression::Member(member) => return self.member(member),
            Expression::Call(call) if is_choice(&call.node) => {
                return self.chosen_operand(&call.node.arguments);
            }
            Expression::Call(call) => match self.call(call, None)? {
                Called::Value(value) => value,
                Called::Stored | Called::Nothing => return Ok(Operand::Nothing),
            },
            Expression::CompoundLiteral(literal) => {
                return self.compound_literal(&literal.node, span).map(Operand::Place);
            }
            Expression::SizeOfTy(size) => {
                if let Some(length) = self.computed_length(size)? {
                    return self.size_of_computed(size, length, span).map(Operand::Value);
                }
                let ty = self.type_name(size)?;
                self.size_of_type(ty, span)?
            }
            Expression::SizeOfVal(size) => self.size_of_value(size)?,
            Expression::AlignOf(align_of) => {
                let (ty, atomic) = match &align_of.node.of {
                    TypeOf::Type(name) => {
                        let ty = self.type_name(name)?;
                        (ty, self.has_atomic(&name.node.specifiers, ty))
                    }
                    TypeOf::Expression(expression) => (self.type_of(expression)?, false),
                };
                let element = self.types.element(ty);
                if self.types.as_record(element).is_some() {
                    self.complete_size(element, span)?;
                }
                let word = self.types.unsigned_word();
                // `__alignof__` gives that of a complete object (on i386, 8 for `double` and `long long`).
                let natural = align_of.node.is_natural;
                let align = if natural { self.natural_align(ty) } else { self.types.align(ty) };
                let align = if atomic { self.atomic_align(ty) } else { align };
                self.constant(align, word, span)
            }
            Expression::UnaryOperator(unary) => return self.unary_operand(&unary.node, span),
            Expression::Cast(cast) => return self.cast(&cast.node, span),
            Expression::BinaryOperator(binary) => {
                let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
                match plain(operator.node) {
                    _ if is_assignment(operator.node) => match self.assignment(binary, true)? {
                        Some(value) => value,
                        None => return Ok(Operand::Nothing),
                    },
                    Some(op) => {
                        let (left, right) = self.pair(lhs, rhs)?;
                        self.operation(op, left, right, span)?
                    }
                    None if operator.node == BinaryOperator::Index => {
                        return self.index(lhs, rhs, false, span);
                    }
                    None => self.logical(node, span)?,
                }
            }
            Expression::Conditional(conditional) => match self.conditional(conditional)? {
                Operand::Value(value) => value,
                operand => return Ok(operand),
            },
            Expression::Comma(all) => {
                let Some((last, before)) = all.split_last() else { return Ok(Operand::Nothing) };
                for expression in before {
                    self.effect(expression)?;
                }
                return match self.operand(last)? {
                    // `(a, b)` is not an lvalue, and an array there is a pointer.
                    Operand::Place(place)
                        if self.types.is_scalar(place.ty)
                            || matches!(self.types.get(place.ty), Type::Array(..)) =>
                    {
                        self.decay(Operand::Place(place), span).map(Operand::Value)
                    }
                    operand => Ok(operand),
                };
            }
            Expression::OffsetOf(offset) => self.offset_of(&offset.node, span)?,
            Expression::VaArg(argument) => {
                return self.next_argument(&argument.node, span);
            }
            Expression::LabelAddress(name) => self.label_value(name, span)?,
            Expression::TypesCompatible(types) => self.types_compatible(&types.node, span)?,
            Expression::Statement(statement) => return self.statement_expression(statement, span),
        };
        Ok(self.as_place(value))
    }

    /// A record is always represented by a place.
    fn as_place(&self, value: Expr) -> Operand {
        match value.kind {
            ExprKind::Load(place) if self.types.as_record(value.ty).is_some() => {
                Operand::Place(place)
            }
            kind => Operand::Value(Expr { kind, ..value }),
        }
    }

    /// The alignment of a complete object, not of a member.
    fn natural_align(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            Type::Int { bits: 64, .. } | Type::Float { bits: 64 } => 8,
            Type::Array(element, _) => self.natural_align(*element),
            Type::Record(_) if self.types.as_vector(ty).is_some() => {
                self.types.size(ty).unwrap_or(1)
            }
            Type::Record(_) if let Some(part) = self.types.as_complex(ty) => {
                self.natural_align(part)
            }
            _ => self.types.align(ty),
        }
    }

    fn unary_operand(&mut self, unary: &UnaryOperatorExpression, span: Span) -> Typed<Operand> {
        let UnaryOperatorExpression { operator, operand } = unary;
        let value = match &operator.node {
            UnaryOperator::Address => {
                let inner = match &operand.node {
                    Expression::BinaryOperator(binary)
                        if binary.node.operator.node == BinaryOperator::Index =>
                    {
                        let at = self.span(operand);
                        self.index(&binary.node.lhs, &binary.node.rhs, true, at)?
                    }
                    _ => self.operand(operand)?,
                };
                self.address_of(inner, span)?
            }
            UnaryOperator::Indirection => {
                let pointer = self.value(operand)?;
                return self.deref(pointer, span);
            }
            UnaryOperator::Negate => {
                let inner = match self.class_of_character(operand)? {
                    Some(class) => class,
                    None => self.value(operand)?,
                };
                let inner = self.scalar(inner)?;
                self.unary(UnaryOp::Not, inner, span)
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                let inner = self.value(operand)?;
                let int = self.int();
                let inner = self.known(inner, int);
                if operator.node == UnaryOperator::Minus && !self.types.is_scalar(inner.ty) {
                    self.without_wrap(BinaryOp::Subtract, inner.clone(), inner.clone(), span);
                }
                if self.types.as_vector(inner.ty).is_some() {
                    let value = match operator.node {
                        UnaryOperator::Minus => self.vector_unary(UnaryOp::Negate, inner, span)?,
                        UnaryOperator::Complement => {
                            self.vector_unary(UnaryOp::BitNot, inner, span)?
                        }
                        _ => inner,
                    };
                    return Ok(self.as_place(value));
                }
                if self.types.as_complex(inner.ty).is_some() {
                    let value = self.complex_unary(&operator.node, inner, span);
                    return Ok(self.as_place(value));
                }
                if self.types.as_wide(inner.ty).is_some() {
                    let value = self.wide_unary(&operator.node, inner, span)?;
                    return Ok(self.as_place(value));
                }
                let needs_integer = operator.node == UnaryOperator::Complement;
                let fits = if needs_integer {
                    self.types.is_integer(inner.ty)
                } else {
                    self.types.is_arithmetic(inner.ty)
                };
                if !fits {
                    let name = self.types.name(inner.ty);
                    let message = format!("this operator cannot be applied to '{name}'");
                    return Err(self.type_error(span, message, &format!("of '{name}'")));
                }
                let inner = self.promote(inner);
                match &operator.node {
                    UnaryOperator::Minus => {
                        let zero = self.zero(inner.ty, span);
                        let (_, inner) = self.without_wrap(BinaryOp::Subtract, zero, inner, span);
                        self.unary(UnaryOp::Negate, inner, span)
                    }
                    UnaryOperator::Complement => self.unary(UnaryOp::BitNot, inner, span),
                    _ => inner,
                }
            }
            UnaryOperator::RealPart | UnaryOperator::ImaginaryPart => {
                let is_imaginary = operator.node == UnaryOperator::ImaginaryPart;
                return self.complex_part(operand, is_imaginary, span);
            }
            step => match self.step(step, operand, span, true)? {
                Some(value) => value,
                None => return Ok(Operand::Nothing),
            },
        };
        Ok(Operand::Value(value))
    }

    fn cast(&mut self, cast: &CastExpression, span: Span) -> Typed<Operand> {
        let ty = self.type_name(&cast.type_name)?;
        if *self.types.get(ty) == Type::Void {
            self.effect(&cast.expression)?;
            return Ok(Operand::Nothing);
        }
        let value = self.value(&cast.expression)?;
        let value = self.known(value, ty);
        if value.ty == ty {
            // The result is no longer an lvalue.
            return Ok(self.as_place(value));
        }
        if let Some(place) = self.union_of(&value, ty) {
            return Ok(Operand::Place(place));
        }
        if let Some(vector) = self.cast_of_vector(&value, ty)? {
            return Ok(self.as_place(vector));
        }
        if self.types.is_number(ty) && self.types.is_number(value.ty) {
            let value = self.in_range(value, ty);
            let value = self.convert(value, ty);
            return Ok(self.as_place(Expr { span, ..value }));
        }
        let of = [ty, value.ty];
        if of.iter().any(|&ty| self.types.as_wide(ty).is_some())
            && of.iter().any(|&ty| self.types.is_pointer(ty))
        {
            let what = format!("a conversion between a pointer and {INT128}");
            return Err(self.unsupported(span, &what));
        }
        let float = |id| matches!(self.types.get(id), Type::Float { .. });
        let mixed = float(ty) && self.types.is_pointer(value.ty)
            || float(value.ty) && self.types.is_pointer(ty);
        if !self.types.is_scalar(ty) || !self.types.is_scalar(value.ty) || mixed {
            let (from, to) = (self.types.name(value.ty), self.types.name(ty));
            let message = format!("'{from}' cannot be cast to '{to}'");
            return Err(self.type_error(span, message, &format!("from '{from}'")));
        }
        // Convert an address to an integer of its own width first.
        let value = self.convert(value, ty);
        Ok(Operand::Value(Expr { span, ..value }))
    }

    fn compound_literal(&mut self, literal: &CompoundLiteral, span: Span) -> Typed<Place> {
        let ty = self.type_name(&literal.type_name)?;
        let kind = if self.current.is_some() { VariableKind::Local } else { VariableKind::Global };
        let name = format!("literal@{}", self.variables.len());
        if literal.initializer_list.is_empty() && self.types.is_scalar(ty) {
            let message = "a number or a pointer needs a value".to_owned();
            return Err(self.type_error(span, message, "no value within the braces"));
        }
        let is_constant = |specifier: &Node<SpecifierQualifier>| {
            matches!(specifier.node, SpecifierQualifier::TypeQualifier(TypeQualifier::Const))
        };
        if self.options.property.checks.has(Check::Const)
            && literal.type_name.node.specifiers.iter().any(is_constant)
        {
            self.not_modelled(span, "a compound literal that is 'const'");
        }
        let variable = self.variable(&name, ty, kind, span);
        let place = self.place_of(variable, span);
        self.initialise_list(place, &literal.initializer_list, span)?;
        Ok(self.place_of(variable, span))
    }

    fn offset_of(&mut self, offset: &OffsetOfExpression, span: Span) -> Typed<Expr> {
        let ty = self.type_name(&offset.type_name)?;
        let pointer = self.types.pointer_to(ty);
        let zero = self.constant(0, pointer, span);
        let base = Base::Pointer(Box::new(zero));
        let mut place = Place { base, path: Vec::new(), ty, span };
        let mut moved = Vec::new();
        let at = self.span(&offset.base);
        place = self.select(place, &offset.base.node.name, at, span)?;
        for member in &offset.members {
            let at = self.span(member);
            match &member.node {
                OffsetMember::Member(name) => {
                    place = self.select(place, &name.node.name, at, span)?
                }
                OffsetMember::IndirectMember(name) => {
                    let pointer = self.decay(Operand::Place(place), span)?;
                    let Operand::Place(inner) = self.deref(pointer, span)? else {
                        return Err(self.unsupported(at, "this member"));
                    };
                    place = self.select(inner, &name.node.name, at, span)?;
                }
                OffsetMember::Index(index) => {
                    let Type::Array(element, _) = *self.types.get(place.ty) else {
                        let message = "this member is no array".to_owned();
                        return Err(self.type_error(at, message, "an index of it"));
                    };
                    let number = match self.try_constant(index)? {
                        Some((number, _)) => number,
                        None => {
                            let part = self.distance(index, element)?;
                            moved.push(part);
                            0
                        }
                    };
                    let word = self.types.signed_word();
                    let bits = self.types.model.word();
                    let number = self.constant(super::constant::wrap(number, bits), word, at);
                    place.path.push(Step::Index(Box::new(number)));
                    place.ty = element;
                }
            }
        }
        let pointer = self.types.pointer_to(place.ty);
        let address = self.address(place, pointer, span);
        let word = self.types.unsigned_word();
        let mut sum = self.convert(address, word);
        for part in moved {
            sum = self.arithmetic(BinaryOp::Add, sum, part, span)?;
        }
        Ok(sum)
    }

    /// The distance in bytes to the element of an array at an index that is not constant.
    fn distance(&mut self, index: &Node<Expression>, element: TypeId) -> Typed<Expr> {
        let span = self.span(index);
        let value = self.value(index)?;
        let word = self.types.unsigned_word();
        let value = self.fitting(value, word, span)?;
        let size = self.size_of_type(element, span)?;
        self.arithmetic(BinaryOp::Multiply, value, size, span)
    }

    /// `({ ...; value; })`
    fn statement_expression(&mut self, node: &Node<Statement>, span: Span) -> Typed<Operand> {
        let Statement::Compound(items) = &node.node else {
            return Err(self.unsupported(span, "this expression"));
        };
        if self.current.is_none() {
            self.effects = true;
            return Err(self.type_error(
                span,
                "a statement expression needs a function around it".to_owned(),
                "outside of functions",
            ));
        }
        self.enter_block();
        let result = self.statement_items(items);
        // It may be one of a variable that ends here.
        let kept = result.map(|value| value.map(|value| self.keep(value)));
        self.leave_block();
        Ok(kept?.map_or(Operand::Nothing, |kept| self.as_place(kept)))
    }

    fn statement_items(&mut self, items: &[Node<BlockItem>]) -> Typed<Option<Expr>> {
        let Some((last, before)) = items.split_last() else { return Ok(None) };
        self.block_items(before);
        if let BlockItem::Statement(statement) = &last.node {
            let mut statement = statement;
            if let Statement::Labeled(labeled) = &statement.node
                && has_value(labeled)
            {
                statement = self.labels(labeled)?;
            }
            if let Statement::Expression(Some(expression)) = &statement.node {
                return self.value_or_nothing(expression);
            }
        }
        self.block_items(std::slice::from_ref(last));
        Ok(None)
    }
}

/// Whether an expression is behind all labels.
fn has_value(labeled: &Node<LabeledStatement>) -> bool {
    let mut statement = &labeled.node.statement;
    while let Statement::Labeled(inner) = &statement.node {
        statement = &inner.node.statement;
    }
    matches!(statement.node, Statement::Expression(Some(_)))
}

pub(in crate::parse) fn is_assignment(operator: BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        operator,
        B::Assign
            | B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignPlus
            | B::AssignMinus
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseXor
            | B::AssignBitwiseOr
    )
}

pub(super) fn is_step(operator: UnaryOperator) -> bool {
    use UnaryOperator as U;
    matches!(operator, U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement)
}
