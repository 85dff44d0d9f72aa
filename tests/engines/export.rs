//! Programs in the languages of other tools, decided by a tool that reads them: Z3's Spacer, in the
//! library that the C route loads.

use std::fs;
use std::path::Path;
use std::process::Command;

use arbitrary::Unstructured;
use hardbop::base::budget::Budget;
use hardbop::base::random::Random;
use hardbop::boolean::export::horn_clauses;

use crate::support::{explicit, maker, program};

/// States after which a program is left out.
const STATES: usize = 50_000;

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

#[test]
fn spacer_agrees_on_horn_clauses() {
    if !Path::new(LIBRARIES).join("libz3.so").exists() {
        eprintln!("skipped: there is no Z3 in {LIBRARIES}");
        return;
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
    let mut random = Random::new(26);
    let mut programs = vec![];
    let mut command = Command::new(&reader);
    while programs.len() < 150 {
        let words = 16 + (random.bits() % 64) as usize;
        let bytes: Vec<u8> = (0..words).flat_map(|_| random.bits().to_le_bytes()).collect();
        let Ok(text) = maker::program(&mut Unstructured::new(&bytes)) else { continue };
        let program = program(&text);
        let Some(is_unsafe) = explicit::error_reachable(&program, STATES) else { continue };
        let clauses = horn_clauses(&program, &Budget::unlimited()).expect("no limit");
        let i = programs.len();
        programs.push((text, is_unsafe));
        let file = folder.path().join(format!("{i}.smt2"));
        fs::write(&file, clauses).expect("written");
        command.arg(file);
    }
    let output = command.output().expect("the reader runs");
    let told = String::from_utf8(output.stdout).expect("Z3 writes ASCII");
    let answers: Vec<&str> = told.lines().collect();
    assert_eq!(answers.len(), programs.len(), "{told}");
    let mut both = [0, 0];
    for (answer, (text, is_unsafe)) in answers.iter().zip(&programs) {
        assert_eq!(*answer, if *is_unsafe { "unsat" } else { "sat" }, "{text}");
        both[usize::from(*is_unsafe)] += 1;
    }
    assert!(both[0] > 10 && both[1] > 10, "{both:?}");
}
