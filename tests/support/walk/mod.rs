//! Follows an execution of the interpreter in the automata of the lowering, as a path formula.

use std::collections::{BTreeMap, VecDeque};

use hardbop_c::execute::{Demand, Execution, Recorded};
use hardbop_c::trace::EdgeIndex;
use hardbop_cfa::{CallEdge, Location, Operation, Origin, Program, Step};
use hardbop_smt::{Node, Symbol, Term, Terms};

/// An execution as the automata have it.
pub struct Walk {
    pub conditions: Vec<Term>,
    /// What `main` returned, if it did.
    pub result: Option<Term>,
    /// Values that the model did not know.
    pub approximations: u32,
}

/// What is left to do after a call.
struct Return {
    rest: Vec<CallEdge>,
    result: Option<Symbol>,
    callee: usize,
    /// The callee's variables before the call.
    saved: BTreeMap<Symbol, Option<Term>>,
}

struct Walker<'a> {
    terms: &'a mut Terms,
    program: &'a Program,
    values: BTreeMap<Symbol, Term>,
    conditions: Vec<Term>,
    instances: u32,
    inputs: VecDeque<Recorded>,
    stack: Vec<Return>,
    approximations: u32,
}

/// Follows an execution; `None` where it leaves the model (a fault, something unsupported).
pub fn walk(terms: &mut Terms, program: &Program, execution: &Execution) -> Option<Walk> {
    let inputs = execution.inputs.iter().filter(|i| i.demand == Demand::Call).cloned().collect();
    let mut walker = Walker {
        terms,
        program,
        values: BTreeMap::new(),
        conditions: vec![],
        instances: 0,
        inputs,
        stack: vec![],
        approximations: 0,
    };
    // The prelude has no instruction.
    let main = &program.functions[program.main];
    let nowhere = hardbop_cfa::Place::NOWHERE;
    let prelude: Vec<CallEdge> =
        main.edges.iter().filter(|e| e.place.instruction == nowhere).cloned().collect();
    let none = EdgeIndex { function: 0, edge: nowhere };
    walker.steps(&prelude, none)?;
    let events = &execution.events;
    for (i, event) in events.iter().enumerate() {
        // What is not completed is not followed: a fault, or the end by an assumption.
        if i + 1 == events.len() && !execution.reaches_error() && execution.status.is_none() {
            break;
        }
        if event.back {
            walker.back(event.edge)?;
            continue;
        }
        let inner = events.get(i + 1).filter(|e| !e.back && e.depth > event.depth);
        let chain = walker.chain(event.edge, inner.map(|e| e.edge.function))?;
        walker.steps(&chain, event.edge)?;
    }
    let result = main.result.and_then(|r| walker.values.get(&r).copied());
    let result = result.filter(|_| execution.status.is_some());
    Some(Walk { conditions: walker.conditions, result, approximations: walker.approximations })
}

impl Walker<'_> {
    /// The edges that an edge of the flow has become; of several chains the one that calls.
    fn chain(&self, edge: EdgeIndex, calls: Option<u32>) -> Option<Vec<CallEdge>> {
        let function = self
            .program
            .functions
            .iter()
            .find(|f| f.edges.iter().any(|e| e.place.function == edge.function))?;
        let all: Vec<&CallEdge> =
            function.edges.iter().filter(|e| e.place.instruction == edge.edge).collect();
        let mut chains: Vec<Vec<CallEdge>> = vec![vec![(*all.first()?).clone()]];
        let mut done = vec![];
        while let Some(chain) = chains.pop() {
            let end: Location = chain.last()?.target;
            let first = chain.first()?.source;
            let next: Vec<_> = all
                .iter()
                .filter(|e| e.source == end && end != first && !chain.contains(e))
                .collect();
            if next.is_empty() {
                done.push(chain);
                continue;
            }
            for &&edge in &next {
                let mut longer = chain.clone();
                longer.push(edge.clone());
                chains.push(longer);
            }
        }
        // Branches may start at the very beginning.
        let first = done.first()?.first()?.source;
        if done.len() == 1 && all.iter().filter(|e| e.source == first).count() > 1 {
            for start in all.iter().filter(|e| e.source == first) {
                let mut chain = vec![(*start).clone()];
                while let Some(next) =
                    all.iter().find(|e| e.source == chain[chain.len() - 1].target)
                {
                    chain.push((*next).clone());
                }
                done.push(chain);
            }
        }
        let number =
            |callee: usize| self.program.functions[callee].edges.first().map(|e| e.place.function);
        let called = |chain: &[CallEdge]| {
            chain.iter().find_map(|e| match e.step {
                Step::Call { callee, .. } => Some(number(callee)),
                _ => None,
            })
        };
        match calls {
            Some(function) => done.into_iter().find(|c| called(c) == Some(Some(function))),
            None => done.into_iter().next(),
        }
    }

    fn read(&mut self, term: Term) -> Term {
        let values = &self.values;
        self.terms.substitute(term, |terms, leaf| match *terms.node(leaf) {
            Node::Variable(symbol) => {
                Some(values.get(&symbol).copied().unwrap_or_else(|| terms.instance(symbol, 0)))
            }
            _ => None,
        })
    }

    fn steps(&mut self, chain: &[CallEdge], at: EdgeIndex) -> Option<()> {
        for (i, edge) in chain.iter().enumerate() {
            match &edge.step {
                Step::Operation(operation) => self.operation(operation, at),
                Step::Error => {}
                Step::Unsupported(_) => return None,
                Step::Call { callee, arguments, result } => {
                    let function = &self.program.functions[*callee];
                    let arguments: Vec<Term> = arguments.iter().map(|&a| self.read(a)).collect();
                    let saved = function.locals.iter().map(|&l| (l, self.values.remove(&l)));
                    let saved = saved.collect();
                    self.values.extend(function.parameters.iter().copied().zip(arguments));
                    let rest = chain[i + 1..].to_vec();
                    self.stack.push(Return { rest, result: *result, callee: *callee, saved });
                    return Some(());
                }
            }
        }
        Some(())
    }

    /// A call returns.
    fn back(&mut self, at: EdgeIndex) -> Option<()> {
        let called = self.stack.last().is_some_and(|r| {
            let site = |f: &hardbop_cfa::Function| {
                f.edges.iter().any(|e| {
                    e.place.function == at.function
                        && e.place.instruction == at.edge
                        && matches!(e.step, Step::Call { callee, .. } if callee == r.callee)
                })
            };
            self.program.functions.iter().any(site)
        });
        if !called {
            // A function without a body.
            return Some(());
        }
        let Return { rest, result, callee, saved } = self.stack.pop()?;
        let from = self.program.functions[callee].result;
        let value = from.map(|s| {
            let variable = self.terms.variable(s);
            self.read(variable)
        });
        for (symbol, value) in saved {
            match value {
                Some(value) => self.values.insert(symbol, value),
                None => self.values.remove(&symbol),
            };
        }
        if let (Some(result), Some(value)) = (result, value) {
            self.values.insert(result, value);
        }
        self.steps(&rest, at)
    }

    fn operation(&mut self, operation: &Operation, at: EdgeIndex) {
        match operation {
            Operation::Skip => {}
            Operation::Assume(condition) => {
                let condition = self.read(*condition);
                self.conditions.push(condition);
            }
            Operation::Havoc(symbol, origin) => {
                self.instances += 1;
                let any = self.terms.instance(*symbol, self.instances);
                self.values.insert(*symbol, any);
                self.approximations += u32::from(*origin == Origin::Approximation);
                let asked = self.inputs.front().is_some_and(|i| i.edge == Some(at));
                if *origin == Origin::Input && asked {
                    let input = self.inputs.pop_front().expect("just seen");
                    let width = self.terms.width(any);
                    let value = self.terms.bits(width, input.input.value);
                    let equal = self.terms.equal(any, value);
                    self.conditions.push(equal);
                }
            }
            Operation::Assign(..) | Operation::Parallel(_) => {
                let changes: Vec<_> = operation.changes().collect();
                let new: Vec<(Symbol, Term)> = changes
                    .into_iter()
                    .filter_map(|(symbol, value)| Some((symbol, self.read(value?))))
                    .collect();
                self.values.extend(new);
            }
        }
    }
}
