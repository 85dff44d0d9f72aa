//! Formulas that are nearly an invariant, as those of another version of a program are, made one by
//! weakening.
//!
//! Where a block leads out of what is to hold behind it, the state that shows this is taken in, as
//! what the atoms of the formula say of it: an abstraction by the predicates that are there,
//! computed from the formulas on and not from nothing.  Where too many are taken in, the conjuncts
//! go that one of them violates, in the manner of Houdini (Flanagan, Leino: "Houdini, an Annotation
//! Assistant for ESC/Java", FME 2001).

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::invariant::{Invariant, InvariantError, at, kept};
use crate::block::problem::Problem;
use crate::limits;
use hardbop_base::budget::Budget;
use hardbop_cfa::Location;
use hardbop_cfa::live::Liveness;
use hardbop_smt::{Node, SmtAnswer, SmtError, SmtSolver, Symbol, Term, Terms, Value};

/// States that may be taken in, all in all.  An edit of a program of ssh-simplified takes in up to
/// a few hundred.
const STATES: usize = 4_096;
/// Most states that may be taken in at one location, before conjuncts are left out.
const CUBES: usize = 1_024;
/// The deepest nesting of a formula of which parts are left out; of deeper ones nothing is kept.
const DEPTH: usize = 64;

/// The claim that is to hold at a location.
struct Claim {
    /// The conjuncts of what was to hold at first.
    conjuncts: Vec<Term>,
    /// The conjuncts that are violated by some state that was taken in.
    violated: BTreeSet<usize>,
    /// The states that were taken in.
    cubes: Vec<Term>,
    /// The atoms that tell states apart.
    atoms: Vec<Term>,
}

impl Claim {
    fn formula(&self, terms: &mut Terms) -> Term {
        let first = terms.and(&self.conjuncts);
        let all: Vec<Term> = [first].into_iter().chain(self.cubes.iter().copied()).collect();
        terms.or(&all)
    }
}

/// The program's variables, what formulas say of them, and the constants that they and the program
/// mention.
struct Vocabulary {
    variables: IndexSet<Symbol>,
    atoms: Vec<Term>,
    constants: FxHashSet<Term>,
}

/// The making of an invariant.
struct Weakening<'a, S> {
    problem: &'a mut Problem,
    vocabulary: Vocabulary,
    claims: BTreeMap<Location, Claim>,
    /// The states before each block that were not looked at yet.
    open: BTreeMap<(bool, usize), Term>,
    solvers: FxHashMap<usize, Box<dyn SmtSolver>>,
    solver: S,
    /// States that may still be taken in.
    left: usize,
    limits: limits::Invariant,
}

impl Invariant {
    /// An invariant that formulas like these lead to; whether it proves anything has to be
    /// [checked](Self::check). Variables that the automaton does not have, or that are dead, are
    /// left out.
    ///
    /// # Errors
    /// There is none, as far as was looked: a goal is reached, or too many states are.
    pub fn weakened(
        &self,
        terms: &mut Terms,
        problem: &mut Problem,
        solver: impl FnMut() -> Result<Box<dyn SmtSolver>, SmtError>,
        limits: limits::Invariant,
        budget: &Budget,
    ) -> Result<Self, InvariantError> {
        let vocabulary = Vocabulary::new(terms, self, problem);
        let mut weakening = Weakening {
            problem,
            vocabulary,
            claims: BTreeMap::new(),
            open: BTreeMap::new(),
            solvers: FxHashMap::default(),
            solver,
            left: STATES,
            limits,
        };
        let entry = (weakening.problem.automaton.entry, terms.bool(true));
        let others = self.at.iter().copied().filter(|&(l, _)| l != entry.0);
        for (location, formula) in others.chain([entry]) {
            weakening.claim(terms, location, formula);
        }
        // Goals first.
        while let Some((&(_, block), _)) = weakening.open.first_key_value() {
            weakening.pass(terms, block, budget)?;
        }
        let claims = std::mem::take(&mut weakening.claims);
        let at = claims.iter().map(|(&l, claim)| (l, claim.formula(terms))).collect();
        Ok(Self { at, rounds: None })
    }
}

impl<S: FnMut() -> Result<Box<dyn SmtSolver>, SmtError>> Weakening<'_, S> {
    /// Claims the formula, as far as it is about what is live.
    fn claim(&mut self, terms: &mut Terms, location: Location, formula: Term) {
        let (known, live) = (&self.vocabulary.variables, self.problem.live(terms));
        let is_kept = |s: Symbol| known.contains(&s) && live.contains(location, s);
        let formula = projected(terms, formula, &is_kept, 0);
        let atoms = terms.atoms(formula);
        let conjuncts = terms.conjuncts(formula);
        let claim = Claim { conjuncts, violated: BTreeSet::new(), cubes: vec![], atoms };
        self.claims.insert(location, claim);
        self.opened(terms, location, formula);
    }

    /// Notes that these states at a location have to be looked at.
    fn opened(&mut self, terms: &mut Terms, location: Location, states: Term) {
        for block in self.problem.summary.outgoing(location) {
            let target = self.problem.target(block);
            let key = (self.problem.automaton.goal(target).is_none(), block);
            let before = self.open.get(&key).map_or(states, |&known| terms.or(&[known, states]));
            self.open.insert(key, before);
        }
    }

    /// Takes in what a block leads to.
    fn pass(
        &mut self,
        terms: &mut Terms,
        block: usize,
        budget: &Budget,
    ) -> Result<(), InvariantError> {
        let (source, target) = {
            let b = &self.problem.summary.blocks[block];
            (b.source, b.target)
        };
        let is_goal = self.problem.automaton.goal(target).is_some();
        let Some(before) = self.open.remove(&(!is_goal, block)) else { return Ok(()) };
        let relation = self.problem.relation(terms, block).clone();
        let mut solver = match self.solvers.remove(&block) {
            Some(solver) => solver,
            None => {
                let mut solver = (self.solver)()?;
                for &c in &relation.conjuncts {
                    solver.assert(terms, c)?;
                }
                solver
            }
        };
        if !is_goal && !self.claims.contains_key(&target) {
            // Nothing is known of it: all that is known elsewhere may tell its states apart.
            let atoms = self.vocabulary.atoms_at(terms, target, self.problem.live(terms));
            let no = terms.bool(false);
            let claim =
                Claim { conjuncts: vec![no], violated: BTreeSet::new(), cubes: vec![], atoms };
            self.claims.insert(target, claim);
        }
        let after = match self.claims.get(&target) {
            Some(claim) if !is_goal => claim.formula(terms),
            _ => terms.bool(false),
        };
        let (start, end) = (at(terms, before, &[]), at(terms, after, &relation.post));
        let mut new: Vec<Term> = vec![];
        let mut claim = self.claims.remove(&target).filter(|_| !is_goal);
        let (vocabulary, left, limits) = (&self.vocabulary, &mut self.left, self.limits);
        let escape = &mut |terms: &mut Terms, solver: &mut dyn SmtSolver| {
            let Some(claim) = claim.as_mut().filter(|_| *left > 0) else { return Ok(None) };
            *left -= 1;
            let more = claim.taken(terms, solver, vocabulary, &relation.post)?;
            new.push(more);
            Ok(Some(at(terms, more, &relation.post)))
        };
        let answer = kept(terms, &mut *solver, (start, end), limits.cases, budget, escape);
        self.claims.extend(claim.map(|claim| (target, claim)));
        match answer? {
            SmtAnswer::Unsat => {}
            SmtAnswer::Unknown(reason) => return Err(reason.into()),
            SmtAnswer::Sat if is_goal => return Err(InvariantError::Goal(source.0, target.0)),
            SmtAnswer::Sat => return Err(InvariantError::NotInductive(source.0, target.0)),
        }
        self.solvers.insert(block, solver);
        if !new.is_empty() {
            let new = terms.or(&new);
            self.opened(terms, target, new);
        }
        Ok(())
    }
}

impl Claim {
    /// Takes in the state after a block that the solver has, with all that are like it.
    fn taken(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn SmtSolver,
        vocabulary: &Vocabulary,
        post: &[(Symbol, Term)],
    ) -> Result<Term, SmtError> {
        let told: Vec<Term> = self.atoms.iter().chain(&self.conjuncts).copied().collect();
        let after: Vec<Term> = told.iter().map(|&t| at(terms, t, post)).collect();
        let leaves = terms.support_of(&after);
        let values = solver.values(terms, &leaves)?;
        let model: FxHashMap<Term, Value> = leaves.into_iter().zip(values).collect();
        let value = |terms: &Terms, t: Term| terms.evaluate(t, &|leaf| model.get(&leaf).copied());
        let holds: Vec<bool> =
            after.iter().map(|&t| value(terms, t) == Some(Value::Bool(true))).collect();
        let (atoms, conjuncts) = holds.split_at(self.atoms.len());
        self.violated.extend((0..conjuncts.len()).filter(|&i| !conjuncts[i]));
        if self.cubes.len() >= CUBES {
            // What was taken in before is covered by what is left.
            let left = self.conjuncts.iter().enumerate();
            let left = left.filter(|(i, _)| !self.violated.contains(i)).map(|(_, &c)| c).collect();
            self.conjuncts = left;
            self.violated.clear();
            self.cubes.clear();
            return Ok(terms.and(&self.conjuncts));
        }
        // A variable that is compared with constants has a value, if it is one of those that are
        // mentioned.
        let mut fixed: FxHashMap<Term, Term> = FxHashMap::default();
        for &atom in &self.atoms {
            let Some(variable) = compared(terms, atom) else { continue };
            let now = at(terms, variable, post);
            let Some(now) = value(terms, now) else { continue };
            let constant = terms.constant(now, terms.sort(variable));
            if vocabulary.constants.contains(&constant) {
                fixed.insert(variable, terms.equal(variable, constant));
            }
        }
        let mut cube: Vec<Term> = vec![];
        for (&atom, &holds) in self.atoms.iter().zip(atoms) {
            match terms.support(atom)[..] {
                [variable] if fixed.contains_key(&variable) => cube.push(fixed[&variable]),
                _ if holds => cube.push(atom),
                _ => cube.push(terms.not(atom)),
            }
        }
        let cube = terms.and(&cube);
        self.cubes.push(cube);
        Ok(cube)
    }
}

impl Vocabulary {
    fn new(terms: &mut Terms, invariant: &Invariant, problem: &Problem) -> Self {
        let mut all: Vec<Term> = invariant.at.iter().map(|&(_, formula)| formula).collect();
        let mut seen = FxHashSet::default();
        let mut atoms = vec![];
        for &formula in &all {
            atoms.extend(terms.atoms(formula).into_iter().filter(|a| seen.insert(*a)));
        }
        all.extend(problem.automaton.edges.iter().flat_map(|e| e.operation.terms()));
        let parts = terms.postorder(&all, |_| false);
        let constants = parts.into_iter().filter(|&t| terms.node(t).is_constant()).collect();
        Self { variables: problem.automaton.variables(terms), atoms, constants }
    }

    /// The atoms about what is live at a location.
    fn atoms_at(&self, terms: &Terms, location: Location, live: &Liveness) -> Vec<Term> {
        let is_live = |leaf: Term| match *terms.node(leaf) {
            Node::Variable(s) => self.variables.contains(&s) && live.contains(location, s),
            _ => false,
        };
        let about = |&atom: &Term| terms.support(atom).into_iter().all(is_live);
        self.atoms.iter().copied().filter(about).collect()
    }
}

/// The variable that an atom compares with a constant, for equality.
fn compared(terms: &Terms, atom: Term) -> Option<Term> {
    let Node::Equal(a, b) = *terms.node(atom) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(variable, constant)| {
        let is_variable = matches!(terms.node(variable), Node::Variable(_));
        (is_variable && terms.node(constant).is_constant()).then_some(variable)
    })
}

/// A formula that this one implies, and that reads only some variables: without the literals that
/// read others.
fn projected(
    terms: &mut Terms,
    formula: Term,
    is_kept: &impl Fn(Symbol) -> bool,
    depth: usize,
) -> Term {
    let reads = |leaf: Term| match *terms.node(leaf) {
        Node::Variable(s) => is_kept(s),
        _ => true,
    };
    if terms.support(formula).into_iter().all(reads) {
        return formula;
    }
    let negated = match *terms.node(formula) {
        Node::Not(inner) => Some(inner),
        _ => None,
    };
    let (is_and, parts) = match terms.node(negated.unwrap_or(formula)) {
        Node::And(parts) => (negated.is_none(), parts.to_vec()),
        Node::Or(parts) => (negated.is_some(), parts.to_vec()),
        _ => return terms.bool(true),
    };
    if depth == DEPTH {
        return terms.bool(true);
    }
    let mut kept = vec![];
    for part in parts {
        let part = if negated.is_some() { terms.not(part) } else { part };
        kept.push(projected(terms, part, is_kept, depth + 1));
    }
    if is_and { terms.and(&kept) } else { terms.or(&kept) }
}
