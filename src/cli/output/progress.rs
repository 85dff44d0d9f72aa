//! How far a run is: a line on a terminal, and what is known where the run has to be ended.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::base::budget::resident_bytes;

/// No line of progress before this time: short runs stay quiet.
const PATIENCE: Duration = Duration::from_millis(400);
/// Time between two lines.
const PERIOD: Duration = Duration::from_millis(100);

/// The progress of a run, with what is known of it so far.
pub(crate) struct Progress<S> {
    start: Instant,
    last: Instant,
    /// Is there a terminal to show it on?
    show: bool,
    bar: Option<ProgressBar>,
    so_far: Arc<Mutex<S>>,
}

impl<S: Default> Progress<S> {
    /// Shows lines if `show`.
    pub fn new(start: Instant, show: bool) -> Self {
        Self { start, last: start, show, bar: None, so_far: Arc::default() }
    }

    /// What is known in the midst of the run, for its guard.
    pub fn so_far(&self) -> Arc<Mutex<S>> {
        Arc::clone(&self.so_far)
    }

    /// Records what is known now.
    pub fn record(&self, change: impl FnOnce(&mut S)) {
        change(&mut self.so_far.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Shows a line, made from the time so far and the memory in use: on a terminal, and not too often.
    pub fn show(&mut self, line: impl FnOnce(Duration, Option<u64>) -> String) {
        let now = Instant::now();
        let early = now - self.start < PATIENCE || now - self.last < PERIOD;
        if !self.show || early {
            return;
        }
        self.last = now;
        let bar = self.bar.get_or_insert_with(spinner);
        bar.set_message(line(now - self.start, resident_bytes()));
        bar.tick();
    }

    /// Clears the line.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
