//! What is to be run next, and what was lost on the way.

use std::collections::VecDeque;

/// How often a task is started whose runs are lost: a node dies, a process is killed.
const ATTEMPTS: u8 = 3;

/// Tasks that wait, by their numbers.
#[derive(Debug)]
pub struct Queue {
    waiting: VecDeque<usize>,
    /// Runs that were lost, by task.
    lost: Vec<u8>,
}

impl Queue {
    /// In this order, of so many tasks.
    #[must_use]
    pub fn new(waiting: Vec<usize>, tasks: usize) -> Self {
        Self { waiting: waiting.into(), lost: vec![0; tasks] }
    }

    /// The first one.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.waiting.front().copied()
    }

    /// Takes the first one.
    pub fn take(&mut self) -> Option<usize> {
        self.waiting.pop_front()
    }

    /// A run of the task was lost: is it tried again?  Others come first, which may do better.
    pub fn try_again(&mut self, task: usize) -> bool {
        self.lost[task] += 1;
        let again = self.lost[task] < ATTEMPTS;
        if again {
            self.waiting.push_back(task);
        }
        again
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
    fn a_lost_task_is_tried_three_times() {
        let mut queue = Queue::new(vec![1, 0], 2);
        assert_eq!((queue.take(), queue.first()), (Some(1), Some(0)));
        assert!(queue.try_again(1) && queue.try_again(1) && !queue.try_again(1));
        assert_eq!(queue.waiting(), 3);
        assert_eq!(queue.take(), Some(0));
    }
}
