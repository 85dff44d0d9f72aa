//! Conditional constant propagation through calls: the values that variables always have at a
//! location of a function, whatever the caller (Wegman and Zadeck, "Constant Propagation with
//! Conditional Branches", TOPLAS 1991; a function is entered with the values on which all its
//! callers agree).
//!
//! [`propagate`](super::constant::propagate) does this for programs whose calls have been expanded.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::operation::Operation;
use super::program::{CallEdge, Function, Program, Step};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_smt::{Node, Symbol, Term, Terms, Value};

/// Variables with known values.
type Facts = Rc<FxHashMap<Symbol, Term>>;

/// Replaces variables by constants, and removes edges that can then never be passed.
///
/// # Errors
/// If the budget is exhausted.
pub fn propagate(
    terms: &mut Terms,
    program: &Program,
    budget: &Budget,
) -> Result<Program, Exhausted> {
    let mut analysis = Analysis::new(terms, program);
    analysis.run(budget)?;
    let Analysis { terms, at, .. } = analysis;
    let mut functions = vec![];
    for (function, at) in program.functions.iter().zip(at) {
        budget.check()?;
        let mut edges = vec![];
        for edge in &function.edges {
            let Some(facts) = &at[edge.source.index()] else { continue };
            let step = substituted(terms, facts, &edge.step);
            let closed = matches!(&step, Step::Operation(Operation::Assume(condition))
                if terms.value(*condition) == Some(Value::Bool(false)));
            if !closed {
                edges.push(CallEdge { step, ..edge.clone() });
            }
        }
        functions.push(Function { edges, ..function.clone() });
    }
    Ok(Program { functions, main: program.main })
}

struct Analysis<'a> {
    terms: &'a mut Terms,
    program: &'a Program,
    /// The own variables of each function, indexed by function.
    locals: Vec<FxHashSet<Symbol>>,
    /// The facts indexed by function and location; `None` if not reached.
    at: Vec<Vec<Option<Facts>>>,
    /// The outgoing edges, indexed by function and location.
    outgoing: Vec<Vec<Vec<usize>>>,
    /// The places where each function is called, indexed by function.
    callers: Vec<Vec<(usize, usize)>>,
    todo: Vec<(usize, usize)>,
}

impl<'a> Analysis<'a> {
    fn new(terms: &'a mut Terms, program: &'a Program) -> Self {
        let count = program.functions.len();
        let mut callers = vec![vec![]; count];
        let mut outgoing = vec![];
        let mut locals = vec![];
        for (f, function) in program.functions.iter().enumerate() {
            let mut out = vec![vec![]; function.locations as usize];
            for (e, edge) in function.edges.iter().enumerate() {
                out[edge.source.index()].push(e);
                if let Step::Call { callee, .. } = edge.step {
                    callers[callee].push((f, e));
                }
            }
            outgoing.push(out);
            let own = function.locals.iter().chain(&function.parameters).chain(&function.result);
            locals.push(own.copied().collect());
        }
        let at = program.functions.iter().map(|f| vec![None; f.locations as usize]).collect();
        Self { terms, program, locals, at, outgoing, callers, todo: vec![] }
    }

    fn run(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let main = self.program.main;
        self.arrive(main, self.program.functions[main].entry.index(), &Facts::default());
        while let Some((f, location)) = self.todo.pop() {
            budget.check()?;
            let Some(facts) = self.at[f][location].clone() else { continue };
            let function = &self.program.functions[f];
            for e in self.outgoing[f][location].clone() {
                self.pass(f, &function.edges[e], &facts);
            }
            if location == function.exit.index() {
                for (caller, e) in self.callers[f].clone() {
                    let edge = &self.program.functions[caller].edges[e];
                    if let Some(before) = self.at[caller][edge.source.index()].clone() {
                        self.back(caller, edge, &before);
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds another execution that reaches a location.
    fn arrive(&mut self, f: usize, location: usize, facts: &Facts) {
        let here = &mut self.at[f][location];
        match here {
            None => *here = Some(facts.clone()),
            Some(known) => {
                if known.iter().all(|(s, v)| facts.get(s) == Some(v)) {
                    return;
                }
                Rc::make_mut(known).retain(|s, v| facts.get(s) == Some(v));
            }
        }
        self.todo.push((f, location));
    }

    fn value(&mut self, facts: &Facts, term: Term) -> Option<Term> {
        let value = substitute(self.terms, facts, term);
        self.terms.value(value).map(|_| value)
    }

    fn pass(&mut self, f: usize, edge: &CallEdge, facts: &Facts) {
        match &edge.step {
            Step::Error | Step::Unsupported(_) => {}
            Step::Operation(operation) => {
                if let Operation::Assume(condition) = operation {
                    let value = self.value(facts, *condition);
                    if value.and_then(|v| self.terms.value(v)) == Some(Value::Bool(false)) {
                        return;
                    }
                }
                let mut after = facts.clone();
                let changes: Vec<_> = operation.changes().collect();
                let changes: Vec<_> = changes
                    .into_iter()
                    .map(|(s, v)| (s, v.and_then(|v| self.value(facts, v))))
                    .collect();
                set(&mut after, changes);
                self.arrive(f, edge.target.index(), &after);
            }
            Step::Call { callee, arguments, .. } => {
                let function = &self.program.functions[*callee];
                let mut inside: FxHashMap<Symbol, Term> = facts
                    .iter()
                    .filter(|(s, _)| !self.locals[f].contains(s))
                    .map(|(&s, &v)| (s, v))
                    .collect();
                for (&formal, &argument) in function.parameters.iter().zip(arguments) {
                    inside.remove(&formal);
                    if let Some(value) = self.value(facts, argument) {
                        inside.insert(formal, value);
                    }
                }
                self.arrive(*callee, function.entry.index(), &Rc::new(inside));
                self.back(f, edge, facts);
            }
        }
    }

    /// Handles the return of a call, if the callee can return.
    fn back(&mut self, f: usize, edge: &CallEdge, before: &Facts) {
        let Step::Call { callee, result, .. } = &edge.step else { return };
        let function = &self.program.functions[*callee];
        let Some(left) = self.at[*callee][function.exit.index()].clone() else { return };
        let own = before.iter().filter(|(s, _)| self.locals[f].contains(s));
        let mut after: FxHashMap<Symbol, Term> = own.map(|(&s, &v)| (s, v)).collect();
        let theirs = left.iter().filter(|(s, _)| !self.locals[*callee].contains(s));
        // In a recursive call, the callee's variables are also the caller's.
        after.extend(theirs.filter(|(s, _)| !self.locals[f].contains(s)).map(|(&s, &v)| (s, v)));
        let mut after = Rc::new(after);
        if let Some(to) = result {
            let value = function.result.and_then(|from| left.get(&from).copied());
            set(&mut after, vec![(*to, value)]);
        }
        self.arrive(f, edge.target.index(), &after);
    }
}

fn set(facts: &mut Facts, changes: Vec<(Symbol, Option<Term>)>) {
    for (symbol, value) in changes {
        if facts.get(&symbol).copied() == value {
            continue;
        }
        let facts = Rc::make_mut(facts);
        match value {
            Some(value) => facts.insert(symbol, value),
            None => facts.remove(&symbol),
        };
    }
}

fn substitute(terms: &mut Terms, facts: &Facts, term: Term) -> Term {
    terms.substitute(term, |terms, leaf| match *terms.node(leaf) {
        Node::Variable(symbol) => facts.get(&symbol).copied(),
        _ => None,
    })
}

fn substituted(terms: &mut Terms, facts: &Facts, step: &Step) -> Step {
    let mut read = |t: Term| substitute(terms, facts, t);
    match step {
        Step::Operation(operation) => Step::Operation(operation.renamed(|s| s, read)),
        Step::Call { callee, arguments, result } => {
            let arguments = arguments.iter().map(|&a| read(a)).collect();
            Step::Call { callee: *callee, arguments, result: *result }
        }
        other => other.clone(),
    }
}
