//! Watching a run: the line of progress on a terminal, and the queries of `--dump-qbf`.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::dump::Dump;
use super::error::CliError;
use crate::base::budget::resident_bytes;
use crate::boolean::engine::{Observer, Statistics};
use crate::present::statistics::progress;
use crate::solve::logic::Aig;
use crate::solve::qbf::ForallExists;

/// No line of progress before this time: short runs stay quiet.
pub(super) const PATIENCE: Duration = Duration::from_millis(400);
/// Time between two lines.
pub(super) const PERIOD: Duration = Duration::from_millis(100);

/// The line of progress.
pub(super) fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// The observer of the command line.
pub(super) struct Watch {
    start: Instant,
    last: Instant,
    /// Is there a terminal to show progress on?
    show: bool,
    bar: Option<ProgressBar>,
    dump: Option<Dump>,
    /// How far the run is, for its guard.
    so_far: Arc<Mutex<Statistics>>,
}

impl Watch {
    /// Shows progress if `show`.
    pub fn new(start: Instant, show: bool) -> Self {
        Self { start, last: start, show, bar: None, dump: None, so_far: Arc::default() }
    }

    /// The last statistics that were seen, in the midst of the run.
    pub fn so_far(&self) -> Arc<Mutex<Statistics>> {
        Arc::clone(&self.so_far)
    }

    /// Lets every query be written into `directory`, which is created.
    pub fn dump_to(&mut self, directory: &Path, cancel: Arc<AtomicBool>) -> Result<(), CliError> {
        self.dump = Some(Dump::new(directory, "qdimacs", cancel)?);
        Ok(())
    }

    /// Clears the line of progress, and tells of a failure to write a query.
    pub fn finish(self) -> Result<(), CliError> {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.dump.map_or(Ok(()), |mut dump| dump.finish())
    }
}

impl Observer for Watch {
    fn progress(&mut self, s: &Statistics) {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner).clone_from(s);
        if !self.show {
            return;
        }
        let now = Instant::now();
        if now - self.start < PATIENCE || now - self.last < PERIOD {
            return;
        }
        self.last = now;
        let bar = self.bar.get_or_insert_with(spinner);
        bar.set_message(progress::boolean(s, now - self.start, resident_bytes()));
        bar.tick();
    }

    fn query(&mut self, aig: &Aig, query: &ForallExists) {
        let Some(dump) = &mut self.dump else { return };
        dump.write(|| {
            let mut text = Vec::new();
            // Writing needs new nodes; the run's own graph is not to change by being watched.
            query.to_qdimacs(&mut aig.clone(), &mut text)?;
            Ok(text)
        });
    }
}
