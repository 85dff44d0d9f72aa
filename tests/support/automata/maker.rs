//! Small random programs over 2-bit variables, as descriptions, and an enumeration of all their
//! states.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::{Value, json};

/// A generator of numbers (xorshift).
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}

/// Over variables before, and after (`true`).
#[derive(Clone)]
pub enum Term {
    Variable(usize, bool),
    Constant(u8),
    Add(Box<Term>, Box<Term>),
    Xor(Box<Term>, Box<Term>),
}

#[derive(Clone)]
pub enum Formula {
    Equal(Term, Term),
    Less(Term, Term),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
}

#[derive(Clone)]
pub enum Step {
    Skip,
    Assume(Formula),
    Assign(Vec<(usize, Term)>),
    Havoc(usize),
    Relation(Formula, Vec<usize>),
    /// The function, its argument, and where the result goes.
    Call(usize, Term, usize),
    Error,
}

pub struct Edge {
    from: usize,
    to: usize,
    step: Step,
}

/// Variables 0 and 1 are global; 2 is the parameter, 3 a local, which is the result.
pub struct Program {
    functions: Vec<Vec<Edge>>,
}

const NAMES: [&str; 4] = ["g", "h", "p", "l"];
const LOCATIONS: usize = 5;
const EXIT: usize = LOCATIONS - 1;
/// Values of the four variables.
type State = [u8; 4];

fn term(n: &mut Numbers, after: bool) -> Term {
    match n.below(6) {
        0 => Term::Constant(n.below(4) as u8),
        1 => Term::Add(Box::new(term(n, after)), Box::new(Term::Constant(1 + n.below(3) as u8))),
        2 => Term::Xor(Box::new(term(n, after)), Box::new(term(n, after))),
        _ => Term::Variable(n.below(4), after && n.below(2) == 0),
    }
}

fn formula(n: &mut Numbers, after: bool) -> Formula {
    match n.below(5) {
        0 => Formula::Not(Box::new(formula(n, after))),
        1 => Formula::And(Box::new(formula(n, after)), Box::new(formula(n, after))),
        2 => Formula::Less(term(n, after), term(n, after)),
        _ => Formula::Equal(term(n, after), term(n, after)),
    }
}

/// The program of a seed.
pub fn random(seed: u64) -> Program {
    let n = &mut Numbers::new(seed + 1);
    for _ in 0..8 {
        n.below(2);
    }
    let count = 1 + n.below(3);
    let recursive = n.below(4) == 0;
    let functions = (0..count).map(|f| {
        let edges = (0..5 + n.below(4)).map(|i| {
            let from = if i < EXIT { i } else { n.below(EXIT) };
            let to = if n.below(2) == 0 { from + 1 } else { n.below(LOCATIONS) };
            let step = match n.below(9) {
                0 => Step::Skip,
                1 | 2 => Step::Assume(formula(n, false)),
                3 => Step::Assign(vec![(n.below(4), term(n, false))]),
                4 => {
                    let first = n.below(4);
                    Step::Assign(vec![(first, term(n, false)), ((first + 1) % 4, term(n, false))])
                }
                5 => Step::Havoc(n.below(4)),
                6 => {
                    let changes: BTreeSet<usize> =
                        (0..1 + n.below(2)).map(|_| n.below(4)).collect();
                    Step::Relation(formula(n, true), changes.into_iter().collect())
                }
                7 if f + 1 < count || recursive => {
                    let callee = if recursive { n.below(count) } else { f + 1 };
                    Step::Call(callee, term(n, false), n.below(4))
                }
                _ if i > 2 => Step::Error,
                _ => Step::Assume(formula(n, false)),
            };
            Edge { from, to, step }
        });
        edges.collect()
    });
    Program { functions: functions.collect() }
}

impl Term {
    fn text(&self) -> String {
        match self {
            Self::Variable(v, false) => NAMES[*v].to_owned(),
            Self::Variable(v, true) => format!("{}'", NAMES[*v]),
            Self::Constant(c) => format!("#b{c:02b}"),
            Self::Add(a, b) => format!("(bvadd {} {})", a.text(), b.text()),
            Self::Xor(a, b) => format!("(bvxor {} {})", a.text(), b.text()),
        }
    }

    fn value(&self, before: &State, after: &State) -> u8 {
        match self {
            Self::Variable(v, false) => before[*v],
            Self::Variable(v, true) => after[*v],
            Self::Constant(c) => *c,
            Self::Add(a, b) => (a.value(before, after) + b.value(before, after)) % 4,
            Self::Xor(a, b) => a.value(before, after) ^ b.value(before, after),
        }
    }
}

impl Formula {
    fn text(&self) -> String {
        match self {
            Self::Equal(a, b) => format!("(= {} {})", a.text(), b.text()),
            Self::Less(a, b) => format!("(bvult {} {})", a.text(), b.text()),
            Self::Not(a) => format!("(not {})", a.text()),
            Self::And(a, b) => format!("(and {} {})", a.text(), b.text()),
        }
    }

    fn holds(&self, before: &State, after: &State) -> bool {
        match self {
            Self::Equal(a, b) => a.value(before, after) == b.value(before, after),
            Self::Less(a, b) => a.value(before, after) < b.value(before, after),
            Self::Not(a) => !a.holds(before, after),
            Self::And(a, b) => a.holds(before, after) && b.holds(before, after),
        }
    }
}

/// All states that differ from this one in these variables only.
fn any(state: State, variables: &[usize]) -> Vec<State> {
    let mut all = vec![state];
    for &v in variables {
        all = all
            .into_iter()
            .flat_map(|s| {
                (0..4).map(move |value| {
                    let mut new = s;
                    new[v] = value;
                    new
                })
            })
            .collect();
    }
    all
}

/// A function with the globals and the parameter that it begins with.
type Start = (usize, [u8; 3]);
/// Where an execution is since a start.
type Here = (Start, usize, State);

impl Program {
    /// The description.
    pub fn json(&self) -> Value {
        let variable = |v: usize| json!({"name": NAMES[v], "sort": "(_ BitVec 2)"});
        let functions: Vec<Value> = self
            .functions
            .iter()
            .enumerate()
            .map(|(f, edges)| {
                let edges: Vec<Value> = edges
                    .iter()
                    .map(|e| json!({"from": e.from, "to": e.to, "step": step(&e.step)}))
                    .collect();
                json!({"name": format!("f{f}"), "parameters": [variable(2)], "locals": [variable(3)],
                       "result": "l", "locations": LOCATIONS, "entry": 0, "exit": EXIT, "edges": edges})
            })
            .collect();
        json!({"globals": [variable(0), variable(1)], "functions": functions, "main": "f0"})
    }

    /// Enumerates states per start of a function, as summaries do: stacks may be of any height.
    pub fn is_error_reachable(&self) -> bool {
        let mut seen: HashSet<Here> = HashSet::new();
        let mut todo: Vec<Here> = vec![];
        let mut callers: HashMap<Start, Vec<(Start, usize, usize, State)>> = HashMap::new();
        let mut results: BTreeMap<Start, BTreeSet<(u8, u8, u8)>> = BTreeMap::new();
        let begin = |start: Start, todo: &mut Vec<Here>| {
            let (_, [g, h, p]) = start;
            todo.extend(any([g, h, p, 0], &[3]).into_iter().map(|s| (start, 0, s)));
        };
        for [g, h, p, _] in any([0; 4], &[0, 1, 2]) {
            begin((0, [g, h, p]), &mut todo);
        }
        while let Some(here) = todo.pop() {
            if !seen.insert(here) {
                continue;
            }
            let (start, at, state) = here;
            if at == EXIT {
                let result = (state[0], state[1], state[3]);
                if results.entry(start).or_default().insert(result) {
                    for &(caller, to, into, before) in callers.get(&start).into_iter().flatten() {
                        todo.push((caller, to, back(before, into, result)));
                    }
                }
                continue;
            }
            for edge in self.functions[start.0].iter().filter(|e| e.from == at) {
                let next: Vec<State> = match &edge.step {
                    Step::Error => return true,
                    Step::Skip => vec![state],
                    Step::Assume(f) => vec![state].into_iter().filter(|s| f.holds(s, s)).collect(),
                    Step::Assign(all) => {
                        let mut new = state;
                        all.iter().for_each(|(v, t)| new[*v] = t.value(&state, &state));
                        vec![new]
                    }
                    Step::Havoc(v) => any(state, &[*v]),
                    Step::Relation(f, changes) => {
                        any(state, changes).into_iter().filter(|s| f.holds(&state, s)).collect()
                    }
                    Step::Call(callee, argument, into) => {
                        let callee =
                            (*callee, [state[0], state[1], argument.value(&state, &state)]);
                        callers.entry(callee).or_default().push((start, edge.to, *into, state));
                        begin(callee, &mut todo);
                        let known = results.get(&callee).into_iter().flatten();
                        known.map(|&result| back(state, *into, result)).collect()
                    }
                };
                todo.extend(next.into_iter().map(|s| (start, edge.to, s)));
            }
        }
        false
    }
}

/// The caller's state after a call.
fn back(before: State, into: usize, (g, h, result): (u8, u8, u8)) -> State {
    let mut state = [g, h, before[2], before[3]];
    state[into] = result;
    state
}

fn step(step: &Step) -> Value {
    match step {
        Step::Skip => json!("skip"),
        Step::Error => json!("error"),
        Step::Assume(f) => json!({"assume": f.text()}),
        Step::Assign(all) => {
            let pairs: Vec<Value> = all.iter().map(|(v, t)| json!([NAMES[*v], t.text()])).collect();
            json!({"assign": pairs})
        }
        Step::Havoc(v) => json!({"havoc": {"variables": [NAMES[*v]]}}),
        Step::Relation(f, changes) => {
            let names: Vec<&str> = changes.iter().map(|v| NAMES[*v]).collect();
            json!({"relation": {"formula": f.text(), "changes": names}})
        }
        Step::Call(f, argument, into) => json!({"call": {
            "function": format!("f{f}"), "arguments": [argument.text()], "result": NAMES[*into]}}),
    }
}
