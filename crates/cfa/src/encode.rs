//! Formulas of blocks: the strongest postcondition as a relation between the data states before and
//! after the block (Sect. II-A and III-A of "Software Model Checking via Large-Block Encoding": SP
//! of op1;op2 is SP_op2 after SP_op1, SP of op1||op2 their disjunction).
//!
//! One pass over the block's edges maintains a path condition and the values of the variables.
//! Where paths join, a variable with different values gets a new instance (SSA), given by a total
//! definition m = ite(path, value, ...), so the size of the formula is that of the block, whatever
//! the number of paths. Variables that are dead at the join get no instance.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::automaton::Automaton;
use super::live::Liveness;
use super::operation::{Operation, Origin};
use super::program::Location;
use super::summarise::{Block, Point};
use hardbop_smt::{Node, Sort, Symbol, Term, Terms};

/// Path conditions up to this size are not named.
const SMALL: usize = 8;

/// A block as a formula.  Instance 0 of a variable is its value before the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Conjuncts that, together with values of the instances 0, are satisfiable if and only if the
    /// block can be passed from those values.
    pub conjuncts: Vec<Term>,
    /// The first conjuncts, which are total definitions of instances, each after those that it
    /// uses. The remaining conjuncts are the path condition.
    pub definitions: Vec<(Term, Term)>,
    /// The variables that the block may change, in order, with their values afterwards; dead ones
    /// get any value.
    pub post: Vec<(Symbol, Term)>,
    /// Values that nothing determines: the position of the edge in the block, variable, instance,
    /// and origin.
    pub inputs: Vec<(u32, Symbol, Term, Origin)>,
}

/// The path condition as conjuncts, and the values of changed variables.
#[derive(Clone, Default)]
struct State {
    path: Vec<Term>,
    values: Rc<FxHashMap<Symbol, Term>>,
}

impl State {
    fn value(&self, terms: &mut Terms, symbol: Symbol) -> Term {
        self.values.get(&symbol).copied().unwrap_or_else(|| terms.instance(symbol, 0))
    }
}

struct Encoder<'a> {
    terms: &'a mut Terms,
    live: &'a Liveness,
    /// The number of instances of each variable so far.
    instances: FxHashMap<Symbol, u32>,
    /// Definitions of instances, each after those that it uses.
    definitions: Vec<(Term, Term)>,
    inputs: Vec<(u32, Symbol, Term, Origin)>,
}

/// The formula of a block.
pub fn encode(
    terms: &mut Terms,
    automaton: &Automaton,
    live: &Liveness,
    block: &Block,
) -> Relation {
    let instances = FxHashMap::default();
    let mut encoder = Encoder { terms, live, instances, definitions: vec![], inputs: vec![] };
    let mut arrived: FxHashMap<Point, Vec<State>> = FxHashMap::default();
    let mut current = (block.start(), State::default());
    for (position, (number, from, to)) in (0..).zip(block.steps(automaton)) {
        if from != current.0 {
            // All edges to this point have been processed before.
            let states = arrived.remove(&from).unwrap_or_default();
            current = (from, encoder.merge(from.0, states));
        }
        let operation = &automaton.edges[number as usize].operation;
        let state = encoder.step(&current.1, position, operation);
        arrived.entry(to).or_default().push(state);
    }
    let states = arrived.remove(&block.end()).unwrap_or_default();
    let end = encoder.merge(block.target, states);
    let mut changed: Vec<Symbol> = vec![];
    for &number in &block.edges {
        let operation = &automaton.edges[number as usize].operation;
        changed.extend(operation.changes().map(|(symbol, _)| symbol));
    }
    changed.sort_unstable();
    changed.dedup();
    encoder.relation(&end, &changed, block.target)
}

impl Encoder<'_> {
    fn instance(&mut self, symbol: Symbol) -> Term {
        let count = self.instances.entry(symbol).or_default();
        *count += 1;
        self.terms.instance(symbol, *count)
    }

    /// Instantiates a term over variables in a state.
    fn read(&mut self, state: &State, term: Term) -> Term {
        self.terms.substitute(term, |terms, leaf| match *terms.node(leaf) {
            Node::Variable(symbol) => Some(state.value(terms, symbol)),
            _ => None,
        })
    }

    /// The strongest postcondition of one edge.
    fn step(&mut self, before: &State, position: u32, operation: &Operation) -> State {
        let mut after = before.clone();
        match operation {
            Operation::Skip => {}
            Operation::Assume(p) => {
                let p = self.read(before, *p);
                after.path.extend(self.terms.conjuncts(p));
            }
            Operation::Havoc(symbol, origin) => {
                let any = self.instance(*symbol);
                self.inputs.push((position, *symbol, any, *origin));
                Rc::make_mut(&mut after.values).insert(*symbol, any);
            }
            Operation::Assign(..) | Operation::Parallel(_) => {
                let changes: Vec<_> = operation.changes().collect();
                for (symbol, value) in changes {
                    let value = value.expect("an assignment has values");
                    let value = self.read(before, value);
                    Rc::make_mut(&mut after.values).insert(symbol, value);
                }
            }
        }
        after
    }

    /// Joins paths: the disjunction of their states.
    fn merge(&mut self, location: Location, mut states: Vec<State>) -> State {
        let Some(first) = states.pop() else {
            // No path leads here.
            return State { path: vec![self.terms.bool(false)], values: Rc::default() };
        };
        if states.is_empty() {
            return first;
        }
        states.push(first);
        let shared = (0..).take_while(|&i| {
            let at = |s: &State| s.path.get(i).copied();
            at(&states[0]).is_some() && states.iter().all(|s| at(s) == at(&states[0]))
        });
        let shared = shared.count();
        let mut path = states[0].path[..shared].to_vec();
        let mut rests: Vec<Vec<Term>> = states.iter().map(|s| s.path[shared..].to_vec()).collect();
        self.separate(&mut rests);
        path.extend(self.any_of(&rests));
        let rests: Vec<Term> = rests.iter().map(|r| self.terms.and(r)).collect();

        let mut changed: Vec<Symbol> =
            states.iter().flat_map(|s| s.values.keys().copied()).collect();
        changed.retain(|&s| self.live.contains(location, s));
        changed.sort_unstable();
        changed.dedup();
        let mut values = FxHashMap::default();
        for symbol in changed {
            let each: Vec<Term> = states.iter().map(|s| s.value(self.terms, symbol)).collect();
            values.insert(symbol, self.select(symbol, &rests, &each));
        }
        State { path, values: Rc::new(values) }
    }

    /// Makes paths exclusive by adding choices: where several paths can be taken, any of them may
    /// be chosen.
    fn separate(&mut self, paths: &mut [Vec<Term>]) {
        let negated: Vec<FxHashSet<Term>> =
            paths.iter().map(|p| p.iter().map(|&t| self.terms.not(t)).collect()).collect();
        let exclusive = paths
            .iter()
            .enumerate()
            .all(|(i, p)| negated[i + 1..].iter().all(|n| p.iter().any(|t| n.contains(t))));
        if exclusive {
            return;
        }
        let choice = self.terms.own_symbol("choice", Sort::Bool);
        let mut not_yet = vec![];
        let last = paths.len() - 1;
        for (i, path) in paths.iter_mut().enumerate() {
            // The choice comes last, so that branches that differ only in it join again.
            path.extend(&not_yet);
            if i < last {
                let here = self.instance(choice);
                path.push(here);
                not_yet.push(self.terms.not(here));
            }
        }
    }

    /// Selects the value that belongs to the path taken.
    fn select(&mut self, symbol: Symbol, paths: &[Term], values: &[Term]) -> Term {
        let last = *values.last().expect("paths join");
        if values.iter().all(|&v| v == last) {
            return last;
        }
        let mut chosen = last;
        for (&path, &value) in paths.iter().zip(values).rev().skip(1) {
            chosen = self.terms.ite(path, value, chosen);
        }
        let node = self.terms.node(chosen);
        if node.is_constant() || node.is_leaf() {
            return chosen;
        }
        let new = self.instance(symbol);
        self.definitions.push((new, chosen));
        new
    }

    /// A disjunction of conjunctions, as conjuncts; a branch on a condition disappears when its two
    /// sides join again.
    fn any_of(&mut self, paths: &[Vec<Term>]) -> Vec<Term> {
        let mut left: Vec<Vec<Term>> = paths.to_vec();
        let mut merged = true;
        while merged {
            merged = false;
            left.sort();
            left.dedup();
            let known: FxHashSet<Vec<Term>> = left.iter().cloned().collect();
            for path in &mut left {
                let Some(&last) = path.last() else { return vec![] };
                let mut other = path.clone();
                *other.last_mut().expect("it has a last one") = self.terms.not(last);
                if known.contains(&other) {
                    path.pop();
                    merged = true;
                }
            }
        }
        let each: Vec<Term> = left.iter().map(|p| self.terms.and(p)).collect();
        let any = self.terms.or(&each);
        if self.terms.size(any) <= SMALL {
            return self.terms.conjuncts(any);
        }
        let place = self.terms.own_symbol("path", Sort::Bool);
        let new = self.instance(place);
        self.definitions.push((new, any));
        vec![new]
    }

    /// Keeps the definitions that matter, and the path condition.
    fn relation(mut self, end: &State, changed: &[Symbol], target: Location) -> Relation {
        let mut post: Vec<(Symbol, Term)> = vec![];
        for &s in changed {
            match end.values.get(&s) {
                Some(&t) if self.live.contains(target, s) => post.push((s, t)),
                // Dead here or where paths joined.
                _ => post.push((s, self.instance(s))),
            }
        }
        let Self { terms, definitions, inputs, .. } = self;
        post.retain(|&(s, t)| t != terms.instance(s, 0));
        let mut needed: FxHashSet<Term> = FxHashSet::default();
        for t in end.path.iter().copied().chain(post.iter().map(|&(_, t)| t)) {
            needed.extend(terms.support(t));
        }
        let mut used = vec![];
        for (new, value) in definitions.into_iter().rev() {
            if needed.contains(&new) {
                needed.extend(terms.support(value));
                used.push((new, value));
            }
        }
        used.reverse();
        let mut conjuncts: Vec<Term> = used.iter().map(|&(new, v)| terms.equal(new, v)).collect();
        conjuncts.extend(&end.path);
        Relation { conjuncts, definitions: used, post, inputs }
    }
}
