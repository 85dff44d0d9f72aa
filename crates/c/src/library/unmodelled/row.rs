//! How rows of functions without a model are written.

use crate::library::effect::{Allocation, Effect, Returns, Storage, Writes};
use crate::library::execution::Execution;
use crate::library::function::{Accesses, LibraryFunction, Model, Role};
use crate::library::link::Link;
use crate::library::prototype::{Kind, Prototype};
use crate::library::table::{kernel, library, split, unsupported};

/// Functions that neither depend on the world outside nor change it; they may write to the targets
/// of the arguments `to`.
pub(super) const fn pure(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
) -> LibraryFunction {
    unmodelled(names, prototype, to, false, Link::Real)
}

/// Functions that a harness leaves out, since they change files or processes, or wait.
pub(super) const fn outside(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
) -> LibraryFunction {
    unmodelled(names, prototype, to, false, Link::Nothing)
}

/// As [`outside`], for functions whose results are numbers of a range, as inputs.
pub(super) const fn answers(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
    (least, greatest): (i64, i64),
) -> LibraryFunction {
    let row = unmodelled(names, prototype, to, false, Link::Values);
    returning(row, Returns::Between { least, greatest })
}

/// As [`answers`], for functions that fill, or read, at most as many bytes behind a pointer as another argument
/// says: the result is how many, or -1.
pub(super) const fn transfers(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
    (pointers, size): (&'static [usize], usize),
) -> LibraryFunction {
    let row = unmodelled(names, prototype, to, false, Link::Values);
    let row = returning(row, Returns::UpTo { argument: size, fails: true });
    accessing(row, Accesses::Bytes { pointers, size })
}

/// As [`answers`], for functions that fill, or read, as many items behind their first argument as others say.
pub(super) const fn items(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
) -> LibraryFunction {
    let row = unmodelled(names, prototype, to, false, Link::Values);
    let row = returning(row, Returns::UpTo { argument: 2, fails: false });
    accessing(row, Accesses::Items { pointer: 0, size: 1, count: 2 })
}

/// As [`answers`], for functions whose result is at most what an argument says.
pub(super) const fn rests(
    names: &'static [&'static str],
    prototype: Prototype,
    argument: usize,
) -> LibraryFunction {
    let row = unmodelled(names, prototype, &[], false, Link::Values);
    returning(row, Returns::UpTo { argument, fails: false })
}

/// Functions that open something: their result is null, or an object into which only the library looks.
pub(super) const fn opens(names: &'static [&'static str], prototype: Prototype) -> LibraryFunction {
    let new = Allocation { size: &[], zeroed: false, storage: Storage::Library, alignment: None };
    let row = unmodelled(names, prototype, &[], false, Link::NewOrNull);
    let row = returning(row, Returns::Fresh(new));
    executed(row, Execution::Allocate(new))
}

/// A row whose function the interpreter executes so.
pub(super) const fn executed(row: LibraryFunction, execution: Execution) -> LibraryFunction {
    let Role::Call(model) = row.role else { return row };
    LibraryFunction { role: Role::Call(Model { execution, ..model }), ..row }
}

const fn returning(row: LibraryFunction, returns: Returns) -> LibraryFunction {
    let Role::Call(model) = row.role else { return row };
    let effect = Effect { returns, ..model.effect };
    LibraryFunction { role: Role::Call(Model { effect, ..model }), ..row }
}

/// A row whose function accesses this.
pub(super) const fn accessing(row: LibraryFunction, accesses: Accesses) -> LibraryFunction {
    let Role::Call(model) = row.role else { return row };
    LibraryFunction { role: Role::Call(Model { accesses, ..model }), ..row }
}

/// As [`outside`], for functions that write through their further arguments.
pub(super) const fn scans(names: &'static [&'static str], prototype: Prototype) -> LibraryFunction {
    unmodelled(names, prototype, &[], true, Link::Nothing)
}

/// Functions that call back, jump, or keep pointers: a path through a call is undecided.
pub(super) const fn refused(
    names: &'static [&'static str],
    prototype: Prototype,
) -> LibraryFunction {
    let (name, aliases) = split(names);
    LibraryFunction { aliases, ..unsupported(name, prototype) }
}

/// Functions of a kernel whose results are inputs; they may write to the targets of the arguments `to`.
pub(super) const fn kernel_call(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
) -> LibraryFunction {
    let model = Model {
        effect: Effect { writes: Writes::Anything { to, more: false }, returns: Returns::Anything },
        execution: Execution::AnyResult,
        accesses: if has_pointer(prototype.parameters) {
            Accesses::Unknown
        } else {
            Accesses::Nothing
        },
        overflow: false,
    };
    let (name, aliases) = split(names);
    LibraryFunction { aliases, ..kernel(name, prototype, model) }
}

const fn unmodelled(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
    more: bool,
    link: Link,
) -> LibraryFunction {
    let model = Model {
        effect: Effect { writes: Writes::Anything { to, more }, returns: Returns::Given },
        execution: Execution::Unmodelled,
        accesses: if has_pointer(prototype.parameters) || more {
            Accesses::Unknown
        } else {
            Accesses::Nothing
        },
        overflow: false,
    };
    let (name, aliases) = split(names);
    LibraryFunction { aliases, link, ..library(name, prototype, model) }
}

const fn has_pointer(kinds: &[Kind]) -> bool {
    let mut i = 0;
    while i < kinds.len() {
        match kinds[i] {
            Kind::Void | Kind::Int | Kind::Long | Kind::LongLong | Kind::Size | Kind::Double => {}
            Kind::Stream => {}
            Kind::Memory
            | Kind::Block
            | Kind::Text
            | Kind::Format
            | Kind::Buffer
            | Kind::Arguments => return true,
        }
        i += 1;
    }
    false
}

/// Accesses to objects of the types of these parameters.
pub(super) const fn objects(certain: &'static [usize]) -> Accesses {
    Accesses::Objects { certain, or_null: &[] }
}

/// As [`objects`], of pointers that may be null.
pub(super) const fn or_null(or_null: &'static [usize]) -> Accesses {
    Accesses::Objects { certain: &[], or_null }
}
