//! Looks for an execution along a path.

use rustc_hash::FxHashMap;

use super::path::PathFormula;
use super::problem::Problem;
use crate::predicate::effort::AbstractionError;
use hardbop_base::budget::Budget;
use hardbop_cfa::summarise::{Block, Point};
use hardbop_cfa::{Automaton, Operation};
use hardbop_smt::{Node, SmtAnswer, SmtSolver, Solvers, Sort, Symbol, Term, Terms, Value};

/// An execution to a goal that satisfies the formulas of its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorPath {
    /// Edges of the automaton, by number.
    pub edges: Vec<u32>,
    /// The nondeterministic values along it: the number of the edge, and the value.
    pub inputs: Vec<(u32, Value)>,
    /// The initial values of variables that are used before they are assigned.
    pub initial: Vec<(Symbol, Value)>,
}

/// Decides whether a path is feasible.  `None`: it is not.  `Some(None)`: it is, but no execution
/// could be built from the model.  `states` hold after the blocks; they follow from the path, and
/// only help the solver.
///
/// # Errors
/// If the budget runs out or a solver fails.
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
    modelled(terms, problem, (blocks, formula), &mut *solver).map(Some)
}

/// The execution along a path of which the solver has the model.  `None`: none could be built from it.
///
/// # Errors
/// If the solver fails.
pub fn modelled(
    terms: &Terms,
    problem: &Problem,
    (blocks, formula): (&[usize], &PathFormula),
    solver: &mut dyn SmtSolver,
) -> Result<Option<ErrorPath>, AbstractionError> {
    let conjuncts: Vec<Term> = formula.blocks.iter().flatten().copied().collect();
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
    Ok(execution)
}

/// A value for a variable whose value does not matter.
fn default(terms: &Terms, symbol: Symbol) -> Value {
    match terms.symbol_sort(symbol) {
        Sort::Bool => Value::Bool(false),
        Sort::Bits(_) => Value::Bits(0),
        Sort::Int => Value::Int(0),
    }
}

/// Follows an execution through the blocks of a path; a model gives its inputs and initial values.
/// `None`: the model does not fit, which would be a defect of hardbop.
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
        let inputs: FxHashMap<u32, Value> = formula.inputs[i]
            .iter()
            .filter_map(|&(position, t)| Some((position, model(t)?)))
            .collect();
        // If the block leaves choices, the model fixes the values after it.
        let after: Vec<(Symbol, Value)> = formula.values[i]
            .iter()
            .filter_map(|(&s, &index)| Some((s, model(terms.find_instance(s, index)?)?)))
            .collect();
        walk.block(block, &inputs, &after)?;
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

    /// Executes from the source of a block to its target; tries branches in order if several are
    /// open.
    fn block(
        &mut self,
        block: &Block,
        inputs: &FxHashMap<u32, Value>,
        after: &[(Symbol, Value)],
    ) -> Option<()> {
        // The edges after each point, by position, with the point that they lead to.
        let mut outgoing: FxHashMap<Point, Vec<(u32, u32, Point)>> = FxHashMap::default();
        for (position, (e, from, to)) in (0..).zip(block.steps(self.automaton)) {
            outgoing.entry(from).or_default().push((position, e, to));
        }
        // Open choices: point, next edge, numbers of edges and inputs so far, and the values.
        let start = block.start();
        let mut open =
            vec![(start, 0, self.path.edges.len(), self.path.inputs.len(), self.values.clone())];
        // Blocks without nondeterminism need at most one step per edge; others rarely need many
        // more.
        let mut steps = 1000 * (block.edges.len() + 1);
        while let Some((point, next, count, read, values)) = open.pop() {
            steps = steps.checked_sub(1)?;
            self.path.edges.truncate(count);
            self.path.inputs.truncate(read);
            self.values = values;
            let Some(&(position, e, to)) = outgoing.get(&point).and_then(|all| all.get(next))
            else {
                continue;
            };
            open.push((point, next + 1, count, read, self.values.clone()));
            if !self.step(e, inputs.get(&position)) {
                continue;
            }
            if to == block.end() {
                if after.iter().all(|(s, v)| self.values.get(s).is_none_or(|value| value == v)) {
                    return Some(());
                }
                continue;
            }
            open.push((to, 0, self.path.edges.len(), self.path.inputs.len(), self.values.clone()));
        }
        None
    }

    /// Executes an edge, which takes this input, if it can be taken; could it?
    fn step(&mut self, e: u32, input: Option<&Value>) -> bool {
        let operation = &self.automaton.edges[e as usize].operation;
        match operation {
            Operation::Skip => {}
            Operation::Assume(p) => {
                if self.evaluate(*p) != Some(Value::Bool(true)) {
                    return false;
                }
            }
            Operation::Havoc(symbol, _) => {
                let Some(&value) = input else { return false };
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
