//! Standard functions without a model: it is known what they may write, but not the values.
//!
//! A row has several names if their prototypes agree in what matters: the parameters that are
//! written to. Where a variant returns a `float`, the row says `double`; no value is ever used.

mod math;
mod system;
mod text;

use super::effect::{Effect, Returns, Writes};
use super::execution::Execution;
use super::function::{Accesses, LibraryFunction, Model};
use super::link::Link;
use super::prototype::{Kind, Prototype};
use super::table::{library, split, unsupported};

/// The rows, in parts.
pub(super) static TABLES: &[&[LibraryFunction]] = &[math::TABLE, system::TABLE, text::TABLE];

/// Functions that neither depend on the world outside nor change it; they may write to the targets
/// of the arguments `to`.
const fn pure(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
) -> LibraryFunction {
    unmodelled(names, prototype, to, false, Link::Real)
}

/// Functions that a harness leaves out, since they change files or processes, or wait.
const fn outside(
    names: &'static [&'static str],
    prototype: Prototype,
    to: &'static [usize],
) -> LibraryFunction {
    unmodelled(names, prototype, to, false, Link::Nothing)
}

/// As [`outside`], for functions that write through their further arguments.
const fn scans(names: &'static [&'static str], prototype: Prototype) -> LibraryFunction {
    unmodelled(names, prototype, &[], true, Link::Nothing)
}

/// Functions that call back, jump, or keep pointers: a path through a call is undecided.
const fn refused(names: &'static [&'static str], prototype: Prototype) -> LibraryFunction {
    let (name, aliases) = split(names);
    LibraryFunction { aliases, ..unsupported(name, prototype) }
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
