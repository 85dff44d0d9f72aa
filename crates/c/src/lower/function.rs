//! Lowers function bodies: each edge of the flow becomes a chain of edges of the automaton, or
//! several chains for a call through a pointer.

use super::super::flow::{
    Base, Body, Edge, Expr, ExprKind, FunctionId, HavocKind, Instruction, LocationId, Place,
    Variable, VariableKind,
};
use super::super::library::reads_stream;
use super::super::memory::{Kind, ObjectId, ObjectKind};
use super::super::types::{Type, TypeId};
use super::assumption::Assumption;
use super::lowering::Lowering;
use super::memory::Cell;
use super::memory::Cursor;
use super::memory::{Bits, Updates};
use super::relevance::Relevance;
use hardbop_base::errors::Check;
use hardbop_cfa::{self as cfa, CallEdge, Location, Operation, Origin, Step};
use hardbop_smt::Symbol;

/// Edges of an automaton under construction.
pub(super) struct Builder {
    pub edges: Vec<CallEdge>,
    pub locations: u32,
}

impl Builder {
    pub fn location(&mut self) -> Location {
        self.locations += 1;
        Location(self.locations - 1)
    }

    /// Adds the steps as consecutive edges.
    pub fn chain(&mut self, source: Location, target: Location, steps: Vec<Step>, at: cfa::Place) {
        let skip = |s: &Step| matches!(s, Step::Operation(Operation::Skip));
        let mut steps: Vec<Step> = steps.into_iter().filter(|s| !skip(s)).collect();
        let last = steps.pop().unwrap_or(Step::Operation(Operation::Skip));
        let mut from = source;
        for step in steps {
            let to = self.location();
            self.edges.push(CallEdge { source: from, target: to, step, place: at });
            from = to;
        }
        self.edges.push(CallEdge { source: from, target, step: last, place: at });
    }
}

/// A function whose edges are not yet numbered.
#[derive(Debug)]
pub(super) struct Draft {
    pub chains: Vec<Chain>,
    pub parameters: Vec<Symbol>,
    pub result: Option<Symbol>,
    pub locals: Vec<Symbol>,
    /// See [`cfa::Function::temporaries`].
    pub temporaries: Vec<Symbol>,
}

/// The translation of an edge of the flow.
#[derive(Debug)]
pub(super) struct Chain {
    source: Location,
    target: Location,
    pub steps: Steps,
    place: cfa::Place,
}

/// The translation of an instruction: steps, followed by a choice of step sequences.
#[derive(Default, Debug)]
pub(super) struct Steps {
    pub steps: Vec<Step>,
    /// Empty if there is no choice.
    pub branches: Vec<Vec<Step>>,
}

impl Steps {
    /// All steps, in any order.
    pub fn all(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().chain(self.branches.iter().flatten())
    }
}

impl Lowering<'_, '_> {
    /// Translates a whole function.
    pub(super) fn draft(&mut self, function: FunctionId) -> Draft {
        let flow = self.flow;
        let own = &flow.functions[function.0 as usize];
        let (edges, loops) = (vec![], vec![]);
        let empty = Body { entry: LocationId(0), exit: LocationId(0), locations: 1, edges, loops };
        let body = own.body.as_ref().unwrap_or(&empty);
        self.temporaries.clear();
        let mut chains = Vec::new();
        let beyond = self.undeclared(function, body);
        for (i, edge) in body.edges.iter().enumerate() {
            self.cache.clear();
            let place = cfa::Place { function: function.0, instruction: i as u32, span: edge.span };
            let target = match edge.instruction {
                // Returns lead to the exit, whatever the target of the edge.
                Instruction::Return(_) => body.exit,
                // Nothing follows.
                Instruction::Halt => continue,
                _ => edge.target,
            };
            let mut steps = self.instruction(function, i as u32, &edge.instruction);
            if edge.source == body.entry {
                // Forget what an earlier activation left there.
                beyond.iter().for_each(|&o| self.forget_beyond(o, Origin::Approximation));
                self.note_parameters(function);
                let mut before = Vec::new();
                self.flush(&mut before);
                steps.steps.splice(0..0, before);
            }
            let (source, target) = (Location(edge.source.0), Location(target.0));
            chains.push(Chain { source, target, steps, place });
        }
        let parameters = self.parameters(function).into_iter().map(|p| p.symbol).collect();
        let result = self.result(function);
        let mut temporaries: Vec<Symbol> = std::mem::take(&mut self.temporaries);
        let mut locals = temporaries.clone();
        for (id, object) in self.points_to.objects().iter() {
            let ObjectKind::Variable(v) = object.kind else { continue };
            let variable = &flow.variables[v.0 as usize];
            if variable.function == Some(function) && self.memory.is_local(id) {
                let own: Vec<Symbol> =
                    self.memory.variables(id).chain(self.memory.written(id)).collect();
                locals.extend(&own);
                if variable.kind == VariableKind::Temporary {
                    temporaries.extend(own);
                }
            }
        }
        Draft { chains, parameters, result, locals, temporaries }
    }

    /// Local variables that are used as larger ones but that no instruction declares.
    fn undeclared(&self, function: FunctionId, body: &Body) -> Vec<ObjectId> {
        let mut found = Vec::new();
        for (kind, _) in self.points_to.objects().larger() {
            let ObjectKind::Variable(v) = kind else { continue };
            let declared = |edge: &Edge| match &edge.instruction {
                Instruction::Havoc(Place { base: Base::Variable(of), path, .. }, _) => {
                    *of == v && path.is_empty()
                }
                _ => false,
            };
            let own = self.flow.variables[v.0 as usize].function == Some(function);
            if own && !body.edges.iter().any(declared) {
                found.push(self.points_to.objects().variable(v));
            }
        }
        found
    }

    /// The automaton of a function, without irrelevant operations.
    pub(super) fn finish(
        &self,
        function: FunctionId,
        drafts: &[Draft],
        relevance: &Relevance,
    ) -> cfa::Function {
        let own = &self.flow.functions[function.0 as usize];
        let draft = &drafts[self.numbers[&function]];
        let (entry, exit, locations) =
            own.body.as_ref().map_or((0, 0, 1), |b| (b.entry.0, b.exit.0, b.locations));
        let mut builder = Builder { edges: Vec::new(), locations };
        let reduce = |steps: &[Step]| -> Vec<Step> {
            steps.iter().map(|s| relevance.reduce(drafts, s.clone())).collect()
        };
        for Chain { source, target, steps, place } in &draft.chains {
            let first = reduce(&steps.steps);
            if steps.branches.is_empty() {
                builder.chain(*source, *target, first, *place);
                continue;
            }
            let mut middle = *source;
            if !first.is_empty() {
                middle = builder.location();
                builder.chain(*source, middle, first, *place);
            }
            for branch in &steps.branches {
                builder.chain(middle, *target, reduce(branch), *place);
            }
        }
        let relevant = |all: &[Symbol]| all.iter().copied().filter(|&s| relevance.has(s)).collect();
        cfa::Function {
            name: own.name.clone(),
            entry: Location(entry),
            exit: Location(exit),
            locations: builder.locations,
            edges: builder.edges,
            parameters: relevant(&draft.parameters),
            result: draft.result,
            locals: draft.locals.clone(),
            temporaries: draft.temporaries.clone(),
        }
    }

    /// The variable that holds the function's result, if it is a scalar.
    pub(super) fn result(&mut self, function: FunctionId) -> Option<Symbol> {
        let variable = self.flow.functions[function.0 as usize].result?;
        let ty = self.flow.variables[variable.0 as usize].ty;
        if self.flow.types.as_record(ty).is_some() {
            return None;
        }
        let object = self.points_to.objects().variable(variable);
        self.variables(object).first().copied()
    }

    /// Moves the pending operations to the steps.
    pub(super) fn flush(&mut self, steps: &mut Vec<Step>) {
        steps.extend(self.pending.drain(..).map(Step::Operation));
    }

    fn instruction(&mut self, function: FunctionId, edge: u32, instruction: &Instruction) -> Steps {
        let mut out = Steps::default();
        self.name_variables(instruction);
        let last = match instruction {
            Instruction::Skip | Instruction::Halt | Instruction::Return(None) => None,
            Instruction::Assign(place, value) => {
                // Its first value is none of these: only a cast leads here.
                if let Base::Variable(v) = place.base
                    && let Variable { constant: true, function: None, .. } =
                        &self.flow.variables[v.0 as usize]
                {
                    self.assumptions.insert(Assumption::Constants);
                }
                let updates = self.assign(place, value);
                Some(Step::Operation(updates.operation()))
            }
            Instruction::Assume { condition, expected } => {
                let mut condition = self.condition(condition);
                if !expected {
                    condition = self.terms.not(condition);
                }
                Some(Step::Operation(Operation::Assume(condition)))
            }
            Instruction::Havoc(place, HavocKind::Ended) => {
                self.end_variable(place);
                None
            }
            Instruction::Havoc(place, kind) => {
                if let HavocKind::Input(name) = kind
                    && reads_stream(name)
                {
                    self.assumptions.insert(Assumption::Streams);
                }
                let updates = self.havoc(place, kind);
                Some(Step::Operation(updates.operation()))
            }
            Instruction::Return(Some(value)) => {
                let result = self.flow.functions[function.0 as usize].result;
                result.map(|result| {
                    let object = self.points_to.objects().variable(result);
                    let ty = self.flow.variables[result.0 as usize].ty;
                    let mut updates = Updates::default();
                    self.assign_at(&Cursor::at(object), ty, None, value, &mut updates);
                    Step::Operation(updates.operation())
                })
            }
            Instruction::Call { result, callee, arguments } => {
                self.call((function, edge), result.as_ref(), callee, arguments, &mut out);
                None
            }
            Instruction::Error(_) => Some(Step::Error),
            Instruction::Unsupported(reason) => Some(Step::Unsupported(reason.clone())),
        };
        self.flush(&mut out.steps);
        out.steps.extend(last);
        if matches!(instruction, Instruction::Return(_)) {
            out.steps.extend(self.end_activation(function));
        }
        out
    }

    pub(super) fn assign(&mut self, place: &Place, value: &Expr) -> Updates {
        let mut updates = Updates::default();
        let cursor = self.locate(place);
        self.changes(place, &cursor);
        self.assign_at(&cursor, place.ty, Some(place), value, &mut updates);
        updates
    }

    /// Writes a value of type `ty` at the cursor; `place` tells which bits, if not all.
    pub(super) fn assign_at(
        &mut self,
        cursor: &Cursor,
        ty: TypeId,
        place: Option<&Place>,
        value: &Expr,
        updates: &mut Updates,
    ) {
        if self.flow.types.as_record(ty).is_some() {
            if let ExprKind::Load(from) = &value.kind {
                let from = self.locate(from);
                self.copy(cursor, &from, ty, updates);
            }
            return;
        }
        if matches!(self.flow.types.get(ty), Type::Float { bits: 65.. }) {
            self.value(value);
            return;
        }
        let bits = match place {
            Some(place) => self.bits_of(place),
            None => Bits { start: 0, width: self.width(ty) },
        };
        if !matches!(value.kind, ExprKind::Constant(_)) {
            self.stores_bits(cursor, ty, bits);
        }
        let from = value.copied(&self.flow.types);
        let value = self.value_as(value, ty);
        let term = self.terms.extract(bits.width - 1, 0, value);
        match from.filter(|_| self.flow.checked.has(Check::Uninitialised)) {
            Some(place) => {
                let (from, from_bits) = (self.locate(place), self.bits_of(place));
                self.write_copied((cursor, bits), (&from, from_bits), term, updates);
            }
            None => self.write(cursor, bits, term, updates),
        }
    }

    /// Copies a record.
    pub(super) fn copy(&mut self, to: &Cursor, from: &Cursor, ty: TypeId, updates: &mut Updates) {
        self.forget_elements(to, ty);
        for (bits, _) in self.scalars(ty) {
            if to.certain().is_some()
                && self.variable_at(to, bits).is_none()
                && !self.keeps(to, bits)
            {
                continue;
            }
            let value = self.read(from, bits);
            self.write_copied((to, bits), (from, bits), value, updates);
        }
    }

    /// Whether any of the bits has a variable; the cursor must be certain.
    fn keeps(&mut self, cursor: &Cursor, bits: Bits) -> bool {
        let Some(target) = cursor.certain() else { return true };
        if self.has_elements(target.object) {
            return true;
        }
        let layout = self.points_to.objects().get(target.object).layout.clone();
        layout
            .overlapping(target.offset * 8 + bits.start, u64::from(bits.width))
            .any(|i| matches!(self.cell(target.object, i), Cell::Variable(_)))
    }

    fn havoc(&mut self, place: &Place, kind: &HavocKind) -> Updates {
        let mut updates = Updates::default();
        if let Base::Variable(variable) = place.base
            && place.path.is_empty()
        {
            let object = self.points_to.objects().variable(variable);
            self.forget_beyond(object, Origin::Input);
        }
        let cursor = self.locate(place);
        self.havoc_at(&cursor, place.ty, Some(place), Origin::Input, &mut updates);
        let has_value = self.gives_value(place, kind);
        self.note_any(&cursor, (place.ty, Some(place)), has_value, &mut updates);
        updates
    }

    /// Whether the place is a local variable that the text declares, or a part of one.
    fn is_local(&self, place: &Place) -> bool {
        matches!(place.base, Base::Variable(v)
            if self.flow.variables[v.0 as usize].kind == VariableKind::Local)
    }

    /// Writes any value of type `ty` at the cursor.
    pub(super) fn havoc_at(
        &mut self,
        cursor: &Cursor,
        ty: TypeId,
        place: Option<&Place>,
        origin: Origin,
        updates: &mut Updates,
    ) {
        let all = match place {
            Some(place) if self.flow.types.is_scalar(ty) => {
                let kind = match self.flow.types.get(ty) {
                    Type::Bool => Kind::Boolean,
                    _ => Kind::Integer,
                };
                vec![(self.bits_of(place), kind)]
            }
            _ => {
                self.forget_elements(cursor, ty);
                let mut all = self.scalars(ty);
                if place.is_some_and(|place| self.is_local(place)) {
                    // Without a value, a byte may be any.
                    all.iter_mut().for_each(|(_, kind)| *kind = Kind::Integer);
                }
                all
            }
        };
        self.note_any(cursor, (ty, place), true, updates);
        for (bits, kind) in all {
            let value = match self.variable_at(cursor, bits) {
                Some(symbol) => {
                    self.pending.push(Operation::Havoc(symbol, origin));
                    self.terms.variable(symbol)
                }
                None if !self.keeps(cursor, bits) => continue,
                None => {
                    let value = self.anything(bits.width, origin);
                    self.write(cursor, bits, value, updates);
                    value
                }
            };
            if kind == Kind::Boolean && bits.width == 8 {
                self.assume_bool(value);
            }
        }
    }
}
