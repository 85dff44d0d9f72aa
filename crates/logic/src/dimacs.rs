//! The DIMACS format for formulas in conjunctive normal form, written and read.

use std::io::{self, Write};

use thiserror::Error;

use super::cnf::{Cnf, CnfLit};

/// An error in a DIMACS or QDIMACS text; [`DimacsError::line`] gives its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DimacsError {
    #[error("no header `p cnf <variables> <clauses>` before the first clause")]
    MissingHeader { line: usize },
    #[error("not a header `p cnf <variables> <clauses>`")]
    BadHeader { line: usize },
    #[error("a second header")]
    SecondHeader { line: usize },
    #[error("`{token}` is not a number")]
    NotANumber { line: usize, token: String },
    #[error("literal {literal} is beyond the {variables} variables of the header")]
    UnknownVariable { line: usize, literal: CnfLit, variables: CnfLit },
    #[error("the last clause does not end with 0")]
    OpenClause { line: usize },
    #[error("{found} clauses where the header promises {promised}")]
    ClauseCount { line: usize, promised: usize, found: usize },
    #[error("a block of quantifiers after the first clause")]
    LateBlock { line: usize },
    #[error("a block of quantifiers does not end with 0")]
    OpenBlock { line: usize },
    #[error("{literal} in a block of quantifiers")]
    NoVariable { line: usize, literal: CnfLit },
    #[error("variable {variable} is quantified twice")]
    Twice { line: usize, variable: CnfLit },
}

impl DimacsError {
    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        match *self {
            Self::MissingHeader { line }
            | Self::BadHeader { line }
            | Self::SecondHeader { line }
            | Self::NotANumber { line, .. }
            | Self::UnknownVariable { line, .. }
            | Self::OpenClause { line }
            | Self::ClauseCount { line, .. }
            | Self::LateBlock { line }
            | Self::OpenBlock { line }
            | Self::NoVariable { line, .. }
            | Self::Twice { line, .. } => line,
        }
    }
}

/// Writes a formula.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_dimacs(cnf: &Cnf, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "p cnf {} {}", cnf.variables, cnf.clauses.len())?;
    write_clauses(cnf, out)
}

/// Writes the clauses, one per line.
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
/// The first error in the text.
pub fn read_dimacs(text: &str) -> Result<Cnf, DimacsError> {
    let (_, cnf) = read(text, |line, quantifier, _| {
        Err(DimacsError::NotANumber { line, token: quantifier.to_string() })
    })?;
    Ok(cnf)
}

/// Reads clauses, and passes each line of a prefix (`a`, `e`) to `block`: line number, quantifier, variables.  Also
/// returns the line of the header.
pub(super) fn read(
    text: &str,
    mut block: impl FnMut(usize, char, &[CnfLit]) -> Result<(), DimacsError>,
) -> Result<(usize, Cnf), DimacsError> {
    // The line of the header, and its numbers of variables and clauses.
    let mut header: Option<(usize, CnfLit, usize)> = None;
    let mut clauses = Vec::new();
    let mut clause = Vec::new();
    let mut last = 1;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('c') {
            continue;
        }
        // Some collections end their files in this way.
        if line == "%" {
            break;
        }
        last = number;
        if line.starts_with('p') {
            if header.is_some() {
                return Err(DimacsError::SecondHeader { line: number });
            }
            let (variables, count) = counts(line).ok_or(DimacsError::BadHeader { line: number })?;
            header = Some((number, variables, count));
            continue;
        }
        let Some((_, variables, _)) = header else {
            return Err(DimacsError::MissingHeader { line: number });
        };
        if let Some(rest) = line.strip_prefix(['a', 'e'])
            && rest.starts_with(char::is_whitespace)
        {
            if !(clauses.is_empty() && clause.is_empty()) {
                return Err(DimacsError::LateBlock { line: number });
            }
            let lits = literals(number, rest, variables).collect::<Result<Vec<_>, _>>()?;
            let Some((0, lits)) = lits.split_last() else {
                return Err(DimacsError::OpenBlock { line: number });
            };
            if let Some(&literal) = lits.iter().find(|&&l| l <= 0) {
                return Err(DimacsError::NoVariable { line: number, literal });
            }
            block(number, if line.starts_with('a') { 'a' } else { 'e' }, lits)?;
            continue;
        }
        for literal in literals(number, line, variables) {
            match literal? {
                0 => clauses.push(std::mem::take(&mut clause)),
                literal => clause.push(literal),
            }
        }
    }
    let Some((line, variables, promised)) = header else {
        return Err(DimacsError::MissingHeader { line: last });
    };
    if !clause.is_empty() {
        return Err(DimacsError::OpenClause { line: last });
    }
    if clauses.len() != promised {
        return Err(DimacsError::ClauseCount { line, promised, found: clauses.len() });
    }
    Ok((line, Cnf { variables, clauses }))
}

/// The numbers in a header.
fn counts(line: &str) -> Option<(CnfLit, usize)> {
    let mut words = line.split_whitespace();
    let (Some("p"), Some("cnf")) = (words.next(), words.next()) else { return None };
    let variables: CnfLit = words.next()?.parse().ok()?;
    let clauses = words.next()?.parse().ok()?;
    (variables >= 0 && words.next().is_none()).then_some((variables, clauses))
}

/// The numbers in a line, including zeros.
fn literals(
    line: usize,
    text: &str,
    variables: CnfLit,
) -> impl Iterator<Item = Result<CnfLit, DimacsError>> {
    text.split_whitespace().map(move |token| {
        let Ok(literal) = token.parse::<CnfLit>() else {
            // A token may be as long as a large file.
            let mut shown: String = token.chars().take(20).collect();
            if shown.len() < token.len() {
                shown.push('…');
            }
            return Err(DimacsError::NotANumber { line, token: shown });
        };
        if literal.unsigned_abs() > variables.unsigned_abs() {
            return Err(DimacsError::UnknownVariable { line, literal, variables });
        }
        Ok(literal)
    })
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
    fn clauses_may_span_lines_and_share_them() {
        let cnf = Cnf { variables: 3, clauses: vec![vec![1, 2], vec![-3], vec![3]] };
        assert_eq!(read_dimacs("c x\np  cnf 3 3\n\n1\n2 0 -3 0\nc y\n 3 0\n%\n0\n"), Ok(cnf));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, error) in [
            ("", DimacsError::MissingHeader { line: 1 }),
            ("c hello\n1 0\n", DimacsError::MissingHeader { line: 2 }),
            ("\np cnf 1\n", DimacsError::BadHeader { line: 2 }),
            ("p cnf -1 0\n", DimacsError::BadHeader { line: 1 }),
            ("p cnf 99999999999 1\n", DimacsError::BadHeader { line: 1 }),
            ("p dnf 1 1\n", DimacsError::BadHeader { line: 1 }),
            ("p cnf 1 0\np cnf 1 0\n", DimacsError::SecondHeader { line: 2 }),
            ("p cnf 1 1\nx 0\n", DimacsError::NotANumber { line: 2, token: "x".into() }),
            ("p cnf 1 1\na 1 0\n", DimacsError::NotANumber { line: 2, token: "a".into() }),
            (
                "p cnf 1 1\n\n-2 0\n",
                DimacsError::UnknownVariable { line: 3, literal: -2, variables: 1 },
            ),
            (
                "p cnf 1 1\n-2147483648 0\n",
                DimacsError::UnknownVariable { line: 2, literal: i32::MIN, variables: 1 },
            ),
            ("p cnf 1 1\n1\n\n", DimacsError::OpenClause { line: 2 }),
            ("p cnf 1 2\n1 0\n", DimacsError::ClauseCount { line: 1, promised: 2, found: 1 }),
        ] {
            assert_eq!(read_dimacs(text), Err(error), "{text}");
        }
    }
}
