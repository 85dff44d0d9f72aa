//! The loop of a campaign: tasks go to an executor as long as it takes some, results go to the store as they come.

use std::path::Path;
use std::time::Duration;

use super::kept::{packed, stored, unpacked};
use super::live::Live;
use crate::base::budget::Budget;
use crate::campaign::outcome::stopped;
use crate::campaign::queue::Queue;
use crate::campaign::store::{Store, StoreError};
use crate::campaign::task::Task;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::present::campaign::Finished;

/// Longest time between two looks at Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);
/// Largest file that is kept of a run, packed.
const LARGEST: usize = 4 << 20;

/// Runs tasks somewhere.
pub(super) trait Executor {
    /// Does it take one more?
    fn has_room(&self) -> bool;

    /// Starts a task, by its number, with what earlier runs have left.
    ///
    /// # Errors
    /// No task can be started any more.
    fn start(&mut self, task: usize, known: Files) -> Result<(), CliError>;

    /// What has happened; nothing where that takes longer.
    ///
    /// # Errors
    /// Nothing will happen any more.
    fn wait(&mut self, most: Duration) -> Result<Option<Event>, CliError>;
}

/// What runs leave beside their results.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// A page about the run.
    pub page: Option<Vec<u8>>,
    /// What is of use for programs like this one.
    pub learned: Option<Vec<u8>>,
    /// What proves the verdict.
    pub certificate: Option<Vec<u8>>,
}

/// What has happened to a task.
pub(super) enum Event {
    /// It has ended, and has left files.
    Done(usize, Finished, Files),
    /// Its run has ended without a result, by what is outside of it.
    Lost(usize, String),
    /// It was interrupted.
    Stopped,
    /// Something to tell the user.
    Note(String),
}

/// A campaign that runs.
pub(super) struct Drive<'a> {
    pub tasks: &'a [Task],
    pub store: &'a Store,
    pub path: &'a Path,
    pub budget: &'a Budget,
}

impl Drive<'_> {
    /// Runs what is in the queue; was it interrupted?
    ///
    /// # Errors
    /// A result cannot be kept, or the executor fails as a whole.
    pub fn run(
        &self,
        mut queue: Queue,
        executor: &mut dyn Executor,
        mut live: Live,
    ) -> Result<bool, CliError> {
        let mut running = 0_usize;
        while running + queue.waiting() > 0 {
            if self.budget.check().is_err() {
                return Ok(true);
            }
            while executor.has_room()
                && let Some(task) = queue.take()
            {
                executor.start(task, self.known(task)?)?;
                running += 1;
                live.started(&self.tasks[task]);
            }
            match executor.wait(LOOK)? {
                None => live.tick(),
                Some(Event::Note(text)) => live.say(&text),
                Some(Event::Stopped) => return Ok(true),
                Some(Event::Done(task, result, files)) => {
                    running -= 1;
                    self.keep(task, &result, files)?;
                    live.ended(&self.tasks[task], &result);
                }
                Some(Event::Lost(task, why)) => {
                    running -= 1;
                    let name = &self.tasks[task].program;
                    live.say(&format!("warning: a run of '{name}' was lost: {why}"));
                    if !queue.try_again(task) {
                        let result = stopped("lost", &why, 0.0);
                        self.keep(task, &result, Files::default())?;
                        live.ended(&self.tasks[task], &result);
                    }
                }
            }
        }
        live.finish();
        Ok(false)
    }

    /// What the store has for a task.
    fn known(&self, task: usize) -> Result<Files, CliError> {
        let (task, store) = (&self.tasks[task], self.store);
        let kept = |e| stored(self.path, &e);
        let learned = if task.learns { store.learned(task).map_err(kept)? } else { None };
        let certificate =
            if task.certifies { store.certificate(task).map_err(kept)? } else { None };
        // What cannot be unpacked is of no use; the task does without it.
        let whole = |packed: Option<Vec<u8>>| packed.and_then(|packed| unpacked(&packed).ok());
        Ok(Files { page: None, learned: whole(learned), certificate: whole(certificate) })
    }

    fn keep(&self, task: usize, result: &Finished, files: Files) -> Result<(), CliError> {
        let (task, store) = (&self.tasks[task], self.store);
        type Keep = fn(&Store, &Task, &[u8]) -> Result<(), StoreError>;
        let all: [(Option<Vec<u8>>, Keep); 3] = [
            (files.page, Store::keep_page),
            (files.learned, Store::keep_learned),
            (files.certificate, Store::keep_certificate),
        ];
        let kept = |e| stored(self.path, &e);
        for (file, keep) in all {
            match file.map(|file| packed(&file)).transpose() {
                Ok(Some(packed)) if packed.len() <= LARGEST => {
                    keep(store, task, &packed).map_err(kept)?;
                }
                Ok(_) => {}
                Err(e) => output::complain(&format!("warning: a file cannot be packed: {e}")),
            }
        }
        // Last, so that a task with a result has all that belongs to it.
        store.record(task, result).map_err(kept)
    }
}
