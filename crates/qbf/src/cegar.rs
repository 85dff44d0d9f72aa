//! Counterexample-guided expansion for ∀∃ (Janota and Marques-Silva, "Abstraction-based algorithm for 2QBF", SAT 2011),
//! over circuits.
//!
//! One SAT solver proposes values of the universals that satisfy the premise and for which none of the existential
//! answers found so far works; another looks for an answer.  If there is no proposal, the query is valid; if there is
//! no answer, the proposal is a counterexample.  The search can be run in slices and resumed.
//!
//! Conjuncts that share no existentials are separate games (each ∃ stands alone), so each group of conjuncts has its
//! own pair of solvers.

use rustc_hash::FxHashMap;

use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::sat::{Backend, CircuitSolver, Effort, SatLit, SatResult};
use hardbop_logic::{Aig, Input, Lit, Substitution, shape};

use super::matching;
use super::problem::Problem;
use super::sensitivity::Sensitivity;

/// How far a slice of the search may go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    /// Refinements.
    pub iterations: u32,
    /// Conflicts of each SAT call.
    pub conflicts: u32,
    /// Nodes that refinements add to the graph: a search with large refinements gets fewer of them.
    pub nodes: usize,
}

impl Slice {
    /// Lengthens the next slice.
    pub fn grow(&mut self) {
        self.iterations = self.iterations.saturating_add(self.iterations / 2);
        self.conflicts = self.conflicts.saturating_mul(2);
        self.nodes = self.nodes.saturating_add(self.nodes / 2);
    }
}

/// The state of the search after a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Valid,
    /// There is no answer to a proposal; [`Cegar::counterexample`] returns it.
    Invalid,
    Open,
    Exhausted(Exhausted),
}

/// The search.
pub(super) struct Cegar {
    problem: Problem,
    groups: Vec<Group>,
    pub iterations: u64,
    /// The effort of groups that are finished.
    finished: Effort,
    proposal: Vec<bool>,
}

/// Conjuncts connected by shared existentials.
struct Group {
    conclusion: Vec<Lit>,
    existentials: Vec<Input>,
    /// The universals of the premise and these conjuncts.
    universals: Vec<Input>,
    /// Those of `universals` that occur in the conjuncts.
    shared: Vec<Input>,
    started: bool,
    proposer: CircuitSolver,
    answerer: CircuitSolver,
    /// The conjuncts that equate a side without existentials with another one, as pairs; then the other conjuncts.
    equalities: Vec<(Lit, Lit)>,
    others: Vec<Lit>,
    /// Are the sides matched again for each proposal?
    again: bool,
    /// For each existential: does it choose between two cases somewhere?
    selectors: Vec<bool>,
    /// For each existential, a guess at its function of the universals.
    hints: Vec<Option<Lit>>,
    /// How many more answers are sought along some of the hints.
    hinted_calls: u32,
    sensitivity: Sensitivity,
    /// A proposal that needs an answer.
    pending: Option<Proposal>,
}

/// Values of the universals for which no answer is known.
struct Proposal {
    /// The values of the group's universals.
    values: Vec<bool>,
    /// The existentials (by position) that have a hint, each as a literal that agrees with its hint for these values.
    hints: Vec<(usize, Lit)>,
}

impl Cegar {
    /// A search for `problem`, which must have no equalities left; `sat` is the kind of SAT solvers to use.
    pub fn new(problem: Problem, sat: Backend) -> Self {
        debug_assert!(problem.equalities.is_empty());
        let groups = groups(&problem).into_iter().map(|g| Group::new(&problem, g, sat)).collect();
        let inputs = problem.origin.len();
        Self {
            problem,
            groups,
            iterations: 0,
            finished: Effort::default(),
            proposal: vec![false; inputs],
        }
    }

    /// Matches only the whole query, not again for each proposal.
    pub fn matched_once(mut self) -> Self {
        self.groups.iter_mut().for_each(|g| g.again = false);
        self
    }

    /// The effort of its SAT calls so far.
    pub fn effort(&self) -> Effort {
        self.finished + self.groups.iter().map(Group::effort).sum()
    }

    /// The counterexample after [`Progress::Invalid`].
    pub fn counterexample(&self) -> Vec<(Input, bool)> {
        self.problem.counterexample(|i| self.proposal[i.0 as usize])
    }

    /// Runs every open group for one slice.
    pub fn run(&mut self, slice: Slice, budget: &Budget) -> Progress {
        let mut open = Vec::new();
        for mut group in std::mem::take(&mut self.groups) {
            match group.run(&mut self.problem, slice, budget, &mut self.iterations) {
                Progress::Valid => {
                    self.finished += group.effort();
                }
                Progress::Open => open.push(group),
                Progress::Invalid => {
                    let proposal = group.pending.take().map_or_else(Vec::new, |p| p.values);
                    for (&x, value) in group.universals.iter().zip(proposal) {
                        self.proposal[x.0 as usize] = value;
                    }
                    self.groups.push(group);
                    return Progress::Invalid;
                }
                Progress::Exhausted(reason) => return Progress::Exhausted(reason),
            }
        }
        self.groups = open;
        if self.groups.is_empty() { Progress::Valid } else { Progress::Open }
    }
}

/// Groups of conjuncts connected by existentials, smallest cone first.
fn groups(problem: &Problem) -> Vec<Vec<Lit>> {
    let mut parent: Vec<usize> = (0..problem.origin.len()).collect();
    fn find(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    let supports: Vec<Vec<Input>> =
        problem.conclusion.iter().map(|&l| problem.existential_support([l])).collect();
    for support in &supports {
        for pair in support.windows(2) {
            let (a, b) = (pair[0].0 as usize, pair[1].0 as usize);
            let (a, b) = (find(&mut parent, a), find(&mut parent, b));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut by_root: std::collections::BTreeMap<usize, Vec<Lit>> = Default::default();
    for (&l, support) in problem.conclusion.iter().zip(&supports) {
        // Conjuncts without existentials form one group.
        let root = support.first().map_or(usize::MAX, |i| find(&mut parent, i.0 as usize));
        by_root.entry(root).or_default().push(l);
    }
    let mut groups: Vec<Vec<Lit>> = by_root.into_values().collect();
    groups.sort_by_key(|g| problem.aig.cone(g.iter().copied()).len());
    groups
}

impl Group {
    fn effort(&self) -> Effort {
        self.proposer.effort() + self.answerer.effort()
    }

    fn new(problem: &Problem, conclusion: Vec<Lit>, sat: Backend) -> Self {
        let aig = &problem.aig;
        let existentials = problem.existential_support(conclusion.iter().copied());
        let universals_of = |roots: &mut dyn Iterator<Item = Lit>| {
            let mut support = aig.support(roots);
            support.retain(|i| !problem.existential[i.0 as usize]);
            support
        };
        let shared = universals_of(&mut conclusion.iter().copied());
        let universals = universals_of(&mut conclusion.iter().chain(&problem.premise).copied());
        let mut proposer = sat.circuit_solver();
        for &l in &problem.premise {
            proposer.assert(aig, l);
        }
        let mut answerer = sat.circuit_solver();
        for &l in &conclusion {
            answerer.assert(aig, l);
        }
        let hint: FxHashMap<Input, Lit> = problem.hints.iter().copied().collect();
        let hints = existentials.iter().map(|y| hint.get(y).copied()).collect();
        let sensitivity = Sensitivity::new(problem, &conclusion);
        let (mut equalities, mut others) = (Vec::new(), Vec::new());
        for &l in &conclusion {
            match shape::as_iff(aig, l) {
                Some(pair) => equalities.push(pair),
                None => others.push(l),
            }
        }
        let mut selects = vec![false; problem.origin.len()];
        for n in aig.cone(conclusion.iter().copied()) {
            if let Some((c, t, e)) = shape::as_ite(aig, Lit::new(n, false))
                && t != !e
                && let Some(y) = problem.as_existential(c)
            {
                selects[y.0 as usize] = true;
            }
        }
        let selectors = existentials.iter().map(|y| selects[y.0 as usize]).collect();
        Self {
            conclusion,
            equalities,
            others,
            again: true,
            selectors,
            existentials,
            hints,
            hinted_calls: problem.limits.hinted_calls,
            sensitivity,
            universals,
            shared,
            started: false,
            proposer,
            answerer,
            pending: None,
        }
    }

    fn run(
        &mut self,
        problem: &mut Problem,
        slice: Slice,
        budget: &Budget,
        iterations: &mut u64,
    ) -> Progress {
        if !self.started {
            self.started = true;
            // Cheap answers that are often right: the guess, all false, all true.
            if self.hints.iter().any(Option::is_some) {
                self.refine(&mut problem.aig, |group, k| group.hints[k].unwrap_or(Lit::FALSE));
            }
            for value in [false, true] {
                self.refine(&mut problem.aig, |_, _| value.into());
            }
        }
        let start = problem.aig.len();
        for _ in 0..slice.iterations {
            if problem.aig.len() > start.saturating_add(slice.nodes) {
                break;
            }
            if let Err(reason) = budget.check() {
                return Progress::Exhausted(reason);
            }
            if self.pending.is_none() {
                match self.proposer.solve_with(&[], Some(slice.conflicts), budget) {
                    SatResult::Unsat => return Progress::Valid,
                    SatResult::Unknown(reason) => return Progress::Exhausted(reason),
                    SatResult::ConflictLimit => return Progress::Open,
                    SatResult::Sat => {}
                }
                self.pending = Some(self.proposal(&problem.aig));
            }
            match self.answer(problem, slice, budget) {
                Ok(answer) => {
                    *iterations += 1;
                    self.pending = None;
                    self.refine(&mut problem.aig, |_, k| answer[k]);
                }
                Err(progress) => return progress,
            }
        }
        Progress::Open
    }

    /// The proposal in the proposer's model.
    fn proposal(&self, aig: &Aig) -> Proposal {
        let values = self.universals.iter().map(|&x| self.proposer.value(aig, x)).collect();
        let hints = self.said(aig, &self.hints, |x| self.proposer.value(aig, x));
        Proposal { values, hints }
    }

    /// The existentials that have a hint, each as a literal that agrees with its hint under these values.
    fn said(
        &self,
        aig: &Aig,
        hints: &[Option<Lit>],
        value: impl FnMut(Input) -> bool,
    ) -> Vec<(usize, Lit)> {
        let hinted: Vec<(usize, Lit)> =
            hints.iter().enumerate().filter_map(|(k, h)| Some((k, (*h)?))).collect();
        let roots: Vec<Lit> = hinted.iter().map(|&(_, l)| l).collect();
        let said = aig.evaluate(&roots, value);
        let literal = |k: usize, v: bool| aig.input(self.existentials[k]).xor_sign(!v);
        hinted.iter().zip(said).map(|(&(k, _), v)| (k, literal(k, v))).collect()
    }

    /// An answer to the pending proposal: for each existential its hint if the answer agrees with it, otherwise a
    /// constant.  Such an answer works for far more proposals than constants alone.
    fn answer(
        &mut self,
        problem: &mut Problem,
        slice: Slice,
        budget: &Budget,
    ) -> Result<Vec<Lit>, Progress> {
        let base = self.assumptions(&problem.aig);
        let said = self.pending.as_ref().map_or_else(Vec::new, |p| p.hints.clone());
        let followed = self.follow(&problem.aig, &base, said, slice, budget)?;
        let mut functions: Vec<Option<Lit>> = vec![None; self.existentials.len()];
        for k in followed {
            functions[k] = self.hints[k];
        }
        if self.again && functions.iter().any(Option::is_none) {
            self.match_again(problem, &base, &mut functions, slice, budget)?;
        }
        let aig = &problem.aig;
        let values = self.answered(aig);
        let mut answer: Vec<Lit> = values.iter().map(|&v| v.into()).collect();
        let proposal = self.pending.as_ref().map_or(&[][..], |p| &p.values);
        let at = self.universals.iter().zip(proposal).chain(self.existentials.iter().zip(&values));
        for (k, function) in self.sensitivity.functions(aig, &self.existentials, at) {
            answer[k] = function;
        }
        for (value, function) in answer.iter_mut().zip(functions) {
            *value = function.unwrap_or(*value);
        }
        Ok(answer)
    }

    /// The values of the existentials in the answerer's model.
    fn answered(&self, aig: &Aig) -> Vec<bool> {
        self.existentials.iter().map(|&y| self.answerer.value(aig, y)).collect()
    }

    /// Has the answerer find a model that follows as many hints as possible; returns the positions of those that it
    /// follows.  `Err(Invalid)` if `base` alone has no answer.
    fn follow(
        &mut self,
        aig: &Aig,
        base: &[SatLit],
        mut said: Vec<(usize, Lit)>,
        slice: Slice,
        budget: &Budget,
    ) -> Result<Vec<usize>, Progress> {
        for call in 0.. {
            if call == self.hinted_calls {
                said.clear();
            }
            let mut assumptions = base.to_vec();
            for &(_, l) in &said {
                assumptions.push(self.answerer.literal(aig, l));
            }
            match self.answerer.solve_with(&assumptions, Some(slice.conflicts), budget) {
                SatResult::Unsat => {
                    let before = said.len();
                    said.retain(|&(_, l)| !self.answerer.failed(l));
                    if said.len() == before {
                        // The core contains no hint, so the proposal alone has no answer.
                        return Err(Progress::Invalid);
                    }
                }
                SatResult::Unknown(reason) => return Err(Progress::Exhausted(reason)),
                SatResult::ConflictLimit => return Err(Progress::Open),
                SatResult::Sat => break,
            }
        }
        Ok(said.into_iter().map(|(k, _)| k).collect())
    }

    /// Matches the two sides again, since an answer now shows which of several merged cases contains the proposal:
    /// selectors without a function become constants, and the rest is matched with that case alone.  The answerer's
    /// model remains an answer to the proposal.
    fn match_again(
        &mut self,
        problem: &mut Problem,
        base: &[SatLit],
        functions: &mut [Option<Lit>],
        slice: Slice,
        budget: &Budget,
    ) -> Result<(), Progress> {
        let values = self.answered(&problem.aig);
        let mut map = Substitution::new();
        let mut base = base.to_vec();
        for (k, &y) in self.existentials.iter().enumerate() {
            if functions[k].is_none() && self.selectors[k] {
                map.replace(&problem.aig, y, values[k].into());
                let literal = self.answerer.literal(&problem.aig, problem.aig.input(y));
                base.push(if values[k] { literal } else { -literal });
            }
        }
        let mut equalities = self.equalities.clone();
        for (l, r) in &mut equalities {
            *l = problem.aig.substitute_one(*l, &mut map);
            *r = problem.aig.substitute_one(*r, &mut map);
        }
        let others = problem.aig.substitute(&self.others, &mut map);
        let found: FxHashMap<Input, Lit> =
            matching::guess_for(problem, &equalities, &others).into_iter().collect();
        let hints: Vec<Option<Lit>> = (0..self.existentials.len())
            .map(|k| found.get(&self.existentials[k]).copied().or(functions[k]))
            .collect();
        let proposal = self.pending.as_ref().map_or(&[][..], |p| &p.values);
        let at: FxHashMap<Input, bool> =
            self.universals.iter().copied().zip(proposal.iter().copied()).collect();
        let value = |x: Input| at.get(&x).copied().unwrap_or(false);
        let said = self.said(&problem.aig, &hints, value);
        let followed = match self.follow(&problem.aig, &base, said, slice, budget) {
            Err(Progress::Invalid) => unreachable!("the model of before is an answer"),
            followed => followed?,
        };
        functions.fill(None);
        for k in followed {
            functions[k] = hints[k];
        }
        Ok(())
    }

    /// The relevant part of the pending proposal, as assumptions of the answerer.
    fn assumptions(&mut self, aig: &Aig) -> Vec<SatLit> {
        let proposal = self.pending.as_ref().map_or(&[][..], |p| &p.values);
        let mut out = Vec::with_capacity(self.shared.len());
        // `shared` is a subsequence of `universals`.
        let mut shared = self.shared.iter().peekable();
        for (x, &value) in self.universals.iter().zip(proposal) {
            if shared.next_if_eq(&x).is_some() {
                let l = self.answerer.literal(aig, aig.input(*x));
                out.push(if value { l } else { -l });
            }
        }
        out
    }

    /// Excludes all proposals for which this answer works: it gives a constant or a function of the universals for each
    /// existential, by position.
    fn refine(&mut self, aig: &mut Aig, answer: impl Fn(&Self, usize) -> Lit) {
        let mut map = Substitution::new();
        for (k, &y) in self.existentials.iter().enumerate() {
            map.replace(aig, y, answer(self, k));
        }
        let parts = aig.substitute(&self.conclusion, &mut map);
        if let Some(parts) = shape::conjuncts(aig, parts) {
            self.proposer.assert_clause(aig, None, parts.into_iter().map(|l| !l));
        }
    }
}
