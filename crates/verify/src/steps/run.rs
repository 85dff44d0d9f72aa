//! Takes the steps of a strategy, one after the other.

use super::task::Task;
use super::{boolean, tree};
use crate::options::Options;
use crate::phase::Phase;
use crate::report::Report;
use crate::strategy::{Action, Begun, Condition, Gave, Log, Step};
use crate::subject::interface::{Found, Subject};
use crate::verdict::{Outcome, UnknownReason, VerifyError};
use crate::watcher::Watcher;
use hardbop_base::budget::Budget;
use hardbop_c::lower::Model;
use hardbop_refine::proof::invariant::Invariant;

/// Errors of a program that are many: one with so many is seldom decided as a whole.
const MANY_ERRORS: usize = 20;

/// A run of a strategy.
struct Run<'a, S: Subject> {
    subject: S,
    /// The budget of the whole run: what is made is kept for later steps.
    budget: &'a Budget,
    watcher: &'a mut dyn Watcher,
    /// The report of the executions, which need no automata.
    executed: Report<S::Execution>,
    /// The automata with each model of memory, or why there are none: made once, in the order in
    /// which steps wanted them.
    tasks: Vec<(Model, Result<Task<S>, UnknownReason>)>,
    /// The model whose report counts.
    current: Model,
    log: Log,
}

/// The part of the run that a list or a step has.
#[derive(Clone, Copy)]
struct Share<'a> {
    options: &'a Options,
    budget: &'a Budget,
    /// Whether others follow when it is used up.
    is_limited: bool,
}

/// Takes the steps of the options' route.
///
/// # Errors
/// A solver fails, or hardbop has made a mistake.
pub(crate) fn run<S: Subject>(
    subject: S,
    options: &Options,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Report<S::Execution>, VerifyError> {
    let mut executed = Report::begun();
    executed.externals = options.externals;
    executed.memory = options.memory;
    executed.reduction.parsed = subject.size();
    let (current, tasks, log) = (options.memory, vec![], Log::default());
    let mut run = Run { subject, budget, watcher, executed, tasks, current, log };
    let all = Share { options, budget, is_limited: false };
    run.take(options.strategy.route(options.route), all)?;
    let mut report = run.report();
    // That a step had only so many refinements is not why the run ends.
    if report.outcome.reason() == Some(&UnknownReason::RefinementLimit)
        && let Err(exhausted) = budget.check_after_part()
    {
        report.outcome = Outcome::Unknown(exhausted.into());
    }
    Ok(report)
}

impl<S: Subject> Run<'_, S> {
    /// Takes the steps of a list until one decides, which gives true, or its share is used up: others
    /// may follow then.
    fn take(&mut self, steps: &[Step], all: Share) -> Result<bool, VerifyError> {
        for (i, step) in steps.iter().enumerate() {
            if !self.holds(step, all) {
                continue;
            }
            let is_decided = if step.action == Action::Executions {
                self.execute(&step.action, all)
            } else {
                let is_last = !steps[i + 1..].iter().any(|step| self.holds(step, all));
                let budget = step.budget(all.options, all.budget, is_last);
                let options = step.options(all.options);
                let is_limited = all.is_limited || step.work.is_some();
                let share = Share { options: &options, budget: &budget, is_limited };
                match step.action {
                    Action::SymbolicExecution | Action::ConcolicExecution => {
                        self.execute(&step.action, share)
                    }
                    _ => self.act(step, share)?,
                }
            };
            if is_decided || all.budget.check_after_part().is_err() {
                return Ok(is_decided);
            }
        }
        Ok(false)
    }

    /// Takes a step that does not execute the program: true if that decides.
    fn act(&mut self, step: &Step, share: Share) -> Result<bool, VerifyError> {
        let action = &step.action;
        if let Action::List(name) = action {
            self.log.enter(name);
            let is_decided = self.take(share.options.strategy.list(name), share)?;
            self.log.leave();
            return Ok(is_decided);
        }
        let Share { options, budget, is_limited } = share;
        let Ok(at) = self.prepared(options) else { return Ok(false) };
        let (watcher, log) = (&mut *self.watcher, &mut self.log);
        let Ok(task) = &mut self.tasks[at].1 else { return Ok(false) };
        let nothing = Outcome::Unknown(UnknownReason::Interrupted);
        let earlier = std::mem::replace(&mut task.report.outcome, nothing);
        let begun = Begun::now(budget);
        if *action == Action::Tree {
            log.enter(action.word());
            tree::check(task, options, budget, (options.strategy.list("automaton"), watcher, log))?;
            log.leave();
        } else if action.is_direct() {
            tree::check(task, options, budget, (std::slice::from_ref(step), watcher, log))?;
        } else {
            boolean::check(task, options, budget, watcher)?;
            log.note(action, begun, budget, Gave::of(&task.report.outcome));
        }
        let is_decided = task.is_decided();
        let has_reason = earlier.reason().is_some_and(|r| *r != UnknownReason::Interrupted);
        if is_decided || !is_limited {
            self.current = options.memory;
        } else if has_reason {
            task.report.outcome = earlier;
            task.report.boolean = None;
        }
        Ok(is_decided)
    }

    /// Whether all conditions of a step hold.
    fn holds(&mut self, step: &Step, all: Share) -> bool {
        step.when.iter().all(|condition| {
            let Ok(at) = self.prepared(all.options) else { return false };
            let Ok(task) = &self.tasks[at].1 else { return false };
            match condition {
                Condition::Recursive => task.recurs(),
                Condition::NotRecursive => !task.recurs(),
                Condition::ManyObjects => {
                    all.options.memory == Model::Regions && task.report.many > 0
                }
                Condition::ManyErrors => task.errors() >= MANY_ERRORS,
                Condition::Arguments => {
                    all.options.memory == Model::Regions && task.report.has_arguments
                }
                // They are asked for where there is an automaton.
                Condition::AlgorithmAuto | Condition::NotOneCell | Condition::Plain => true,
            }
        })
    }

    /// The position of the automata with the options' model of memory; an error if there are none.
    fn prepared(&mut self, options: &Options) -> Result<usize, ()> {
        let budget = self.budget;
        let model = options.memory;
        if let Some(at) = self.tasks.iter().position(|(other, _)| *other == model) {
            return self.tasks[at].1.as_ref().map(|_| at).map_err(|_| ());
        }
        let begun = Begun::now(budget);
        self.watcher.phase(Phase::Lowering);
        let mut subject = self.subject.clone();
        let task = subject.prepare(options, budget).map(|prepared| {
            let mut report = Report { memory: model, ..self.executed.beside() };
            report.phases.lowering = begun.time();
            Task::new(subject, prepared, report)
        });
        self.tasks.push((model, task));
        let at = self.tasks.len() - 1;
        self.tasks[at].1.as_ref().map(|_| at).map_err(|_| ())
    }

    /// Executes the program, on numbers or on terms: true if that decides.
    fn execute(&mut self, action: &Action, share: Share) -> bool {
        let Share { options, budget, .. } = share;
        if options.executions == 0 {
            return false;
        }
        let begun = Begun::now(budget);
        self.watcher.phase(Phase::Executions);
        let found = match action {
            Action::SymbolicExecution => self.subject.execute_symbolically(options, budget),
            Action::ConcolicExecution => self.subject.execute_concolically(options, budget),
            _ => self.subject.search(options, budget),
        };
        self.executed.phases.testing += begun.time();
        let gave = match found {
            Found::Error(execution) => {
                self.subject.assume(&execution, &mut self.executed.assumptions);
                self.executed.outcome = Outcome::Unsafe(Box::new(execution));
                Gave::Unsafe
            }
            Found::AllExecutions { reads, located } if self.is_safe_so(options, reads, located) => {
                Gave::Safe
            }
            Found::AllExecutions { .. } | Found::Nothing => Gave::Nothing(None),
        };
        self.executed.by_executions = matches!(gave, Gave::Safe | Gave::Unsafe);
        self.log.note(action, begun, budget, gave);
        self.executed.by_executions
    }

    /// Whether the only execution, which ends without an error, shows that the program is safe.
    fn is_safe_so(&mut self, options: &Options, reads: bool, located: Option<bool>) -> bool {
        let Ok(at) = self.prepared(options) else { return false };
        let Ok(task) = &self.tasks[at].1 else { return false };
        let mut assumptions = task.report.assumptions.clone();
        if !task.subject.assume_determined(&mut assumptions, reads, located) {
            return false;
        }
        self.executed.assumptions = assumptions;
        self.executed.outcome = Outcome::Safe(Invariant::default());
        true
    }

    /// The report of the run: of the executions, or of the automata that count.
    fn report(self) -> Report<S::Execution> {
        let Self { mut executed, tasks, current, log, .. } = self;
        let mut others = vec![];
        let mut counts = None;
        for (model, task) in tasks {
            match task {
                Ok(task) if model == current => counts = Some(task.report),
                Ok(task) => others.push(task.report),
                Err(reason) if model == current && !executed.outcome.is_decided() => {
                    executed.outcome = Outcome::Unknown(reason);
                }
                Err(_) => {}
            }
        }
        others.iter_mut().for_each(|other| executed.precede(other));
        let mut report = match counts {
            Some(counts) if !executed.by_executions => {
                let mut counts = counts;
                counts.follow(&mut executed);
                counts
            }
            Some(mut counts) => {
                executed.precede(&mut counts);
                executed
            }
            None => executed,
        };
        report.steps = log.taken;
        report
    }
}
