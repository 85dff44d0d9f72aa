//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::Exit;

/// Lets the first Ctrl-C raise `cancel`, and the second end the process at once.
pub(crate) fn install(cancel: Arc<AtomicBool>) {
    // Without a handler (somebody installed one before) Ctrl-C ends the process; that will do.
    let _ = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
}
