//! Lowers calls.

use super::super::flow::{Callee, Expr, ExprKind, FunctionId, Instruction, Place, VariableId};
use super::super::library::{Execution, TextResult, find};
use super::super::memory::Kind;
use super::super::points_to::{Externals, Targets};
use super::super::types::TypeId;
use super::assumption::Assumption;
use super::function::Steps;
use super::lowering::Lowering;
use super::memory::Cell;
use super::memory::Cursor;
use super::memory::{Bits, Updates};
use hardbop_cfa::{Operation, Origin, Step};
use hardbop_smt::{Sort, Symbol, Term};

/// A scalar that is (part of) a parameter.
pub(super) struct Parameter {
    /// The index of the parameter.
    pub index: usize,
    pub ty: TypeId,
    pub bits: Bits,
    pub symbol: Symbol,
    pub kind: Kind,
    /// Whether it stands for one element of an array.
    pub element: bool,
    /// Whether it says which bits of a part of a record have values.
    pub is_shadow: bool,
}

impl Lowering<'_, '_> {
    /// The scalars that are passed to a function.
    pub(super) fn parameters(&mut self, function: FunctionId) -> Vec<Parameter> {
        let mut all = Vec::new();
        for (index, &v) in self.flow.functions[function.0 as usize].parameters.iter().enumerate() {
            let object = self.points_to.objects().variable(v);
            let ty = self.flow.variables[v.0 as usize].ty;
            let layout = self.points_to.objects().get(object).layout.clone();
            let cells = |lowering: &mut Self, is_shadow: bool| {
                let mut found = Vec::new();
                for (i, item) in layout.items().iter().enumerate() {
                    if let Cell::Variable(symbol) = lowering.cell(object, i) {
                        let bits = Bits { start: item.start, width: item.width };
                        let kind = if is_shadow { Kind::Integer } else { item.kind };
                        let element = item.folded;
                        found.push(Parameter { index, ty, bits, symbol, kind, element, is_shadow });
                    }
                }
                found
            };
            all.extend(cells(self, false));
            if self.flow.types.as_record(ty).is_some() {
                all.extend(self.in_shadow(|lowering| cells(lowering, true)).unwrap_or_default());
            }
        }
        all
    }

    /// The values that a call passes, one for each scalar of the callee's parameters.
    fn arguments(&mut self, function: FunctionId, arguments: &[Expr]) -> Vec<Term> {
        let mut cursor: Option<(usize, Cursor)> = None;
        let mut values = Vec::new();
        for Parameter { index, ty, bits, element, is_shadow, .. } in self.parameters(function) {
            let Some(argument) = arguments.get(index).filter(|_| !element) else {
                values.push(self.approximation(bits.width));
                continue;
            };
            if self.flow.types.as_record(ty).is_none() {
                let value = self.value_as(argument, ty);
                let end = bits.start + u64::from(bits.width);
                // A parameter may consist of several pieces, and may be used as a larger object.
                values.push(if end <= u64::from(self.terms.width(value)) {
                    self.terms.extract(end as u32 - 1, bits.start as u32, value)
                } else {
                    self.approximation(bits.width)
                });
                continue;
            }
            let size = self.flow.types.size(ty).unwrap_or(0);
            let ExprKind::Load(place) = &argument.kind else {
                values.push(self.approximation(bits.width));
                continue;
            };
            let located = match cursor.take().filter(|(i, _)| *i == index) {
                Some((_, located)) => located,
                None => self.locate(place),
            };
            let is_inside = bits.start < size * 8;
            let shadow = match is_inside && is_shadow {
                true => self.in_shadow(|lowering| lowering.read(&located, bits)),
                false => None,
            };
            values.push(if let Some(shadow) = shadow {
                shadow
            } else if is_inside && !is_shadow {
                self.read(&located, bits)
            } else {
                self.approximation(bits.width)
            });
            cursor = Some((index, located));
        }
        values
    }

    /// Lowers the call on an edge of the flow.
    pub(super) fn call(
        &mut self,
        edge: (FunctionId, u32),
        result: Option<&Place>,
        callee: &Callee,
        arguments: &[Expr],
        out: &mut Steps,
    ) {
        match callee {
            Callee::Function(function) => {
                let steps = self.call_function(edge, *function, result, arguments);
                out.steps.extend(steps);
            }
            Callee::Pointer(pointer) => {
                let Targets { functions, unknown, misfits } =
                    self.points_to.targets(edge.0, edge.1);
                let address = self.value(pointer);
                for argument in arguments {
                    // Evaluate them once, before branching over the callees.
                    if self.flow.types.is_scalar(argument.ty) {
                        self.value(argument);
                    }
                }
                self.flush(&mut out.steps);
                let certain = functions.len() == 1 && !unknown && misfits.is_empty();
                let mut others = Vec::new();
                for function in misfits {
                    let here = self.is_function(address, function);
                    others.push(self.terms.not(here));
                    let name = &self.flow.functions[function.0 as usize].name;
                    let reason = format!("a call of '{name}' with other arguments than it takes");
                    out.branches.push(vec![
                        Step::Operation(Operation::Assume(here)),
                        Step::Unsupported(reason),
                    ]);
                }
                for function in functions {
                    let here = self.is_function(address, function);
                    others.push(self.terms.not(here));
                    let mut branch = Vec::new();
                    if !certain {
                        branch.push(Step::Operation(Operation::Assume(here)));
                    }
                    branch.extend(self.call_function(edge, function, result, arguments));
                    out.branches.push(branch);
                }
                if unknown || out.branches.is_empty() {
                    let others = self.terms.and(&others);
                    out.branches.push(vec![
                        Step::Operation(Operation::Assume(others)),
                        Step::Unsupported("call of an unknown function".into()),
                    ]);
                }
            }
        }
    }

    /// The condition that the address is that of the function.
    fn is_function(&mut self, address: Term, function: FunctionId) -> Term {
        let object = self.points_to.objects().function(function);
        let here = self.terms.bits(self.word(), self.memory.address(object));
        self.terms.equal(address, here)
    }

    /// Lowers a call to a known function.
    fn call_function(
        &mut self,
        edge: (FunctionId, u32),
        function: FunctionId,
        result: Option<&Place>,
        arguments: &[Expr],
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        let callee = &self.flow.functions[function.0 as usize];
        // What C code of the library calls is a matter of its own.
        let is_named = find(&callee.name).is_some();
        if is_named && self.flow.is_of_library(function) && !self.flow.is_of_library(edge.0) {
            self.assumptions.insert(Assumption::LibraryFunction(callee.name.clone()));
        }
        let Some(&number) = self.numbers.get(&function) else {
            self.undefined(edge, &callee.name, result, arguments, &mut steps);
            return steps;
        };
        let values = self.arguments(function, arguments);
        self.flush(&mut steps);
        let from = self.result(function);
        let returned = match (result, from) {
            (Some(_), Some(from)) => Some(from),
            _ => None,
        };
        let Some((place, from)) = result.zip(returned) else {
            steps.push(Step::Call { callee: number, arguments: values, result: None });
            if let (Some(place), Some(variable)) = (result, callee.result) {
                self.record_result(place, variable, &mut steps);
            }
            return steps;
        };
        let width = self.width(place.ty);
        let same = self.terms.symbol_sort(from) == Sort::Bits(width);
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        self.flush(&mut steps);
        match self.variable_at(&cursor, bits).filter(|_| same && bits.width == width) {
            Some(symbol) => {
                steps.push(Step::Call { callee: number, arguments: values, result: Some(symbol) });
                let mut updates = Updates::default();
                self.note_written(&cursor, bits, true, &mut updates);
                steps.push(Step::Operation(updates.operation()));
            }
            None => {
                let Sort::Bits(width) = self.terms.symbol_sort(from) else {
                    return steps;
                };
                let symbol = self.temporary(width);
                steps.push(Step::Call { callee: number, arguments: values, result: Some(symbol) });
                // The callee may have changed where the place is.
                self.cache.clear();
                let cursor = self.locate(place);
                let mut updates = Updates::default();
                let value = self.terms.variable(symbol);
                let value = if width < bits.width {
                    self.terms.zero_extend(bits.width, value)
                } else {
                    self.terms.extract(bits.width - 1, 0, value)
                };
                self.write(&cursor, bits, value, &mut updates);
                self.flush(&mut steps);
                steps.push(Step::Operation(updates.operation()));
            }
        }
        steps
    }

    /// Copies a record from the callee's result variable.
    fn record_result(&mut self, place: &Place, variable: VariableId, steps: &mut Vec<Step>) {
        if self.flow.types.as_record(place.ty).is_none() {
            return;
        }
        let from = Cursor::at(self.points_to.objects().variable(variable));
        let to = self.locate(place);
        let mut updates = Updates::default();
        self.copy(&to, &from, place.ty, &mut updates);
        self.flush(steps);
        steps.push(Step::Operation(updates.operation()));
    }

    /// Lowers a call of a function without a body.
    fn undefined(
        &mut self,
        edge: (FunctionId, u32),
        name: &str,
        result: Option<&Place>,
        arguments: &[Expr],
        steps: &mut Vec<Step>,
    ) {
        let mut updates = Updates::default();
        match find(name).and_then(|known| Some((known.prototype, known.model()?))) {
            Some((prototype, model)) => {
                if !self.is_array(edge) && !self.flow.is_of_library(edge.0) {
                    self.assumptions.insert(Assumption::LibraryFunction(name.to_owned()));
                }
                let frees = matches!(model.execution, Execution::Free | Execution::Reallocate);
                if frees && !self.lives_are_checked() {
                    self.assumptions.insert(Assumption::LiveBlocks);
                }
                if model.execution == Execution::Free
                    && let Some(pointer) = arguments.first()
                {
                    let address = self.value(pointer);
                    self.free_at(pointer, address, &mut updates);
                }
                let parameters = prototype.parameters.len();
                // The interpreter takes what it does not know from the inputs.
                let origin = match model.execution {
                    Execution::AnyResult | Execution::ErrorNumber => Origin::Input,
                    _ => Origin::Approximation,
                };
                let effect = (model.effect, origin);
                let value = self.library(edge, effect, result, arguments, parameters, &mut updates);
                if let Execution::WriteText { to, size, returns } = model.execution
                    && let Some(to) = arguments.get(to)
                {
                    let size = size.and_then(|size| arguments.get(size));
                    let fails = value.filter(|_| returns == TextResult::StartOrNull);
                    let null = self.terms.bits(self.word(), 0);
                    let fails = fails.map(|value| self.terms.equal(value, null));
                    self.note_text(to, (size, fails), &mut updates);
                }
            }
            None => {
                let name = name.to_owned();
                self.assumptions.insert(match self.options.externals {
                    Externals::Pure => Assumption::PureFunction(name),
                    Externals::Reachable => Assumption::ReachingFunction(name),
                    Externals::Any => Assumption::UndefinedFunction(name),
                });
                self.external();
                self.any_result(result, Origin::Input, &mut updates);
            }
        }
        self.flush(steps);
        steps.push(Step::Operation(updates.operation()));
    }

    /// Whether the text declares an array of variable length there, instead of calling a function.
    pub(super) fn is_array(&self, (function, edge): (FunctionId, u32)) -> bool {
        let body = self.flow.functions[function.0 as usize].body.as_ref();
        let Some(edge) = body.and_then(|body| body.edges.get(edge as usize)) else { return false };
        let Instruction::Call { callee: Callee::Function(callee), .. } = edge.instruction else {
            return false;
        };
        let (from, to) = (edge.span.start as usize, edge.span.end as usize);
        let text = self.flow.source.text.get(from..to);
        let is_called = text.is_none_or(|text| text.contains("alloca"));
        self.flow.functions[callee.0 as usize].name == "alloca" && !is_called
    }

    /// Gives the result any value.
    pub(super) fn any_result(
        &mut self,
        result: Option<&Place>,
        origin: Origin,
        updates: &mut Updates,
    ) {
        if let Some(place) = result {
            let cursor = self.locate(place);
            self.havoc_at(&cursor, place.ty, Some(place), origin, updates);
        }
    }

    /// Models the changes by an unknown function: it may change everything that any such function
    /// was ever given, since that may have been kept.
    fn external(&mut self) {
        if self.options.externals == Externals::Pure {
            return;
        }
        let all: Vec<_> = self.points_to.objects().iter().map(|(o, _)| o).collect();
        for object in all {
            if self.points_to.has_escaped(object) {
                self.forget(object);
            }
        }
    }
}
