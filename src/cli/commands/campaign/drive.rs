//! The loop of a campaign: runs go to an executor as long as it takes some, results go to the store
//! as they come.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::kept::{packed, stored, unpacked};
use super::live::Live;
use super::open::Open;
use super::parts::parts;
use super::plan::Plan;
use crate::cli::output;
use crate::cli::output::error::CliError;
use hardbop_base::budget::Budget;
use hardbop_lab::campaign::outcome::stopped;
use hardbop_lab::campaign::queue::Queue;
use hardbop_lab::campaign::split::{Part, Run, Share, Standing, is_defect};
use hardbop_lab::campaign::store::{Certificate, Store, StoreError};
use hardbop_lab::campaign::task::Task;
use hardbop_lab::results::Finished;

/// Longest time between two looks at Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);
/// Shortest proof, in seconds, of which the certificate is tried on another version of the program:
/// to judge one takes that long, of programs of ssh-simplified and ntdrivers-simplified 0.04 to
/// 0.17 s.
const WORTH: f64 = 0.2;
/// Largest file that is kept of a run, packed.
const LARGEST: usize = 4 << 20;

/// Runs tasks, or parts of them, somewhere.
pub(super) trait Executor {
    /// Does it take one more?
    fn has_room(&self) -> bool;

    /// Is there a processor with nothing to do?  Runs may also wait where they are started.
    fn has_idle(&self) -> bool {
        self.has_room()
    }

    /// Starts a run, with what earlier ones have left.
    ///
    /// # Errors
    /// No task can be started any more.
    fn start(&mut self, run: Run, part: &Part, known: Known) -> Result<(), CliError>;

    /// Cancels a run for which nobody waits any more; how it has ended is told all the same.
    ///
    /// # Errors
    /// Nothing will happen any more.
    fn cancel(&mut self, run: Run) -> Result<(), CliError>;

    /// The next event; nothing where that takes longer.
    ///
    /// # Errors
    /// Nothing will happen any more.
    fn wait(&mut self, most: Duration) -> Result<Option<Event>, CliError>;
}

/// The files that runs leave beside their results.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// A page about the run.
    pub page: Option<Vec<u8>>,
    /// The predicates of use for programs like this one.
    pub learned: Option<Vec<u8>>,
    /// The certificate that proves the verdict, with the time that it took to find it.
    pub certificate: Option<KnownCertificate>,
}

/// The known files for a run that begins.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The predicates learned from programs like it.
    pub learned: Option<Vec<u8>>,
    pub certificate: Option<KnownCertificate>,
}

/// A certificate of an earlier run.
#[derive(Debug)]
pub(super) struct KnownCertificate {
    pub text: Vec<u8>,
    /// How long the proof took that it is from; of one to begin with, where it is that of another
    /// version of the program.
    pub proof_seconds: Option<f64>,
}

/// An event in a run.
pub(super) enum Event {
    /// The run has ended, and has left files.
    Done(Run, Finished, Box<Files>),
    /// The run has ended without a result, by what is outside of it.
    Lost(Run, String),
    /// The run has ended without a result, as it was cancelled.
    Cancelled(Run),
    /// All are interrupted.
    Stopped,
    /// A message for the user.
    Note(String),
}

/// A campaign that runs.
pub(super) struct Drive<'a> {
    pub plan: &'a Plan,
    pub store: &'a Store,
    pub path: &'a Path,
    pub budget: &'a Budget,
}

/// The tasks that wait, and those under way.
struct State<'a> {
    queue: Queue,
    open: BTreeMap<usize, Open>,
    executor: &'a mut dyn Executor,
    live: Live,
}

impl Drive<'_> {
    /// Runs what is in the queue, and goes on with tasks of which parts are known; was it
    /// interrupted?
    ///
    /// # Errors
    /// A result cannot be kept, or the executor fails as a whole.
    pub fn run(
        &self,
        queue: Queue,
        open: BTreeMap<usize, Open>,
        executor: &mut dyn Executor,
        live: Live,
    ) -> Result<bool, CliError> {
        let mut state = State { queue, open, executor, live };
        while state.queue.waiting() + state.open.len() > 0 {
            if self.budget.check().is_err() {
                return Ok(true);
            }
            while state.executor.has_room()
                && let Some(run) = self.next(&mut state)?
            {
                self.start(run, &mut state)?;
            }
            match state.executor.wait(LOOK)? {
                None => state.live.tick(),
                Some(Event::Note(text)) => state.live.say(&text),
                Some(Event::Stopped) => return Ok(true),
                Some(Event::Done(run, result, files)) => {
                    self.done(run, result, *files, &mut state)?
                }
                Some(Event::Cancelled(run)) => {
                    if let Some(open) = state.open.get_mut(&run.task) {
                        open.split.cancel(run.part);
                    }
                    self.settle(run.task, &mut state)?;
                }
                Some(Event::Lost(run, why)) => self.lost(run, &why, &mut state)?,
            }
        }
        state.live.finish();
        Ok(false)
    }

    /// The next run: a task as it was asked, or else a part of one that takes long.
    fn next(&self, state: &mut State<'_>) -> Result<Option<Run>, CliError> {
        if let Some(run) = state.queue.take() {
            return Ok(Some(run));
        }
        if !self.plan.splits || !state.executor.has_idle() {
            return Ok(None);
        }
        let hard: Vec<usize> = state
            .open
            .iter()
            .filter(|(_, open)| open.takes_long())
            .map(|(&task, _)| task)
            .collect();
        for task in hard {
            self.expand(task, state)?;
            if let Some(part) = state.open.get(&task).and_then(|open| open.split.next()) {
                return Ok(Some(Run { task, part }));
            }
        }
        Ok(None)
    }

    fn start(&self, run: Run, state: &mut State<'_>) -> Result<(), CliError> {
        let task = &self.plan.tasks[run.task];
        let open = state.open.entry(run.task).or_insert_with(|| {
            state.live.started(task);
            Open::new(self.plan.whole(run.task))
        });
        let part = open.split.part(run.part).clone();
        open.split.start(run.part);
        let known = self.known(run, &part, open.learned())?;
        state.executor.start(run, &part, known)
    }

    /// Divides a task, where that was not done yet, and finds what is known of its parts.
    fn expand(&self, task: usize, state: &mut State<'_>) -> Result<(), CliError> {
        let Some(open) = state.open.get_mut(&task).filter(|open| !open.is_divided) else {
            return Ok(());
        };
        open.is_divided = true;
        let certifies = self.plan.tasks[task].certifies;
        // A program that cannot be read any more has the result that it has.
        let found = parts(&self.plan.words[task], certifies).unwrap_or_default();
        let known = self.store.parts(&self.plan.tasks[task]).map_err(|e| stored(self.path, &e))?;
        open.split.add(found);
        let results: Vec<(usize, Finished)> = (open.split.parts().skip(1))
            .filter_map(|(i, part)| Some((i, known.of(part)?.clone())))
            .collect();
        results.into_iter().for_each(|(i, result)| open.split.end(i, result));
        self.settle(task, state)
    }

    /// A run has ended with a result.
    fn done(
        &self,
        run: Run,
        result: Finished,
        files: Files,
        state: &mut State<'_>,
    ) -> Result<(), CliError> {
        let Some(open) = state.open.get_mut(&run.task) else { return Ok(()) };
        let part = open.split.part(run.part).clone();
        let task = &self.plan.tasks[run.task];
        if is_defect(&result) {
            let why = result.reason.as_ref().map_or("", |r| &r.message);
            let name = (&task.program, &part.name);
            state.live.say(&format!("error: '{}', part {}: {why}", name.0, name.1));
        }
        open.end(run.part, result.clone(), files);
        if !self.plan.splits {
            return self.settle(run.task, state);
        }
        if open.has_no_answer() {
            self.expand(run.task, state)?;
        }
        // For a campaign that goes on.
        if state.open.get(&run.task).is_some_and(|open| open.split.standing() == Standing::Open) {
            self.store.keep_part(task, &part, &result).map_err(|e| stored(self.path, &e))?;
        }
        self.settle(run.task, state)
    }

    /// A run is lost; where it is not tried again, that is its result.
    fn lost(&self, run: Run, why: &str, state: &mut State<'_>) -> Result<(), CliError> {
        let name = &self.plan.tasks[run.task].program;
        state.live.say(&format!("warning: a run of '{name}' was lost: {why}"));
        let is_wanted =
            (state.open.get(&run.task)).is_some_and(|open| open.split.standing() == Standing::Open);
        if !is_wanted {
            if let Some(open) = state.open.get_mut(&run.task) {
                open.split.cancel(run.part);
            }
            return self.settle(run.task, state);
        }
        if state.queue.try_again(run) {
            return Ok(());
        }
        if let Some(open) = state.open.get_mut(&run.task) {
            open.end(run.part, stopped("lost", why, 0.0), Files::default());
        }
        if self.plan.splits {
            self.expand(run.task, state)?;
        }
        self.settle(run.task, state)
    }

    /// Keeps the result of a task, where there is one: at once where nothing of it runs, else once
    /// that has ended.
    fn settle(&self, number: usize, state: &mut State<'_>) -> Result<(), CliError> {
        let Some(open) = state.open.get_mut(&number) else { return Ok(()) };
        let Standing::Settled(result, part) = open.split.standing() else { return Ok(()) };
        if self.plan.splits && !open.is_divided && open.has_no_answer() {
            return Ok(());
        }
        let running = open.split.running();
        if !running.is_empty() {
            if !std::mem::replace(&mut open.is_ending, true) {
                state.queue.forget(number);
                for part in running {
                    state.executor.cancel(Run { task: number, part })?;
                }
            }
            return Ok(());
        }
        let Some(mut open) = state.open.remove(&number) else { return Ok(()) };
        state.queue.forget(number);
        let task = &self.plan.tasks[number];
        let mut files = Files { learned: open.learned_by(part), ..Files::default() };
        if let Some(part) = part {
            let own = open.files.remove(&part).unwrap_or_default();
            let is_whole = open.split.part(part).share == Share::Whole;
            files.page = own.page;
            files.certificate = own.certificate.filter(|_| is_whole);
        }
        self.keep(task, &result, files)?;
        state.live.ended(task, &result);
        Ok(())
    }

    /// The known files for a run: in the store, or of other parts of its task.
    fn known(&self, run: Run, part: &Part, shared: Option<Vec<u8>>) -> Result<Known, CliError> {
        let (task, store) = (&self.plan.tasks[run.task], self.store);
        let kept = |e| stored(self.path, &e);
        // What cannot be unpacked is of no use; the task does without it.
        let whole = |packed: Option<Vec<u8>>| packed.and_then(|packed| unpacked(&packed).ok());
        let learned = match shared {
            _ if !part.learns => None,
            Some(shared) => Some(shared),
            None if self.plan.warm => whole(store.learned(task).map_err(kept)?),
            None => None,
        };
        let is_asked = run.part == 0 && part.certifies;
        let packed = if is_asked { store.certificate(task).map_err(kept)? } else { None };
        let pays = |c: &Certificate| c.proof_seconds.is_none_or(|proof| proof >= WORTH);
        let certificate = packed.filter(pays).and_then(|Certificate { packed, proof_seconds }| {
            Some(KnownCertificate { text: unpacked(&packed).ok()?, proof_seconds })
        });
        Ok(Known { learned, certificate })
    }

    fn keep(&self, task: &Task, result: &Finished, files: Files) -> Result<(), CliError> {
        let store = self.store;
        let (certificate, proof) =
            files.certificate.map(|c| (Some(c.text), c.proof_seconds)).unwrap_or_default();
        type Keep<'a> = &'a dyn Fn(&[u8]) -> Result<(), StoreError>;
        let all: [(Option<Vec<u8>>, Keep<'_>); 3] = [
            (files.page, &|page| store.keep_page(task, page)),
            (files.learned.filter(|_| self.plan.warm), &|learned| {
                store.keep_learned(task, learned)
            }),
            (certificate, &|packed| store.keep_certificate(task, packed, proof)),
        ];
        let kept = |e| stored(self.path, &e);
        for (file, keep) in all {
            match file.map(|file| packed(&file)).transpose() {
                Ok(Some(packed)) if packed.len() <= LARGEST => {
                    keep(&packed).map_err(kept)?;
                }
                Ok(_) => {}
                Err(e) => output::complain(&format!("warning: a file cannot be packed: {e}")),
            }
        }
        // Last, so that a task with a result has all that belongs to it.
        store.record(task, result).map_err(kept)?;
        if self.plan.splits {
            store.forget_parts(task).map_err(kept)?;
        }
        Ok(())
    }
}
