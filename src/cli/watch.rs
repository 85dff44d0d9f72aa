//! Watching a run: the line of progress on a terminal, and the files of `--dump-qbf`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::error::CliError;
use super::output;
use crate::budget::resident_bytes;
use crate::logic::Aig;
use crate::qbf::ForallExists;
use crate::report::statistics;
use crate::summary::{Observer, Statistics};

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

/// Where queries go.
struct Dump {
    directory: PathBuf,
    number: u64,
    /// The first failure; nothing is written after it.
    failure: Option<CliError>,
    /// Raised at the failure: a run whose files are incomplete is not to go on.
    cancel: Arc<AtomicBool>,
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
        fs::create_dir_all(directory).map_err(|e| CliError::write(directory, &e))?;
        let directory = directory.to_owned();
        self.dump = Some(Dump { directory, number: 0, failure: None, cancel });
        Ok(())
    }

    /// Clears the line of progress, and tells of a failure to write a query.
    pub fn finish(self) -> Result<(), CliError> {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        match self.dump.and_then(|d| d.failure) {
            Some(e) => Err(e),
            None => Ok(()),
        }
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
        bar.set_message(statistics::progress(s, now - self.start, resident_bytes()));
        bar.tick();
    }

    fn query(&mut self, aig: &Aig, query: &ForallExists) {
        let Some(dump) = self.dump.as_mut().filter(|d| d.failure.is_none()) else { return };
        dump.number += 1;
        let path = dump.directory.join(format!("query-{:06}.qdimacs", dump.number));
        let mut text = Vec::new();
        // Writing needs new nodes; the run's own graph is not to change by being watched.
        let done =
            query.to_qdimacs(&mut aig.clone(), &mut text).map_err(|e| CliError::write(&path, &e));
        if let Err(e) = done.and_then(|()| output::write(&path, &text)) {
            dump.failure = Some(e);
            dump.cancel.store(true, Ordering::Relaxed);
        }
    }
}
