//! The loop of a campaign: tasks go to an executor as long as it takes some, results go to the store as they come.

use std::path::Path;
use std::time::Duration;

use super::kept::{packed, stored};
use super::live::Live;
use crate::base::budget::Budget;
use crate::campaign::outcome::stopped;
use crate::campaign::queue::Queue;
use crate::campaign::store::Store;
use crate::campaign::task::Task;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::present::campaign::Finished;

/// Longest time between two looks at Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

/// Runs tasks somewhere.
pub(super) trait Executor {
    /// Does it take one more?
    fn has_room(&self) -> bool;

    /// Starts a task, by its number.
    ///
    /// # Errors
    /// No task can be started any more.
    fn start(&mut self, task: usize) -> Result<(), CliError>;

    /// What has happened; nothing where that takes longer.
    ///
    /// # Errors
    /// Nothing will happen any more.
    fn wait(&mut self, most: Duration) -> Result<Option<Event>, CliError>;
}

/// What has happened to a task.
pub(super) enum Event {
    /// It has ended; with a page about it, where one is kept.
    Done(usize, Finished, Option<Vec<u8>>),
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
                executor.start(task)?;
                running += 1;
                live.started(&self.tasks[task]);
            }
            match executor.wait(LOOK)? {
                None => live.tick(),
                Some(Event::Note(text)) => live.say(&text),
                Some(Event::Stopped) => return Ok(true),
                Some(Event::Done(task, result, page)) => {
                    running -= 1;
                    self.keep(task, &result, page)?;
                    live.ended(&self.tasks[task], &result);
                }
                Some(Event::Lost(task, why)) => {
                    running -= 1;
                    let name = &self.tasks[task].program;
                    live.say(&format!("warning: a run of '{name}' was lost: {why}"));
                    if !queue.try_again(task) {
                        let result = stopped("lost", &why, 0.0);
                        self.keep(task, &result, None)?;
                        live.ended(&self.tasks[task], &result);
                    }
                }
            }
        }
        live.finish();
        Ok(false)
    }

    fn keep(&self, task: usize, result: &Finished, page: Option<Vec<u8>>) -> Result<(), CliError> {
        let task = &self.tasks[task];
        let kept = |e| stored(self.path, &e);
        if let Some(page) = page {
            match packed(&page) {
                Ok(packed) => self.store.keep_page(&task.hash, &packed).map_err(kept)?,
                Err(e) => output::complain(&format!("warning: a page cannot be packed: {e}")),
            }
        }
        // Last, so that a task with a result has all that belongs to it.
        self.store.record(task, result).map_err(kept)
    }
}
