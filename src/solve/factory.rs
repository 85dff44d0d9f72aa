//! Factories of solvers that the user of the library provides.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Makes values of a type, as often as they are needed and from any thread; part of options, so it is cheap to clone.
///
/// Two are equal if one is a clone of the other: functions cannot be compared.
pub struct Factory<T> {
    name: Arc<str>,
    make: Arc<dyn Fn() -> T + Send + Sync>,
}

impl<T> Factory<T> {
    /// `name` is for messages and statistics.
    pub fn new(name: &str, make: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self { name: name.into(), make: Arc::new(make) }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A new one.
    pub fn make(&self) -> T {
        (self.make)()
    }
}

// By hand: deriving would ask the same of `T`.
impl<T> Clone for Factory<T> {
    fn clone(&self) -> Self {
        Self { name: Arc::clone(&self.name), make: Arc::clone(&self.make) }
    }
}

impl<T> fmt::Debug for Factory<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Factory").field(&self.name).finish()
    }
}

/// The same one.
impl<T> PartialEq for Factory<T> {
    fn eq(&self, other: &Self) -> bool {
        // Addresses alone: functions of one type can have different tables.
        std::ptr::addr_eq(Arc::as_ptr(&self.make), Arc::as_ptr(&other.make))
            && Arc::ptr_eq(&self.name, &other.name)
    }
}

impl<T> Eq for Factory<T> {}

impl<T> Hash for Factory<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
