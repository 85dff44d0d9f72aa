//! Is a path of the program an execution?  Decided on the whole program, all variables included.
//!
//! A path found with some variables left out may be infeasible because of them.  Each such
//! variable has a switch: read with the switch on, it is what was last written; with the switch
//! off, anything.  The switches in an unsatisfiable core are the variables that refute the path.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::EngineError;
use super::state::{Valuation, evaluate};
use crate::bp::interpret::start_variables;
use crate::bp::program::{
    Assignment, Call, EdgeId, Expr, Operation, ProcId, Procedure, Program, VarId,
};
use crate::budget::{Budget, Exhausted};
use crate::logic::{Aig, Input, Lit};
use crate::sat::{Cadical, CircuitSolver, SatResult};
use crate::verdict::{Trace, TraceStep};

/// Edges in the order in which they are taken, from the entry of the program to an error node.
pub type Path = Vec<(ProcId, EdgeId)>;

/// Answer of [`check`].
pub enum Feasibility {
    Feasible(Trace),
    /// These variables, of those left out, make it infeasible.
    Infeasible(Vec<VarId>),
}

/// Why a path could not be decided.
pub enum Failure {
    Exhausted(Exhausted),
    Engine(EngineError),
}

/// Decides a path that is feasible if all variables but `kept` may have any value.
pub fn check(
    program: &Program,
    path: &Path,
    kept: &FixedBitSet,
    budget: &Budget,
) -> Result<Feasibility, Failure> {
    let mut aig = Aig::new();
    let mut run = Run::new(&mut aig, program, kept);
    for &(p, e) in path {
        run.step(p, e);
    }
    let Run { values, initial, conditions, steps, .. } = run;
    let switches = values.switches;
    let mut solver = CircuitSolver::new(Cadical::new());
    for &c in &conditions {
        solver.assert(&aig, c);
    }
    let mut switches: Vec<(VarId, Lit)> =
        switches.iter().map(|(&v, &i)| (v, aig.input(i))).collect();
    switches.sort_unstable();
    if solve(&mut solver, &aig, &switches, budget)? {
        let value = |i: &Input| solver.value(&aig, *i);
        let taken = steps.iter().zip(path).map(|(choices, &(procedure, edge))| TraceStep {
            procedure,
            edge,
            choices: choices.iter().map(value).collect(),
        });
        let initial = initial.iter().map(value).collect();
        return Ok(Feasibility::Feasible(Trace { initial, steps: taken.collect() }));
    }
    let core = minimal_core(&mut solver, &aig, switches, budget)?;
    if core.is_empty() {
        let what = "a path is infeasible whatever is left out".to_string();
        return Err(Failure::Engine(EngineError::TraceDoesNotReplay(what)));
    }
    Ok(Feasibility::Infeasible(core.into_iter().map(|s| s.0).collect()))
}

fn solve(
    solver: &mut CircuitSolver<Cadical>,
    aig: &Aig,
    on: &[(VarId, Lit)],
    budget: &Budget,
) -> Result<bool, Failure> {
    let assumptions: Vec<Lit> = on.iter().map(|s| s.1).collect();
    match solver.solve(aig, &assumptions, budget) {
        SatResult::Sat => Ok(true),
        SatResult::Unsat => Ok(false),
        SatResult::Unknown(reason) => Err(Failure::Exhausted(reason)),
        SatResult::ConflictLimit => Err(Failure::Exhausted(Exhausted::Time)),
    }
}

/// After an unsatisfiable call: switches none of which can be left out.  A variable less is worth
/// many SAT calls.
fn minimal_core(
    solver: &mut CircuitSolver<Cadical>,
    aig: &Aig,
    mut on: Vec<(VarId, Lit)>,
    budget: &Budget,
) -> Result<Vec<(VarId, Lit)>, Failure> {
    on.retain(|s| solver.failed(s.1));
    let mut needed = 0;
    while needed < on.len() {
        let candidate = on.remove(needed);
        if solve(solver, aig, &on, budget)? {
            on.insert(needed, candidate);
            needed += 1;
        } else {
            // The needed ones are in every core of what is left.
            on.retain(|s| solver.failed(s.1));
        }
    }
    Ok(on)
}

/// Symbolic execution along a path.
struct Run<'a> {
    aig: &'a mut Aig,
    program: &'a Program,
    values: Values<'a>,
    initial: Vec<Input>,
    conditions: Vec<Lit>,
    /// Choices of each step.
    steps: Vec<Vec<Input>>,
    /// Open calls: procedure, call edge, and the caller's values of the callee's variables.
    calls: Vec<(ProcId, EdgeId, Vec<Lit>)>,
}

/// What every variable holds, whether it is kept or not.
struct Values<'a> {
    kept: &'a FixedBitSet,
    now: Vec<Lit>,
    next: FxHashMap<VarId, Lit>,
    switches: FxHashMap<VarId, Input>,
    /// Choices of the current step.
    choices: Vec<Input>,
}

impl Values<'_> {
    /// A value as it is read: exact if the variable is kept or its switch is on.
    fn seen(&mut self, aig: &mut Aig, v: VarId, value: Lit) -> Lit {
        if self.kept.contains(v.index()) {
            return value;
        }
        let switch = *self.switches.entry(v).or_insert_with(|| aig.new_input());
        let anything = aig.new_input_lit();
        let switch = aig.input(switch);
        aig.ite(switch, value, anything)
    }
}

impl Valuation for Values<'_> {
    fn read(&mut self, aig: &mut Aig, v: VarId) -> Lit {
        let value = self.now[v.index()];
        self.seen(aig, v, value)
    }

    fn next(&mut self, aig: &mut Aig, v: VarId) -> Lit {
        let value = self.next.get(&v).copied().unwrap_or(self.now[v.index()]);
        self.seen(aig, v, value)
    }

    fn choice(&mut self, aig: &mut Aig) -> Lit {
        let input = aig.new_input();
        self.choices.push(input);
        aig.input(input)
    }
}

impl<'a> Run<'a> {
    fn new(aig: &'a mut Aig, program: &'a Program, kept: &'a FixedBitSet) -> Self {
        let mut now = vec![Lit::FALSE; program.variables.len()];
        let mut initial = vec![];
        for v in start_variables(program) {
            let input = aig.new_input();
            initial.push(input);
            now[v.index()] = aig.input(input);
        }
        let values = Values {
            kept,
            now,
            next: FxHashMap::default(),
            switches: FxHashMap::default(),
            choices: vec![],
        };
        Self { aig, program, values, initial, conditions: vec![], steps: vec![], calls: vec![] }
    }

    fn evaluate(&mut self, e: &Expr) -> Lit {
        evaluate(self.aig, e, &mut self.values)
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

    /// Returns from `p`, and from callers that are thereby at their exits.
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
