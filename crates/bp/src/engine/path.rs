//! Makes a concrete execution, with values of all choices, from a path of edges.

use rustc_hash::FxHashMap;

use super::report::EngineError;
use crate::engine::symbolic::state::{Valuation, evaluate};
use crate::language::interpret::start_variables;
use crate::language::program::{
    Assignment, Call, EdgeId, Expr, Operation, ProcId, Procedure, Program, VarId,
};
use crate::language::trace::{Trace, TraceStep};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::sat::{Backend, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// Edges in the order in which they are taken, from the entry of the program to an error node.
pub type Path = Vec<(ProcId, EdgeId)>;

/// The values of some variables before a step.
pub type Hint = Vec<(VarId, bool)>;

/// Why a path could not be decided.
pub enum Failure {
    Exhausted(Exhausted),
    Engine(EngineError),
}

impl From<Exhausted> for Failure {
    fn from(e: Exhausted) -> Self {
        Self::Exhausted(e)
    }
}

impl From<EngineError> for Failure {
    fn from(e: EngineError) -> Self {
        Self::Engine(e)
    }
}

/// The execution along a path; before the edges at the positions of `hints` (ascending), variables
/// have the given values.  All choices are free.
///
/// # Errors
/// [`EngineError::TraceDoesNotReplay`] if there is none; or if the budget is exhausted.
pub fn concretise(
    program: &Program,
    path: &Path,
    hints: &[(usize, Hint)],
    backend: Backend,
    budget: &Budget,
) -> Result<Trace, Failure> {
    let mut aig = Aig::new();
    let mut run = Run::new(&mut aig, program);
    let mut hints = hints.iter().peekable();
    for (position, &(p, e)) in path.iter().enumerate() {
        budget.check()?;
        while let Some((_, hint)) = hints.next_if(|h| h.0 <= position) {
            run.assume(hint);
        }
        run.step(p, e);
    }
    let Run { initial, conditions, steps, .. } = run;
    let mut solver = backend.circuit_solver();
    for &c in &conditions {
        budget.check()?;
        solver.assert(&aig, c);
    }
    match solver.solve(&aig, &[], budget) {
        SatResult::Sat => {}
        SatResult::Unknown(reason) => return Err(Failure::Exhausted(reason)),
        SatResult::Unsat | SatResult::ConflictLimit => {
            let what = "no execution takes this path".to_string();
            return Err(Failure::Engine(EngineError::TraceDoesNotReplay(what)));
        }
    }
    let value = |i: &Input| solver.value(&aig, *i);
    let taken = steps.iter().zip(path).map(|(choices, &(procedure, edge))| TraceStep {
        procedure,
        edge,
        choices: choices.iter().map(value).collect(),
    });
    let initial = initial.iter().map(value).collect();
    Ok(Trace { initial, steps: taken.collect() })
}

/// Symbolic execution along a path.
struct Run<'a> {
    aig: &'a mut Aig,
    program: &'a Program,
    values: Values,
    initial: Vec<Input>,
    conditions: Vec<Lit>,
    /// Choices of each step.
    steps: Vec<Vec<Input>>,
    /// Open calls: procedure, call edge, and the caller's values of the callee's variables.
    calls: Vec<(ProcId, EdgeId, Vec<Lit>)>,
}

/// The values of all variables.
struct Values {
    now: Vec<Lit>,
    next: FxHashMap<VarId, Lit>,
    /// Choices of the current step.
    choices: Vec<Input>,
}

impl Valuation for Values {
    fn read(&mut self, _: &mut Aig, v: VarId) -> Lit {
        self.now[v.index()]
    }

    fn next(&mut self, _: &mut Aig, v: VarId) -> Lit {
        self.next.get(&v).copied().unwrap_or(self.now[v.index()])
    }

    fn choice(&mut self, aig: &mut Aig) -> Lit {
        let input = aig.new_input();
        self.choices.push(input);
        aig.input(input)
    }
}

impl<'a> Run<'a> {
    fn new(aig: &'a mut Aig, program: &'a Program) -> Self {
        let mut now = vec![Lit::FALSE; program.variables.len()];
        let mut initial = vec![];
        for v in start_variables(program) {
            let input = aig.new_input();
            initial.push(input);
            now[v.index()] = aig.input(input);
        }
        let values = Values { now, next: FxHashMap::default(), choices: vec![] };
        Self { aig, program, values, initial, conditions: vec![], steps: vec![], calls: vec![] }
    }

    fn evaluate(&mut self, e: &Expr) -> Lit {
        evaluate(self.aig, e, &mut self.values)
    }

    /// Assumes known values, which are not computed again: that keeps the formulas of long paths
    /// small.
    fn assume(&mut self, hint: &Hint) {
        for &(v, value) in hint {
            let known = std::mem::replace(&mut self.values.now[v.index()], Lit::from(value));
            self.conditions.push(known.xor_sign(!value));
        }
    }

    fn step(&mut self, p: ProcId, e: EdgeId) {
        let procedure = self.program.procedure(p);
        let edge = procedure.edge(e);
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume(c) => {
                let holds = self.evaluate(c);
                self.conditions.push(holds);
            }
            Operation::Assign(a) => self.assign(a),
            Operation::Call(c) => self.enter(p, e, c),
        }
        self.steps.push(std::mem::take(&mut self.values.choices));
        if !matches!(edge.operation, Operation::Call(_)) && edge.target == procedure.exit {
            self.leave(p);
        }
    }

    fn assign(&mut self, a: &Assignment) {
        let new: Vec<(VarId, Lit)> =
            a.targets.iter().zip(&a.values).map(|(&t, v)| (t, self.evaluate(v))).collect();
        self.values.next = new.iter().copied().collect();
        if let Some(c) = &a.constrain {
            let holds = self.evaluate(c);
            self.conditions.push(holds);
        }
        self.values.next.clear();
        for (t, value) in new {
            self.values.now[t.index()] = value;
        }
    }

    fn enter(&mut self, p: ProcId, e: EdgeId, call: &Call) {
        let callee = self.program.procedure(call.callee);
        let arguments: Vec<Lit> = call.arguments.iter().map(|a| self.evaluate(a)).collect();
        let outer = own(callee).map(|v| self.values.now[v.index()]).collect();
        for (f, value) in callee.formals.iter().zip(arguments) {
            self.values.now[f.index()] = value;
        }
        for l in &callee.locals {
            self.values.now[l.index()] = self.values.choice(self.aig);
        }
        self.calls.push((p, e, outer));
    }

    /// Returns from `p`, and from callers that thereby reach their exits.
    fn leave(&mut self, mut p: ProcId) {
        while let Some((caller, e, outer)) = self.calls.pop() {
            let callee = self.program.procedure(p);
            let results: Vec<Lit> =
                callee.returns.iter().map(|r| self.values.now[r.index()]).collect();
            for (v, value) in own(callee).zip(outer) {
                self.values.now[v.index()] = value;
            }
            let procedure = self.program.procedure(caller);
            let edge = procedure.edge(e);
            if let Operation::Call(call) = &edge.operation {
                for (t, value) in call.targets.iter().zip(results) {
                    if let Some(t) = t {
                        self.values.now[t.index()] = value;
                    }
                }
            }
            if edge.target != procedure.exit {
                break;
            }
            p = caller;
        }
    }
}

/// The variables of one activation.
fn own(p: &Procedure) -> impl Iterator<Item = VarId> + '_ {
    p.formals.iter().chain(&p.locals).chain(&p.returns).copied()
}
