//! The QDIMACS format for quantified formulas in conjunctive normal form: reads any prefix, writes 2QBF.
//!
//! The variables of Tseitin's encoding are functions of the inputs, so they join the innermost, existential block: ∀X
//! ∃Y ∃T. clauses is true iff ∀X ∃Y. matrix is.

use std::io::{self, Write};

use rustc_hash::FxHashSet;

use super::aig::{Aig, Input, Lit};
use super::cnf::{ClauseSink, Cnf, Encoder};
use super::dimacs::{self, DimacsError, write_clauses};

/// ∀ or ∃.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    Exists,
}

/// A block of the prefix, as it occurs in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its line, counted from 1.
    pub line: usize,
    pub quantifier: Quantifier,
    pub variables: Vec<i32>,
}

/// A formula in prenex conjunctive normal form.  Invariant: no variable is quantified twice, and
/// all are within the bounds of the matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qbf {
    /// The line of the header, counted from 1.
    pub header: usize,
    /// Outermost first.  Variables that are not listed are existential and outermost.
    pub prefix: Vec<Block>,
    pub matrix: Cnf,
}

/// Reads a formula.
///
/// # Errors
/// The first error in the text.
pub fn read_qdimacs(text: &str) -> Result<Qbf, DimacsError> {
    let mut prefix = Vec::new();
    let mut seen = FxHashSet::default();
    let (header, matrix) = dimacs::read(text, |line, quantifier, variables| {
        if let Some(&variable) = variables.iter().find(|&&v| !seen.insert(v)) {
            return Err(DimacsError::Twice { line, variable });
        }
        let quantifier = if quantifier == 'a' { Quantifier::Forall } else { Quantifier::Exists };
        prefix.push(Block { line, quantifier, variables: variables.to_vec() });
        Ok(())
    })?;
    Ok(Qbf { header, prefix, matrix })
}

/// Writes ∀ `universals` ∃ `existentials`. ⋀ `matrix`.
///
/// The lists together must contain every input on which the matrix depends.  Variables are numbered universals first,
/// then existentials, both in the given order, then those of Tseitin's encoding.
///
/// # Errors
/// If writing to `out` fails.
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

/// Writes one quantifier block; the format does not allow empty ones.
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

        let qbf = read_qdimacs(&text).expect("what is written can be read");
        let blocks: Vec<_> = qbf.prefix.iter().map(|b| (b.quantifier, &b.variables[..])).collect();
        assert_eq!(blocks, [(Quantifier::Forall, &[1][..]), (Quantifier::Exists, &[2, 3])]);
        assert_eq!((qbf.matrix.variables, qbf.matrix.clauses.len()), (3, 5));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, error) in [
            ("p cnf 2 0\na 1\n", DimacsError::OpenBlock { line: 2 }),
            ("p cnf 2 0\na 1 0\ne 2 1 0\n", DimacsError::Twice { line: 3, variable: 1 }),
            ("p cnf 2 1\n1 0\ne 2 0\n", DimacsError::LateBlock { line: 3 }),
            ("p cnf 2 0\na -1 0\n", DimacsError::NoVariable { line: 2, literal: -1 }),
            (
                "p cnf 2 0\na 3 0\n",
                DimacsError::UnknownVariable { line: 2, literal: 3, variables: 2 },
            ),
            ("a 1 0\np cnf 2 0\n", DimacsError::MissingHeader { line: 1 }),
        ] {
            assert_eq!(read_qdimacs(text), Err(error), "{text}");
        }
    }
}
