//! Z3's Spacer as a reader of Horn clauses, in the library that the C route loads.

use std::fs;
use std::path::Path;
use std::process::Command;

const LIBRARIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vendor/z3/lib");

/// Prints what Z3 answers to each file.
const READER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
void *Z3_mk_config(void);
void *Z3_mk_context(void *);
const char *Z3_eval_smtlib2_string(void *, const char *);
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    static char text[1 << 22];
    FILE *f = fopen(argv[i], "r");
    if (!f) return 1;
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    printf("%s", Z3_eval_smtlib2_string(Z3_mk_context(Z3_mk_config()), text));
  }
  return 0;
}
"#;

/// What Z3 answers to each text; nothing, with a note, where it is not there.
///
/// # Panics
/// If the answers are not one line each.
pub fn answers(texts: &[String]) -> Option<Vec<String>> {
    if !Path::new(LIBRARIES).join("libz3.so").exists() {
        eprintln!("skipped: there is no Z3 in {LIBRARIES}");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (reader, source) = (folder.path().join("reader"), folder.path().join("reader.c"));
    fs::write(&source, READER).expect("written");
    let compiled = Command::new("cc")
        .arg("-o")
        .args([&reader, &source])
        .arg(format!("-L{LIBRARIES}"))
        .arg(format!("-Wl,-rpath,{LIBRARIES}"))
        .arg("-lz3")
        .status();
    assert!(compiled.is_ok_and(|status| status.success()), "cc and Z3 are needed");
    let mut command = Command::new(&reader);
    for (i, text) in texts.iter().enumerate() {
        let file = folder.path().join(format!("{i}.smt2"));
        fs::write(&file, text).expect("written");
        command.arg(file);
    }
    let output = command.output().expect("the reader runs");
    let told = String::from_utf8(output.stdout).expect("Z3 writes ASCII");
    let answers: Vec<String> = told.lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), texts.len(), "{told}");
    Some(answers)
}
