//! Arrays of variable length: memory from `alloca`.

use crate::flow::{Base, BinaryOp, Callee, Expr, ExprKind, Instruction, VariableKind, Violation};
use crate::parse::context::{Context, Typed};
use crate::parse::scope::Entity;
use crate::reliance::Reliance;
use crate::syntax::tree::{Expression, Initializer, Node};
use crate::types::{Type, TypeId};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

impl Context<'_> {
    /// Declares an array of computed length: memory from `alloca`.
    pub(super) fn variable_array(
        &mut self,
        (ty, length): (TypeId, &Node<Expression>),
        name: &str,
        initialiser: Option<&Node<Initializer>>,
        span: Span,
    ) -> Typed<()> {
        let Type::Array(element, _) = *self.types.get(ty) else {
            return Err(self.unsupported(span, "a pointer to an array of variable length"));
        };
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
        let scale = self.complete_size(element, span)?;
        let length = self.value(length)?;
        let at = length.span;
        let length = self.positive(length, span)?;
        let length = self.assignable(length, word, at)?;
        let scale = self.constant(scale, word, span);
        let bytes = self.arithmetic(BinaryOp::Multiply, length, scale, span)?;
        let size = self.temporary(word, span);
        self.emit(Instruction::Assign(size.clone(), bytes), span);
        let Base::Variable(size_id) = size.base else { return Ok(()) };
        let pointer = self.types.pointer_to(element);
        let id = self.variable(name, pointer, VariableKind::Local, span);
        let place = self.place_of(id, span);
        let alloca = self.library_function("alloca", &[word]);
        let void = self.void();
        let untyped = self.types.pointer_to(void);
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
        let entity = Entity::VariableArray { pointer: id, size: size_id };
        self.declare_checked(name, entity, span)
    }

    /// An array of variable length has at least one element (C11, 6.7.6.2, 5): a check, or an assumption.
    fn positive(&mut self, length: Expr, span: Span) -> Typed<Expr> {
        let length = self.keep(length);
        let int = self.int();
        let zero = self.constant(0, int, span);
        if !self.options.property.checks.has(Check::Bounds) {
            self.rely(Reliance::Lengths, span);
            let condition = self.arithmetic(BinaryOp::Greater, length.clone(), zero, span)?;
            self.emit(Instruction::Assume { condition, expected: true }, span);
            return Ok(length);
        }
        let none = self.arithmetic(BinaryOp::LessEqual, length.clone(), zero, span)?;
        let (bad, good) = (self.fresh(), self.fresh());
        self.flow(|b| b.branch(none, bad, good, span));
        self.go_on_at(bad);
        self.stop(Instruction::Error(Violation::Of(ErrorKind::ArrayLength)), span);
        self.go_on_at(good);
        Ok(length)
    }
}
