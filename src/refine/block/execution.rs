//! Executions in a path: is there one, and which?

use rustc_hash::FxHashMap;

use super::path::PathFormula;
use super::problem::Problem;
use crate::base::budget::Budget;
use crate::program::cfa::{Automaton, Location, Operation};
use crate::refine::predicate::effort::AbstractionError;
use crate::solve::smt::{Node, SmtAnswer, Solvers, Sort, Symbol, Term, Terms, Value};

/// An execution to a goal that the formulas allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorPath {
    /// Edges of the automaton, by number.
    pub edges: Vec<u32>,
    /// The values that come from nowhere along it: number of the edge, and the value.
    pub inputs: Vec<(u32, Value)>,
    /// Values of variables that nothing has assigned before they are used.
    pub initial: Vec<(Symbol, Value)>,
}

/// Is a path feasible?  `None`: no.  `Some(None)`: it is, but the model cannot be followed.  The states
/// after blocks follow from these; they help the solver.
///
/// # Errors
/// The budget ends, or a solver fails.
pub fn feasible(
    terms: &mut Terms,
    problem: &Problem,
    (blocks, formula): (&[usize], &PathFormula),
    states: &[Term],
    solvers: &Solvers,
    budget: &Budget,
) -> Result<Option<Option<ErrorPath>>, AbstractionError> {
    let mut solver = solvers.solver()?;
    for (i, &state) in states.iter().enumerate() {
        let state = formula.after(terms, i, state);
        solver.assert(terms, state)?;
    }
    let conjuncts: Vec<Term> = formula.blocks.iter().flatten().copied().collect();
    for &c in &conjuncts {
        solver.assert(terms, c)?;
    }
    match solver.check(terms, &[], budget)? {
        SmtAnswer::Unsat => return Ok(None),
        SmtAnswer::Unknown(reason) => return Err(reason.into()),
        SmtAnswer::Sat => {}
    }
    let mut leaves = terms.support_of(&conjuncts);
    leaves.extend(formula.inputs.iter().flatten().map(|&(_, t)| t));
    leaves.sort_unstable();
    leaves.dedup();
    let values = solver.values(terms, &leaves)?;
    let model: FxHashMap<Term, Value> = leaves.iter().copied().zip(values).collect();
    let first: FxHashMap<Symbol, Value> = model
        .iter()
        .filter_map(|(&t, &v)| match *terms.node(t) {
            Node::Instance(s, 0) => Some((s, v)),
            _ => None,
        })
        .collect();
    let value = |t| model.get(&t).copied();
    let initial = |s| Some(first.get(&s).copied().unwrap_or(default(terms, s)));
    let mut execution = execution(terms, problem, blocks, formula, &value, &initial);
    if let Some(execution) = &mut execution {
        execution.initial = first.into_iter().collect();
        execution.initial.sort_unstable();
    }
    Ok(Some(execution))
}

/// The value of a variable that does not matter.
fn default(terms: &Terms, symbol: Symbol) -> Value {
    match terms.symbol_sort(symbol) {
        Sort::Bool => Value::Bool(false),
        Sort::Bits(_) => Value::Bits(0),
        Sort::Int => Value::Int(0),
    }
}

/// Follows an execution through the blocks of a path, whose inputs and initial values a model gives.
/// `None` where the model does not fit, which would be our mistake.
pub fn execution(
    terms: &Terms,
    problem: &Problem,
    blocks: &[usize],
    formula: &PathFormula,
    model: &impl Fn(Term) -> Option<Value>,
    initial: &impl Fn(Symbol) -> Option<Value>,
) -> Option<ErrorPath> {
    let mut walk = Walk {
        terms,
        automaton: &problem.automaton,
        initial,
        values: FxHashMap::default(),
        path: ErrorPath { edges: vec![], inputs: vec![], initial: vec![] },
    };
    for (i, &block) in blocks.iter().enumerate() {
        let block = &problem.summary.blocks[block];
        let inputs: FxHashMap<u32, Value> =
            formula.inputs[i].iter().filter_map(|&(edge, t)| Some((edge, model(t)?))).collect();
        // Where the block leaves a choice, the model says what came of it.
        let after: Vec<(Symbol, Value)> = formula.values[i]
            .iter()
            .filter_map(|(&s, &index)| Some((s, model(terms.find_instance(s, index)?)?)))
            .collect();
        walk.block(&block.edges, (block.source, block.target), &inputs, &after)?;
    }
    Some(walk.path)
}

/// A concrete execution.
struct Walk<'a, I> {
    terms: &'a Terms,
    automaton: &'a Automaton,
    initial: &'a I,
    values: FxHashMap<Symbol, Value>,
    path: ErrorPath,
}

impl<I: Fn(Symbol) -> Option<Value>> Walk<'_, I> {
    fn evaluate(&self, term: Term) -> Option<Value> {
        self.terms.evaluate(term, &|leaf| match *self.terms.node(leaf) {
            Node::Variable(s) => self.values.get(&s).copied().or_else(|| (self.initial)(s)),
            _ => None,
        })
    }

    /// From the source of a block to its target; tries branches in order where several are open.
    fn block(
        &mut self,
        edges: &[u32],
        (source, target): (Location, Location),
        inputs: &FxHashMap<u32, Value>,
        after: &[(Symbol, Value)],
    ) -> Option<()> {
        let mut outgoing: FxHashMap<Location, Vec<u32>> = FxHashMap::default();
        for &e in edges {
            outgoing.entry(self.automaton.edges[e as usize].source).or_default().push(e);
        }
        // Choices that are still open: location, next edge, how much had happened, and the values.
        let mut open =
            vec![(source, 0, self.path.edges.len(), self.path.inputs.len(), self.values.clone())];
        // Blocks without nondeterminism need no more steps than edges; with it, rarely many more.
        let mut steps = 1000 * (edges.len() + 1);
        while let Some((location, next, count, read, values)) = open.pop() {
            steps = steps.checked_sub(1)?;
            self.path.edges.truncate(count);
            self.path.inputs.truncate(read);
            self.values = values;
            let Some(&e) = outgoing.get(&location).and_then(|all| all.get(next)) else { continue };
            open.push((location, next + 1, count, read, self.values.clone()));
            if !self.step(e, inputs) {
                continue;
            }
            let to = self.automaton.edges[e as usize].target;
            if to == target {
                if after.iter().all(|(s, v)| self.values.get(s).is_none_or(|value| value == v)) {
                    return Some(());
                }
                continue;
            }
            open.push((to, 0, self.path.edges.len(), self.path.inputs.len(), self.values.clone()));
        }
        None
    }

    /// Executes an edge; can it be taken?
    fn step(&mut self, e: u32, inputs: &FxHashMap<u32, Value>) -> bool {
        let operation = &self.automaton.edges[e as usize].operation;
        match operation {
            Operation::Skip => {}
            Operation::Assume(p) => {
                if self.evaluate(*p) != Some(Value::Bool(true)) {
                    return false;
                }
            }
            Operation::Havoc(symbol, _) => {
                let Some(&value) = inputs.get(&e) else { return false };
                self.values.insert(*symbol, value);
                self.path.inputs.push((e, value));
            }
            Operation::Assign(..) | Operation::Parallel(_) => {
                let new: Option<Vec<(Symbol, Value)>> =
                    operation.changes().map(|(s, t)| Some((s, self.evaluate(t?)?))).collect();
                let Some(new) = new else { return false };
                self.values.extend(new);
            }
        }
        self.path.edges.push(e);
        true
    }
}
