//! A row of the table.

use super::convention::Convention;
use super::effect::{Effect, Returns, Storage};
use super::execution::Execution;
use super::link::Link;
use super::prototype::Prototype;

/// A function that programs call without defining it.
#[derive(Debug)]
pub struct LibraryFunction {
    /// A name that ends with `*` stands for all names that begin like this and have no row of their own.
    pub name: &'static str,
    /// Other names of the same function, whose additional arguments do not matter.
    pub aliases: &'static [&'static str],
    pub family: Family,
    pub prototype: Prototype,
    pub role: Role,
    pub link: Link,
}

/// The origin of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The C library, including POSIX. gcc's `__builtin_x` is this family's `x`.
    Library,
    /// The kernels of Linux and Windows.
    Kernel,
    /// SV-COMP.
    Verifier,
    /// Built-ins of gcc that are not library functions.
    Compiler,
}

/// How the checker treats a call.
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
    /// Whether the operation overflows if the first argument is the least number of its type.
    pub overflow: bool,
}

/// The memory that a function accesses through its arguments, as far as the access checks are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accesses {
    /// None that needs a check.
    Nothing,
    /// As many bytes behind each of the pointers as argument `size` says.
    Bytes { pointers: &'static [usize], size: usize },
    /// As many items of as many bytes, behind the pointer, as two arguments say.
    Items { pointer: usize, size: usize, count: usize },
    /// Objects of the types that the parameters are declared to point to; of `or_null`, where the pointer is not null.
    Objects { certain: &'static [usize], or_null: &'static [usize] },
    /// The texts among the arguments, up to their terminating zeros.
    Texts,
    /// Accesses that cannot be checked.
    Unknown,
}

impl LibraryFunction {
    /// What a call does, if it stays a call.
    #[must_use]
    pub fn model(&self) -> Option<&Model> {
        match &self.role {
            Role::Convention(_) => None,
            Role::Call(model) => Some(model),
        }
    }

    /// What replaces a call, if anything does.
    #[must_use]
    pub fn convention(&self) -> Option<Convention> {
        match self.role {
            Role::Convention(convention) => Some(convention),
            Role::Call(_) => None,
        }
    }

    /// Whether the checker knows what a call does; if not, there is a warning.
    #[must_use]
    pub fn is_modelled(&self) -> bool {
        self.model().is_none_or(|model| model.execution != Execution::AnyResult)
    }

    /// The name, which is one of the row, as a text of the table.
    #[must_use]
    pub fn called(&self, name: &str) -> &'static str {
        self.names().find(|&n| n == name).unwrap_or(self.name)
    }

    /// Whether this is the function's own name, rather than that of one which does the same.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let alike = self.model().is_some_and(|model| {
            matches!(model.execution, Execution::Unmodelled | Execution::Scans)
        });
        self.name == name || alike
    }

    /// Whether a call returns a new block that ends with the calling function or block.
    #[must_use]
    pub fn makes_local_block(&self) -> bool {
        let on_stack = |returns: Returns| matches!(returns, Returns::Fresh(new) if new.storage == Storage::Stack);
        self.model().is_some_and(|model| on_stack(model.effect.returns))
    }

    /// Whether a call returns a new block of the heap.
    #[must_use]
    pub fn makes_block(&self) -> bool {
        self.model().is_some_and(|model| match model.effect.returns {
            Returns::Fresh(allocation) => allocation.storage == Storage::Heap,
            Returns::Resized(_) => true,
            Returns::Argument(_)
            | Returns::ArgumentOrNull(_)
            | Returns::Within(_)
            | Returns::Absolute(_)
            | Returns::Real(_)
            | Returns::Below(_)
            | Returns::Between { .. }
            | Returns::UpTo { .. }
            | Returns::Given
            | Returns::Anything => false,
        })
    }

    /// All names of the function; none for a row that stands for a prefix.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let own = (!self.name.ends_with('*')).then_some(self.name);
        own.into_iter().chain(self.aliases.iter().copied())
    }
}
