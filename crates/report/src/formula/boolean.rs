//! The invariants of a safe Boolean program, in its own syntax.

use std::fmt::Write as _;

use crate::document::Invariant;
use hardbop_bp::language::program::{NodeId, ProcId, Program};
use hardbop_bp::proof::Invariant as Proof;
use hardbop_bp::proof::formula::Literal;
use hardbop_bp::proof::invariant::{Atom, Circuit};

/// Characters of a conjunct, beyond which the rest is left out.
const LONG: usize = 400;

/// The places of the program where something is known, in order of the text.
///
/// `main, line 3: !held, same = held@entry`: conjuncts, where `x@entry` is the value of x at the
/// procedure's entry and `?1` is some value that exists.
#[must_use]
pub fn invariants(program: &Program, invariant: &Proof) -> Vec<Invariant> {
    let places = invariant.by_place();
    let mut order: Vec<(ProcId, NodeId)> = places.keys().copied().collect();
    order.sort_by_key(|&place| (place.0, span_start(program, place), place.1));
    let mut out = vec![];
    for place in order {
        let mut conjuncts: Vec<String> = vec![];
        for &(layer, root) in &places[&place] {
            let circuit = &invariant.layers[layer].circuit;
            let all = circuit.conjuncts(root);
            conjuncts
                .extend(all.iter().filter(|&&l| l != 1).map(|&l| conjunct(program, circuit, l)));
        }
        conjuncts.sort();
        conjuncts.dedup();
        if !conjuncts.is_empty() {
            out.push(at(program, place, conjuncts.join(", ")));
        }
    }
    out
}

fn span_start(program: &Program, (procedure, node): (ProcId, NodeId)) -> u32 {
    let procedure = program.procedure(procedure);
    match node {
        n if n == procedure.exit => u32::MAX - 1,
        n if n == procedure.error => u32::MAX,
        n => procedure.nodes[n.index()].span.start,
    }
}

fn at(program: &Program, place: (ProcId, NodeId), formula: String) -> Invariant {
    let procedure = program.procedure(place.0);
    let (words, line) = match place.1 {
        n if n == procedure.error => ("the error".to_owned(), None),
        n if n == procedure.exit => ("the end".to_owned(), None),
        _ => {
            let line = program.source.line_column(span_start(program, place)).0;
            (format!("line {line}"), Some(line))
        }
    };
    Invariant {
        function: procedure.name.clone(),
        place: words,
        file: None,
        line,
        location: None,
        calls: vec![],
        formula: Some(formula),
    }
}

fn conjunct(program: &Program, circuit: &Circuit, literal: Literal) -> String {
    let mut out = String::new();
    match circuit.equality(literal) {
        Some((a, b)) if b > 1 => {
            // `x = y`, not `!x = !y`.
            let (a, b) = (a & !1, b ^ a & 1);
            write(&mut out, program, circuit, a);
            out.push_str(" = ");
            write(&mut out, program, circuit, b);
        }
        Some((a, b)) => write(&mut out, program, circuit, a ^ u32::from(b == 0)),
        None => write(&mut out, program, circuit, literal),
    }
    out
}

enum Part {
    Literal(Literal),
    Text(&'static str),
}

/// Writes a formula as a tree of conjunctions and disjunctions, as far as it is not too long;
/// without recursion.
fn write(out: &mut String, program: &Program, circuit: &Circuit, root: Literal) {
    let mut parts = vec![Part::Literal(root)];
    let top = circuit.gate(root >> 1).is_some();
    while let Some(part) = parts.pop() {
        let literal = match part {
            Part::Text(text) => {
                out.push_str(text);
                continue;
            }
            Part::Literal(literal) => literal,
        };
        if out.len() > LONG {
            out.push_str("...");
            return;
        }
        let negated = literal & 1 == 1;
        if literal < 2 {
            out.push(if negated { 'T' } else { 'F' });
        } else if let Some((a, b)) = circuit.gate(literal >> 1) {
            // A negated conjunction is a disjunction of the negated operands.
            let (sign, flip) = if negated { (" | ", 1) } else { (" & ", 0) };
            let outermost = top && out.is_empty();
            out.push_str(if outermost { "" } else { "(" });
            parts.push(Part::Text(if outermost { "" } else { ")" }));
            parts.extend([Part::Literal(b ^ flip), Part::Text(sign), Part::Literal(a ^ flip)]);
        } else {
            let negation = if negated { "!" } else { "" };
            // Writing to a string does not fail.
            let _ = match circuit.input(literal >> 1) {
                Some(Atom::Entry(v)) => {
                    write!(out, "{negation}{}@entry", program.variable(v).name)
                }
                Some(Atom::Current(v)) => write!(out, "{negation}{}", program.variable(v).name),
                Some(Atom::Choice(n)) => write!(out, "{negation}?{n}"),
                None => write!(out, "{negation}_"),
            };
        }
    }
}
