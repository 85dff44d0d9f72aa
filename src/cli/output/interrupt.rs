//! Ctrl-C, and the other ways of asking a process to end (SIGTERM, SIGHUP).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::Exit;
use hardbop_base::process::remains;

/// Lets the first Ctrl-C raise `cancel` and call `notice`, and the second end the process at once.
pub(crate) fn install(cancel: Arc<AtomicBool>, notice: impl Fn() + Send + 'static) {
    // Another flag than `cancel`, which others raise as well.
    let mut before = false;
    // Without a handler (somebody installed one before) Ctrl-C ends the process; that will do.
    let _ = ctrlc::set_handler(move || {
        if before {
            end();
        }
        before = true;
        cancel.store(true, Ordering::Relaxed);
        notice();
    });
}

/// Lets Ctrl-C end the process at once, without leaving files behind.
pub(crate) fn at_once() {
    let _ = ctrlc::set_handler(|| end());
}

fn end() -> ! {
    remains::clear();
    std::process::exit(Exit::Interrupted.code().into());
}
