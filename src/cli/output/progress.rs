//! How far a run is: a line on a terminal, and what is known where the run has to be ended.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use hardbop_base::budget::resident_bytes;

/// Time before which there is no line of progress: short runs stay quiet.
const PATIENCE: Duration = Duration::from_millis(400);
/// Time between two lines.
const PERIOD: Duration = Duration::from_millis(100);

/// The progress of a run, with what is known of it so far.
pub(crate) struct Progress<S> {
    so_far: Arc<Mutex<S>>,
    /// The thread that shows the line, whatever the run is at, until the sender is dropped; only
    /// where there is a terminal.
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The line of a run, from what is known of it, its time so far and the memory in use.
pub(crate) type Line<S> = fn(&S, Duration, Option<u64>) -> String;

impl<S: Default + Send + 'static> Progress<S> {
    /// The progress of a run that began at `start`, with its line on the terminal if there is one.
    pub fn new(start: Instant, line: Option<Line<S>>) -> Self {
        let so_far: Arc<Mutex<S>> = Arc::default();
        let shown = line.and_then(|line| {
            let (sender, ended) = channel();
            let known = Arc::clone(&so_far);
            let work = move || {
                let mut bar: Option<ProgressBar> = None;
                let mut wait = PATIENCE;
                while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    let known = known.lock().unwrap_or_else(PoisonError::into_inner);
                    let text = line(&known, start.elapsed(), resident_bytes());
                    drop(known);
                    let bar = bar.get_or_insert_with(spinner);
                    bar.set_message(text);
                    bar.tick();
                    wait = PERIOD;
                }
                if let Some(bar) = bar {
                    bar.finish_and_clear();
                }
            };
            // Where the system refuses a thread there is no line.
            let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(work);
            thread.ok().map(|thread| (sender, thread))
        });
        Self { so_far, shown }
    }

    /// The state in the midst of the run, for its guard.
    pub fn so_far(&self) -> Arc<Mutex<S>> {
        Arc::clone(&self.so_far)
    }

    /// Records what is known now.
    pub fn record(&self, change: impl FnOnce(&mut S)) {
        change(&mut self.so_far.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Clears the line.
    pub fn finish(&mut self) {
        if let Some((sender, thread)) = self.shown.take() {
            drop(sender);
            // It has nothing to say that would count.
            let _ = thread.join();
        }
    }
}

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
