//! The interpreter on hand-written traces, good and bad, and on random walks.

use crate::support::explicit::error_reachable;
use crate::support::program;
use hardbop_bp::language::interpret::{EventKind, Interpreter, ReplayError, StepError, replay};
use hardbop_bp::language::program::{EdgeId, EdgeRole, NodeId, Operation, ProcId, Program};
use hardbop_bp::language::trace::{Trace, TraceStep};

use EdgeRole::{AssertFails, AssertHolds, Branch, Enforce, FallOff, Statement};

/// A statement as written, the role of the edge, and the choices.
type Script<'s> = &'s [(&'s str, EdgeRole, &'s [bool])];

/// The trace that takes these edges, each from where the execution is; does not judge it.
fn trace(program: &Program, initial: &[bool], script: Script) -> Trace {
    let mut at = Interpreter::new(program, initial).unwrap();
    let mut steps = Vec::new();
    for &(text, role, choices) in script {
        let (procedure, node) = at.position();
        let body = program.procedure(procedure);
        let edge = body.outgoing[node.index()].iter().copied().find(|&e| {
            let edge = body.edge(e);
            edge.role == role && program.source.snippet(edge.span, 80) == text
        });
        let edge = edge.unwrap_or_else(|| panic!("no edge '{text}' ({role:?}) at {node:?}"));
        let step = TraceStep { procedure, edge, choices: choices.to_vec() };
        // A step that fails is judged by `replay`.
        let _ = at.step(&step);
        steps.push(step);
    }
    Trace { initial: initial.to_vec(), steps }
}

fn rejected(program: &Program, trace: &Trace) -> StepError {
    match replay(program, trace) {
        Err(ReplayError::Step { error, .. }) => error,
        other => panic!("{other:?}"),
    }
}

const SWAP: &str = "
decl x, y;
void main() begin
  x, y := y, x;
  assert(x);
end
";

#[test]
fn parallel_assignment_reads_the_old_state() {
    let p = program(SWAP);
    let t = trace(
        &p,
        &[true, false],
        &[("x, y := y, x", Statement, &[]), ("assert(x)", AssertFails, &[])],
    );
    let replay = replay(&p, &t).unwrap();
    assert_eq!(replay.initial.iter().map(|i| i.1).collect::<Vec<_>>(), [true, false]);
    let changed: Vec<bool> = replay.events[0].changed.iter().map(|c| c.1).collect();
    assert_eq!(changed, [false, true]);
    assert_eq!(replay.events[1].changed, []);
}

#[test]
fn what_is_no_execution_is_rejected() {
    let p = program(SWAP);
    let good = trace(
        &p,
        &[true, false],
        &[("x, y := y, x", Statement, &[]), ("assert(x)", AssertFails, &[])],
    );
    assert!(replay(&p, &good).is_ok());

    let mut t = good.clone();
    t.initial = vec![true];
    assert_eq!(replay(&p, &t), Err(ReplayError::Initial { expected: 2, found: 1 }));

    t = good.clone();
    t.initial = vec![true, true];
    assert_eq!(
        replay(&p, &t),
        Err(ReplayError::Step { step: 2, error: StepError::Blocked }),
        "y is true, so the assertion holds"
    );

    t = good.clone();
    t.steps.pop();
    assert_eq!(replay(&p, &t), Err(ReplayError::NoError { steps: 1 }));
    t.steps.clear();
    assert_eq!(replay(&p, &t), Err(ReplayError::NoError { steps: 0 }));

    t = good.clone();
    t.steps[0].choices.push(true);
    assert_eq!(rejected(&p, &t), StepError::Choices { expected: 0, found: 1 });

    t = good.clone();
    t.steps.remove(0);
    assert!(matches!(rejected(&p, &t), StepError::WrongNode { .. }));

    t = good.clone();
    t.steps.push(good.steps[1].clone());
    assert!(matches!(rejected(&p, &t), StepError::WrongNode { .. }));

    t = good.clone();
    t.steps[0].edge = EdgeId(1000);
    assert!(matches!(rejected(&p, &t), StepError::NoSuchEdge { .. }));

    t = good.clone();
    t.steps[0].procedure = ProcId(1);
    assert!(matches!(rejected(&p, &t), StepError::NoSuchEdge { .. }));
}

#[test]
fn choices_in_order() {
    let p = program(
        "decl a, b;
         void main() begin
           a, b := schoose[F, F], * constrain ('a = *);
           assert(!a | b);
         end",
    );
    let assign = "a, b := schoose[F, F], * constrain ('a = *)";
    let run = |choices: &[bool]| {
        let script: Script = &[(assign, Statement, choices), ("assert(!a | b)", AssertFails, &[])];
        replay(&p, &trace(&p, &[false, false], &script[..1])).err().and_then(|e| match e {
            ReplayError::Step { error, .. } => Some(error),
            _ => replay(&p, &trace(&p, &[false, false], script)).err().map(|_| StepError::Blocked),
        })
    };
    assert_eq!(run(&[true, false, true]), None);
    assert_eq!(run(&[true, true, true]), Some(StepError::Blocked));
    assert_eq!(run(&[true, false, false]), Some(StepError::Unconstrained));
    assert_eq!(run(&[true, false]), Some(StepError::Choices { expected: 3, found: 2 }));
}

const RECURSIVE: &str = "
decl g;
bool<2> f(a) begin
  decl l;
  if (a) then
    l, _ := f(!a);
    assert(l);
  fi
  g := l;
  return a, !l;
end
void main() begin
  decl x;
  x, g := f(T);
end
";

#[test]
fn recursion_keeps_the_frames_apart() {
    let p = program(RECURSIVE);
    let t = trace(
        &p,
        &[false, true],
        &[
            ("x, g := f(T)", Statement, &[true]),
            ("if (a)", Branch(true), &[]),
            ("l, _ := f(!a)", Statement, &[true]),
            ("if (a)", Branch(false), &[]),
            ("g := l", Statement, &[]),
            ("return a, !l", Statement, &[]),
            ("assert(l)", AssertFails, &[]),
        ],
    );
    let replay = replay(&p, &t).unwrap();
    let depths: Vec<usize> = replay.events.iter().map(|e| e.depth).collect();
    assert_eq!(depths, [0, 1, 1, 2, 2, 2, 1, 1]);
    let returned = &replay.events[6];
    assert_eq!(returned.kind, EventKind::Return);
    assert_eq!(replay.events[7].kind, EventKind::Step(6));
    // The local of the outer frame was true, and is false by the returned value.
    let l = p.procedures[0].locals[0];
    assert_eq!(returned.changed, [(l, false)]);
    let slots: Vec<bool> = replay.events[5].changed.iter().map(|c| c.1).collect();
    assert_eq!(slots, [false, false], "all returned values are listed");
}

#[test]
fn a_step_of_another_procedure_is_rejected() {
    let p = program(RECURSIVE);
    let mut t = trace(&p, &[false, true], &[("x, g := f(T)", Statement, &[true])]);
    t.steps.push(t.steps[0].clone());
    assert!(matches!(rejected(&p, &t), StepError::WrongProcedure { .. }));
    t.steps[0].choices.clear();
    assert_eq!(rejected(&p, &t), StepError::Choices { expected: 1, found: 0 });
}

#[test]
fn falling_off_returns_any_value() {
    let p = program(
        "bool f() begin skip; end
         void main() begin decl x; x := f(); assert(x); end",
    );
    let end = p.procedures[0].edges.iter().find(|e| e.role == FallOff).unwrap();
    let end = p.source.snippet(end.span, 80);
    for value in [false, true] {
        let t = trace(
            &p,
            &[true],
            &[
                ("x := f()", Statement, &[]),
                ("skip", Statement, &[]),
                (&end, FallOff, &[value]),
                ("assert(x)", AssertFails, &[]),
            ],
        );
        assert_eq!(replay(&p, &t).is_ok(), !value);
    }
}

#[test]
fn enforce_blocks() {
    let p = program(
        "decl x;
         void main() begin enforce x; x := *; assert(F); end",
    );
    let run = |initial: bool, value: bool| {
        let script: Script = &[
            ("enforce x", Enforce, &[]),
            ("x := *", Statement, &[value]),
            ("enforce x", Enforce, &[]),
            ("assert(F)", AssertFails, &[]),
        ];
        let mut taken = script.len();
        if !initial {
            taken = 1;
        } else if !value {
            taken = 3;
        }
        replay(&p, &trace(&p, &[initial], &script[..taken])).map(|r| r.events.len())
    };
    assert_eq!(run(true, true), Ok(4));
    assert_eq!(run(false, true), Err(ReplayError::Step { step: 1, error: StepError::Blocked }));
    assert_eq!(run(true, false), Err(ReplayError::Step { step: 3, error: StepError::Blocked }));
}

#[test]
fn deep_recursion_is_no_problem() {
    let p = program(
        "void f(a) begin decl l; if * then f(a); else assert(a); fi end
         void main() begin f(F); end",
    );
    let mut at = Interpreter::new(&p, &[]).unwrap();
    let mut steps = Vec::new();
    let mut go = |at: &mut Interpreter, role: EdgeRole, choices: &[bool]| {
        let (procedure, node) = at.position();
        let body = p.procedure(procedure);
        let edge =
            *body.outgoing[node.index()].iter().find(|&&e| body.edge(e).role == role).unwrap();
        let step = TraceStep { procedure, edge, choices: choices.to_vec() };
        at.step(&step).unwrap();
        steps.push(step);
    };
    for depth in 0..100_000 {
        go(&mut at, Statement, &[depth % 2 == 0]);
        go(&mut at, Branch(depth < 99_999), &[]);
    }
    go(&mut at, AssertFails, &[]);
    assert!(at.at_error());
    assert_eq!(at.depth(), 100_000);
    assert!(replay(&p, &Trace { initial: Vec::new(), steps }).is_ok());
}

/// A small generator of pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn bits(&mut self, n: usize) -> Vec<bool> {
        (0..n).map(|_| self.below(2) == 1).collect()
    }
}

fn choices(program: &Program, operation: &Operation) -> usize {
    match operation {
        Operation::Skip => 0,
        Operation::Assume(e) => e.choices(),
        Operation::Assign(a) => a.values.iter().chain(&a.constrain).map(|e| e.choices()).sum(),
        Operation::Call(c) => {
            let arguments: usize = c.arguments.iter().map(|e| e.choices()).sum();
            arguments + program.procedure(c.callee).locals.len()
        }
    }
}

/// A random walk of at most `length` steps; its trace if it reaches an error.
fn walk(program: &Program, random: &mut Random, length: usize) -> Option<Trace> {
    let entry = program.procedure(program.entry);
    let initial = random.bits(program.globals.len() + entry.formals.len() + entry.locals.len());
    let mut at = Interpreter::new(program, &initial).unwrap();
    let mut steps = Vec::new();
    for _ in 0..length {
        let (procedure, node) = at.position();
        let outgoing = &program.procedure(procedure).outgoing[node.index()];
        if outgoing.is_empty() {
            break;
        }
        // A few attempts, since edges may be blocked.
        let taken = (0..8).find_map(|_| {
            let edge = outgoing[random.below(outgoing.len())];
            let operation = &program.procedure(procedure).edge(edge).operation;
            let choices = random.bits(choices(program, operation));
            let step = TraceStep { procedure, edge, choices };
            at.step(&step).is_ok().then_some(step)
        });
        steps.push(taken?);
    }
    at.at_error().then_some(Trace { initial, steps })
}

#[test]
fn random_walks_agree_with_the_explicit_search() {
    let mut found = 0;
    for (text, _) in crate::support::generated(11, 150) {
        let p = program(&text);
        let Some(unsafe_) = error_reachable(&p, 1_000_000) else { continue };
        let mut random = Random(5);
        for _ in 0..60 {
            let Some(t) = walk(&p, &mut random, 80) else { continue };
            assert!(unsafe_, "an error is reached in a safe program:\n{text}");
            assert!(replay(&p, &t).is_ok(), "{text}");
            found += 1;
            let mut longer = t.clone();
            longer.steps.push(t.steps[0].clone());
            assert!(replay(&p, &longer).is_err());
            let mut shorter = t;
            shorter.steps.pop();
            assert!(replay(&p, &shorter).is_err());
        }
    }
    println!("{found} errors found by random walks");
}

#[test]
fn the_passing_side_of_an_assertion_goes_on() {
    let p = program("void main() begin assert(*); end");
    let t = trace(&p, &[], &[("assert(*)", AssertHolds, &[true])]);
    assert_eq!(replay(&p, &t), Err(ReplayError::NoError { steps: 1 }));
    assert_eq!(Interpreter::new(&p, &[]).unwrap().position(), (ProcId(0), NodeId(0)));
}
