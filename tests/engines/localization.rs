//! Programs in which what is left out matters for the way through.

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_bp::engine::strategy::{Lists, Strategy};
use hardbop_bp::engine::{Engine, Options, Silent, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::Outcome;

use crate::support::{agreement, explicit};

fn is_unsafe(text: &str) -> bool {
    let program = crate::support::program(text);
    let mut verdicts = vec![];
    for engine in [Engine::Qbf, Engine::Universal] {
        for plain in [false, true] {
            let options = Options { engine, plain, ..Options::default() };
            let report = check(&program, &options, &Budget::unlimited(), &mut Silent)
                .unwrap_or_else(|e| panic!("{e}: {options:?}"));
            verdicts.push(match report.outcome {
                Outcome::Safe(_) => false,
                Outcome::Unsafe(trace) => {
                    replay(&program, &trace).unwrap_or_else(|e| panic!("{e}: {options:?}"));
                    true
                }
                Outcome::Unknown(reason) => panic!("UNKNOWN ({reason}) without limits"),
            });
        }
    }
    assert!(verdicts.windows(2).all(|v| v[0] == v[1]), "{verdicts:?}");
    verdicts[0]
}

/// The shortest way through `f` is blocked by variables that have nothing to do with the error.
#[test]
fn the_shortest_way_through_a_procedure_is_blocked() {
    assert!(is_unsafe(
        "decl x, y, z, a, b, c;
         void f() begin
           if * then
             while * do skip; od;
             assume (x = y) & (y = z) & (x != z);
           else
             while * do skip; od;
             while * do skip; od;
           fi;
         end
         void main() begin
           a, b, c := F, F, F;
           while * do
             f();
             a, b, c := !a, b ^ a, c ^ (a & b);
           od;
           assert !(a & b & c);
         end"
    ));
}

/// There is no way through `f` at all, but that takes a solver to see.
#[test]
fn no_way_through_a_procedure() {
    assert!(!is_unsafe(
        "decl x, y, z, a;
         void f() begin assume (x = y) & (y = z) & (x != z); end
         void main() begin
           while * do a := !a; f(); od;
           f();
           assert a;
         end"
    ));
}

/// A program with an assertion in each of several procedures, which call each other.
fn several(random: &mut Random) -> String {
    let mut below = |n: u64| random.bits() % n;
    let variables: Vec<String> = (0..9).map(|i| format!("g{i}")).collect();
    let mut text = format!("decl {};\n", variables.join(", "));
    for i in 0..6 {
        text += &format!("void f{i}() begin\n");
        for _ in 0..3 {
            let a = below(9);
            let [b, c] = [(a + 1 + below(4)) % 9, (a + 5 + below(4)) % 9];
            text += &match below(6) {
                0 => format!("  if g{a} then g{b} := g{c}; fi\n"),
                1 => format!("  if g{a} & !g{b} then g{c} := *; fi\n"),
                2 => format!("  if g{a} = g{b} then g{a}, g{b} := g{b}, g{c}; fi\n"),
                3 => format!("  assume g{a} | g{b} | !g{c};\n"),
                _ if i > 0 => format!("  if * then f{}(); fi\n", below(i)),
                _ => format!("  g{a}, g{b} := g{b}, g{a};\n"),
            };
        }
        let [a, b, c, d] = [below(9), below(9), below(9), below(9)];
        text += &format!("  assert g{a} | !g{b} | g{c} | !g{d};\nend\n");
    }
    let values: Vec<&str> = (0..9).map(|_| if below(2) == 0 { "T" } else { "F" }).collect();
    let calls: Vec<String> = (0..6).map(|i| format!("    if * then f{i}(); fi\n")).collect();
    text += &format!("void main() begin\n  {} := {};\n", variables.join(", "), values.join(", "));
    text + &format!("  while * do\n{}  od\nend\n", calls.concat())
}

/// Random programs that only searches with few variables decide, goal by goal.
#[test]
fn goals_of_random_programs() {
    let mut random = Random::new(31);
    let (mut counts, mut refinements) = ([0, 0], 0);
    for _ in 0..40 {
        let text = several(&mut random);
        let program = crate::support::program(&text);
        let is_unsafe = explicit::error_reachable(&program, 2_000_000).expect("few states");
        counts[usize::from(is_unsafe)] += 1;
        for engine in [Engine::Auto, Engine::Bdd, Engine::Pdr, Engine::Qbf] {
            let search = Lists::from(Strategy::default()).search;
            let engine_strategy = Lists { attempt: vec![], search }.into();
            let mut options = Options { engine, engine_strategy, ..Options::default() };
            let limits = &mut options.limits;
            limits.bounded.quick_nodes = 0;
            limits.bounded.small_nodes = 0;
            limits.bounded.first_nodes = 0;
            (limits.clausal.pairs, limits.clausal.wide_clauses) = (0, 0);
            let done = agreement::agree_with(&program, &text, is_unsafe, options);
            refinements += done.refinements;
        }
    }
    assert!(counts.iter().all(|&n| n >= 8) && refinements > 150, "{counts:?}, {refinements}");
}
