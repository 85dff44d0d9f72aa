//! Property-directed reachability: programs whose proof is an inductive clause, and deep recursion.

use std::fmt::Write as _;

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Options, Silent, Strategy, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::failure::Effort;
use hardbop_bp::proof::{Outcome, check as certificate};
use hardbop_lab::generate::{Family, FamilyOptions, family};

/// Work that is enough for each of these programs, whatever its size.
const WORK: u64 = 30_000;

/// Decides a text within [`WORK`]; SAFE is checked by solvers that had no part in it.
fn is_safe(text: &str) -> bool {
    decides(text, true)
}

/// The same, on the program itself or with localization and known clauses.
fn decides(text: &str, plain: bool) -> bool {
    let program = crate::support::program(text);
    let options = Options { engine: Engine::Pdr, plain, certify: true, ..Options::default() };
    let report = check(&program, &options, &Budget::unlimited().trial(WORK), &mut Silent)
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    match report.outcome {
        Outcome::Safe(invariant) => {
            let checker = certificate::CheckerOptions::other_than(options.sat);
            let (budget, effort) = (Budget::unlimited().trial(WORK), &mut Effort::default());
            let observer = &mut certificate::Silent;
            certificate::check(&program, &invariant, &checker, &budget, observer, effort)
                .unwrap_or_else(|e| panic!("{e}\n{text}"));
            true
        }
        Outcome::Unsafe(trace) => {
            replay(&program, &trace).unwrap_or_else(|e| panic!("{e}\n{text}"));
            false
        }
        Outcome::Unknown(reason) => panic!("UNKNOWN ({reason})\n{text}"),
    }
}

fn names(prefix: &str, bits: usize) -> Vec<String> {
    (0..bits).map(|i| format!("{prefix}{i}")).collect()
}

fn set(names: &[String], value: &str) -> String {
    format!("{} := {};", names.join(", "), vec![value; names.len()].join(", "))
}

fn increment(names: &[String]) -> String {
    let carry = |i: usize| names[..i].iter().fold("T".to_string(), |all, n| format!("{all} & {n}"));
    let sums: Vec<String> =
        (0..names.len()).map(|i| format!("{} ^ ({})", names[i], carry(i))).collect();
    format!("{} := {};", names.join(", "), sums.join(", "))
}

/// A conjunction of literals, one for each bit of a number.
fn equals(names: &[String], number: u64) -> String {
    let literal =
        |(i, n): (usize, &String)| format!("{}{n}", if number >> i & 1 == 1 { "" } else { "!" });
    names.iter().enumerate().map(literal).collect::<Vec<String>>().join(" & ")
}

/// A counter, in a procedure of its own, that starts anew before it gets to a number.
#[test]
fn counters_that_turn_back() {
    for bits in [4, 16, 24, 40] {
        let x = names("x", bits);
        let last = (1 << (bits - 1)) + 5;
        let program = |bound: u64| {
            format!(
                "decl {all}; void tick() begin if ({end}) then {zero} else {more} fi; end
                 void main() begin {zero} while (*) do tick(); assert(!({wrong})); od; end",
                all = x.join(", "),
                end = equals(&x, bound),
                zero = set(&x, "F"),
                more = increment(&x),
                wrong = equals(&x, last + 1),
            )
        };
        assert!(is_safe(&program(last)), "{bits} bits");
        if bits == 4 {
            assert!(!is_safe(&program(last + 2)), "{bits} bits");
        }
    }
}

/// Two counters in step, each in a procedure of its own.
#[test]
fn counters_in_step() {
    for bits in [4, 12, 24] {
        let (x, y) = (names("x", bits), names("y", bits));
        let pairs: Vec<String> = x.iter().zip(&y).map(|(a, b)| format!("({a} = {b})")).collect();
        let program = |twice: &str| {
            format!(
                "decl {}, {}; void main() begin {} {} while (*) do a(); b(); {twice} assert({}); od; end
                 void a() begin {} end void b() begin {} end",
                x.join(", "),
                y.join(", "),
                set(&x, "F"),
                set(&y, "F"),
                pairs.join(" & "),
                increment(&x),
                increment(&y),
            )
        };
        assert!(is_safe(&program("")), "{bits} bits");
        assert!(!is_safe(&program("if (*) then b(); fi;")), "{bits} bits");
    }
}

/// Two calls of a procedure, one behind the other, choose apart from each other.
#[test]
fn calls_choose_for_themselves() {
    for (coin, wanted) in [
        ("return *;", false),
        ("if (*) then return T; else return F; fi;", false),
        ("return T;", true),
    ] {
        let text = format!(
            "bool coin() begin {coin} end
             void main() begin decl a, b; while (*) do a := coin(); b := coin(); assert(a = b); od; end"
        );
        assert_eq!(is_safe(&text), wanted, "{coin}");
    }
}

/// What a callee returns tells what it was given, and so how the caller got there.  There are too
/// many values to try them.
#[test]
fn arguments_are_those_of_the_caller() {
    let (a, v) = (names("a", 24), names("v", 24));
    let any = vec!["*"; a.len()].join(", ");
    let text = format!(
        "bool f({v}) begin decl r; if (*) then r := f({v}); return r; fi; return {wanted}; end
         void main() begin decl {a}, r; {zero} while (*) do {a} := {any}; od; r := f({a}); assert(!r); end",
        a = a.join(", "),
        v = v.join(", "),
        wanted = equals(&v, 0x0a_5a_c3),
        zero = set(&a, "F"),
    );
    assert!(!is_safe(&text));
}

/// A procedure that is entered with both values returns to each caller what that one gave.
fn of_two_callers(given: &str, wanted: &str) -> String {
    format!(
        "bool f(v, w) begin decl r; if (*) then r := f(!v, *); fi; return v & w; end
         void main() begin decl a, b, r; while (*) do a, b := {given}, *; r := f(a, b); assert({wanted}); od; end"
    )
}

#[test]
fn returns_go_to_their_calls() {
    for (given, wanted) in [("T", "r = b"), ("*", "r = (a & b)")] {
        assert!(is_safe(&of_two_callers(given, wanted)), "{given}");
    }
}

/// The same where the frames are given up after some work, and states are followed one by one.
#[test]
fn followed_returns_go_to_their_calls() {
    for (given, wanted, is_safe) in
        [("T", "r = b", true), ("*", "r = (a & b)", true), ("*", "r = b", false)]
    {
        for work in 1..=80 {
            let mut options = Options { engine: Engine::Pdr, ..Options::default() };
            let step =
                format!(r#"{{"attempt": [{{"do": "pdr", "follow": true, "work": {work}}}]}}"#);
            options.engine_strategy = Strategy::read(step.as_bytes()).expect("a strategy");
            let text = of_two_callers(given, wanted);
            let program = crate::support::program(&text);
            let outcome = check(&program, &options, &Budget::unlimited().trial(WORK), &mut Silent)
                .unwrap_or_else(|e| panic!("{e} after {work}\n{text}"))
                .outcome;
            assert_eq!(matches!(outcome, Outcome::Safe(_)), is_safe, "{given} after {work}");
            assert_eq!(matches!(outcome, Outcome::Unsafe(_)), !is_safe, "{given} after {work}");
        }
    }
}

/// Local variables start with any values in every activation.
#[test]
fn locals_start_with_any_value() {
    let l = names("l", 24);
    for number in [0x0a_5a_c3, 0x35_a5_3c] {
        let text = format!(
            "void f(v) begin decl {all}; if (*) then f(!v); fi; assert(!(v & {wrong})); end
             void main() begin while (*) do f(T); od; end",
            all = l.join(", "),
            wrong = equals(&l, number),
        );
        assert!(!is_safe(&text), "{number:x}");
    }
}

/// A recursive procedure that keeps what it is given, however deep; locals of callers survive.
#[test]
fn recursion_keeps_values() {
    for (keeps, wanted) in [("v", true), ("v ^ w", false)] {
        let text = format!(
            "decl g; void main() begin decl a, b; a := *; g := *; a := f(a, T); b := h(a); assert(a = b); end
             bool f(v, w) begin decl r; r := v; if (*) then g := !g; r := f(!v, w); r := !r; fi; return r; end
             bool h(v) begin decl w; w := *; if (*) then v := f(v, w); fi; return {keeps}; end"
        );
        assert_eq!(is_safe(&text), wanted, "{text}");
    }
}

/// An error in the last of many procedures that call each other, with a value that comes from the
/// first.
#[test]
fn errors_below_many_calls() {
    for (set, wanted) in [("k", false), ("k & !g", true)] {
        let mut text =
            format!("decl g; void main() begin decl k; k := *; g := k; p0({set}); end\n");
        for i in 0..30 {
            let next = if i < 29 { format!("p{}(v);", i + 1) } else { "assert(!(v & g));".into() };
            let body = format!("while (*) do skip; od; if (*) then g := v | g; fi; {next}");
            writeln!(text, "void p{i}(v) begin {body} end").expect("a string");
        }
        assert_eq!(is_safe(&text), wanted, "{text}");
    }
}

/// The parity of many bits, kept by a recursive procedure with a loop: an equation between all
/// entry values and all current values.
#[test]
fn parity_is_kept() {
    for (bits, forgets, wanted) in [(4, false, true), (40, false, true), (4, true, false)] {
        let x = names("x", bits);
        let flips: String = (0..bits)
            .map(|i| {
                let parity = if forgets && i == bits / 2 { "skip" } else { "p := !p" };
                format!("if (*) then x{i} := !x{i}; {parity}; fi; if (*) then flip(); fi;\n")
            })
            .collect();
        let text = format!(
            "decl p, {}; void main() begin decl q; p := F; {} q := T; while (*) do flip(); q := !q; q := !q; od;
             assert(q = (p = ({}))); end
             void flip() begin while (*) do {flips} od; end",
            x.join(", "),
            set(&x, "F"),
            x.join(" ^ "),
        );
        assert_eq!(is_safe(&text), wanted, "{bits} bits");
    }
}

/// The parity of many bits, added up in an order that has nothing to do with the one in which they
/// are flipped: also the checker of certificates has to see that the order does not matter.
#[test]
fn parity_in_another_order() {
    for bits in [8, 60] {
        let x = names("x", bits);
        let flips: String =
            x.iter().map(|x| format!("if (*) then {x} := !{x}; p := !p; fi;\n")).collect();
        // A permutation, for 23 has no divisor in common with the numbers of bits.
        let sums = (0..bits).map(|i| format!("q := q ^ x{};\n", i * 23 % bits));
        for (left_out, wanted) in [(0, true), (1, false)] {
            let text = format!(
                "decl p, {}; void main() begin decl q; p := F; {} while (*) do flip(); q := count(); assert(q = p); od; end
                 void flip() begin {flips} end
                 bool count() begin decl q; q := F; {} return q; end",
                x.join(", "),
                set(&x, "F"),
                sums.clone().skip(left_out).collect::<String>(),
            );
            assert_eq!(decides(&text, false), wanted, "{bits} bits");
        }
    }
}

/// Values that may be any, in the same places as values that are known.
#[test]
fn equations_forget_what_is_havocked() {
    // Where z is true, z ^ x is the complement of x.
    for (value, wanted) in [("x ^ T", true), ("z ^ x", true), ("*", false), ("z", false)] {
        let text = format!(
            "decl x, y, z; void main() begin x := F; y := T; z := F;
             while (*) do x := !x; y := !y; z := x ^ y; y := {value}; skip; od; assert(x != y); end"
        );
        assert_eq!(is_safe(&text), wanted, "{value}");
    }
}

#[test]
fn claims_go_past_known_clauses() {
    // Clauses are known in the middle of f3, of which the search claims nothing.
    let text = "decl g0, g1, g2, g3, g4;
         void main() begin
           while * do
           od;
           g0, g1 := f4((g2 & *), g2);
         end
         void f0() begin
           decl f0_l0, f0_l1;
           if * then
           fi;
           while (g0) do
             while * do
             od;
           od;
           while (f0_l0) do
           od;
         end
         void f1() begin
         end
         bool f2(f2_p0) begin
           assume(((g3 | g4) & (f2_p0 | g1)));
         end
         bool f3(f3_p0, f3_p1) begin
           decl f3_l0;
           g1, g3 := f4((f3_l0 & *), f3_p0);
         end
         bool<2> f4(f4_p0, f4_p1) begin
           decl f4_l0;
           if * then
             if (((g0 & g0) & g1)) then
             fi;
             g3, f4_p1 := (g4 = (g4 => f4_p1)), f4_p0 constrain ('f4_p1);
             f5(g0);
           fi;
           if (((g1 | g0) & (g0 | f4_l0))) then
             f4_l0 := f2((* ^ g1));
           fi;
           if (f4_l0) then
           fi;
           f4_p0, g3, g0 := g0, (g3 = (f4_p0 ^ *)), (g1 = !g1) constrain (f4_p1);
           if (f4_p0) then
             if * then
             fi;
           else
             assume((f4_p1 => !g2));
           fi;
           if * then
             while * do
               g0, g2 := f4(schoose[g0, g1], (g4 & *));
             od;
           fi;
         end
         void f5(f5_p0) begin
           if (g0) then
           else
             g2 := f3((* & g0), (f5_p0 => g0));
             assert((g1 | (g0 & g2)));
           fi;
           if * then
             g2, g1, g0 := *, (* => !f5_p0), schoose[(g4 ^ f5_p0), (g1 | g0)];
             f0();
             if * then
             fi;
             g1 := f3(g1, g2);
           fi;
           if * then
             f0();
           else
             if (g2) then
               g2, g1 := f4((g0 = g1), g2);
               g0, g4 := g2, (g3 & *) constrain (!(!'g0));
             fi;
             g3 := f2(schoose[g1, T]);
           fi;
           g2, g0 := (!g1 ^ *), (!(*) & !g3);
         end";
    assert!(decides(text, false));
}

/// Registers with other parities on the way to each state; what stays is that bits are equal or
/// opposite.
#[test]
fn registers_that_feed_themselves_stay_equal() {
    for (seed, bug) in [(0, false), (1, false), (2, false), (3, true)] {
        let options = FamilyOptions { family: Family::Feedback, size: 96, seed, bug };
        let text = family(&options).expect("a member of that size");
        assert_eq!(decides(&text, false), !bug, "seed {seed}");
    }
}

/// What is to be known is that the bits of a number are the gates of a sum: at a loop, and in a
/// procedure that calls itself.
#[test]
fn gates_are_equal_to_values() {
    let text = |size, bug| {
        let options = FamilyOptions { family: Family::Queue, size, seed: 1, bug };
        family(&options).expect("a member of that size")
    };
    let sum = names("sum", 8).join(", ");
    for bug in [false, true] {
        assert_eq!(decides(&text(12, bug), false), !bug);
        let again = format!("again(); end void again() begin decl carry, {sum}; if (*) then");
        let recursive = text(8, bug).replace("while (*) do", &again);
        assert_eq!(decides(&recursive.replace("od;", "again(); fi;"), false), !bug);
    }
}

/// Single-error correction of so many bits (Hamming's code); with a mistake, the highest bit is not corrected.
fn correction(bits: usize, mistake: bool) -> String {
    let at: Vec<usize> = (1..).filter(|p: &usize| !p.is_power_of_two()).take(bits).collect();
    let checks = usize::BITS - at[bits - 1].leading_zeros();
    let parity = |word: &str, j: u32| {
        let bits = (0..bits).filter(|&i| at[i] >> j & 1 == 1).map(|i| format!("{word}{i}"));
        bits.collect::<Vec<_>>().join(" ^ ")
    };
    let list = |items: Vec<String>| items.join(", ");
    let [word, flip, sent, mended, check, syndrome] = [
        ("d", bits),
        ("f", bits),
        ("e", bits),
        ("g", bits),
        ("c", checks as usize),
        ("s", checks as usize),
    ]
    .map(|(prefix, n)| names(prefix, n));
    let mut text = format!(
        "void main() begin\n  decl {};\n",
        list([&word, &flip, &sent, &mended, &check, &syndrome].map(|n| list(n.clone())).into())
    );
    let any = vec!["*"; bits].join(", ");
    _ = writeln!(text, "  {} := {any};\n  {} := {any};", list(word.clone()), list(flip.clone()));
    for i in 0..bits - 1 {
        _ = writeln!(text, "  assume(!(f{i} & ({})));", flip[i + 1..].join(" | "));
    }
    let all = |f: &dyn Fn(usize) -> String, n: usize| list((0..n).map(f).collect());
    _ = writeln!(
        text,
        "  {} := {};",
        list(check.clone()),
        all(&|j| parity("d", j as u32), check.len())
    );
    _ = writeln!(text, "  {} := {};", list(sent), all(&|i| format!("d{i} ^ f{i}"), bits));
    _ = writeln!(
        text,
        "  {} := {};",
        list(syndrome),
        all(&|j| format!("c{j} ^ {}", parity("e", j as u32)), check.len())
    );
    let here = |i: usize| {
        let literal = |j: u32| format!("{}s{j}", if at[i] >> j & 1 == 1 { "" } else { "!" });
        (0..checks).map(literal).collect::<Vec<_>>().join(" & ")
    };
    let mend = |i: usize| {
        if mistake && i + 1 == bits { format!("e{i}") } else { format!("e{i} ^ ({})", here(i)) }
    };
    _ = writeln!(text, "  {} := {};", list(mended), all(&mend, bits));
    let same = (0..bits).map(|i| format!("(g{i} = d{i})")).collect::<Vec<_>>().join(" & ");
    text + &format!("  assert({same});\nend")
}

/// So many pigeons have holes of their own, of which there are fewer by `missing`.
fn pigeons(pigeons: usize, missing: usize) -> String {
    let holes = pigeons - missing;
    let name = |i: usize, j: usize| format!("p{i}_{j}");
    let all: Vec<String> = (0..pigeons).flat_map(|i| (0..holes).map(move |j| name(i, j))).collect();
    let some = |i: usize| (0..holes).map(|j| name(i, j)).collect::<Vec<_>>().join(" | ");
    let each = (0..pigeons).map(|i| format!("({})", some(i))).collect::<Vec<_>>().join(" & ");
    let twice =
        (0..holes).flat_map(|j| (0..pigeons).flat_map(move |i| (0..i).map(move |k| (i, j, k))));
    let twice =
        twice.map(|(i, j, k)| format!("({} & {})", name(i, j), name(k, j))).collect::<Vec<_>>();
    format!(
        "void main() begin\n  decl {};\n  {}\n  assume({each});\n  assert({});\nend",
        all.join(", "),
        set(&all, "*"),
        twice.join(" | ")
    )
}

/// Parities and pigeonholes are hard for clauses, and small as diagrams: for the engine, and for who checks what it says.
#[test]
fn parities_and_pigeonholes_are_decided() {
    assert!(decides(&correction(40, false), false));
    assert!(!decides(&correction(40, true), false));
    assert!(decides(&pigeons(10, 1), false));
    assert!(!decides(&pigeons(10, 0), false));
}

/// Head and number of entries of a queue add up to its tail; the sum is made bit by bit in variables that nothing else reads.
#[test]
fn sums_in_variables_correspond() {
    let bits = 10;
    let [head, count, tail, sum] = ["h", "c", "t", "s"].map(|prefix| names(prefix, bits));
    let all = [&head[..], &count, &tail].concat();
    let less = |i: usize| (0..i).fold("T".to_owned(), |all, j| format!("{all} & !c{j}"));
    let decrement =
        (0..bits).map(|i| format!("c{i} ^ ({})", less(i))).collect::<Vec<_>>().join(", ");
    let mut add = "k := F;".to_owned();
    for i in 0..bits {
        _ = write!(add, "\n    s{i}, k := h{i} ^ c{i} ^ k, (h{i} & c{i}) | (k & (h{i} | c{i}));");
    }
    let same = (0..bits).map(|i| format!("(s{i} = t{i})")).collect::<Vec<_>>().join(" & ");
    let text = format!(
        "decl {};\nvoid main() begin\n  decl {}, k;\n  {}\n  while (*) do\n    if (*) then\n      if (!({})) then {} {} fi;\n    \
         else\n      if ({}) then {} {} := {decrement}; fi;\n    fi;\n    {add}\n    assert({same});\n  od\nend",
        all.join(", "),
        sum.join(", "),
        set(&all, "F"),
        count.join(" & "),
        increment(&tail),
        increment(&count),
        count.join(" | "),
        increment(&head),
        count.join(", "),
    );
    let program = crate::support::program(&text);
    let report =
        check(&program, &Options::default(), &Budget::unlimited().trial(10 * WORK), &mut Silent);
    let report = report.unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(report.outcome, Outcome::Safe(_)), "{text}");
    assert!(report.statistics.equations > 20, "the gates of the sum are those of the tail");
}
