//! Parts of a run on several threads.

use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use super::observer::Observer;
use super::report::EngineError;
use super::statistics::Statistics;

/// Stack of a thread, in bytes: as large as a main thread's.
const STACK: usize = 8 << 20;

/// Time between two reports of progress by a thread.
const PERIOD: Duration = Duration::from_millis(20);

/// Sends the progress of a part to the waiting thread.
pub struct Relay {
    to: Sender<Statistics>,
    last: Instant,
}

impl Observer for Relay {
    fn progress(&mut self, statistics: &Statistics) {
        if self.last.elapsed() >= PERIOD {
            self.last = Instant::now();
            // An error means that nobody listens any more: the run is over.
            let _ = self.to.send(statistics.clone());
        }
    }
}

/// A pool of so many threads.  Invariant: at least one.
///
/// # Errors
/// If the system refuses them.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, EngineError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build()
        .map_err(|e| EngineError::Threads(e.to_string()))
}

/// Runs `task` on all parts, started in their order; results are in this order.  `progress` sees
/// that of all parts.
pub fn each<T: Send, R: Send>(
    pool: &rayon::ThreadPool,
    parts: Vec<T>,
    progress: impl FnMut(Statistics),
    task: impl Fn(usize, T, &mut Relay) -> R + Sync,
) -> Vec<R> {
    let mut results: Vec<Option<R>> = parts.iter().map(|_| None).collect();
    pool.in_place_scope_fifo(|scope| {
        let (to, from) = channel();
        for (i, (part, result)) in parts.into_iter().zip(&mut results).enumerate() {
            let (to, task) = (to.clone(), &task);
            scope.spawn_fifo(move |_| {
                let mut relay = Relay { to, last: Instant::now() };
                *result = Some(task(i, part, &mut relay));
            });
        }
        drop(to);
        from.into_iter().for_each(progress);
    });
    results.into_iter().flatten().collect()
}
