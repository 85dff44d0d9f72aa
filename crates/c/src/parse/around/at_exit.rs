//! Functions that the program gives to `atexit`: they run, the last one first, where it calls `exit` or `main` returns.

use std::collections::BTreeSet;

use crate::flow::{
    Base, BinaryOp, Body, Callee, END, Edge, Expr, ExprKind, FunctionId, HavocKind, Instruction,
    LocationId, Place, Step, Variable, VariableId, VariableKind,
};
use crate::library::find;
use crate::parse::builder::Builder;
use crate::parse::context::{Context, Typed};
use crate::parse::expression::{Special, binary};
use crate::parse::kept::{COUNT, Called, Handlers, LIST, RUN};
use crate::parse::unit::Unit;
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

/// How many functions a program may register; C guarantees 32.
const GREATEST: u64 = 64;

impl Context<'_> {
    /// The variables and the function for what the program registers.
    pub(in crate::parse) fn handlers(&mut self, span: Span) -> Handlers {
        if let Some(handlers) = self.handlers {
            return handlers;
        }
        let (int, handler) = (self.int(), self.handler());
        let ty = self.types.intern(Type::Array(handler, Some(GREATEST)));
        let list = self.variable(LIST, ty, VariableKind::Global, span);
        let count = self.variable(COUNT, int, VariableKind::Global, span);
        for variable in [list, count] {
            self.variables[variable.0 as usize].internal = true;
        }
        let ty = self.procedure();
        let run = self.new_function(LIST, ty, span);
        let handlers = Handlers { list, count, run };
        self.handlers = Some(handlers);
        handlers
    }

    /// The type of a function without parameters and result.
    fn procedure(&mut self) -> TypeId {
        let void = self.void();
        let ty = Type::Function { result: void, parameters: Vec::new(), variadic: false };
        self.types.intern(ty)
    }

    /// The type of a pointer to one.
    fn handler(&mut self) -> TypeId {
        let ty = self.procedure();
        self.types.pointer_to(ty)
    }

    /// `atexit(f)`
    pub(in crate::parse) fn at_exit(&mut self, call: &Special) -> Typed<Called> {
        let &Special { name, arguments, span, .. } = call;
        let [argument] = arguments else {
            return Err(self.wrong_count(1, arguments.len(), None, span));
        };
        let value = self.value(argument)?;
        let is_function = match *self.types.get(value.ty) {
            Type::Pointer(to) => matches!(self.types.get(to), Type::Function { .. }),
            _ => false,
        };
        if !is_function || !self.has_handlers {
            self.not_modelled(span, &format!("a call of '{name}'"));
            let int = self.int();
            return Ok(Called::Value(self.constant(0, int, span)));
        }
        let (int, handler) = (self.int(), self.handler());
        let value = self.convert(value, handler);
        let value = self.keep(value);
        let handlers = self.handlers(span);
        let count = self.load(handlers.count, span);
        let greatest = self.constant(GREATEST, int, span);
        let full = binary(BinaryOp::GreaterEqual, &count, &greatest, int);
        let (many, fine) = (self.fresh(), self.fresh());
        self.branch_on(full, many, fine, span)?;
        self.go_on_at(many);
        self.stop(Instruction::Unsupported("many calls of 'atexit'".to_owned()), span);
        self.go_on_at(fine);
        let place = self.handler_at(handlers, &count, span);
        self.emit(Instruction::Assign(place, value), span);
        let one = self.constant(1, int, span);
        let next = binary(BinaryOp::Add, &count, &one, int);
        let place = self.place_of(handlers.count, span);
        self.emit(Instruction::Assign(place, next), span);
        Ok(Called::Value(self.constant(0, int, span)))
    }

    /// `exit(n)`
    pub(in crate::parse) fn leave_program(&mut self, span: Span) {
        if self.has_handlers {
            let run = self.handlers(span).run;
            let callee = Callee::Function(run);
            self.emit(Instruction::Call { result: None, callee, arguments: Vec::new() }, span);
        }
        if self.options.property.checks.are_of_ends() {
            let ty = self.procedure();
            let callee = Callee::Function(self.new_function(END, ty, span));
            self.emit(Instruction::Call { result: None, callee, arguments: Vec::new() }, span);
        }
        self.stop(Instruction::Halt, span);
    }

    /// Gives the function that calls what is registered its body.
    pub(in crate::parse) fn define_handlers(&mut self) {
        let Some(handlers) = self.handlers else { return };
        let span = self.functions[handlers.run.0 as usize].span;
        let int = self.int();
        let mut builder = Builder::new();
        let (head, some, none) = (builder.fresh(), builder.fresh(), builder.fresh());
        builder.jump(head, span);
        builder.set_here(head);
        let count = self.load(handlers.count, span);
        let zero = self.constant(0, int, span);
        let more = binary(BinaryOp::Greater, &count, &zero, int);
        builder.branch(more, some, none, span);
        builder.set_here(some);
        let one = self.constant(1, int, span);
        let less = binary(BinaryOp::Subtract, &count, &one, int);
        let place = self.place_of(handlers.count, span);
        builder.emit(Instruction::Assign(place, less), span);
        let place = self.handler_at(handlers, &count, span);
        let ty = place.ty;
        let pointer = Expr { kind: ExprKind::Load(place), ty, span };
        let callee = Callee::Pointer(pointer);
        builder.emit(Instruction::Call { result: None, callee, arguments: Vec::new() }, span);
        builder.jump(head, span);
        builder.set_here(none);
        builder.emit(Instruction::Return(None), span);
        self.functions[handlers.run.0 as usize].body = Some(builder.finish());
    }

    fn load(&self, variable: VariableId, span: Span) -> Expr {
        let place = self.place_of(variable, span);
        Expr { ty: place.ty, kind: ExprKind::Load(place), span }
    }

    /// The place of the last of so many functions, or of the next one.
    fn handler_at(&mut self, handlers: Handlers, index: &Expr, span: Span) -> Place {
        let word = self.types.signed_word();
        let index = self.convert(index.clone(), word);
        let mut place = self.place_of(handlers.list, span);
        place.path.push(Step::Index(Box::new(index)));
        place.ty = self.handler();
        place
    }
}

impl Unit {
    /// Whether a function is called, or its address taken, in a body or an initial value.
    pub(in crate::parse) fn is_called(&self, function: FunctionId) -> bool {
        let address = |e: &Expr| matches!(e.kind, ExprKind::FunctionAddress(f) if f == function);
        let bodies = self.functions.iter().filter_map(|f| f.body.as_ref());
        let is_in_bodies = bodies.flat_map(|body| &body.edges).any(|edge| {
            let direct = matches!(&edge.instruction,
                Instruction::Call { callee: Callee::Function(f), .. } if *f == function);
            direct || edge.instruction.parts().any(address)
        });
        let initial = self.initialisers.iter();
        let mut initial = initial.flat_map(|(place, value)| place.operands().chain([value]));
        is_in_bodies || initial.any(|value| value.parts().any(address))
    }

    /// Calls what is registered where `main` returns, in which the program starts.  Its variables have ended then; with
    /// `lives`, this is said.
    pub(in crate::parse) fn run_handlers(&mut self, main: FunctionId, lives: bool) {
        let Some(run) = self.function(RUN) else { return };
        let result = self.functions[main.0 as usize].result;
        let ty = result.map(|result| self.variables[result.0 as usize].ty);
        let called = self.is_called(main);
        let Some(mut body) = self.functions[main.0 as usize].body.take() else { return };
        let ends = if lives { self.ends(main, &body) } else { Vec::new() };
        let mut fresh = || {
            body.locations += 1;
            LocationId(body.locations - 1)
        };
        let mut edges = Vec::with_capacity(body.edges.len());
        for mut edge in std::mem::take(&mut body.edges) {
            let Instruction::Return(value) = &mut edge.instruction else {
                edges.push(edge);
                continue;
            };
            let span = edge.span;
            let mut add = |source, target, instruction| {
                edges.push(Edge { source, target, instruction, span });
            };
            let mut source = edge.source;
            if called {
                // Not every return of 'main' ends the program.
                let target = fresh();
                let what = "'atexit' in a program that calls 'main'".to_owned();
                add(source, target, Instruction::Unsupported(what));
                source = target;
            }
            if let (Some(value), Some(ty)) = (value, ty) {
                // The functions cannot change what was returned.
                let name = format!("returned@{}", source.0);
                let variable = VariableId(self.variables.len() as u32);
                self.variables.push(Variable::hidden(name, ty, Some(main), span));
                let place = Place::of(variable, ty, span);
                let kept = place.clone().load();
                let target = fresh();
                add(source, target, Instruction::Assign(place, std::mem::replace(value, kept)));
                source = target;
            }
            for instruction in &ends {
                let target = fresh();
                add(source, target, instruction.clone());
                source = target;
            }
            let target = fresh();
            let callee = Callee::Function(run);
            let call = Instruction::Call { result: None, callee, arguments: Vec::new() };
            add(source, target, call);
            edges.push(Edge { source: target, ..edge });
        }
        body.edges = edges;
        self.functions[main.0 as usize].body = Some(body);
    }

    /// The ends of a function's variables to which pointers may be kept.
    fn ends(&self, function: FunctionId, body: &Body) -> Vec<Instruction> {
        let mut ended = BTreeSet::new();
        let mut allocates = false;
        for edge in &body.edges {
            for part in edge.instruction.parts() {
                if let ExprKind::AddressOf(Place { base: Base::Variable(v), .. }) = part.kind
                    && self.variables[v.0 as usize].function == Some(function)
                {
                    ended.insert(v);
                }
            }
            if let Instruction::Call { callee: Callee::Function(f), .. } = edge.instruction {
                let known = find(&self.functions[f.0 as usize].name);
                allocates |= known.is_some_and(|known| known.makes_local_block());
            }
        }
        let what = "'atexit' where 'main' has arrays of variable length or calls 'alloca'";
        let undecided = allocates.then(|| Instruction::Unsupported(what.to_owned()));
        let end = |v: VariableId| {
            let variable = &self.variables[v.0 as usize];
            Instruction::Havoc(Place::of(v, variable.ty, variable.span), HavocKind::Ended)
        };
        undecided.into_iter().chain(ended.into_iter().map(end)).collect()
    }
}
