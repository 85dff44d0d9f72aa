//! Functions with the attributes `constructor` and `destructor` of GNU C: they run before `main`, and behind what is given to
//! `atexit`.

use crate::flow::{
    Body, Callee, Edge, Expr, ExprKind, FunctionId, Instruction, LocationId, Place, Step,
};
use crate::parse::context::Context;
use crate::parse::kept::{COUNT, LIST};
use crate::parse::unit::{Outside, Thing, Unit};
use crate::types::Type;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Context<'_> {
    /// The functions of the file that run outside of `main`.  Of those without a body here or in another file, which a
    /// library has, it is assumed that they do not matter.
    pub(in crate::parse) fn outside_of_main(&mut self) -> Vec<Outside> {
        let mut all = vec![];
        for (&function, promises) in &self.promises {
            let found = [promises.constructor, promises.destructor].into_iter().zip([false, true]);
            all.extend(found.filter_map(|(priority, is_destructor)| {
                Some(Outside { function, is_destructor, priority: priority? })
            }));
        }
        all.sort_by_key(|outside| (outside.function.0, outside.is_destructor));
        all.retain(|outside| {
            let function = &self.functions[outside.function.0 as usize];
            let (name, span) = (function.name.clone(), function.span);
            let has_body = function.body.is_some();
            if !has_body && !self.bodies.contains(&name) {
                let message = format!("'{name}' has no body, and runs outside of 'main'");
                let warning = Diagnostic::new(DiagnosticKind::Undeclared, span, message);
                let label = "assumed to change nothing of the program";
                self.warn(&format!("outside {name}"), warning.with_label(label));
            }
            has_body
        });
        if let Some(first) = all.iter().find(|outside| outside.is_destructor) {
            let span = self.functions[first.function.0 as usize].span;
            self.handlers(span);
        }
        all
    }
}

impl Unit {
    /// Lets a function, in which the program starts, register the destructors and call the constructors before.
    pub(in crate::parse) fn run_outside(&mut self, main: FunctionId) {
        let mut all = std::mem::take(&mut self.outside);
        if all.is_empty() {
            return;
        }
        all.sort_by_key(|outside| (!outside.is_destructor, outside.priority));
        let open = self.why_open(&all, main);
        let span = self.functions[main.0 as usize].span;
        let mut instructions = vec![];
        instructions.extend(open.map(|what| Instruction::Unsupported(what.to_owned())));
        let destructors: Vec<FunctionId> =
            all.iter().filter(|outside| outside.is_destructor).map(|o| o.function).collect();
        instructions.extend(self.registered(&destructors, span));
        let constructors = all.iter().filter(|outside| !outside.is_destructor);
        instructions.extend(constructors.map(|outside| {
            let callee = Callee::Function(outside.function);
            Instruction::Call { result: None, callee, arguments: vec![] }
        }));
        if let Some(body) = &mut self.functions[main.0 as usize].body {
            begin_with(body, instructions, span);
        }
    }

    /// Why it is not known what they do.
    fn why_open(&self, all: &[Outside], main: FunctionId) -> Option<&'static str> {
        let same = |pair: &[Outside]| {
            pair[0].is_destructor == pair[1].is_destructor && pair[0].priority == pair[1].priority
        };
        let has_parameters =
            |outside: &Outside| !self.functions[outside.function.0 as usize].parameters.is_empty();
        if all.iter().any(|outside| outside.priority.is_none()) {
            Some("a priority that is no plain number")
        } else if all.windows(2).any(same) {
            Some("constructors or destructors of one priority, which have no order")
        } else if all.iter().any(|outside| outside.function == main && !outside.is_destructor) {
            Some("executions that start in a constructor")
        } else if all.iter().any(has_parameters) {
            Some("a constructor or destructor with parameters")
        } else {
            self.is_called(main).then_some("constructors of a program that calls 'main'")
        }
    }

    /// Puts them into the list of what is given to `atexit`.
    fn registered(&mut self, functions: &[FunctionId], span: Span) -> Vec<Instruction> {
        let variable = |unit: &Self, name: &str| {
            unit.names.iter().find_map(|(other, thing, _)| match thing {
                Thing::Variable(id) if other == name => Some(*id),
                _ => None,
            })
        };
        let (Some(list), Some(count)) = (variable(self, LIST), variable(self, COUNT)) else {
            return vec![];
        };
        let list_type = self.variables[list.0 as usize].ty;
        let Type::Array(handler, _) = *self.types.get(list_type) else { return vec![] };
        let word = self.types.signed_word();
        let number = |value: usize, ty| Expr { kind: ExprKind::Constant(value as u64), ty, span };
        let mut all = vec![];
        for (index, &function) in functions.iter().enumerate() {
            let ty = self.functions[function.0 as usize].ty;
            let ty = self.types.pointer_to(ty);
            let address = Expr { kind: ExprKind::FunctionAddress(function), ty, span };
            let value = match ty == handler {
                true => address,
                false => Expr { kind: ExprKind::Cast(Box::new(address)), ty: handler, span },
            };
            let mut place = Place::of(list, list_type, span);
            place.path.push(Step::Index(Box::new(number(index, word))));
            all.push(Instruction::Assign(Place { ty: handler, ..place }, value));
        }
        let ty = self.variables[count.0 as usize].ty;
        all.push(Instruction::Assign(Place::of(count, ty, span), number(functions.len(), ty)));
        all
    }
}

/// Puts instructions in front of a body.
fn begin_with(body: &mut Body, instructions: Vec<Instruction>, span: Span) {
    let mut source = LocationId(body.locations);
    let start = std::mem::replace(&mut body.entry, source);
    let count = instructions.len();
    for (i, instruction) in instructions.into_iter().enumerate() {
        body.locations += 1;
        let target = if i + 1 == count { start } else { LocationId(body.locations) };
        body.edges.push(Edge { source, target, instruction, span });
        source = target;
    }
}
