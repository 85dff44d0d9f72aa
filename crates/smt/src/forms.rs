//! Forms of a formula that are short to read: small conjunctions of clauses, and disjunctions of
//! cubes.

use super::circuit::BlastSolver;
use super::solver::{SmtAnswer, SmtError, SmtSolver};
use super::term::{Node, Sort, Term, Terms};
use hardbop_base::budget::Budget;

/// Formulas with more nodes have no other forms.
const LARGEST: usize = 4_000;
/// The most clauses of a form, before any is left out.
const CLAUSES: usize = 128;
/// The deepest nesting that is taken apart.
const DEPTH: usize = 256;
/// Conflicts per query.
const CONFLICTS: u32 = 200;
/// Queries per form.
const QUERIES: usize = 400;

/// Literals, of which at least one holds.
type Clause = Vec<Term>;

/// Other formulas that mean the same, without what the rest of them implies: a conjunction of
/// clauses and a disjunction of cubes, as far as these are small enough.  The same in every run
/// within the same budget.
///
/// # Panics
/// If the term is not a formula.
pub fn forms(terms: &mut Terms, formula: Term, budget: &Budget) -> Vec<Term> {
    if terms.size(formula) > LARGEST {
        return vec![];
    }
    let mut found = vec![];
    if let Ok(Some(clauses)) = minimal(terms, formula, budget) {
        let all: Vec<Term> = clauses.iter().map(|c| terms.or(c)).collect();
        found.push(terms.and(&all));
    }
    let opposite = terms.not(formula);
    if let Ok(Some(clauses)) = minimal(terms, opposite, budget) {
        let mut cubes = vec![];
        for clause in clauses {
            let literals: Vec<Term> = clause.iter().map(|&l| terms.not(l)).collect();
            cubes.push(terms.and(&literals));
        }
        found.push(terms.or(&cubes));
    }
    found
}

/// The formula as a conjunction of clauses, none of which can lose a literal or is implied by the
/// others, as far as few queries show it.
fn minimal(
    terms: &mut Terms,
    formula: Term,
    budget: &Budget,
) -> Result<Option<Vec<Clause>>, SmtError> {
    let Some(all) = clauses(terms, formula, false, 0) else { return Ok(None) };
    let mut query = Query { solver: BlastSolver::new(), left: QUERIES, budget };
    query.solver.limit_conflicts(Some(CONFLICTS));
    query.solver.assert(terms, formula)?;
    let mut short: Vec<Clause> = vec![];
    for clause in all {
        let clause = query.shortened(terms, clause)?;
        if !short.contains(&clause) {
            short.push(clause);
        }
    }
    short.sort_by_key(Vec::len);
    let mut query = Query { solver: BlastSolver::new(), left: QUERIES, budget };
    query.solver.limit_conflicts(Some(CONFLICTS));
    // The longest ones are the first to go.
    for i in (0..short.len()).rev() {
        let mut assumed: Vec<Term> = short[i].iter().map(|&l| terms.not(l)).collect();
        let others = short.iter().enumerate().filter(|&(k, _)| k != i);
        assumed.extend(others.map(|(_, c)| terms.or(c)).collect::<Vec<_>>());
        if query.refutes(terms, &assumed)? {
            short.remove(i);
        }
    }
    Ok(Some(short))
}

/// A solver that is asked a few times.
struct Query<'b> {
    solver: BlastSolver,
    left: usize,
    budget: &'b Budget,
}

impl Query<'_> {
    fn refutes(&mut self, terms: &Terms, assumed: &[Term]) -> Result<bool, SmtError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        Ok(self.solver.check(terms, assumed, self.budget)? == SmtAnswer::Unsat)
    }

    /// A part of the clause that what was asserted implies.
    fn shortened(&mut self, terms: &mut Terms, clause: Clause) -> Result<Clause, SmtError> {
        let mut kept: Vec<(Term, Term)> = clause.iter().map(|&l| (l, terms.not(l))).collect();
        let mut at = 0;
        while at < kept.len() && kept.len() > 1 {
            let others = kept.iter().enumerate().filter(|&(i, _)| i != at);
            let assumed: Vec<Term> = others.map(|(_, &(_, not))| not).collect();
            if self.refutes(terms, &assumed)? {
                kept.remove(at);
            } else {
                at += 1;
            }
        }
        Ok(kept.into_iter().map(|(literal, _)| literal).collect())
    }
}

/// The clauses of a formula, or of its negation; none where they are too many.
fn clauses(terms: &mut Terms, t: Term, negated: bool, depth: usize) -> Option<Vec<Clause>> {
    if depth > DEPTH {
        return None;
    }
    let depth = depth + 1;
    let node = terms.node(t).clone();
    let found = match node {
        Node::Bool(value) if value == negated => vec![vec![]],
        Node::Bool(_) => vec![],
        Node::Not(a) => clauses(terms, a, !negated, depth)?,
        Node::And(parts) if !negated => all(terms, &parts, false, depth)?,
        Node::Or(parts) if negated => all(terms, &parts, true, depth)?,
        Node::And(parts) | Node::Or(parts) => {
            let mut product = vec![vec![]];
            for &part in parts.iter() {
                let next = clauses(terms, part, negated, depth)?;
                product = either(terms, &product, &next)?;
            }
            product
        }
        Node::Ite(c, a, b) => {
            let mut found = vec![];
            for (branch, opposite) in [(a, true), (b, false)] {
                let left = clauses(terms, c, opposite, depth)?;
                let right = clauses(terms, branch, negated, depth)?;
                found.extend(either(terms, &left, &right)?);
            }
            found
        }
        Node::Equal(a, b) if terms.sort(a) == Sort::Bool => {
            let mut found = vec![];
            for side in [false, true] {
                let left = clauses(terms, a, side, depth)?;
                let right = clauses(terms, b, side == negated, depth)?;
                found.extend(either(terms, &left, &right)?);
            }
            found
        }
        _ => vec![vec![if negated { terms.not(t) } else { t }]],
    };
    (found.len() <= CLAUSES).then_some(found)
}

/// The clauses of several formulas, or of their negations.
fn all(terms: &mut Terms, parts: &[Term], negated: bool, depth: usize) -> Option<Vec<Clause>> {
    let mut found = vec![];
    for &part in parts {
        found.extend(clauses(terms, part, negated, depth)?);
        if found.len() > CLAUSES {
            return None;
        }
    }
    Some(found)
}

/// The clauses of a disjunction of two formulas, by the clauses of both.
fn either(terms: &mut Terms, left: &[Clause], right: &[Clause]) -> Option<Vec<Clause>> {
    let mut found: Vec<Clause> = vec![];
    for a in left {
        'next: for b in right {
            let mut clause = a.clone();
            for &literal in b {
                let opposite = terms.not(literal);
                if clause.contains(&opposite) {
                    continue 'next;
                }
                if !clause.contains(&literal) {
                    clause.push(literal);
                }
            }
            if !found.contains(&clause) {
                found.push(clause);
            }
        }
        if found.len() > CLAUSES {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::super::term::{Comparison, Value};
    use super::*;

    /// Forms mean the same, and what is implied is gone.
    #[test]
    fn forms_mean_the_same() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(4));
        let x = terms.variable(x);
        let flags: Vec<Term> = (0..3)
            .map(|i| terms.symbol(&format!("b{i}"), Sort::Bool))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|s| terms.variable(s))
            .collect();
        let at_most = |terms: &mut Terms, n: u64| {
            let n = terms.bits(4, n);
            terms.compare(Comparison::ULe, x, n)
        };
        let (five, nine) = (at_most(&mut terms, 5), at_most(&mut terms, 9));
        let inner = terms.ite(flags[1], five, flags[2]);
        let other = terms.ite(flags[2], nine, inner);
        let tree = terms.ite(flags[0], inner, other);
        let formula = terms.and(&[tree, nine]);
        let found = forms(&mut terms, formula, &Budget::unlimited());
        assert_eq!(found.len(), 2);
        for value in 0..128_u64 {
            let leaf = |t: Term| match flags.iter().position(|&f| f == t) {
                Some(i) => Some(Value::Bool(value >> i & 1 == 1)),
                None if t == x => Some(Value::Bits(value >> 3)),
                None => None,
            };
            let wanted = terms.evaluate(formula, &leaf);
            assert!(found.iter().all(|&f| terms.evaluate(f, &leaf) == wanted), "{value}");
        }
        let both = terms.and(&[five, nine]);
        assert_eq!(forms(&mut terms, both, &Budget::unlimited()), [five, five]);
    }
}
