//! The route through Boolean programs.

use std::sync::Arc;
use std::time::Instant;

use super::task::{Replay, Task};
use crate::options::Options;
use crate::phase::Phase;
use crate::report::Summarised;
use crate::subject::interface::Subject;
use crate::verdict::{Outcome, VerifyError};
use crate::watcher::Watcher;
use hardbop_base::budget::Budget;
use hardbop_cfa::known;
use hardbop_refine::cegar::error::RefineError;
use hardbop_refine::cegar::finding::Finding;
use hardbop_refine::cegar::run::Cegar;
use hardbop_refine::model::boolean::BooleanModel;
use hardbop_refine::model::skeleton::frame::Skeleton;
use hardbop_refine::model::text::program::Text;
use hardbop_refine::proof::invariant::Invariant;

/// Decides the program by abstraction to Boolean programs, and leaves the result in the report.
pub(super) fn check<S: Subject>(
    task: &mut Task<S>,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<(), VerifyError> {
    watcher.phase(Phase::BooleanPrograms);
    let start = Instant::now();
    task.report.pointers.clone_from(&task.pointers);
    let naming = watcher.naming(&task.report.pointers, &task.report.addresses);
    let cache = watcher.cache();
    let given = task.predicates(&options.predicates, watcher);
    let Task { subject, program, report, .. } = task;
    let program = subject.started(&mut report.terms, program);
    let program = match known::propagate(&mut report.terms, &program, budget) {
        Ok(program) => program,
        Err(e) => {
            report.outcome = Outcome::Unknown(e.into());
            return Ok(());
        }
    };
    let skeleton = Skeleton::new(&mut report.terms, &program);
    let text = Text { source: subject.source(), naming: &*naming };
    let mut replay = Replay::of_boolean_programs(subject, watcher, budget, &skeleton);
    let mut run = || -> Result<_, RefineError> {
        let how = (&options.analysis, &options.engine);
        let terms = &mut report.terms;
        let mut model = BooleanModel::new(terms, &skeleton, how, &text, cache.as_deref(), budget)?;
        model.track(terms, &given);
        let mut run = Cegar::new(model, terms, &options.analysis, budget);
        let finding = run.decide(&mut replay);
        if let Ok(Finding::Safe(proof)) = &finding {
            let summaries = run.model.summaries(run.context.terms, proof, budget);
            let names = program.functions.iter().map(|f| f.name.clone());
            let automata = skeleton.procedures.iter().map(|p| Arc::clone(&p.automaton));
            let functions = names.zip(automata).collect();
            report.summarised = summaries.ok().map(|summaries| Summarised { functions, summaries });
        }
        report.predicates = run.model.predicates.all().collect();
        report.boolean = Some(run.statistics);
        finding
    };
    let found = run();
    let finding = replay.settled(found, options.analysis.strict)?;
    report.rejected.append(&mut replay.rejected);
    if !matches!(finding, Finding::Unknown(_)) {
        report.learned = report.predicates.iter().map(|&predicate| (None, predicate)).collect();
    }
    let (execution, replaying) = (replay.execution.take(), replay.time);
    let confirming = report.boolean.as_ref().map(|s| s.confirmation_time).unwrap_or_default();
    report.phases.analysis += start.elapsed().saturating_sub(replaying + confirming);
    report.phases.confirmation += replaying + confirming;
    task.conclude(finding, execution, |_| Invariant::default());
    Ok(())
}
