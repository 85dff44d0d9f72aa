//! The frames: for each level, clauses that hold at each place of what derivations of at most that
//! height reach; and the queries about one step from a frame.
//!
//! A lemma is a cube without states of its level, and so of all levels below.  Level 0 has only the
//! start of the program.

use rustc_hash::FxHashSet;

use super::cube::{Cube, ItemLit, includes, parts};
use super::system::{Kind, PlaceId, RuleId, System};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::sat::{Backend, CircuitSolver, Effort, SatLit, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// A cube that no state of a level is in.
#[derive(Debug, Clone)]
pub struct Lemma {
    pub cube: Cube,
    pub level: u32,
}

/// The solver for the steps from one place.
struct Local {
    solver: CircuitSolver,
    /// The literals that are assumed for the frames of the place, by level.  Each implies the next
    /// one.
    levels: Vec<SatLit>,
    /// The literals that are assumed for the frames of callees' exits, by return.
    exits: Vec<(RuleId, Vec<SatLit>)>,
    /// A guard of the last query, to be retired before the next one.
    retired: Option<SatLit>,
}

/// A question about one step.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    pub rule: RuleId,
    /// States after the step.
    pub cube: &'q [ItemLit],
    /// The frame before the step; `None`: any state.
    pub level: Option<u32>,
    /// The frame of the callee's exit, if the rule is a return; `None`: any state.
    pub exit: Option<u32>,
    /// Further conditions on the values before the step.
    pub given: &'q [Lit],
    /// Whether only states outside the cube count before the step.
    pub is_relative: bool,
}

/// The lemmas, and a solver for each place.
pub struct Frames<'a> {
    pub aig: &'a Aig,
    pub system: &'a System,
    backend: Backend,
    budget: &'a Budget,
    lemmas: Vec<Vec<Lemma>>,
    locals: Vec<Option<Local>>,
    effort: Effort,
}

impl<'a> Frames<'a> {
    pub fn new(aig: &'a Aig, system: &'a System, backend: Backend, budget: &'a Budget) -> Self {
        let count = system.places.len();
        let locals = (0..count).map(|_| None).collect();
        let lemmas = vec![vec![]; count];
        Self { aig, system, backend, budget, lemmas, locals, effort: Effort::default() }
    }

    /// The effort of the SAT calls since the last time it was taken.
    pub fn take_effort(&mut self) -> Effort {
        std::mem::take(&mut self.effort)
    }

    /// The lemmas at a place.
    pub fn at(&self, place: PlaceId) -> &[Lemma] {
        &self.lemmas[place.index()]
    }

    /// The cubes that have no state of a level, by place.
    pub fn lemmas(&self, level: u32) -> Vec<Vec<Cube>> {
        let of = |here: &Vec<Lemma>| {
            here.iter().filter(|l| l.level >= level).map(|l| l.cube.clone()).collect()
        };
        self.lemmas.iter().map(of).collect()
    }

    /// Does a lemma already exclude the cube from a level?
    pub fn excludes(&self, place: PlaceId, cube: &[ItemLit], level: u32) -> bool {
        self.at(place).iter().any(|l| l.level >= level && includes(&l.cube, cube))
    }

    /// Adds a lemma, and drops those that it makes superfluous.
    pub fn add(&mut self, place: PlaceId, cube: Cube, level: u32) {
        let lemmas = &mut self.lemmas[place.index()];
        lemmas.retain(|l| l.level > level || !includes(&cube, &l.cube));
        let (aig, system) = (self.aig, self.system);
        if let Some(local) = &mut self.locals[place.index()] {
            local.assume_not(aig, None, &system.places[place.index()].values, &cube, level);
        }
        for &rule in &system.places[place.index()].returns {
            let source = system.rules[rule.index()].source;
            let exit = system.rules[rule.index()].exit.as_ref();
            if let (Some(local), Some(exit)) = (&mut self.locals[source.index()], exit) {
                local.assume_not(aig, Some(rule), &exit.values, &cube, level);
            }
        }
        self.lemmas[place.index()].push(Lemma { cube, level });
    }

    /// Is there a step?  If so, its values can be asked for; if not, a part of the cube that it
    /// does not lead to.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn step(&mut self, query: Query) -> Result<Option<Cube>, Exhausted> {
        self.budget.check()?;
        let rule = &self.system.rules[query.rule.index()];
        let is_start = |place: PlaceId| {
            let incoming = &self.system.places[place.index()].incoming;
            incoming.iter().any(|r| self.system.rules[r.index()].kind == Kind::Start)
        };
        let exit = rule.exit.as_ref().map(|e| e.place);
        if query.level == Some(0) && !is_start(rule.source)
            || query.exit == Some(0) && exit.is_some_and(|e| !is_start(e))
        {
            return Ok(Some(vec![]));
        }
        let mut goals: Vec<(Lit, ItemLit)> = vec![];
        let mut seen: FxHashSet<Lit> = FxHashSet::default();
        for &l in query.cube {
            let (item, value) = parts(l);
            let Some(lit) = rule.after[item].map(|lit| lit.xor_sign(!value)) else { continue };
            if lit == Lit::FALSE {
                return Ok(Some(vec![l]));
            }
            if lit != Lit::TRUE && seen.insert(lit) {
                goals.push((lit, l));
            }
        }
        // Two items that are each other's negation.
        if let Some(&(lit, l)) = goals.iter().find(|(lit, _)| seen.contains(&!*lit)) {
            let mut core: Cube = vec![l];
            core.extend(goals.iter().find(|g| g.0 == !lit).map(|g| g.1));
            core.sort_unstable();
            return Ok(Some(core));
        }
        let (aig, source) = (self.aig, rule.source);
        self.prepare(source);
        let Some(local) = &mut self.locals[source.index()] else { return Ok(Some(vec![])) };
        let mut assumptions: Vec<SatLit> = vec![];
        assumptions.extend(query.level.map(|level| local.level(None, level)));
        if rule.exit.is_some() {
            assumptions.extend(query.exit.map(|level| local.level(Some(query.rule), level)));
        }
        if query.is_relative && rule.target == source && rule.kind != Kind::Start {
            let values = &self.system.places[source.index()].values;
            let outside = local.solver.activation();
            let outer = query.cube.iter().filter_map(|&l| value(values, l)).map(|lit| !lit);
            local.solver.assert_clause(aig, Some(outside), outer);
            assumptions.push(outside);
            local.retired = Some(outside);
        }
        let lits = [rule.guard].into_iter().chain(query.given.iter().copied());
        for lit in lits.chain(goals.iter().map(|g| g.0)) {
            assumptions.push(local.solver.literal(aig, lit));
        }
        let result = local.solver.solve_with(&assumptions, None, self.budget);
        self.effort += local.solver.take_effort();
        match result {
            SatResult::Sat => Ok(None),
            SatResult::Unsat => {
                let failed = goals.iter().filter(|(lit, _)| local.solver.failed(*lit));
                let mut core: Cube = failed.map(|g| g.1).collect();
                core.sort_unstable();
                Ok(Some(core))
            }
            SatResult::Unknown(e) => Err(e),
            SatResult::ConflictLimit => Err(Exhausted::Time),
        }
    }

    /// The value of an input in the last step from a place.
    pub fn value(&self, place: PlaceId, input: Input) -> bool {
        let local = self.locals[place.index()].as_ref();
        local.is_some_and(|local| local.solver.value(self.aig, input))
    }

    /// Makes the solver of a place, or frees it of its last query.
    fn prepare(&mut self, place: PlaceId) {
        let (aig, system) = (self.aig, self.system);
        if let Some(local) = &mut self.locals[place.index()] {
            if let Some(guard) = local.retired.take() {
                local.solver.add_clause(&[-guard]);
            }
            return;
        }
        let mut solver = self.backend.circuit_solver();
        let here = &system.places[place.index()];
        solver.assert(aig, here.known);
        let rules = (0..system.rules.len() as u32).map(RuleId);
        let returns = rules.filter(|r| {
            let rule = &system.rules[r.index()];
            rule.source == place && rule.exit.is_some()
        });
        let exits: Vec<(RuleId, Vec<SatLit>)> = returns.map(|r| (r, vec![])).collect();
        let mut local = Local { solver, levels: vec![], exits: exits.clone(), retired: None };
        for lemma in &self.lemmas[place.index()] {
            local.assume_not(aig, None, &here.values, &lemma.cube, lemma.level);
        }
        for (rule, _) in exits {
            if let Some(exit) = &system.rules[rule.index()].exit {
                for lemma in &self.lemmas[exit.place.index()] {
                    local.assume_not(aig, Some(rule), &exit.values, &lemma.cube, lemma.level);
                }
            }
        }
        self.locals[place.index()] = Some(local);
    }
}

/// The literal of an item's literal; `None` if the item may have any value.
fn value(values: &[Option<Lit>], l: ItemLit) -> Option<Lit> {
    let (item, value) = parts(l);
    values[item].map(|lit| lit.xor_sign(!value))
}

impl Local {
    /// The literal to be assumed for a level.
    fn level(&mut self, exit: Option<RuleId>, level: u32) -> SatLit {
        let Self { solver, levels, exits, .. } = self;
        let levels = match exit {
            None => levels,
            Some(rule) => match exits.iter_mut().find(|e| e.0 == rule) {
                Some((_, levels)) => levels,
                None => levels,
            },
        };
        while levels.len() <= level as usize {
            let new = solver.activation();
            if let Some(&last) = levels.last() {
                solver.add_clause(&[-last, new]);
            }
            levels.push(new);
        }
        levels[level as usize]
    }

    /// Asserts for a level, and so for those below, that values are not in a cube.
    fn assume_not(
        &mut self,
        aig: &Aig,
        exit: Option<RuleId>,
        values: &[Option<Lit>],
        cube: &[ItemLit],
        level: u32,
    ) {
        // An item with any value can be chosen such that the clause holds.
        let lits: Option<Vec<Lit>> = cube.iter().map(|&l| value(values, l)).collect();
        if let Some(lits) = lits {
            let guard = self.level(exit, level);
            self.solver.assert_clause(aig, Some(guard), lits.into_iter().map(|lit| !lit));
        }
    }
}
