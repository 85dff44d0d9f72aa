//! The phases of a run, and the time that each takes.

use std::fmt;
use std::time::Duration;

use hardbop_refine::cegar::Stage;

/// The phase of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// The text is read, and preprocessed where it needs that.
    #[default]
    Reading,
    /// Executions look for the error.
    Executions,
    /// The program becomes automata.
    Lowering,
    /// Values are explored, without solvers.
    Values,
    /// States are enumerated.
    States,
    /// The abstract reachability tree grows, by predicate abstraction.
    Predicates,
    /// The abstract reachability tree grows, by IMPACT.
    Impact,
    /// The intervals of variables are computed.
    Intervals,
    /// All paths are unrolled.
    Unrolling,
    /// Candidates for an invariant are left out until blocks preserve the others.
    Houdini,
    /// Boolean programs are made and checked.
    BooleanPrograms,
    /// Both routes are taken at once, on threads of their own.
    Race,
}

impl From<Stage> for Phase {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Values => Self::Values,
            Stage::States => Self::States,
            Stage::Predicates => Self::Predicates,
            Stage::Impact => Self::Impact,
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reading => "reading",
            Self::Executions => "executions",
            Self::Lowering => "lowering",
            Self::Values => "exploration of values",
            Self::States => "enumeration of states",
            Self::Predicates => "abstract reachability tree",
            Self::Impact => "abstract reachability tree (IMPACT)",
            Self::Intervals => "interval analysis",
            Self::Unrolling => "unrolling",
            Self::Houdini => "candidates for an invariant",
            Self::BooleanPrograms => "Boolean programs",
            Self::Race => "race of both routes",
        })
    }
}

/// Time by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Phases {
    /// Executions that look for the error.
    pub testing: Duration,
    /// The way from the program to one automaton.
    pub lowering: Duration,
    pub analysis: Duration,
    /// Check of the proof, or replay of executions.
    pub confirmation: Duration,
}

impl Phases {
    /// Adds those of an earlier part of the run.
    pub fn include(&mut self, earlier: Self) {
        self.testing += earlier.testing;
        self.lowering += earlier.lowering;
        self.analysis += earlier.analysis;
        self.confirmation += earlier.confirmation;
    }

    /// Adds the time that a phase took, where there is no better account of what it was spent on.
    pub fn add(&mut self, phase: Phase, time: Duration) {
        match phase {
            Phase::Reading => {}
            Phase::Executions => self.testing += time,
            Phase::Lowering => self.lowering += time,
            Phase::Values
            | Phase::States
            | Phase::Predicates
            | Phase::Impact
            | Phase::Intervals
            | Phase::Unrolling
            | Phase::Houdini
            | Phase::BooleanPrograms
            | Phase::Race => self.analysis += time,
        }
    }
}
