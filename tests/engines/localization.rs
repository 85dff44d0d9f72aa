//! Programs in which what is left out matters for the way through.

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Options, Silent, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::Outcome;

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
