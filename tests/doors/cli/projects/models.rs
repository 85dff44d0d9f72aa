//! `--library`: models of functions in C files of a folder.

use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "#include <assert.h>
int uart_open(int port);
int uart_waiting(void);
int main(void) {
  if (uart_open(1)) return 1;
  assert(uart_waiting() <= 16);
  return 0;
}
";

/// The last line of the answer, or of what is wrong.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    let run = command.current_dir(folder).arg("check").args(arguments).output().expect("it runs");
    let text = [run.stdout, run.stderr].concat();
    let text = String::from_utf8(text).expect("UTF-8");
    let is_said = |line: &&str| line.starts_with("VERDICT") || line.starts_with("error");
    text.lines().find(is_said).unwrap_or("nothing").to_owned()
}

/// The model that the page on C programs shows.
const MODEL: &str = include_str!("../../../../examples/models/uart.c");

#[test]
fn the_files_that_a_program_needs_are_linked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, at) = (folder.path(), |name: &str| folder.path().join(name));
    let write = |name: &str, text: &str| fs::write(at(name), text).expect("it is written");
    for name in ["sdk", "more", "empty"] {
        fs::create_dir(at(name)).expect("a folder");
    }
    write("sdk/uart.c", MODEL);
    write("app.c", PROGRAM);
    assert_eq!(said(path, &["app.c"]), "VERDICT: UNSAFE");
    assert_eq!(said(path, &["--library", "sdk", "app.c"]), "VERDICT: SAFE");
    // What the caller owes.
    write("bad.c", &PROGRAM.replace("if (uart_open(1)) return 1;", "uart_open(4);"));
    assert_eq!(said(path, &["--library", "sdk", "bad.c"]), "VERDICT: UNSAFE");
    // Files that are needed by others, and one that replaces a function of the C library.
    write("sdk/other.c", "int main(void) { return 1; } int helper(void) { return 2; }");
    write("more/helper.c", "static int calls; int helper(void) { return ++calls; }");
    write("more/abs.c", "int helper(void); int abs(int n) { return n < 0 ? helper() : n; }");
    let uses = "#include <assert.h>\n#include <stdlib.h>\n
        int main(void) { int (*f)(int) = abs; assert(f(-7) == 1 && abs(-7) == 2); return 0; }";
    write("abs.c", uses);
    assert_eq!(said(path, &["abs.c"]), "VERDICT: UNSAFE");
    assert_eq!(said(path, &["--library", "sdk", "--library", "more", "abs.c"]), "VERDICT: SAFE");
    // The program's own functions count.
    write("own.c", &format!("{PROGRAM}int uart_open(int port) {{ return 0; }}"));
    assert_eq!(said(path, &["--library", "sdk", "own.c"]), "VERDICT: UNSAFE");
    // What is no library.
    let empty = said(path, &["--library", "empty", "app.c"]);
    assert_eq!(empty, "error: cannot read 'empty': it has no C files");
    write("empty/bad.c", "int f(void) { return; }; int g( { }");
    assert!(said(path, &["--library", "empty", "app.c"]).starts_with("error: expected"));
}
