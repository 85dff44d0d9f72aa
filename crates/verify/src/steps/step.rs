//! Steps of a strategy in a run: its conditions, its options, and its share of the budget.

use crate::learned::Scoped;
use crate::options::{Options, Route};
use crate::strategy::{Condition, Step, Strategy};
use hardbop_base::budget::Budget;
use hardbop_c::lower::Model;
use hardbop_refine::cegar::Algorithm;

impl Strategy {
    /// The steps of a route.
    #[must_use]
    pub fn route(&self, route: Route) -> &[Step] {
        self.list(match route {
            Route::Auto => "auto",
            Route::Tree => "tree",
            Route::Bp => "bp",
        })
    }
}

impl Condition {
    /// Whether it holds for a search on an automaton with these options, which begins with these
    /// predicates; true of a condition on programs, which is asked for before.
    pub(crate) fn holds(self, options: &Options, given: &[Scoped]) -> bool {
        let analysis = &options.analysis;
        match self {
            Self::AlgorithmAuto => {
                let is_bounded = analysis.refinements == Some(0) || analysis.is_linear();
                analysis.algorithm == Algorithm::Auto && !is_bounded
            }
            Self::Plain => {
                let is_asked_more = !given.is_empty() || options.keep_tree || analysis.is_linear();
                analysis.explicit_states > 0 && !is_asked_more
            }
            Self::NotOneCell => options.memory != Model::OneCell,
            Self::Recursive
            | Self::NotRecursive
            | Self::ManyObjects
            | Self::ManyErrors
            | Self::Arguments => true,
        }
    }
}

impl Step {
    /// The step's share of a budget: what others leave of the memory, and the step's work.
    pub(crate) fn budget(&self, run: &Options, budget: &Budget, is_last: bool) -> Budget {
        let share = match is_last {
            true => budget.clone(),
            false => budget.with_memory_share(run.route_limits.memory),
        };
        self.work.map_or(share.clone(), |work| share.trial(work))
    }

    /// The options of the step, where the run has these.
    pub(crate) fn options(&self, run: &Options) -> Options {
        let mut options = run.clone();
        if let Some(memory) = self.memory {
            options.memory = memory;
        }
        let analysis = &mut options.analysis;
        if let Some(algorithm) = self.algorithm {
            analysis.algorithm = algorithm;
        }
        if let Some(most) = self.refinements {
            analysis.refinements = Some(analysis.refinements.map_or(most, |n| n.min(most)));
        }
        if let Some(most) = self.explicit_states {
            analysis.explicit_states = analysis.explicit_states.min(most);
        }
        if let Some(most) = self.value_steps {
            let steps = &mut analysis.limits.values.steps;
            *steps = most.min(*steps);
        }
        if let Some(most) = self.spacer_work {
            let work = &mut analysis.limits.interpolation.spacer_work;
            *work = most.min(*work);
        }
        if let Some(most) = self.questions {
            let questions = &mut options.route_limits.questions;
            *questions = most.min(*questions);
        }
        if let Some(most) = self.deeper_edges {
            let edges = &mut options.route_limits.deeper_edges;
            *edges = most.min(*edges);
        }
        options
    }
}
