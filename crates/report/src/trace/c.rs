//! The trace of a C program, made from an execution.

use super::iteration::Loops;
use super::step::{FAILED, Input, Step, StepKind, Trace, Value};
use crate::units::count;
use hardbop_base::source::Position;
use hardbop_c::RuleFunction;
use hardbop_c::arguments::{CommandLine, Parameters};
use hardbop_c::execute::{Change, Demand, Event, Execution, ExecutionOutcome, Leap, Recorded};
use hardbop_c::flow::{
    Base, Body, Callee, Edge, Expr, Flow, Function, Instruction, NEXT, Place, READ, RETURNED,
    SCHEDULER, STARTS, VariableKind,
};
use hardbop_c::library::{self, LibraryFunction, Storage, TextResult};
use hardbop_c::trace::InputKind;

/// What the names of files with rules end with: they choose the object that they follow.
const RULE: &str = ".rule";

/// Longest text of a statement, in characters.
const TEXT: usize = 4_000;

impl Trace {
    /// Puts an execution that recorded values into source
    /// terms.
    #[must_use]
    pub fn of_execution(flow: &Flow, execution: &Execution) -> Self {
        let mut steps: Vec<Step> = Vec::new();
        let mut loops = Loops::default();
        let mut leaps = execution.leaps.iter().peekable();
        for (number, event) in execution.events.iter().enumerate() {
            while let Some(leap) = leaps.next_if(|leap| leap.after <= number) {
                loops.leap(flow, leap);
                steps.extend(rounds(flow, leap));
            }
            let Some((function, body, edge)) = find(flow, event) else { continue };
            if is_inner(flow, edge) || is_within_library(flow, edge) {
                loops.left = None;
                continue;
            }
            if is_of_call(edge) {
                // One step, whatever the function does.
                let step = step(flow, function, event, edge);
                let step = step.map(|step| Step { changed: vec![], ..step });
                let is_same = |step: &Step| steps.last().is_some_and(|l| same_statement(l, step));
                steps.extend(step.filter(|step| !is_same(step)));
                continue;
            }
            // The scheduler is the only loop of a program with threads.
            let iteration = loops.count(event, body, edge).filter(|_| flow.threads.is_empty());
            let shown = !loops.is_check(event, body, edge);
            let step = step(flow, function, event, edge).filter(|_| shown);
            if let Some(mut step) = step.filter(|step| !is_told(&steps, step)) {
                if !flow.threads.is_empty() && step.thread.is_none() {
                    // In a function that is not interrupted.
                    step.thread = steps.last().and_then(|last: &Step| last.thread);
                }
                step.iteration = iteration.or_else(|| loops.left.take());
                match steps.last_mut() {
                    // Parts of one statement.
                    Some(last) if same_statement(last, &step) => {
                        last.changed.append(&mut step.changed);
                    }
                    _ => steps.push(step),
                }
            } else {
                loops.left = iteration.or(loops.left.take());
            }
        }
        let command = CommandLine::of(flow, execution.inputs.iter().map(|r| &r.input))
            .and_then(|line| line.words());
        let shown = |i: &&Recorded| {
            let succeeds = matches!(i.input.kind, InputKind::Fails { .. }) && i.input.value == 0;
            let is_letter = matches!(i.input.kind, InputKind::Argument { .. });
            let is_told = succeeds || is_letter && command.is_some() || is_choice(&i.input.kind);
            let is_of_rule = flow.source.position(i.span.start).file.ends_with(RULE);
            // What a function of the library makes of it is shown where the program gets that.
            let fails = matches!(i.input.kind, InputKind::Fails { .. });
            let is_inner = !fails && flow.is_in_library(i.span);
            i.demand != Demand::Unused && !is_told && !is_of_rule && !is_inner
        };
        let inputs = execution.inputs.iter().filter(shown);
        Self {
            file: Some(flow.source.name.clone()),
            violation: violation(flow, execution),
            violation_code: execution.violation(flow).and_then(|v| v.code()),
            inputs: inputs.map(|recorded| input(flow, recorded)).collect(),
            command,
            steps,
            ..Self::default()
        }
    }
}

/// Whether an input says which thread runs next: the steps show that.
fn is_choice(kind: &InputKind) -> bool {
    matches!(kind, InputKind::Nondet { function } if function == SCHEDULER)
}

/// Whether it is in a body that the library has in C, where nothing happens but what its caller sees: no error, and no function
/// of the program is called; or a call of such a body that is not in the text.
fn is_within_library(flow: &Flow, edge: &Edge) -> bool {
    let calls_back = match edge.instruction {
        Instruction::Call { callee: Callee::Pointer(_), .. } => true,
        Instruction::Call { callee: Callee::Function(f), .. } if flow.is_of_library(f) => {
            let name = &flow.functions[f.0 as usize].name;
            if library::find(name).is_none() {
                return true;
            }
            false
        }
        _ => false,
    };
    let is_error = matches!(edge.instruction, Instruction::Error(_));
    !calls_back && !is_error && flow.is_in_library(edge.span)
}

/// The error in words.
fn violation(flow: &Flow, execution: &Execution) -> Option<String> {
    let ExecutionOutcome::Error { span, .. } = execution.outcome else { return None };
    let words = execution.violation(flow)?.words()?;
    Some(format!("{words} {}", flow.source.words(span.start)))
}

/// The file of a place, where it is another one than that of the trace.
fn other_file(flow: &Flow, position: &Position<'_>) -> Option<String> {
    (position.file != flow.source.name).then(|| position.file.to_owned())
}

fn find<'f>(flow: &'f Flow, event: &Event) -> Option<(&'f Function, &'f Body, &'f Edge)> {
    let function = flow.functions.get(event.edge.function as usize)?;
    let body = function.body.as_ref()?;
    Some((function, body, body.edges.get(event.edge.edge as usize)?))
}

/// Whether it is a branch or a jump in a library function that the text only calls.
fn is_inner(flow: &Flow, edge: &Edge) -> bool {
    let name = flow.source.text.get(edge.span.start as usize..edge.span.end as usize);
    matches!(edge.instruction, Instruction::Assume { .. } | Instruction::Skip)
        && name.is_some_and(|name| library::find(name).is_some())
}

/// Whether it assigns to memory in place of a library function that the text calls.
fn is_of_call(edge: &Edge) -> bool {
    matches!(&edge.instruction, Instruction::Assign(place, _) if place.span == edge.span)
}

fn same_statement(last: &Step, step: &Step) -> bool {
    last.kind == StepKind::Statement
        && step.kind == StepKind::Statement
        && step.iteration.is_none()
        && (last.thread, last.depth) == (step.thread, step.depth)
        && (last.line, last.column) == (step.line, step.column)
        && last.text == step.text
}

/// Whether a call is a step already: rules have been told of it.
fn is_told(steps: &[Step], call: &Step) -> bool {
    let outer = steps.iter().rev().find(|step| step.depth <= call.depth);
    call.kind == StepKind::Call
        && call.changed.is_empty()
        && outer.is_some_and(|step| {
            step.kind == StepKind::Call
                && (step.thread, step.depth) == (call.thread, call.depth)
                && (step.line, step.column, &step.text) == (call.line, call.column, &call.text)
        })
}

/// The step of an edge; none where nothing happens that the text shows.
fn step(flow: &Flow, function: &Function, event: &Event, edge: &Edge) -> Option<Step> {
    let rule = RuleFunction::of(&function.name);
    let tells_rule = match edge.instruction {
        Instruction::Call { callee: Callee::Function(f), .. } => {
            RuleFunction::of(&flow.functions[f.0 as usize].name).is_some()
        }
        _ => false,
    };
    let places = edge.instruction.parts().filter_map(Expr::place).chain(edge.instruction.target());
    let mut variables = places.filter_map(|place| match place.base {
        Base::Variable(id) => Some(&flow.variables[id.0 as usize]),
        _ => None,
    });
    let is_of_start = variables.any(|variable| variable.name.ends_with(STARTS));
    if is_of_start || !is_shown(rule.as_ref(), edge) || tells_rule && event.back {
        return None;
    }
    let kind = match &edge.instruction {
        Instruction::Call { .. } if event.back => StepKind::Return,
        Instruction::Call { .. } => StepKind::Call,
        Instruction::Assume { expected: true, .. } => StepKind::BranchTaken,
        Instruction::Assume { expected: false, .. } => StepKind::BranchNotTaken,
        Instruction::Error(_) => StepKind::Error,
        Instruction::Skip => return None,
        Instruction::Assign(place, _) if doing(flow, place).is_some() => StepKind::Statement,
        Instruction::Assign(place, _) | Instruction::Havoc(place, _) if temporary(flow, place) => {
            return None;
        }
        // Its values are shown where they are read.
        Instruction::Havoc(..) if event.changed.is_empty() => return None,
        _ => StepKind::Statement,
    };
    let (thread, function) = match flow.thread_at(event.edge, edge.source) {
        // The scheduler's.
        Some(None) => return None,
        Some(Some(place)) => {
            (Some(place.thread as usize), &flow.functions[place.function.0 as usize])
        }
        None => (None, function),
    };
    let position = flow.source.position(edge.span.start);
    let text = flow.source.snippet(edge.span, TEXT);
    let text = match (failed_assertion(&text), &rule) {
        (Some(failed), Some(_)) => words_of(&failed).to_owned(),
        (failed, _) => failed.unwrap_or(text),
    };
    let word = text.split('(').next().unwrap_or_default();
    if rule.is_none() && RuleFunction::of(word).is_some() {
        // What runs at the end is called through a pointer.
        return None;
    }
    let doing = edge.instruction.target().and_then(|place| doing(flow, place));
    let text = doing.map(|doing| format!("{doing} {text}")).unwrap_or(text);
    let is_call = matches!(kind, StepKind::Call | StepKind::Return);
    Some(Step {
        kind,
        function: match rule {
            Some(RuleFunction::Event(event)) => event,
            _ => function.name.clone(),
        },
        depth: event.depth as usize,
        file: other_file(flow, &position),
        line: Some(position.line),
        column: Some(position.column),
        edge: None,
        iteration: None,
        thread,
        // As the text calls it: a name, or a pointer.
        callee: is_call.then(|| text.split('(').next().unwrap_or(&text).trim().to_owned()),
        text,
        changed: match tells_rule {
            true => vec![],
            false => event.changed.iter().map(|change| own(value(change), thread)).collect(),
        },
    })
}

/// Whether an edge is a step: of a rule, only changes of its state and its errors are.
fn is_shown(rule: Option<&RuleFunction>, edge: &Edge) -> bool {
    let is_effect = matches!(edge.instruction, Instruction::Error(_) | Instruction::Assign(..));
    match rule {
        Some(RuleFunction::Event(_)) => is_effect,
        Some(RuleFunction::Helper) => false,
        None => true,
    }
}

/// The words of an assertion.
fn words_of(assertion: &str) -> &str {
    assertion.strip_prefix("assert(").and_then(|text| text.strip_suffix(')')).unwrap_or(assertion)
}

/// What a thread does with a part of a statement that it does not do at once, if a temporary stands for that.
fn doing(flow: &Flow, place: &Place) -> Option<&'static str> {
    let Base::Variable(v) = place.base else { return None };
    let name = flow.variables[v.0 as usize].name.as_str();
    let doing = [(READ, "reads"), (NEXT, "is before")];
    let found = doing.iter().find(|(start, _)| name.starts_with(start));
    found.map(|(_, words)| *words)
}

/// The value of a variable under the name that it has in the text: each thread has its own.
fn own(value: Value, thread: Option<usize>) -> Value {
    match (thread, value.name.split_once('~')) {
        (Some(_), Some((name, rest))) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            Value { name: format!("{name}{rest}"), ..value }
        }
        _ => value,
    }
}

/// The step of rounds that are not listed, at the first statement of a round.
fn rounds(flow: &Flow, leap: &Leap) -> Option<Step> {
    let outer = leap.edges.iter().map(|&(_, depth, _)| depth).min()?;
    let at = leap.edges.iter().filter(|(_, depth, back)| *depth == outer && !back);
    let at = at.filter_map(|&(edge, ..)| {
        let function = &flow.functions[edge.function as usize];
        let span = function.body.as_ref()?.edges.get(edge.edge as usize)?.span;
        Some((function, flow.source.position(span.start)))
    });
    let (function, position) = at.min_by_key(|(_, position)| (position.line, position.column))?;
    Some(Step {
        kind: StepKind::Rounds,
        function: function.name.clone(),
        depth: outer as usize,
        file: other_file(flow, &position),
        line: Some(position.line),
        column: Some(position.column),
        edge: None,
        iteration: None,
        thread: None,
        callee: None,
        text: format!("... {} more iterations ...", count(leap.rounds)),
        changed: leap.changed.iter().map(value).collect(),
    })
}

/// `assert(x > 0)` for what the macro of the C library becomes where it fails:
/// `__assert_fail("x > 0", "file.c", 7, "main")`.
pub fn failed_assertion(text: &str) -> Option<String> {
    let (name, rest) = text.split_once('(')?;
    if !matches!(name.trim_end(), "__assert_fail" | "__assert" | "_assert") {
        return None;
    }
    let mut rest = rest.trim_start().strip_prefix('"')?.chars();
    let mut condition = String::new();
    loop {
        match rest.next()? {
            '"' => match rest.as_str().trim_start().strip_prefix('"') {
                // Adjacent strings are one.
                Some(next) => rest = next.chars(),
                None => return Some(format!("assert({condition})")),
            },
            '\\' => condition.push(rest.next()?),
            letter => condition.push(letter),
        }
    }
}

fn value(change: &Change) -> Value {
    Value { name: change.name.clone(), value: change.value.clone(), is_global: change.is_global }
}

fn temporary(flow: &Flow, place: &Place) -> bool {
    match place.base {
        Base::Variable(id) => {
            let variable = &flow.variables[id.0 as usize];
            let is_whole = place.path.is_empty() || flow.types.is_pair(variable.ty);
            variable.kind == VariableKind::Temporary && is_whole && variable.name != RETURNED
        }
        _ => false,
    }
}

/// The function whose result the variable is.
fn returner(flow: &Flow, variable: u32) -> Option<&str> {
    let function = flow.functions.iter().find(|f| f.result.is_some_and(|r| r.0 == variable));
    function.map(|function| function.name.as_str())
}

fn input(flow: &Flow, recorded: &Recorded) -> Input {
    let input = &recorded.input;
    // Bit-fields share bytes.
    let whole_bytes = recorded.width.is_multiple_of(8);
    let name = match &input.kind {
        InputKind::Nondet { function } | InputKind::Undefined { function } => {
            format!("{function}()")
        }
        InputKind::Fails { .. } => flow.source.snippet(recorded.span, TEXT),
        InputKind::Volatile { name } => format!("{name} (volatile)"),
        InputKind::Uninitialised { name, bit, .. } if name.contains("()@") => {
            let (function, _) = name.split_once('@').unwrap_or((name, ""));
            format!("{function}, byte {}", bit / 8)
        }
        InputKind::Uninitialised { name, variable, .. }
            if Parameters::of(flow).is_some_and(|p| p.count.0 == *variable) =>
        {
            name.clone()
        }
        InputKind::Uninitialised { name, variable, bit, .. } => {
            match (returner(flow, *variable), *bit) {
                (Some(function), _) => format!("{function}(), which returned no value"),
                (None, 0) if whole_bytes => format!("{name} (uninitialised)"),
                (None, bit) if whole_bytes => format!("{name} (uninitialised, byte {})", bit / 8),
                (None, bit) => {
                    let last = bit + u64::from(recorded.width) - 1;
                    format!("{name} (uninitialised, bits {bit} to {last})")
                }
            }
        }
        InputKind::Address { number } => format!("the address {number:#x}"),
        InputKind::Argument { index, byte } => format!("argv[{index}][{byte}]"),
        InputKind::Heap { .. } => "memory from malloc (uninitialised)".to_owned(),
        InputKind::Outside { object, bit } if whole_bytes => {
            format!("byte {} of outside object {object}", bit / 8)
        }
        InputKind::Outside { object, bit } => {
            let last = bit + i64::from(recorded.width) - 1;
            format!("bits {bit} to {last} of outside object {object}")
        }
    };
    let position = flow.source.position(recorded.span.start);
    let file = other_file(flow, &position);
    let line = Some(position.line);
    let unused = 64 - input.bits.clamp(1, 64);
    if let Some(object) = recorded.object {
        return Input {
            name,
            value: format!("outside object {}", object.number),
            file,
            line,
            step: None,
        };
    }
    let value = match (recorded.float, input.bits) {
        (false, 1) if matches!(input.kind, InputKind::Fails { .. }) => FAILED.to_owned(),
        (false, 1) if let Some(what) = null_or(&input.kind) => {
            if input.value == 0 { what } else { "NULL" }.to_owned()
        }
        (true, 32) => format!("{:?}", f32::from_bits(input.value as u32)),
        (true, _) => format!("{:?}", f64::from_bits(input.value)),
        (false, 1) => input.value.to_string(),
        _ => ((input.value << unused) as i64 >> unused).to_string(),
    };
    Input { name, value, file, line, step: None }
}

/// Of a function that returns null, or one thing: that.
fn null_or(kind: &InputKind) -> Option<&'static str> {
    let (InputKind::Undefined { function } | InputKind::Nondet { function }) = kind else {
        return None;
    };
    match library::find(function).and_then(LibraryFunction::model)?.execution {
        library::Execution::WriteText { returns: TextResult::StartOrNull, .. } => Some("the text"),
        library::Execution::Allocate(new) if new.storage == Storage::Library => Some("an object"),
        _ => None,
    }
}
