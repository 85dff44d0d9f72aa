//! Handles: numbers of objects in a table.  They look like pointers to C, so that its compiler tells them apart, but are
//! never followed.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use crate::status::{Error, Status};

/// A kind of objects.
pub trait Kind: Send + 'static {
    /// For messages.
    const NAME: &'static str;
}

/// The handle of an object; NULL is none.
#[repr(transparent)]
pub struct Handle<T>(*mut c_void, PhantomData<T>);

type Shared = Arc<dyn Any + Send + Sync>;

struct Table {
    objects: BTreeMap<usize, Shared>,
    last: usize,
}

static TABLE: Mutex<Table> = Mutex::new(Table { objects: BTreeMap::new(), last: 0 });

impl<T: Kind> Handle<T> {
    /// A new handle; numbers are not used again.
    pub fn new(object: T) -> Self {
        let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
        // As aligned addresses are.
        table.last += 16;
        let number = table.last;
        table.objects.insert(number, Arc::new(Mutex::new(object)));
        Self(std::ptr::without_provenance_mut(number), PhantomData)
    }

    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    fn missing(&self) -> Error {
        let name = T::NAME;
        if self.is_null() {
            return Error::new(Status::NullArgument, format!("the handle of the {name} is NULL"));
        }
        let message = format!("this is no handle of a {name}, or it was freed before");
        Error::new(Status::InvalidHandle, message)
    }

    /// Works on the object, which nobody else uses meanwhile: they wait, so that no work may be long, or use the same handle.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> Result<R, Error>) -> Result<R, Error> {
        let shared = {
            let table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
            table.objects.get(&self.0.addr()).cloned()
        };
        let shared = shared.ok_or_else(|| self.missing())?;
        let object = shared.downcast_ref::<Mutex<T>>().ok_or_else(|| self.missing())?;
        let mut object = object.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut object)
    }

    /// A copy of the object.
    pub fn copy(&self) -> Result<T, Error>
    where
        T: Clone,
    {
        self.with(|object| Ok(object.clone()))
    }

    /// Forgets the object; NULL is none, and no error.
    pub fn free(&self) -> Result<(), Error> {
        if self.is_null() {
            return Ok(());
        }
        let removed = {
            let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
            let is_kind = |o: &Shared| o.downcast_ref::<Mutex<T>>().is_some();
            match table.objects.get(&self.0.addr()).is_some_and(is_kind) {
                true => table.objects.remove(&self.0.addr()),
                false => None,
            }
        };
        // Dropped here, outside of the lock.
        removed.map(|_| ()).ok_or_else(|| self.missing())
    }
}

/// How many handles there are.
#[unsafe(no_mangle)]
extern "C" fn hardbop_live_handles() -> usize {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner).objects.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Number(u32);

    impl Kind for Number {
        const NAME: &'static str = "number";
    }

    #[derive(Debug)]
    struct Other;

    impl Kind for Other {
        const NAME: &'static str = "other";
    }

    fn status<T>(result: Result<T, Error>) -> Option<Status> {
        result.err().map(|e| e.status)
    }

    #[test]
    fn handles_are_of_a_kind_and_freed_once() {
        let handle = Handle::new(Number(1));
        // A panic leaves the object as it is.
        let work = || {
            handle.with(|n| -> Result<(), Error> {
                n.0 = 2;
                panic!("on purpose")
            })
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        assert_eq!(handle.with(|n| Ok(n.0)).ok(), Some(2));
        let other: Handle<Other> = Handle(handle.0, PhantomData);
        assert_eq!(status(other.with(|_| Ok(()))), Some(Status::InvalidHandle));
        assert_eq!(status(other.free()), Some(Status::InvalidHandle));
        assert_eq!(status(handle.free()), None);
        assert_eq!(status(handle.free()), Some(Status::InvalidHandle));
        let none: Handle<Number> = Handle(std::ptr::null_mut(), PhantomData);
        assert_eq!(status(none.with(|_| Ok(()))), Some(Status::NullArgument));
        assert_eq!(status(none.free()), None);
    }
}
