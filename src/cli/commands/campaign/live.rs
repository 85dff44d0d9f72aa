//! How a campaign goes on, on a terminal: a bar, and a line for each property with options.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::cli::output;
use hardbop_lab::campaign::task::Task;
use hardbop_lab::results::Finished;
use hardbop_report::document::Verdict;

/// Most lines beside the bar.
const LINES: usize = 12;
/// Time between two lines.
const PERIOD: Duration = Duration::from_millis(100);

/// The progress of a campaign on a terminal.
pub(super) struct Live {
    all: MultiProgress,
    bar: Option<ProgressBar>,
    lines: Vec<Line>,
    drawn: Instant,
}

/// A property with options: its results so far.
struct Line {
    property: String,
    options: String,
    bar: ProgressBar,
    /// SAFE, UNSAFE, UNKNOWN, failed.
    counts: [usize; 4],
}

impl Live {
    /// The progress of these tasks, of which so many are known already.
    pub fn new(tasks: &[Task], known: usize, show: bool) -> Self {
        let all = MultiProgress::new();
        let mut own = Self { all, bar: None, lines: vec![], drawn: Instant::now() };
        if !show || !io::stderr().is_terminal() {
            return own;
        }
        let style = |template: &str| {
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
        };
        let bar = own.all.add(ProgressBar::new(tasks.len() as u64));
        bar.set_style(style("{bar:24} {pos}/{len}  {elapsed}, {eta} left  {wide_msg}"));
        bar.set_position(known as u64);
        bar.reset_eta();
        own.bar = Some(bar);
        for task in tasks {
            let is_of = |l: &Line| l.property == task.property && l.options == task.options;
            if own.lines.len() == LINES || own.lines.iter().any(is_of) {
                continue;
            }
            let bar = own.all.add(ProgressBar::new_spinner());
            bar.set_style(style("  {wide_msg}"));
            let (property, options) = (task.property.clone(), task.options.clone());
            own.lines.push(Line { property, options, bar, counts: [0; 4] });
        }
        own
    }

    pub fn started(&mut self, task: &Task) {
        if let Some(bar) = &self.bar {
            bar.set_message(task.program.clone());
        }
        self.tick();
    }

    pub fn ended(&mut self, task: &Task, result: &Finished) {
        let Some(bar) = &self.bar else { return };
        bar.inc(1);
        let is_of = |l: &&mut Line| l.property == task.property && l.options == task.options;
        if let Some(line) = self.lines.iter_mut().find(is_of) {
            let place = match result.verdict {
                Verdict::Safe => 0,
                Verdict::Unsafe => 1,
                Verdict::Unknown if result.is_failure() => 3,
                Verdict::Unknown => 2,
            };
            line.counts[place] += 1;
            let [safe, r#unsafe, unknown, failed] = line.counts;
            line.bar.set_message(format!(
                "{}, {}: {safe} SAFE, {unsafe} UNSAFE, {unknown} UNKNOWN, {failed} ERROR",
                line.property, line.options
            ));
        }
        self.tick();
    }

    pub fn tick(&mut self) {
        if let Some(bar) = self.bar.as_ref().filter(|_| self.drawn.elapsed() >= PERIOD) {
            self.drawn = Instant::now();
            bar.tick();
        }
    }

    /// A message, above what is shown.
    pub fn say(&self, text: &str) {
        self.all.suspend(|| output::complain(text));
    }

    pub fn finish(&self) {
        // Without a terminal there is nothing to clear.
        let _ = self.all.clear();
    }
}
