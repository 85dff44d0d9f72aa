//! All executions of a program, part by part: each goes on from a state that an earlier one has come to.
//!
//! An execution ends where its state is new, and others start there, or where its state was reached before.  So loops end whose
//! states are finitely many, however often inputs keep them going.  States are taken from both ends of a queue in turn: the
//! oldest, so that all that is near is seen, and the newest, since errors may be far away.

use std::collections::VecDeque;

use super::execution::Execution;
use super::loaded::Loaded;
use super::machine::Snapshot;
use super::options::ExecutionOptions;
use super::run::run_from;
use super::ways::{Trail, Ways};

/// The bytes in objects of the states from which executions are still to start.
const MOST_BYTES: u64 = 1 << 26;

/// The newest state is taken after so many inputs at most.
const DEEP: usize = 512;

/// All executions of a program.
#[derive(Debug)]
pub struct Exploration<'p, 'f> {
    program: &'p Loaded<'f>,
    ways: Ways,
    /// Where executions start, if not at the beginning.
    from: Option<Snapshot>,
    open: VecDeque<Snapshot>,
    bytes: u64,
    begun: bool,
    /// Whether the newest state is next.
    newest: bool,
}

impl<'p, 'f> Exploration<'p, 'f> {
    #[must_use]
    pub fn new(program: &'p Loaded<'f>, ways: Ways) -> Self {
        let open = VecDeque::new();
        Self { program, ways, from: None, open, bytes: 0, begun: false, newest: false }
    }

    /// The next execution, from where it starts; `None` if there are no more.
    pub fn next(&mut self, options: &ExecutionOptions) -> Option<Execution> {
        if self.begun && !self.ways.advance() {
            self.from = Some(self.take()?);
            self.ways.restart();
        }
        self.begun = true;
        match &self.from {
            Some(from) => self.ways.resume(&from.trail),
            None => self.ways.resume(&Trail::default()),
        }
        let has_room = self.bytes < MOST_BYTES;
        let (found, reached) =
            run_from(self.program, self.from.as_ref(), &mut self.ways, options, has_room);
        if let Some(reached) = reached {
            self.bytes += reached.size();
            self.open.push_back(reached);
        }
        Some(found)
    }

    /// The state where the next executions start.
    fn take(&mut self) -> Option<Snapshot> {
        self.newest = !self.newest;
        let is_near = |s: &Snapshot| s.depth() <= DEEP;
        let next = match self.open.back() {
            Some(newest) if self.newest && is_near(newest) => self.open.pop_back(),
            _ => self.open.pop_front(),
        }?;
        self.bytes -= next.size();
        Some(next)
    }

    /// The ways that were taken.
    pub fn ways(&mut self) -> &mut Ways {
        &mut self.ways
    }
}
