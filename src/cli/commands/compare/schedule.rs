//! The schedule of the runs: file by file, and on each file the runs of all contestants in turn.

use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use super::contestant::Contestant;
use hardbop_base::budget::Budget;
use hardbop_lab::compare::{Measurement, Member, Row, Run};
use hardbop_report::document::Verdict;

/// A file to decide.
pub(super) struct Task {
    pub file: PathBuf,
    /// The verdict from elsewhere.
    pub expected: Option<Verdict>,
    /// The place of the file in a family.
    pub member: Option<Member>,
}

/// The plan of a comparison: everything that is to be run.
pub(super) struct Plan<'a> {
    pub contestants: &'a [Contestant],
    pub tasks: &'a [Task],
    /// Runs of each contestant on each file.
    pub runs: usize,
    /// Processes at a time.
    pub jobs: usize,
    /// Show progress, where there is a terminal?
    pub show: bool,
}

/// One run of the plan.
#[derive(Clone, Copy)]
struct Job {
    task: usize,
    contestant: usize,
}

/// The runs of a contestant on a file so far.
#[derive(Default)]
struct Slot {
    runs: Vec<Run>,
    statistics: Option<Value>,
    not_tried: bool,
}

/// The state that the workers share.
struct Shared<'a> {
    /// The next one in the order of the jobs.
    next: usize,
    /// The slots by task, then by contestant.
    slots: Vec<Vec<Slot>>,
    /// Runs of a contestant on members of a family with a parameter that did not decide.
    undecided: HashMap<(&'a Member, usize), usize>,
}

impl Plan<'_> {
    /// Runs everything, or as much as the budget allows; and whether it did not.
    pub fn measure(&self, budget: &Budget) -> (Vec<Row>, bool) {
        let jobs = self.order();
        let bar = self.bar(jobs.len());
        let slots = self.tasks.iter().map(|_| self.contestants.iter().map(|_| Slot::default()));
        let shared = Mutex::new(Shared {
            next: 0,
            slots: slots.map(Iterator::collect).collect(),
            undecided: HashMap::new(),
        });
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(jobs.len()) {
                scope.spawn(|| self.work(&jobs, &shared, &bar, budget));
            }
        });
        bar.finish_and_clear();
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let rows = self.tasks.iter().zip(shared.slots).map(|(task, slots)| self.row(task, slots));
        (rows.collect(), budget.check().is_err())
    }

    /// The order of all runs.  Which contestant is first on a file changes from run to run and from
    /// file to file.
    fn order(&self) -> Vec<Job> {
        let count = self.contestants.len();
        let mut jobs = Vec::new();
        for task in 0..self.tasks.len() {
            for run in 0..self.runs {
                let turn = |i| Job { task, contestant: (i + run + task) % count };
                jobs.extend((0..count).map(turn));
            }
        }
        jobs
    }

    fn bar(&self, length: usize) -> ProgressBar {
        if !self.show || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len}  {elapsed}  {wide_msg}");
        ProgressBar::new(length as u64)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }

    fn work<'s>(
        &'s self,
        jobs: &[Job],
        shared: &Mutex<Shared<'s>>,
        bar: &ProgressBar,
        budget: &Budget,
    ) {
        let locked = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let (job, skip) = {
                let mut shared = locked();
                let Some(&job) = jobs.get(shared.next) else { return };
                shared.next += 1;
                let skip = self.gave_up(&shared, job);
                shared.slots[job.task][job.contestant].not_tried |= skip;
                (job, skip)
            };
            let (task, contestant) = (&self.tasks[job.task], &self.contestants[job.contestant]);
            if !skip {
                bar.set_message(format!("{}, {}", contestant.name, task.file.display()));
                bar.tick();
                let Some(measured) = contestant.measure(&task.file, budget) else { return };
                let (run, statistics) = contestant.read(measured);
                let mut shared = locked();
                if run.verdict == Verdict::Unknown
                    && let Some(member) = &task.member
                {
                    *shared.undecided.entry((member, job.contestant)).or_default() += 1;
                }
                let slot = &mut shared.slots[job.task][job.contestant];
                slot.runs.push(run);
                slot.statistics = statistics;
            }
            bar.inc(1);
        }
    }

    /// Has the contestant failed on most of the members with a smaller parameter?
    fn gave_up(&self, shared: &Shared<'_>, job: Job) -> bool {
        let Some(member) = &self.tasks[job.task].member else { return false };
        let mut smaller = shared.undecided.iter().filter(|((other, contestant), _)| {
            *contestant == job.contestant
                && other.family == member.family
                && other.parameter < member.parameter
        });
        smaller.any(|((other, _), undecided)| {
            let all = self.tasks.iter().filter(|t| t.member.as_ref() == Some(*other)).count();
            2 * undecided > all * self.runs
        })
    }

    /// The row of a file; only contestants with all of their runs count.
    fn row(&self, task: &Task, slots: Vec<Slot>) -> Row {
        let result = |(slot, contestant): (Slot, &Contestant)| {
            if slot.not_tried {
                return Some(Measurement::not_tried(&contestant.name));
            }
            let complete = slot.runs.len() == self.runs;
            complete.then(|| Measurement::new(&contestant.name, slot.runs, slot.statistics))
        };
        Row {
            file: task.file.display().to_string(),
            expected: task.expected,
            results: slots.into_iter().zip(self.contestants).map(result).collect(),
        }
    }
}
