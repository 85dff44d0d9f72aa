//! C programs of several files.

mod database;
mod declarations;
mod models;
mod preprocessor;
mod programs;
mod rules;

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("it is in the folder")).expect("a folder");
        fs::write(file, text).expect("writes");
    }
    folder
}

/// Runs hardbop in a folder.
fn hardbop(folder: &TempDir, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.args(words).current_dir(folder.path()).output().expect("hardbop runs")
}

fn said(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8(text).expect("UTF-8")
}

/// Asserts the exit code, and that the output has these parts.
fn expect(output: &Output, code: i32, parts: &[&str]) {
    let text = said(output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    for part in parts {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

/// What becomes of the files of a program.
#[derive(Debug)]
enum Expected {
    Safe,
    Unsafe(&'static [&'static str]),
    /// The same, but gcc links the files only where it inlines.
    SafeHere,
    /// Refused with these words; gcc's linker refuses it, too.
    Refused(&'static [&'static str]),
    /// Refused, or UNKNOWN, though gcc's linker does not look.
    Unlike(i32, &'static [&'static str]),
}

use Expected::{Refused, Safe, SafeHere, Unlike, Unsafe};

/// Files a.c and b.c with what becomes of them; both may use a header, and call `error` where
/// something is wrong.
const PROGRAMS: &[(&str, &str, &str, Expected)] = &[
    (
        "what is static stays apart",
        "static int x = 1; static int f(void) { static int n; return x + n++; } int g(void);
        int main(void) { if (f() != 1 || f() != 2 || g() != 2 || g() != 3 || f() != 3) error(); }",
        "static int x = 2; static int f(void) { static int n; return x + n++; } int g(void) { return f(); }",
        Safe,
    ),
    (
        "one is static, the other not",
        "static int x = 1; static int f(void) { return 1; } int g(void);
        int main(void) { x++; if (f() != 1 || g() != 12 || x != 2) error(); }",
        "int x = 10; int f(void) { return 2; } int g(void) { return f() + x; }",
        Safe,
    ),
    (
        "tentative definitions are one object",
        "int x; int y; void set(void); int main(void) { if (y != 4 || x) error(); set(); if (x != 5) error(); }",
        "int x; int y = 4; void set(void) { x = 5; }",
        Safe,
    ),
    (
        "an error in another file",
        "extern int x; extern int t[]; int f(int); int main(void) { x = f(x) + t[1]; f(x); }",
        "int x = 3;\nint t[2] = { 1, 2 };\nint f(int n) {\n  if (n == 6) error();\n  return n + 1; }",
        Unsafe(&["b.c:4", "a.c:1", "error()"]),
    ),
    (
        "values of other files",
        "extern int x; extern int t[]; extern struct p { int a, b; } p; extern const char *s;
        int main(void) { if (x != 3 || t[1] != 2 || p.b != 8 || s[1] != 'b') error(); t[0] = x; }",
        "int x = 3; int t[2] = { 1, 2 }; struct p { int a, b; } p = { 7, 8 }; const char *s = \"abc\";",
        Safe,
    ),
    (
        "a struct that one file does not know",
        "struct s; struct s *make(int); int get(struct s *); int main(void) { if (get(make(4)) != 4) error(); }",
        "struct s { struct s *next; int n; }; static struct s one;
        struct s *make(int n) { one.n = n; one.next = &one; return &one; } int get(struct s *s) { return s->next->n; }",
        Safe,
    ),
    (
        "structs of a header",
        "#include \"h.h\"\nint main(void) { struct list a = { 0, 1 }, b = { &a, 2 }; add(&b, 3);
        if (a.n != 4 || b.n != 5 || sum(&b) != 9) error(); }",
        "#include \"h.h\"\nvoid add(struct list *l, int n) { for (; l; l = l->next) l->n += n; }
        int sum(const struct list *l) { return l ? l->n + sum(l->next) : 0; }",
        Safe,
    ),
    (
        "tags, types and constants are of their files",
        "enum e { N = 1 }; typedef int T; struct s { int a; }; T f(void);
        int main(void) { struct s s = { N }; if (f() != 12 || s.a != 1 || sizeof(T) != 4) error(); }",
        "enum e { M, N = 2 }; typedef char T; struct s { char c; long d; };
        int f(void) { struct s s = { N, 10 }; T t = 300; return t == 44 && sizeof s == 16 ? s.c + s.d : 0; }",
        Safe,
    ),
    (
        "inline with an external definition",
        "inline int f(int n) { return n + 1; } int g(void); int main(void) { if (f(1) + g() != 5) error(); }",
        "inline int f(int n) { return n + 1; } extern int f(int); int g(void) { return f(2); }",
        Safe,
    ),
    (
        "inline definitions alone",
        "inline int f(int n) { return n + 1; } int g(void); int main(void) { if (f(1) + g() != 5) error(); }",
        "inline int f(int n) { return n + 1; } int g(void) { return f(2); }",
        SafeHere,
    ),
    (
        "inline definitions that differ",
        "inline int f(int n) { return n + 2; } int g(void); int main(void) { if (f(1) + g() != 5) error(); }",
        "int f(int n) { return n + 1; } int g(void) { return f(2); }",
        Unlike(2, &["inline definition of 'f'", "a.c:1", "b.c:1"]),
    ),
    (
        "weak definitions give way",
        "__attribute__((weak)) int f(void) { return 1; } int x __attribute__((weak)) = 1; int g(void);
        __attribute__((weak)) int h(void) { return 1; }
        int main(void) { if (f() != 2 || x != 2 || h() != 1 || g() != 5) error(); }",
        "int f(void) { return 2; } int x = 2; __attribute__((weak)) int h(void) { return 3; }
        int g(void) { return f() + x + h(); }",
        Safe,
    ),
    (
        "weak, declared here and defined there",
        "extern int f(void) __attribute__((weak)); int main(void) { if (f && f() != 2) error(); }",
        "int f(void) { return 2; }",
        Safe,
    ),
    (
        "two functions",
        "int f(void) { return 1; } int main(void) { return f(); }",
        "\nint f(void) { return 1; }",
        Refused(&["'f' is defined twice", "a.c:1:5", "b.c:2:5"]),
    ),
    (
        "two initial values",
        "int x = 1; int main(void) { return x; }",
        "int x = 1;",
        Refused(&["'x' is defined twice", "a.c:1:5", "b.c:1:5"]),
    ),
    (
        "a function and a variable",
        "extern int f; int main(void) { return f; }",
        "int f(void) { return 1; }",
        Unlike(2, &["a function in one file, a variable in another"]),
    ),
    (
        "compatible types",
        "extern int t[]; int f(); int (*p)(); extern int (*q)[];
        int main(void) { p = f; if (t[2] != 3 || f(4) != 5 || p(5) != 6 || (*q)[1] != 2) error(); }",
        "int t[3] = { 1, 2, 3 }; int f(int n) { return n + 1; } int (*q)[3] = &t;",
        Safe,
    ),
    (
        "a length that only one file gives",
        "extern int t[]; int n(void); int main(void) { t[2] = 5; if (n() != 5) error(); }",
        "int t[]; int n(void) { return t[2]; } int t[3];",
        Safe,
    ),
    (
        "composite types within types",
        "extern int (*t[2])[]; int main(void) { if ((*t[1])[2] != 7) error(); }",
        "static int a[3] = { 5, 6, 7 }; int (*t[2])[3] = { &a, &a };",
        Safe,
    ),
    (
        "without a length it has one element",
        "extern int t[3]; int main(void) { return t[0]; }",
        "int t[]; int n(void) { return t[0]; }",
        Unlike(2, &["'t' is declared with two types", "'int t[1]'"]),
    ),
    (
        "no prototype, and a narrow parameter",
        "int f(); int main(void) { return f(4); }",
        "int f(char n) { return n + 1; }",
        Unlike(2, &["'f' has a prototype in one file only"]),
    ),
    (
        "no prototype, and another argument",
        "int f(); int main(void) { if (f(4, 5) != 5) error(); }",
        "int f(int n) { return n + 1; }",
        Unlike(20, &["a call of 'f' with arguments that its definition does not take"]),
    ),
    (
        "old definitions",
        "int f(); int main(void) { if (f(260, 1) != 5) error(); }",
        "int f(c, n) char c; int n; { return c + n; }",
        Safe,
    ),
    (
        "functions of the library that a file defines",
        "int abs(int); void abort(void); int main(void) { if (abs(-1) != 7) error(); abort(); error(); }",
        "int abs(int n) { return 7; } void abort(void) { }",
        Unsafe(&["a.c:1"]),
    ),
    (
        "functions as values",
        "typedef int (*F)(int); F get(int); static int f(int n) { return n; }
        int main(void) { F a = get(0), b = get(1); if (a(1) != 2 || b(1) != 3 || a == f || f(1) != 1) error(); }",
        "static int f(int n) { return n + 1; } static int g(int n) { return n + 2; }
        int (*get(int i))(int) { static int (*const all[])(int) = { f, g }; return all[i]; }",
        Safe,
    ),
    (
        "functions given to atexit",
        "int atexit(void (*)(void)); int n; void two(void); static void one(void) { if (n != 2) error(); }
        int main(void) { atexit(one); two(); return 0; }",
        "int atexit(void (*)(void)); void exit(int); extern int n; static void last(void) { n = 2; }
        void two(void) { atexit(last); n = 3; if (n) exit(0); }",
        Safe,
    ),
    (
        "a function that another file gives to atexit",
        "int atexit(void (*)(void)); int n; void two(void); static void one(void) { if (n != 2) error(); }
        int main(void) { atexit(one); two(); return 0; }",
        "void exit(int); extern int n; void two(void) { n = 3; exit(0); }",
        Unsafe(&["a.c:1", "b.c:1"]),
    ),
    (
        "aliases of one file",
        "int g(void); extern int y; int main(void) { y = 5; if (g() != 5) error(); }",
        "int x = 0; extern int y __attribute__((alias(\"x\"))); int f(void) { return x; }
        int g(void) __attribute__((alias(\"f\")));",
        Safe,
    ),
    (
        "a weak alias that gives way",
        "int g(void) { return 2; } int h(void); int main(void) { if (h() != 3) error(); }",
        "int f(void) { return 1; } int g(void) __attribute__((weak, alias(\"f\"))); int h(void) { return f() + g(); }",
        Unlike(2, &["'g', an alias that another definition may replace"]),
    ),
    (
        "names for the assembler",
        "int f(void) __asm__(\"g\"); int main(void) { if (f() != 2) error(); }",
        "int g(void) { return 2; }",
        Unlike(2, &["'f' is 'g' for linkers"]),
    ),
    (
        "volatile in one file",
        "extern int x; int main(void) { return x; }",
        "volatile int x;",
        Unlike(2, &["'x' is volatile in one file only"]),
    ),
    (
        "names declared in blocks",
        "int main(void) { extern int x; int f(void); x = 2; { int x = 3; x++; } if (f() != 2) error(); }",
        "int x = 1; int f(void) { return x; }",
        Safe,
    ),
    ("no beginning", "int f(void) { return 1; }", "int g(void) { return 1; }", Refused(&["no function 'main'"])),
    (
        "mistakes in both files",
        "int main(void) { return a; }",
        "int f(void) { return b; }",
        Unlike(2, &["'a'", "a.c:1:25", "'b'", "b.c:1:22"]),
    ),
];

const HEADER: &str = "struct list { struct list *next; int n; };
void add(struct list *, int); int sum(const struct list *);
";
const DECLARED: &str = "extern void reach_error(void); static void error(void) { reach_error(); }";

/// A program's files, with gcc's part of them.
fn project(a: &str, b: &str) -> TempDir {
    let ended = "#include <stdlib.h>\nvoid reach_error(void) { exit(1); }\n";
    // Positions are those of the text as it is written here.
    let marked = |name: &str, text: &str| format!("{DECLARED}\n# 1 \"{name}\"\n{text}\n");
    folder(&[
        ("a.c", marked("a.c", a).as_str()),
        ("b.c", marked("b.c", b).as_str()),
        ("h.h", HEADER),
        ("end.c", ended),
    ])
}

/// What gcc makes of the files: `None` where it is not there, else the exit code of the program, if
/// it links.
fn by_gcc(folder: &TempDir) -> Option<Option<i32>> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).find(|folder| folder.join("gcc").is_file())?;
    let options = ["-w", "-std=gnu11", "-fcommon", "-fno-builtin", "-O0", "-o", "run"];
    let mut gcc = Command::new("gcc");
    gcc.args(options).args(["a.c", "b.c", "end.c"]).current_dir(folder.path());
    if !gcc.output().expect("gcc runs").status.success() {
        return Some(None);
    }
    let mut program = Command::new(folder.path().join("run"));
    Some(program.output().expect("the program runs").status.code())
}

#[test]
fn files_are_linked_as_a_linker_does() {
    are_linked(PROGRAMS);
}

/// Decides programs of two files, and lets gcc link them.
fn are_linked(programs: &[(&str, &str, &str, Expected)]) {
    for (name, a, b, expected) in programs {
        println!("{name}");
        let folder = project(a, b);
        let (code, parts, linked) = match expected {
            Safe => (0, &[][..], Some(Some(0))),
            Unsafe(parts) => (10, *parts, Some(Some(1))),
            SafeHere => (0, &[][..], None),
            Refused(parts) => (2, *parts, Some(None)),
            Unlike(code, parts) => (*code, *parts, None),
        };
        for route in ["auto", "bp"] {
            let output = hardbop(&folder, &["check", "a.c", "b.c", "--route", route]);
            expect(&output, code, parts);
        }
        // The order of the files does not matter, but for weak definitions.
        if !a.contains("weak") {
            let output = hardbop(&folder, &["check", "b.c", "a.c"]);
            assert_eq!(output.status.code(), Some(code), "{name}: {}", said(&output));
        }
        if let (Some(linked), Some(by_gcc)) = (linked, by_gcc(&folder)) {
            assert_eq!(by_gcc, linked, "{name}");
        }
    }
}

#[test]
fn answers_about_several_files_name_them() {
    let (_, a, b, _) = &PROGRAMS[3];
    let folder = project(a, b);
    let output = hardbop(&folder, &["check", "a.c", "b.c", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["file"], "a.c");
    assert_eq!(answer["files"], serde_json::json!(["a.c", "b.c"]));
    let steps = answer["trace"]["steps"].as_array().expect("steps");
    let last = steps.last().expect("a step");
    assert_eq!((&last["text"], steps.len() > 3), (&"reach_error()".into(), true));
    for words in [&["cfa", "a.c", "b.c"][..], &["abstract", "a.c", "b.c"]] {
        expect(&hardbop(&folder, words), 0, &[]);
    }
    for (words, parts) in [
        (&["check", "a.c", "b.bp"][..], &["'b.bp' is none"][..]),
        (&["check", "b.bp", "c.bp"], &["'b.bp' is none"]),
        (&["check", "a.c", "b.c", "--harness", "h.c"], &["'--harness'"]),
        (&["check", "a.c", "-", "-", "--language", "c"], &["standard input"]),
        (&["check", "a.c", "none.c"], &["none.c"]),
    ] {
        expect(&hardbop(&folder, words), 2, parts);
    }
    // Where executions start may be static, unless there are two.
    let both =
        project("static int start(void) { error(); }", "static int start(void) { return 0; }");
    let output = hardbop(&both, &["check", "a.c", "b.c", "--entry", "start"]);
    expect(&output, 2, &["several functions 'start'", "a.c:1", "b.c:1"]);
    let one = project("static int start(void) { error(); }", "int g(void) { return 0; }");
    let output = hardbop(&one, &["check", "a.c", "b.c", "--entry", "start"]);
    expect(&output, 10, &["a.c:1"]);
}

#[test]
fn invariants_tell_static_things_apart() {
    let folder = project(
        "int nd(void); void g(int); static int x;
        int main(void) { while (nd()) { x++; if (x > 10) x = 0; g(x); if (x < 0) error(); } }",
        "static int x = 3;\nvoid g(int n) {\n  x = 7; while (n > 0) { n--; x++; if (x > 20) x = 7; }
        if (x < 7) error(); }",
    );
    let output = hardbop(&folder, &["check", "a.c", "b.c"]);
    expect(&output, 0, &["invariant at line 2 in main: ", "invariant at b.c:3 in g: ", "x~2"]);
    assert!(!said(&output).contains("activation"), "{}", said(&output));
}

#[test]
fn columns_are_those_of_the_files() {
    let folder = folder(&[(
        "a.c",
        "#include <assert.h>
#define CHECK(e) do { if (!(e)) reach_error(); } while (0)
extern void reach_error(void);
int main(int n, char **v) {
  int x = /* one */ n, y = 2;
    /* c */ assert(x != 5); assert(y == 2);   assert(x
      > 3);
  CHECK(x < 100); CHECK(y); L: return y + n;
}
",
    )]);
    let places =
        [(6, 13, "UNSAFE"), (6, 29, "SAFE"), (6, 47, "UNSAFE"), (8, 3, "UNSAFE"), (8, 19, "SAFE")];
    let named = places.map(|(line, column, verdict)| (format!("a.c:{line}:{column}"), verdict));
    let rows = |output: &Output| {
        let text = said(output);
        let row = |line: &str| {
            let mut words = line.split_whitespace();
            let place = words.find(|word| word.starts_with("a.c:"))?.to_owned();
            Some((place, words.next().unwrap_or_default().to_owned()))
        };
        text.lines()
            .filter(|line| line.starts_with("assertion"))
            .filter_map(row)
            .collect::<Vec<_>>()
    };
    let listed: Vec<String> =
        rows(&hardbop(&folder, &["list", "a.c"])).into_iter().map(|r| r.0).collect();
    assert_eq!(listed, named.clone().map(|(place, _)| place));
    let decided = rows(&hardbop(&folder, &["check", "a.c", "--each", "-q"]));
    assert_eq!(decided, named.map(|(place, verdict)| (place, verdict.to_owned())));
    let output = hardbop(&folder, &["check", "a.c", "--error", "L", "--json", "--ignore-asserts"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let last = answer["trace"]["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
    assert_eq!((&last["line"], &last["column"]), (&8.into(), &29.into()), "{last}");
}

#[test]
fn a_list_of_what_can_be_checked() {
    let folder = folder(&[
        (
            "a.c",
            "#include <assert.h>
#include \"b.h\"
extern void reach_error(void), __VERIFIER_error(void);
static int twice(int n) { return 2 * n; }
int main(void) {
  assert(twice(2) == 4);
  if (half(3)) reach_error();
  return 0; }
",
        ),
        (
            "b.c",
            "#include \"b.h\"\nint half(int n) {\n  if (n < 0) goto ERROR;\n  return n / N;\nERROR:\n  return 0; }\n",
        ),
        ("include/b.h", "int half(int);\n"),
        ("c.bp", "void f() begin assert(T); end\nvoid main() begin L: skip; f(); ERROR: skip; end"),
    ]);
    let list = |words: &[&str]| hardbop(&folder, &[&["list"], words].concat());
    let c = ["a.c", "b.c", "-Iinclude", "-DN=2"];
    let text = said(&list(&c));
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    let expected: [&[&str]; 6] = [
        &["function", "main", "a.c:5:5", "entry"],
        &["function", "twice", "a.c:4:12"],
        &["function", "half", "b.c:2:5"],
        &["label", "ERROR", "b.c:5:1", "in", "half"],
        &["assertion", "assert(twice(2)", "==", "4)", "a.c:6:3", "in", "main"],
        &["assertion", "reach_error()", "a.c:7:16", "in", "main"],
    ];
    assert_eq!(lines, expected, "{text}");
    let json = list(&[&c[..], &["--json", "--error", "OTHER"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["files"], serde_json::json!(["a.c", "b.c"]));
    assert_eq!(json["entry"], "main");
    assert_eq!(
        (&json["labels"], &json["functions"][2]["file"]),
        (&serde_json::json!([]), &"b.c".into())
    );
    // A part of a program need not have a beginning.
    expect(&list(&["b.c", "-Iinclude", "-DN=2"]), 0, &["half"]);
    let text = said(&list(&["c.bp"]));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert!(
        lines[0].starts_with("function   main") && lines[1].starts_with("function   f"),
        "{text}"
    );
    for part in ["label      L", "label      ERROR", "assertion  assert(T)", "c.bp:1:16", "in f"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    for (words, part) in [
        (&["a.c"][..], "b.h"),
        (&["a.c", "c.bp"], "'c.bp' is none"),
        (&["c.bp", "c.bp"], "one file"),
        (&["c.bp", "--error", "L"], "'--error'"),
        (&["c.bp", "-DX"], "for C programs"),
        (&["c.txt"], "c.txt"),
    ] {
        expect(&list(words), 2, &[part]);
    }
}
