//! Operations on program variables: what an edge does to a data state.

use hardbop_smt::{Symbol, Term};

/// An operation op, given by its strongest postcondition SP_op (Sect. II-A of the paper). Terms are
/// over the program variables before the operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    Skip,
    /// `assume(p)`; p is Boolean.
    Assume(Term),
    /// `s := e`.
    Assign(Symbol, Term),
    /// Simultaneous assignments; no variable is assigned twice.
    Parallel(Vec<(Symbol, Term)>),
    /// `s` gets any value.
    Havoc(Symbol, Origin),
}

/// Why the value of a variable is not determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The program gets it from outside: any value can occur.
    Input,
    /// The memory model does not track it; perhaps only some values can occur.
    Approximation,
}

impl Operation {
    /// The variables that it changes, with their new values (`None` if any).
    pub fn changes(&self) -> impl Iterator<Item = (Symbol, Option<Term>)> + '_ {
        let (one, several) = match self {
            Operation::Skip | Operation::Assume(_) => (None, &[][..]),
            Operation::Assign(s, e) => (Some((*s, Some(*e))), &[][..]),
            Operation::Havoc(s, _) => (Some((*s, None)), &[][..]),
            Operation::Parallel(all) => (None, &all[..]),
        };
        one.into_iter().chain(several.iter().map(|&(s, e)| (s, Some(e))))
    }

    /// This operation on renamed variables.
    #[must_use]
    pub fn renamed(
        &self,
        symbol: impl Fn(Symbol) -> Symbol,
        mut term: impl FnMut(Term) -> Term,
    ) -> Self {
        match self {
            Operation::Skip => Operation::Skip,
            Operation::Assume(p) => Operation::Assume(term(*p)),
            Operation::Assign(s, e) => Operation::Assign(symbol(*s), term(*e)),
            Operation::Parallel(all) => {
                Operation::Parallel(all.iter().map(|&(s, e)| (symbol(s), term(e))).collect())
            }
            Operation::Havoc(s, origin) => Operation::Havoc(symbol(*s), *origin),
        }
    }

    /// The terms that it contains.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        let condition = match self {
            Operation::Assume(p) => Some(*p),
            _ => None,
        };
        condition.into_iter().chain(self.changes().filter_map(|(_, e)| e))
    }
}
