//! A task under way: its parts, and what those that have ended have left.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::drive::Files;
use crate::cli::input::learned::merged;
use hardbop_lab::campaign::split::{Part, Split};
use hardbop_lab::results::Finished;
use hardbop_report::document::Verdict;

/// A task that runs for so long is divided where there is room.  Which runs there are does not
/// depend on it, only when they begin.
const LONG: Duration = Duration::from_secs(1);

/// A task under way.
pub(super) struct Open {
    pub split: Split,
    started: Instant,
    pub is_divided: bool,
    /// Parts that are not needed any more were told so.
    pub is_ending: bool,
    /// The files of the parts that have ended.
    pub files: HashMap<usize, Files>,
}

impl Open {
    pub fn new(whole: Part) -> Self {
        Self {
            split: Split::new(whole),
            started: Instant::now(),
            is_divided: false,
            is_ending: false,
            files: HashMap::new(),
        }
    }

    /// A task of which an earlier campaign knows how it ends as it was asked: without a verdict.
    pub fn begun(whole: Part, result: Finished) -> Self {
        let mut own = Self::new(whole);
        own.split.end(0, result);
        own
    }

    pub fn end(&mut self, part: usize, result: Finished, files: Files) {
        self.split.end(part, result);
        self.files.insert(part, files);
    }

    /// Has it ended as it was asked, and might do better in parts?
    pub fn has_no_answer(&self) -> bool {
        let is_bad = |r: &Finished| r.reason.as_ref().is_some_and(|r| r.code == "bad-input");
        self.split.whole().is_some_and(|r| r.verdict == Verdict::Unknown && !is_bad(r))
    }

    /// Is there something to be gained by more runs of it?
    pub fn takes_long(&self) -> bool {
        !self.is_ending && (self.has_no_answer() || self.started.elapsed() >= LONG)
    }

    /// The predicates that all parts have learned so far.
    pub fn learned(&self) -> Option<Vec<u8>> {
        let mut all: Vec<(&usize, &Files)> = self.files.iter().collect();
        all.sort_unstable_by_key(|(part, _)| **part);
        merged(all.into_iter().filter_map(|(_, files)| files.learned.as_deref()))
    }

    /// The predicates that are worth keeping: what the part that has the answer has learned, or
    /// else of all.
    pub fn learned_by(&self, part: Option<usize>) -> Option<Vec<u8>> {
        let own = part.and_then(|part| self.files.get(&part)?.learned.clone());
        own.or_else(|| self.learned())
    }
}
