//! The inputs of an execution as C tables, and the functions that return them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::edit::Edits;
use super::library::{Definition, define, definition, has_results, is_error};
use super::memory::parts;
use super::text::Lexed;
use crate::execute::{Demand, Execution, Recorded};
use crate::flow::{Flow, Function, Variable, VariableKind};
use crate::library::{LibraryFunction, find};
use crate::trace::InputKind;
use crate::types::Type;

/// The `struct hardbop_value` initialiser for a value.
pub(super) fn value(recorded: &Recorded) -> String {
    match recorded.object {
        Some(object) => format!("{{ 0, hardbop_o_{} + {} }}", object.number, object.start),
        None => format!("{{ {:#x}ULL }}", recorded.input.value),
    }
}

/// Writes a table of values and its counter.
fn table(out: &mut String, name: &str, recorded: &[&Recorded]) {
    let list: Vec<String> = recorded.iter().map(|r| value(r)).collect();
    let list = if list.is_empty() { "{ 0 }".to_owned() } else { list.join(", ") };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "static const struct hardbop_value {name}[] = {{ {list} }};");
    let _ = writeln!(out, "static unsigned {name}_next;");
}

fn take(name: &str, count: usize) -> String {
    format!("hardbop_take({name}, {count}, &{name}_next)")
}

/// Defines all functions without bodies that the text uses; `heap` says whether blocks have given contents.
pub(super) fn functions(
    flow: &Flow,
    execution: &Execution,
    lexed: &Lexed<'_>,
    heap: bool,
    out: &mut String,
    notes: &mut Vec<String>,
) {
    let mut values: BTreeMap<&str, Vec<&Recorded>> = BTreeMap::new();
    // The verifier's functions need not be in the flow.
    for (_, word) in lexed.words() {
        if word.starts_with("__VERIFIER_") || is_error(word) {
            values.insert(word, Vec::new());
        }
    }
    // Those that headers only declare stay the C library's, which may call them itself.
    let used = lexed.used();
    let used = |f: &&Function| used.contains(&*f.name);
    for function in flow.functions.iter().filter(|f| f.body.is_none()).filter(used) {
        values.insert(&function.name, Vec::new());
    }
    for recorded in &execution.inputs {
        if let InputKind::Nondet { function } | InputKind::Undefined { function } =
            &recorded.input.kind
        {
            if function.contains(' ') {
                let what = "a function without a body changes places that its contract lists";
                notes.push(format!("{what}, and its harness does not"));
                continue;
            }
            values.entry(function).or_default().push(recorded);
        }
    }
    let mut scans = false;
    for (name, recorded) in values {
        let function = flow.functions.iter().find(|f| f.name == name);
        let given = function.is_some_and(|f| f.body.is_some() && !f.is_convention());
        if given || lexed.defines(name) {
            continue;
        }
        let own = format!("hardbop_f_{}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
        match definition(&own, name, heap) {
            // Output that says whether it failed.
            Definition::Elsewhere if has_results(execution, name) => {}
            Definition::Elsewhere => continue,
            Definition::Text(text) => {
                out.push_str(&text);
                continue;
            }
            Definition::Line | Definition::Stored => {
                let values = format!("{own}_values");
                table(out, &values, &recorded);
                let taken = take(&values, recorded.len());
                let text = match name {
                    "fgets" => {
                        let body = format!(
                            "int i = 0; char c; if ({taken}) return 0; \
                             do {{ if (!(c = (char){taken})) break; a[i++] = c; }} \
                             while (c != '\\n' && i < n - 1); a[i] = 0; return a;"
                        );
                        define(&own, name, "char *", "char *a, int n, void *f", &body)
                    }
                    "read" | "recv" => {
                        let body = format!(
                            "long i, r = (long){taken}; for (i = 0; i < r; i++) a[i] = (char){taken}; return r;"
                        );
                        define(&own, name, "long", "int f, char *a, unsigned long n, ...", &body)
                    }
                    "fread" => {
                        let body = format!(
                            "long i, r = (long){taken}; for (i = 0; i < r; i++) a[i] = (char){taken}; return r / s;"
                        );
                        let parameters = "char *a, unsigned long s, unsigned long n, void *f";
                        define(&own, name, "unsigned long", parameters, &body)
                    }
                    _ => {
                        let body = format!("hardbop_word v = {taken}; if (a) *a = v; return v;");
                        define(&own, name, "hardbop_word", "hardbop_word *a", &body)
                    }
                };
                out.push_str(&text);
                continue;
            }
            Definition::OrNull(or_null) => {
                let values = format!("{own}_values");
                table(out, &values, &recorded);
                let body = format!("return {} ? 0 : {or_null};", take(&values, recorded.len()));
                let word = "__UINTPTR_TYPE__";
                out.push_str(&define(&own, name, word, &format!("{word} a"), &body));
                continue;
            }
            Definition::Scan(format) => {
                if !scans {
                    out.push_str(SCAN);
                    scans = true;
                }
                let values = format!("{own}_values");
                table(out, &values, &recorded);
                out.push_str(&scanning(&own, name, format, recorded.len()));
                // A header may give the function another name for the linker.
                let others = find(name).into_iter().flat_map(LibraryFunction::names);
                let unused = |other: &&str| flow.functions.iter().all(|f| f.name != **other);
                for (i, other) in others.filter(unused).enumerate() {
                    let alias = format!("{own}_{i}");
                    let text = scanning(&alias, other, format, recorded.len());
                    out.push_str(&text.replace(&format!("{alias}_values"), &values));
                }
                continue;
            }
            Definition::Values => {}
        }
        let result = result_of(flow, function, &recorded);
        if result == Result::Record {
            notes.push(format!("'{name}' returns a record whose contents are unknown"));
        }
        if matches!(result, Result::Void | Result::Record) {
            out.push_str(&define(&own, name, "void", "void", ""));
            continue;
        }
        let values = format!("{own}_values");
        table(out, &values, &recorded);
        let taken = take(&values, recorded.len());
        let (ty, body) = match result {
            Result::Float => ("float", format!("return hardbop_float({taken});")),
            Result::Double => ("double", format!("return hardbop_double({taken});")),
            Result::Int(64, _) => ("hardbop_bits", format!("return {taken};")),
            Result::Wide => {
                let body = format!(
                    "hardbop_bits low = {taken}; return (unsigned __int128){taken} << 64 | low;"
                );
                ("unsigned __int128", body)
            }
            Result::Int(bits, true) if bits < 32 => {
                let (minimum, all) = (1u64 << (bits - 1), 1u64 << bits);
                let body = format!(
                    "hardbop_bits v = {taken}; return v >= {minimum} ? (int)v - {all} : (int)v;"
                );
                ("int", body)
            }
            _ => ("unsigned", format!("return {taken};")),
        };
        out.push_str(&define(&own, name, ty, "void", &body));
    }
}

/// What functions that read as `scanf` does have in common.
const SCAN: &str = include_str!("scan.c");

/// A function whose parameter `format` is a format of `scanf`.
fn scanning(own: &str, name: &str, format: usize, count: usize) -> String {
    let parameters = if format == 0 { "const char *f, ..." } else { "void *s, const char *f, ..." };
    let body = format!(
        "__builtin_va_list a; int r; __builtin_va_start(a, f); \
         r = hardbop_scan(f, a, {own}_values, {count}, &{own}_values_next); \
         __builtin_va_end(a); return r;"
    );
    define(own, name, "int", parameters, &body)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Result {
    Void,
    Record,
    Float,
    Double,
    /// The number of bits, and whether the integer is signed.
    Int(u32, bool),
    /// An integer of 128 bits, whose halves are inputs, the lower one first.
    Wide,
}

fn result_of(flow: &Flow, function: Option<&Function>, recorded: &[&Recorded]) -> Result {
    let ty = function.map(|f| flow.types.get(f.ty));
    if let Some(&Type::Function { result, .. }) = ty {
        return match *flow.types.get(result) {
            Type::Void | Type::Array(..) | Type::Function { .. } => Result::Void,
            Type::Record(_) if flow.types.as_wide(result).is_some() => Result::Wide,
            Type::Record(_) => Result::Record,
            Type::Float { bits: 32 } => Result::Float,
            Type::Float { .. } => Result::Double,
            Type::Bool => Result::Int(8, false),
            Type::Int { bits, signed, .. } => Result::Int(bits, signed),
            // Return as many bits as pointers may have in the compiled program.
            Type::Pointer(_) => Result::Int(64, false),
        };
    }
    match recorded.first() {
        Some(r) if r.float && r.input.bits == 32 => Result::Float,
        Some(r) if r.float => Result::Double,
        Some(r) => Result::Int(r.input.bits, false),
        None => Result::Void,
    }
}

/// The first variable that has the declaration of one: a function may have copies.
fn first_at(flow: &Flow, variable: u32) -> u32 {
    let own = &flow.variables[variable as usize];
    let is_it = |other: &Variable| other.span == own.span && other.name == own.name;
    flow.variables.iter().position(is_it).map_or(variable, |first| first as u32)
}

/// Inserts initial values of uninitialised locals into their declarations, and those of the entry's parameters into its body.
pub(super) fn locals(
    flow: &Flow,
    execution: &Execution,
    lexed: &Lexed<'_>,
    out: &mut String,
    edits: &mut Edits,
    notes: &mut Vec<String>,
) {
    let mut asked: BTreeMap<u32, Vec<&Recorded>> = BTreeMap::new();
    for recorded in &execution.inputs {
        if let InputKind::Uninitialised { variable, .. } = recorded.input.kind {
            asked.entry(first_at(flow, variable)).or_default().push(recorded);
        }
    }
    for (variable, recorded) in asked {
        let declared = &flow.variables[variable as usize];
        let name = declared.name.as_str();
        let at = lexed.word_in(declared.span, name);
        let entry = &flow.functions[flow.main.0 as usize];
        // Where an initialiser goes, and where a statement behind the declaration.
        let (end, behind) = match declared.kind {
            VariableKind::Local => (
                at.and_then(|at| lexed.declarator_end(at)),
                at.and_then(|at| lexed.declaration_end(at)),
            ),
            VariableKind::Parameter if declared.function == Some(flow.main) => {
                (None, lexed.body(&entry.name).map(|brace| brace.end))
            }
            VariableKind::Parameter => {
                notes.push(format!("the parameter '{name}' has no argument"));
                continue;
            }
            // Said of the function.
            VariableKind::Temporary if name.contains("()@") => continue,
            VariableKind::Temporary => {
                notes.push("a function with a result ends without 'return'".to_owned());
                continue;
            }
            VariableKind::Global | VariableKind::External => continue,
        };
        let own = format!("hardbop_v_{variable}");
        if let Some(end) = end.filter(|_| recorded.iter().all(|r| r.demand == Demand::Declaration))
        {
            table(out, &own, &recorded);
            let taken = take(&own, recorded.len());
            let value = match flow.types.get(declared.ty) {
                Type::Float { bits: 32 } => format!("hardbop_float({taken})"),
                Type::Float { .. } => format!("hardbop_double({taken})"),
                Type::Pointer(_) => format!("(void *)(__UINTPTR_TYPE__){taken}"),
                _ => taken,
            };
            edits.insert(end, format!(" = {value}"));
        } else if let Some(behind) = behind {
            let parts: Vec<String> = recorded.iter().flat_map(|r| parts(r)).collect();
            let _ = writeln!(
                out,
                "static const struct hardbop_part {own}[] = {{ {} }};\nstatic unsigned {own}_next;",
                parts.join(", ")
            );
            let count = parts.len();
            edits.insert(
                behind,
                format!(" int {own}_done = hardbop_fill(&{name}, {own}, {count}, &{own}_next);"),
            );
        } else {
            notes.push(format!("the declaration of '{name}' cannot be given a value"));
        }
    }
}
