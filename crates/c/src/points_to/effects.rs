//! Pointer constraints of calls: arguments, results, and the effects of undefined functions.

use super::super::flow::{
    Expr, ExprKind, FunctionId, Instruction, Place, VariableId, VariableKind,
};
use super::super::library::{Allocation, Effect, Returns, Storage, Writes, find};
use super::super::memory::{ObjectId, Objects, Shape};
use super::super::types::Type;
use super::analysis::{Externals, PointsTo};
use super::solver::Node;

impl<'a> PointsTo<'a> {
    /// Records that a call through a pointer may go to an object.
    pub(super) fn indirect(&mut self, caller: FunctionId, edge: u32, object: ObjectId) {
        if let Some(function) = self.as_function(object) {
            if self.fits(caller, edge, function) {
                self.connect(caller, edge, function);
            } else {
                self.targets.entry((caller, edge)).or_default().misfits.push(function);
            }
        } else {
            // Data is not callable, but unknown memory may contain functions.
            if object == Objects::UNKNOWN {
                self.targets.entry((caller, edge)).or_default().unknown = true;
                self.external(caller, edge);
            }
        }
    }

    /// Whether the call has enough arguments for the function, and pointers where a library function takes them.
    fn fits(&self, caller: FunctionId, edge: u32, function: FunctionId) -> bool {
        let callee = &self.flow.functions[function.0 as usize];
        let known = find(&callee.name).filter(|_| callee.body.is_none());
        let kinds = known.map_or(&[][..], |known| known.prototype.parameters);
        match (self.flow.types.get(callee.ty), self.call_at(caller, edge)) {
            (Type::Function { parameters, .. }, Some((_, arguments))) => {
                let types = &self.flow.types;
                let mut pairs = kinds.iter().zip(arguments);
                arguments.len() >= parameters.len()
                    && pairs.all(|(kind, a)| kind.is_pointer() == types.is_pointer(a.ty))
            }
            _ => false,
        }
    }

    /// The result and arguments of the call on an edge.
    fn call_at(&self, caller: FunctionId, edge: u32) -> Option<(Option<&'a Place>, &'a [Expr])> {
        match &self.body(caller)?.edges[edge as usize].instruction {
            Instruction::Call { result, arguments, .. } => Some((result.as_ref(), arguments)),
            _ => None,
        }
    }

    /// Records that a call may go to a function.
    pub(super) fn connect(&mut self, caller: FunctionId, edge: u32, function: FunctionId) {
        if !self.connected.insert((caller, edge, function)) {
            return;
        }
        self.targets.entry((caller, edge)).or_default().functions.push(function);
        let flow = self.flow;
        let callee = &flow.functions[function.0 as usize];
        if callee.body.is_none() {
            let known = find(&callee.name);
            return match known.and_then(|known| Some((known.prototype, known.model()?))) {
                Some((prototype, model)) => {
                    self.known(caller, edge, model.effect, prototype.parameters.len());
                }
                None => self.external(caller, edge),
            };
        }
        self.reach(function);
        let Some((result, arguments)) = self.call_at(caller, edge) else { return };
        for (&parameter, argument) in callee.parameters.iter().zip(arguments) {
            let node = self.variable(parameter);
            self.assign_to(node, flow.variables[parameter.0 as usize].ty, argument);
        }
        // Additional arguments can only be read through `va_arg`.
        for argument in arguments.iter().skip(callee.parameters.len()) {
            self.escape_carried(argument);
        }
        if let (Some(place), Some(from)) = (result, callee.result) {
            let (to, from) = (self.place(place), self.variable(from));
            match flow.types.get(place.ty) {
                Type::Record(_) => self.copy_object(to, from, Shape::Type(place.ty)),
                Type::Pointer(_) => {
                    let value = self.solver.load(from);
                    self.solver.store(to, value);
                }
                _ => self.clobber(to, place.ty),
            }
        }
    }

    fn variable(&mut self, variable: VariableId) -> Node {
        let object = self.solver.objects.variable(variable);
        self.solver.single(object, Some(0))
    }

    /// A call to an unknown function.
    fn external(&mut self, caller: FunctionId, edge: u32) {
        let Some((result, arguments)) = self.call_at(caller, edge) else { return };
        if self.externals == Externals::Any && self.unknown.is_none() {
            for (i, variable) in self.flow.variables.iter().enumerate() {
                let global = matches!(variable.kind, VariableKind::Global | VariableKind::External);
                if global && !variable.internal {
                    let node = self.variable(VariableId(i as u32));
                    let escaped = self.solver.escaped();
                    self.solver.copy(node, escaped);
                }
            }
        }
        if let Some(function) = self.targets.get(&(caller, edge)).and_then(|t| t.functions.last()) {
            self.unknown.get_or_insert(*function);
        }
        if self.externals != Externals::Pure {
            for argument in arguments {
                if let Type::Record(_) = self.flow.types.get(argument.ty)
                    && let ExprKind::Load(place) = &argument.kind
                {
                    let node = self.place(place);
                    let bytes = self.flow.types.size(argument.ty).unwrap_or(u64::MAX);
                    self.solver.leak(node, bytes);
                } else {
                    self.escape_carried(argument);
                }
            }
        }
        let Some(place) = result else { return };
        self.havoc(place);
        if self.externals == Externals::Pure && self.flow.types.is_pointer(place.ty) {
            // It may still return a pointer that it was given.
            let to = self.place(place);
            for argument in arguments.iter().filter(|a| self.flow.types.is_pointer(a.ty)) {
                if let Some(value) = self.value(argument) {
                    let value = self.solver.within(value);
                    self.solver.store(to, value);
                }
            }
        }
    }

    /// Whether the memory is zeroed that the call on an edge allocates on the heap; `None` where it may do anything else.
    pub fn zeroes(&self, caller: FunctionId, edge: u32) -> Option<bool> {
        let new = self.allocates(caller, edge)?;
        (new.storage == Storage::Heap).then_some(new.zeroed)
    }

    /// What the call on an edge allocates; `None` where it may do anything else.
    pub fn allocates(&self, caller: FunctionId, edge: u32) -> Option<Allocation> {
        let targets = self.targets.get(&(caller, edge))?;
        let &[callee] = targets.functions.as_slice() else { return None };
        let callee = &self.flow.functions[callee.0 as usize];
        if targets.unknown || callee.body.is_some() {
            return None;
        }
        match find(&callee.name)?.model()?.effect.returns {
            Returns::Fresh(new) => Some(new),
            _ => None,
        }
    }

    /// A call to an undefined function with a known effect.
    fn known(&mut self, caller: FunctionId, edge: u32, effect: Effect, parameters: usize) {
        let Some((result, arguments)) = self.call_at(caller, edge) else { return };
        let pointer =
            |analysis: &mut Self, i: usize| arguments.get(i).and_then(|a: &Expr| analysis.value(a));
        match effect.writes {
            // Zeros are null pointers; other fills and texts are not pointers at all.
            Writes::Nothing | Writes::Fill { .. } | Writes::Text { .. } => {}
            Writes::Anything { .. } => {
                let given = self.given(arguments);
                for i in effect.written(parameters, arguments.len()) {
                    if let Some(to) = pointer(self, i) {
                        let to = self.solver.within(to);
                        self.solver.store(to, given);
                    }
                }
            }
            Writes::Copy { to, from, size } => {
                if let (Some(to), Some(from)) = (pointer(self, to), pointer(self, from)) {
                    match arguments.get(size).map(|a| &a.kind) {
                        Some(&ExprKind::Constant(n)) => self.solver.copy_bytes(to, from, n),
                        _ => self.copy_anything(to, from),
                    }
                }
            }
        }
        let returned = match effect.returns {
            Returns::Fresh(new) => {
                let objects = &mut self.solver.objects;
                let object = objects.allocate(self.flow, caller, edge, Some(new.size));
                let mut all = self.solver.single(object, Some(0));
                for round in self.solver.objects.rounds(caller, edge) {
                    let node = self.solver.single(round, Some(0));
                    all = self.solver.union(all, node);
                }
                Some(all)
            }
            Returns::Resized(old) => {
                let object = self.solver.objects.allocate(self.flow, caller, edge, None);
                let node = self.solver.single(object, Some(0));
                match pointer(self, old) {
                    Some(old) => {
                        self.copy_anything(node, old);
                        Some(self.solver.union(node, old))
                    }
                    None => Some(node),
                }
            }
            Returns::Argument(i) | Returns::ArgumentOrNull(i) => pointer(self, i),
            Returns::Within(i) => pointer(self, i).map(|node| self.solver.within(node)),
            Returns::Given => Some(self.given(arguments)),
            Returns::Absolute(_)
            | Returns::Real(_)
            | Returns::Below(_)
            | Returns::Between { .. }
            | Returns::UpTo { .. }
            | Returns::Anything => Some(self.solver.unknown()),
        };
        if let Some(place) = result {
            let to = self.place(place);
            match (self.flow.types.is_pointer(place.ty), returned) {
                (true, Some(value)) => self.solver.store(to, value),
                (true, None) => {}
                (false, _) => self.clobber(to, place.ty),
            }
        }
    }

    /// What a function may know that gets these arguments: the objects that they point to, those to
    /// which there are pointers in them, and unknown memory.
    fn given(&mut self, arguments: &[Expr]) -> Node {
        let mut all = self.solver.unknown();
        for argument in arguments.iter().filter(|a| self.flow.types.is_pointer(a.ty)) {
            if let Some(node) = self.value(argument) {
                let node = self.solver.within(node);
                let inner = self.solver.load(node);
                all = self.solver.union(all, node);
                all = self.solver.union(all, inner);
            }
        }
        all
    }

    /// Copies all pointers in the objects at some addresses to the objects at others.
    fn copy_anything(&mut self, to: Node, from: Node) {
        let (to, from) = (self.solver.within(to), self.solver.within(from));
        let value = self.solver.load(from);
        self.solver.store(to, value);
    }
}
