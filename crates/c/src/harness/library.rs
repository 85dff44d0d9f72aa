//! Definitions of library functions that the program calls but does not define, as the table says.

use std::fmt::Write as _;

use crate::execute::{Demand, Execution as Run};
use crate::library::{
    Allocation, Execution, Kind, LibraryFunction, Link, Role, Storage, find, scan_format,
};
use crate::trace::InputKind;
use crate::types::DataModel;

/// Where a definition comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Definition {
    /// The definition is this text.
    Text(String),
    /// None is needed: the C library or the compiler has one.
    Elsewhere,
    /// Returns the values that the function had in the execution.
    Values,
    /// Reads as `scanf` does; the format is this parameter.
    Scan(usize),
    /// Reads a line as `fgets` does.
    Line,
    /// Returns the values that it had, and stores them where its argument points to.
    Stored,
    /// Returns this, or null where its value in the execution is not 0.
    OrNull(&'static str),
}

/// Whether a call of the function is the error, whatever the program says.
pub(super) fn is_error(name: &str) -> bool {
    find(name).is_some_and(|known| known.link == Link::Error)
}

/// Whether the program uses results of a function of the library that the execution was given.
pub(super) fn has_results(execution: &Run, name: &str) -> bool {
    let mut used = execution.inputs.iter().filter(|r| r.demand != Demand::Unused);
    used.any(|r| matches!(&r.input.kind, InputKind::Undefined { function } if function == name))
}

/// Whether `heap.c` defines the function, for blocks of given contents.
pub(super) fn is_of_heap(name: &str) -> bool {
    matches!(name, "malloc" | "calloc" | "realloc" | "free")
}

/// The definition of a function without a body. `own` is the name that it gets in C; `heap` says
/// whether blocks have given contents.
pub(super) fn definition(own: &str, name: &str, heap: bool) -> Definition {
    let Some(known) = find(name) else { return Definition::Values };
    if name.starts_with("__builtin_") {
        return Definition::Elsewhere;
    }
    match known.link {
        Link::Library(_) if name == known.name => Definition::Elsewhere,
        Link::Library(_) => Definition::Text(alias(own, name, known, heap)),
        Link::Real | Link::Hosted => Definition::Elsewhere,
        Link::Nothing => Definition::Text(define(own, name, "void", "void", "")),
        Link::Own(text) => Definition::Text(declared(name, text)),
        Link::Allocator => match &known.role {
            Role::Call(model) => match model.execution {
                Execution::Allocate(new) => {
                    Definition::Text(allocator(own, name, (known, new), heap))
                }
                _ => Definition::Values,
            },
            Role::Convention(_) => Definition::Values,
        },
        Link::Error => Definition::Text(define(own, name, "void", "void", "hardbop_reached();")),
        Link::Assertion => {
            let body = "if (!condition) hardbop_reached();";
            Definition::Text(define(own, name, "void", "int condition", body))
        }
        Link::Assumption => {
            let body = "if (!condition) hardbop_say(\"hardbop: an assumption is false\\n\", 108);";
            Definition::Text(define(own, name, "void", "int condition", body))
        }
        Link::Values => Definition::Values,
        Link::Scan => Definition::Scan(scan_format(name).unwrap_or_default()),
        Link::Line => Definition::Line,
        Link::Stored => Definition::Stored,
        Link::FirstOrNull => Definition::OrNull("a"),
        Link::NewOrNull => Definition::OrNull("(__UINTPTR_TYPE__)__builtin_malloc(1)"),
        Link::Compiler => Definition::Elsewhere,
    }
}

/// A function that the linker knows by its original name.
pub(super) fn define(own: &str, name: &str, ty: &str, parameters: &str, body: &str) -> String {
    format!(
        "{ty} {own}({parameters}) __asm__(\"{name}\");\n{ty} {own}({parameters}) {{ {body} }}\n"
    )
}

/// A definition from the table, linked under the original name.
pub(super) fn declared(name: &str, definition: &str) -> String {
    let head = definition.split('{').next().unwrap_or("").trim_end();
    format!("{head} __asm__(\"{name}\");\n{definition}\n")
}

/// The program's `long`, which definitions in the table call `hardbop_word`.
pub(super) fn word(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "typedef hardbop_long hardbop_word;",
        DataModel::Lp64 => "typedef long hardbop_word;",
    }
}

/// A function that calls the one of which it is an alias.
fn alias(own: &str, name: &str, known: &LibraryFunction, heap: bool) -> String {
    let prefix = if heap && is_of_heap(known.name) { "hardbop_" } else { "" };
    let target = format!("{prefix}{}", known.name);
    let types: Vec<&str> = known.prototype.parameters.iter().map(|kind| kind.c()).collect();
    let arguments = (types.iter().zip(letters())).map(|(ty, letter)| format!("({ty}){letter}"));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let ty = known.prototype.result.c();
    let back = if known.prototype.result == Kind::Void { "" } else { "return " };
    let callee = format!("extern {ty} {own}_m({}) __asm__(\"{target}\");\n", types.join(", "));
    callee + &define(own, name, ty, &parameters(known), &format!("{back}{own}_m({arguments});"))
}

/// A function that returns a new block.
fn allocator(
    own: &str,
    name: &str,
    (known, new): (&LibraryFunction, Allocation),
    heap: bool,
) -> String {
    let target = if new.zeroed { "calloc" } else { "malloc" };
    // Blocks on the stack have no numbers.
    let given = heap && new.storage == Storage::Heap;
    let prefix = if given { "hardbop_" } else { "" };
    let product: Vec<String> =
        new.size.iter().filter_map(|&i| letters().nth(i)).map(String::from).collect();
    let product = format!("(__SIZE_TYPE__){}", product.join(" * "));
    let (types, arguments) = if new.zeroed {
        ("__SIZE_TYPE__, __SIZE_TYPE__", format!("1, {product}"))
    } else {
        ("__SIZE_TYPE__", product)
    };
    let callee = format!("extern void *{own}_m({types}) __asm__(\"{prefix}{target}\");\n");
    let body = format!("return {own}_m({arguments});");
    callee + &define(own, name, "void *", &parameters(known), &body)
}

/// `unsigned a, __UINTPTR_TYPE__ b`: narrow parameters may be passed in full words.
fn parameters(known: &LibraryFunction) -> String {
    let mut out = String::new();
    for (kind, letter) in known.prototype.parameters.iter().zip(letters()) {
        let ty = match kind {
            Kind::Size => "unsigned",
            Kind::Void | Kind::Int | Kind::Long | Kind::LongLong | Kind::Double => kind.c(),
            Kind::Memory
            | Kind::Block
            | Kind::Text
            | Kind::Format
            | Kind::Buffer
            | Kind::Stream
            | Kind::Arguments => "__UINTPTR_TYPE__",
        };
        let comma = if out.is_empty() { "" } else { ", " };
        // Writing to a String cannot fail.
        let _ = write!(out, "{comma}{ty} {letter}");
    }
    if out.is_empty() { "void".to_owned() } else { out }
}

fn letters() -> impl Iterator<Item = char> {
    'a'..='z'
}
