//! The attribute `cleanup` of GNU C: where a local variable's block is left behind its declaration, but by `exit` and its like, a
//! function is called with its address.

use super::blocks::{Blocks, Cleanup};
use crate::edit::Edges;
use crate::flow::{
    Callee, Edge, Expr, ExprKind, FunctionId, Instruction, LocationId, Place, Variable, VariableId,
};
use crate::parse::context::{Context, Typed};
use crate::parse::scope::Entity;
use crate::syntax::tree::{Identifier, Node};
use crate::types::Type;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Context<'_> {
    /// A local variable, which is declared here, is cleaned up by a function.
    pub(in crate::parse) fn cleaned_up(
        &mut self,
        variable: VariableId,
        name: &Node<Identifier>,
    ) -> Typed<()> {
        let span = name.span;
        let Some((Entity::Function(function), _)) = self.scopes.find(&name.node.name) else {
            let message = format!("there is no function '{}'", name.node.name);
            let mistake = Diagnostic::new(DiagnosticKind::Undeclared, span, message);
            return Err(self.report(mistake.with_label("not declared above")));
        };
        let own = &self.functions[function.0 as usize];
        let is_special = !self.bodies.contains(&own.name) && self.convention_of(function).is_some();
        if is_special || self.has_hooks(function) {
            let what = format!("a variable that '{}' cleans up", name.node.name);
            self.not_modelled(span, &what);
        }
        let place = self.place_of(variable, span);
        let ty = self.types.pointer_to(place.ty);
        let mut argument = Expr { kind: ExprKind::AddressOf(place), ty, span };
        let own = self.functions[function.0 as usize].ty;
        if let Type::Function { parameters, .. } = self.types.get(own).clone()
            && let Some(&parameter) = parameters.first()
        {
            argument = self.convert(argument, parameter);
        }
        if let Some(current) = self.current.as_mut().filter(|_| self.dry == 0) {
            // The location here is the first one behind which it is cleaned up.
            let (here, next) = (current.builder.here(), current.builder.code().locations);
            current.blocks.enter_cleanup(Cleanup { function, argument, span }, next);
            current.blocks.place(here);
            // The block may end at once, which is where it goes then.
            current.builder.emit(Instruction::Skip, span);
        }
        Ok(())
    }
}

impl Blocks {
    /// Calls what variables ask for on each edge that leaves their blocks: the last one first.  With jumps to `unknown` places, the path is
    /// left undecided.  The results of functions are computed before; temporaries have these.
    pub fn clean_up(
        &mut self,
        variables: &mut Vec<Variable>,
        function: FunctionId,
        unknown: bool,
        code: &mut Edges,
    ) {
        if !self.has_cleanups() {
            return;
        }
        if unknown && let Some(first) = code.edges.first_mut() {
            let what = "'cleanup' in a function with computed jumps or 'setjmp'";
            first.instruction = Instruction::Unsupported(what.to_owned());
            return;
        }
        for at in 0..code.edges.len() {
            let Edge { source, target, span, ref instruction } = code.edges[at];
            let value = match instruction {
                Instruction::Halt | Instruction::Error(_) => continue,
                Instruction::Return(value) => Some(value.clone()),
                _ => None,
            };
            let to = value.is_none().then_some(target);
            let calls: Vec<Cleanup> = self.left(source, to).cloned().collect();
            if calls.is_empty() {
                continue;
            }
            let mut last = at;
            let mut then = |instruction: Instruction, span: Span, code: &mut Edges| {
                let middle = self.beside(source, code);
                code.edges[last].target = middle;
                code.add(middle, target, instruction, span);
                last = code.edges.len() - 1;
            };
            let result = value.map(|value| {
                let (first, kept) = match value {
                    None => (Instruction::Skip, None),
                    Some(value) => {
                        let (ty, name) = (value.ty, format!("cleaned@{}", source.0));
                        let id = VariableId(variables.len() as u32);
                        variables.push(Variable::hidden(name, ty, Some(function), span));
                        let place = Place::of(id, ty, span);
                        (Instruction::Assign(place.clone(), value), Some(place.load()))
                    }
                };
                code.edges[at].instruction = first;
                Instruction::Return(kept)
            });
            for Cleanup { function, argument, span, .. } in calls {
                let callee = Callee::Function(function);
                let call = Instruction::Call { result: None, callee, arguments: vec![argument] };
                then(call, span, code);
            }
            if let Some(result) = result {
                then(result, span, code);
            }
        }
    }

    /// A new location in the block of another one.
    fn beside(&mut self, location: LocationId, code: &mut Edges) -> LocationId {
        let middle = code.fresh();
        self.place_as(middle, location);
        middle
    }
}
