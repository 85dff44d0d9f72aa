//! The DIMACS format for formulas in conjunctive normal form, written and read.

use std::io::{self, Write};

use thiserror::Error;

use super::cnf::{Cnf, CnfLit};

/// What is wrong with a DIMACS text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DimacsError {
    #[error("line {0}: no header `p cnf <variables> <clauses>` before the first clause")]
    MissingHeader(usize),
    #[error("line {line}: `{token}` is not a number")]
    NotANumber { line: usize, token: String },
    #[error("line {line}: literal {literal} is beyond the variables of the header")]
    UnknownVariable { line: usize, literal: CnfLit },
    #[error("the last clause does not end with 0")]
    OpenClause,
    #[error("{found} clauses where the header promises {promised}")]
    ClauseCount { promised: usize, found: usize },
}

/// Writes a formula.
///
/// # Errors
/// Those of `out`.
pub fn write_dimacs(cnf: &Cnf, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "p cnf {} {}", cnf.variables, cnf.clauses.len())?;
    write_clauses(cnf, out)
}

/// The clauses, one in a line.
pub(super) fn write_clauses(cnf: &Cnf, out: &mut impl Write) -> io::Result<()> {
    for clause in &cnf.clauses {
        for lit in clause {
            write!(out, "{lit} ")?;
        }
        writeln!(out, "0")?;
    }
    Ok(())
}

/// Reads a formula.
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn read_dimacs(text: &str) -> Result<Cnf, DimacsError> {
    let mut header = None;
    let mut clauses = Vec::new();
    let mut clause = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('c') {
            continue;
        }
        if let Some(rest) = line.strip_prefix("p cnf ") {
            let mut counts = rest.split_whitespace().map(str::parse::<usize>);
            let (Some(Ok(v)), Some(Ok(c))) = (counts.next(), counts.next()) else {
                return Err(DimacsError::MissingHeader(number));
            };
            let v = CnfLit::try_from(v).map_err(|_| DimacsError::MissingHeader(number))?;
            header = Some((v, c));
            continue;
        }
        let Some((variables, _)) = header else {
            return Err(DimacsError::MissingHeader(number));
        };
        for token in line.split_whitespace() {
            let literal: CnfLit = token
                .parse()
                .map_err(|_| DimacsError::NotANumber { line: number, token: token.to_owned() })?;
            if literal == 0 {
                clauses.push(std::mem::take(&mut clause));
            } else if literal.unsigned_abs() > variables.unsigned_abs() {
                return Err(DimacsError::UnknownVariable { line: number, literal });
            } else {
                clause.push(literal);
            }
        }
    }
    let Some((variables, promised)) = header else {
        return Err(DimacsError::MissingHeader(text.lines().count()));
    };
    if !clause.is_empty() {
        return Err(DimacsError::OpenClause);
    }
    if clauses.len() != promised {
        return Err(DimacsError::ClauseCount { promised, found: clauses.len() });
    }
    Ok(Cnf { variables, clauses })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let cnf = Cnf { variables: 3, clauses: vec![vec![1, -3], vec![], vec![2]] };
        let mut out = Vec::new();
        write_dimacs(&cnf, &mut out).expect("a vector takes everything");
        let text = String::from_utf8(out).expect("DIMACS is ASCII");
        assert_eq!(text, "p cnf 3 3\n1 -3 0\n0\n2 0\n");
        assert_eq!(read_dimacs(&text), Ok(cnf));
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(read_dimacs("c hello\n1 0\n"), Err(DimacsError::MissingHeader(2)));
        assert_eq!(
            read_dimacs("p cnf 1 1\nx 0\n"),
            Err(DimacsError::NotANumber { line: 2, token: "x".into() })
        );
        assert_eq!(
            read_dimacs("p cnf 1 1\n\n-2 0\n"),
            Err(DimacsError::UnknownVariable { line: 3, literal: -2 })
        );
        assert_eq!(read_dimacs("p cnf 1 1\n1\n"), Err(DimacsError::OpenClause));
        assert_eq!(
            read_dimacs("p cnf 1 2\n1 0\n"),
            Err(DimacsError::ClauseCount { promised: 2, found: 1 })
        );
    }
}
