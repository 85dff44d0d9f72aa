//! The route through Boolean programs.

use std::time::{Duration, Instant};

use super::exploration::words;
use super::{Options, Outcome, Prepared, Replay, Report, VerifyError, Watcher};
use crate::base::budget::Budget;
use crate::program::c::flow::Flow;
use crate::program::cfa::{Automaton, known};
use crate::refine::model::{self, C2bpError, Finding, Run, Skeleton, Text};
use crate::refine::tree::cegar::Observer as _;
use crate::refine::tree::{ErrorPath, Invariant};
use crate::solve::smt::Terms;

/// The result is in the report.
pub(super) fn check(
    flow: &Flow,
    prepared: &Prepared,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
    report: &mut Report,
) -> Result<(), VerifyError> {
    let start = Instant::now();
    let lowered = &prepared.lowered;
    report.pointers.clone_from(&prepared.pointers);
    let naming = watcher.naming(&report.pointers, &report.addresses);
    let text = Text { source: Some(&flow.source), naming: &*naming };
    let cache = watcher.cache();
    let terms = &mut report.terms;
    let given = watcher.predicates(terms);
    let program = match known::propagate(terms, &lowered.program, budget) {
        Ok(program) => program,
        Err(e) => {
            report.outcome = e.into();
            return Ok(());
        }
    };
    let skeleton = Skeleton::new(terms, &program);
    let how = model::Options { analysis: options.analysis.clone(), engine: options.engine.clone() };
    let mut replay = Replay {
        flow,
        parts: &lowered.parts,
        budget,
        watcher,
        is_last: true,
        execution: None,
        time: Duration::ZERO,
    };
    let run = Run::new(terms, &skeleton, &how, &text, cache.as_deref(), budget);
    let mut confirming = Duration::ZERO;
    let finding = match run {
        Err(e) => ended(e)?,
        Ok(mut run) => {
            run.add(&given);
            let mut observer = Rounds { replay: &mut replay };
            let finding = run.decide(&mut observer).or_else(ended)?;
            run.count();
            report.phases.confirmation += run.statistics.confirmation_time;
            confirming = run.statistics.confirmation_time;
            report.boolean = Some(run.statistics.clone());
            report.predicates = run.predicates.all().collect();
            finding
        }
    };
    let (execution, replaying) = (replay.execution.take(), replay.time);
    report.phases.analysis += start.elapsed().saturating_sub(replaying + confirming);
    report.phases.confirmation += replaying;
    report.outcome = match finding {
        Finding::Unknown(reason) => Outcome::Unknown(reason),
        Finding::Error(..) => match execution {
            Some(execution) => {
                report.found(flow, execution);
                return Ok(());
            }
            None => Outcome::Unknown("an error path was not replayed".into()),
        },
        Finding::Safe(..) => Outcome::Safe(Invariant::default()),
    };
    Ok(())
}

/// What an error of a run means for the verdict.
pub(super) fn ended(e: C2bpError) -> Result<Finding, VerifyError> {
    match e {
        C2bpError::Abstraction(crate::refine::tree::CpaError::Solver(e)) => {
            Err(VerifyError::Solver(e))
        }
        C2bpError::Abstraction(other) => Ok(Finding::Unknown(words(&other))),
        other => Err(VerifyError::Boolean(other)),
    }
}

/// What the caller sees of the rounds.
struct Rounds<'a, 'b> {
    replay: &'a mut Replay<'b>,
}

impl model::Observer for Rounds<'_, '_> {
    fn progress(&mut self, statistics: &model::Statistics) {
        self.replay.watcher.boolean_progress(statistics);
    }

    fn round(&mut self, number: u64, program: &model::BooleanProgram) {
        self.replay.watcher.round(number, program);
    }

    fn accept(
        &mut self,
        terms: &Terms,
        automaton: &Automaton,
        path: &ErrorPath,
    ) -> Result<(), String> {
        self.replay.accept(terms, automaton, path)
    }
}
