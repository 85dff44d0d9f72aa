//! Removes from the automata what no condition depends on: assignments to such variables, and the
//! arguments that only they need.
//!
//! What is known of a value that was read of an argument of `main` counts only where the value does.
//!
//! Values of [`Origin::Input`] stay, because a trace lists all of them in order of time.

use rustc_hash::{FxHashMap, FxHashSet};

use super::function::Draft;
use hardbop_cfa::{Operation, Origin, Step};
use hardbop_smt::{Node, Symbol, Term, Terms};

/// The variables that conditions depend on.
#[derive(Debug)]
pub(super) struct Relevance {
    /// `None` if all are relevant.
    symbols: Option<FxHashSet<Symbol>>,
    readings: FxHashMap<Term, Symbol>,
}

/// For each variable, what becomes relevant with it.
#[derive(Default)]
struct Causes {
    values: FxHashMap<Symbol, Vec<Term>>,
    /// For results of calls, the callees' result variables.
    copies: FxHashMap<Symbol, Vec<Symbol>>,
    conditions: Vec<Term>,
}

impl Causes {
    fn step(&mut self, drafts: &[Draft], readings: &FxHashMap<Term, Symbol>, step: &Step) {
        match step {
            Step::Operation(Operation::Assume(condition)) => match readings.get(condition) {
                Some(&read) => self.values.entry(read).or_default().push(*condition),
                None => self.conditions.push(*condition),
            },
            Step::Operation(operation) => {
                for (symbol, value) in operation.changes() {
                    self.values.entry(symbol).or_default().extend(value);
                }
            }
            Step::Call { callee, arguments, result } => {
                let callee = &drafts[*callee];
                for (&parameter, &argument) in callee.parameters.iter().zip(arguments) {
                    self.values.entry(parameter).or_default().push(argument);
                }
                if let (Some(to), Some(from)) = (result, callee.result) {
                    self.copies.entry(*to).or_default().push(from);
                }
            }
            Step::Error | Step::Unsupported(_) => {}
        }
    }
}

impl Relevance {
    /// Keeps everything.
    pub fn all() -> Self {
        Self { symbols: None, readings: FxHashMap::default() }
    }

    /// Determines the relevant variables of a program with these functions, and with these steps before `main`.
    /// `readings` has conditions that only say something of a variable.
    pub fn new(
        terms: &Terms,
        drafts: &[Draft],
        initial: &[Step],
        readings: FxHashMap<Term, Symbol>,
    ) -> Self {
        let mut causes = Causes::default();
        initial.iter().for_each(|s| causes.step(drafts, &readings, s));
        for steps in drafts.iter().flat_map(|d| &d.chains).flat_map(|c| c.steps.all()) {
            causes.step(drafts, &readings, steps);
        }
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut symbols: FxHashSet<Symbol> = FxHashSet::default();
        let mut todo: Vec<Symbol> = Vec::new();
        let mut need = |term: Term, todo: &mut Vec<Symbol>| {
            if seen.insert(term) {
                for leaf in terms.support(term) {
                    if let Node::Variable(symbol) = *terms.node(leaf) {
                        todo.push(symbol);
                    }
                }
            }
        };
        causes.conditions.iter().for_each(|&c| need(c, &mut todo));
        while let Some(symbol) = todo.pop() {
            if symbols.insert(symbol) {
                causes.values.get(&symbol).into_iter().flatten().for_each(|&v| need(v, &mut todo));
                todo.extend(causes.copies.get(&symbol).into_iter().flatten());
            }
        }
        Self { symbols: Some(symbols), readings }
    }

    pub fn has(&self, symbol: Symbol) -> bool {
        self.symbols.as_ref().is_none_or(|all| all.contains(&symbol))
    }

    /// The step without its irrelevant parts.
    pub fn reduce(&self, drafts: &[Draft], step: Step) -> Step {
        let operation = match step {
            Step::Operation(operation) => operation,
            Step::Call { callee, arguments, result } => {
                let parameters = &drafts[callee].parameters;
                let kept = parameters.iter().zip(arguments).filter(|(p, _)| self.has(**p));
                let arguments = kept.map(|(_, a)| a).collect();
                return Step::Call { callee, arguments, result };
            }
            other => return other,
        };
        Step::Operation(match operation {
            Operation::Assume(condition)
                if self.readings.get(&condition).is_some_and(|&read| !self.has(read)) =>
            {
                Operation::Skip
            }
            Operation::Assign(symbol, _) | Operation::Havoc(symbol, Origin::Approximation)
                if !self.has(symbol) =>
            {
                Operation::Skip
            }
            Operation::Parallel(mut all) => {
                all.retain(|(symbol, _)| self.has(*symbol));
                match all.as_slice() {
                    [] => Operation::Skip,
                    &[(symbol, value)] => Operation::Assign(symbol, value),
                    _ => Operation::Parallel(all),
                }
            }
            other => other,
        })
    }
}
