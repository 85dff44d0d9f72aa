//! The table of library functions: every reader of the table knows every row.  For each name, a
//! program that calls it is parsed, executed, lowered, and made a harness that gcc compiles.

mod arguments;
mod calendar;

mod complex;
mod integers;
mod jumps;
mod linked;
mod models;
mod numbers;
mod outside;
mod posix;
mod printed;
mod rounding;
mod scanned;
mod system;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::lower::{Knows, check};
use crate::support::c::{can_compile, execute, flow, run_harness, run_harness_hosted};
use hardbop_base::errors::{Check, Checks, ErrorKind};
use hardbop_base::source::Source;
use hardbop_c::execute::{End, ExecutionOutcome, Fault, Recording};
use hardbop_c::flow::{Flow, Violation};
use hardbop_c::harness::{ERROR_CODE, harness};
use hardbop_c::library::{
    Accesses, Allocation, Convention, Execution, Family, Kind, LibraryFunction, Link, Model,
    RealFunction, Returns, Role, Storage, TextFunction, TextResult, find, is_inlined, rows,
};
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};

const MODEL: DataModel = DataModel::Lp64;

/// A call of a function in a program of its own.
struct Call {
    /// Declarations of the function and of what its arguments need.
    head: String,
    /// Variables, and the call, whose result is kept in `r` if that is asked for.
    body: String,
}

/// Each pointer to memory gets an array of its own: `m0`, `m1`.
fn call(row: &LibraryFunction, name: &str, keep: bool, int: &str) -> Call {
    let types: Vec<&str> = row.prototype.parameters.iter().map(|kind| kind.c()).collect();
    let more = if row.prototype.variadic && !types.is_empty() { ", ..." } else { "" };
    let parameters = if types.is_empty() && row.prototype.variadic {
        String::new()
    } else if types.is_empty() {
        "void".to_owned()
    } else {
        types.join(", ") + more
    };
    let result = row.prototype.result.c().replace("__SIZE_TYPE__", "unsigned long");
    let mut head = String::from("void reach_error(void);\n");
    if row.prototype.parameters.contains(&Kind::Block) && name != "malloc" {
        head.push_str("void *malloc(unsigned long);\n");
    }
    if !name.starts_with("__builtin_") && name != "reach_error" {
        let _ = writeln!(head, "{result} {name}({parameters});");
    }
    let mut body = String::new();
    let mut arguments = Vec::new();
    for (i, kind) in row.prototype.parameters.iter().enumerate() {
        arguments.push(match kind {
            Kind::Void => unreachable!("no parameter has it"),
            Kind::Int if name.starts_with("strto") => "10".to_owned(),
            // Numbers in texts: no end, and any base.
            Kind::Int
                if row.prototype.parameters[0] == Kind::Text
                    && matches!(row.link, Link::Own(_)) =>
            {
                "0".to_owned()
            }
            Kind::Int | Kind::Long | Kind::LongLong => int.to_owned(),
            Kind::Size => "4".to_owned(),
            Kind::Double => "0.5".to_owned(),
            Kind::Block => "malloc(8)".to_owned(),
            Kind::Memory | Kind::Text | Kind::Buffer => {
                let _ = write!(body, "char m{i}[16] = \"{}\"; ", ["bac", "abcb"][i % 2]);
                format!("m{i}")
            }
            // Not a literal: what is written is not known.
            Kind::Format => {
                let _ = write!(body, "char f[2] = \"x\"; ");
                "f".to_owned()
            }
            Kind::Stream => "(void *)\"s\"".to_owned(),
            Kind::Arguments => "(void *)0".to_owned(),
        });
    }
    let kept = if keep { format!("{result} r = ") } else { String::new() };
    let _ = write!(body, "{kept}{name}({}); ", arguments.join(", "));
    Call { head: head.replace("__SIZE_TYPE__", "unsigned long"), body }
}

/// What a program may look at after a call: expressions of type `int`.
fn observations(row: &LibraryFunction, model: &Model) -> Vec<String> {
    let mut all = Vec::new();
    if is_known(model) {
        match row.prototype.result {
            Kind::Void | Kind::Double => {}
            // Only the sign is known.
            _ if matches!(model.execution, Execution::Compare | Execution::CompareText { .. }) => {
                all.extend(["r < 0".to_owned(), "r > 0".to_owned()]);
            }
            Kind::Int | Kind::Long | Kind::LongLong | Kind::Size => all.push("(int)r".to_owned()),
            Kind::Memory | Kind::Block | Kind::Text | Kind::Format | Kind::Buffer => {
                all.push("r == 0".to_owned());
                let is_memory = |new: Allocation| new.storage != Storage::Library;
                if matches!(model.effect.returns, Returns::Fresh(new) if new.zeroed && is_memory(new))
                {
                    all.push("((char *)r)[2]".to_owned());
                }
            }
            Kind::Stream | Kind::Arguments => unreachable!("no function returns it"),
        }
    }
    let count = row.prototype.parameters.len();
    let written = match model.execution {
        Execution::WriteText { to, .. } => vec![to],
        _ => model.effect.written(count, count),
    };
    for (i, kind) in row.prototype.parameters.iter().enumerate() {
        let shown = match kind {
            Kind::Buffer | Kind::Memory | Kind::Text => !written.contains(&i),
            _ => false,
        };
        if shown {
            all.extend([0, 3, 4].map(|at| format!("m{i}[{at}]")));
        }
    }
    all
}

/// Does the interpreter know what a call returns?
fn is_known(model: &Model) -> bool {
    let is_number = matches!(model.effect.returns, Returns::Between { .. } | Returns::UpTo { .. });
    match model.execution {
        Execution::Unmodelled => is_number,
        Execution::Output | Execution::Reads(TextFunction::CompareLetters { .. }) => false,
        Execution::Reads(_)
        | Execution::Scans
        | Execution::ErrorNumber
        | Execution::Characters(_) => true,
        Execution::WriteText { returns, .. } => match returns {
            TextResult::StartOrNull => true,
            TextResult::Unknown => false,
        },
        Execution::Allocate(_)
        | Execution::Reallocate
        | Execution::Free
        | Execution::Fill
        | Execution::Copy { .. }
        | Execution::Compare
        | Execution::Length
        | Execution::CopyText { .. }
        | Execution::CopyPrefix
        | Execution::CompareText { .. }
        | Execution::FindCharacter
        | Execution::Absolute
        | Execution::Real(_)
        | Execution::Between { .. }
        | Execution::AnyResult => true,
    }
}

/// The names to try: of many that are not modelled, one.
fn tried(row: &'static LibraryFunction) -> impl Iterator<Item = &'static str> {
    let alike = matches!(row.link, Link::Real | Link::Nothing);
    row.names().take(if alike { 1 } else { usize::MAX })
}

fn models() -> impl Iterator<Item = (&'static LibraryFunction, &'static Model)> {
    // What is written out as control flow asks for inputs.
    let calls = rows().filter(|row| !is_inlined(row.name));
    let calls = calls.filter_map(|row| Some((row, row.model()?)));
    // Whether a result is known depends on the numbers.
    calls.filter(|(_, model)| !matches!(model.execution, Execution::Real(_)))
}

fn program(call: &Call, rest: &str) -> String {
    format!("{}int main(void) {{ {}{rest} return 0; }}\n", call.head, call.body)
}

#[test]
fn names_are_of_one_row() {
    let mut names = BTreeSet::new();
    for row in rows() {
        assert!(row.names().count() > 0 || row.name.ends_with('*'), "{}", row.name);
        for name in row.names() {
            assert!(names.insert(name), "{name}");
            assert!(std::ptr::eq(find(name).expect("it is in the table"), row), "{name}");
        }
    }
    let built_in = |name| find(name).expect("a built-in").name;
    assert_eq!(built_in("__builtin_memcpy"), "memcpy");
    assert_eq!(built_in("__builtin_strlen"), "strlen");
    assert_eq!(built_in("__builtin_abort"), "abort");
    // What nobody knows is not guessed, and kernels have no built-ins.
    assert_eq!(built_in("__builtin_isfoo"), "__builtin_*");
    assert_eq!(built_in("__builtin_kmalloc"), "__builtin_*");
    assert_eq!(built_in("__VERIFIER_nondet_int"), "__VERIFIER_nondet_*");
    for unknown in ["expect", "object_size", "prefetch", "printf_", "", "__builtin"] {
        assert!(find(unknown).is_none(), "{unknown}");
    }
}

/// Arguments that the parts of a row name are there.
#[test]
fn rows_are_consistent() {
    for (row, model) in models() {
        let count = row.prototype.parameters.len();
        let sized = match model.accesses {
            Accesses::Nothing | Accesses::Unknown => vec![],
            Accesses::Bytes { pointers, size } => [pointers, &[size]].concat(),
            Accesses::Items { pointer, size, count } => vec![pointer, size, count],
            Accesses::Objects { certain, or_null } => [certain, or_null].concat(),
            Accesses::Texts => {
                assert!(row.prototype.texts().next().is_some(), "{}", row.name);
                vec![]
            }
        };
        assert!(sized.iter().all(|&i| i < count), "{}", row.name);
        match (model.effect.returns, model.execution) {
            // The analyses and the interpreter make the same object.
            (Returns::Fresh(a), Execution::Allocate(b)) => assert_eq!(a, b, "{}", row.name),
            (Returns::Fresh(_), other) => panic!("{} is executed as {other:?}", row.name),
            (_, Execution::Allocate(_)) => panic!("{} returns no new object", row.name),
            _ => {}
        }
        if matches!(row.link, Link::Allocator) {
            assert!(matches!(model.execution, Execution::Allocate(_)), "{}", row.name);
        }
    }
    let conventions = rows().filter(|row| row.family == Family::Verifier);
    assert!(conventions.into_iter().all(|row| row.convention().is_some()));
}

/// What is modelled does not warn; what the interpreter has to guess does.
#[test]
fn warnings() {
    for row in rows() {
        for name in row.names() {
            let call = call(row, name, false, "98");
            let flow = flow("p.c", &program(&call, ""), MODEL);
            let wanted = format!("'{name}' has no body");
            let warned = flow.warnings.iter().any(|w| w.message == wanted);
            assert_eq!(warned, !row.is_modelled(), "{name}: {:?}", flow.warnings);
        }
    }
}

#[test]
fn executed_as_lowered() {
    for (row, model) in models() {
        for name in tried(row) {
            for int in ["98", "-98"] {
                let call =
                    call(row, name, is_known(model) && row.prototype.result != Kind::Void, int);
                for seen in observations(row, model) {
                    let text = program(&call, &format!("return {seen};"));
                    let knows = check(name, &text, MODEL, &[], true);
                    assert!(knows.is_some(), "{name} is not executed:\n{text}");
                    if matches!(model.effect.returns, Returns::Absolute(_)) {
                        assert_eq!(knows, Some(Knows::All), "{name}");
                    }
                }
            }
        }
    }
}

/// Where the interpreter does not know a result or a text, it stops.
#[test]
fn what_is_not_known_is_not_guessed() {
    // What they return is the argument, or a copy of the text.
    let is_known_otherwise = |row: &LibraryFunction| {
        matches!(row.name, "putchar" | "fputc" | "putc")
            || row.name.trim_start_matches('_').starts_with("str") && row.name.ends_with("dup")
    };
    for (row, model) in
        models().filter(|(row, _)| !row.name.ends_with('*') && !is_known_otherwise(row))
    {
        let outcome = |keep, rest: &str| {
            let text = program(&call(row, row.name, keep, "5"), rest);
            execute(&flow("p.c", &text, MODEL), &[], Recording::Inputs).outcome
        };
        let quiet = outcome(false, "");
        assert_eq!(quiet, ExecutionOutcome::Ended(End::Returned), "{}", row.name);
        if !is_known(model) && row.prototype.result != Kind::Void {
            let used = outcome(true, "return r;");
            let fault = matches!(
                used,
                ExecutionOutcome::Fault {
                    fault: Fault::UnknownResult(_) | Fault::UnknownText(_),
                    ..
                }
            );
            let copied = outcome(true, "");
            assert_eq!(copied, ExecutionOutcome::Ended(End::Returned), "{}", row.name);
            assert!(fault, "{}: {used:?}", row.name);
        }
        let count = row.prototype.parameters.len();
        for i in model.effect.written(count, count) {
            let known = model.execution != Execution::Unmodelled;
            if known || row.prototype.parameters[i] == Kind::Int {
                continue;
            }
            let read = outcome(false, &format!("return m{i}[1];"));
            let fault =
                matches!(read, ExecutionOutcome::Fault { fault: Fault::UnknownText(_), .. });
            assert!(fault, "{}: {read:?}", row.name);
        }
        if matches!(model.execution, Execution::WriteText { .. }) {
            for rest in ["return m0[1];", "struct s { char c[16]; } t = *(struct s *)m0;"] {
                let read = outcome(false, rest);
                let fault =
                    matches!(read, ExecutionOutcome::Fault { fault: Fault::UnknownText(_), .. });
                assert!(fault, "{}: {read:?}", row.name);
            }
            // What is written after that is known again.
            let written = outcome(false, "m0[1] = 3; return m0[1];");
            assert_eq!(written, ExecutionOutcome::Ended(End::Returned), "{}", row.name);
        }
    }
}

/// What replaces a call of a convention.
#[test]
fn conventions() {
    for row in rows() {
        let Role::Convention(convention) = row.role else { continue };
        let names: Vec<String> = match row.name.strip_suffix('*') {
            Some(prefix) => vec![format!("{prefix}int")],
            None => row.names().map(str::to_owned).collect(),
        };
        for name in names {
            let outcome = |int| {
                let text = program(&call(row, &name, false, int), "");
                execute(&flow("p.c", &text, MODEL), &[7], Recording::Inputs).outcome
            };
            let (true_, false_) = (outcome("1"), outcome("0"));
            let is_error =
                |outcome: &ExecutionOutcome| matches!(outcome, ExecutionOutcome::Error { .. });
            let goes_on =
                |outcome: &ExecutionOutcome| *outcome == ExecutionOutcome::Ended(End::Returned);
            let stops = |outcome: &ExecutionOutcome| {
                matches!(outcome, ExecutionOutcome::Ended(End::Stopped | End::Assumption))
            };
            let fine = match convention {
                Convention::Error => is_error(&true_) && is_error(&false_),
                // The property says that it is the error.
                Convention::Halt if row.link == Link::Error => is_error(&true_),
                Convention::Halt | Convention::Unreachable => stops(&true_) && stops(&false_),
                Convention::Assume => goes_on(&true_) && stops(&false_),
                Convention::Assert | Convention::Invariant => goes_on(&true_) && is_error(&false_),
                Convention::Input
                | Convention::First
                | Convention::IsConstant
                | Convention::StartList
                | Convention::CopyList
                | Convention::Nothing => goes_on(&true_) && goes_on(&false_),
                // A text may stand for a payload.
                Convention::Real(RealFunction::NotANumber) => {
                    goes_on(&true_) || matches!(true_, ExecutionOutcome::Unsupported { .. })
                }
                // The pointer is to a type of another size than the name says.
                Convention::Overflowing(_) => {
                    goes_on(&true_) || matches!(true_, ExecutionOutcome::Unsupported { .. })
                }
                // These take numbers without a sign.
                Convention::Bits(_) if name.ends_with('g') => {
                    matches!(true_, ExecutionOutcome::Unsupported { .. })
                }
                Convention::Bits(_) | Convention::Letter { .. } | Convention::Real(_) => {
                    goes_on(&true_)
                }
                // Here it is not declared 'noreturn'.
                Convention::Exit if name != "exit" => {
                    matches!(true_, ExecutionOutcome::Unsupported { .. })
                }
                Convention::Exit => stops(&true_) && stops(&false_),
                // The arguments are no buffers.
                Convention::SetJump | Convention::LongJump => {
                    matches!(true_, ExecutionOutcome::Unsupported { .. })
                }
                // What begins or ends a section, or the only thread.
                Convention::Thread => !is_error(&true_) && !is_error(&false_),
                // The arguments are no functions.
                Convention::AtExit | Convention::Sort => {
                    matches!(true_, ExecutionOutcome::Unsupported { .. })
                }
                Convention::ObjectSize => goes_on(&true_),
                // They may have a body of the library's.
                Convention::Unsupported if !is_error(&true_) && !is_error(&false_) => true,
                Convention::Unsupported | Convention::Atomic => {
                    matches!(true_, ExecutionOutcome::Unsupported { .. })
                }
            };
            assert!(fine, "{name}: {true_:?}, {false_:?}");
        }
    }
}

fn harness_of(flow: &Flow, name: &str) -> String {
    let execution = execute(flow, &[], Recording::Values);
    assert!(execution.reaches_error(), "{name}: {:?}\n{}", execution.outcome, flow.source.text);
    let made = harness(flow, &execution).expect("an execution into the error");
    assert!(made.notes.is_empty(), "{name}: {:?}", made.notes);
    made.text
}

/// A harness behaves as the interpreter does, with the C library and without it.
#[test]
fn linked_in_harnesses() {
    if !can_compile(MODEL) {
        return;
    }
    let is_hosted = run_harness_hosted("int main(void) { return 3; }") == Some(3);
    for (row, model) in models() {
        for name in tried(row) {
            let call =
                call(row, name, is_known(model) && row.prototype.result != Kind::Void, "-98");
            let mut conditions = vec!["1".to_owned()];
            for seen in observations(row, model) {
                let text = program(&call, &format!("return {seen};"));
                let execution = execute(&flow("p.c", &text, MODEL), &[], Recording::Inputs);
                let status =
                    execution.status.unwrap_or_else(|| panic!("{name} does not return")) as i32;
                conditions.push(format!("({seen}) == {status}"));
            }
            let text = program(&call, &format!("if ({}) reach_error();", conditions.join(" && ")));
            let made = harness_of(&flow("p.c", &text, MODEL), name);
            if row.link != Link::Hosted {
                assert_eq!(run_harness(&made, MODEL), Some(ERROR_CODE), "{name}\n{made}");
            }
            // The C library wants a stream where it is to write to one, and a list of arguments.
            let wants = |kind| row.prototype.parameters.contains(&kind);
            if is_hosted && !wants(Kind::Stream) && !wants(Kind::Arguments) {
                assert_eq!(run_harness_hosted(&made), Some(ERROR_CODE), "{name}\n{made}");
            }
        }
    }
}

/// How a program ends that is checked for a property, in words.
fn checked(text: &str, property: Property) -> String {
    let options = ParseOptions { model: Some(MODEL), property, ..ParseOptions::default() };
    let flow = on_large_stack(|| parse(Source::new("p.c", text), &options));
    let flow = flow.expect("a thread").unwrap_or_else(|d| panic!("{text}: {d:#?}"));
    let execution = execute(&flow, &[], Recording::Values);
    match (&execution.outcome, execution.violation(&flow)) {
        (_, Some(violation)) => {
            let made = harness(&flow, &execution).expect("an execution into the error");
            assert!(made.notes.is_empty(), "{:?}", made.notes);
            violation.words().expect("a violation in words").to_owned()
        }
        (ExecutionOutcome::Unsupported { what, .. }, None) => what.clone(),
        (ExecutionOutcome::Ended(_), None) => "fine".to_owned(),
        (outcome, None) => panic!("{text}: {outcome:?}"),
    }
}

/// The absolute value of the least number is none.
#[test]
fn overflow() {
    let property = Property { checks: Checks::of(&[Check::Overflow]), ..Property::nothing() };
    for (row, model) in models().filter(|(_, model)| model.overflow) {
        assert_eq!(model.execution, Execution::Absolute, "{}", row.name);
        let ty = row.prototype.parameters[0].c();
        let program = |x: &str| {
            let name = row.name;
            format!("{ty} {name}({ty}); int main(void) {{ {ty} x = {x}; return {name}(x) == 0; }}")
        };
        let least = format!("({ty})(1ULL << (8 * sizeof({ty}) - 1))");
        let words = Violation::Of(ErrorKind::SignedOverflow).words().expect("words");
        assert_eq!(checked(&program(&least), property.clone()), words, "{}", row.name);
        let greatest = format!("-({ty})((1ULL << (8 * sizeof({ty}) - 1)) - 1)");
        assert_eq!(checked(&program(&greatest), property.clone()), "fine", "{}", row.name);
    }
}

/// Accesses of library functions are checked, or the program is not decided.
#[test]
fn accesses() {
    let property =
        Property { checks: Checks::of(&[Check::Bounds, Check::Null]), ..Property::nothing() };
    for (row, model) in models() {
        for name in row.names() {
            let text = program(&call(row, name, false, "98"), "");
            let found = checked(&text, property.clone());
            // Of others, those on texts are looked into; `models` says how.
            // What is declared here as a pointer to 'void' says nothing of an object.
            let is_open = !matches!(
                model.accesses,
                Accesses::Nothing | Accesses::Bytes { .. } | Accesses::Items { .. }
            ) && found == format!("the accesses of '{name}'");
            assert!(is_open || found == "fine", "{found}: {text}");
            if let Accesses::Bytes { size, .. } = model.accesses {
                assert_eq!(row.prototype.parameters[size], Kind::Size, "{name}");
                let beyond = text.replace(", 4)", ", 17)").replace(", 4,", ", 17,");
                let words = Violation::Of(ErrorKind::OutOfBounds).words().expect("words");
                assert_eq!(checked(&beyond, property.clone()), words, "{beyond}");
            }
        }
    }
    let literals = [
        ("unsigned long strlen(const char *); int main(void) { return strlen(\"abc\"); }", true),
        (
            "unsigned long strlen(const char *); int main(void) { return strlen(\"abc\" + 9); }",
            false,
        ),
        (
            "int printf(const char *, ...); int main(void) { printf(\"%d %s\", 3, \"x\"); return 0; }",
            true,
        ),
        (
            "int printf(const char *, ...); int main(void) { char c[1]; c[0] = 1; printf(\"%s\", c); return 0; }",
            false,
        ),
    ];
    for (text, fine) in literals {
        assert_eq!(checked(text, property.clone()) == "fine", fine, "{text}");
    }
}
