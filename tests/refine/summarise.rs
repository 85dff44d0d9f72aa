//! CFA summarisation: Fig. 2 and Theorem 3.1 of "Software Model Checking via Large-Block Encoding",
//! against a naive application of the rules and against enumeration of all data states.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_base::source::Span;
use hardbop_cfa::encode::encode;
use hardbop_cfa::live::Liveness;
use hardbop_cfa::prune::prune;
use hardbop_cfa::summarise::{Block, Point, single_blocks, summarise};
use hardbop_cfa::{Automaton, Edge, Goal, Location, Operation, Origin, Place};
use hardbop_refine::block::{BlockOperator, Blocks};
use hardbop_smt::{
    BitOp, Comparison, Node, SmtAnswer, SolverKind, Sort, Symbol, Term, Terms, Value,
};

/// Bits of each variable.
const WIDTH: u32 = 2;

type State = Vec<u64>;

fn edge(source: u32, target: u32, operation: Operation) -> Edge {
    let place = Place { function: 0, instruction: 0, span: Span::default() };
    Edge { source: Location(source), target: Location(target), operation, place, frame: 0 }
}

fn automaton(entry: u32, error: u32, locations: u32, edges: Vec<Edge>) -> Automaton {
    let goals = vec![(Location(error), Goal::Error)];
    Automaton { entry: Location(entry), goals, locations, edges, ..Automaton::default() }
}

/// The locations that the rules leave: edges as a set of pairs (Rule 2), Rule 1 until nothing
/// changes.
fn naive(automaton: &Automaton) -> BTreeSet<Location> {
    let mut pairs: BTreeSet<(Location, Location)> =
        automaton.edges.iter().map(|e| (e.source, e.target)).collect();
    let mut left: BTreeSet<Location> = (0..automaton.locations).map(Location).collect();
    loop {
        let gone = left.iter().copied().find(|&l| {
            let incoming: Vec<_> = pairs.iter().filter(|p| p.1 == l).collect();
            let kept = l == automaton.entry || automaton.goal(l).is_some();
            !kept && incoming.len() == 1 && incoming[0].0 != l
        });
        let Some(l2) = gone else { return left };
        let l1 = pairs.iter().find(|p| p.1 == l2).expect("it has one incoming edge").0;
        let after: Vec<Location> = pairs.iter().filter(|p| p.0 == l2).map(|p| p.1).collect();
        pairs.retain(|p| p.0 != l2 && p.1 != l2);
        pairs.extend(after.into_iter().map(|t| (l1, t)));
        left.remove(&l2);
    }
}

struct World {
    terms: Terms,
    variables: Vec<Symbol>,
}

impl World {
    fn new() -> Self {
        let mut terms = Terms::new();
        let variables =
            ["x", "y"].into_iter().map(|n| terms.symbol(n, Sort::Bits(WIDTH))).collect();
        Self { terms, variables }
    }

    fn operation(&mut self, random: &mut Random) -> Operation {
        let pick = |w: &mut World, random: &mut Random| {
            let v = w.variables[random.below(2)];
            match random.below(3) {
                0 => w.terms.bits(WIDTH, random.below(4) as u64),
                _ => w.terms.variable(v),
            }
        };
        let (a, b) = (pick(self, random), pick(self, random));
        let (x, y) = (self.variables[0], self.variables[1]);
        match random.below(8) {
            0 => Operation::Skip,
            1 => Operation::Assume(self.terms.equal(a, b)),
            2 => Operation::Assume(self.terms.distinct(a, b)),
            3 => Operation::Assume(self.terms.compare(Comparison::ULt, a, b)),
            4 => Operation::Havoc(x, Origin::Input),
            5 => Operation::Parallel(vec![(x, b), (y, a)]),
            6 => Operation::Assign(x, self.terms.binary(BitOp::Add, a, b)),
            _ => Operation::Assign(y, a),
        }
    }

    /// All states after an operation in a state.
    fn post(&self, state: &State, operation: &Operation) -> Vec<State> {
        let value = |t: Term| {
            let leaf = |l: Term| match *self.terms.node(l) {
                Node::Variable(s) => {
                    self.variables.iter().position(|&v| v == s).map(|i| Value::Bits(state[i]))
                }
                _ => None,
            };
            self.terms.evaluate(t, &leaf).expect("all variables have values")
        };
        if let Operation::Assume(p) = operation {
            return if value(*p) == Value::Bool(true) { vec![state.clone()] } else { vec![] };
        }
        let mut states = vec![state.clone()];
        for (symbol, new) in operation.changes() {
            let at = self.variables.iter().position(|&v| v == symbol).expect("a known variable");
            let choices: Vec<u64> = match new.map(value) {
                Some(Value::Bits(b)) => vec![b],
                _ => (0..1 << WIDTH).collect(),
            };
            let with = |s: &State, b: u64| {
                let mut s = s.clone();
                s[at] = b;
                s
            };
            states = states.iter().flat_map(|s| choices.iter().map(move |&b| with(s, b))).collect();
        }
        states
    }

    fn all_states() -> Vec<State> {
        (0..16).map(|i| vec![i & 3, i >> 2]).collect()
    }

    /// The error is reachable by these blocks, by enumeration.
    fn reaches(
        &mut self,
        automaton: &Automaton,
        live: &Liveness,
        blocks: &[Block],
        error: Location,
    ) -> bool {
        let relations: Vec<BTreeSet<(State, State)>> =
            blocks.iter().map(|b| self.relation(automaton, live, b)).collect();
        let mut seen: BTreeSet<(Location, State)> =
            Self::all_states().into_iter().map(|s| (automaton.entry, s)).collect();
        let mut todo: Vec<(Location, State)> = seen.iter().cloned().collect();
        while let Some((l, s)) = todo.pop() {
            if l == error {
                return true;
            }
            for (block, relation) in blocks.iter().zip(&relations) {
                if block.source == l {
                    for (_, after) in relation.iter().filter(|(before, _)| *before == s) {
                        if seen.insert((block.target, after.clone())) {
                            todo.push((block.target, after.clone()));
                        }
                    }
                }
            }
        }
        false
    }

    /// A block's formula as pairs of states: all models.
    fn relation(
        &mut self,
        automaton: &Automaton,
        live: &Liveness,
        block: &Block,
    ) -> BTreeSet<(State, State)> {
        let relation = encode(&mut self.terms, automaton, live, block);
        let mut solver = SolverKind::Blast.solver().expect("it is our own");
        for &c in &relation.conjuncts {
            solver.assert(&self.terms, c).expect("bit-vectors");
        }
        let before: Vec<Term> = self.variables.iter().map(|&v| self.terms.instance(v, 0)).collect();
        let after: Vec<Term> = self
            .variables
            .iter()
            .zip(&before)
            .map(|(v, &b)| relation.post.iter().find(|(s, _)| s == v).map_or(b, |&(_, t)| t))
            .collect();
        let all: Vec<Term> = before.iter().chain(&after).copied().collect();
        let mut pairs = BTreeSet::new();
        while solver.check(&self.terms, &[], &Budget::unlimited()) == Ok(SmtAnswer::Sat) {
            let values = solver.values(&self.terms, &all).expect("there is a model");
            let bits: Vec<u64> = values
                .iter()
                .map(|v| if let Value::Bits(b) = v { *b } else { unreachable!("bit-vectors") })
                .collect();
            let differs: Vec<Term> = all
                .iter()
                .zip(&bits)
                .map(|(&t, &b)| {
                    let b = self.terms.bits(WIDTH, b);
                    self.terms.distinct(t, b)
                })
                .collect();
            let differs = self.terms.or(&differs);
            solver.assert(&self.terms, differs).expect("bit-vectors");
            pairs.insert((bits[..2].to_vec(), bits[2..].to_vec()));
        }
        pairs
    }

    /// The same by executing the block's edges.
    fn executed(&self, automaton: &Automaton, block: &Block) -> BTreeSet<(State, State)> {
        let mut pairs = BTreeSet::new();
        for start in Self::all_states() {
            let mut seen: BTreeSet<(Location, State)> = BTreeSet::new();
            let mut todo = vec![(block.source, start.clone())];
            while let Some((l, s)) = todo.pop() {
                for &e in &block.edges {
                    let edge = &automaton.edges[e as usize];
                    if edge.source != l {
                        continue;
                    }
                    for after in self.post(&s, &edge.operation) {
                        if edge.target == block.target {
                            pairs.insert((start.clone(), after));
                        } else if seen.insert((edge.target, after.clone())) {
                            todo.push((edge.target, after));
                        }
                    }
                }
            }
        }
        pairs
    }

    /// The same, of as many edges as the block's paths have before each.
    fn executed_steps(&self, automaton: &Automaton, block: &Block) -> BTreeSet<(State, State)> {
        let mut pairs = BTreeSet::new();
        for start in Self::all_states() {
            let mut at: BTreeMap<Point, BTreeSet<State>> = BTreeMap::new();
            at.entry(block.start()).or_default().insert(start.clone());
            for (e, from, to) in block.steps(automaton) {
                let operation = &automaton.edges[e as usize].operation;
                for state in at.get(&from).cloned().unwrap_or_default() {
                    at.entry(to).or_default().extend(self.post(&state, operation));
                }
            }
            let ends = at.remove(&block.end()).unwrap_or_default();
            pairs.extend(ends.into_iter().map(|end| (start.clone(), end)));
        }
        pairs
    }
}

/// Theorem 3.1 (i); of adjustable blocks, too, that they leave out no path.
#[test]
fn theorem_3_1_on_random_automata() {
    let mut random = Random::new(3);
    let (mut reachable, mut smaller) = (0, 0);
    let everything = Liveness::everything();
    for round in 0..400 {
        let mut world = World::new();
        let n = 3 + random.below(7) as u32;
        let mut edges: Vec<Edge> = vec![];
        for _ in 0..n + random.below(2 * n as usize) as u32 {
            // No edge leads to the entry, none leaves the error: Rule 0.
            let (source, target) = (random.below(n as usize - 1), 1 + random.below(n as usize - 1));
            let operation = world.operation(&mut random);
            edges.push(edge(source as u32, target as u32, operation));
        }
        let automaton = prune(automaton(0, n - 1, n, edges));
        let Some(&(error, _)) = automaton.goals.first() else { continue };
        let summary = summarise(&automaton);
        let kept: BTreeSet<Location> = summary.locations.iter().copied().collect();
        assert_eq!(kept, naive(&automaton), "round {round}: {:?}", automaton.edges);
        for block in &summary.blocks {
            let formula = world.relation(&automaton, &everything, block);
            assert_eq!(formula, world.executed(&automaton, block), "round {round}, {block:?}");
        }
        let single = single_blocks(&automaton);
        let before = world.reaches(&automaton, &everything, &single.blocks, error);
        // What is dead does not matter.
        for live in [&everything, &Liveness::new(&world.terms, &automaton)] {
            let after = world.reaches(&automaton, live, &summary.blocks, error);
            assert_eq!(before, after, "round {round}, {live:?}");
        }
        for name in ["abe-lf", "abe-loops", "abe-loops:2", "abe-n:1", "abe-n:2", "abe-n:3"] {
            let blocks: Blocks = name.parse().expect("a block operator");
            let adjusted = blocks.divide(&automaton);
            for block in &adjusted.blocks {
                let formula = world.relation(&automaton, &everything, block);
                let executed = world.executed_steps(&automaton, block);
                assert_eq!(formula, executed, "round {round}, {name}, {block:?}");
            }
            let after = world.reaches(&automaton, &everything, &adjusted.blocks, error);
            assert_eq!(before, after, "round {round}, {name}");
        }
        reachable += usize::from(before);
        smaller += usize::from(summary.locations.len() < single.locations.len());
    }
    assert!(reachable > 50, "{reachable} of the random automata reach the error");
    assert!(smaller > 100, "{smaller} of the random automata get smaller");
}

/// Fig. 2: `while (i > 0) { x = ...; if ([p]) ... else ...; i-- }`: what is left is the entry, the
/// loop head and the end.
#[test]
fn figure_2() {
    let mut world = World::new();
    let skip = || Operation::Skip;
    let (x, y) = (world.variables[0], world.variables[1]);
    let zero = world.terms.bits(WIDTH, 0);
    let vx = world.terms.variable(x);
    let positive = world.terms.distinct(vx, zero);
    let stop = world.terms.equal(vx, zero);
    let vy = world.terms.variable(y);
    let equal = world.terms.equal(vx, vy);
    let differ = world.terms.distinct(vx, vy);
    // L1: while (i>0) { L2: if (x==1) { L3: z=0 } else { L4: z=1 } L5: i=i-1 } L6: exit (here:
    // error)
    let edges = vec![
        edge(0, 1, skip()),
        edge(1, 2, Operation::Assume(positive)),
        edge(2, 3, Operation::Assume(equal)),
        edge(2, 4, Operation::Assume(differ)),
        edge(3, 5, Operation::Assign(y, zero)),
        edge(4, 5, Operation::Assign(y, vx)),
        edge(5, 1, Operation::Havoc(x, Origin::Input)),
        edge(1, 6, Operation::Assume(stop)),
    ];
    let automaton = automaton(0, 6, 7, edges);
    let summary = summarise(&automaton);
    assert_eq!(summary.locations, [0, 1, 6].map(Location));
    let shape: Vec<(u32, u32, usize)> =
        summary.blocks.iter().map(|b| (b.source.0, b.target.0, b.edges.len())).collect();
    assert_eq!(shape, [(0, 1, 1), (1, 1, 6), (1, 6, 1)]);
}

/// The formula of N diamonds is linear in N, although there are 2^N paths.
#[test]
fn diamonds_stay_small() {
    let size = |n: u32| {
        let mut world = World::new();
        let x = world.variables[0];
        let mut edges = vec![];
        for i in 0..n {
            let name = format!("p{i}");
            let p = world.terms.symbol(&name, Sort::Bool);
            let p = world.terms.variable(p);
            let not = world.terms.not(p);
            let value = world.terms.bits(WIDTH, u64::from(i % 4));
            edges.push(edge(3 * i, 3 * i + 1, Operation::Assume(p)));
            edges.push(edge(3 * i, 3 * i + 2, Operation::Assume(not)));
            edges.push(edge(3 * i + 1, 3 * i + 3, Operation::Assign(x, value)));
            edges.push(edge(3 * i + 2, 3 * i + 3, Operation::Skip));
        }
        let automaton = automaton(0, 3 * n, 3 * n + 1, edges);
        let summary = summarise(&automaton);
        assert_eq!(summary.blocks.len(), 1);
        let relation =
            encode(&mut world.terms, &automaton, &Liveness::everything(), &summary.blocks[0]);
        assert_eq!(relation.post.len(), 1);
        let all = world.terms.and(&relation.conjuncts);
        let post = relation.post[0].1;
        world.terms.size(all) + world.terms.size(post)
    };
    let (small, large) = (size(100), size(2000));
    assert!(large <= 21 * small, "{large} for 2,000 diamonds, {small} for 100");
}
