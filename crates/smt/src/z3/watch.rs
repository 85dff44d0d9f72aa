//! Interrupts a running check when its budget is spent.
//!
//! There is one thread per context, which the first check starts.  Every few milliseconds it looks
//! at the budget of the running check; when nothing has run for a while, it sleeps until it is
//! woken, so a short check costs no thread switch.
#![allow(unsafe_code)]

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::ffi::{self, Api};
use hardbop_base::budget::{Budget, Exhausted};

const TICK: Duration = Duration::from_millis(5);

/// Ticks without a check before the thread sleeps.
const IDLE: u32 = 100;

/// The context to interrupt.
pub(super) struct Interrupt {
    pub(super) api: &'static Api,
    pub(super) raw: *mut ffi::Context,
}

// SAFETY: the pointer is only used for `Z3_interrupt`, which any thread may call; `Watch::close`
// prevents that before the context is deleted.
unsafe impl Send for Interrupt {}

#[derive(Default)]
struct State {
    context: Option<Interrupt>,
    running: Option<Budget>,
    fired: Option<Exhausted>,
    started: bool,
    asleep: bool,
}

/// The watcher (see the module).
pub(super) struct Watch(Arc<(Mutex<State>, Condvar)>);

fn lock(shared: &(Mutex<State>, Condvar)) -> MutexGuard<'_, State> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    pub(super) fn new(context: Interrupt) -> Self {
        let state = State { context: Some(context), ..State::default() };
        Self(Arc::new((Mutex::new(state), Condvar::new())))
    }

    /// Begins a check.
    ///
    /// # Errors
    /// If the budget is spent already.
    pub(super) fn begin(&self, budget: &Budget) -> Result<(), Exhausted> {
        budget.check()?;
        let mut state = lock(&self.0);
        state.running = Some(budget.clone());
        state.fired = None;
        if !state.started {
            let shared = Arc::clone(&self.0);
            let name = "z3-watch".to_owned();
            // Without the thread, a check simply runs to its end.
            state.started = thread::Builder::new().name(name).spawn(move || watch(&shared)).is_ok();
        } else if state.asleep {
            self.0.1.notify_one();
        }
        Ok(())
    }

    /// Ends the check; was it interrupted?
    pub(super) fn end(&self) -> Option<Exhausted> {
        let mut state = lock(&self.0);
        state.running = None;
        state.fired.take()
    }

    /// Prevents interrupts from now on.
    pub(super) fn close(&self) {
        lock(&self.0).context = None;
        self.0.1.notify_one();
    }
}

fn watch(shared: &(Mutex<State>, Condvar)) {
    let mut idle = 0;
    let mut state = lock(shared);
    while let Some(Interrupt { api, raw }) = state.context {
        if let Some(budget) = &state.running {
            idle = 0;
            if let Err(reason) = budget.poll() {
                state.fired.get_or_insert(reason);
                // SAFETY: the context lives while it is in the state, which is locked.  Repeated at
                // each tick, since an interrupt before Z3 listens is lost.
                unsafe { api.Z3_interrupt(raw) };
            }
        } else {
            idle += 1;
        }
        state.asleep = idle > IDLE;
        state = if state.asleep {
            shared.1.wait(state).unwrap_or_else(PoisonError::into_inner)
        } else {
            shared.1.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0
        };
        if state.asleep {
            state.asleep = false;
            idle = 0;
        }
    }
}
