//! A row of the table.

use super::convention::Convention;
use super::effect::{Effect, Returns, Storage};
use super::execution::Execution;
use super::link::Link;
use super::prototype::Prototype;

/// A function that programs call without defining it.
#[derive(Debug)]
pub struct LibraryFunction {
    /// With a `*` at its end, the row is for all other names that begin so.
    pub name: &'static str,
    /// Other names of the same function; arguments behind those of the prototype do not matter.
    pub aliases: &'static [&'static str],
    pub family: Family,
    pub prototype: Prototype,
    pub role: Role,
    pub link: Link,
}

/// Whose function it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The C library, POSIX included.  gcc's `__builtin_x` is `x` of this family.
    Library,
    /// Kernels of Linux and Windows.
    Kernel,
    /// SV-COMP.
    Verifier,
    /// Built-ins of gcc that are no library functions.
    Compiler,
}

/// What a call is to the checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The parser replaces it by control flow.
    Convention(Convention),
    /// It stays a call.
    Call(Model),
}

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    pub effect: Effect,
    pub execution: Execution,
    pub accesses: Accesses,
    /// Is there a signed overflow where the first argument is the least number of its type?
    pub overflow: bool,
}

/// Which memory of its arguments a function accesses, for the checks of accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accesses {
    /// None that a check asks for.
    Nothing,
    /// So many bytes behind each of the pointers as another argument says.
    Bytes { pointers: &'static [usize], size: usize },
    /// Reads the texts among its arguments to their ends.
    Texts,
    /// Some that cannot be checked.
    Unknown,
}

impl LibraryFunction {
    /// What a call does, where it stays one.
    #[must_use]
    pub fn model(&self) -> Option<&Model> {
        match &self.role {
            Role::Convention(_) => None,
            Role::Call(model) => Some(model),
        }
    }

    /// What replaces a call.
    #[must_use]
    pub fn convention(&self) -> Option<Convention> {
        match self.role {
            Role::Convention(convention) => Some(convention),
            Role::Call(_) => None,
        }
    }

    /// Does the checker know what a call does?  Otherwise there is a warning.
    #[must_use]
    pub fn is_modelled(&self) -> bool {
        self.model().is_none_or(|model| model.execution != Execution::AnyResult)
    }

    /// Does a call return a new block of the heap?
    #[must_use]
    pub fn makes_block(&self) -> bool {
        self.model().is_some_and(|model| match model.effect.returns {
            Returns::Fresh(allocation) => allocation.storage == Storage::Heap,
            Returns::Resized(_) => true,
            Returns::Argument(_)
            | Returns::ArgumentOrNull(_)
            | Returns::Within(_)
            | Returns::Absolute(_)
            | Returns::Anything => false,
        })
    }

    /// All names that call it; none for a row that stands for all names with its beginning.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let own = (!self.name.ends_with('*')).then_some(self.name);
        own.into_iter().chain(self.aliases.iter().copied())
    }
}
