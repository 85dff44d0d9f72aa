//! Reading C: benchmarks, layout and results against gcc, control flow, odd and huge texts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::c::{Compiled, can_compile, execute, flow, shared, words};
use hardbop_base::source::Source;
use hardbop_c::execute::Recording;
use hardbop_c::flow::{Flow, Instruction};
use hardbop_c::print::{Printer, print};
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, needs_preprocessor, on_large_stack, parse};

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

fn instructions(flow: &Flow) -> impl Iterator<Item = &Instruction> {
    flow.functions
        .iter()
        .filter_map(|f| f.body.as_ref())
        .flat_map(|b| &b.edges)
        .map(|e| &e.instruction)
}

/// The graph of the function `f` of a text.
fn graph(text: &str) -> String {
    let flow =
        flow("snippet.c", &format!("{text}\nint main(void) {{ return 0; }}"), DataModel::Ilp32);
    let f = flow.functions.iter().position(|f| f.name == "f").expect("a function f");
    Printer::new(&flow).function(hardbop_c::flow::FunctionId(f as u32))
}

/// All C files below a folder, in order.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            out.push(path);
        }
    }
}

#[test]
fn benchmarks() {
    let mut paths = Vec::new();
    if let Some(shared) = shared() {
        files(&shared.join("benchmarks/c"), &mut paths);
    }
    if paths.is_empty() {
        eprintln!("skipped: no benchmarks (set HARDBOP_SHARED)");
    }
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        let name = path.display().to_string();
        assert!(!needs_preprocessor(&text), "{name}");
        let flow = flow(&name, &text, DataModel::Ilp32);
        let errors = instructions(&flow).filter(|i| matches!(i, Instruction::Error(_))).count();
        let unsupported = instructions(&flow).find(|i| matches!(i, Instruction::Unsupported(_)));
        assert!(unsupported.is_none(), "{name}: {unsupported:?}");
        assert!(errors > 0, "{name}: no error");
    }
}

/// Each program returns a number that depends on all that it tries; gcc says which.
#[test]
fn results_as_of_gcc() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/semantics"), &mut paths);
    assert!(paths.len() >= 13, "{}", paths.len());
    for model in MODELS {
        if !can_compile(model) {
            continue;
        }
        for path in &paths {
            let text = std::fs::read_to_string(path).expect("a text");
            let name = format!("{} {model:?}", path.display());
            let ours = words(&execute(&flow(&name, &text, model), &[], Recording::Inputs));
            let gcc = Compiled::new(&text, model).and_then(|c| c.run(&[]));
            assert!(gcc.as_ref().is_some_and(|g| g.starts_with("END")), "{name}: {gcc:?}");
            assert_eq!(ours, gcc, "{name}");
        }
    }
}

/// Sizes, alignments and offsets; gcc checks what we say by static assertions.
#[test]
fn layout_as_of_gcc() {
    let text = include_str!("layout/records.c");
    for model in MODELS {
        let flow = flow("records.c", text, model);
        let mut claims = text.to_owned();
        // Names with other signs than those of C are hardbop's own.
        let is_own = |name: &str| name.contains(['@', ' ']) || name.starts_with("__int128");
        let named = flow.types.records.iter().filter(|r| !is_own(&r.name));
        for record in named {
            let word = if record.union { "union" } else { "struct" };
            let name = format!("{word} {}", record.name);
            let mut claim = |what: String, value: u64| {
                let _ = writeln!(claims, "_Static_assert({what} == {value}, \"{what} {value}\");");
            };
            claim(format!("sizeof({name})"), record.size);
            claim(format!("_Alignof({name})"), record.align);
            for field in record.fields.as_deref().unwrap_or_default() {
                if !field.name.is_empty() && field.bit_field.is_none() {
                    claim(format!("__builtin_offsetof({name}, {})", field.name), field.offset);
                }
            }
        }
        assert!(claims.lines().count() > text.lines().count() + 100);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("claims.c");
        std::fs::write(&file, claims).expect("a file");
        let width = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
        let gcc = Command::new("gcc")
            .args(["-std=gnu11", "-w", "-fsyntax-only", width])
            .arg(&file)
            .stdin(Stdio::null())
            .output();
        match gcc {
            Ok(output) => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            }
            Err(_) => eprintln!("skipped: no gcc"),
        }
    }
}

#[test]
fn control_flow() {
    let snippets = [
        (
            "conditions are atomic",
            "int f(int a, int b) { if (a > 0 && !(b || a == 3)) return 1; return 0; }",
        ),
        ("values without branches", "int f(int a, int b) { return a && b || !a; }"),
        ("branches before a dereference", "int f(int *p) { int x = p && *p; return x; }"),
        ("left to right", "int g; int h(void); int f(int x) { return g + x + h(); }"),
        (
            "constant conditions",
            "void f(int x) { while (1) { if (x) break; } do x = 1; while (0); }",
        ),
        (
            "switch",
            "int f(int x) { switch (x) { case 1: x = 2; case 2 ... 4: break; default: x = 5; } return x; }",
        ),
        (
            "inputs",
            "int __VERIFIER_nondet_int(void); void f(void) { int x = __VERIFIER_nondet_int(); char c; c = __VERIFIER_nondet_char(); x = c + __VERIFIER_nondet_uint(); }",
        ),
        (
            "ends",
            "void f(int x) { __VERIFIER_assume(x > 1 && x < 9); if (x == 2) abort(); if (x == 3) exit(1); assert(x != 4); if (x == 5) __VERIFIER_error(); if (x == 6) goto ERROR; return; ERROR: ; }",
        ),
        (
            "a body for the error",
            "void reach_error(void) { } void f(int x) { if (x) reach_error(); }",
        ),
        ("a body overrides", "void abort(void) { } void f(int x) { abort(); }"),
        (
            "loads of a call's target",
            "struct s { int a; } *p; int g(void); void f(void) { p->a = g(); p->a += g(); }",
        ),
        ("unreachable parts", "int f(void) { return 1; { int x = 2; return x; } }"),
    ];
    let mut out = String::new();
    for (name, text) in snippets {
        let _ = writeln!(out, "-- {name}\n{text}\n{}", graph(text));
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("c_control_flow", out);
    });
}

#[test]
fn property_as_asked() {
    let text = "void bad(void); int main(void) { bad(); assert(0); WRONG: return 0; }";
    let options = ParseOptions {
        property: Property {
            error_functions: vec!["bad".to_owned()],
            error_labels: vec!["WRONG".to_owned()],
            ..Property::nothing()
        },
        ..ParseOptions::default()
    };
    let flow = on_large_stack(|| parse(Source::new("p.c", text), &options)).unwrap().unwrap();
    assert!(matches!(instructions(&flow).next(), Some(Instruction::Error(_))));
    let flow = crate::support::c::flow("p.c", &text.replace("bad();", ""), DataModel::Ilp32);
    assert!(matches!(instructions(&flow).next(), Some(Instruction::Error(_))), "{}", print(&flow));
}

#[test]
fn warnings_about_what_is_assumed() {
    let text = "int g(void); int main(void) { g(); g(); h(1); __asm__ volatile(\"\" ::: \"memory\"); return 0; ERROR: return 1; }";
    let flow = flow("w.c", text, DataModel::Ilp32);
    let messages: Vec<_> = flow.warnings.iter().map(|w| w.message.as_str()).collect();
    let expected = [
        "'g' has no body",
        "'h' is called before it is declared",
        "'h' has no body",
        "assembler is not read",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn warnings_are_about_what_executions_can_enter() {
    let text = "int f(void), g(void), h(void); static int a(void) { return f(); } static int b(void) { return g(); }
        static int c(void) { return h(); } int (*table[1])(void) = {b};
        int main(void) { return c(); ERROR: return 1; }";
    let warned = flow("w.c", text, DataModel::Ilp32).warnings;
    let messages: Vec<_> = warned.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(messages, ["'g' has no body", "'h' has no body"]);
}

/// Headers of the system are not the user's.
#[test]
fn warnings_are_about_own_files() {
    for (file, count) in [("/usr/include/pthread.h", 0), ("/usr/lib/gcc/x.h", 0), ("own.h", 1)] {
        let text = format!(
            "# 1 \"{file}\" 1\nextern void f(void) __attribute__((__weak__));\n\
             void g(void); static inline void h(void) {{ g(); }}\n# 2 \"p.c\" 2\n\
             void assert(int); int main(void) {{ h(); assert(1); return 0; }}\n"
        );
        let warned = flow("p.c", &text, DataModel::Lp64).warnings;
        let of = |words: &str| warned.iter().filter(|w| w.message.contains(words)).count();
        assert_eq!(of("weak"), count, "{file}: {warned:#?}");
        // What executions enter is assumed, wherever it stands.
        assert_eq!(of("'g' has no body"), 1, "{file}: {warned:#?}");
    }
}

#[test]
fn a_warning_where_nothing_is_checked() {
    let unchecked = |text: &str| {
        let warned = flow("w.c", text, DataModel::Ilp32).warnings;
        warned.iter().any(|w| w.message.contains("nothing is checked"))
    };
    assert!(unchecked("int main(void) { return 0; }"));
    assert!(unchecked("void reach_error(void) { } int main(void) { return 0; }"));
    for text in [
        "int main(void) { return 0; ERROR: return 1; }",
        "extern void assert(int); int main(void) { assert(1); return 0; }",
        "extern void reach_error(void); int main(void) { if (0) reach_error(); return 0; }",
        "extern void reach_error(void); int main(void) { void (*p)(void) = reach_error; p(); return 0; }",
    ] {
        assert!(!unchecked(text), "{text}");
    }
}

#[test]
fn values_that_nothing_takes_are_left_out() {
    let text = "int a[2] = {1, 2, 3}; char s[2] = \"abc\"; int main(void) { return a[1] + s[1]; ERROR: return 0; }";
    let flow = flow("x.c", text, DataModel::Ilp32);
    assert_eq!(flow.warnings.len(), 2);
    assert_eq!(execute(&flow, &[], Recording::Inputs).status, Some(2 + 98));
}

#[test]
fn line_marks_name_the_place() {
    let text = "# 5 \"a.h\"\nint x;\n#line 9 \"b.c\"\n\nint main(void) { return x; }\n";
    let flow = flow("t.c", text, DataModel::Ilp32);
    let main = &flow.functions[flow.main.0 as usize];
    let position = flow.source.position(main.span.start);
    assert_eq!((position.file, position.line, position.column), ("b.c", 10, 5));
    assert_eq!(flow.source.line_column(main.span.start), (5, 5));
}

/// The words behind spans are the user's, whatever was rewritten in front of them.
#[test]
fn places_in_rewritten_texts() {
    let text = "f(a) { return a ?: 2; }\n__attribute__((noreturn)) void g(void);\nint main() { int y\\\nz = 3; static s; L: int x = 1; char *t = \"\\e\"; return yz + f(x); }";
    let flow = flow("t.c", text, DataModel::Ilp32);
    for variable in flow.variables.iter().filter(|v| !v.name.contains('@')) {
        let shown: String = text[variable.span.range()].replace("\\\n", "");
        let name = variable.name.trim_start_matches("main::");
        assert_eq!(shown, name);
    }
}

#[test]
fn not_supported_is_an_edge() {
    for (text, what) in [
        ("__asm__(\"hlt\");", "assembler"),
        ("asm(\"hlt\");", "assembler"),
        ("__builtin_frame_address(0);", "a call of '__builtin_frame_address'"),
        ("asm goto(\"\" :::: l); l:;", "a call of 'asm goto'"),
    ] {
        let text = format!("int main(void) {{ {text} return 0; }}");
        let flow = flow("u.c", &text, DataModel::Ilp32);
        let found = instructions(&flow).find_map(|i| match i {
            Instruction::Unsupported(what) => Some(what.as_str()),
            _ => None,
        });
        assert_eq!(found, Some(what), "{text}");
    }
}

#[test]
fn huge_texts() {
    let deep = format!(
        "int main(void) {{ int x = 0; {}x = 2;{} return x; }}",
        "if (x == 1) { ".repeat(3000),
        "}".repeat(3000)
    );
    let long =
        format!("int main(void) {{ int x = 0;\n{} return x; }}", "x = x + 1;\n".repeat(100_000));
    let many: String = (0..4000)
        .map(|i| {
            format!("int f{i}(int a)\n{{\n  if (a > {i})\n    return a;\n  return {i};\n}}\n\n\n")
        })
        .collect();
    let many = format!("{many}int main(void) {{ return f7(1); }}");
    let sum = format!(
        "int main(void) {{ int x = 0; x = {}; x = {}; return {}0; }}",
        vec!["x"; 20_000].join("+"),
        vec!["x"; 3000].join("&&"),
        "x?1:".repeat(1000)
    );
    let chain: String = (0..5000).map(|i| format!(" else if (x == {i}) x = 2;\n")).collect();
    let chain = format!("int main(void) {{ int x = 0; if (x) ; {chain} return x; }}");
    let parentheses =
        format!("int main(void) {{ return {}1{}; }}", "(".repeat(3000), ")".repeat(3000));
    let array = format!(
        "int a[50000] = {{{}}}; int main(void) {{ int b[100000] = {{1}}; return a[3] + b[9]; }}",
        "1,".repeat(50_000)
    );
    for (name, text) in [
        ("deep", deep),
        ("long", long),
        ("many", many),
        ("sum", sum),
        ("chain", chain),
        ("parentheses", parentheses),
        ("array", array),
    ] {
        let flow = flow(name, &text, DataModel::Ilp32);
        assert!(instructions(&flow).count() > 0, "{name}");
    }
}
