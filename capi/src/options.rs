//! Functions on options.

use std::ffi::{c_char, c_void};

use crate::border::{Out, Text, User, give};
use crate::cancel::Cancel;
use crate::handle::Handle;
use crate::settings::{Callback, Settings};
use crate::status::{Error, Status, enter};

/// The options of a handle; for NULL, the defaults.
pub fn settings(options: &Handle<Settings>) -> Result<Settings, Error> {
    if options.is_null() { Ok(Settings::default()) } else { options.copy() }
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_options_new(out: Out<Handle<Settings>>) -> Status {
    enter(|| {
        out.check()?;
        out.set(Handle::new(Settings::default()))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_options_set(options: Handle<Settings>, name: Text, value: Text) -> Status {
    enter(|| {
        let (name, value) = (name.read("name")?, value.read("value")?);
        options.with(|o| o.set(name, value))
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_options_json(options: Handle<Settings>, out: Out<*mut c_char>) -> Status {
    enter(|| {
        out.check()?;
        give(&settings(&options)?.json()?, &out)
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_options_set_cancel(
    options: Handle<Settings>,
    cancel: Handle<Cancel>,
) -> Status {
    enter(|| {
        let cancel = if cancel.is_null() { Cancel::default() } else { cancel.copy()? };
        options.with(|o| {
            o.cancel = cancel;
            Ok(())
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_options_set_progress(
    options: Handle<Settings>,
    progress: Option<Callback>,
    user: *mut c_void,
) -> Status {
    enter(|| {
        options.with(|o| {
            o.progress = progress.map(|callback| (callback, User(user)));
            Ok(())
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_options_free(options: Handle<Settings>) -> Status {
    enter(|| options.free())
}
