//! Programs in the languages of other tools, decided by a tool that reads them: Z3's Spacer, in the
//! library that the C route loads; for circuits, a search that visits their states.

mod boogie;
mod btor2;
#[cfg(feature = "c")]
mod c;
mod smv;

use arbitrary::Unstructured;
use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_bp::export::{ExportError, circuit, horn_clauses};
use hardbop_bp::language::program::Program;

use crate::support::circuit::Circuit;
use crate::support::{explicit, generated, maker, program, spacer};

/// States after which a program is left out.
const STATES: usize = 50_000;

/// A random program, with its verdict (true: unsafe).
fn made(random: &mut Random) -> Option<(String, Program, bool)> {
    let words = 16 + (random.bits() % 64) as usize;
    let bytes: Vec<u8> = (0..words).flat_map(|_| random.bits().to_le_bytes()).collect();
    let text = maker::program(&mut Unstructured::new(&bytes)).ok()?;
    let program = program(&text);
    let is_unsafe = explicit::error_reachable(&program, STATES)?;
    Some((text, program, is_unsafe))
}

#[test]
fn spacer_agrees_on_horn_clauses() {
    let mut random = Random::new(26);
    let (mut programs, mut texts) = (vec![], vec![]);
    while programs.len() < 150 {
        let Some((text, program, is_unsafe)) = made(&mut random) else { continue };
        texts.push(horn_clauses(&program, &Budget::unlimited()).expect("no limit"));
        programs.push((text, is_unsafe));
    }
    let Some(answers) = spacer::answers(&texts) else { return };
    let mut both = [0, 0];
    for (answer, (text, is_unsafe)) in answers.iter().zip(&programs) {
        assert_eq!(answer, if *is_unsafe { "unsat" } else { "sat" }, "{text}");
        both[usize::from(*is_unsafe)] += 1;
    }
    assert!(both[0] > 10 && both[1] > 10, "{both:?}");
}

/// The circuit as text, if there is one.
fn aiger(program: &Program) -> Result<String, ExportError> {
    let mut bytes = vec![];
    circuit(program, &Budget::unlimited())?.write_ascii(&mut bytes).expect("a vector");
    Ok(String::from_utf8(bytes).expect("AIGER in ASCII"))
}

/// How many programs were compared, by verdict, refused, or left out because they are large.
#[derive(Debug, Default)]
struct Counts {
    safe: usize,
    is_unsafe: usize,
    recursive: usize,
    large: usize,
}

impl Counts {
    /// Compares what a reader finds in what a writer makes of a program, if it is not refused.
    fn compare(
        &mut self,
        (text, program, is_unsafe): &(String, Program, bool),
        written: impl Fn(&Program) -> Result<String, ExportError>,
        verdict: impl Fn(&str, usize) -> Option<bool>,
    ) {
        let place = match written(program) {
            Ok(written) => match verdict(&written, STATES) {
                Some(reached) => {
                    assert_eq!(reached, *is_unsafe, "{text}\n{written}");
                    if reached { &mut self.is_unsafe } else { &mut self.safe }
                }
                None => &mut self.large,
            },
            Err(ExportError::Recursion { .. }) => &mut self.recursive,
            Err(e) => panic!("{e}: {text}"),
        };
        *place += 1;
    }
}

/// A reader agrees with the oracle on 300 random programs.
fn agrees_on_programs(
    seed: u64,
    written: impl Fn(&Program) -> Result<String, ExportError>,
    verdict: impl Fn(&str, usize) -> Option<bool>,
) -> Counts {
    let mut random = Random::new(seed);
    let mut counts = Counts::default();
    while counts.safe + counts.is_unsafe < 300 {
        let Some(made) = made(&mut random) else { continue };
        counts.compare(&made, &written, &verdict);
    }
    eprintln!("{counts:?}");
    counts
}

/// A reader agrees with the generator on its programs, where it is there.
fn agrees_on_programs_with_more_calls(
    seed: u32,
    written: impl Fn(&Program) -> Result<String, ExportError>,
    verdict: impl Fn(&str, usize) -> Option<bool>,
) -> Counts {
    let mut counts = Counts::default();
    for (text, is_unsafe) in generated(seed, 100) {
        let program = program(&text);
        counts.compare(&(text, program, is_unsafe), &written, &verdict);
    }
    eprintln!("{counts:?}");
    counts
}

fn aiger_verdict(text: &str, limit: usize) -> Option<bool> {
    Circuit::read(text).bad_reachable(limit)
}

#[test]
fn a_search_agrees_on_circuits() {
    let counts = agrees_on_programs(27, aiger, aiger_verdict);
    assert!(matches!(counts, Counts { safe: 51.., is_unsafe: 51.., recursive: 11.., .. }));
}

#[test]
fn a_search_agrees_on_circuits_of_programs_with_more_calls() {
    agrees_on_programs_with_more_calls(250_011, aiger, aiger_verdict);
}

#[test]
fn calls_return_to_where_they_came_from() {
    // Each of the calls in turn would be wrong with the return address, the locals or the values
    // of another one.
    let text = "decl g;
        void main() begin
          decl a, b;
          a, b := half(T, F);
          assert(a & !b);
          g := F;
          b, a := twice(a, b);
          assert(!a & b & g);
          if (*) then skip; else a := tail(b); assert(a != b | !g); fi;
          ERR
        end
        bool<2> half(x, y) begin decl z; z := x; if (*) then return z, y; fi; return x, y; end
        bool<2> twice(x, y) begin
          decl u, v;
          u, v := half(y, x);
          g := !g;
          u, v := half(u, v);
          return v, u;
        end
        bool tail(x) begin decl r; r := id(!x); return r; end
        bool id(x) begin return x; end";
    for (error, is_unsafe) in [("skip;", false), ("assert(!g);", true)] {
        let text = text.replace("ERR", error);
        let program = program(&text);
        assert_eq!(explicit::error_reachable(&program, STATES), Some(is_unsafe), "the oracle");
        let circuit = aiger(&program).expect("no recursion");
        assert_eq!(Circuit::read(&circuit).bad_reachable(STATES), Some(is_unsafe), "{circuit}");
    }
}

#[test]
fn recursion_is_refused_where_it_matters() {
    let text = |after: &str| {
        format!(
            "decl g; void main() begin f(); {after} end
             void f() begin if (*) then h(); fi; end
             void h() begin g := !g; f(); end"
        )
    };
    let matters = program(&text("assert(g);"));
    let Err(ExportError::Recursion { procedure, callee, span }) = aiger(&matters) else {
        panic!("it is recursive")
    };
    assert_eq!((procedure.as_str(), callee.as_str()), ("f", "h"));
    assert_eq!(matters.source.position(span.start).line, 2);
    // What follows every error is left out, and so are its calls.
    let before = program("void main() begin assert(F); f(); end void f() begin f(); end");
    let circuit = Circuit::read(&aiger(&before).expect("nothing recursive matters"));
    assert_eq!(circuit.bad_reachable(STATES), Some(true));
    let none = Circuit::read(&aiger(&program("void main() begin skip; end")).expect("a circuit"));
    assert_eq!((none.latches(), none.bad_reachable(STATES)), (0, Some(false)));
}
