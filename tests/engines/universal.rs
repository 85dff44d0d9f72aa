//! Universal summaries: bounds, nested loops, and what is left to QBF summaries.

use crate::support::explicit::error_reachable;
use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Bound, Engine, Options, Silent, Statistics, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::Outcome;

/// Is the program unsafe?  With what it took.
fn run(text: &str, bound: Bound, universal_limit: usize) -> (bool, Statistics) {
    let program = crate::support::program(text);
    let engine = Engine::Universal;
    let options = Options { engine, bound, universal_limit, plain: true, ..Options::default() };
    let report = check(&program, &options, &Budget::unlimited(), &mut Silent)
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    let is_unsafe = match report.outcome {
        Outcome::Safe(_) => false,
        Outcome::Unsafe(trace) => {
            replay(&program, &trace).unwrap_or_else(|e| panic!("{e}\n{text}"));
            true
        }
        Outcome::Unknown(reason) => panic!("UNKNOWN ({reason}) without limits:\n{text}"),
    };
    (is_unsafe, report.statistics)
}

/// The verdict by every bound, and by explicit search.
fn agree(text: &str, is_unsafe: bool) {
    let explicit = error_reachable(&crate::support::program(text), 1_000_000);
    assert_eq!(explicit, Some(is_unsafe), "{text}");
    for bound in [Bound::Rrd, Bound::Fixpoint, Bound::Both] {
        for limit in [10, 20_000] {
            assert_eq!(run(text, bound, limit).0, is_unsafe, "{bound:?} {limit}\n{text}");
        }
    }
}

fn counter(start: &str) -> String {
    format!(
        "decl a, b, c, d;
         void main() begin
           {start}
           while (*) do a, b, c, d := !a, b ^ a, c ^ (a & b), d ^ (a & b & c); od;
           assert(a | b | c | !d);
         end"
    )
}

/// The diameter of a counter is exponential in its bits; its fixpoint may be near.
#[test]
fn bounds_of_a_counter() {
    for start in ["", "a, b, c, d := F, F, F, F;"] {
        agree(&counter(start), true);
    }
    let safe = counter("").replace("assert(a | b | c | !d)", "assert(a | b | c | d | (!a & !b))");
    agree(&safe, false);
    let (_, rrd) = run(&safe, Bound::Rrd, 1_000_000);
    assert_eq!((rrd.unrollings, rrd.qbf_calls), (16, 0));
    let (_, fixpoint) = run(&safe, Bound::Fixpoint, 1_000_000);
    assert_eq!(fixpoint.unrollings, 1);
    assert_eq!(fixpoint.stopped_by_fixpoint, 1);
}

/// Visits of other executions do not count.  Here the inner loop's second path edge holds
/// ⟨T, b⟩ where b is true; an execution with b false comes to ⟨T, F⟩ in the next iteration of the
/// outer loop for the first time.
#[test]
fn nested_loops() {
    let text = |check: &str| {
        format!(
            "decl a, b;
             void main() begin
               a := F;
               while (*) do
                 while (*) do assume(b); a := T; od;
                 {check}
                 if (!b) then a := T; fi;
               od;
             end"
        )
    };
    agree(&text("assert(b | !a);"), true);
    agree(&text("assert(a | !a | b);"), false);
    agree(&text("if (a & b) then while (*) do a := !a; od; assert(b); fi;"), false);
    for bound in [Bound::Rrd, Bound::Fixpoint, Bound::Both] {
        let (_, statistics) = run(&text("assert(b | !a);"), bound, 20_000);
        assert_eq!(statistics.universal_summaries, 1, "{bound:?}: given up");
    }
}

/// Two bits give four states to each head: an execution without repetition is short, though the
/// last state alone may be new for ever.
#[test]
fn no_state_twice() {
    let text = "decl a, b;
         void main() begin
           a, b := F, F;
           while (*) do
             while (*) do a := !a; od;
             assert(!(a & b));
             if (!a & !b) then b := T; fi;
           od;
         end";
    agree(text, true);
    let (_, statistics) = run(text, Bound::Rrd, 2_000);
    assert_eq!(statistics.universal_summaries, 1);
    assert!(statistics.unrollings <= 2 * 4 + 4 * 4, "{}", statistics.unrollings);
}

/// Summaries are composed: an error in a callee counts in the contexts that occur only.
#[test]
fn contexts_do_not_leak() {
    let text = |argument: &str| {
        format!(
            "decl g;
             bool<2> twice(p) begin decl q; q := once(p); q := once(q); return q, g; end
             bool once(p) begin g := p; assert(p | !g); return !p; end
             void check(p) begin assert(p); end
             void main() begin
               decl r, s;
               r, s := twice({argument});
               check(r);
               while (*) do r, s := twice(r); od;
               check(r);
             end"
        )
    };
    agree(&text("T"), false);
    agree(&text("*"), true);
}

/// Recursive procedures get QBF summaries, what they call universal ones.
#[test]
fn recursion_above_universal_summaries() {
    let text = "decl x, y, z;
         void step() begin x, y, z := !x, y ^ x, z ^ (x & y); end
         void descend() begin
           if (*) then step(); descend(); step(); fi;
         end
         void main() begin
           x, y, z := F, F, F;
           descend();
           assert(!(x & y & z));
           assert(!x);
         end";
    agree(&text.replace("assert(!(x & y & z));", ""), false);
    agree(&text.replace("assert(!x);", "assert(!(y & z));"), true);
    let (_, statistics) = run(text, Bound::Both, 1_000_000);
    assert_eq!(statistics.universal_summaries, 1);
}
