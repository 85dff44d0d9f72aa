//! The concrete interpreter of programs: follows given choices, edge by edge.
//!
//! It shares only the evaluation of terms with the analysis: here, calls are frames on a stack, not
//! copies of automata.

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::operation::Operation;
use super::program::{CallEdge, Location, Place, Program, Step};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_smt::{Node, Sort, Symbol, Term, Terms, Value};

/// The choices that determine an execution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// Initial values of global variables and of the parameters of `main`; any others are 0 or
    /// false.
    pub initial: FxHashMap<Symbol, Value>,
    /// The edges in order, by their places, with the values that they give where any value is
    /// possible. A call is listed twice: when it begins and when it returns.
    pub steps: Vec<(Place, Option<Value>)>,
}

/// The kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    Operation,
    Call,
    /// Return to the caller.
    Return,
    Error,
}

/// The event of passing an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub kind: EventKind,
    /// The place of the edge; on a return, that of the call.
    pub place: Place,
    /// The start of the edge, in its function.
    pub source: Location,
    /// The number of open calls before the edge.
    pub depth: u32,
    /// Assigned variables, even if their values stay the same.
    pub changed: Vec<(Symbol, Value)>,
    /// Whether the new values come from outside.
    pub is_input: bool,
}

/// An execution that reaches the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// Initial values of the variables that exist at the start, in order.
    pub initial: Vec<(Symbol, Value)>,
    pub events: Vec<Event>,
}

/// Why choices do not give an execution that reaches the error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExecuteError {
    #[error("step {0} is no edge of the location that is reached")]
    NoEdge(usize),
    #[error("the condition of step {0} does not hold")]
    Condition(usize),
    #[error("a term of step {0} has no value")]
    NoValue(usize),
    #[error("the error is not reached")]
    NoError,
    #[error("what step {0} does is not modelled")]
    Unsupported(usize),
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// The edges of a program, indexed by function, source and instruction.
#[derive(Debug, Default)]
pub struct Edges(FxHashMap<(usize, Location, u32), usize>);

impl Edges {
    /// Indexes all edges; of several with the same source and place, the first.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut all = FxHashMap::default();
        for (f, function) in program.functions.iter().enumerate() {
            for (i, edge) in function.edges.iter().enumerate() {
                all.entry((f, edge.source, edge.place.instruction)).or_insert(i);
            }
        }
        Self(all)
    }

    /// The edge at a place that leaves a location of a function.
    #[must_use]
    pub fn find<'p>(
        &self,
        program: &'p Program,
        (function, source): (usize, Location),
        place: Place,
    ) -> Option<&'p CallEdge> {
        let &edge = self.0.get(&(function, source, place.instruction))?;
        Some(&program.functions[function].edges[edge]).filter(|e| e.place == place)
    }
}

/// An open call.
struct Frame<'p> {
    function: usize,
    at: Location,
    locals: FxHashMap<Symbol, Value>,
    /// The caller's edge; `None` for `main`.
    call: Option<&'p CallEdge>,
}

struct Machine<'p> {
    terms: &'p Terms,
    program: &'p Program,
    edges: Edges,
    /// The locals of each function, indexed by function.
    locals: Vec<FxHashSet<Symbol>>,
    globals: FxHashMap<Symbol, Value>,
    frames: Vec<Frame<'p>>,
}

/// Executes choices, the last of which must reach the error.
///
/// # Errors
/// If it does not, or if the budget is exhausted.
pub fn execute(
    terms: &Terms,
    program: &Program,
    choices: &Choices,
    budget: &Budget,
) -> Result<Execution, ExecuteError> {
    let locals = program.functions.iter().map(|f| f.locals.iter().copied().collect()).collect();
    let main = Frame {
        function: program.main,
        at: program.functions[program.main].entry,
        locals: FxHashMap::default(),
        call: None,
    };
    let mut machine = Machine {
        terms,
        program,
        edges: Edges::new(program),
        locals,
        globals: FxHashMap::default(),
        frames: vec![main],
    };
    let mut initial: Vec<(Symbol, Value)> = choices.initial.iter().map(|(&s, &v)| (s, v)).collect();
    initial.sort_unstable();
    initial.iter().for_each(|&(s, v)| machine.set(s, v));
    let mut events = vec![];
    for (number, &(place, value)) in choices.steps.iter().enumerate() {
        budget.check()?;
        let event = machine.step(number, place, value)?;
        let is_error = event.kind == EventKind::Error;
        events.push(event);
        if is_error {
            return Ok(Execution { initial, events });
        }
    }
    Err(ExecuteError::NoError)
}

impl<'p> Machine<'p> {
    fn frame(&mut self) -> &mut Frame<'p> {
        self.frames.last_mut().expect("'main' does not return")
    }

    fn set(&mut self, symbol: Symbol, value: Value) {
        let frame = self.frames.last_mut().expect("'main' does not return");
        let is_local = self.locals[frame.function].contains(&symbol);
        let values = if is_local { &mut frame.locals } else { &mut self.globals };
        values.insert(symbol, value);
    }

    fn value(&self, number: usize, term: Term) -> Result<Value, ExecuteError> {
        let frame = self.frames.last().expect("'main' does not return");
        let leaf = |t: Term| match *self.terms.node(t) {
            Node::Variable(s) => {
                let values = match self.locals[frame.function].contains(&s) {
                    true => &frame.locals,
                    false => &self.globals,
                };
                Some(values.get(&s).copied().unwrap_or(zero(self.terms.symbol_sort(s))))
            }
            _ => None,
        };
        self.terms.evaluate(term, &leaf).ok_or(ExecuteError::NoValue(number))
    }

    fn step(
        &mut self,
        number: usize,
        place: Place,
        value: Option<Value>,
    ) -> Result<Event, ExecuteError> {
        let program = self.program;
        let depth = self.frames.len() as u32 - 1;
        let frame = self.frame();
        let (function, source) = (frame.function, frame.at);
        let mut event = Event {
            kind: EventKind::Operation,
            place,
            source,
            depth,
            changed: vec![],
            is_input: false,
        };
        if let Some(call) = frame.call
            && source == program.functions[function].exit
        {
            if call.place != place {
                return Err(ExecuteError::NoEdge(number));
            }
            (event.kind, event.source) = (EventKind::Return, call.source);
            event.changed.extend(self.back(number, call)?);
            return Ok(event);
        }
        let edge = self.edges.find(program, (function, source), place);
        let edge = edge.ok_or(ExecuteError::NoEdge(number))?;
        let mut target = edge.target;
        match &edge.step {
            Step::Error => event.kind = EventKind::Error,
            Step::Unsupported(_) => return Err(ExecuteError::Unsupported(number)),
            Step::Call { callee, arguments, .. } => {
                event.kind = EventKind::Call;
                event.changed = self.call(number, edge, *callee, arguments)?;
                target = program.functions[*callee].entry;
            }
            Step::Operation(Operation::Skip) => {}
            Step::Operation(Operation::Assume(condition)) => {
                if self.value(number, *condition)? != Value::Bool(true) {
                    return Err(ExecuteError::Condition(number));
                }
            }
            Step::Operation(Operation::Havoc(symbol, _)) => {
                // A value that does not matter for the error may be missing.
                let value = value.unwrap_or(zero(self.terms.symbol_sort(*symbol)));
                event.changed.push((*symbol, value));
                event.is_input = true;
                self.set(*symbol, value);
            }
            Step::Operation(operation) => {
                for (symbol, term) in operation.changes() {
                    let term = term.expect("an assignment has values");
                    event.changed.push((symbol, self.value(number, term)?));
                }
                event.changed.iter().for_each(|&(symbol, value)| self.set(symbol, value));
            }
        }
        self.frame().at = target;
        Ok(event)
    }

    /// Opens a call, giving the parameters their values.
    fn call(
        &mut self,
        number: usize,
        edge: &'p CallEdge,
        callee: usize,
        arguments: &[Term],
    ) -> Result<Vec<(Symbol, Value)>, ExecuteError> {
        let function = &self.program.functions[callee];
        let pairs = function.parameters.iter().zip(arguments);
        let passed: Result<Vec<(Symbol, Value)>, ExecuteError> =
            pairs.map(|(&p, &a)| Ok((p, self.value(number, a)?))).collect();
        let passed = passed?;
        self.frames.push(Frame {
            function: callee,
            at: function.entry,
            locals: passed.iter().copied().collect(),
            call: Some(edge),
        });
        Ok(passed)
    }

    /// Closes a call; returns the result if the caller uses it.
    fn back(
        &mut self,
        number: usize,
        call: &CallEdge,
    ) -> Result<Option<(Symbol, Value)>, ExecuteError> {
        let Step::Call { callee, result, .. } = &call.step else {
            return Err(ExecuteError::NoEdge(number));
        };
        let from = self.program.functions[*callee].result;
        let frame = self.frames.pop().expect("a call is open");
        self.frame().at = call.target;
        let (Some(to), Some(from)) = (*result, from) else { return Ok(None) };
        let known = match self.locals[*callee].contains(&from) {
            true => frame.locals.get(&from).copied(),
            false => self.globals.get(&from).copied(),
        };
        let value = known.unwrap_or(zero(self.terms.symbol_sort(from)));
        self.set(to, value);
        Ok(Some((to, value)))
    }
}

/// The value of a variable that does not matter.
fn zero(sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Bits(_) => Value::Bits(0),
        Sort::Int => Value::Int(0),
    }
}
