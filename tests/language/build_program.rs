//! Programs that are built in memory mean what the same programs mean as texts.

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_base::source::{DiagnosticKind, Source};
use hardbop_bp::engine::{Options, Silent, check};
use hardbop_bp::language::build::{
    BuildError, ProcedureBuilder, ProgramBuilder, choose, constant, next, nondet, quoted, variable,
};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::print::print;
use hardbop_bp::language::program::Program;
use hardbop_bp::language::resolve::{ResolveOptions, resolve};
use hardbop_bp::language::syntax::{Expression, SyntaxTree};
use hardbop_bp::proof::Outcome;
use hardbop_report::document::{invariant_text, verdict_line};
use hardbop_report::formula::boolean::invariants;

fn read(text: &str) -> (SyntaxTree, Program) {
    let tree = parse(text, Dialect::default()).expect("it can be read");
    let program = resolve(Source::new("text", text), &tree, &ResolveOptions::default());
    (tree, program.expect("it is resolved"))
}

/// The verdict; a trace must replay.
fn verdict(program: &Program) -> String {
    let report = check(program, &Options::default(), &Budget::unlimited(), &mut Silent);
    let outcome = report.expect("no error").outcome;
    if let Outcome::Unsafe(trace) = &outcome {
        replay(program, trace).expect("the trace is an execution");
    }
    verdict_line(&outcome)
}

/// Every statement once; `bug` decides the verdict.
fn everything(bug: bool) -> Result<ProgramBuilder, BuildError> {
    let mut f = ProcedureBuilder::new("f")?;
    f.formal("a")?.formal("if")?.local("x > 0")?.returns(2);
    f.assign("x > 0", choose(variable("a"), variable("if")))?
        .return_values([variable("x > 0"), variable("a") ^ variable("if")])?;
    let mut main = ProcedureBuilder::new("main")?;
    main.local("p")?.local("q")?;
    main.label("again")?.skip();
    main.assign_all([("p", nondet()), ("q", nondet())], Some(next("p").equal(next("q"))))?;
    main.assume(variable("p").implies(variable("q")))?;
    main.begin_if(variable("p"))?;
    main.call(&["g", "_"], "f", [variable("p"), !variable("q")])?;
    main.assert(variable("g").not_equal(constant(bug)))?;
    main.else_if(nondet())?;
    main.goto(&["again", "out"])?;
    main.otherwise()?;
    main.begin_while(!variable("q"))?;
    main.assign("q", constant(true) & (variable("q") | constant(true)))?;
    main.end_while()?;
    main.label("last")?;
    main.end_if()?;
    main.call(&[], "f", [constant(true), constant(false)])?;
    main.label("out")?.return_values([])?;
    let mut program = ProgramBuilder::new();
    program.global("g")?.procedure(main)?.procedure(f)?;
    Ok(program)
}

const TEXT: &str = "
decl g;
void main() begin
  decl p, q;
  again: skip;
  p, q := *, * constrain ('p = 'q);
  assume(p => q);
  if (p) then
    g, _ := f(p, !q);
    assert(g != BUG);
  elsif (*) then
    goto again, out;
  else
    while (!q) do q := T & (q | T); od;
    last: skip;
  fi;
  f(T, F);
  out: return;
end
bool<2> f(a, {if}) begin
  decl {x > 0};
  {x > 0} := schoose[a, {if}];
  return {x > 0}, a ^ {if};
end
";

#[test]
fn built_and_written_programs_are_the_same() {
    for bug in [false, true] {
        let built = everything(bug).expect("it can be built");
        let (tree, program) = read(&TEXT.replace("BUG", if bug { "T" } else { "F" }));
        assert_eq!(built.text(), print(&tree));
        let (again, _) = read(&built.text());
        assert_eq!(print(&again), built.text());
        let finished = built.finish("built", &ResolveOptions::default()).expect("it is resolved");
        let expected = if bug { "VERDICT: UNSAFE" } else { "VERDICT: SAFE" };
        assert_eq!(verdict(&finished), expected);
        assert_eq!(verdict(&program), expected);
    }
}

/// Random straight-line programs over four variables, against the values that a simulation of all
/// choices finds.
#[test]
fn built_expressions_have_their_meaning() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let names = ["a", "b == c", "while", "d"];
        // Bits of a table: the value for each valuation of the variables.
        let mut pool: Vec<(Expression, u16)> =
            (0..4).map(|i| (variable(names[i]), [0xAAAA, 0xCCCC, 0xF0F0, 0xFF00][i])).collect();
        for _ in 0..12 {
            let (l, x) = pool[random.below(pool.len())].clone();
            let (r, y) = pool[random.below(pool.len())].clone();
            pool.push(match random.below(7) {
                0 => (l & r, x & y),
                1 => (l | r, x | y),
                2 => (l ^ r, x ^ y),
                3 => (l.implies(r), !x | y),
                4 => (l.equal(r), !(x ^ y)),
                5 => (l.not_equal(r), x ^ y),
                _ => (!l, !x),
            });
        }
        let (expression, table) = pool.pop().expect("there are many");
        let mut main = ProcedureBuilder::new("main").expect("a name");
        main.assert(expression.clone()).expect("well-formed");
        let mut program = ProgramBuilder::new();
        names.iter().for_each(|n| assert!(program.global(n).is_ok()));
        program.procedure(main).expect("no open block");
        let program = program.finish("built", &ResolveOptions::default()).expect("resolved");
        let expected = if table == 0xFFFF { "VERDICT: SAFE" } else { "VERDICT: UNSAFE" };
        assert_eq!(verdict(&program), expected, "{seed}");
    }
}

#[test]
fn names_are_quoted() {
    assert_eq!(quoted("x").ok().as_deref(), Some("x"));
    assert_eq!(quoted("x > 0").ok().as_deref(), Some("{x > 0}"));
    assert_eq!(quoted("{x > 0}").ok().as_deref(), Some("{x > 0}"));
    assert_eq!(quoted("if").ok().as_deref(), Some("{if}"));
    assert_eq!(quoted("p->q").ok().as_deref(), Some("{p->q}"));
    assert_eq!(quoted("a // b").ok().as_deref(), Some("{a // b}"));
    assert_eq!(quoted("größer").ok().as_deref(), Some("{größer}"));
    for name in ["", "{}", "a}b", "{a}b}", "a\nb", "\0"] {
        assert!(matches!(quoted(name), Err(BuildError::Name(_))), "{name:?}");
    }
}

#[test]
fn misuse_is_an_error() {
    let mut p = ProcedureBuilder::new("p").expect("a name");
    let word = |e: Result<&mut ProcedureBuilder, BuildError>| e.expect_err("misuse").to_string();
    assert_eq!(word(p.otherwise()), "'else' without an open 'if'");
    assert_eq!(word(p.end_while()), "'od' without an open 'while'");
    assert_eq!(word(p.goto(&[])), "a 'goto' without a label");
    assert_eq!(word(p.assign_all([], None)), "nothing is assigned");
    assert_eq!(word(p.assume(Expression { nodes: vec![] })), "an expression is malformed");
    let open = constant(true) & Expression { nodes: vec![] };
    assert_eq!(word(p.assume(open)), "an expression is malformed");
    assert!(matches!(p.local("_"), Err(BuildError::Name(_))));
    p.begin_if(nondet()).expect("fine");
    assert_eq!(word(p.end_while()), "'od' without an open 'while'");
    p.otherwise().expect("fine");
    assert_eq!(word(p.else_if(nondet())), "'elsif' after 'else'");
    let error = ProgramBuilder::new().procedure(p).expect_err("open").to_string();
    assert_eq!(error, "'p' ends with an open 'if'");

    let mut main = ProcedureBuilder::new("main").expect("a name");
    main.assign("missing", next("g")).expect("found later");
    let mut program = ProgramBuilder::new();
    program.global("g").expect("a name").procedure(main).expect("no block");
    match program.finish("built", &ResolveOptions::default()) {
        Err(BuildError::Program { program, diagnostics }) => {
            assert!(diagnostics.iter().any(|d| d.kind == DiagnosticKind::Undeclared));
            assert!(program.text.contains("missing := 'g"));
        }
        other => panic!("{other:?}"),
    }
    assert!("a &".parse::<Expression>().is_err() && "a b".parse::<Expression>().is_err());
    let parsed: Expression = "a & {b}".parse().expect("an expression");
    assert!(main_with(parsed).contains("assert(a & {b});"));
}

fn main_with(e: Expression) -> String {
    let mut main = ProcedureBuilder::new("main").expect("a name");
    main.assert(e).expect("well-formed");
    ProgramBuilder::new().procedure(main).expect("no block").text()
}

#[test]
fn invariants_are_shown() {
    let mut main = ProcedureBuilder::new("main").expect("a name");
    main.assign("x", constant(true)).expect("fine");
    main.while_do(nondet(), |body| body.assign("y", variable("x")).map(|_| ())).expect("fine");
    main.assert(variable("x")).expect("fine");
    let mut program = ProgramBuilder::new();
    program.global("x").and_then(|p| p.global("y")).expect("names");
    program.procedure(main).expect("no block");
    let program = program.finish("built", &ResolveOptions::default()).expect("resolved");
    let options = Options { certify: true, ..Options::default() };
    let report = check(&program, &options, &Budget::unlimited(), &mut Silent).expect("no error");
    let Outcome::Safe(proof) = report.outcome else { panic!("it is safe") };
    let text = invariant_text(&invariants(&program, &proof));
    assert!(text.lines().any(|l| l == "invariant at line 5 in main: x"), "{text}");
}
