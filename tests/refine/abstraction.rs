//! Boolean programs of C programs do all that these do: concrete executions with random inputs are
//! followed, statement by statement, by the interpreter of Boolean programs.
//!
//! The executions are made here, from the automata of the functions, and know nothing of the
//! abstraction.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_bp::language::interpret::{Interpreter, start_variables};
use hardbop_bp::language::program::{EdgeId, Operation as Statement, VarId};
use hardbop_bp::language::trace::TraceStep;
use hardbop_c::lower::{self, lower};
use hardbop_c::on_large_stack;
use hardbop_c::types::DataModel;
use hardbop_cfa::{Location, Operation};
use hardbop_refine::block::Blocks;
use hardbop_refine::cegar::AnalysisOptions;
use hardbop_refine::model::skeleton::symbols;
use hardbop_refine::model::{
    Abstracter, BooleanProgram, Meaning, Predicates, Skeleton, SmtLib, Text, program,
};
use hardbop_refine::predicate::Abstraction;
use hardbop_smt::{Comparison, Node, Sort, Symbol, Term, Terms, Value};

/// An activation.
struct Frame {
    function: usize,
    values: HashMap<Symbol, Value>,
    location: Location,
    /// The call of the caller that it is.
    call: usize,
}

/// A concrete execution.
struct World<'a, 's> {
    terms: &'a Terms,
    abstracter: &'a Abstracter<'s, 's>,
    globals: HashMap<Symbol, Value>,
    frames: Vec<Frame>,
    random: Random,
}

fn any(terms: &Terms, random: &mut Random, symbol: Symbol) -> Value {
    match terms.symbol_sort(symbol) {
        Sort::Bits(width) => {
            let value = match random.below(8) {
                0 => random.bits(),
                n => (n as i64 - 2) as u64,
            };
            Value::Bits(if width == 64 { value } else { value & ((1 << width) - 1) })
        }
        _ => Value::Bool(random.below(2) == 1),
    }
}

impl World<'_, '_> {
    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("main never ends")
    }

    fn get(&mut self, symbol: Symbol) -> Value {
        let fresh = any(self.terms, &mut self.random, symbol);
        let values = match self.abstracter.skeleton.owner(symbol) {
            Some(_) => &mut self.top().values,
            None => &mut self.globals,
        };
        *values.entry(symbol).or_insert(fresh)
    }

    fn set(&mut self, symbol: Symbol, value: Value) {
        let values = match self.abstracter.skeleton.owner(symbol) {
            Some(_) => &mut self.top().values,
            None => &mut self.globals,
        };
        values.insert(symbol, value);
    }

    fn evaluate(&mut self, term: Term) -> Value {
        let values: HashMap<Symbol, Value> =
            symbols(self.terms, term).map(|s| (s, self.get(s))).collect();
        let leaf = |t| match *self.terms.node(t) {
            Node::Variable(s) => values.get(&s).copied(),
            _ => None,
        };
        self.terms.evaluate(term, &leaf).expect("all variables have values")
    }

    fn holds(&mut self, term: Term) -> bool {
        self.evaluate(term) == Value::Bool(true)
    }

    fn enter(&mut self, function: usize, call: usize, arguments: Vec<Value>) {
        let skeleton = self.abstracter.skeleton;
        let entry = self.abstracter.problems[function].automaton.entry;
        let formals = skeleton.formals(function).iter().copied();
        let values = formals.zip(arguments).collect();
        self.frames.push(Frame { function, values, location: entry, call });
        for (old, of) in skeleton.olds(function) {
            let value = self.get(of);
            self.set(old, value);
        }
    }

    /// Passes a block, if chance finds a way.
    fn pass(&mut self, block: usize) -> bool {
        let function = self.top().function;
        let problem = &self.abstracter.problems[function];
        let block = &problem.summary.blocks[block];
        let (globals, values) = (self.globals.clone(), self.top().values.clone());
        let mut here = block.source;
        loop {
            let edges = block.edges.iter().map(|&e| &problem.automaton.edges[e as usize]);
            let mut open: Vec<_> = edges.filter(|e| e.source == here).collect();
            let mut next = None;
            while !open.is_empty() && next.is_none() {
                let edge = open.swap_remove(self.random.below(open.len()));
                let passes = match &edge.operation {
                    Operation::Assume(condition) => self.holds(*condition),
                    Operation::Havoc(symbol, _) => {
                        let value = any(self.terms, &mut self.random, *symbol);
                        self.set(*symbol, value);
                        true
                    }
                    operation => {
                        let new: Vec<(Symbol, Value)> = operation
                            .changes()
                            .map(|(s, v)| (s, self.evaluate(v.expect("a value"))))
                            .collect();
                        new.into_iter().for_each(|(s, v)| self.set(s, v));
                        true
                    }
                };
                next = passes.then_some(edge.target);
            }
            match next {
                Some(target) if target == block.target => {
                    self.top().location = target;
                    return true;
                }
                Some(target) => here = target,
                None => {
                    self.globals = globals;
                    self.top().values = values;
                    return false;
                }
            }
        }
    }

    /// Goes on; `None` where nothing can be done.
    fn step(&mut self) -> Option<Meaning> {
        let function = self.top().function;
        let here = self.top().location;
        let skeleton = self.abstracter.skeleton;
        let procedure = &skeleton.procedures[function];
        if let Some(number) = procedure.call_at(here) {
            let call = &procedure.calls[number];
            if self.frames.len() > 12 {
                return None;
            }
            let arguments = call.arguments.iter().map(|&a| self.evaluate(a)).collect();
            self.enter(call.callee, number, arguments);
            return Some(Meaning::Call(function, number));
        }
        if procedure.exit == Some(here) {
            if self.frames.len() == 1 {
                return None;
            }
            let result = skeleton.program.functions[function].result;
            let result = result.map(|s| self.get(s));
            let number = self.frames.pop().expect("there are two").call;
            let caller = self.top().function;
            let call = &skeleton.procedures[caller].calls[number];
            if let (Some(to), Some(value)) = (call.result, result) {
                self.set(to, value);
            }
            self.top().location = call.back;
            return Some(Meaning::Return(caller, number));
        }
        let problem = &self.abstracter.problems[function];
        let blocks = problem.summary.outgoing(here);
        if blocks.is_empty() {
            return None;
        }
        (0..40).find_map(|_| {
            let block = blocks.start + self.random.below(blocks.len());
            self.pass(block).then_some(Meaning::Block(function, block))
        })
    }
}

/// The edges to a statement that stands for something, or to the exit, through glue and the first
/// assignments.
fn way(
    abstraction: &BooleanProgram,
    interpreter: &Interpreter,
    meaning: Option<Meaning>,
) -> Vec<EdgeId> {
    let (procedure, start) = interpreter.position();
    let graph = abstraction.program.procedure(procedure);
    let mut seen = HashSet::from([start]);
    let mut todo = vec![(start, vec![])];
    while let Some((node, way)) = todo.pop() {
        for &e in &graph.outgoing[node.index()] {
            let edge = graph.edge(e);
            let mut way: Vec<EdgeId> = way.clone();
            way.push(e);
            match abstraction.meanings.get(&edge.span.start) {
                Some(found) if Some(*found) == meaning => return way,
                Some(_) => {}
                None if meaning.is_none() && edge.target == graph.exit => return way,
                None if seen.insert(edge.target) => todo.push((edge.target, way)),
                None => {}
            }
        }
    }
    panic!("no way to {meaning:?} in\n{}", abstraction.text());
}

/// Follows the execution; the number of its steps.
fn follow(world: &mut World, abstraction: &BooleanProgram, steps: usize) -> usize {
    let bp = &abstraction.program;
    let says = |world: &mut World, v: VarId| {
        let known = abstraction.predicates.get(&v).or(abstraction.carried.get(&v)).copied();
        known.map(|p| world.holds(p))
    };
    let initial: Vec<bool> = start_variables(bp).map(|v| says(world, v).unwrap_or(false)).collect();
    let mut interpreter = Interpreter::new(bp, &initial).expect("as many values as variables");
    let mut done = 0;
    while done < steps {
        // The first assignments of a procedure come before the step.
        let (procedure, _) = interpreter.position();
        let own = bp.procedure(procedure);
        let visible = bp.globals.iter().chain(&own.formals).chain(&own.locals);
        let before: HashMap<VarId, bool> =
            visible.filter_map(|&v| Some((v, says(world, v)?))).collect();
        let Some(meaning) = world.step() else { break };
        done += 1;
        let depth = interpreter.depth();
        let mut is_back = false;
        let mut edges = std::collections::VecDeque::new();
        if matches!(meaning, Meaning::Return(..)) {
            edges.extend(way(abstraction, &interpreter, None));
        } else {
            edges.extend(way(abstraction, &interpreter, Some(meaning)));
        }
        while let Some(edge) = edges.pop_front() {
            let (procedure, _) = interpreter.position();
            let mut choices = vec![];
            match &bp.procedure(procedure).edge(edge).operation {
                Statement::Assign(assignment) => {
                    for (&target, value) in assignment.targets.iter().zip(&assignment.values) {
                        let span = bp.procedure(procedure).edge(edge).span;
                        let value_of = match abstraction.meanings.get(&span.start) {
                            None => before.get(&target).copied(),
                            Some(_) => says(world, target),
                        };
                        let value_of = value_of.unwrap_or(false);
                        choices.extend(vec![value_of; value.choices()]);
                    }
                }
                Statement::Call(call) => {
                    choices = vec![false; bp.procedure(call.callee).locals.len()];
                }
                Statement::Skip | Statement::Assume(_) => {}
            }
            let step = TraceStep { procedure, edge, choices };
            if let Err(e) = interpreter.step(&step) {
                let span = bp.procedure(procedure).edge(edge).span;
                panic!("{e} at {:?}\n{}", bp.source.line_column(span.start), abstraction.text());
            }
            // The callee has been left; the caller goes on.
            if edges.is_empty() && matches!(meaning, Meaning::Return(..)) && !is_back {
                assert!(interpreter.depth() < depth);
                is_back = true;
                edges.extend(way(abstraction, &interpreter, Some(meaning)));
            }
        }
        if matches!(meaning, Meaning::Call(..)) {
            continue;
        }
        let (procedure, _) = interpreter.position();
        let own = bp.procedure(procedure);
        for &v in bp.globals.iter().chain(&own.formals).chain(&own.locals) {
            let Some(&predicate) = abstraction.predicates.get(&v) else { continue };
            let (is, says) = (world.holds(predicate), interpreter.value(v));
            let name = &bp.variable(v).name;
            assert_eq!(is, says, "{name} after {meaning:?}\n{}", abstraction.text());
        }
        if let Meaning::Block(function, block) = meaning {
            let problem = &world.abstracter.problems[function];
            if problem.automaton.goal(problem.target(block)).is_some() {
                break;
            }
        }
    }
    done
}

/// Some predicates over what a function sees.
fn predicates(
    terms: &mut Terms,
    skeleton: &Skeleton,
    random: &mut Random,
    count: usize,
) -> Vec<Term> {
    let mut all = vec![];
    for (f, function) in skeleton.program.functions.iter().enumerate() {
        let olds = skeleton.olds(f).into_iter().map(|(old, _)| old);
        let mut seen: Vec<Symbol> = skeleton.globals().to_vec();
        seen.extend(function.locals.iter().chain(&function.parameters).chain(&function.result));
        seen.extend(olds);
        seen.sort_unstable();
        seen.dedup();
        seen.retain(|&s| matches!(terms.symbol_sort(s), Sort::Bits(_)));
        for _ in 0..count {
            if seen.is_empty() {
                break;
            }
            let s = seen[random.below(seen.len())];
            let Sort::Bits(width) = terms.symbol_sort(s) else { continue };
            let x = terms.variable(s);
            let alike: Vec<Symbol> = seen
                .iter()
                .copied()
                .filter(|&t| t != s && terms.symbol_sort(t) == Sort::Bits(width))
                .collect();
            let y = match random.below(2) {
                0 if !alike.is_empty() => terms.variable(alike[random.below(alike.len())]),
                _ => terms.bits(width, random.below(4) as u64),
            };
            all.push(match random.below(3) {
                0 => terms.compare(Comparison::SLt, x, y),
                1 => terms.compare(Comparison::ULt, x, y),
                _ => terms.equal(x, y),
            });
        }
    }
    all
}

/// Steps of executions that were followed.
fn examine(name: &str, text: &str, seed: u64, how: (Blocks, Abstraction)) -> usize {
    let flow = crate::support::c::flow(name, text, DataModel::Ilp32);
    let budget = Budget::unlimited();
    let mut terms = Terms::new();
    let options =
        lower::LoweringOptions { keep_irrelevant: true, ..lower::LoweringOptions::default() };
    let lowered = lower(&flow, &mut terms, options, &budget).expect("it fits");
    let skeleton = Skeleton::new(&mut terms, &lowered.program);
    let mut random = Random::new(seed);
    let mut tracked = Predicates::new(lowered.program.functions.len());
    for p in predicates(&mut terms, &skeleton, &mut random, 3) {
        tracked.add(&terms, &skeleton, p);
    }
    let (blocks, abstraction) = how;
    let options = AnalysisOptions { blocks, abstraction, ..AnalysisOptions::default() };
    let mut abstracter =
        Abstracter::new(&mut terms, &skeleton, &options, None, &budget).expect("there is memory");
    let procedures = abstracter.procedures(&mut terms, &tracked, &budget).expect("solvers work");
    let text = Text { source: Some(&flow.source), naming: &SmtLib };
    let abstracted = (&tracked, &procedures[..]);
    let abstraction = program(&mut terms, &abstracter, abstracted, &Default::default(), &text)
        .expect("a legal program");
    let mut steps = 0;
    for run in 0..10 {
        let mut world = World {
            terms: &terms,
            abstracter: &abstracter,
            globals: HashMap::new(),
            frames: vec![],
            random: Random::new(seed * 100 + run),
        };
        world.enter(lowered.program.main, 0, vec![]);
        steps += follow(&mut world, &abstraction, 150);
    }
    steps
}

const PROGRAM: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a; unsigned char b; } g;
int level, *where;
static int clamp(int x, int low, int high) {
  if (x < low) { level--; return low; }
  if (x > high) { level++; return high; }
  return x;
}
static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
static int count(int n) {
  int i, sum = 0;
  for (i = 0; i < n; i++) { sum += clamp(i, 1, 3); if (sum > 5) break; }
  return sum;
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  where = x > 0 ? &x : &y;
  g.a = clamp(x, 0, 4);
  g.b = (unsigned char)y;
  while (__VERIFIER_nondet_int()) {
    swap(&x, &y);
    *where = count(g.a) + g.b;
    switch (x & 3) { case 0: level = 0; break; case 1: g.a = level; default: g.b++; }
    if (level > 4) reach_error();
  }
  return 0;
}
";

fn programs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/recursive");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let mut all = vec![("program.c".to_owned(), PROGRAM.to_owned())];
    all.extend(files.into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).expect("a program");
        (path.display().to_string(), text)
    }));
    all
}

fn walk(how: (Blocks, Abstraction), seeds: std::ops::Range<u64>) {
    on_large_stack(|| {
        let mut steps = 0;
        for (name, text) in programs() {
            for seed in seeds.clone() {
                steps += examine(&name, &text, seed, how);
            }
        }
        assert!(steps > 2_000, "{steps}");
    })
    .expect("a thread");
}

#[test]
fn executions_are_executions_of_the_boolean_program() {
    walk((Blocks::Large, Abstraction::Boolean), 1..9);
}

#[test]
fn also_of_the_cartesian_one() {
    walk((Blocks::Large, Abstraction::Cartesian), 20..23);
}

#[test]
fn also_with_single_blocks() {
    walk((Blocks::Single, Abstraction::Boolean), 40..42);
}
