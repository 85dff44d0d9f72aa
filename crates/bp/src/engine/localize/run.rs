//! The state that the searches of a run share, and how one is made.

use std::sync::Arc;

use crate::engine::algorithm::{self, Algorithm, Found, Learned, Task};
use crate::engine::evidence::Recorder;
use crate::engine::guide::{Guide, Guided};
use crate::engine::observer::Observer;
use crate::engine::options::Options;
use crate::engine::path::{self, Hint};
use crate::engine::prepare::{
    self, Extent, Part, Terms,
    facts::Facts,
    liveness::Liveness,
    shape::{Passable, Shaped},
    slice::slice,
};
use crate::engine::qbf::Depth;
use crate::engine::report::EngineError;
use crate::engine::statistics::Statistics;
use crate::language::interpret::replay;
use crate::language::program::{ProcId, Program};
use crate::language::trace::Trace;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::Aig;

/// The program to be searched, and the facts known of it.
pub struct Subject<'a> {
    pub program: &'a Program,
    pub options: &'a Options,
    pub algorithm: &'static dyn Algorithm,
    /// The facts known of all executions; `None` until they are computed.
    pub facts: Option<Arc<Facts>>,
    /// The live variables of all goals together; computed with the facts.
    pub live: Option<Liveness>,
}

/// The findings that searches leave behind.
pub struct Gathered {
    pub statistics: Statistics,
    pub learned: Learned,
    pub passable: Arc<Passable>,
    /// Set if evidence is wanted.
    pub recorder: Option<Recorder>,
}

impl Gathered {
    pub fn new(recorder: Option<Recorder>) -> Self {
        let (statistics, learned) = (Statistics::default(), Learned::default());
        Self { statistics, learned, passable: Arc::default(), recorder }
    }

    /// These findings for a part of the run beside others: it knows what is known now, and nothing
    /// of the others.
    ///
    /// # Panics
    /// If a search is under way.
    pub fn fork(&mut self) -> Self {
        let passable = Arc::get_mut(&mut self.passable).expect("shapes live as long as a search");
        Self {
            learned: self.learned,
            passable: Arc::new(passable.fork()),
            ..Self::new(self.recorder.as_ref().map(Recorder::fork))
        }
    }

    /// Adds what a part has left behind.
    ///
    /// # Panics
    /// If a search is under way.
    pub fn join(&mut self, part: Self) {
        let passable = Arc::get_mut(&mut self.passable).expect("shapes live as long as a search");
        passable.join(&part.passable);
        self.statistics.join(&part.statistics);
        self.learned.join(part.learned);
        if let (Some(recorder), Some(part)) = (&mut self.recorder, part.recorder) {
            recorder.join(part);
        }
    }
}

/// An answer.
pub enum Decided {
    Safe,
    Unsafe(Trace),
}

/// An answer, if there is one yet.
pub type Step = Result<Option<Decided>, path::Failure>;

/// Searches one after the other.
pub struct Run<'a, 'r> {
    pub subject: &'r Subject<'a>,
    pub gathered: &'r mut Gathered,
    pub budget: &'r Budget,
    pub observer: &'r mut dyn Observer,
}

impl<'a> Run<'a, '_> {
    /// The part of the program that may matter for the errors of these procedures.
    pub fn shaped(&self, targets: &[ProcId]) -> Shaped {
        let program = self.subject.program;
        Shaped::new(program, slice(program, targets), Arc::clone(&self.gathered.passable))
    }

    /// The whole program under a slice, for deciding paths.
    pub fn guide(&self, part: &Shaped, facts: Option<Arc<Facts>>) -> Result<Guide<'a>, Exhausted> {
        let Subject { program, options, ref live, .. } = *self.subject;
        let Shaped { slice, shape } = part.clone();
        let part = Part { slice, shape: Some(shape), live: live.as_ref() };
        Guide::new(program, part, facts, options.sat, &options.limits.prepare, self.budget)
    }

    /// A bounded search with all variables.
    pub fn bounded(&mut self, part: &Shaped, depth: Depth) -> Step {
        let found = self.searched(part, false, |_, task| algorithm::bounded(task, depth))?;
        self.confirm(part, found)
    }

    /// The answer to what was found with all variables.
    pub fn confirm(&self, part: &Shaped, found: Found) -> Step {
        let way = match found {
            Found::Safe => return Ok(Some(Decided::Safe)),
            Found::Bounded => return Ok(None),
            Found::Path(way) => way,
        };
        let mut guide = self.guide(part, None)?;
        match guide.check(&way, &part.slice.relevant, self.budget)? {
            Guided::Feasible(path, hints) => self.concretise(&path, &hints).map(Some),
            Guided::Infeasible(_) => {
                let what = "a path found with all variables is infeasible".to_string();
                Err(EngineError::TraceDoesNotReplay(what).into())
            }
        }
    }

    /// The trace of a feasible path.
    pub fn concretise(
        &self,
        path: &path::Path,
        hints: &[(usize, Hint)],
    ) -> Result<Decided, path::Failure> {
        let Subject { program, options, .. } = *self.subject;
        let trace = path::concretise(program, path, hints, options.sat, self.budget)?;
        // The interpreter shares no code with what found the trace.
        replay(program, &trace).map_err(|e| EngineError::TraceDoesNotReplay(e.to_string()))?;
        Ok(Decided::Unsafe(trace))
    }

    /// Searches a slice to the end with the engine's algorithm.
    pub fn search(&mut self, part: &Shaped) -> Result<Found, path::Failure> {
        self.searched(part, true, |algorithm, task| algorithm.search(task))
    }

    /// Prepares a slice, with the facts if they are wanted, and has it searched.
    pub fn searched<F>(
        &mut self,
        part: &Shaped,
        facts: bool,
        search: impl FnOnce(&dyn Algorithm, Task) -> Result<F, path::Failure>,
    ) -> Result<F, path::Failure> {
        let Self { subject, gathered, budget, observer } = self;
        let Subject { program, options, algorithm, .. } = **subject;
        let Gathered { statistics, learned, recorder, .. } = gathered;
        let mut aig = Aig::new();
        let facts = subject.facts.as_deref().filter(|_| facts);
        let terms = Terms { switches: None, facts };
        let limits = &options.limits.prepare;
        let extent = Extent::Explored;
        let prepared = prepare::prepare(
            &mut aig,
            program,
            part.clone().into(),
            extent,
            terms,
            limits,
            budget,
        )?;
        let (cut_nodes, variables, procedures) = prepared.sizes();
        statistics.relevant_variables = variables as u64;
        statistics.relevant_procedures = procedures as u64;
        statistics.cut_nodes = cut_nodes as u64;
        let task = Task {
            aig,
            prepared: &prepared,
            options,
            budget,
            observer: &mut **observer,
            statistics,
            learned,
            recorder: recorder.as_mut(),
        };
        search(algorithm, task)
    }
}
