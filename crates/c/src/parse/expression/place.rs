//! Places: names, members, elements, targets of pointers; and addresses.

use crate::flow::{Base, Expr, ExprKind, FunctionId, HavocKind, Instruction, Place, Step};
use crate::parse::context::{Context, Failed, Typed};
use crate::parse::scope::Entity;
use crate::reliance::Reliance;
use crate::syntax::tree::{Expression, Identifier, MemberExpression, MemberOperator, Node};
use crate::types::{RecordId, Type, TypeId};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The meaning of an expression before arrays and functions decay to addresses.
#[derive(Debug)]
pub(in crate::parse) enum Operand {
    Place(Place),
    Value(Expr),
    Function(FunctionId),
    /// A value of type `void`.
    Nothing,
}

impl Context<'_> {
    pub fn operand_type(&mut self, operand: &Operand) -> TypeId {
        match operand {
            Operand::Place(place) => place.ty,
            Operand::Value(value) => value.ty,
            Operand::Function(id) => self.functions[id.0 as usize].ty,
            Operand::Nothing => self.void(),
        }
    }

    /// The value of an operand; arrays and functions decay to addresses.
    pub fn decay(&mut self, operand: Operand, span: Span) -> Typed<Expr> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Function(id) => {
                let id = self.by_address(id);
                self.by_pointer.insert(id);
                let name = self.functions[id.0 as usize].name.clone();
                self.maybe_null(&name, span);
                // Who calls it by the address relies on it as well.
                if self.dry == 0 && self.promises.get(&id).is_some_and(|all| all.no_return) {
                    self.reliances.insert((Reliance::NoReturn, Some(span)));
                }
                Ok(self.function_address(id, span))
            }
            Operand::Nothing => {
                let message = "a call without a result is used as a value".to_owned();
                Err(self.type_error(span, message, "of type 'void'"))
            }
            Operand::Place(place) => match *self.types.get(place.ty) {
                Type::Array(element, _) => {
                    let ty = self.types.pointer_to(element);
                    self.weak_place(&place, span);
                    Ok(self.address(place, ty, span))
                }
                Type::Record(_) if let Some(of) = self.variable_type_of(place.ty) => {
                    let ty = self.types.pointer_to(place.ty);
                    let start = self.address(place, ty, span);
                    Ok(self.repointed(start, of.element))
                }
                Type::Record(_) => {
                    self.complete_size(place.ty, span)?;
                    Ok(self.read(place, span))
                }
                _ => Ok(self.read(place, span)),
            },
        }
    }

    fn weak_place(&mut self, place: &Place, span: Span) {
        if let Base::Variable(id) = place.base
            && !self.weak.is_empty()
        {
            let name = self.variables[id.0 as usize].name.clone();
            self.maybe_null(&name, span);
        }
    }

    /// Leaves open what follows a use of the address of what this file declares weak and does not define.
    fn maybe_null(&mut self, name: &str, span: Span) {
        if self.weak.contains(name) {
            self.not_modelled(
                span,
                &format!("the address of the weak '{name}', which may be null"),
            );
        }
    }

    pub fn function_address(&mut self, id: FunctionId, span: Span) -> Expr {
        let ty = self.functions[id.0 as usize].ty;
        let ty = self.types.pointer_to(ty);
        Expr { kind: ExprKind::FunctionAddress(id), ty, span }
    }

    /// The value in a place; any value if the place is part of a volatile variable.
    pub fn read(&mut self, place: Place, span: Span) -> Expr {
        let ty = place.ty;
        let is_volatile = match place.base {
            Base::Variable(id) => self.variables[id.0 as usize].volatile,
            _ => false,
        };
        if !is_volatile {
            return Expr { kind: ExprKind::Load(place), ty, span };
        }
        let value = self.temporary(ty, span);
        let read = HavocKind::Volatile(Box::new(place));
        self.emit(Instruction::Havoc(value.clone(), read), span);
        Expr { kind: ExprKind::Load(value), ty, span }
    }

    /// The address of a place, with pointer type `ty`; a number if the base is one (`offsetof`).
    pub fn address(&mut self, place: Place, ty: TypeId, span: Span) -> Expr {
        if let Base::Pointer(pointer) = &place.base {
            if place.path.is_empty() && pointer.ty == ty {
                return (**pointer).clone();
            }
            if let (ExprKind::Constant(base), Some(offset)) =
                (&pointer.kind, self.constant_offset(&place))
            {
                let bits = self.types.model.word();
                let sum = i128::from(*base) + i128::from(offset);
                return self.constant(super::constant::wrap(sum, bits), ty, span);
            }
        }
        Expr { kind: ExprKind::AddressOf(place), ty, span }
    }

    /// The distance of a place from its base in bytes, if all indices are constant.
    fn constant_offset(&self, place: &Place) -> Option<i64> {
        let Base::Pointer(pointer) = &place.base else { return None };
        let Type::Pointer(mut ty) = *self.types.get(pointer.ty) else { return None };
        let mut offset = 0_i64;
        for step in &place.path {
            let distance;
            (ty, distance) = self.constant_step(ty, step)?;
            offset = offset.checked_add(distance)?;
        }
        Some(offset)
    }

    /// The type of the part that a step leads to, and where it begins in the whole, in bytes, if that is constant.
    pub fn constant_step(&self, ty: TypeId, step: &Step) -> Option<(TypeId, i64)> {
        let (part, field) = step.part(ty, &self.types)?;
        let distance = match (step, field) {
            (Step::Index(index), _) => {
                let index = i64::try_from(self.as_number(index)?).ok()?;
                index.checked_mul(i64::try_from(self.types.size(part)?).ok()?)?
            }
            (Step::Field(_), field) => i64::try_from(field?.offset).ok()?,
        };
        Some((part, distance))
    }

    /// `&operand`
    pub fn address_of(&mut self, operand: Operand, span: Span) -> Typed<Expr> {
        match operand {
            Operand::Place(place) => {
                if self.bit_width(&place).is_some() {
                    let message = "a bit-field has no address".to_owned();
                    return Err(self.type_error(span, message, "a bit-field"));
                }
                let ty = self.types.pointer_to(place.ty);
                self.weak_place(&place, span);
                Ok(self.address(place, ty, span))
            }
            Operand::Function(_) => self.decay(operand, span),
            Operand::Value(value) => {
                // A function reached through a pointer.
                if let Type::Pointer(pointee) = *self.types.get(value.ty)
                    && matches!(self.types.get(pointee), Type::Function { .. })
                {
                    return Ok(value);
                }
                let message = "only what has a place has an address".to_owned();
                Err(self.type_error(span, message, "a mere value"))
            }
            Operand::Nothing => self.decay(operand, span),
        }
    }

    /// The target of a pointer.
    pub fn deref(&mut self, pointer: Expr, span: Span) -> Typed<Operand> {
        let Type::Pointer(pointee) = *self.types.get(pointer.ty) else {
            let name = self.types.name(pointer.ty);
            let message = format!("'{name}' is not a pointer");
            return Err(self.type_error(span, message, &format!("this is '{name}'")));
        };
        if matches!(self.types.get(pointee), Type::Function { .. }) {
            return Ok(match pointer.kind {
                ExprKind::FunctionAddress(id) => Operand::Function(id),
                _ => Operand::Value(pointer),
            });
        }
        let element = |context: &Self, place: &Place| matches!(*context.types.get(place.ty), Type::Array(element, _) if element == pointee);
        match pointer.kind {
            ExprKind::AddressOf(place) if place.ty == pointee => Ok(Operand::Place(place)),
            ExprKind::AddressOf(mut place) if element(self, &place) => {
                let word = self.types.signed_word();
                let zero = self.constant(0, word, span);
                place.path.push(Step::Index(Box::new(zero)));
                Ok(Operand::Place(Place { ty: pointee, span, ..place }))
            }
            ExprKind::Offset { pointer: base, index, scale } => match base.kind {
                ExprKind::AddressOf(mut place)
                    if element(self, &place) && self.types.size(pointee) == Some(scale) =>
                {
                    place.path.push(Step::Index(index));
                    Ok(Operand::Place(Place { ty: pointee, span, ..place }))
                }
                _ => {
                    let kind = ExprKind::Offset { pointer: base, index, scale };
                    Ok(self.pointed(Expr { kind, ..pointer }, pointee, span))
                }
            },
            _ => Ok(self.pointed(pointer, pointee, span)),
        }
    }

    fn pointed(&mut self, pointer: Expr, pointee: TypeId, span: Span) -> Operand {
        if *self.types.get(pointee) == Type::Void {
            return Operand::Nothing;
        }
        let base = Base::Pointer(Box::new(pointer));
        Operand::Place(Place { base, path: Vec::new(), ty: pointee, span })
    }

    pub fn identifier(&mut self, name: &Node<Identifier>) -> Typed<Operand> {
        let span = self.span(name);
        let text = name.node.name.as_str();
        if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
            && let Some(current) = &self.current
        {
            let function = self.functions[current.id.0 as usize].name.clone();
            return self.string(&[format!("\"{function}\"")], span).map(Operand::Place);
        }
        match self.scopes.find(text) {
            Some((Entity::Variable(id), declared)) => {
                let global = self.variables[id.0 as usize].function.is_none();
                if global && declared.start > span.start && self.current.is_some() {
                    let diagnostic = self.undeclared(text, span);
                    let below = diagnostic.with_related(declared, "declared only here");
                    return Err(self.report(below));
                }
                Ok(Operand::Place(self.named_place(id, span)))
            }
            Some((Entity::Function(id), _)) => Ok(Operand::Function(id)),
            Some((Entity::Constant(value, ty), _)) => {
                let bits = self.types.bits(ty).map_or(32, |(bits, _)| bits);
                let value = super::constant::wrap(value, bits);
                Ok(Operand::Value(self.constant(value, ty, span)))
            }
            Some((Entity::VariableArray { pointer, ty, .. }, _)) => {
                let place = self.place_of(pointer, span);
                let start = Expr { ty: place.ty, span, kind: ExprKind::Load(place) };
                let to = self.types.pointer_to(ty);
                let base = Base::Pointer(Box::new(self.convert(start, to)));
                Ok(Operand::Place(Place { base, path: Vec::new(), ty, span }))
            }
            Some((Entity::Typedef(_) | Entity::Aligned(_) | Entity::Strange(_), _)) => {
                let message = format!("'{text}' is a type, not a value");
                Err(self.type_error(span, message, "a type"))
            }
            Some((Entity::Refused, _)) => Err(self.refused_name(text, span)),
            Some((Entity::Reported, _)) => Err(Failed),
            None => {
                let diagnostic = self.undeclared(text, span);
                Err(self.report(diagnostic))
            }
        }
    }

    fn undeclared(&mut self, name: &str, span: Span) -> Diagnostic {
        let message = format!("undeclared name '{name}'");
        let diagnostic =
            Diagnostic::new(DiagnosticKind::Undeclared, span, message).with_label("not declared");
        match self.suggestions.nearest(name, self.scopes.names()) {
            Some(near) => diagnostic.with_hint(format!("did you mean '{near}'?")),
            None => diagnostic,
        }
    }

    /// `a.m`, `p->m`
    pub fn member(&mut self, node: &Node<MemberExpression>) -> Typed<Operand> {
        let span = self.span(node);
        let inner = &node.node.expression;
        let inner_span = self.span(inner);
        let indirect = node.node.operator.node == MemberOperator::Indirect;
        let operand = if indirect {
            let pointer = self.value(inner)?;
            if !self.types.is_pointer(pointer.ty) {
                return Err(self.wrong_arrow(pointer.ty, inner_span, span));
            }
            self.deref(pointer, inner_span)?
        } else {
            self.operand(inner)?
        };
        let ty = self.operand_type(&operand);
        let name = &node.node.identifier.node.name;
        let Operand::Place(place) = operand else {
            return Err(self.no_member(ty, name, self.span(&node.node.identifier)));
        };
        self.select(place, name, self.span(&node.node.identifier), span).map(Operand::Place)
    }

    /// A member of a place.
    pub fn select(&mut self, place: Place, name: &str, at: Span, span: Span) -> Typed<Place> {
        let Type::Record(record) = *self.types.get(place.ty) else {
            return Err(self.no_member(place.ty, name, at));
        };
        let Some(path) = self.find_member(record, name) else {
            return Err(self.no_member(place.ty, name, at));
        };
        let mut place = place;
        for index in path {
            place = self.field(place, index, span);
        }
        Ok(place)
    }

    /// The member with this index; the place must be a complete record that has it.
    pub fn field(&self, mut place: Place, index: u32, span: Span) -> Place {
        if let Some((_, record)) = self.types.as_record(place.ty)
            && let Some(field) = record.fields.as_ref().and_then(|f| f.get(index as usize))
        {
            place.ty = field.ty;
        }
        place.path.push(Step::Field(index));
        place.span = span;
        place
    }

    /// The path to a member, through anonymous records.
    pub fn find_member(&self, record: RecordId, name: &str) -> Option<Vec<u32>> {
        let fields = self.types.record(record).fields.as_ref()?;
        if let Some(index) = fields.iter().position(|f| f.name == name) {
            return Some(vec![index as u32]);
        }
        fields.iter().enumerate().filter(|(_, f)| f.name.is_empty()).find_map(|(index, field)| {
            let (inner, _) = self.types.as_record(field.ty)?;
            let rest = self.find_member(inner, name)?;
            Some(std::iter::once(index as u32).chain(rest).collect())
        })
    }

    fn wrong_arrow(&mut self, ty: TypeId, inner: Span, _span: Span) -> Failed {
        let name = self.types.name(ty);
        let record = self.types.as_record(ty).is_some();
        let diagnostic = Diagnostic::new(
            DiagnosticKind::Type,
            inner,
            format!("'->' needs a pointer, not '{name}'"),
        )
        .with_label(format!("this is '{name}'"));
        let diagnostic =
            if record { diagnostic.with_hint("use '.' instead of '->'") } else { diagnostic };
        self.report(diagnostic)
    }

    fn no_member(&mut self, ty: TypeId, name: &str, span: Span) -> Failed {
        let shown = self.types.name(ty);
        let make = |message: String| {
            Diagnostic::new(DiagnosticKind::Undeclared, span, message).with_label("no such member")
        };
        if let Type::Pointer(pointee) = *self.types.get(ty)
            && self.types.as_record(pointee).is_some()
        {
            let message = format!("'{shown}' has no members; it is a pointer");
            return self.report(make(message).with_hint("use '->' instead of '.'"));
        }
        let Some((_, record)) = self.types.as_record(ty) else {
            return self.report(make(format!("'{shown}' has no members")));
        };
        let Some(fields) = &record.fields else {
            if let Some(refused) = self.refused_record(ty, span) {
                return refused;
            }
            return self.report(make(format!("'{shown}' is declared, but not defined")));
        };
        let names = fields.iter().map(|f| f.name.as_str());
        let near = self.suggestions.nearest(name, names).map(str::to_owned);
        let diagnostic = make(format!("'{shown}' has no member '{name}'"));
        self.report(match near {
            Some(near) => diagnostic.with_hint(format!("did you mean '{near}'?")),
            None => diagnostic,
        })
    }

    /// `a[i]`
    pub fn index(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
        is_address: bool,
        span: Span,
    ) -> Typed<Operand> {
        let start = self.mark();
        let operand = self.operand(left)?;
        let rows = match &operand {
            Operand::Place(place) => self.variable_type_of(place.ty),
            _ => None,
        };
        // Of a variable with one length, the object has it as well.
        let is_object = matches!(left.node, Expression::Identifier(_));
        let rows = rows.filter(|rows| !is_object || rows.element != rows.base);
        let operand = match operand {
            Operand::Place(place) if self.types.as_vector(place.ty).is_some() => {
                return self.vector_element(place, right, span);
            }
            operand => operand,
        };
        let left = self.decay(operand, self.span(left))?;
        let (left, mut right) = self.paired(start, left, right)?;
        if let Some(rows) = rows {
            right = self.checked_row(rows, right, is_address, span)?;
        }
        let sum = self.arithmetic(crate::flow::BinaryOp::Add, left, right, span)?;
        self.deref(sum, span)
    }
}
