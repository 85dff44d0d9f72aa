//! The Boolean abstraction of a program's functions, block by block.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::cache::{Cache, key};
use super::precision::{Interface, Predicates};
use super::question::{Question, Scope};
use super::relation::{Query, Relations};
use super::simulation::SimulationError;
use super::skeleton::Skeleton;
use super::update::{Sides, Update, update};
use crate::base::budget::Budget;
use crate::boolean::engine::EngineError;
use crate::refine::predicate::Abstraction;
use crate::refine::predicate::abstraction::{AbstractionError, Effort};
use crate::refine::tree::{Blocks, Problem};
use crate::solve::smt::{Solvers, Term, Terms};

/// Why there is no Boolean program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum C2bpError {
    #[error(transparent)]
    Abstraction(#[from] AbstractionError),
    /// A defect of an engine.
    #[error(transparent)]
    Engine(EngineError),
    /// An engine says that a Boolean program is safe, and its invariant does not show it: a defect.
    #[error("internal error: an invariant proves nothing: {0}")]
    Invariant(String),
    /// The abstraction leaves out what the program does: a defect.
    #[error("internal error: {0}")]
    Simulation(SimulationError),
    /// Our own text is not a program: a defect.
    #[error("internal error: the Boolean program is ill-formed: {0}")]
    IllFormed(String),
}

/// A variable of a procedure of the Boolean program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A predicate of the function, by number.
    Local(usize),
    /// A predicate over globals, by number.
    Global(usize),
    /// What a call passes for a formal predicate: numbers of the call and of the predicate.
    Argument(usize, usize),
    /// What a call returns: numbers of the call, and among the returned predicates.
    Returned(usize, usize),
    /// What a global predicate was before a call: numbers of the call and of the predicate.
    Saved(usize, usize),
}

impl Variable {
    /// After a call: has the callee given it its value?
    pub(super) fn is_left(self) -> bool {
        matches!(self, Self::Global(_) | Self::Returned(..))
    }
}

/// `targets := values constrain condition` over variables.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// By literal: the variable, and whether its value afterwards is meant.
    pub literals: Vec<(Variable, bool)>,
    /// By literal: what it says, over instances.
    pub terms: Vec<Term>,
    pub targets: Vec<Variable>,
    pub update: Rc<Update>,
    /// What the program does there, over the same instances.
    pub conjuncts: Rc<[Term]>,
}

/// The abstraction of a function.
#[derive(Debug, Clone)]
pub struct AbstractProcedure {
    pub interface: Interface,
    /// Excludes valuations of the predicates at the entry that no state has.
    pub start: Assignment,
    /// By block.
    pub blocks: Vec<Assignment>,
    /// By call: what the caller's predicates become when it returns.
    pub returns: Vec<Assignment>,
}

/// What is looked up: the function, what it is in it, and the literals asked about.
type Known = FxHashMap<(usize, Place, Vec<Term>), Rc<Update>>;

/// What an assignment is in its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Start,
    Block(usize),
    Return(usize),
}

/// Abstracts the functions of a program, again and again for more predicates.
pub struct Abstracter<'s, 'p> {
    pub skeleton: &'s Skeleton<'p>,
    /// By function: its blocks.
    pub problems: Vec<Problem<'s>>,
    abstraction: Abstraction,
    relations: Relations,
    known: Known,
    cache: Option<&'s dyn Cache>,
    /// Updates that were asked for, that were known from an earlier round, and that were in the cache.
    pub asked: u64,
    pub remembered: u64,
    pub cached: u64,
}

impl<'s, 'p> Abstracter<'s, 'p> {
    /// For all rounds.
    ///
    /// # Errors
    /// There is no memory for BDDs.
    pub fn new(
        terms: &mut Terms,
        skeleton: &'s Skeleton<'p>,
        (blocks, abstraction): (Blocks, Abstraction),
        solvers: Solvers,
        cache: Option<&'s dyn Cache>,
        budget: &Budget,
    ) -> Result<Self, C2bpError> {
        let count = skeleton.procedures.len();
        let problems = (0..count).map(|f| skeleton.problem(terms, f, blocks)).collect();
        let relations = Relations::new(solvers, budget)?;
        Ok(Self {
            skeleton,
            problems,
            abstraction,
            relations,
            known: Known::default(),
            cache,
            asked: 0,
            remembered: 0,
            cached: 0,
        })
    }

    pub fn effort(&self) -> Effort {
        self.relations.effort
    }

    /// All functions.
    ///
    /// # Errors
    /// A solver fails, or the budget ends.
    pub fn procedures(
        &mut self,
        terms: &mut Terms,
        predicates: &Predicates,
        budget: &Budget,
    ) -> Result<Vec<AbstractProcedure>, C2bpError> {
        let skeleton = self.skeleton;
        let count = skeleton.procedures.len();
        let interfaces: Vec<Interface> =
            (0..count).map(|f| predicates.interface(terms, skeleton, f)).collect();
        let mut all = vec![];
        for function in 0..count {
            let mut scope = Scope { terms, predicates, interfaces: &interfaces, function };
            let start = self.start(&mut scope, budget)?;
            let mut blocks = vec![];
            for block in 0..self.problems[function].summary.blocks.len() {
                blocks.push(self.block(&mut scope, block, budget)?);
            }
            let mut returns = vec![];
            for call in 0..skeleton.procedures[function].calls.len() {
                returns.push(self.returned(&mut scope, call, budget)?);
            }
            let interface = interfaces[function].clone();
            all.push(AbstractProcedure { interface, start, blocks, returns });
        }
        Ok(all)
    }

    /// Variables of the entry that no caller gives get values that some state has.
    fn start(&mut self, scope: &mut Scope, budget: &Budget) -> Result<Assignment, C2bpError> {
        let question = scope.start(self.skeleton);
        self.answer(scope, Place::Start, question, budget)
    }

    fn block(
        &mut self,
        scope: &mut Scope,
        block: usize,
        budget: &Budget,
    ) -> Result<Assignment, C2bpError> {
        let f = scope.function;
        let problem = &mut self.problems[f];
        let target = problem.target(block);
        let relation = problem.relation(scope.terms, block).clone();
        let is_goal = problem.automaton.goal(target).is_some();
        let question = scope.block(self.skeleton, &relation, target, is_goal);
        self.answer(scope, Place::Block(block), question, budget)
    }

    fn returned(
        &mut self,
        scope: &mut Scope,
        call: usize,
        budget: &Budget,
    ) -> Result<Assignment, C2bpError> {
        let question = scope.returned(self.skeleton, call);
        self.answer(scope, Place::Return(call), question, budget)
    }

    fn answer(
        &mut self,
        scope: &mut Scope,
        place: Place,
        question: Question,
        budget: &Budget,
    ) -> Result<Assignment, C2bpError> {
        let literals = question.order();
        let terms_of: Vec<Term> = literals.iter().map(|l| l.term).collect();
        let numbers = |after: bool| -> Vec<usize> {
            (0..literals.len()).filter(|&i| literals[i].after == after).collect()
        };
        let (before, after) = (numbers(false), numbers(true));
        let targets = after.iter().map(|&i| literals[i].variable).collect();
        let kept = match place {
            // The caller's predicates, and what the callee has left.
            Place::Return(_) => {
                let (theirs, own) = before.iter().partition(|&&i| literals[i].variable.is_left());
                vec![own, theirs]
            }
            Place::Start | Place::Block(_) => vec![before.clone()],
        };
        self.asked += 1;
        let memory = (scope.function, place, terms_of.clone());
        let update = match self.known.get(&memory) {
            Some(known) => {
                self.remembered += 1;
                known.clone()
            }
            None => {
                let Question { conjuncts, definitions, .. } = &question;
                let query = Query { conjuncts, definitions, literals: &terms_of };
                let sides = Sides { before: &before, after: &after, kept: &kept };
                let found = Rc::new(self.compute(scope.terms, query, sides, budget)?);
                self.known.insert(memory, found.clone());
                found
            }
        };
        let literals = literals.iter().map(|l| (l.variable, l.after)).collect();
        let conjuncts = question.all.clone();
        Ok(Assignment { literals, terms: terms_of, targets, update, conjuncts })
    }

    fn compute(
        &mut self,
        terms: &mut Terms,
        query: Query,
        sides: Sides,
        budget: &Budget,
    ) -> Result<Update, C2bpError> {
        let key = self.cache.map(|_| key(terms, query, sides, self.abstraction));
        if let (Some(cache), Some(key)) = (self.cache, &key)
            && let Some(known) = cache.get(key)
            && known.values.len() == sides.after.len()
        {
            self.cached += 1;
            return Ok(known);
        }
        let relations = &mut self.relations;
        let found = update(relations, terms, query, sides, self.abstraction, budget)?;
        if let (Some(cache), Some(key)) = (self.cache, &key) {
            cache.put(key, &found);
        }
        Ok(found)
    }
}
