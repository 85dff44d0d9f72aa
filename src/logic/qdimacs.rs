//! The QDIMACS format for quantified formulas in conjunctive normal form, for 2QBF.
//!
//! The variables of Tseitin's encoding are functions of the inputs, so they join the innermost,
//! existential block: ∀X ∃Y ∃T. clauses is true iff ∀X ∃Y. matrix is.

use std::io::{self, Write};

use super::aig::{Aig, Input, Lit};
use super::cnf::{ClauseSink, Cnf, Encoder};
use super::dimacs::write_clauses;

/// Writes ∀ `universals` ∃ `existentials`. ⋀ `matrix`.
///
/// The lists together must hold every input on which the matrix depends.  Variables are numbered
/// universals first, then existentials, both in the order given, then Tseitin's.
///
/// # Errors
/// Those of `out`.
pub fn write_qdimacs(
    aig: &Aig,
    universals: &[Input],
    existentials: &[Input],
    matrix: &[Lit],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut cnf = Cnf::default();
    let mut encoder = Encoder::new();
    for &i in universals.iter().chain(existentials) {
        let variable = cnf.fresh();
        encoder.bind(aig, i, variable);
    }
    debug_assert!(
        aig.support(matrix.iter().copied()).iter().all(|&i| encoder.input(aig, i).is_some()),
        "every input of the matrix is quantified"
    );
    for &l in matrix {
        let l = encoder.literal(aig, l, &mut cnf);
        cnf.clause(&[l]);
    }
    writeln!(out, "c forall X exists Y. matrix, true iff the query is valid")?;
    writeln!(out, "c X: 1 to {0}; Y: the next {1}", universals.len(), existentials.len())?;
    writeln!(out, "c then the variables of Tseitin's encoding")?;
    writeln!(out, "p cnf {} {}", cnf.variables, cnf.clauses.len())?;
    let outer = universals.len() as i32;
    write_block('a', 1..=outer, out)?;
    write_block('e', outer + 1..=cnf.variables, out)?;
    write_clauses(&cnf, out)
}

/// One quantifier block; the format knows no empty ones.
fn write_block(
    quantifier: char,
    variables: std::ops::RangeInclusive<i32>,
    out: &mut impl Write,
) -> io::Result<()> {
    if variables.is_empty() {
        return Ok(());
    }
    write!(out, "{quantifier}")?;
    for v in variables {
        write!(out, " {v}")?;
    }
    writeln!(out, " 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_clauses() {
        let mut aig = Aig::new();
        let (x, y) = (aig.new_input(), aig.new_input());
        let (a, b) = (aig.input(x), aig.input(y));
        let same = aig.iff(a, b);
        let mut out = Vec::new();
        write_qdimacs(&aig, &[x], &[y], &[same], &mut out).expect("a vector takes everything");
        let text = String::from_utf8(out).expect("QDIMACS is ASCII");
        assert!(text.contains("\na 1 0\ne 2 3 0\n"), "{text}");
        assert!(text.contains("p cnf 3 5\n"), "{text}");
    }
}
