//! The steps before `main`, in which globals get their initial values.

use super::super::flow::{FunctionId, VariableKind};
use super::super::memory::{Kind, ObjectKind};
use super::call::Parameter;
use super::function::Builder;
use super::lowering::Lowering;
use super::memory::Updates;
use hardbop_base::source::Span;
use hardbop_cfa::{self as cfa, CallEdge, Location, Operation, Origin, Step};
use hardbop_smt::{Sort, Symbol};

impl Lowering<'_, '_> {
    /// The steps that initialise globals; all variables that are read must have been created by now.
    pub(super) fn initial(&mut self) -> Vec<Step> {
        let flow = self.flow;
        let mut initial = Vec::new();
        self.temporaries.clear();
        for (place, value) in &flow.initialisers {
            self.cache.clear();
            let updates = self.assign(place, value);
            self.flush(&mut initial);
            initial.push(Step::Operation(updates.operation()));
        }
        let mut zero = Updates::default();
        let (mut steps, mut external) = (Vec::new(), Vec::new());
        for (id, object) in self.points_to.objects().iter() {
            let ObjectKind::Variable(v) = object.kind else { continue };
            for (symbol, item) in self.memory.cells(id) {
                let item = &object.layout.items()[item];
                match flow.variables[v.0 as usize].kind {
                    VariableKind::Global if object.is_beyond(item.start) => {
                        steps.push(Step::Operation(Operation::Havoc(symbol, Origin::Input)));
                    }
                    VariableKind::Global => {
                        let width = match self.terms.symbol_sort(symbol) {
                            Sort::Bits(width) => width,
                            _ => continue,
                        };
                        let value = self.terms.bits(width, 0);
                        zero.set(symbol, value);
                    }
                    VariableKind::External => {
                        external.push((symbol, item.kind));
                    }
                    _ => {}
                }
            }
        }
        for (id, object) in self.points_to.objects().iter() {
            let is_written = match object.kind {
                ObjectKind::Variable(v) => flow.variables[v.0 as usize].function.is_none(),
                ObjectKind::Round(function, edge, _) => {
                    self.points_to.zeroes(function, edge) == Some(true)
                }
                _ => false,
            };
            if self.memory.is_local(id) {
                continue;
            }
            for symbol in self.memory.written(id) {
                let Sort::Bits(width) = self.terms.symbol_sort(symbol) else { continue };
                let value = self.terms.bits(width, if is_written { u64::MAX } else { 0 });
                zero.set(symbol, value);
            }
        }
        for (symbol, kind) in external {
            let any = self.any_scalar(symbol, kind, Origin::Input);
            steps.extend(any.into_iter().map(Step::Operation));
        }
        let tracked = self.start_tracked();
        steps.extend(tracked);
        let (rounds, start) = self.start_rounds();
        steps.extend(rounds);
        for symbol in start {
            if let Sort::Bits(width) = self.terms.symbol_sort(symbol) {
                let value = self.terms.bits(width, 0);
                zero.set(symbol, value);
            }
        }
        steps.push(Step::Operation(zero.operation()));
        steps.append(&mut initial);
        steps
    }

    /// The program made of these functions, with steps before `main`.
    pub(super) fn program(
        &mut self,
        mut functions: Vec<cfa::Function>,
        mut steps: Vec<Step>,
    ) -> cfa::Program {
        let flow = self.flow;
        let main = self.numbers.get(&flow.main).copied();
        self.pass_shared(&mut functions);
        let own = &flow.functions[flow.main.0 as usize];
        let span = Span { end: own.span.start, ..own.span };
        let at = cfa::Place { function: flow.main.0, instruction: cfa::Place::NOWHERE, span };
        let temporaries = std::mem::take(&mut self.temporaries);
        let Some(main) = main else {
            // `main` has no body, so nothing happens.
            let mut builder = Builder { edges: Vec::new(), locations: 2 };
            builder.chain(Location(0), Location(1), steps, at);
            functions.push(whole(own.name.clone(), builder, temporaries));
            return cfa::Program { main: functions.len() - 1, functions };
        };
        let passed = self.parameters(flow.main);
        if self.activations.is_called(flow.main) {
            let arguments = functions[main].parameters.clone();
            for &parameter in &arguments {
                let any = self.any_parameter(&passed, parameter);
                // It has any value already.
                steps.extend(any.into_iter().skip(1));
            }
            let arguments = arguments.into_iter().map(|p| self.terms.variable(p)).collect();
            steps.push(Step::Call { callee: main, arguments, result: None });
            let mut builder = Builder { edges: Vec::new(), locations: 2 };
            builder.chain(Location(0), Location(1), steps, at);
            functions.push(whole("(start)".into(), builder, temporaries));
            return cfa::Program { main: functions.len() - 1, functions };
        }
        for &parameter in &functions[main].parameters {
            steps.extend(self.any_parameter(&passed, parameter));
        }
        let function = &mut functions[main];
        let edges = std::mem::take(&mut function.edges);
        let mut builder = Builder { edges, locations: function.locations };
        let entry = builder.location();
        builder.chain(entry, function.entry, steps, at);
        function.edges = builder.edges;
        function.locations = builder.locations;
        function.entry = entry;
        function.locals.extend(&temporaries);
        function.temporaries.extend(temporaries);
        // Nobody passes them.
        let locals = std::mem::take(&mut function.locals);
        function.parameters.retain(|p| locals.contains(p));
        function.locals = locals;
        cfa::Program { main, functions }
    }

    /// Gives a parameter of the function where executions start any value.
    fn any_parameter(&mut self, passed: &[Parameter], parameter: Symbol) -> Vec<Step> {
        let known = passed.iter().find(|p| p.symbol == parameter);
        let kind = known.map_or(Kind::Integer, |p| p.kind);
        let any = self.any_scalar(parameter, kind, Origin::Input);
        any.into_iter().map(Step::Operation).collect()
    }

    /// A parameter whose address is taken is shared by all activations, and others may change it.  So what is passed gets a
    /// variable of the activation, and the function begins by setting the parameter to it.
    fn pass_shared(&mut self, functions: &mut [cfa::Function]) {
        let flow = self.flow;
        let mut numbers: Vec<(FunctionId, usize)> =
            self.numbers.iter().map(|(&id, &number)| (id, number)).collect();
        numbers.sort_unstable_by_key(|&(_, number)| number);
        for (id, number) in numbers {
            if id == flow.main && !self.activations.is_called(id) {
                continue;
            }
            let function = &mut functions[number];
            let mut set = Vec::new();
            for parameter in &mut function.parameters {
                if function.locals.contains(parameter) {
                    continue;
                }
                let (name, sort) =
                    (self.terms.name(*parameter).to_owned(), self.terms.symbol_sort(*parameter));
                let passed = self.terms.fresh(&format!("{name} (passed)"), sort);
                set.push((*parameter, self.terms.variable(passed)));
                *parameter = passed;
            }
            if set.is_empty() {
                continue;
            }
            let passed = function.parameters.iter().copied();
            let passed = passed.filter(|p| !function.locals.contains(p)).collect::<Vec<_>>();
            function.locals.extend(passed);
            let span = flow.functions[id.0 as usize].span;
            let span = Span { end: span.start, ..span };
            let at = cfa::Place { function: id.0, instruction: cfa::Place::NOWHERE, span };
            let (source, target) = (Location(function.locations), function.entry);
            let step = Step::Operation(Operation::Parallel(set));
            function.edges.push(CallEdge { source, target, step, place: at });
            function.locations += 1;
            function.entry = source;
        }
    }
}

/// A function without parameters that goes from location 0 to 1.
fn whole(name: String, builder: Builder, temporaries: Vec<Symbol>) -> cfa::Function {
    cfa::Function {
        name,
        exit: Location(1),
        locations: builder.locations,
        edges: builder.edges,
        locals: temporaries.clone(),
        temporaries,
        ..cfa::Function::default()
    }
}
