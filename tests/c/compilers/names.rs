//! Names that hardbop's sources use: a program may have any of them, as a variable, function,
//! member, parameter or label.

use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_c::harness::harness;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_refine::cegar::PredicateSource;
use hardbop_smt::SolverKind;
use hardbop_verify::{CProgram, Options, Outcome, Route, check};

use crate::support::c::{analysis_only, can_compile, run_harness_hosted};
use crate::support::words::words;

/// Words that are no identifiers in C17, with GNU's and C23's; and names that mean something
/// wherever they are.
const WORDS: &[&str] = &[
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "main",
    "ERROR",
    "reach_error",
    "linux",
    "unix",
];

/// The words of the sources that are identifiers.
fn names() -> Vec<String> {
    let mut names = words();
    names.retain(|name| !WORDS.contains(&name.as_str()));
    names
}

const HEAD: &str =
    "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n";

/// A program with these names at file scope, which is safe if they are compared with 9.
fn globals(names: &[String], most: u32) -> String {
    let mut text = HEAD.to_owned();
    for name in names {
        text.push_str(&format!("static unsigned char {name};\n"));
    }
    text.push_str("int main(void) {\n");
    for name in names {
        text.push_str(&format!(
            "  {name} = __VERIFIER_nondet_uint(); if ({name} > 9) {name} = 9;\n"
        ));
    }
    text.push_str("  while (__VERIFIER_nondet_uint()) {\n");
    for pair in names.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        text.push_str(&format!(
            "    if (__VERIFIER_nondet_uint()) {a} = {b} > 2 ? {b} : 5; else if ({a} == 3) {b} = {a};\n"
        ));
    }
    text.push_str("  }\n");
    for name in names {
        text.push_str(&format!("  if ({name} > {most}) reach_error();\n"));
    }
    text + "  return 0;\n}\n"
}

/// The same names as a function, its parameter, a local variable, a member, a tag and a label each.
fn others(names: &[String], most: u32) -> String {
    let mut text = HEAD.to_owned();
    let mut calls = String::new();
    for (i, name) in names.iter().enumerate() {
        text.push_str(&format!(
            "struct {name} {{ int {name}; }};\nstatic int f{i}(int {name}) {{ struct {name} r_; r_.{name} = {name}; \
             if (r_.{name} > 9) goto {name}; return r_.{name}; {name}: return 9; }}\n\
             static int g{i}(void) {{ int {name} = __VERIFIER_nondet_uint() & 15; return f{i}({name}); }}\n"
        ));
        calls.push_str(&format!("  if (g{i}() > {most}) reach_error();\n"));
    }
    format!("{text}int main(void) {{\n{calls}  return 0;\n}}\n")
}

/// How the program is checked: by each route, and by what makes symbols of its own.
fn ways() -> Vec<Options> {
    let mut interpolating = analysis_only();
    interpolating.analysis.refinement = PredicateSource::Interpolants;
    let z3 = |mut options: Options| {
        options.analysis.solver = SolverKind::Z3;
        options
    };
    let bp = Options { route: Route::Bp, ..analysis_only() };
    vec![Options::default(), analysis_only(), z3(analysis_only()), bp, interpolating]
}

fn agree(text: &str, is_unsafe: bool, options: &Options) {
    let reading = ParseOptions { model: Some(DataModel::Lp64), ..ParseOptions::default() };
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(30));
    let source = Source::new("names.c", text);
    on_large_stack(|| {
        let flow = parse(source, &reading).unwrap_or_else(|d| panic!("{d:#?}\n{text}"));
        let report = check(CProgram::new(&flow), options, &budget, &mut ());
        match report.unwrap_or_else(|e| panic!("{e}\n{text}")).outcome {
            Outcome::Safe(_) => assert!(!is_unsafe, "{text}"),
            Outcome::Unsafe(execution) => {
                assert!(is_unsafe, "{text}");
                let harness = harness(&flow, &execution).expect("a harness");
                if harness.notes.is_empty() && can_compile(DataModel::Lp64) {
                    assert_eq!(run_harness_hosted(&harness.text), Some(107), "{text}");
                }
            }
            // Limits are no matter of names.
            Outcome::Unknown(reason) => eprintln!("{reason}\n{text}"),
        }
    })
    .expect("a thread");
}

/// All names, by the usual way; those of symbols in every way.
#[test]
fn programs_may_have_any_name() {
    let names = names();
    assert!(
        ["path", "choice", "literal", "select", "hardbop_reached"]
            .iter()
            .all(|n| names.iter().any(|m| m == n))
    );
    eprintln!("{} names", names.len());
    for chunk in names.chunks(200) {
        agree(&others(chunk, 8), true, &Options::default());
    }
    for chunk in names.chunks(100) {
        agree(&globals(chunk, 8), true, &Options::default());
    }
}

#[test]
fn symbols_of_our_own_have_names_of_their_own() {
    let own = ["path", "choice", "literal", "select", "opaque", "t", "gone", "int", "a", "x"];
    let own: Vec<String> =
        own.iter().filter(|n| !WORDS.contains(n)).map(|n| (*n).to_owned()).collect();
    for options in ways() {
        for chunk in own.chunks(3) {
            agree(&globals(chunk, 9), false, &options);
            agree(&globals(chunk, 8), true, &options);
            agree(&others(chunk, 9), false, &options);
            agree(&others(chunk, 8), true, &options);
        }
    }
}

/// What stands in rewritten texts is refused, wherever it is.
#[test]
fn reserved_names_are_refused() {
    for name in ["__hardbop_same", "__hardbop_label", "__hardbop_of_a_later_version"] {
        for text in [
            format!("int {name};"),
            format!("void {name}(void) {{}}"),
            format!("struct s {{ int {name}; }};"),
            format!("void f(int {name}) {{}}"),
            format!("void f(void) {{ goto {name}; {name}: ; }}"),
        ] {
            let text = format!("{text}\nint main(void) {{ return 0; }}\n");
            let source = Source::new("names.c", text.clone());
            let refused =
                on_large_stack(|| parse(source, &ParseOptions::default())).expect("a thread");
            let mistakes = refused.err().unwrap_or_else(|| panic!("accepted:\n{text}"));
            assert!(mistakes[0].message.contains(name), "{mistakes:?}");
        }
    }
}
