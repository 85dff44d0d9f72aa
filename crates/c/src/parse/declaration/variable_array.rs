//! Arrays of variable length: memory from `alloca`, and types that are incomplete for all but the
//! operations here.

use super::specifier::is_pointer;
use crate::flow::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, Instruction, VariableId, VariableKind,
    Violation,
};
use crate::parse::context::{Context, Failed, Typed, VariableType};
use crate::parse::scope::Entity;
use crate::reliance::Reliance;
use crate::syntax::tree::{
    Declarator, DeclaratorKind, DerivedDeclarator, Expression, FunctionDeclarator, Initializer,
    Node,
};
use crate::types::{Record, RecordId, Type, TypeId};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

impl Context<'_> {
    /// The array of variable length that a type is.
    pub fn variable_type_of(&self, ty: TypeId) -> Option<VariableType> {
        match self.types.get(ty) {
            Type::Record(id) => self.variable_types.get(id).copied(),
            _ => None,
        }
    }

    /// The type of an array whose length is evaluated here.  Where parameters are declared, there
    /// are no values: it is the
    /// type of its elements, as it is for pointers to it only, and the body of the function makes
    /// it what it is.
    pub(super) fn variable_type(
        &mut self,
        array: TypeId,
        length: &Node<Expression>,
    ) -> Typed<TypeId> {
        let span = self.span(length);
        let Type::Array(element, _) = *self.types.get(array) else {
            return Err(self.unsupported(span, "this array of variable length"));
        };
        if self.in_parameters > 0 {
            self.has_rows = true;
            return Ok(element);
        }
        if self.current.is_none() {
            let message = "the length of this array must be constant".to_owned();
            return Err(self.type_error(span, message, "not constant"));
        }
        let inner = self.variable_type_of(element);
        let base = inner.map_or(element, |inner| inner.base);
        self.complete_size(base, span)?;
        let word = self.types.signed_word();
        let length = self.value(length)?;
        let at = length.span;
        let length = self.positive(length, span)?;
        let length = self.fitting(length, word, at)?;
        let length = self.noted(length, span)?;
        let count = match inner {
            Some(inner) => {
                let (rows, each) = (self.noted_value(length, span), self.count_of(inner, span));
                let product = self.unchecked_product(rows, each, span);
                self.noted(product, span)?
            }
            None => length,
        };
        let name = format!("array@{}", self.types.records.len());
        let align = self.types.align(base);
        self.types.records.push(Record { name, union: false, fields: None, size: 0, align });
        let id = RecordId(self.types.records.len() as u32 - 1);
        self.variable_types.insert(id, VariableType { element, base, length, count });
        Ok(self.types.intern(Type::Record(id)))
    }

    /// The number of values of a constant size in an array of variable length.
    pub fn count_of(&mut self, of: VariableType, span: Span) -> Expr {
        self.noted_value(of.count, span)
    }

    /// A variable that keeps a value.
    fn noted(&mut self, value: Expr, span: Span) -> Typed<VariableId> {
        let place = self.temporary(value.ty, span);
        self.emit(Instruction::Assign(place.clone(), value), span);
        match place.base {
            Base::Variable(id) => Ok(id),
            _ => Err(Failed),
        }
    }

    /// The value that such a variable keeps.
    fn noted_value(&self, of: VariableId, span: Span) -> Expr {
        let place = self.place_of(of, span);
        Expr { ty: place.ty, span, kind: ExprKind::Load(place) }
    }

    /// Checks an index of an array of variable length, as is done for others: where only the
    /// address is taken, one behind the last element is fine.  Behind the last one of several
    /// arrays, more indices may follow: that is left open.
    pub fn checked_row(
        &mut self,
        of: VariableType,
        index: Expr,
        is_address: bool,
        span: Span,
    ) -> Typed<Expr> {
        if !self.checked() || !self.options.property.checks.has(Check::Bounds) {
            return Ok(index);
        }
        let is_rows = self.variable_type_of(of.element).is_some()
            || matches!(self.types.get(of.element), Type::Array(..));
        let word = self.types.unsigned_word();
        let index = self.keep(index);
        let value = self.convert(index.clone(), word);
        let length = self.noted_value(of.length, span);
        let length = self.convert(length, word);
        let (good, behind, bad) = (self.fresh(), self.fresh(), self.fresh());
        let within = self.arithmetic(BinaryOp::Less, value.clone(), length.clone(), span)?;
        self.branch_on(within, good, behind, span)?;
        self.go_on_at(behind);
        if is_address || is_rows {
            let (last, beyond) = (self.fresh(), self.fresh());
            let is_last = self.arithmetic(BinaryOp::Equal, value, length, span)?;
            self.branch_on(is_last, last, beyond, span)?;
            self.go_on_at(last);
            match is_address {
                true => self.jump(good, span),
                false => {
                    let what = "an index behind the last one of several arrays".to_owned();
                    self.stop(Instruction::Unsupported(what), span);
                }
            }
            self.go_on_at(beyond);
        }
        self.jump(bad, span);
        self.go_on_at(bad);
        self.stop(Instruction::Error(Violation::Of(ErrorKind::OutOfBounds)), span);
        self.go_on_at(good);
        Ok(index)
    }

    /// A product of machine words, which wraps around: sizes are none of the program's numbers.
    fn unchecked_product(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        let (word, back) = (self.types.unsigned_word(), self.types.signed_word());
        let (left, right) = (self.convert(left, word), self.convert(right, word));
        let product = self.combine(BinaryOp::Multiply, left, right, span);
        self.convert(product, back)
    }

    /// The size of an array of variable length, in bytes.
    pub fn size_of_variable(&mut self, of: VariableType, span: Span) -> Typed<Expr> {
        let size = self.complete_size(of.base, span)?;
        let word = self.types.unsigned_word();
        let count = self.count_of(of, span);
        let count = self.convert(count, word);
        let size = self.constant(size, word, span);
        Ok(self.combine(BinaryOp::Multiply, count, size, span))
    }

    /// A pointer to an array of variable length, or into it, as one of another type.
    pub fn repointed(&mut self, pointer: Expr, to: TypeId) -> Expr {
        let target = self.types.pointer_to(to);
        match pointer.kind {
            ExprKind::Cast(inner) if self.types.is_pointer(inner.ty) => {
                self.convert(*inner, target)
            }
            _ => self.convert(pointer, target),
        }
    }

    /// A pointer to an array of variable length, moved by a number of such arrays.
    pub fn moved_by_rows(
        &mut self,
        pointer: Expr,
        index: Expr,
        of: VariableType,
        span: Span,
    ) -> Typed<Expr> {
        let ty = pointer.ty;
        let count = self.count_of(of, span);
        let distance = self.unchecked_product(index, count, span);
        let start = self.repointed(pointer, of.base);
        let moved = self.arithmetic(BinaryOp::Add, start, distance, span)?;
        Ok(self.convert(moved, ty))
    }

    /// Gives parameters of a function that begins here the types that depend on values of others.
    pub(super) fn rows_of_parameters(
        &mut self,
        id: FunctionId,
        declarator: &Node<Declarator>,
    ) -> Typed<()> {
        let rows = self.rows.remove(&id).unwrap_or_default();
        let ids = self.functions[id.0 as usize].parameters.clone();
        let function = parameters_of(declarator);
        for index in rows {
            let node = function.and_then(|function| function.parameters.get(index));
            let (Some(node), Some(&parameter)) = (node, ids.get(index)) else { continue };
            let Some(declarator) = &node.node.declarator else { continue };
            let span = self.span(node);
            let specifiers = &node.node.specifiers;
            let pointer = is_pointer(declarator);
            let base = self.as_pointee(pointer, |c| c.specifiers(specifiers, span))?.ty;
            let (name, ty) = self.parameter_declarator(base, declarator)?;
            let ty = self.adjusted(ty);
            let Some(name) = name else { continue };
            let place = self.place_of(parameter, span);
            let given = Expr { ty: place.ty, span, kind: ExprKind::Load(place) };
            let value = self.convert(given, ty);
            let own = self.temporary(ty, span);
            self.emit(Instruction::Assign(own.clone(), value), span);
            if let Base::Variable(own) = own.base {
                self.scopes.declare(name, Entity::Variable(own), span);
            }
        }
        Ok(())
    }

    /// Declares an array of computed length: memory from `alloca`.
    pub(super) fn variable_array(
        &mut self,
        ty: TypeId,
        name: &str,
        initialiser: Option<&Node<Initializer>>,
        span: Span,
    ) -> Typed<()> {
        let Some(variable) = self.variable_type_of(ty) else { return Ok(()) };
        // Of C23.
        let zeroed = match initialiser.map(|node| (&node.node, self.span(node))) {
            None => false,
            Some((Initializer::List(items), _)) if items.is_empty() => true,
            Some((_, at)) => {
                let message =
                    "an array of variable length has no initial value but '{}'".to_owned();
                return Err(self.type_error(at, message, "not known how many elements it is for"));
            }
        };
        let word = self.types.unsigned_word();
        let bytes = self.size_of_variable(variable, span)?;
        let size = self.temporary(word, span);
        self.emit(Instruction::Assign(size.clone(), bytes), span);
        let Base::Variable(size_id) = size.base else { return Ok(()) };
        let pointer = self.types.pointer_to(variable.base);
        let id = self.variable(name, pointer, VariableKind::Local, span);
        let place = self.place_of(id, span);
        let void = self.void();
        let untyped = self.types.pointer_to(void);
        let alloca = self.library_function("alloca", untyped, &[word]);
        let memory = self.temporary(untyped, span);
        let size = Expr { kind: ExprKind::Load(size), ty: word, span };
        self.emit(
            Instruction::Call {
                result: Some(memory.clone()),
                callee: Callee::Function(alloca),
                arguments: vec![size.clone()],
            },
            span,
        );
        let memory = Expr { kind: ExprKind::Load(memory), ty: untyped, span };
        if zeroed {
            let cleared = self.clear(memory.clone(), size, span);
            self.emit(cleared, span);
        }
        let memory = self.convert(memory, pointer);
        self.emit(Instruction::Assign(place, memory), span);
        if let Some(current) = &mut self.current {
            // The location here is the first one in which the array is live.
            let here = current.builder.here();
            let next = current.builder.code().locations;
            current.blocks.enter_array(id, next);
            current.blocks.place(here);
        }
        let entity = Entity::VariableArray { pointer: id, size: size_id, ty };
        self.declare_checked(name, entity, span)
    }

    /// An array of variable length has at least one element (C11, 6.7.6.2, 5): a check, or an assumption.
    pub fn positive(&mut self, length: Expr, span: Span) -> Typed<Expr> {
        if self.as_number(&length).is_some_and(|length| length > 0) {
            return Ok(length);
        }
        let length = self.keep(length);
        let int = self.int();
        let zero = self.constant(0, int, span);
        let asked = self.options.property.checks;
        if !asked.has(Check::Bounds) && !asked.has(Check::Vla) {
            self.rely(Reliance::Lengths, span);
            let condition = self.arithmetic(BinaryOp::Greater, length.clone(), zero, span)?;
            self.emit(Instruction::Assume { condition, expected: true }, span);
            return Ok(length);
        }
        let none = self.arithmetic(BinaryOp::LessEqual, length.clone(), zero, span)?;
        self.refuse_where(none, ErrorKind::ArrayLength, span);
        Ok(length)
    }
}

/// The parameters next to the name that is declared.
fn parameters_of(declarator: &Node<Declarator>) -> Option<&FunctionDeclarator> {
    let mut found = None;
    let mut declarator = declarator;
    loop {
        let derived = &declarator.node.derived;
        let suffix = derived.iter().find(|d| !matches!(d.node, DerivedDeclarator::Pointer(_)));
        found = suffix.or(found);
        match &declarator.node.kind.node {
            DeclaratorKind::Declarator(inner) => declarator = inner,
            _ => break,
        }
    }
    match found.map(|step| &step.node) {
        Some(DerivedDeclarator::Function(function)) => Some(function),
        _ => None,
    }
}
