//! Passes over automata keep what they are for: the goal can be reached after them if and only if
//! it could before, by enumeration of all data states.

use std::collections::BTreeSet;

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_base::source::Span;
use hardbop_cfa::constant::propagate;
use hardbop_cfa::limits::Constants;
use hardbop_cfa::prune::prune;
use hardbop_cfa::share::share;
use hardbop_cfa::slice::slice;
use hardbop_cfa::{Automaton, Edge, Function, Goal, Location, Operation, Origin, Place, Program};
use hardbop_smt::{BitOp, Node, Sort, Symbol, Term, Terms, Value};

/// Bits of each variable.
const WIDTH: u32 = 2;
const VARIABLES: usize = 4;

type State = Vec<u64>;

struct World {
    terms: Terms,
    variables: Vec<Symbol>,
}

impl World {
    fn new() -> Self {
        let mut terms = Terms::new();
        let variables =
            (0..VARIABLES).map(|i| terms.symbol(&format!("v{i}"), Sort::Bits(WIDTH))).collect();
        Self { terms, variables }
    }

    fn value(&self, state: &State, term: Term) -> Value {
        let leaf = |leaf| match *self.terms.node(leaf) {
            Node::Variable(s) => {
                let i = self.variables.iter().position(|&v| v == s)?;
                Some(Value::Bits(state[i]))
            }
            _ => None,
        };
        self.terms.evaluate(term, &leaf).expect("all variables have values")
    }

    fn after(&self, state: &State, operation: &Operation) -> Vec<State> {
        let mut states = vec![state.clone()];
        if let Operation::Assume(p) = operation {
            return if self.value(state, *p) == Value::Bool(true) { states } else { vec![] };
        }
        for (symbol, value) in operation.changes() {
            let i = self.variables.iter().position(|&v| v == symbol).expect("a variable");
            let values = match value.map(|v| self.value(state, v)) {
                Some(Value::Bits(b)) => b..b + 1,
                _ => 0..1 << WIDTH,
            };
            states = states
                .iter()
                .flat_map(|s| {
                    values.clone().map(move |v| {
                        let mut s = s.clone();
                        s[i] = v;
                        s
                    })
                })
                .collect();
        }
        states
    }

    /// Can the goal be reached from any state at the entry?
    fn reaches_goal(&self, automaton: &Automaton) -> bool {
        let variables = self.variables.len() as u32;
        let mut todo: Vec<(Location, State)> = (0..1_u64 << (WIDTH * variables))
            .map(|n| {
                let state = (0..variables).map(|i| n >> (i * WIDTH) & 3).collect();
                (automaton.entry, state)
            })
            .collect();
        let mut seen: BTreeSet<(Location, State)> = todo.iter().cloned().collect();
        while let Some((location, state)) = todo.pop() {
            if automaton.goal(location).is_some() {
                return true;
            }
            for edge in automaton.edges.iter().filter(|e| e.source == location) {
                for next in self.after(&state, &edge.operation) {
                    if seen.insert((edge.target, next.clone())) {
                        todo.push((edge.target, next));
                    }
                }
            }
        }
        false
    }

    fn operand(&mut self, random: &mut Random) -> Term {
        if random.chance(50) {
            self.terms.bits(WIDTH, random.below(4) as u64)
        } else {
            let symbol = self.variables[random.below(VARIABLES)];
            self.terms.variable(symbol)
        }
    }

    fn operation(&mut self, random: &mut Random) -> Operation {
        let symbol = self.variables[random.below(VARIABLES)];
        match random.below(6) {
            0 | 1 => {
                let (a, b) = (self.terms.variable(symbol), self.operand(random));
                let equal = self.terms.equal(a, b);
                Operation::Assume(if random.chance(50) { equal } else { self.terms.not(equal) })
            }
            2 => Operation::Assign(symbol, self.terms.bits(WIDTH, random.below(4) as u64)),
            3 => {
                let (a, b) = (self.operand(random), self.operand(random));
                Operation::Assign(symbol, self.terms.binary(BitOp::Add, a, b))
            }
            4 if random.chance(33) => Operation::Havoc(symbol, Origin::Input),
            _ => Operation::Skip,
        }
    }

    /// A random automaton of steps that write a variable or two, and compare one or add one to the
    /// first variable; the last one asks for its value. There are few executions.
    fn with_short_lives(&mut self, random: &mut Random) -> Automaton {
        let sum = self.variables[0];
        let steps = 3 + random.below(3) as u32;
        let zero = self.terms.bits(WIDTH, 0);
        let starts = self.variables.iter().copied().filter(|&s| s == sum || random.chance(25));
        let starts = starts.map(|s| (s, zero)).collect();
        let mut edges = vec![edge(0, 1, Operation::Parallel(starts))];
        for at in (0..steps).map(|step| 1 + 3 * step) {
            let [one, other] = [0, 0].map(|_| self.variables[1 + random.below(VARIABLES - 1)]);
            let value = self.operand(random);
            edges.push(match random.below(16) {
                0 => edge(at, at + 1, Operation::Havoc(one, Origin::Input)),
                1..8 if one != other => {
                    let values = vec![(one, value), (other, self.terms.variable(one))];
                    edge(at, at + 1, Operation::Parallel(values))
                }
                _ => edge(at, at + 1, Operation::Assign(one, value)),
            });
            let [read, added] = [0, 0].map(|_| match random.chance(60) {
                true => self.terms.variable(one),
                false => self.terms.variable(self.variables[1 + random.below(VARIABLES - 1)]),
            });
            let bound = self.operand(random);
            let equal = self.terms.equal(read, bound);
            edges.push(edge(at + 1, at + 3, Operation::Assume(equal)));
            edges.push(edge(at + 1, at + 2, Operation::Assume(self.terms.not(equal))));
            let total = self.terms.variable(sum);
            let total = self.terms.binary(BitOp::Add, total, added);
            edges.push(edge(at + 2, at + 3, Operation::Assign(sum, total)));
        }
        let end = 1 + 3 * steps;
        let (total, wanted) = (self.terms.variable(sum), self.terms.bits(WIDTH, 3));
        edges.push(edge(end, end + 1, Operation::Assume(self.terms.equal(total, wanted))));
        if random.chance(20) {
            edges.push(edge(end, 1 + 3 * random.below(steps as usize) as u32, Operation::Skip));
        }
        let goals = vec![(Location(end + 1), Goal::Error)];
        Automaton { entry: Location(0), goals, locations: end + 2, edges, ..Automaton::default() }
    }

    /// A random automaton; the first edges set all variables to constants.
    fn automaton(&mut self, random: &mut Random) -> Automaton {
        let locations = 4 + random.below(6) as u32;
        let zero: Vec<(Symbol, Term)> =
            self.variables.iter().map(|&s| (s, self.terms.bits(WIDTH, 0))).collect();
        let mut edges = vec![edge(0, 1, Operation::Parallel(zero))];
        for source in 1..locations - 1 {
            for _ in 0..1 + random.below(2) {
                let back = random.chance(25);
                let target = if back {
                    1 + random.below(source as usize) as u32
                } else {
                    source + 1 + random.below((locations - 1 - source) as usize) as u32
                };
                let operation = self.operation(random);
                edges.push(edge(source, target, operation));
            }
        }
        let goals = vec![(Location(locations - 1), Goal::Error)];
        Automaton { entry: Location(0), goals, locations, edges, ..Automaton::default() }
    }
}

fn edge(source: u32, target: u32, operation: Operation) -> Edge {
    let place = Place { function: 0, instruction: 0, span: Span::default() };
    Edge { source: Location(source), target: Location(target), operation, place, frame: 0 }
}

#[test]
fn constants_and_slices_keep_what_can_be_reached() {
    let mut random = Random::new(11);
    let (mut reached, mut folded, mut sliced) = (0, 0, 0);
    for round in 0..600 {
        let mut world = World::new();
        let before = prune(world.automaton(&mut random));
        let expected = world.reaches_goal(&before);
        let constant = propagate(
            &mut world.terms,
            before.clone(),
            &Constants::default(),
            &Budget::unlimited(),
        )
        .expect("no limits");
        assert_eq!(world.reaches_goal(&constant), expected, "round {round}: {before:?}");
        let slim = slice(&world.terms, constant.clone());
        assert_eq!(world.reaches_goal(&slim), expected, "round {round}: {before:?}");
        reached += u32::from(expected);
        folded += u32::from(constant.edges.len() < before.edges.len());
        let skips =
            |a: &Automaton| a.edges.iter().filter(|e| e.operation == Operation::Skip).count();
        sliced += u32::from(skips(&slim) > skips(&constant));
    }
    // All cases occur.
    assert!((100..500).contains(&reached), "{reached} of 600 reach the goal");
    assert!(folded > 50 && sliced > 50, "{folded} folded, {sliced} sliced");
}

#[test]
fn a_variable_set_by_an_initialisation_is_a_constant() {
    let mut world = World::new();
    let [s, np] = [world.variables[0], world.variables[1]];
    let terms = &mut world.terms;
    let (zero, two) = (terms.bits(WIDTH, 0), terms.bits(WIDTH, 2));
    let [state, name] = [s, np].map(|v| terms.variable(v));
    let equal = terms.equal(state, name);
    let automaton = Automaton {
        entry: Location(0),
        goals: vec![(Location(4), Goal::Error)],
        locations: 5,
        edges: vec![
            edge(0, 1, Operation::Parallel(vec![(s, zero), (np, zero)])),
            edge(1, 2, Operation::Assign(np, two)),
            edge(2, 3, Operation::Havoc(s, Origin::Input)),
            edge(3, 4, Operation::Assume(equal)),
        ],
        ..Automaton::default()
    };
    let after = propagate(&mut world.terms, automaton, &Constants::default(), &Budget::unlimited())
        .expect("no limits");
    let after = slice(&world.terms, after);
    let expected = world.terms.equal(state, two);
    let operations: Vec<Operation> = after.edges.into_iter().map(|e| e.operation).collect();
    assert_eq!(
        operations,
        [
            Operation::Assign(s, zero),
            Operation::Skip,
            Operation::Havoc(s, Origin::Input),
            Operation::Assume(expected),
        ]
    );
}

/// A program whose only function has these temporaries; nothing else of it matters.
fn with_temporaries(temporaries: Vec<Symbol>) -> Program {
    let function = Function { locals: temporaries.clone(), temporaries, ..Function::default() };
    Program { functions: vec![function], main: 0 }
}

fn variables_of(terms: &Terms, automaton: &Automaton) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    for edge in &automaton.edges {
        found.extend(edge.operation.changes().map(|(s, _)| s));
        let read: Vec<Term> = edge.operation.terms().collect();
        for leaf in terms.support_of(&read) {
            if let Node::Variable(symbol) = *terms.node(leaf) {
                found.insert(symbol);
            }
        }
    }
    found
}

#[test]
fn temporaries_that_share_variables_keep_what_can_be_reached() {
    let mut random = Random::new(12);
    let (mut reached, mut fewer) = (0, 0);
    for round in 0..3000 {
        let mut world = World::new();
        let before = world.with_short_lives(&mut random);
        let before = slice(&world.terms, prune(before));
        let expected = world.reaches_goal(&before);
        let temporaries = world.variables.iter().copied().filter(|_| random.chance(90)).collect();
        let after = share(&mut world.terms, &with_temporaries(temporaries), before.clone());
        let count = variables_of(&world.terms, &before).len();
        world.variables = variables_of(&world.terms, &after).into_iter().collect();
        assert!(world.variables.len() <= count, "round {round}: {before:?}");
        assert_eq!(world.reaches_goal(&after), expected, "round {round}: {before:?}");
        reached += u32::from(expected);
        fewer += u32::from(world.variables.len() < count);
    }
    // All cases occur.
    assert!((600..2600).contains(&reached), "{reached} of 3000 reach the goal");
    assert!(fewer > 100, "{fewer} need fewer variables");
}
