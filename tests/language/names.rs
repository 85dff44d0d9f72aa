//! Names that hardbop's sources use, in Boolean programs: as variables, procedures, parameters and
//! labels.

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Options, Silent, check};
use hardbop_bp::export::horn_clauses;
use hardbop_bp::language::program::Program;
use hardbop_bp::proof::Outcome;

use crate::support::words::words;
use crate::support::{program, spacer};

/// Words that are no names, or mean something wherever they are.
const WORDS: &[&str] = &[
    "F",
    "T",
    "abortif",
    "assert",
    "assume",
    "atomic_begin",
    "atomic_end",
    "begin",
    "bool",
    "constrain",
    "dead",
    "decl",
    "dfs",
    "do",
    "elif",
    "else",
    "elsif",
    "end",
    "end_thread",
    "enforce",
    "fi",
    "goto",
    "if",
    "od",
    "print",
    "return",
    "schoose",
    "skip",
    "start_thread",
    "sync",
    "then",
    "thread_local",
    "void",
    "while",
    "true",
    "false",
    "main",
    "ERROR",
    "SLIC_ERROR",
    "ASYNC",
    "SYNC",
];

/// A program in which each name is a global, a local of a procedure of its own that has another
/// one's name, and a label.
fn text(names: &[String], is_unsafe: bool) -> String {
    let mut text = format!("decl {};\nvoid main() begin\n", names.join(", "));
    for name in names {
        text.push_str(&format!(
            "  {name} := *; if ({name}) then {name} := {name}_p({name}); fi;\n"
        ));
    }
    let any = names.iter().map(|n| format!("!{n}")).collect::<Vec<_>>().join(" & ");
    text.push_str(&format!("  while (*) do {} := {}; od;\n", names.join(", "), {
        let mut turned = names.to_vec();
        turned.rotate_left(1);
        turned.join(", ")
    }));
    text.push_str(&match is_unsafe {
        true => "  assert(F);\n".to_owned(),
        false => format!("  assert({any});\n"),
    });
    text.push_str("end\n");
    for name in names {
        text.push_str(&format!(
            "bool {name}_p({name}) begin if ({name}) then goto {name}; fi; {name} := T; {name}: return !{name}; end\n"
        ));
    }
    text
}

fn agree(program: &Program, engine: Engine, is_unsafe: bool) {
    let options = Options { engine, certify: true, ..Options::default() };
    let report = check(program, &options, &Budget::unlimited(), &mut Silent);
    let report = report.unwrap_or_else(|e| panic!("{e}\n{}", program.source.text));
    let found = matches!(report.outcome, Outcome::Unsafe(_));
    assert_eq!(found, is_unsafe, "{engine:?}\n{}", program.source.text);
}

#[test]
fn programs_may_have_any_name() {
    let mut names = words();
    names.retain(|name| !WORDS.contains(&name.as_str()));
    assert!(["choice", "path", "literal", "select"].iter().all(|n| names.iter().any(|m| m == n)));
    for (i, chunk) in names.chunks(10).enumerate() {
        let engine =
            [Engine::Auto, Engine::Pdr, Engine::Bdd, Engine::Qbf, Engine::Universal][i % 5];
        agree(&program(&text(chunk, false)), engine, false);
        agree(&program(&text(chunk, true)), engine, true);
    }
    // Names of symbols, which every engine makes of its own.
    let few: Vec<String> = ["choice", "path", "select", "input", "n"].map(str::to_owned).into();
    for engine in [Engine::Qbf, Engine::Universal] {
        agree(&program(&text(&few, false)), engine, false);
        agree(&program(&text(&few, true)), engine, true);
    }
    let texts: Vec<String> = names
        .chunks(40)
        .step_by(8)
        .map(|chunk| {
            let program = program(&text(chunk, false));
            horn_clauses(&program, &Budget::unlimited()).expect("no limit")
        })
        .collect();
    let Some(answers) = spacer::answers(&texts) else { return };
    assert!(answers.iter().all(|answer| answer == "sat"), "{answers:?}");
}
