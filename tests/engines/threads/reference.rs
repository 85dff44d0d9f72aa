//! Random programs with threads, and what they mean, written down without any of hardbop: a list
//! of statements for each procedure, and a search through all states of a few threads.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use hardbop_base::random::Random;

/// An expression; variables are numbered: two globals, then two of the procedure, then the second
/// procedure variable of another thread.
#[derive(Debug, Clone)]
pub enum Formula {
    Constant(bool),
    Any,
    Variable(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}

/// The number of the variable of other threads.
const OTHER: usize = 4;
/// Threads beyond which the search does not go.
const THREADS: usize = 4;
/// Activations of a thread beyond which it does not go.
const DEPTH: usize = 4;

#[derive(Debug, Clone)]
pub enum Statement {
    Assign(usize, Formula),
    /// With a condition on the values before.
    Both(Formula, Formula, Formula),
    Broadcast(Formula),
    Assume(Formula),
    Assert(Formula),
    Branch(Formula, usize),
    Goto(usize, usize),
    StartAt(usize),
    Start(Formula),
    Call(Option<usize>, usize, Formula),
    AtomicBegin,
    AtomicEnd,
    EndThread,
    Return(Formula),
}

/// `main` without parameters; `p` and `__VERIFIER_atomic_q`, each with one parameter and a result.
#[derive(Debug)]
pub struct Program {
    pub procedures: [Vec<Statement>; 3],
}

pub const NAMES: [&str; 3] = ["main", "p", "__VERIFIER_atomic_q"];

fn formula(random: &mut Random, depth: u32, variables: &[usize]) -> Formula {
    let inner = |random: &mut Random| Box::new(formula(random, depth - 1, variables));
    match random.bits() % if depth == 0 { 5 } else { 9 } {
        0 => Formula::Constant(random.bits().is_multiple_of(2)),
        1 => Formula::Any,
        2..5 => Formula::Variable(variables[random.bits() as usize % variables.len()]),
        5 => Formula::Not(inner(random)),
        6 => Formula::Not(Box::new(Formula::Variable(variables[0]))),
        7 => Formula::And(inner(random), inner(random)),
        _ => Formula::Or(inner(random), inner(random)),
    }
}

impl Program {
    /// A random program; without assignments to other threads where these are not wanted.
    pub fn random(seed: u64, with_broadcasts: bool) -> Self {
        let mut random = Random::new(seed);
        let procedures = [0, 1, 2].map(|p| {
            let length = if p == 0 { 5 + random.bits() % 5 } else { 1 + random.bits() % 3 };
            let mut body: Vec<Statement> = (0..length)
                .map(|i| statement(&mut random, (p, i as usize, length as usize), with_broadcasts))
                .collect();
            if p > 0 {
                body.push(Statement::Return(formula(&mut random, 1, &[0, 1, 2, 3])));
            }
            body
        });
        Self { procedures }
    }

    pub fn text(&self) -> String {
        let mut out = String::from("decl g0, g1;\n");
        for (p, body) in self.procedures.iter().enumerate() {
            let head = if p == 0 { "void main() begin decl v0, v1;\n" } else { "" };
            let other = format!("bool {}(v0) begin decl v1;\n", NAMES[p]);
            out.push_str(if p == 0 { head } else { &other });
            for (i, s) in body.iter().enumerate() {
                let _ = writeln!(out, "L{i}: {};", s.text());
            }
            let _ = writeln!(out, "L{}: skip;\nend", body.len());
        }
        out
    }
}

fn statement(
    random: &mut Random,
    (p, i, length): (usize, usize, usize),
    with_broadcasts: bool,
) -> Statement {
    let all = [0, 1, 2, 3];
    let target = random.bits() as usize % 4;
    // Mostly forwards.
    let back = random.bits().is_multiple_of(8);
    let label = if back { 0 } else { i + 1 + random.bits() as usize % (length - i) };
    match random.bits() % 20 {
        0..4 => Statement::Assign(target, formula(random, 2, &all)),
        4 => {
            let (a, b) = (formula(random, 1, &all), formula(random, 1, &all));
            Statement::Both(a, b, formula(random, 1, &all))
        }
        5 if p == 0 && with_broadcasts => {
            Statement::Broadcast(formula(random, 1, &[0, 1, 2, 3, OTHER]))
        }
        5 | 6 => Statement::Assume(formula(random, 1, &all)),
        7 | 8 => Statement::Assert(Formula::Or(
            Box::new(formula(random, 1, &all)),
            Box::new(Formula::Or(
                Box::new(Formula::Variable(0)),
                Box::new(formula(random, 1, &all)),
            )),
        )),
        9 | 10 => Statement::Branch(formula(random, 1, &all), label),
        11 => Statement::Goto(label, i + 1),
        12 | 13 if p == 0 => Statement::StartAt(label),
        12..15 if p < 2 => Statement::Start(formula(random, 1, &all)),
        15 if p < 2 => Statement::Call(
            Some(target).filter(|t| t % 2 == 0),
            1 + random.bits() as usize % 2,
            formula(random, 1, &all),
        ),
        16 => Statement::AtomicBegin,
        17 => Statement::AtomicEnd,
        18 if i > 2 => Statement::EndThread,
        _ => Statement::Assign(target, Formula::Any),
    }
}

pub fn name(variable: usize) -> &'static str {
    ["g0", "g1", "v0", "v1", "v1$"][variable]
}

impl Formula {
    fn text(&self) -> String {
        match self {
            Self::Constant(value) => if *value { "T" } else { "F" }.to_owned(),
            Self::Any => "*".to_owned(),
            Self::Variable(v) => name(*v).to_owned(),
            Self::Not(e) => format!("!({})", e.text()),
            Self::And(a, b) => format!("({} & {})", a.text(), b.text()),
            Self::Or(a, b) => format!("({} | {})", a.text(), b.text()),
        }
    }

    /// All values that it can have.
    fn values(&self, of: &[bool; 5]) -> BTreeSet<bool> {
        let both = |a: &Self, b: &Self, f: fn(bool, bool) -> bool| {
            let (a, b) = (a.values(of), b.values(of));
            a.iter().flat_map(|&a| b.iter().map(move |&b| f(a, b))).collect()
        };
        match self {
            Self::Constant(value) => BTreeSet::from([*value]),
            Self::Any => BTreeSet::from([false, true]),
            Self::Variable(v) => BTreeSet::from([of[*v]]),
            Self::Not(e) => e.values(of).into_iter().map(|v| !v).collect(),
            Self::And(a, b) => both(a, b, |a, b| a && b),
            Self::Or(a, b) => both(a, b, |a, b| a || b),
        }
    }
}

impl Statement {
    fn text(&self) -> String {
        match self {
            Self::Assign(v, e) => format!("{} := {}", name(*v), e.text()),
            Self::Both(a, b, c) => {
                format!("g0, v1 := {}, {} constrain ({})", a.text(), b.text(), c.text())
            }
            Self::Broadcast(e) => format!("v1$ := {}", e.text()),
            Self::Assume(e) => format!("assume({})", e.text()),
            Self::Assert(e) => format!("assert({})", e.text()),
            Self::Branch(e, l) => format!("if {} then goto L{l}; fi", e.text()),
            Self::Goto(a, b) => format!("goto L{a}, L{b}"),
            Self::StartAt(l) => format!("start_thread goto L{l}"),
            Self::Start(e) => format!("start_thread p({})", e.text()),
            Self::Call(Some(v), p, e) => format!("{} := {}({})", name(*v), NAMES[*p], e.text()),
            Self::Call(None, p, e) => format!("{}({})", NAMES[*p], e.text()),
            Self::AtomicBegin => "atomic_begin".to_owned(),
            Self::AtomicEnd => "atomic_end".to_owned(),
            Self::EndThread => "end_thread".to_owned(),
            Self::Return(e) => format!("return {}", e.text()),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    procedure: usize,
    at: usize,
    values: [bool; 2],
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    frames: Vec<Frame>,
    atomic: bool,
}

impl Thread {
    fn holds(&self) -> bool {
        self.atomic || self.frames.iter().any(|f| f.procedure == 2)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    globals: [bool; 2],
    threads: Vec<Thread>,
}

/// What the search finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Unsafe,
    Safe,
    /// No error with a few threads and few calls in each other.
    Bounded,
}

/// Searches all states; `None` if there are too many.
pub fn meaning(program: &Program, most: usize) -> Option<Meaning> {
    let mut seen = BTreeSet::new();
    let mut work = VecDeque::new();
    for bits in 0..16_u32 {
        let bit = |i: u32| bits >> i & 1 == 1;
        let frame = Frame { procedure: 0, at: 0, values: [bit(2), bit(3)] };
        let thread = Thread { frames: vec![frame], atomic: false };
        let state = State { globals: [bit(0), bit(1)], threads: vec![thread] };
        seen.insert(state.clone());
        work.push_back(state);
    }
    let mut bounded = false;
    while let Some(state) = work.pop_front() {
        for i in 0..state.threads.len() {
            let held = state.threads.iter().enumerate().any(|(j, t)| j != i && t.holds());
            if held {
                continue;
            }
            let mut search = Search { program, out: Vec::new(), error: false, bounded: false };
            search.step(&state, i);
            bounded |= search.bounded;
            if search.error {
                return Some(Meaning::Unsafe);
            }
            for mut next in search.out {
                next.threads.retain(|t| !t.frames.is_empty());
                next.threads.sort();
                if seen.insert(next.clone()) {
                    work.push_back(next);
                }
            }
            if seen.len() > most {
                return None;
            }
        }
    }
    Some(if bounded { Meaning::Bounded } else { Meaning::Safe })
}

struct Search<'p> {
    program: &'p Program,
    out: Vec<State>,
    error: bool,
    bounded: bool,
}

impl Search<'_> {
    fn step(&mut self, state: &State, i: usize) {
        let frame = state.threads[i].frames.last().expect("it has not ended").clone();
        let [g, v] = [state.globals, frame.values];
        let of = [g[0], g[1], v[0], v[1], false];
        let mut next = state.clone();
        top(&mut next, i).at += 1;
        let body = &self.program.procedures[frame.procedure];
        let Some(statement) = body.get(frame.at) else {
            // The end of `main`; the others return at their end.
            next.threads[i].frames.clear();
            return self.out.push(next);
        };
        match statement {
            Statement::Assign(target, e) => {
                for value in e.values(&of) {
                    let mut next = next.clone();
                    set(&mut next, i, *target, value);
                    self.out.push(next);
                }
            }
            Statement::Both(a, b, c) => {
                for first in a.values(&of) {
                    for second in b.values(&of) {
                        let mut next = next.clone();
                        set(&mut next, i, 0, first);
                        set(&mut next, i, 3, second);
                        if c.values(&of).contains(&true) {
                            self.out.push(next);
                        }
                    }
                }
            }
            Statement::Broadcast(e) => {
                let mut all = vec![next];
                for j in 0..state.threads.len() {
                    let other = &state.threads[j].frames[0];
                    if j == i || other.procedure != 0 {
                        continue;
                    }
                    let of = [of[0], of[1], of[2], of[3], other.values[1]];
                    let moved = all.into_iter().flat_map(|s| {
                        e.values(&of).into_iter().map(move |value| {
                            let mut s = s.clone();
                            s.threads[j].frames[0].values[1] = value;
                            s
                        })
                    });
                    all = moved.collect();
                }
                self.out.extend(all);
            }
            Statement::Assume(e) => {
                if e.values(&of).contains(&true) {
                    self.out.push(next);
                }
            }
            Statement::Assert(e) => {
                let values = e.values(&of);
                self.error |= values.contains(&false);
                if values.contains(&true) {
                    self.out.push(next);
                }
            }
            Statement::Branch(e, label) => {
                // `*` alone leaves both ways open, and so does any other condition that can be both.
                for value in e.values(&of) {
                    let mut next = next.clone();
                    if value {
                        top(&mut next, i).at = *label;
                    }
                    self.out.push(next);
                }
            }
            Statement::Goto(a, b) => {
                for label in [a, b] {
                    top(&mut next, i).at = *label;
                    self.out.push(next.clone());
                }
            }
            Statement::StartAt(label) => {
                let born = Frame { at: *label, ..frame };
                self.start(next, born);
            }
            Statement::Start(e) => {
                for value in e.values(&of) {
                    for local in [false, true] {
                        let born = Frame { procedure: 1, at: 0, values: [value, local] };
                        self.start(next.clone(), born);
                    }
                }
            }
            Statement::Call(_, procedure, e) => {
                if next.threads[i].frames.len() >= DEPTH {
                    self.bounded = true;
                    return;
                }
                // The caller stays at the call until it returns.
                top(&mut next, i).at -= 1;
                for value in e.values(&of) {
                    for local in [false, true] {
                        let mut next = next.clone();
                        let values = [value, local];
                        let callee = Frame { procedure: *procedure, at: 0, values };
                        next.threads[i].frames.push(callee);
                        self.out.push(next);
                    }
                }
            }
            Statement::AtomicBegin => {
                next.threads[i].atomic = true;
                self.out.push(next);
            }
            Statement::AtomicEnd => {
                next.threads[i].atomic = false;
                self.out.push(next);
            }
            Statement::EndThread => {
                next.threads[i].frames.clear();
                self.out.push(next);
            }
            Statement::Return(e) => {
                for value in e.values(&of) {
                    let mut next = next.clone();
                    next.threads[i].frames.pop();
                    if let Some(caller) = next.threads[i].frames.last_mut() {
                        let call = &self.program.procedures[caller.procedure][caller.at];
                        let Statement::Call(target, ..) = call else { panic!("at a call") };
                        caller.at += 1;
                        if let Some(target) = target {
                            set(&mut next, i, *target, value);
                        }
                    }
                    self.out.push(next);
                }
            }
        }
    }

    fn start(&mut self, mut next: State, born: Frame) {
        if next.threads.len() >= THREADS {
            self.bounded = true;
            return;
        }
        next.threads.push(Thread { frames: vec![born], atomic: false });
        self.out.push(next);
    }
}

fn top(state: &mut State, i: usize) -> &mut Frame {
    state.threads[i].frames.last_mut().expect("it has not ended")
}

fn set(state: &mut State, i: usize, variable: usize, value: bool) {
    match variable {
        0 | 1 => state.globals[variable] = value,
        _ => top(state, i).values[variable - 2] = value,
    }
}
