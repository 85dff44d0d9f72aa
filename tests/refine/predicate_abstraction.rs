//! Predicate abstraction of random blocks against enumeration of all data states.

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_refine::predicate::abstraction::Effort;
use hardbop_refine::predicate::{
    Abstraction, Abstractor, BlockFormula, PredicateId, State, Vocabulary,
};
use hardbop_smt::{
    BitOp, Comparison, Node, Purpose, SolverKind, Solvers, Sort, Symbol, Term, Terms, Value,
};

/// Bits of each variable.
const WIDTH: u32 = 2;
const VARIABLES: usize = 4;
const PREDICATES: usize = 7;

struct World {
    terms: Terms,
    symbols: Vec<Symbol>,
    variables: Vec<Term>,
    random: Random,
}

/// A block as `cfa::encode` makes them: definitions, then the path condition.
struct Block {
    definitions: Vec<(Term, Term)>,
    path: Vec<Term>,
    post: Vec<(Symbol, Term)>,
    /// Instances without a definition.
    inputs: Vec<Term>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut terms = Terms::new();
        let symbols: Vec<Symbol> =
            (0..VARIABLES).map(|i| terms.symbol(&format!("v{i}"), Sort::Bits(WIDTH))).collect();
        let variables = symbols.iter().map(|&s| terms.variable(s)).collect();
        Self { terms, symbols, variables, random: Random::new(seed) }
    }

    /// A value over some terms.
    fn value(&mut self, pool: &[Term]) -> Term {
        let a = pool[self.random.below(pool.len())];
        let b = pool[self.random.below(pool.len())];
        let constant = self.terms.bits(WIDTH, self.random.below(4) as u64);
        match self.random.below(5) {
            0 => constant,
            1 => self.terms.binary(BitOp::Add, a, b),
            2 => self.terms.binary(BitOp::And, a, constant),
            3 => {
                let condition = self.condition(pool);
                self.terms.ite(condition, a, constant)
            }
            _ => a,
        }
    }

    fn condition(&mut self, pool: &[Term]) -> Term {
        let a = pool[self.random.below(pool.len())];
        let b = match self.random.below(3) {
            0 => pool[self.random.below(pool.len())],
            _ => self.terms.bits(WIDTH, self.random.below(4) as u64),
        };
        match self.random.below(4) {
            0 => self.terms.equal(a, b),
            1 => self.terms.compare(Comparison::ULt, a, b),
            2 => self.terms.compare(Comparison::SLt, a, b),
            _ => {
                let (p, q) = (self.terms.equal(a, b), self.condition(pool));
                self.terms.or(&[p, q])
            }
        }
    }

    fn block(&mut self) -> Block {
        let mut inputs: Vec<Term> =
            self.symbols.clone().into_iter().map(|s| self.terms.instance(s, 0)).collect();
        let mut pool = inputs.clone();
        let mut definitions = vec![];
        let mut instances = [0; VARIABLES];
        for _ in 0..4 {
            let i = self.random.below(VARIABLES);
            instances[i] += 1;
            let new = self.terms.instance(self.symbols[i], instances[i]);
            if inputs.len() < 6 && self.random.below(2) == 0 {
                inputs.push(new);
            } else {
                let value = self.value(&pool);
                definitions.push((new, value));
            }
            pool.push(new);
        }
        let path = (0..self.random.below(3)).map(|_| self.condition(&pool)).collect();
        let mut post: Vec<(Symbol, Term)> = vec![];
        for (i, &symbol) in self.symbols.clone().iter().enumerate() {
            if instances[i] > 0 {
                post.push((symbol, self.terms.instance(symbol, instances[i])));
            }
        }
        Block { definitions, path, post, inputs }
    }
}

/// All valuations of the predicates after the block, by trying all inputs.
fn enumerate(world: &World, before: Term, block: &Block, predicates: &[Term]) -> Vec<Vec<bool>> {
    let terms = &world.terms;
    let mut found = vec![];
    for number in 0..1_u64 << (block.inputs.len() as u32 * WIDTH) {
        let mut values: Vec<(Term, Value)> = block
            .inputs
            .iter()
            .enumerate()
            .map(|(i, &t)| (t, Value::Bits(number >> (i as u32 * WIDTH) & 3)))
            .collect();
        let of = |values: &[(Term, Value)], t: Term| {
            terms
                .evaluate(t, &|leaf| values.iter().find(|v| v.0 == leaf).map(|v| v.1))
                .expect("all are known")
        };
        for &(new, definition) in &block.definitions {
            let value = of(&values, definition);
            values.push((new, value));
        }
        let old: Vec<_> = (0..VARIABLES).map(|i| variable(world, &values, i, None)).collect();
        let new: Vec<_> =
            (0..VARIABLES).map(|i| variable(world, &values, i, Some(block))).collect();
        let passes = block.path.iter().all(|&p| of(&values, p) == Value::Bool(true));
        if passes && of(&old, before) == Value::Bool(true) {
            found.push(predicates.iter().map(|&p| of(&new, p) == Value::Bool(true)).collect());
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A variable, with its value before the block or after it.
fn variable(
    world: &World,
    values: &[(Term, Value)],
    i: usize,
    after: Option<&Block>,
) -> (Term, Value) {
    let symbol = world.symbols[i];
    let changed = after.and_then(|b| b.post.iter().find(|p| p.0 == symbol));
    let before = || world.terms.find_instance(symbol, 0).expect("blocks make them");
    let instance = changed.map_or_else(before, |p| p.1);
    let value = values.iter().find(|v| v.0 == instance).expect("all are known").1;
    (world.variables[i], value)
}

/// Does the state allow these values of the predicates?
fn allows(state: &State, ids: &[PredicateId], row: &[bool]) -> bool {
    let mut at = state.clone();
    while let Some((top, high, low)) = at.branch() {
        let i = ids.iter().position(|p| p.0 == top).expect("a predicate");
        at = if row[i] { high } else { low };
    }
    at.is_true()
}

/// The abstraction of a block's successors, and how much was asked of the solver.
fn successor(
    world: &mut World,
    abstraction: Abstraction,
    before: (usize, bool),
    block: &Block,
    predicates: &[Term],
) -> (State, Vec<PredicateId>, Effort) {
    let budget = Budget::unlimited();
    let terms = &mut world.terms;
    let mut vocabulary = Vocabulary::new(&budget).expect("memory");
    let ids: Vec<PredicateId> = predicates
        .iter()
        .map(|&p| vocabulary.add(terms, p).expect("memory").expect("no constant"))
        .collect();
    let mut state = vocabulary.manager().variable(ids[before.0].0);
    if !before.1 {
        state = vocabulary.manager().not(&state).expect("memory");
    }
    let conjuncts: Vec<Term> = block.definitions.iter().map(|&(a, b)| terms.equal(a, b)).collect();
    let conjuncts = [conjuncts, block.path.clone()].concat();
    let formula = BlockFormula {
        number: 0,
        conjuncts: &conjuncts,
        definitions: &block.definitions,
        post: &block.post,
    };
    let source = Solvers::new(SolverKind::default(), None, Purpose::Abstraction);
    let mut abstractor = Abstractor::new(source, abstraction);
    let before = vocabulary.formula(terms, &state);
    let state = abstractor.successor(terms, &mut vocabulary, before, &formula, &ids, &budget);
    (state.expect("no limit"), ids, abstractor.effort())
}

/// SP^π, in both its forms, is what enumeration finds.
#[test]
fn abstractions_are_the_strongest() {
    let mut generalised = 0;
    for seed in 0..150 {
        let mut world = World::new(seed);
        let block = world.block();
        let variables = world.variables.clone();
        let mut predicates: Vec<Term> = vec![];
        while predicates.len() < PREDICATES {
            let p = match world.condition(&variables) {
                p if world.terms.value(p).is_some() => continue,
                p => match *world.terms.node(p) {
                    Node::Not(inner) => inner,
                    _ => p,
                },
            };
            if !predicates.contains(&p) {
                predicates.push(p);
            }
        }
        let before = (world.random.below(PREDICATES), world.random.below(2) == 0);
        let mut term = predicates[before.0];
        if !before.1 {
            term = world.terms.not(term);
        }
        let expected = enumerate(&world, term, &block, &predicates);
        let (boolean, ids, effort) =
            successor(&mut world, Abstraction::Boolean, before, &block, &predicates);
        generalised += effort.generalised;
        let (cartesian, ..) =
            successor(&mut world, Abstraction::Cartesian, before, &block, &predicates);
        for number in 0..1_u32 << PREDICATES {
            let row: Vec<bool> = (0..PREDICATES).map(|i| number >> i & 1 == 1).collect();
            assert_eq!(allows(&boolean, &ids, &row), expected.contains(&row), "{seed}: {row:?}");
            let literals = (0..PREDICATES).all(|i| expected.iter().any(|e| e[i] == row[i]));
            assert_eq!(allows(&cartesian, &ids, &row), literals, "{seed}, Cartesian: {row:?}");
        }
    }
    assert!(generalised > 30, "only {generalised} models stood for several valuations");
}

/// What does not depend on each other is not multiplied out: 12 variables that get any value.
#[test]
fn independent_predicates_are_one_cube() {
    let mut terms = Terms::new();
    let symbols: Vec<Symbol> =
        (0..12).map(|i| terms.symbol(&format!("v{i}"), Sort::Bits(8))).collect();
    let variables: Vec<Term> = symbols.iter().map(|&s| terms.variable(s)).collect();
    let seven = terms.bits(8, 7);
    let predicates: Vec<Term> = variables.iter().map(|&v| terms.equal(v, seven)).collect();
    let inputs: Vec<Term> = symbols.iter().map(|&s| terms.instance(s, 1)).collect();
    let post = symbols.iter().copied().zip(inputs.iter().copied()).collect();
    let block = Block { definitions: vec![], path: vec![], post, inputs };
    let mut world = World { terms, symbols, variables, random: Random::new(0) };
    let (state, _, effort) =
        successor(&mut world, Abstraction::Boolean, (0, true), &block, &predicates);
    assert!(state.is_true());
    assert!(effort.model_calls < 100, "{effort:?}, where there are 4096 valuations");
}
