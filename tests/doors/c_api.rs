//! The library for C: a C program that uses all of it gives what it should, without errors of
//! memory, leaks and undefined behaviour; the header is complete, and C++ reads it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use regex_lite::Regex;
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const EXPECTED: &str = include_str!("c_api/expected.txt");

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("it starts");
    let (stdout, stderr) = (&output.stdout, &output.stderr);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}\n{}", text(stdout), text(stderr));
    output
}

/// Is this program installed?
fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    if !there {
        eprintln!("skipped: there is no {program}");
    }
    there
}

/// The folder of the library, which is built where this test was.
static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_BIN_EXE_hardbop")).parent().expect("a folder");
    let target = folder.parent().expect("a folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--quiet", "--target-dir"]).arg(target);
    // Libraries alone: the program is there already, with features that other tests need.
    cargo.args(["-p", "hardbop-capi", "--lib"]);
    // With the features of this test, so that no crate is compiled again.
    if cfg!(feature = "depqbf") {
        cargo.args(["--features", "hardbop-qbf/depqbf"]);
    }
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    run(cargo.current_dir(ROOT));
    folder.to_owned()
});

/// The compiler on the example, for `folder/check`, with these arguments.
fn compile(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
    gcc.args(["-g", "-pthread", "-Icapi/include", "examples/c-api/check.c", "-o"]);
    gcc.arg(folder.path().join("check")).args(arguments).current_dir(ROOT);
    gcc
}

/// With the shared library.
fn shared(gcc: &mut Command) -> &mut Command {
    let library = LIBRARY.display();
    gcc.arg(format!("-L{library}")).arg(format!("-Wl,-rpath,{library}")).arg("-lhardbop_c")
}

fn assert_expected(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    let expected = EXPECTED.replace("VERSION", env!("CARGO_PKG_VERSION"));
    let lines = text.lines().zip(expected.lines());
    for (number, (found, expected)) in lines.enumerate() {
        assert_eq!(found, expected, "line {}", number + 1);
    }
    assert_eq!(text.lines().count(), expected.lines().count());
}

#[test]
fn the_example_runs_under_sanitizers() {
    let folder = tempfile::tempdir().expect("a folder");
    let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    if !has("gcc") {
        return;
    }
    let empty = folder.path().join("empty.c");
    fs::write(&empty, "int main(void) { return 0; }\n").expect("written");
    let mut trial = Command::new("gcc");
    trial.args(sanitizers).arg(&empty).arg("-o").arg(folder.path().join("empty"));
    if !trial.output().is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: gcc has no sanitizers");
        return;
    }
    run(shared(&mut compile(&folder, &sanitizers)));
    // gcc's sanitizer guesses the sizes of blocks of thread-local storage that the loader makes from
    // what stands before them, and may then crash when it looks for leaks: it is not to watch them.
    let options = "detect_leaks=1:abort_on_error=0:intercept_tls_get_addr=0";
    let mut check = Command::new(folder.path().join("check"));
    assert_expected(&run(check.env("ASAN_OPTIONS", options)));
}

#[test]
fn the_example_runs_under_valgrind() {
    if !has("gcc") || !has("valgrind") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    run(shared(&mut compile(&folder, &[])));
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["-q", "--error-exitcode=9", "--leak-check=full"]);
    // One thread runs at a time: the one that cancels the other has to get its turn.
    valgrind.arg("--fair-sched=try");
    valgrind.arg(format!("--suppressions={ROOT}/tests/doors/c_api/valgrind.supp"));
    assert_expected(&run(valgrind.arg(folder.path().join("check"))));
}

/// With the link line that docs/library.md gives.
#[test]
fn the_static_library_links() {
    if !has("gcc") {
        return;
    }
    let guide = fs::read_to_string(Path::new(ROOT).join("docs/library.md")).expect("the guide");
    let line = guide.lines().find(|l| l.contains("libhardbop_c.a")).expect("the link line");
    // `cc ... target/release/libhardbop_c.a -lstdc++ ...`
    let library = LIBRARY.join("libhardbop_c.a");
    let words = line.split_whitespace().skip_while(|w| !w.ends_with("libhardbop_c.a")).skip(1);
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    // DepQBF's library, where an installed one was linked.
    let found = Command::new("gcc").arg("-print-file-name=libqdpll.so").output();
    let is_installed = found.is_ok_and(|o| o.stdout.starts_with(b"/"));
    if cfg!(feature = "depqbf") && is_installed {
        words.push("-lqdpll".to_owned());
    }
    let folder = tempfile::tempdir().expect("a folder");
    run(compile(&folder, &[]).arg(library).args(words));
    assert_expected(&run(&mut Command::new(folder.path().join("check"))));
}

#[test]
fn cpp_reads_the_header() {
    if !has("g++") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("header.cpp");
    let text = "#include \"hardbop.h\"\n#include \"hardbop.h\"\n\
        int main() { return hardbop_options_free(0) == HARDBOP_OK ? 0 : 1; }\n";
    fs::write(&program, text).expect("written");
    let (binary, include) = (folder.path().join("header"), format!("-I{ROOT}/capi/include"));
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++98", "-Wall", "-Wextra", "-Werror", "-pedantic", &include]);
    run(shared(compiler.arg(&program).arg("-o").arg(&binary)));
    run(&mut Command::new(&binary));
}

/// What is declared is there, and what is there is declared; the status numbers are the same.
#[test]
fn the_header_is_complete() {
    let read = |file: &str| fs::read_to_string(Path::new(ROOT).join(file)).expect("a text");
    let header = read("capi/include/hardbop.h");
    let names = |pattern: &str, text: &str| -> BTreeSet<String> {
        let pattern = Regex::new(pattern).expect("a pattern");
        pattern.captures_iter(text).map(|c| c[1].to_owned()).collect()
    };
    let declared = names(r"(?m)^(?:[a-z_]+ |const char \*)+(hardbop_[a-z_0-9]+)\(", &header);
    let mut sources = String::new();
    for entry in fs::read_dir(Path::new(ROOT).join("capi/src")).expect("a folder") {
        sources += &fs::read_to_string(entry.expect("a file").path()).expect("a text");
    }
    let mut defined = names(r#"extern "C" fn (hardbop_[a-z_0-9]+)"#, &sources);
    defined.extend(names(r"(?m)^    (hardbop_[a-z_0-9]+) =>", &sources));
    assert!(declared.len() > 50, "{declared:?}");
    assert_eq!(declared, defined);
    let statuses = names(r"(?m)^    (HARDBOP_[A-Z_0-9]+ = [0-9]+)", &header);
    let named = names(r#"[0-9]+ => c"(HARDBOP_[A-Z_0-9]+)""#, &sources);
    assert_eq!(statuses.len(), named.len() + 3, "the verdicts are the other three");
}
