//! Programs in Boogie, read by a reader of our own and searched, and by Boogie where it is
//! installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use hardbop_base::random::Random;
use hardbop_bp::export::{ExportError, boogie};
use hardbop_bp::language::program::Program;

use super::{Counts, STATES, agrees_on_programs, agrees_on_programs_with_more_calls, made};
use crate::support::{boogie, explicit, program};

fn written(program: &Program) -> Result<String, ExportError> {
    Ok(boogie(program))
}

/// Every `havoc` of a variable is a step of its own.
fn verdict(text: &str, limit: usize) -> Option<bool> {
    boogie::Program::read(text).can_fail(20 * limit)
}

#[test]
fn a_search_agrees_on_boogie() {
    let counts = agrees_on_programs(31, written, verdict);
    assert!(matches!(counts, Counts { safe: 51.., is_unsafe: 51.., recursive: 0, .. }));
}

#[test]
fn a_search_agrees_on_boogie_of_programs_with_more_calls() {
    agrees_on_programs_with_more_calls(250_014, written, verdict);
}

/// Names that Boogie does not have, or has for itself, and everything the language can say.
const NAMES: &str = "decl g, next, {x == 0}, f, bv32, a-b, float24e8;
    void main() begin
      decl a, b, g;
      enforce a | b | g;
      a, b := half(T, *);
      a, next := schoose[a, b], * constrain ('a => !'next | *);
      call: if (a & !{x == 0}) then goto call, M; fi;
      while (*) do enforce a | b; _, g := half(g, *); f(g, *); od;
      M: assert(!a | b | next);
      g := *;
      half(a, a-b);
      abortif bv32 & !bv32 | float24e8 & FAIL;
    end
    bool<2> half(x, y) begin decl z; z := x; if (*) then return z, y; fi; x := y; return x, y; end
    void f(bv32, var) begin f := f ^ var; if (*) then f(var, bv32); fi; assume(f = bv32); end";

#[test]
fn names_and_statements() {
    for (fail, is_unsafe) in [("F", false), ("*", true)] {
        // The first assertion is left out.
        let text = NAMES.replace("FAIL", fail).replace("assert(!a | b | next)", "skip");
        let program = program(&text);
        assert_eq!(explicit::error_reachable(&program, STATES), Some(is_unsafe), "the oracle");
        assert_eq!(verdict(&boogie(&program), STATES), Some(is_unsafe), "{}", boogie(&program));
    }
}

#[test]
fn values_are_those_before_the_assignment() {
    let table = [
        ("b := T; a, b := b, *; assert(a);", false),
        ("b := T; a, b := b, *; assert(b);", true),
        ("a, b := T, F; a, b := b, a; assert(b & !a);", false),
        ("a := T; a, b := *, a constrain ('a = !a); assert(b & !a);", false),
        ("a := T; a, b := *, a constrain ('b = b | *); assert(a);", true),
        ("a, b := T, F; a, b := swap(a, b); assert(b & !a);", false),
        ("a := T; g := F; g := raised(a); assert(!g);", false),
    ];
    for (statements, is_unsafe) in table {
        let text = format!(
            "decl g; void main() begin decl a, b; {statements} end
             bool<2> swap(x, y) begin return y, x; end
             bool raised(x) begin g := x; return !g; end"
        );
        let program = program(&text);
        assert_eq!(explicit::error_reachable(&program, STATES), Some(is_unsafe), "{text}");
        assert_eq!(verdict(&boogie(&program), STATES), Some(is_unsafe), "{}", boogie(&program));
    }
}

/// Runs Boogie on texts; with Debian's Z3, which lacks one of the options that Debian's Boogie
/// sets.
fn run(texts: &[String], options: &[&str], each: impl Fn(usize, &str)) {
    let folder = tempfile::tempdir().expect("a folder");
    let solver = folder.path().join("z3");
    fs::write(&solver, "#!/bin/sh\nsed -u /model_compress/d | z3 \"$@\"\n").expect("written");
    make_executable(&solver);
    let file = folder.path().join("a.bpl");
    for (i, text) in texts.iter().enumerate() {
        fs::write(&file, text).expect("written");
        let mut command = Command::new("boogie");
        command.arg("/nologo").arg(format!("/z3exe:{}", solver.display())).args(options);
        let output = command.arg(&file).output().expect("it runs");
        each(i, &String::from_utf8_lossy(&output.stdout));
    }
}

#[cfg(unix)]
fn make_executable(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) {}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

#[test]
fn boogie_reads_all_names() {
    if !is_there("boogie") {
        return eprintln!("skipped: no boogie on this machine");
    }
    let text = boogie(&program(&NAMES.replace("FAIL", "*")));
    run(&[text], &["/noVerify"], |_, told| {
        assert!(told.contains("0 verified, 0 errors"), "{told}")
    });
}

/// Boogie inlines calls and unrolls loops up to a depth, so it reports no error that is not there,
/// and those that are near.
#[test]
fn boogie_agrees_up_to_a_depth() {
    if !is_there("boogie") || !is_there("z3") {
        return eprintln!("skipped: no boogie with z3 on this machine");
    }
    let mut random = Random::new(32);
    let (mut programs, mut texts) = (vec![], vec![]);
    while texts.len() < 40 {
        let Some((text, program, is_unsafe)) = made(&mut random) else { continue };
        let text_in_boogie = boogie(&program);
        // What is inlined is not verified on its own, so the entry is not, and must not be called.
        if text_in_boogie.contains("call main(") {
            continue;
        }
        let inlined = text_in_boogie.replace("procedure ", "procedure {:inline 3} ");
        texts.push(inlined.replace("{:inline 3} {:entrypoint}", "{:entrypoint}"));
        programs.push((text, is_unsafe));
    }
    let missed = std::cell::Cell::new(0);
    let options = ["/inline:assume", "/loopUnroll:6", "/proc:main", "/timeLimit:30"];
    run(&texts, &options, |i, told| {
        let (text, is_unsafe) = &programs[i];
        let errors = !told.contains(" 0 errors");
        let is_slow = told.contains("time out");
        assert!(told.contains("finished with 1 verified") || errors || is_slow, "{told}");
        assert!(*is_unsafe || !errors, "{text}\n{}\n{told}", texts[i]);
        missed.set(missed.get() + usize::from(*is_unsafe && !errors));
    });
    let count = programs.iter().filter(|p| p.1).count();
    eprintln!("{count} of {} are unsafe, {} deeper than here", programs.len(), missed.get());
    assert!(4 * missed.get() < count, "{} of {count}", missed.get());
}
