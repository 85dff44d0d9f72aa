//! The checker of invariants against an enumeration of all values: it accepts exactly what is
//! inductive and excludes errors.  Invariants are true ones in several forms, changed at random, so
//! some that are not the strongest hold, and most fail in a place of their own.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::inductive::{cut, failing};
use crate::support::strongest::{Reachable, Row, any_of, atoms};
use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_bp::language::program::{ProcId, Program};
use hardbop_bp::proof::Invariant;
use hardbop_bp::proof::check::{CheckerOptions, Silent, check};
use hardbop_bp::proof::failure::{Effort, Obligation, Unproved};
use hardbop_bp::proof::invariant::{Atom, CircuitBuilder, Layer};
use hardbop_qbf as qbf;

const PROGRAMS: [&str; 16] = [
    "decl x, y; void main() begin x := y; while (*) do x, y := y, x; od assert(x = y); end",
    "decl x, y; void main() begin x := !y; while (*) do x, y := !x, !y; od assert(x != y); end",
    "decl g; void main() begin decl d; d := g; f(T); assert(g = d); end
     void f(a) begin if (*) then g := !g; f(!a); g := !g; fi assert(a | !a); end",
    "decl g; void main() begin decl a; a := neg(g); assert(a != g); a := neg(a); assert(a = g); end
     bool neg(x) begin return !x; end",
    "void main() begin decl a, b; a, b := two(T); assert(a & !b); b, _ := two(F); assert(!b); end
     bool<2> two(x) begin return x, !x; end",
    "decl g, h; void main() begin g, h := *, * constrain ('g => 'h) & (g = 'g | 'h); assert(!g | h); end",
    "decl g; void main() begin decl x; x := schoose[g, !g]; assert(x = g); abortif(x & !g); end",
    "decl g; void main() begin f(F); if (g) then ERROR: skip; fi end
     void f(a) begin decl l; if (!a & l) then f(T); fi g := F; end",
    "decl g; void main() begin decl x, y; if (*) then x := T; y := g; else x := F; y := !g; fi
       if (x) then x := y; else x := !y; fi assert(x = g); end",
    // Values that are each other's negation, in chains.
    "decl a, b; void main() begin decl c; a := !b; c := !a; while (*) do a, b, c := !a, !b, !c; od
       assert(a != b); assert(b = c); end",
    "decl g; void main() begin decl a, b; b := neg(!a); assert(a = b); g := neg(!b); assert(g != a | g); end
     bool neg(x) begin decl l; l := !x; return l; end",
    // What is known after a call is what the callee returns for.
    "void main() begin decl x; x := *; f(x); assert(x); end void f(a) begin assume(a); end",
    "void main() begin decl x, y; x := *; y := *; f(x, !y); assert(x != y); end
     void f(a, b) begin assume(a = b); end",
    "decl a; void main() begin decl x; goto L, M, N; L: x := a; goto J; M: x := !(!a); goto J;
       N: x := a; a := x; J: assert(x = a); end",
    // Formals that are equal from the start.
    "void main() begin decl x; x := *; f(x, x); end
     void f(a, b) begin if (*) then f(b, a); fi assert(a = b); end",
    "decl a, b; void main() begin a, b := T, F; while (*) do a, b := schoose[b, a], !schoose[b, a]; od
       a, b := b, a; assert(a | !a & !b | b); end",
];

/// The assertion of a row set: all of it, or what a variable equals in every row.
fn formula(
    builder: &mut CircuitBuilder,
    random: &mut Random,
    atoms: &[Atom],
    rows: &BTreeSet<Row>,
    whole: bool,
) -> u32 {
    let rows: Vec<&[bool]> = rows.iter().map(|r| &r[..]).collect();
    if rows.is_empty() {
        return builder.constant(false);
    }
    let mut all = vec![];
    for (i, &a) in atoms.iter().enumerate() {
        let a = builder.atom(a);
        for value in [false, true] {
            if rows.iter().all(|r| r[i] == value) {
                all.push(a ^ u32::from(!value));
            }
        }
        for (j, &b) in atoms.iter().enumerate().take(i) {
            for negated in [false, true] {
                if rows.iter().all(|r| r[i] == r[j] ^ negated) {
                    let b = builder.atom(b);
                    let same = builder.iff(a, b ^ u32::from(negated));
                    all.push(same);
                }
            }
        }
    }
    // Chains of equalities, in any direction.
    random.shuffle(&mut all);
    if random.chance(30) {
        all.pop();
    }
    if whole {
        all.push(any_of(builder, atoms, &rows));
        if random.chance(50) {
            all.reverse();
        }
    }
    let top = builder.constant(true);
    all.into_iter().fold(top, |all, l| builder.and(all, l))
}

/// Layers with the rows at some nodes; at others, `T`.
fn invariant(program: &Program, reachable: &Reachable, random: &mut Random) -> Invariant {
    let (sparse, weak) = (random.chance(40), random.chance(25));
    let mut builders: Vec<_> = (0..random.range(1, 2)).map(|_| CircuitBuilder::new()).collect();
    for (&(p, n), rows) in &reachable.rows {
        if sparse && !cut(program.procedure(p), n) && random.chance(80) {
            continue;
        }
        let atoms = atoms(program, p, n);
        let mut rows = rows.clone();
        if random.chance(3) {
            rows.insert(atoms.iter().map(|_| random.chance(50)).collect());
        }
        let chosen = random.below(builders.len());
        for (number, builder) in builders.iter_mut().enumerate() {
            let whole = !(weak && random.chance(50));
            let here = if number == chosen || random.chance(50) {
                formula(builder, random, &atoms, &rows, whole)
            } else {
                builder.constant(true)
            };
            builder.assert(p, n, here);
        }
    }
    let layers = builders.into_iter().zip(["one", "two"]).map(|(b, name)| b.finish(name));
    Invariant { layers: layers.collect() }
}

/// A literal is flipped or an assertion is replaced, or an input becomes a choice.
fn change(layer: &mut Layer, random: &mut Random) {
    let (gates, assertions) = (layer.circuit.gates.len(), layer.assertions.len());
    let inputs = layer.circuit.inputs.len();
    match random.below(6) {
        0 if gates > 0 => layer.circuit.gates[random.below(gates)].0 ^= 1,
        1 if gates > 0 => layer.circuit.gates[random.below(gates)].1 ^= 1,
        2 => layer.assertions[random.below(assertions)].formula ^= 1,
        3 => layer.assertions[random.below(assertions)].formula = 1,
        4 if inputs > 0 => {
            layer.circuit.inputs[random.below(inputs)] = Atom::Choice(random.below(2) as u32)
        }
        _ if gates > 0 => {
            // A conjunct is lost.
            let gate = random.below(gates);
            layer.circuit.gates[gate].0 = layer.circuit.gates[gate].1;
        }
        _ => {}
    }
}

fn checked(program: &Program, invariant: &Invariant) -> Option<Obligation> {
    let options = CheckerOptions {
        qbf: qbf::Backend::Embedded,
        patience: None,
        ..CheckerOptions::other_than(hardbop_logic::sat::Backend::Varisat)
    };
    let mut effort = Effort::default();
    match check(program, invariant, &options, &Budget::unlimited(), &mut Silent, &mut effort) {
        Ok(()) => None,
        Err(Unproved::Fails(failure)) => Some(failure.obligation),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn exactly_the_inductive_ones_are_accepted() {
    let mut random = Random::new(17);
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for text in PROGRAMS {
        let program = crate::support::program(text);
        let reachable = Reachable::new(&program, 10_000).expect("small");
        for _ in 0..120 {
            let mut invariant = invariant(&program, &reachable, &mut random);
            let layers = invariant.layers.len();
            for _ in 0..random.below(3) {
                change(&mut invariant.layers[random.below(layers)], &mut random);
            }
            let expected = failing(&program, &invariant);
            let found = checked(&program, &invariant);
            assert_eq!(
                found.is_none(),
                expected.is_none(),
                "{found:?} {expected:?}\n{text}\n{invariant:?}"
            );
            *tally.entry(expected.unwrap_or("none")).or_default() += 1;
        }
    }
    eprintln!("{tally:?}");
    // Each obligation has failed, and enough is right.
    assert!(["none", "path", "call", "error", "start"].iter().all(|k| tally[k] >= 5), "{tally:?}");
}

/// Unsafe programs, which are safe without the path on which they assume `T`.  Assertions are far
/// enough from each other that a path between them has to be found.
const PATHS: [&str; 4] = [
    // One of three that meet again.
    "decl x; void main() begin x := F; goto L, M, N; L: x := F; goto J; M: x := F; goto J;
       N: assume(T); x := T; J: assert(!x); end",
    "decl x; void main() begin x := F; goto L, M, N; L: assume(T); x := T; goto J;
       M: x := F; goto J; N: x := F; J: assert(!x); end",
    // Into the middle of a loop, to what is also met on the way round.
    "decl x, y; void main() begin x, y := F, F; goto A, V; A: assume(T); goto U; C: y := T;
       U: if (!y) then x := T; fi V: assert(!x); if (*) then goto C; fi end",
    // Past a place that is reached in two ways.
    "decl x; void main() begin x := F; goto A, B; B: goto D, A; D: assume(T); x := T; goto J;
       A: goto J, K; K: skip; J: assert(!x); end",
];

/// All orders of what a `goto` names, for the order may be that of a search.
fn orders(text: &str) -> Vec<String> {
    let start = text.find("goto ").expect("a jump") + "goto ".len();
    let end = start + text[start..].find(';').expect("its end");
    let names: Vec<&str> = text[start..end].split(", ").collect();
    (0..2 * names.len())
        .map(|k| {
            let mut names = names.clone();
            names.rotate_left(k / 2);
            if k % 2 == 1 {
                names.reverse();
            }
            format!("{}{}{}", &text[..start], names.join(", "), &text[end..])
        })
        .collect()
}

#[test]
fn no_path_is_overlooked() {
    for text in PATHS.into_iter().flat_map(orders) {
        let fewer = crate::support::program(&text.replace("assume(T)", "assume(F)"));
        let reachable = Reachable::new(&fewer, 10_000).expect("small");
        let where_cut = |p, n| cut(fewer.procedure(p), n);
        let good = Invariant { layers: vec![reachable.layer(&fewer, "cut", where_cut)] };
        assert_eq!((failing(&fewer, &good), checked(&fewer, &good)), (None, None), "{text}");
        let program = crate::support::program(&text);
        assert_eq!(failing(&program, &good), Some("path"), "{text}");
        assert_eq!(checked(&program, &good), Some(Obligation::Path), "{text}");
    }
}

/// Wrong in one place alone, so a checker that skips an obligation accepts it; and one that is
/// right.
#[test]
fn single_obligations() {
    type Assertions = fn(&Program, &mut [CircuitBuilder; 2]);
    let cases: [(&str, Assertions, Option<Obligation>); 4] = [
        // Choices of the same name are of each assertion for itself.
        (
            "decl x; void main() begin assert(x); end",
            |program, [one, two]| {
                let error = program.procedures[0].error;
                let choice = one.atom(Atom::Choice(0));
                one.assert(ProcId(0), error, choice);
                let choice = two.atom(Atom::Choice(0)) ^ 1;
                two.assert(ProcId(0), error, choice);
            },
            Some(Obligation::Error),
        ),
        // The second round of a loop without assertions.
        (
            "void main() begin decl x; x := F; while (*) do assert(!x); x := !x; od end",
            |program, [one, _]| one.assert(ProcId(0), program.procedures[0].error, 0),
            Some(Obligation::Path),
        ),
        // Locals of a procedure that is called have any values.
        (
            "void main() begin f(); end void f() begin decl l; assert(!l); end",
            |program, [one, _]| {
                let [main, f] = &program.procedures[..] else { panic!("two procedures") };
                let local = one.atom(Atom::Current(f.locals[0]));
                one.assert(ProcId(0), main.error, 0);
                one.assert(ProcId(1), f.entry, local ^ 1);
                one.assert(ProcId(1), f.error, 0);
            },
            Some(Obligation::Call),
        ),
        // What equals at entry equals until it is changed.
        (
            "void main() begin decl x; f(x, x); end void f(a, b) begin assert(a = b); end",
            |program, [one, _]| {
                let [main, f] = &program.procedures[..] else { panic!("two procedures") };
                let [a, b] = [0, 1].map(|i| one.atom(Atom::Entry(f.formals[i])));
                let same = one.iff(a, b);
                one.assert(ProcId(0), main.error, 0);
                one.assert(ProcId(1), f.entry, same);
                one.assert(ProcId(1), f.error, 0);
            },
            None,
        ),
    ];
    for (text, assertions, obligation) in cases {
        let program = crate::support::program(text);
        let mut builders = [CircuitBuilder::new(), CircuitBuilder::new()];
        assertions(&program, &mut builders);
        let layers = builders.map(|b| b.finish("layer")).into();
        assert_eq!(checked(&program, &Invariant { layers }), obligation, "{text}");
    }
}
