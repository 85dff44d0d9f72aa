//! Weak names, and what gcc predefines: gcc is not contradicted, with the other file and without
//! it.

use std::path::Path;
use std::process::Command;

use hardbop_c::points_to::Externals;

use super::{HEAD, answer};

/// Programs that depend on whether another file defines `w`, a function or a variable.
const OPEN: &[(&str, &str)] = &[
    (
        "void w(void) __attribute__((weak)); int main(void) { if (w) reach_error(); return 0; }",
        "void w(void) {}",
    ),
    (
        "void w(void) __attribute__((weak)); int main(void) { if (!w) reach_error(); return 0; }",
        "void w(void) {}",
    ),
    (
        "void w(void) __attribute__((weak)); int main(void) { if (w == 0) reach_error(); return 0; }",
        "void w(void) {}",
    ),
    (
        "__attribute__((weak)) void w(void); int main(void) { if (&w != 0) reach_error(); return 0; }",
        "void w(void) {}",
    ),
    (
        "extern int w __attribute__((weak)); int main(void) { if (&w) reach_error(); return 0; }",
        "int w;",
    ),
    (
        "extern int w __attribute__((__weak__)); int main(void) { if (!&w) reach_error(); return 0; }",
        "int w;",
    ),
    (
        "extern int w[] __attribute__((weak)); int main(void) { if (w) reach_error(); return 0; }",
        "int w[2];",
    ),
    (
        "extern int w[] __attribute__((weak)); int main(void) { int *p = w; if (!p) reach_error(); return 0; }",
        "int w[2];",
    ),
    (
        "void w(void) __attribute__((weak)); void (*p)(void) = w; int main(void) { if (p) reach_error(); return 0; }",
        "void w(void) {}",
    ),
    (
        "void w(void) __attribute__((weak)); void (*p)(void) = w; int main(void) { if (!p) reach_error(); return 0; }",
        "void w(void) {}",
    ),
    (
        "extern int w __attribute__((weak)); int *p = &w; int main(void) { if (!p) reach_error(); return 0; }",
        "int w;",
    ),
    (
        "extern struct { int m; } w __attribute__((weak)); int main(void) { if (&w.m) reach_error(); return 0; }",
        "struct { int m; } w;",
    ),
];

/// Programs that do not.
const CERTAIN: &[&str] = &[
    "int __attribute__((weak)) w = 3; int main(void) { if (&w && w == 3) reach_error(); return 0; }",
    "__attribute__((weak)) int w(void) { return 3; } int main(void) { if (w && w() == 3) reach_error(); return 0; }",
    "__attribute__((weak)) int w(void) { return 3; } int main(void) { if (!w) reach_error(); return 0; }",
    "void w(void) __attribute__((weak)); int main(void) { int x = 1; if (x == 2) w(); if (x == 1) reach_error(); return 0; }",
];

/// Whether the linked program reaches the error.
fn linked(folder: &Path, text: &str, other: &str) -> Option<bool> {
    let main = "#include <stdlib.h>\nvoid reach_error(void) { _Exit(77); }\nint __VERIFIER_nondet_int(void) { return 0; }\n";
    let (source, second, exe) = (folder.join("a.c"), folder.join("b.c"), folder.join("a"));
    std::fs::write(&source, format!("{main}{HEAD}{text}")).expect("writes");
    std::fs::write(&second, other).expect("writes");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-std=gnu17", "-o"]).arg(&exe).args([&source, &second]);
    if !gcc.output().expect("gcc runs").status.success() {
        return None;
    }
    Command::new(&exe).status().expect("runs").code().map(|code| code == 77)
}

#[test]
fn addresses_that_may_be_null_decide_nothing() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for (text, other) in OPEN {
        // Both ways are possible: neither answer would be right.
        let ways = (linked(folder.path(), text, ""), linked(folder.path(), text, other));
        let open = matches!(ways, (Some(a), Some(b)) if a != b);
        let found = answer(text, Externals::Any);
        if !open || matches!(found.as_str(), "safe" | "unsafe") {
            wrong.push(format!("{found}, and {ways:?} by gcc: {text}"));
        }
    }
    for text in CERTAIN {
        let (truth, found) = (linked(folder.path(), text, ""), answer(text, Externals::Any));
        match (truth, found.as_str()) {
            (Some(true), "unsafe") | (Some(false), "safe") => {}
            _ => wrong.push(format!("{found}, and {truth:?} by gcc: {text}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_known_is_refused() {
    for (text, words) in [
        (
            "void w(void);\n#pragma weak w\nint main(void) { if (w) reach_error(); return 0; }",
            "'#pragma weak'",
        ),
        (
            "void w(void);\n#pragma redefine_extname w v\nint main(void) { if (w) reach_error(); return 0; }",
            "'#pragma redefine_extname'",
        ),
        (
            "void w(void); _Pragma(\"weak w\") int main(void) { if (w) reach_error(); return 0; }",
            "'_Pragma'",
        ),
        // gcc refuses it as well.
        ("extern struct s x; int main(void) { x; return 0; }", "is incomplete"),
        ("struct s; struct s *p; int main(void) { *p; return 0; }", "is incomplete"),
    ] {
        let found = answer(text, Externals::Any);
        assert!(found.contains(words), "{found}, without {words}: {text}");
    }
}

/// Macros that no header defines, and two headers that declare a buffer of `setjmp`.
#[test]
fn the_preprocessor_runs_where_macros_are_its_own() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (text, code) in [
        (
            "int x; int main(void) { __atomic_store_n(&x, 3, __ATOMIC_SEQ_CST); if (x == 3) reach_error(); return 0; }",
            10,
        ),
        (
            "int main(void) { if (__ATOMIC_SEQ_CST != 5 || __GNUC__ < 2) reach_error(); return 0; }",
            0,
        ),
        (
            "#include <setjmp.h>\n#include <pthread.h>\nint main(void) { if (!sizeof(jmp_buf)) reach_error(); return 0; }",
            0,
        ),
        ("#include <pthread.h>\n#include <setjmp.h>\nint main(void) { reach_error(); }", 10),
    ] {
        let file = folder.path().join("m.c");
        std::fs::write(&file, format!("{HEAD}{text}\n")).expect("writes");
        let mut check = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        let output = check.args(["check", "-q"]).arg(&file).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}{text}");
    }
}
