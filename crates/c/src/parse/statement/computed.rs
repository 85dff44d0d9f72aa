//! Labels as values, and `goto` to them.
//!
//! The address of a label is that of a variable that stands for it; a `goto` compares its value with each of them.

use crate::flow::{BinaryOp, Expr, ExprKind, FunctionId, Instruction, VariableId, VariableKind};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::ComputedGoto;
use crate::syntax::tree::{Expression, Identifier, Node};
use hardbop_base::source::Span;

impl Context<'_> {
    /// `&&label`
    pub fn label_value(&mut self, name: &Node<Identifier>, span: Span) -> Typed<Expr> {
        let Some(function) = self.inside else {
            let message = "a label has an address only in its function".to_owned();
            return Err(self.type_error(span, message, "outside of functions"));
        };
        let key = (function, name.node.name.clone());
        let object = match self.label_objects.get(&key) {
            Some(&(object, _)) => object,
            None => {
                let char = self.char();
                let function = &self.functions[function.0 as usize].name;
                let unique = format!("{function}::&&{}", key.1);
                let object = self.variable(&unique, char, VariableKind::Global, span);
                self.variables[object.0 as usize].internal = true;
                // What is evaluated without effect leaves no variables behind.
                if self.dry == 0 {
                    self.label_objects.insert(key, (object, span));
                }
                object
            }
        };
        Ok(self.address_of_label(object, span))
    }

    fn address_of_label(&mut self, object: VariableId, span: Span) -> Expr {
        let place = self.place_of(object, span);
        let ty = self.types.pointer_to(place.ty);
        let void = self.void();
        let untyped = self.types.pointer_to(void);
        self.convert(Expr { kind: ExprKind::AddressOf(place), ty, span }, untyped)
    }

    /// `goto *value;`
    pub fn computed_goto(&mut self, target: &Node<Expression>, span: Span) -> Typed<()> {
        let void = self.void();
        let untyped = self.types.pointer_to(void);
        let value = self.value(target)?;
        let value = self.assignable(value, untyped, span)?;
        let value = self.keep(value);
        self.emit(Instruction::Skip, span);
        let from = self.here();
        let after = self.fresh();
        self.go_on_at(after);
        if self.dry == 0
            && let Some(current) = &mut self.current
        {
            current.computed.push(ComputedGoto { from, value, span });
        }
        Ok(())
    }

    /// Connects the function's `goto`s to the labels whose addresses are taken.
    pub fn connect_gotos(&mut self, function: FunctionId) {
        let labels: Vec<(String, VariableId, Span)> = self
            .label_objects
            .iter()
            .filter(|((of, _), _)| *of == function)
            .map(|((_, name), &(object, span))| (name.clone(), object, span))
            .collect();
        let mut targets = Vec::new();
        for (name, object, span) in labels {
            let Some(label) = self.label(&name) else { return };
            label.used.get_or_insert(span);
            targets.push((label.location, object));
        }
        let Some(current) = &mut self.current else { return };
        for ComputedGoto { from, value, span } in std::mem::take(&mut current.computed) {
            self.go_on_at(from);
            for &(target, object) in &targets {
                let address = self.address_of_label(object, span);
                let condition = self.combine(BinaryOp::Equal, value.clone(), address, span);
                self.flow(|b| b.jump_if(condition, target, span));
            }
            let what = "a 'goto' to what is no label of its function";
            self.stop(Instruction::Unsupported(what.to_owned()), span);
        }
    }
}
