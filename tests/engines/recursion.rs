//! Recursive programs with known verdicts.
//!
//! Each verdict is asserted several times: it is written down here, explicit-state search agrees,
//! and so do all engines, also without what saves work; every trace is replayed.

use clap::ValueEnum;
use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Options, Silent, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::Outcome;

/// Is the error reachable?
fn is_unsafe(text: &str) -> bool {
    let program = crate::support::program(text);
    let explicit = crate::support::explicit::error_reachable(&program, 1_000_000);
    let mut answers = vec![];
    for &engine in Engine::value_variants() {
        for plain in [false, true] {
            let options = Options { engine, plain, ..Options::default() };
            let report = check(&program, &options, &Budget::unlimited(), &mut Silent)
                .unwrap_or_else(|e| panic!("{options:?}: {e}\n{text}"));
            let answer = match report.outcome {
                Outcome::Safe(_) => false,
                Outcome::Unsafe(trace) => {
                    replay(&program, &trace)
                        .unwrap_or_else(|e| panic!("the trace does not replay: {e}\n{text}"));
                    true
                }
                Outcome::Unknown(reason) => panic!("UNKNOWN ({reason}) without limits:\n{text}"),
            };
            assert_eq!(
                Some(answer),
                explicit,
                "{options:?} and explicit-state search differ:\n{text}"
            );
            answers.push(answer);
        }
    }
    answers[0]
}

fn safe(text: &str) {
    assert!(!is_unsafe(text), "{text}");
}

fn unsafe_(text: &str) {
    assert!(is_unsafe(text), "{text}");
}

/// A text with `CHECK` replaced: once by a condition that always holds, once by one that need not.
fn both(text: &str, holds: &str, fails: &str) {
    safe(&text.replace("CHECK", holds));
    unsafe_(&text.replace("CHECK", fails));
}

#[test]
fn changing_contexts() {
    // f(F, F), f(T, F), f(T, T), each from the one before; f(F, T) never.
    let text = "void main() begin f(F, F); end
        void f(a, b) begin
          assert(CHECK);
          if (!b) then f(T, a); fi;
        end";
    both(text, "b => a", "!(a & b)");
}

#[test]
fn context_through_globals() {
    // A rotation of (g, h, k): one of the three is true, in every activation.
    let text = "decl g, h, k;
        void main() begin g, h, k := T, F, F; f(); end
        void f() begin
          assert(CHECK);
          if (*) then g, h, k := k, g, h; f(); fi;
        end";
    both(text, "(g ^ h ^ k) & !(g & h)", "!k");
}

#[test]
fn contexts_that_only_grow_inside_the_recursion() {
    // The error lies in a callee of the recursive procedure, in its last context.
    let text = "decl g;
        void main() begin g := F; f(F, F, F); end
        void f(a, b, c) begin
          leaf(a, b, c);
          if (!(a & b & c)) then f(!a, b ^ a, c ^ (a & b)); fi;
        end
        void leaf(a, b, c) begin g := g | (a & b & c); assert(CHECK); end";
    both(text, "g = (a & b & c)", "!g");
}

#[test]
fn mutual_recursion() {
    // even and odd take turns: x is true in the one and false in the other.
    let text = "decl x;
        void main() begin x := T; even(); assert(CHECK); end
        void even() begin assert(x); if (*) then x := F; odd(); x := !x; fi; end
        void odd() begin assert(!x); if (*) then x := T; even(); x := !x; fi; end";
    both(text, "x", "!x");
}

#[test]
fn three_procedures_in_a_circle() {
    let text = "decl x, y;
        void main() begin x, y := F, F; a(); assert(CHECK); end
        void a() begin x := !x; if (*) then b(); fi; end
        void b() begin y := !y; if (*) then c(); fi; end
        void c() begin x := x ^ y; if (*) then a(); else c(); fi; end";
    both(text, "(x = y) | x | y", "x | y");
}

#[test]
fn flip_on_each_unwinding() {
    // After n nested calls g has been flipped n times: both values come back, in two rounds.
    let text = "decl g;
        void main() begin decl before; g := before; flip(); assert(CHECK); end
        void flip() begin if (*) then flip(); g := !g; fi; end";
    both(text, "g | !g", "g = before");
    // Twice on each level: parity is kept.
    let text = "decl g;
        void main() begin decl before; before := *; g := before; flip(); assert(CHECK); end
        void flip() begin decl old; old := g; if (*) then flip(); g := !g; flip(); g := !g; fi; end";
    both(text, "g = before", "g != before");
}

#[test]
fn summaries_need_a_round_per_value_of_a_counter() {
    // Counts the depth of the recursion modulo 16; 15 is reached after 15 summaries.
    let text = "decl c0, c1, c2, c3;
        void main() begin
          c0, c1, c2, c3 := F, F, F, F;
          count();
          assert(CHECK);
        end
        void count() begin
          if (*) then
            count();
            c0, c1, c2, c3 := !c0, c1 ^ c0, c2 ^ (c0 & c1), c3 ^ (c0 & c1 & c2);
          fi;
        end";
    both(text, "c0 | c1 | c2 | c3 | !c0", "!(c0 & c1 & c2 & c3)");
    // Steps of two stay even.
    let even = text.replace(
        ":= !c0, c1 ^ c0, c2 ^ (c0 & c1), c3 ^ (c0 & c1 & c2)",
        ":= c0, !c1, c2 ^ c1, c3 ^ (c1 & c2)",
    );
    both(&even, "!c0", "!(c1 & c2 & c3)");
}

#[test]
fn counter_that_is_bounded_by_its_depth() {
    // Three levels at most, by a counter in the parameters; one increment on the way back.
    let text = "decl c0, c1;
        void main() begin c0, c1 := F, F; f(F, F); assert(CHECK); end
        void f(d0, d1) begin
          if (!(d0 & d1)) then
            f(!d0, d1 ^ d0);
            c0, c1 := !c0, c1 ^ c0;
          fi;
        end";
    both(text, "c0 & c1", "!c0 | !c1");
}

#[test]
fn recursion_without_return() {
    // Nothing after the call is reached ...
    safe("decl g; void main() begin g := T; f(); assert(F); end void f() begin g := !g; f(); end");
    // ... but what is inside is.
    unsafe_(
        "decl g; void main() begin g := T; f(); end void f() begin assert(g); g := !g; f(); end",
    );
    safe(
        "decl g; void main() begin g := T; f(); assert(F); end
          void f() begin assert(g); g := !g; g := !g; f(); end",
    );
    // Mutually, and with a way out that is blocked.
    safe(
        "void main() begin f(T); assert(F); end
          void f(a) begin if (a) then g(a); fi; end
          void g(a) begin assume(a); f(a); end",
    );
    unsafe_(
        "void main() begin f(T); assert(F); end
          void f(a) begin if (a) then g(*); fi; end
          void g(a) begin f(a); end",
    );
}

#[test]
fn recursion_in_front_of_an_error() {
    // The error is in the fourth activation of f, and is handed up through all of them.
    unsafe_(
        "void main() begin decl x; x := F; f(x, x); end
          void f(a, b) begin if (a & b) then ERROR: skip; else f(b | !a, a | b); fi; end",
    );
    safe(
        "void main() begin decl x; x := F; f(x, x); end
          void f(a, b) begin if (a & b) then ERROR: skip; else f(b, !a & !b); fi; end",
    );
}

#[test]
fn recursion_into_main() {
    let text = "decl g, started;
        void main() begin
          if (!started) then g := F; started := T; fi;
          assert(CHECK);
          if (*) then g := T; main(); g := F; fi;
        end";
    // `started` is arbitrary at the start, and so is g then.
    unsafe_(&text.replace("CHECK", "!g"));
    let text = "decl g;
        void main() begin
          decl mine;
          mine := g;
          if (*) then g := !g; main(); g := !g; fi;
          assert(CHECK);
        end";
    both(text, "g = mine", "g");
    // Through another procedure; the inner main ends before the outer one goes on.
    let text = "decl g;
        void main() begin g := F; if (*) then f(); assert(CHECK); fi; end
        void f() begin g := T; main(); end";
    both(text, "!g", "g");
}

#[test]
fn locals_across_the_call() {
    let text = "decl g;
        void main() begin f(T); end
        void f(a) begin
          decl l, m;
          l, m := *, !a;
          g := l;
          if (*) then f(l); g := l; fi;
          assert(CHECK);
        end";
    both(text, "(g = l) & (m = !a)", "g = a");
    // A local that is not initialised is not the one of an earlier activation.
    unsafe_(
        "void main() begin f(T); end
          void f(first) begin
            decl l;
            if (first) then l := T; f(F); assert(l); else assert(l); fi;
          end",
    );
    safe(
        "void main() begin f(T); end
          void f(first) begin
            decl l;
            if (first) then l := T; f(F); assert(l); else l := F; fi;
          end",
    );
}

#[test]
fn several_values_returned() {
    // f gives (a, b) back, swapped once on each level.
    let text = "void main() begin
          decl a, b, x, y;
          x, y := f(a, b);
          assert(CHECK);
        end
        bool<2> f(a, b) begin
          decl x, y;
          if (*) then return a, b; fi;
          x, y := f(b, a);
          return x, y;
        end";
    both(text, "((x = a) & (y = b)) | ((x = b) & (y = a))", "x = a");
    // Swapped back on the way out.
    let text = text.replace("return x, y", "return y, x");
    both(&text, "(x = a) & (y = b)", "(x = a) & (y != b)");
    // The results of a call that is made twice are independent.
    let text = "void main() begin
          decl p, q, r, s;
          p, q := f();
          r, s := f();
          assert(CHECK);
        end
        bool<2> f() begin
          decl x, y;
          if (*) then return F, T; fi;
          x, y := f();
          return y, x;
        end";
    both(text, "(p != q) & (r != s)", "p = r");
}

#[test]
fn dropped_values_and_globals_as_targets() {
    let text = "decl g, h;
        void main() begin g, h := F, F; g, _ := f(h); assert(CHECK); end
        bool<2> f(a) begin
          if (*) then h, _ := f(!a); fi;
          return h, a;
        end";
    both(text, "!g", "g");
}

#[test]
fn two_calls_on_each_level() {
    // A binary tree of calls: the parity of its leaves is anything.
    let text = "decl parity, some;
        void main() begin parity, some := F, F; tree(); assert(CHECK); end
        void tree() begin
          if (*) then tree(); tree(); else parity, some := !parity, T; fi;
        end";
    both(text, "some", "parity");
    // Of a tree whose leaves come in pairs: even.
    let text = text.replace("tree(); tree(); else", "tree(); tree(); elsif (*) then skip; else");
    let text = text.replace("!parity, T", "!parity, T; parity := !parity");
    both(&text, "!parity", "some");
}

#[test]
fn ackermann_shape() {
    // The argument of the outer call is the result of the inner one.
    let text = "void main() begin
          decl a, b, x;
          x := f(a, b);
          assert(CHECK);
        end
        bool f(a, b) begin
          decl x;
          if (!a) then return !b; fi;
          if (!b) then x := f(F, T); return x; fi;
          x := f(a, F);
          x := f(F, x);
          return x;
        end";
    both(text, "a | (x = !b)", "a | x");
}

#[test]
fn loops_and_recursion() {
    let text = "decl held;
        void main() begin held := F; while (*) do work(T); od; assert(CHECK); end
        void work(outer) begin
          if (outer) then held := T; fi;
          while (*) do work(F); od;
          if (outer) then held := F; fi;
        end";
    both(text, "!held", "held");
}
