//! Circuits in SMV, read by a reader of our own and searched, and decided by NuSMV or nuXmv where
//! it is installed.

use std::fs;
use std::process::Command;

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_bp::export::{ExportError, circuit, smv};
use hardbop_bp::language::program::Program;

use super::{Counts, agrees_on_programs, agrees_on_programs_with_more_calls, made};
use crate::support::{program, smv::read};

fn written(program: &Program) -> Result<String, ExportError> {
    Ok(smv(&circuit(program, &Budget::unlimited())?))
}

fn verdict(text: &str, limit: usize) -> Option<bool> {
    read(text).bad_reachable(limit)
}

#[test]
fn a_search_agrees_on_smv() {
    let counts = agrees_on_programs(29, written, verdict);
    assert!(matches!(counts, Counts { safe: 51.., is_unsafe: 51.., recursive: 11.., .. }));
}

#[test]
fn a_search_agrees_on_smv_of_programs_with_more_calls() {
    agrees_on_programs_with_more_calls(250_013, written, verdict);
}

#[test]
fn identifiers_are_legal() {
    let text = "decl next, {x == 0}, a-b, TRUE; void main() begin decl MODULE, _x;
        MODULE := next; while (a-b) do next, {x == 0}, a-b, TRUE, MODULE, _x :=
        {x == 0}, a-b, TRUE, MODULE, _x, next; od; assert(MODULE); end";
    let program = program(text);
    let text = written(&program).expect("no recursion");
    assert_eq!(verdict(&text, 100_000), Some(true), "{text}");
    for name in ["_#next", "_#$7bx-$3d$3d-0$7d", "_#a$2db", "_#TRUE", "main#MODULE", "main#_x"] {
        assert!(text.contains(&format!("init({name}) := FALSE;")), "{name}: {text}");
    }
}

#[test]
fn nusmv_agrees() {
    let tool =
        ["nuXmv", "NuSMV"].into_iter().find(|tool| Command::new(tool).arg("-h").output().is_ok());
    let Some(tool) = tool else { return eprintln!("skipped: no NuSMV or nuXmv on this machine") };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.smv");
    let mut random = Random::new(30);
    let mut both = [0, 0];
    while both[0] + both[1] < 100 {
        let Some((text, program, is_unsafe)) = made(&mut random) else { continue };
        let Ok(module) = written(&program) else { continue };
        fs::write(&file, &module).expect("written");
        let output = Command::new(tool).arg(&file).output().expect("it runs");
        let told = String::from_utf8_lossy(&output.stdout);
        let answer = told.lines().find(|l| l.starts_with("-- invariant")).unwrap_or_default();
        let expected = if is_unsafe { "is false" } else { "is true" };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(answer.ends_with(expected), "{text}\n{module}\n{told}\n{errors}");
        both[usize::from(is_unsafe)] += 1;
    }
    assert!(both[0] > 10 && both[1] > 10, "{both:?}");
}
