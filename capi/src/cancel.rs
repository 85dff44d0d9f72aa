//! Flags that end checks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::border::Out;
use crate::handle::{Handle, Kind};
use crate::status::{Status, enter};

/// `hardbop_cancel`
#[derive(Clone, Default)]
pub struct Cancel(pub Arc<AtomicBool>);

impl Kind for Cancel {
    const NAME: &'static str = "cancel flag";
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_cancel_new(out: Out<Handle<Cancel>>) -> Status {
    enter(|| {
        out.check()?;
        out.set(Handle::new(Cancel::default()))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_cancel_raise(cancel: Handle<Cancel>) -> Status {
    enter(|| set(&cancel, true))
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_cancel_reset(cancel: Handle<Cancel>) -> Status {
    enter(|| set(&cancel, false))
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_cancel_free(cancel: Handle<Cancel>) -> Status {
    enter(|| cancel.free())
}

fn set(cancel: &Handle<Cancel>, value: bool) -> Result<(), crate::status::Error> {
    cancel.with(|c| {
        c.0.store(value, Ordering::Relaxed);
        Ok(())
    })
}
