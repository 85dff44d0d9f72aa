//! C programs.
//!
//! UNSAFE rests on the interpreter alone: the program text, executed on the inputs that were found,
//! reaches the error.

use rustc_hash::FxHashMap;

use super::interface::{Found, PathOrigin, Prepared, Subject};
use super::{inputs, testing};
use crate::options::Options;
use crate::reduction::Size;
use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_base::verdict::UnknownReason;
use hardbop_c::execute::{self, Demand, Execution, Owner, Recorded, Recording, ReplayError};
use hardbop_c::flow::{Flow, FunctionId, VariableId, VariableKind};
use hardbop_c::library::{depends_on_stream, reads_stream};
use hardbop_c::limits;
use hardbop_c::lower::{self, Assumption, Part};
use hardbop_c::memory::ObjectKind;
use hardbop_c::points_to::Externals;
use hardbop_c::trace::{Input, InputKind};
use hardbop_cfa::Automaton;
use hardbop_refine::block::execution::ErrorPath;
use hardbop_smt::{Symbol, Terms};

/// A C program.
#[derive(Debug, Clone)]
pub struct CProgram<'a> {
    flow: &'a Flow,
    /// The places of the automata's variables in memory.
    parts: FxHashMap<Symbol, Part>,
    limits: limits::Execution,
    allocations_may_fail: bool,
    /// See [`lower::Lowered::leaves_arrays`].
    leaves_arrays: bool,
}

impl<'a> CProgram<'a> {
    /// The program that the parser has made.
    pub fn new(flow: &'a Flow) -> Self {
        Self {
            flow,
            parts: FxHashMap::default(),
            limits: limits::Execution::default(),
            allocations_may_fail: false,
            leaves_arrays: false,
        }
    }
}

impl Subject for CProgram<'_> {
    type Execution = Execution;

    fn size(&self) -> Size {
        Size::of_flow(self.flow)
    }

    fn search(&self, options: &Options, budget: &Budget) -> Found<Execution> {
        testing::search(self.flow, options, budget)
    }

    fn execute_symbolically(&self, options: &Options, budget: &Budget) -> Found<Execution> {
        testing::symbolic(self.flow, options, budget)
    }

    fn execute_concolically(&self, options: &Options, budget: &Budget) -> Found<Execution> {
        testing::concolic(self.flow, options, budget)
    }

    fn prepare(&mut self, options: &Options, budget: &Budget) -> Result<Prepared, UnknownReason> {
        let memory = lower::LoweringOptions {
            malloc_may_fail: options.malloc_may_fail,
            model: options.memory,
            externals: options.externals,
            limits: options.c_limits,
            ..lower::LoweringOptions::default()
        };
        let mut terms = Terms::new();
        let lowered = lower::lower(self.flow, &mut terms, memory, budget)?;
        if let (Externals::Any, Some((unknown, known))) = (options.externals, lowered.callback) {
            return Err(UnknownReason::Callback(unknown, known));
        }
        let pointers = lowered.parts.iter().filter(|(_, part)| part.is_pointer);
        let pointers = pointers.map(|(&s, _)| s).collect();
        let floats = lowered.parts.iter().filter(|(_, part)| part.is_float);
        let floats = floats.map(|(&s, _)| s).collect();
        self.parts = lowered.parts;
        self.leaves_arrays = lowered.leaves_arrays;
        self.limits = options.c_limits.execution;
        self.allocations_may_fail = options.malloc_may_fail;
        Ok(Prepared {
            program: lowered.program,
            terms,
            assumptions: lowered.assumptions,
            pointers,
            floats,
            addresses: lowered.addresses,
            many: lowered.many,
            has_arguments: lowered.has_arguments,
        })
    }

    fn replay(
        &self,
        terms: &Terms,
        (automaton, path): (&Automaton, &ErrorPath),
        _origin: PathOrigin,
        budget: &Budget,
    ) -> Result<Execution, UnknownReason> {
        let trace = inputs::trace(self.flow, &self.parts, automaton, terms, path);
        let options = execute::ExecutionOptions {
            record: Recording::Values,
            budget: budget.clone(),
            limits: self.limits,
            allocations_may_fail: self.allocations_may_fail,
            ..execute::ExecutionOptions::default()
        };
        execute::replay(self.flow, &trace, &options).map_err(|e| {
            let reason = inputs::approximation(self.flow, &self.parts, automaton, path);
            let reason = reason.map_or(String::new(), |r| format!(" ({r})"));
            let line = match &e {
                ReplayError::Fault { span, .. } | ReplayError::Unsupported { span, .. } => {
                    format!(" {}", self.flow.source.words(span.start))
                }
                _ => String::new(),
            };
            let error = inputs::error(self.flow, automaton, path);
            UnknownReason::NotConfirmed { error, why: format!("{e}{line}{reason}") }
        })
    }

    fn assume(&self, execution: &Execution, assumptions: &mut Vec<Assumption>) {
        // Those of the model may be more than the execution needs.
        assumptions.retain(|a| !a.concerns_errors());
        let functions = execution.inputs.iter().filter_map(|recorded| match &recorded.input.kind {
            InputKind::Nondet { function } | InputKind::Undefined { function } => Some(function),
            _ => None,
        });
        let asked: Vec<&String> = functions.filter(|name| depends_on_stream(name)).collect();
        // The first character of a stream may be any.
        if asked.len() > 1 || asked.iter().any(|name| reads_stream(name)) {
            assumptions.push(Assumption::Streams);
        }
        let relied = lower::reliances(self.flow, &entered(self.flow, execution));
        let relied = relied.into_iter().map(Assumption::of_text);
        assumptions.extend(relied.filter(Assumption::concerns_errors));
        if execution.numbers {
            assumptions.push(Assumption::Addresses);
        }
        let larger = execution.larger.iter().filter_map(|larger| {
            let object = match larger.owner {
                Owner::Variable(variable) => ObjectKind::Variable(variable),
                Owner::Block { edge, .. } => {
                    ObjectKind::Allocation(FunctionId(edge.function), edge.edge)
                }
            };
            Assumption::larger(self.flow, object, larger.ty)
        });
        assumptions.extend(larger);
        for recorded in execution.inputs.iter().filter(|i| i.demand != Demand::Unused) {
            let assumption = match (lacking(self.flow, recorded), &recorded.input) {
                (Some(assumption), _) => assumption,
                (None, Input { object: false, .. }) => continue,
                (None, &Input { kind: InputKind::Address { number }, .. }) => {
                    Assumption::ObjectAt(number)
                }
                (None, _) => Assumption::OutsideObjects,
            };
            if !assumptions.contains(&assumption) {
                assumptions.push(assumption);
            }
        }
    }

    fn assume_determined(
        &self,
        assumptions: &mut Vec<Assumption>,
        reads: bool,
        located: Option<bool>,
    ) -> bool {
        let is_left = |a: &Assumption| {
            self.leaves_arrays && *a == Assumption::ValidAccesses || reads && a.concerns_values()
        };
        assumptions.retain(|a| a.concerns_executions() || is_left(a));
        match located {
            Some(true) => false,
            Some(false) => {
                assumptions.retain(|a| *a != Assumption::Addresses);
                true
            }
            None => !assumptions.contains(&Assumption::Addresses),
        }
    }

    fn source(&self) -> Option<&Source> {
        Some(&self.flow.source)
    }
}

/// The functions that an execution has entered; all of them, where its steps are not known.
fn entered(flow: &Flow, execution: &Execution) -> Vec<FunctionId> {
    let events = execution.events.iter().map(|event| event.edge);
    let leaps = execution.leaps.iter().flat_map(|leap| leap.edges.iter().map(|&(edge, ..)| edge));
    let mut entered: Vec<u32> = events.chain(leaps).map(|edge| edge.function).collect();
    if execution.events.is_empty() {
        entered.extend(0..flow.functions.len() as u32);
    }
    entered.sort_unstable();
    entered.dedup();
    entered.into_iter().map(FunctionId).collect()
}

/// The assumption of an execution on a value that the program should have made itself: that of a
/// pointer, or of a result.
fn lacking(flow: &Flow, recorded: &Recorded) -> Option<Assumption> {
    match recorded.input.kind {
        InputKind::Uninitialised { variable, .. } => {
            let is_result = flow.functions.iter().any(|f| f.result == Some(VariableId(variable)));
            let is_local = flow.variables[variable as usize].kind == VariableKind::Local;
            match is_result {
                true => Some(Assumption::MissingResults),
                false => (is_local && recorded.pointer).then_some(Assumption::InitialisedPointers),
            }
        }
        InputKind::Heap { .. } => recorded.pointer.then_some(Assumption::InitialisedPointers),
        _ => None,
    }
}
