//! The Boolean abstraction of a program's functions, block by block.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::assignment::{AbstractProcedure, Assignment, Place};
use super::question::{Question, Scope};
use crate::block::problem::Problem;
use crate::cegar::error::RefineError;
use crate::cegar::options::AnalysisOptions;
use crate::model::relation::cache::{Cache, key};
use crate::model::relation::query::{Query, Relations};
use crate::model::relation::update::{Sides, Update, update};
use crate::model::skeleton::frame::Skeleton;
use crate::model::skeleton::predicates::{Interface, Predicates};
use crate::predicate::Abstraction;
use crate::predicate::effort::Effort;
use hardbop_base::budget::Budget;
use hardbop_smt::{Purpose, Term, Terms};

/// Known updates, by function, place in the function, and the literals of the question.
type Known = FxHashMap<(usize, Place, Vec<Term>), Rc<Update>>;

/// Abstracts the functions of a program, in each round with more predicates.
pub struct Abstracter<'s, 'p> {
    pub skeleton: &'s Skeleton<'p>,
    /// The blocks of each function.
    pub problems: Vec<Problem>,
    abstraction: Abstraction,
    relations: Relations,
    known: Known,
    cache: Option<&'s dyn Cache>,
    /// Updates that were requested, that were known from an earlier round, and that were in the
    /// cache.
    pub asked: u64,
    pub remembered: u64,
    pub cached: u64,
}

impl<'s, 'p> Abstracter<'s, 'p> {
    /// An abstracter for all rounds.
    ///
    /// # Errors
    /// If there is no memory for BDDs.
    pub fn new(
        terms: &mut Terms,
        skeleton: &'s Skeleton<'p>,
        options: &AnalysisOptions,
        cache: Option<&'s dyn Cache>,
        budget: &Budget,
    ) -> Result<Self, RefineError> {
        let count = skeleton.procedures.len();
        let problems = (0..count).map(|f| skeleton.problem(terms, f, options.blocks)).collect();
        let solvers = options.solvers(Purpose::Abstraction);
        let relations = Relations::new(solvers, &options.limits, budget)?;
        Ok(Self {
            skeleton,
            problems,
            abstraction: options.abstraction,
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

    /// Abstracts all functions.
    ///
    /// # Errors
    /// If a solver fails or the budget runs out.
    pub fn procedures(
        &mut self,
        terms: &mut Terms,
        predicates: &Predicates,
        budget: &Budget,
    ) -> Result<Vec<AbstractProcedure>, RefineError> {
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

    /// Gives consistent values to variables at the entry that no caller initialises.
    fn start(&mut self, scope: &mut Scope, budget: &Budget) -> Result<Assignment, RefineError> {
        let question = scope.start(self.skeleton);
        self.answer(scope, Place::Start, question, budget)
    }

    fn block(
        &mut self,
        scope: &mut Scope,
        block: usize,
        budget: &Budget,
    ) -> Result<Assignment, RefineError> {
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
    ) -> Result<Assignment, RefineError> {
        let question = scope.returned(self.skeleton, call);
        self.answer(scope, Place::Return(call), question, budget)
    }

    fn answer(
        &mut self,
        scope: &mut Scope,
        place: Place,
        question: Question,
        budget: &Budget,
    ) -> Result<Assignment, RefineError> {
        let literals = question.order();
        let terms_of: Vec<Term> = literals.iter().map(|l| l.term).collect();
        let numbers = |after: bool| -> Vec<usize> {
            (0..literals.len()).filter(|&i| literals[i].after == after).collect()
        };
        let (before, after) = (numbers(false), numbers(true));
        let targets = after.iter().map(|&i| literals[i].variable).collect();
        let kept = match place {
            // The caller's predicates, and those that the callee has set.
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
    ) -> Result<Update, RefineError> {
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
