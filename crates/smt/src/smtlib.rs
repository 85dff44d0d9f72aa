//! Queries as SMT-LIB 2 texts (Barrett, Fontaine and Tinelli, "The SMT-LIB Standard", 2.6).

use std::fmt::{self, Write};

use rustc_hash::FxHashMap;

use super::term::{Piece, Sort, Term, Terms};

/// A script that asks whether the formulas are satisfiable together: declarations, a definition for
/// each subterm that occurs more than once (named `?k`, which no program uses), assertions,
/// `check-sat`.
pub fn script(terms: &Terms, formulas: &[Term]) -> String {
    let mut text = String::new();
    // Invariant: writing to a string does not fail.
    let _ = write_script(&mut text, terms, formulas);
    text
}

/// Texts of formulas, and before them those of subterms that occur more than once: the k-th is
/// named `?k`, which no program uses, and each may use those before it.
#[must_use]
pub fn shared_text(terms: &Terms, formulas: &[Term]) -> (Vec<String>, Vec<String>) {
    let order = terms.postorder(formulas, |_| false);
    let mut names: FxHashMap<Term, usize> = FxHashMap::default();
    let mut definitions = Vec::new();
    let text = |t: Term, names: &FxHashMap<Term, usize>| {
        let mut text = String::new();
        // Invariant: writing to a string does not fail.
        let _ = write_term(&mut text, terms, t, names);
        text
    };
    for t in shared(terms, &order) {
        definitions.push(text(t, &names));
        names.insert(t, definitions.len() - 1);
    }
    let named = |&t: &Term| names.get(&t).map_or_else(|| text(t, &names), |n| format!("?{n}"));
    let formulas = formulas.iter().map(named).collect();
    (definitions, formulas)
}

/// The terms that occur more than once in other terms and have parts, in order.
fn shared(terms: &Terms, order: &[Term]) -> Vec<Term> {
    let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
    for &t in order {
        terms.for_each_child(t, |c| *uses.entry(c).or_default() += 1);
    }
    let is_shared = |t: &Term| {
        let node = terms.node(*t);
        uses.get(t).copied().unwrap_or(0) > 1 && !node.is_leaf() && !node.is_constant()
    };
    order.iter().copied().filter(is_shared).collect()
}

fn write_script(out: &mut String, terms: &Terms, formulas: &[Term]) -> fmt::Result {
    let order = terms.postorder(formulas, |_| false);
    writeln!(out, "(set-logic {})", logic(terms, &order))?;
    for &t in order.iter().filter(|&&t| terms.node(t).is_leaf()) {
        writeln!(out, "(declare-const {} {})", terms.display(t), terms.sort(t))?;
    }
    let mut names: FxHashMap<Term, usize> = FxHashMap::default();
    for t in shared(terms, &order) {
        let name = names.len();
        write!(out, "(define-fun ?{name} () {} ", terms.sort(t))?;
        write_term(out, terms, t, &names)?;
        writeln!(out, ")")?;
        names.insert(t, name);
    }
    for &t in formulas {
        write!(out, "(assert ")?;
        match names.get(&t) {
            Some(name) => write!(out, "?{name}")?,
            None => write_term(out, terms, t, &names)?,
        }
        writeln!(out, ")")?;
    }
    writeln!(out, "(check-sat)")
}

/// Writes a term, with names for those of its proper subterms that have one.
fn write_term(
    out: &mut String,
    terms: &Terms,
    root: Term,
    names: &FxHashMap<Term, usize>,
) -> fmt::Result {
    let mut stack = Vec::new();
    terms.write_head(out, root, &mut stack)?;
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(text) => out.write_str(text)?,
            Piece::Term(t) => match names.get(&t) {
                Some(name) => write!(out, "?{name}")?,
                None => terms.write_head(out, t, &mut stack)?,
            },
        }
    }
    Ok(())
}

fn logic(terms: &Terms, order: &[Term]) -> &'static str {
    let any = |f: fn(Sort) -> bool| order.iter().any(|&t| f(terms.sort(t)));
    let integers = any(|s| s == Sort::Int);
    let bits = any(|s| matches!(s, Sort::Bits(_)));
    match (integers, bits) {
        (true, true) => "ALL",
        (true, false) => "QF_LIA",
        (false, _) => "QF_BV",
    }
}
