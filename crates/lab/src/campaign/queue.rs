//! The queue of runs, and those that were lost on the way.

use std::collections::{HashMap, VecDeque};

use super::split::Run;

/// How often a run is started that is lost: a node dies, a process is killed.
const ATTEMPTS: u8 = 3;

/// Runs that wait.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: VecDeque<Run>,
    lost: HashMap<Run, u8>,
}

impl Queue {
    /// The tasks as they were asked, in this order.
    #[must_use]
    pub fn new(tasks: impl IntoIterator<Item = usize>) -> Self {
        let waiting = tasks.into_iter().map(|task| Run { task, part: 0 }).collect();
        Self { waiting, lost: HashMap::new() }
    }

    /// Takes the first one.
    pub fn take(&mut self) -> Option<Run> {
        self.waiting.pop_front()
    }

    /// A run was lost: is it tried again?  Others come first, which may do better.
    pub fn try_again(&mut self, run: Run) -> bool {
        let lost = self.lost.entry(run).or_default();
        *lost += 1;
        let again = *lost < ATTEMPTS;
        if again {
            self.waiting.push_back(run);
        }
        again
    }

    /// Forgets the runs of a task, none of which is wanted any more.
    pub fn forget(&mut self, task: usize) {
        // Only what was lost waits beside what is running.
        if self.lost.keys().any(|run| run.task == task) {
            self.waiting.retain(|run| run.task != task);
        }
    }

    /// How many wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_run_is_tried_three_times() {
        let mut queue = Queue::new([1, 0]);
        let one = Run { task: 1, part: 0 };
        assert_eq!(queue.take(), Some(one));
        assert!(queue.try_again(one) && queue.try_again(one) && !queue.try_again(one));
        assert!(queue.try_again(Run { part: 1, ..one }), "another part has attempts of its own");
        assert_eq!(queue.waiting(), 4);
        queue.forget(1);
        assert_eq!((queue.take(), queue.take()), (Some(Run { task: 0, part: 0 }), None));
    }
}
