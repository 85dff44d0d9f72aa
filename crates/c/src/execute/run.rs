//! Executes programs, edge by edge.

use super::cycle::Cycle;
use super::execution::{End, Event, Execution, ExecutionOutcome, Limit};
use super::fault::Fault;
use super::leap::Leaps;
use super::loaded::Loaded;
use super::machine::{Known, Machine, Snapshot, Stop};
use super::options::{ExecutionOptions, Recording};
use super::oracle::Oracle;
use super::ways::Comparison;
use crate::flow::{Body, Callee, Edge, Flow, Instruction};
use crate::trace::EdgeIndex;

/// The number of steps between two checks of the budget.
const POLL: u64 = 1 << 12;

/// The number of bytes that functions of the library handle in a step.
const BYTES: u64 = 1 << 6;

/// Executes a program from the start.
pub fn run(flow: &Flow, oracle: &mut dyn Oracle, options: &ExecutionOptions) -> Execution {
    run_again(&Loaded::new(flow), oracle, options)
}

/// Executes a program that may be executed more often.
pub fn run_again(
    loaded: &Loaded<'_>,
    oracle: &mut dyn Oracle,
    options: &ExecutionOptions,
) -> Execution {
    let mut machine = loaded.machine(oracle, options);
    let started = start(loaded, &mut machine);
    run_on(machine, started, None).0
}

/// Executes a program from the start or from a state, up to its end or where a state is new, or was reached before; the new
/// one, of which there is none if there is no room.
pub(super) fn run_from(
    loaded: &Loaded<'_>,
    from: Option<&Snapshot>,
    oracle: &mut dyn Oracle,
    options: &ExecutionOptions,
    has_room: bool,
) -> (Execution, Option<Snapshot>) {
    let mut machine = loaded.machine(oracle, options);
    let started = match from {
        Some(from) => {
            machine.resume(from);
            Ok(())
        }
        None => start(loaded, &mut machine),
    };
    machine.memory.reuse_addresses();
    machine.watches = true;
    run_on(machine, started, Some(has_room))
}

/// Executes what comes next; whether states are compared, and there is room for new ones.
fn run_on(
    mut machine: Machine<'_, '_>,
    started: Result<(), Stop>,
    compares: Option<bool>,
) -> (Execution, Option<Snapshot>) {
    let options = machine.options;
    let (mut leaps, mut cycle) = (Leaps::new(), Cycle::new());
    let (mut steps, mut poll) = (0, 0);
    let mut reached = None;
    let outcome = match started {
        Err(stop) => ended(&machine, stop),
        Ok(()) => loop {
            if steps >= options.steps {
                break ExecutionOutcome::Limit(Limit::Steps);
            }
            if steps >= poll {
                if let Err(exhausted) = options.budget.check() {
                    break ExecutionOutcome::Exhausted(exhausted);
                }
                poll = steps + POLL;
            }
            steps += 1;
            let calls = machine.frames.len();
            let passed = step(&mut machine).and_then(|end| {
                if end.is_none() {
                    leaps.pass(&mut machine, steps, calls)?;
                }
                Ok(end)
            });
            steps += machine.handled / BYTES;
            machine.handled %= BYTES;
            match passed {
                Ok(None) if cycle.closes(&machine, steps) => {
                    break ExecutionOutcome::Ended(End::Never);
                }
                Ok(None) => {
                    let Some(has_room) = compares else { continue };
                    match machine.is_reached_again(machine.frames.len() < calls) {
                        Comparison::Known => {}
                        Comparison::New(trail) if has_room => {
                            reached = Some(machine.snapshot(trail));
                        }
                        Comparison::New(_) | Comparison::None => continue,
                    }
                    break ExecutionOutcome::Ended(End::Reached);
                }
                Ok(Some(outcome)) => break outcome,
                Err(stop) => break ended(&machine, stop),
            }
        },
    };
    steps += machine.handled / BYTES;
    machine.finish_event();
    let status = match outcome {
        ExecutionOutcome::Ended(End::Returned) => machine.status(),
        _ => None,
    };
    let wild = machine.wild.get();
    let located = machine.is_located();
    let Machine {
        inputs,
        events,
        leaps,
        larger,
        addresses,
        undefined,
        foreign,
        numbers,
        inexact,
        ..
    } = machine;
    let undefined = undefined.into_iter().collect();
    let execution = Execution {
        wild,
        status,
        outcome,
        inputs,
        events,
        leaps,
        larger,
        addresses,
        steps,
        undefined,
        foreign,
        numbers,
        inexact,
        located,
    };
    (execution, reached)
}

fn ended(machine: &Machine<'_, '_>, stop: Stop) -> ExecutionOutcome {
    match stop {
        Stop::Fault(fault) => ExecutionOutcome::Fault { fault, span: machine.span },
        Stop::NoInput => ExecutionOutcome::NoInput,
        Stop::OutOfMemory => ExecutionOutcome::Limit(Limit::Memory),
        Stop::TooLong => ExecutionOutcome::Limit(Limit::Steps),
        Stop::TooDeep => ExecutionOutcome::Limit(Limit::Depth),
        Stop::Halt => ExecutionOutcome::Ended(End::Stopped),
        Stop::Assumption => ExecutionOutcome::Ended(End::Assumption),
    }
}

/// Initialises the globals and calls `main`.
fn start<'f>(loaded: &Loaded<'f>, machine: &mut Machine<'f, '_>) -> Result<(), Stop> {
    loaded.initialise(machine)?;
    let flow = machine.flow;
    let main = &flow.functions[flow.main.0 as usize];
    let body = main.body.as_ref().ok_or(Fault::IllFormed("main has no body"))?;
    machine.open(flow.main, body, None)
}

/// Takes an edge, or returns how the execution ends.
fn step(machine: &mut Machine<'_, '_>) -> Result<Option<ExecutionOutcome>, Stop> {
    let Some(frame) = machine.frames.last() else {
        return Ok(Some(ExecutionOutcome::Ended(End::Returned)));
    };
    let (function, body) = (frame.function, frame.body);
    if frame.location == body.exit.0 {
        return if machine.back()? {
            Ok(None)
        } else {
            Ok(Some(ExecutionOutcome::Ended(End::Returned)))
        };
    }
    let Some(edge_index) = enabled(machine, body)? else {
        return Ok(Some(ExecutionOutcome::Ended(End::Assumption)));
    };
    let edge = &body.edges[edge_index as usize];
    let index = EdgeIndex { function: function.0, edge: edge_index };
    machine.begin_event(index, edge.span);
    match &edge.instruction {
        Instruction::Skip | Instruction::Assume { .. } => {}
        Instruction::Assign(place, expr) if machine.copies_unwritten(place, expr)? => {}
        Instruction::Assign(place, expr) => {
            let value = machine.value(expr)?;
            machine.write(place, &value)?;
        }
        Instruction::Havoc(place, kind) => machine.havoc(place, kind)?,
        Instruction::Call { result, callee, arguments } => {
            let function = match callee {
                Callee::Function(function) => *function,
                Callee::Pointer(expr) => {
                    let address = machine.fixed(expr)?;
                    let function = machine.function_at(address);
                    function.ok_or(match address {
                        0 => Fault::Null,
                        _ => Fault::NotAFunction(address),
                    })?
                }
            };
            move_to(machine, edge);
            machine.call(function, result.as_ref(), arguments)?;
            return Ok(None);
        }
        Instruction::Return(value) => {
            let function = &machine.flow.functions[function.0 as usize];
            if let (Some(result), Some(value)) = (function.result, value) {
                let value = machine.value(value)?;
                machine.assign_variable(result, &value)?;
            }
        }
        Instruction::Error(_) => {
            return Ok(Some(ExecutionOutcome::Error { edge: index, span: edge.span }));
        }
        Instruction::Halt => return Ok(Some(ExecutionOutcome::Ended(End::Stopped))),
        Instruction::Unsupported(what) => {
            return Ok(Some(ExecutionOutcome::Unsupported { what: what.clone(), span: edge.span }));
        }
    }
    move_to(machine, edge);
    Ok(None)
}

fn move_to(machine: &mut Machine<'_, '_>, edge: &Edge) {
    if let Some(frame) = machine.frames.last_mut() {
        frame.location = edge.target.0;
    }
}

/// The one enabled edge; `None` if an assumption blocks them all.
fn enabled(machine: &mut Machine<'_, '_>, body: &Body) -> Result<Option<u32>, Stop> {
    let count = machine.outgoing().len();
    let (mut found, mut possible, mut conditions) = (None, Vec::new(), Vec::new());
    for i in 0..count {
        let index = machine.outgoing()[i];
        let edge = &body.edges[index as usize];
        let open = match &edge.instruction {
            Instruction::Assume { condition, expected } => {
                machine.span = edge.span;
                let evaluated = machine.condition(condition);
                match machine.known(evaluated, condition)? {
                    Known::Is(value) => value == *expected,
                    Known::Open => {
                        possible.push(index);
                        false
                    }
                    Known::Term(term) => {
                        possible.push(index);
                        conditions.push(machine.decided(condition, term, *expected)?);
                        false
                    }
                }
            }
            _ => true,
        };
        if open && found.replace(index).is_some() {
            return Err(Fault::IllFormed("two branches are enabled").into());
        }
    }
    let target = |&index: &u32| body.edges[index as usize].target;
    if found.is_none()
        && possible.len() > 1
        && possible.iter().all(|e| target(e) == target(&possible[0]))
    {
        // It does not matter which.
        return Ok(Some(possible[0]));
    }
    if found.is_none() && !conditions.is_empty() && conditions.len() == possible.len() {
        return Ok(machine.way_among(&conditions)?.map(|way| possible[way]));
    }
    match (found, &possible[..]) {
        (None, &[only]) => Ok(Some(only)),
        (None, [_, ..]) => Ok(Some(possible[machine.way(possible.len())?])),
        (found, _) => Ok(found),
    }
}

impl Machine<'_, '_> {
    /// Begins the execution of an edge.
    fn begin_event(&mut self, edge: EdgeIndex, span: hardbop_base::source::Span) {
        self.finish_event();
        self.edge = Some(edge);
        self.span = span;
        self.pass(edge);
        if self.options.record != Recording::Inputs {
            let depth = self.frames.len().saturating_sub(1) as u32;
            self.events.push(Event { edge, depth, back: false, changed: Vec::new() });
        }
    }

    /// Notes the return of the innermost call: its edge again, with what the result changes.
    pub(super) fn begin_return(&mut self, edge: EdgeIndex, span: hardbop_base::source::Span) {
        self.begin_event(edge, span);
        if let Some(event) = self.events.last_mut() {
            event.back = true;
        }
    }

    fn finish_event(&mut self) {
        if let Some(event) = self.events.last_mut() {
            event.changed.append(&mut self.changes);
        }
    }
}
