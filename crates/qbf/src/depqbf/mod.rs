//! DepQBF (Lonsing and Egly, "Incremental QBF Solving by DepQBF", ICMS 2014), through its C
//! library, used incrementally.
//!
//! The queries of a run share most of their graph, but an input may be existential in one query and universal in the
//! next.  So every input, and every gate by Tseitin's encoding, is a variable of the inner, existential block, whose
//! clauses are permanent; an input that was ever universal has a second variable in the outer block.  What a query adds
//! goes into a frame that is removed afterwards: the query's universals equal their outer variables, and its matrix
//! holds.
//!
//! Incremental use excludes the library's strongest techniques (elimination of blocked clauses, dependency schemes).
//! So a query that a few decisions do not settle gets a solver of its own.
//!
//! The library can neither be interrupted nor call back, so each call has a limit on decisions.  A solver that is not
//! incremental can be called only once; it is made anew with twice the limit.  A budget is exceeded by at most about
//! the time that the query has taken.

mod library;

use rustc_hash::FxHashMap;

use self::library::{Block, Called, Library};
use super::query::ForallExists;
use super::solver::{QbfAnswer, QbfSolver, Validity};
use hardbop_base::budget::{Budget, Exhausted, SolverFailure};
use hardbop_logic::cnf::{ClauseSink, Cnf, Encoder};
use hardbop_logic::{Aig, Input, Lit, Node};

/// Limits on decisions: of the incremental solver, of the first solver for a single query, and of any solver.
const INCREMENTAL_DECISIONS: u32 = 100;
const FIRST_DECISIONS: u32 = 200;
const MOST_DECISIONS: u32 = 1 << 30;
/// Room of the incremental solver, in graph nodes.  Since it assigns everything that it has ever seen, it is replaced
/// when its graph exceeds its room, or when the room is less than `TIMES` times the size of the query.  A new solver
/// gets room for twice that, and at least `ROOM`, which doubles from solver to solver up to `MOST_ROOM`.
const TIMES: usize = 3;
const ROOM: usize = 500;
const MOST_ROOM: usize = 5_000;

/// A solver on top of DepQBF.
#[derive(Default)]
pub struct DepQbf {
    /// Is the incremental solver never used?
    fresh: bool,
    state: Option<State>,
    /// The number of incremental solvers made so far.
    solvers: u32,
}

/// The state that is kept between queries.
struct State {
    library: Library,
    /// A separate graph with the same inputs as the caller's, so that encoded nodes keep their meaning even if queries
    /// come from different graphs.
    graph: Aig,
    encoder: Encoder,
    /// The number of variables so far.
    variables: i32,
    /// The largest size of the graph, in nodes.
    room: usize,
    /// For each input, its variable in the outer block.
    outer: FxHashMap<Input, i32>,
}

impl std::fmt::Debug for DepQbf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DepQbf").finish_non_exhaustive()
    }
}

impl DepQbf {
    pub fn new() -> Self {
        Self::default()
    }

    /// A solver that uses a new library solver for every query.
    pub fn fresh() -> Self {
        Self { fresh: true, ..Self::default() }
    }

    fn decide(
        &mut self,
        aig: &Aig,
        query: &ForallExists,
        budget: &Budget,
    ) -> Result<Validity, Exhausted> {
        budget.check()?;
        // The graph has all inputs.
        let size = aig.cone(query.literals()).len() + aig.input_count();
        self.state = self.state.take().filter(|s| s.graph.len().max(TIMES * size) <= s.room);
        if self.state.is_none() {
            let room = (ROOM << self.solvers.min(8)).min(MOST_ROOM).max(2 * TIMES * size);
            self.solvers = self.solvers.saturating_add(1);
            let failure = Exhausted::Solver(SolverFailure::Library);
            self.state = Some(State::new(room).ok_or(failure)?);
        }
        match &mut self.state {
            Some(state) => state.decide(aig, query, self.fresh, budget),
            None => Err(Exhausted::Solver(SolverFailure::Library)),
        }
    }
}

impl State {
    /// A state for graphs of up to `room` nodes.
    fn new(room: usize) -> Option<Self> {
        // Each node needs a variable, and each input a second one.
        let capacity = i32::try_from(2 * room).ok()?;
        Some(Self {
            library: Library::incremental(capacity)?,
            graph: Aig::new(),
            encoder: Encoder::new(),
            variables: 0,
            room,
            outer: FxHashMap::default(),
        })
    }

    fn decide(
        &mut self,
        aig: &Aig,
        query: &ForallExists,
        fresh: bool,
        budget: &Budget,
    ) -> Result<Validity, Exhausted> {
        let query = self.copy(aig, query);
        let matrix = query.matrix(&mut self.graph);
        match matrix {
            Lit::TRUE => return Ok(Validity::Valid),
            Lit::FALSE => return Ok(Validity::Invalid { counterexample: Some(vec![]) }),
            _ => {}
        }
        let mut universals = self.graph.support([matrix]);
        universals.retain(|x| !query.existentials.contains(x));
        if fresh || self.graph.len() > self.room {
            return self.alone(matrix, &universals, budget);
        }
        let root = self.encode(matrix, &universals);

        self.library.push();
        for x in &universals {
            if let Some(inner) = self.encoder.input(&self.graph, *x) {
                let outer = self.outer[x];
                self.library.add(&[inner, -outer]);
                self.library.add(&[-inner, outer]);
            }
        }
        self.library.add(&[root]);
        let validity = match self.library.solve(INCREMENTAL_DECISIONS) {
            Called::True => Some(Validity::Valid),
            Called::False(answered) => {
                Some(refuted(&universals, |x| answered.value(self.outer[&x])))
            }
            Called::Open => None,
        };
        self.library.pop();
        match validity {
            Some(validity) => Ok(validity),
            None => self.alone(matrix, &universals, budget),
        }
    }

    /// Copies the query to the solver's own graph.
    fn copy(&mut self, aig: &Aig, query: &ForallExists) -> ForallExists {
        while self.graph.input_count() < aig.input_count() {
            self.graph.new_input();
        }
        let mut image: FxHashMap<usize, Lit> = FxHashMap::default();
        let of = |image: &FxHashMap<usize, Lit>, l: Lit| image[&l.node()].xor_sign(l.is_negated());
        for n in aig.cone(query.literals()) {
            let lit = match aig.node(n) {
                Node::False => Lit::FALSE,
                Node::Input(i) => self.graph.input(i),
                Node::And(a, b) => self.graph.and(of(&image, a), of(&image, b)),
            };
            image.insert(n, lit);
        }
        // A cone need not contain the constant.
        image.insert(Lit::FALSE.node(), Lit::FALSE);
        let all = |lits: &[Lit]| lits.iter().map(|&l| of(&image, l)).collect();
        let pairs = query.equalities.iter();
        ForallExists {
            existentials: query.existentials.clone(),
            premise: all(&query.premise),
            conclusion: all(&query.conclusion),
            equalities: pairs.map(|&(l, r)| (of(&image, l), of(&image, r))).collect(),
        }
    }

    /// Encodes the new parts of a formula and its universals: all variables first, as the library requires, then the
    /// clauses.  Returns the formula's literal.
    fn encode(&mut self, matrix: Lit, universals: &[Input]) -> i32 {
        let mut new = Cnf { variables: self.variables, clauses: vec![] };
        let root = self.encoder.literal(&self.graph, matrix, &mut new);
        let inner = new.variables;
        for &x in universals {
            self.outer.entry(x).or_insert_with(|| new.fresh());
        }
        let block = |v| if v <= inner { Block::Inner } else { Block::Outer };
        self.library.declare(new.variables - self.variables, block);
        self.variables = new.variables;
        new.clauses.iter().for_each(|c| self.library.add(c));
        root
    }

    /// Decides one query with solvers made for it.
    fn alone(
        &self,
        matrix: Lit,
        universals: &[Input],
        budget: &Budget,
    ) -> Result<Validity, Exhausted> {
        let (mut cnf, mut encoder) = (Cnf::default(), Encoder::new());
        for &x in universals {
            let variable = cnf.fresh();
            encoder.bind(&self.graph, x, variable);
        }
        let outer = cnf.variables;
        let root = encoder.literal(&self.graph, matrix, &mut cnf);
        cnf.clause(&[root]);
        let mut decisions = FIRST_DECISIONS;
        loop {
            budget.check()?;
            let mut library = Library::once().ok_or(SolverFailure::Library)?;
            let block = |v| if v <= outer { Block::Outer } else { Block::Inner };
            library.declare(cnf.variables, block);
            cnf.clauses.iter().for_each(|c| library.add(c));
            match library.solve(decisions) {
                Called::True => return Ok(Validity::Valid),
                Called::False(answered) => {
                    let value = |x| answered.value(encoder.input(&self.graph, x)?);
                    return Ok(refuted(universals, value));
                }
                Called::Open => decisions = decisions.saturating_mul(2).min(MOST_DECISIONS),
            }
        }
    }
}

/// The answer "invalid", with the values that are known.
fn refuted(universals: &[Input], value: impl Fn(Input) -> Option<bool>) -> Validity {
    let counterexample = universals.iter().filter_map(|&x| Some((x, value(x)?))).collect();
    Validity::Invalid { counterexample: Some(counterexample) }
}

impl QbfSolver for DepQbf {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> QbfAnswer {
        QbfAnswer::new(self.decide(aig, query, budget).unwrap_or_else(Validity::Unknown))
    }
}
