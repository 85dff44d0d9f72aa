//! What C hands over, and what it is given: the only file with `unsafe` code.
//!
//! The types are those of C pointers (`repr(transparent)`).  That a pointer is NULL is found out here; that any other one
//! points to what the header says is the caller's duty, as always in C.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Mutex, PoisonError};

use crate::status::{Error, Status};

/// `const char *`: a text that ends with a NUL.
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    /// The text; `what` is the name of the argument.
    pub fn read(&self, what: &str) -> Result<&str, Error> {
        let missing = || Error::new(Status::NullArgument, format!("'{what}' is NULL"));
        self.optional(what)?.ok_or_else(missing)
    }

    /// The text; none for NULL.
    pub fn optional(&self, what: &str) -> Result<Option<&str>, Error> {
        if self.0.is_null() {
            return Ok(None);
        }
        // SAFETY: it is not NULL, and so, says the header, a string that ends with a NUL and stays as it is during the call;
        // the result does not outlive `self`, an argument of the call.
        let text = unsafe { CStr::from_ptr(self.0) };
        let invalid = |_| Error::new(Status::InvalidUtf8, format!("'{what}' is not UTF-8"));
        text.to_str().map(Some).map_err(invalid)
    }
}

/// `const char *const *`: so many texts as another argument says.
#[repr(transparent)]
pub struct Texts(*const Text);

impl Texts {
    /// The texts; none of them is NULL.
    pub fn read(&self, count: usize, what: &str) -> Result<Vec<&str>, Error> {
        if count == 0 {
            return Ok(vec![]);
        }
        if self.0.is_null() {
            return Err(Error::new(Status::NullArgument, format!("'{what}' is NULL")));
        }
        if count > isize::MAX as usize / size_of::<Text>() {
            let message = format!("there cannot be so many '{what}'");
            return Err(Error::new(Status::OutOfRange, message));
        }
        // SAFETY: it is not NULL, and so, says the header, an array of `count` pointers that stays as it is during the call;
        // its size has been checked, and `Text` is such a pointer.
        let texts = unsafe { std::slice::from_raw_parts(self.0, count) };
        texts.iter().map(|t| t.read(what)).collect()
    }
}

/// `T *`: where a result goes.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Is there a place for a result?  To be asked before work is done.
    pub fn check(&self) -> Result<(), Error> {
        if self.0.is_null() {
            return Err(Error::new(Status::NullArgument, "the place for the result is NULL"));
        }
        Ok(())
    }

    /// Writes the result.
    pub fn set(&self, value: T) -> Result<(), Error> {
        self.check()?;
        // SAFETY: it is not NULL, and so, says the header, a place for a `T`, which may not be initialised: nothing is
        // dropped there.
        unsafe { self.0.write(value) };
        Ok(())
    }
}

/// The pointer that a callback is given back.
#[derive(Clone, Copy)]
pub struct User(pub *mut c_void);

// SAFETY: it is never followed here, only handed back to the callback, of which the header says that it runs in the thread of
// the check.
unsafe impl Send for User {}

/// The text for C; a NUL in it, which no text for C can have, becomes a replacement character.
pub fn c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_else(|_| {
        // Invariant: no NUL is left.
        CString::new(text.replace('\0', "\u{FFFD}")).unwrap_or_default()
    })
}

/// Strings that the caller has to free, by address.
static STRINGS: Mutex<BTreeMap<usize, CString>> = Mutex::new(BTreeMap::new());

/// Gives a string to the caller, who has to free it.
pub fn give(text: &str, out: &Out<*mut c_char>) -> Result<(), Error> {
    out.check()?;
    let text = c_string(text);
    // Never written to: C's `char *` only says that it can be freed.
    let pointer = text.as_ptr().cast_mut();
    STRINGS.lock().unwrap_or_else(PoisonError::into_inner).insert(pointer.addr(), text);
    out.set(pointer)
}

#[unsafe(no_mangle)]
extern "C" fn hardbop_string_free(string: *mut c_char) -> Status {
    crate::status::enter(|| {
        let known = STRINGS.lock().unwrap_or_else(PoisonError::into_inner).remove(&string.addr());
        if known.is_none() && !string.is_null() {
            let message = "this is no string of hardbop's, or it was freed before";
            return Err(Error::new(Status::InvalidHandle, message));
        }
        Ok(())
    })
}
