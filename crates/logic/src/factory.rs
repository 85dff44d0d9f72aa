//! Factories of solvers that the user of the library provides.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Makes values of a type, as often as needed and from any thread; cheap to clone, since it is part of options.
///
/// Two factories are equal if one is a clone of the other, since functions cannot be compared.
///
/// ```
/// use hardbop_logic::factory::Factory;
/// use hardbop_logic::sat::{Backend, SatSolver};
///
/// let factory = Factory::new("varisat", || Backend::Varisat.solver());
/// let (mut one, mut other) = (factory.make(), factory.make());
/// assert_eq!(one.new_variable(), other.new_variable()); // neither knows of the other
/// assert_eq!(factory.name(), "varisat");
/// assert_eq!(factory, factory.clone());
/// ```
pub struct Factory<T> {
    name: Arc<str>,
    make: Arc<dyn Fn() -> T + Send + Sync>,
}

impl<T> Factory<T> {
    /// `name` appears in messages and statistics.
    pub fn new(name: &str, make: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self { name: name.into(), make: Arc::new(make) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes a new value.
    pub fn make(&self) -> T {
        (self.make)()
    }
}

// Written by hand, since deriving would require that `T` implement the same traits.
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

/// Equality is identity.
impl<T> PartialEq for Factory<T> {
    fn eq(&self, other: &Self) -> bool {
        // Compares addresses only, since functions of one type can have different vtables.
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
