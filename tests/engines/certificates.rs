//! The checker of certificates against invariants from an explicit-state search, right and wrong.
//!
//! A mutated invariant is wrong for certain where a reachable state violates an assertion, or
//! where an error is not excluded; all others are left out, for they may be right.

use crate::support::strongest::{Reachable, any_of, atoms, evaluate};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::source::Source;
use hardbop_bp::engine;
use hardbop_bp::language::interpret::replay;
use hardbop_bp::language::parser::Dialect;
use hardbop_bp::language::program::Program;
use hardbop_bp::language::resolve::ResolveOptions;
use hardbop_bp::language::trace::Trace;
use hardbop_bp::proof::certificate::{Certificate, CertificateError, Evidence, Property};
use hardbop_bp::proof::check::{CheckerOptions, Silent, check};
use hardbop_bp::proof::failure::{Effort, Obligation, Unproved};
use hardbop_bp::proof::invariant::{Atom, CircuitBuilder, InvariantError, Layer};
use hardbop_bp::proof::judge::{Demand, Judgement, Rejection, judge};
use hardbop_bp::proof::{Invariant, Outcome};
use hardbop_logic::sat;

/// Safe programs with everything that the language has.
const SAFE: [(&str, &str); 8] = [
    ("loop", "decl x, y; void main() begin x := y; while (*) do x, y := y, x; od assert(x = y); end"),
    (
        "recursion",
        "decl g; void main() begin decl d; d := g; f(T); assert(g = d); end
         void f(a) begin if (*) then g := !g; f(!a); g := !g; fi assert(a | !a); end",
    ),
    (
        "targets",
        "decl g; void main() begin decl a, b; a, b := two(T, F); assert(a & !b);
           b, a := two(F, T); assert(a); _, b := two(a, F); assert(!b); g, _ := two(F, F); assert(!g); end
         bool<2> two(x, y) begin return x, y; end",
    ),
    (
        "constrain",
        "decl g, h; void main() begin g, h := *, * constrain ('g => 'h) & (g = 'g | 'h); assert(!g | h); end",
    ),
    (
        "enforce",
        "decl g; void main() begin decl x, y; enforce !(x & y); x := *; y := *; assert(!x | !y); end",
    ),
    (
        "schoose",
        "decl g; void main() begin decl x; x := schoose[g, !g]; assert(x = g); abortif(x & !g); end",
    ),
    (
        "locals are fresh",
        "decl g; void main() begin f(F); if (g) then ERROR: skip; fi end
         void f(a) begin decl l; if (!a & l) then f(T); fi g := F; end",
    ),
    (
        "falls off",
        "decl g; void main() begin decl x; x := f(); assert(g); end
         bool f() begin g := T; if (*) then return F; fi end",
    ),
];

const UNSAFE: [(&str, &str); 7] = [
    ("schoose", "decl g, h; void main() begin g := schoose[F, h]; assert(!g); end"),
    ("loop", "decl x, y; void main() begin while (*) do x, y := y, *; od assert(x = y); end"),
    (
        "recursion",
        "decl g; void main() begin decl d; d := g; f(T); assert(g = d); end
         void f(a) begin if (*) then g := !g; f(!a); fi end",
    ),
    (
        "targets",
        "void main() begin decl a, b; _, a := two(T, F); b, _ := two(a, *); assert(b); end
         bool<2> two(x, y) begin return x, y; end",
    ),
    (
        "constrain",
        "decl g, h; void main() begin g, h := *, * constrain ('g => 'h); assert(!h); end",
    ),
    (
        "locals are fresh",
        "decl g; void main() begin f(F); end
         void f(a) begin decl l; if (!a & l) then f(T); fi assert(!l | !a); end",
    ),
    (
        "returns are fresh",
        "decl g; void main() begin decl x; x := f(); assert(!x); end bool f() begin skip; end",
    ),
];

/// Solvers that the engine does not use by default.
fn others() -> CheckerOptions {
    CheckerOptions::other_than(sat::Backend::default())
}

fn prove(
    program: &Program,
    invariant: &Invariant,
    options: &CheckerOptions,
) -> Result<Effort, Unproved> {
    let mut effort = Effort::default();
    check(program, invariant, options, &Budget::unlimited(), &mut Silent, &mut effort)?;
    Ok(effort)
}

fn holds(program: &Program, invariant: &Invariant) -> Result<Effort, Unproved> {
    prove(program, invariant, &others())
}

fn reachable(program: &Program) -> Option<Reachable> {
    Reachable::new(program, 20_000)
}

/// All safe or unsafe programs that are small enough, with what is reachable.
fn programs(unsafe_ones: bool) -> Vec<(String, Program, Reachable)> {
    let ours = if unsafe_ones { &UNSAFE[..] } else { &SAFE[..] };
    let ours = ours.iter().map(|(_, text)| (*text).to_owned());
    let random = crate::support::generated(4_100, 60);
    let random = random.into_iter().filter(|p| p.1 == unsafe_ones).map(|p| p.0);
    ours.chain(random)
        .filter_map(|text| {
            let program = crate::support::program(&text);
            let reachable = reachable(&program)?;
            Some((text, program, reachable))
        })
        .collect()
}

// ---- right and wrong invariants

#[test]
fn strongest_invariants_are_accepted() {
    let mut count = 0;
    for (text, program, reachable) in programs(false) {
        let one = reachable.invariant(&program);
        if let Err(e) = holds(&program, &one) {
            panic!("{e}\n{text}");
        }
        // The same in two layers, the second of which needs the first.
        let at_error = |p, n| program.procedure(p).error == n;
        let first = reachable.layer(&program, "states", |p, n| !at_error(p, n));
        let second = reachable.layer(&program, "errors", at_error);
        let two = Invariant { layers: vec![first, second] };
        let cadical = CheckerOptions { sat: sat::Backend::Cadical, ..others() };
        if let Err(e) = prove(&program, &two, &cadical) {
            panic!("two layers: {e}\n{text}");
        }
        count += 1;
    }
    eprintln!("{count} safe programs");
    assert!(count >= SAFE.len());
}

#[test]
fn no_invariant_of_an_unsafe_program_is_accepted() {
    let mut count = 0;
    for (text, program, mut reachable) in programs(true) {
        match holds(&program, &reachable.invariant(&program)) {
            Err(Unproved::Fails(f)) => assert_eq!(f.obligation, Obligation::Error, "{f}\n{text}"),
            other => panic!("{other:?}\n{text}"),
        }
        for ((p, n), rows) in &mut reachable.rows {
            if program.procedure(*p).error == *n {
                rows.clear();
            }
        }
        match holds(&program, &reachable.invariant(&program)) {
            Err(Unproved::Fails(f)) => assert_eq!(f.obligation, Obligation::Path, "{f}\n{text}"),
            other => panic!("{other:?}\n{text}"),
        }
        count += 1;
    }
    eprintln!("{count} unsafe programs");
    assert!(count >= UNSAFE.len());
}

/// Assertions only at entries, exits, errors and where a cycle may begin: regions have branches and
/// joins.
fn sparse(program: &Program, reachable: &Reachable) -> Invariant {
    let cut = |p, n| {
        let procedure = program.procedure(p);
        let back = procedure.edges.iter().any(|e| e.target == n && e.source >= n);
        back || [procedure.entry, procedure.exit, procedure.error].contains(&n)
    };
    Invariant { layers: vec![reachable.layer(program, "sparse", cut)] }
}

#[test]
fn regions_of_several_statements() {
    for (text, program, reachable) in programs(false) {
        let good = sparse(&program, &reachable);
        if let Err(e) = holds(&program, &good) {
            panic!("{e}\n{text}");
        }
        for a in &good.layers[0].assertions {
            let place = (a.procedure, a.node);
            // First, last and one in the middle.
            let rows: Vec<_> = reachable.rows[&place].iter().collect();
            for row in [rows.first(), rows.get(rows.len() / 2), rows.last()].into_iter().flatten() {
                let mut less = reachable.clone();
                less.rows.get_mut(&place).expect("a place").remove(*row);
                let wrong = sparse(&program, &less);
                assert!(matches!(holds(&program, &wrong), Err(Unproved::Fails(_))), "{text}");
            }
        }
    }
    for (text, program, mut reachable) in programs(true) {
        for ((p, n), rows) in &mut reachable.rows {
            if program.procedure(*p).error == *n {
                rows.clear();
            }
        }
        let wrong = sparse(&program, &reachable);
        assert!(matches!(holds(&program, &wrong), Err(Unproved::Fails(_))), "{text}");
    }
}

/// The same assertions, each variable quantified: ∃z. z = v ∧ A[z/v].
fn with_choices(program: &Program, reachable: &Reachable) -> Invariant {
    let mut builder = CircuitBuilder::new();
    for (&(procedure, node), rows) in &reachable.rows {
        let atoms = atoms(program, procedure, node);
        let choices: Vec<Atom> = (0..atoms.len() as u32).map(Atom::Choice).collect();
        let rows: Vec<&[bool]> = rows.iter().map(|r| &r[..]).collect();
        let mut formula = any_of(&mut builder, &choices, &rows);
        for (&atom, &choice) in atoms.iter().zip(&choices) {
            let (a, c) = (builder.atom(atom), builder.atom(choice));
            let same = builder.iff(a, c);
            formula = builder.and(formula, same);
        }
        builder.assert(procedure, node, formula);
    }
    Invariant { layers: vec![builder.finish("quantified")] }
}

#[test]
fn assertions_with_choices() {
    for (text, program, reachable) in programs(false).into_iter().take(SAFE.len() + 6) {
        match holds(&program, &with_choices(&program, &reachable)) {
            Ok(effort) => assert!(effort.qbf_queries > 0, "{text}"),
            Err(e) => panic!("{e}\n{text}"),
        }
        // A reachable state is left out, at one node after the other.
        for (place, rows) in reachable.rows.iter().filter(|(_, rows)| !rows.is_empty()) {
            let mut less = reachable.clone();
            less.rows.get_mut(place).expect("a place").remove(rows.iter().next().expect("a row"));
            let wrong = with_choices(&program, &less);
            assert!(matches!(holds(&program, &wrong), Err(Unproved::Fails(_))), "{text}");
        }
    }
}

/// All layers are proved together, so their order is nothing but the order of messages.
#[test]
fn layers_may_use_each_other() {
    let program = crate::support::program(SAFE[0].1);
    let reachable = reachable(&program).expect("small");
    let at_error = |p, n| program.procedure(p).error == n;
    let states = reachable.layer(&program, "states", |p, n| !at_error(p, n));
    let errors = reachable.layer(&program, "errors", at_error);
    let both = Invariant { layers: vec![errors.clone(), states] };
    assert!(holds(&program, &both).is_ok());
    match holds(&program, &Invariant { layers: vec![errors] }) {
        Err(Unproved::Fails(f)) => {
            assert_eq!((f.layer.as_deref(), f.obligation), (Some("errors"), Obligation::Path));
            assert_eq!(f.place.procedure, "main");
            assert!(f.place.statement.contains("assert(x = y)"), "{f}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_proves_nothing() {
    for (_, text) in SAFE {
        let program = crate::support::program(text);
        assert!(matches!(holds(&program, &Invariant::default()), Err(Unproved::Fails(_))));
    }
}

#[test]
fn limits_give_no_answer() {
    let program = crate::support::program(SAFE[0].1);
    let invariant = reachable(&program).expect("small").invariant(&program);
    let budget = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
    let (options, mut effort) = (others(), Effort::default());
    let result = check(&program, &invariant, &options, &budget, &mut Silent, &mut effort);
    assert_eq!(result, Err(Unproved::Exhausted(Exhausted::Time)));
}

#[test]
fn ill_formed_invariants() {
    use hardbop_bp::language::program::{NodeId, ProcId, VarId};
    let program = crate::support::program(SAFE[2].1);
    let good = reachable(&program).expect("small").invariant(&program);
    let inputs = good.layers[0].circuit.inputs.len() as u32;
    let local = program.procedures[0].locals[0];
    type Change = fn(&mut Layer, u32, VarId);
    let changes: [(Change, &str); 9] = [
        (|l, _, _| l.circuit.inputs[0] = Atom::Entry(VarId(999)), "no variable number 999"),
        (|l, _, local| l.circuit.inputs[0] = Atom::Entry(local), "no value at entry"),
        (|l, n, _| l.circuit.gates[0].0 = 2 * n + 2, "not of a smaller variable"),
        (|l, _, _| l.circuit.gates[0].1 = u32::MAX, "not of a smaller variable"),
        (|l, _, _| l.assertions[0].procedure = ProcId(u32::MAX), "no procedure number"),
        (|l, _, _| l.assertions[0].node = NodeId(u32::MAX), "has no node"),
        (|l, _, _| l.assertions[0].formula = u32::MAX, "no literal"),
        (|l, _, _| l.assertions[1] = l.assertions[0], "there is another one"),
        (
            |l, _, local| {
                l.circuit.inputs[0] = Atom::Current(local);
                l.assertions.iter_mut().for_each(|a| a.formula = 2);
            },
            "variables of procedures other than",
        ),
    ];
    for (change, message) in changes {
        let mut bad = good.clone();
        change(&mut bad.layers[0], inputs, local);
        match holds(&program, &bad) {
            Err(Unproved::Ill(e)) => assert!(e.to_string().contains(message), "{e}: {message}"),
            other => panic!("{message}: {other:?}"),
        }
    }
    let program = crate::support::program(SAFE[0].1);
    let twice = InvariantError::NoVariable { layer: 0, input: 0, variable: VarId(7) };
    assert_eq!(twice.to_string(), "layer 0, input 0: the program has no variable number 7");
    assert!(holds(&program, &good).is_err(), "of another program");
}

// ---- broken certificates

/// Is it wrong for certain?
fn is_wrong(program: &Program, reachable: &Reachable, invariant: &Invariant) -> bool {
    let layer = &invariant.layers[0];
    layer.assertions.iter().any(|a| {
        let place = (a.procedure, a.node);
        let atoms = atoms(program, a.procedure, a.node);
        let values = |row: &[bool], wanted: Atom| {
            atoms.iter().position(|&x| x == wanted).is_some_and(|i| row[i])
        };
        reachable.rows[&place]
            .iter()
            .any(|row| !evaluate(layer, a.formula, &|atom| values(row, atom)))
    })
}

fn certificate(text: &str, evidence: Evidence) -> Certificate {
    let property = Property::new(&ResolveOptions::default(), Dialect::default());
    Certificate::new(text, property, &engine::Options::default(), evidence).expect("writable")
}

fn judged(text: &str, certificate: &Certificate) -> Judgement {
    judged_as(text, certificate, &Demand::default())
}

fn judged_as(text: &str, certificate: &Certificate, demand: &Demand) -> Judgement {
    let (source, options) = (Source::new("test.bp", text), others());
    let budget = Budget::unlimited();
    judge(&source, certificate, demand, &options, &budget, &mut Silent)
        .unwrap_or_else(|d| panic!("{d:?}"))
        .judgement
}

fn trace(program: &Program) -> Trace {
    let options = engine::Options::default();
    let report = engine::check(program, &options, &Budget::unlimited(), &mut engine::Silent);
    match report.expect("no defect").outcome {
        Outcome::Unsafe(trace) => trace,
        other => panic!("{other:?}"),
    }
}

/// Counts what was rejected, by kind.
#[derive(Debug, Default)]
struct Tally(std::collections::BTreeMap<&'static str, u32>);

impl Tally {
    fn rejected(&mut self, what: &'static str, text: &str, certificate: &Certificate) {
        self.rejected_as(what, text, certificate, &Demand::default());
    }

    fn rejected_as(
        &mut self,
        what: &'static str,
        text: &str,
        certificate: &Certificate,
        demand: &Demand,
    ) {
        // As a file would be.
        let json = certificate.to_json().expect("writable");
        let read = Certificate::from_json(json.as_bytes()).expect("readable");
        assert_eq!(read, *certificate);
        match judged_as(text, &read, demand) {
            Judgement::Rejected(_) => *self.0.entry(what).or_default() += 1,
            other => panic!("{what}: {other:?}\n{text}\n{json}"),
        }
    }

    fn unreadable(&mut self, json: &[u8]) {
        match Certificate::from_json(json) {
            Err(CertificateError::Ill(_)) => *self.0.entry("truncated").or_default() += 1,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn broken_certificates_of_safe_programs_are_rejected() {
    let mut tally = Tally::default();
    let all = programs(false);
    for (number, (text, program, reachable)) in all.iter().enumerate() {
        let good = reachable.invariant(program);
        let safe = |invariant| certificate(text, Evidence::Safe(invariant));
        let sound = safe(good.clone());
        assert_eq!(judged(text, &sound), Judgement::Valid, "{text}");

        // A reachable state is left out.
        let places: Vec<_> = reachable.rows.iter().filter(|(_, r)| !r.is_empty()).collect();
        for k in 0..3 {
            let (&place, rows) = places[(number * 7 + k * 5) % places.len()];
            let mut less = reachable.clone();
            let row = rows.iter().nth((number + k) % rows.len()).expect("not empty").clone();
            less.rows.get_mut(&place).expect("a place").remove(&row);
            tally.rejected("state left out", text, &safe(less.invariant(program)));
        }
        // A literal is flipped, in a gate or in an assertion.
        for k in 0..6 {
            let mut flipped = good.clone();
            let layer = &mut flipped.layers[0];
            let gates = layer.circuit.gates.len();
            if k < 4 && gates > 0 {
                layer.circuit.gates[(number * 31 + k * 17) % gates].0 ^= 1;
            } else {
                let assertions = layer.assertions.len();
                layer.assertions[(number * 13 + k) % assertions].formula ^= 1;
            }
            if is_wrong(program, reachable, &flipped) {
                tally.rejected("literal flipped", text, &safe(flipped));
            }
        }
        // Errors are not excluded.
        for (index, a) in good.layers[0].assertions.iter().enumerate() {
            if program.procedure(a.procedure).error == a.node {
                let mut weak = good.clone();
                weak.layers[0].assertions[index].formula = 1;
                tally.rejected("error weakened to true", text, &safe(weak));
                let mut without = good.clone();
                without.layers[0].assertions.remove(index);
                tally.rejected("no assertion at an error", text, &safe(without));
            }
        }
        // Not of this program, or of no property of it.
        let (other, ..) = &all[(number + 1) % all.len()];
        tally.rejected("other program", other, &sound);
        let longer = format!("{text} ");
        tally.rejected("other text", &longer, &sound);
        let mut entry = sound.clone();
        entry.property.entry = "nowhere".into();
        tally.rejected("other entry", text, &entry);
        let mut asserts = sound.clone();
        asserts.property.error_labels.push("nowhere".into());
        asserts.property.check_asserts = false;
        let demand = Demand { check_asserts: Some(true), ..Demand::default() };
        tally.rejected_as("other property", text, &asserts, &demand);
        // The document is cut off, or has more than it should.
        let json = sound.to_json().expect("writable").into_bytes();
        for end in [0, 1, json.len() / 3, json.len() / 2, json.len() - 2] {
            tally.unreadable(&json[..end]);
        }
        let more = String::from_utf8(json).expect("UTF-8").replacen('{', "{\"more\":1,", 1);
        tally.unreadable(more.as_bytes());
    }
    eprintln!("{tally:?}");
    if all.len() > SAFE.len() {
        assert!(tally.0.values().sum::<u32>() >= 300, "{tally:?}");
    }
    assert!(tally.0.len() >= 8, "{tally:?}");
}

#[test]
fn broken_certificates_of_unsafe_programs_are_rejected() {
    let mut tally = Tally::default();
    for (text, program, _) in programs(true) {
        let good = trace(&program);
        let certified = |trace: &Trace| certificate(&text, Evidence::Unsafe(trace.clone()));
        assert_eq!(judged(&text, &certified(&good)), Judgement::Valid, "{text}");
        let mut short = good.clone();
        short.steps.pop();
        tally.rejected("last step missing", &text, &certified(&short));
        let mut long = good.clone();
        long.steps.extend(good.steps.last().cloned());
        tally.rejected("a step too many", &text, &certified(&long));
        let mut initial = good.clone();
        initial.initial.push(true);
        tally.rejected("an initial value too many", &text, &certified(&initial));
        let mut edge = good.clone();
        edge.steps[0].edge.0 = u32::MAX;
        tally.rejected("no such edge", &text, &certified(&edge));
        let mut procedure = good.clone();
        procedure.steps[0].procedure.0 = u32::MAX;
        tally.rejected("no such procedure", &text, &certified(&procedure));
        let mut choices = good.clone();
        choices.steps[0].choices.push(false);
        tally.rejected("a choice too many", &text, &certified(&choices));
        // These may be executions, too; the interpreter is what a trace is measured by.
        for step in 0..good.steps.len() {
            let mut without = good.clone();
            without.steps.remove(step);
            let mut flipped = good.clone();
            flipped.steps[step].choices.iter_mut().for_each(|c| *c = !*c);
            for (what, trace) in [("step missing", without), ("choices flipped", flipped)] {
                if replay(&program, &trace).is_err() {
                    tally.rejected(what, &text, &certified(&trace));
                }
            }
        }
        let json = certified(&good).to_json().expect("writable").replace("UNSAFE", "SAFE");
        tally.unreadable(json.as_bytes());
    }
    eprintln!("{tally:?}");
    assert!(tally.0.values().sum::<u32>() >= 60, "{tally:?}");
    assert!(tally.0.len() >= 8, "{tally:?}");
}

/// Documents that are none: no panic, no overflow of the stack, and an end.
#[test]
fn garbage() {
    let text = SAFE[0].1;
    let program = crate::support::program(text);
    let good = reachable(&program).expect("small").invariant(&program);
    // The number of the first gate.
    let own = good.layers[0].circuit.inputs.len() as u32 + 1;
    let json = certificate(text, Evidence::Safe(good)).to_json().expect("writable");
    let nested = |open: &str, close: &str| open.repeat(200_000) + &close.repeat(200_000);
    let replaced = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        json.replacen(from, to, 1)
    };
    for bad in [
        String::new(),
        "null".into(),
        "{}".into(),
        nested("[", "]"),
        nested("{\"invariant\":", "}"),
        replaced("\"gates\":[", &format!("\"gates\":[{},", nested("[", "]"))),
        replaced("\"gates\":[", "\"gates\":[[0],"),
        replaced("\"gates\":[", "\"gates\":[[-1,0],"),
        replaced("\"gates\":[", "\"gates\":[[4294967296,0],"),
        replaced("\"node\":", "\"node\":99999999999999999999"),
        replaced("\"version\":1", "\"version\":2"),
        replaced("\"format\":\"hardbop", "\"format\":\"softbop"),
        replaced("\"verdict\":\"SAFE\"", "\"verdict\":\"UNSAFE\""),
        replaced("\"verdict\":\"SAFE\"", "\"verdict\":\"UNKNOWN\""),
        replaced("\"name\":\"", "\"name\":\"\\ud800"),
    ] {
        let read = Certificate::from_json(bad.as_bytes());
        assert!(matches!(read, Err(CertificateError::Ill(_))), "{:.200}", bad);
    }
    assert!(Certificate::from_json(&[0xff; 64]).is_err());
    // These can be read, but gates come before their operands, or there is nothing of the number.
    let gate = |a: u32, b: u32| replaced("\"gates\":[", &format!("\"gates\":[[{a},{b}],"));
    let cyclic = (0..4).flat_map(|i| [gate(2 * (own + i), 2), gate(u32::MAX, u32::MAX - i)]);
    let far = ["procedure", "node"].map(|f| {
        let field = format!("\"{f}\":");
        replaced(&field, &format!("\"{f}\":4294967295,\"was\":")).replace(",\"was\":0", "")
    });
    for bad in cyclic.chain(far) {
        let read = Certificate::from_json(bad.as_bytes()).expect("readable");
        match judged(text, &read) {
            Judgement::Rejected(r) => assert!(matches!(*r, Rejection::Ill(_)), "{r}"),
            other => panic!("{other:?}\n{bad}"),
        }
    }
}

/// A circuit as deep as it is long, and one whose conjuncts are shared by everything.
#[test]
fn deep_circuits() {
    let program = crate::support::program(SAFE[0].1);
    let mut invariant = reachable(&program).expect("small").invariant(&program);
    let layer = &mut invariant.layers[0];
    let first = (layer.circuit.inputs.len() + layer.circuit.gates.len() + 1) as u32;
    layer.circuit.gates.push((2, 4));
    for i in 0..100_000 {
        let last = 2 * (first + i);
        layer.circuit.gates.push(if i % 2 == 0 { (last ^ 1, 3) } else { (last, last) });
    }
    for a in &mut layer.assertions {
        let all = layer.circuit.inputs.len() + layer.circuit.gates.len() + 1;
        layer.circuit.gates.push((a.formula, (2 * (first + 100_000)) ^ 1));
        a.formula = 2 * all as u32;
    }
    // From the second step on the tower is in turn `not the first input` and false; it ends with
    // false, whose negation was added to each assertion: they say what they said.
    let effort = holds(&program, &invariant).unwrap_or_else(|e| panic!("{e}"));
    assert!(effort.sat_queries > 0);
}

/// Where a trace fails is told in the words of the text.
#[test]
fn rejected_traces_name_the_statement() {
    let text = "decl x, y;\nvoid main() begin\n  x := y;\n  y := !x;\n  assert(x = y);\nend";
    let program = crate::support::program(text);
    let good = trace(&program);
    let mut twice = good.clone();
    twice.steps.insert(1, good.steps[0].clone());
    let mut short = good.clone();
    short.steps.pop();
    let mut initial = good.clone();
    initial.initial.clear();
    let cases = [
        (twice, Some("'main', line 3: x := y")),
        (short, Some("'main', line 4: y := !x")),
        (initial, None),
    ];
    for (trace, place) in cases {
        match judged(text, &certificate(text, Evidence::Unsafe(trace))) {
            Judgement::Rejected(r) => {
                let message = r.to_string();
                match place {
                    Some(place) => assert!(message.contains(&format!(", in {place}")), "{message}"),
                    None => assert!(!message.contains(", in "), "{message}"),
                }
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_property_can_be_demanded() {
    let text = UNSAFE[0].1;
    let good = certificate(text, Evidence::Unsafe(trace(&crate::support::program(text))));
    let labels = |l: &[&str]| Some(l.iter().map(|&l| l.to_owned()).collect::<Vec<_>>());
    let demands = [
        (Demand::default(), true),
        (Demand { entry: Some("main".into()), ..Demand::default() }, true),
        (Demand { entry: Some("f".into()), ..Demand::default() }, false),
        (Demand { error_labels: labels(&["SLIC_ERROR", "ERROR"]), ..Demand::default() }, true),
        (Demand { error_labels: labels(&["ERROR"]), ..Demand::default() }, false),
        (Demand { check_asserts: Some(false), ..Demand::default() }, false),
    ];
    for (demand, fine) in demands {
        let (source, options) = (Source::new("test.bp", text), others());
        let opinion = judge(&source, &good, &demand, &options, &Budget::unlimited(), &mut Silent)
            .expect("ok");
        match opinion.judgement {
            Judgement::Valid => assert!(fine, "{demand:?}"),
            Judgement::Rejected(r) => {
                assert!(!fine && matches!(*r, Rejection::OtherProperty(_)), "{demand:?}");
            }
            Judgement::Undecided(_) => panic!("{demand:?}"),
        }
    }
}
