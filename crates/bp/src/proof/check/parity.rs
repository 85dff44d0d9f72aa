//! Goals that follow by exclusive ors alone.
//!
//! Whether two sums modulo 2 are one, added up in other orders, is hard for SAT solvers from about
//! 60 terms on, and easy by elimination.  Nothing here is the engines':
//! `boolean/engine/pdr/linear.rs` is what finds such invariants.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::assertion::Goal;
use crate::proof::formula::{Formula, Literal, multiplexer};
use hardbop_base::budget::{Budget, Exhausted};

/// Sums of fewer terms are left to the SAT solver.  Other values were not measured.
const LONG: usize = 9;
/// A sum of more terms counts as a term of its own.  Other values were not measured.
const LONGEST: usize = 1_000;

/// The exclusive or of some variables, in ascending order, and of a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Sum {
    terms: Vec<u32>,
    constant: bool,
}

impl Sum {
    /// The sum that is true.
    const ONE: Self = Self { terms: vec![], constant: true };

    fn term(variable: u32) -> Self {
        Self { terms: vec![variable], constant: false }
    }

    fn plus(&self, other: &Self) -> Self {
        let (mut terms, mut rest) = (vec![], other.terms.iter().copied().peekable());
        for &term in &self.terms {
            while let Some(smaller) = rest.next_if(|&t| t < term) {
                terms.push(smaller);
            }
            if rest.next_if_eq(&term).is_none() {
                terms.push(term);
            }
        }
        terms.extend(rest);
        Self { terms, constant: self.constant ^ other.constant }
    }
}

/// Literals as sums: exclusive ors are taken apart; other gates, and sums of more than [`LONGEST`]
/// terms, are terms.
struct Sums<'f> {
    formula: &'f Formula,
    long: usize,
    known: FxHashMap<u32, Sum>,
}

impl Sums<'_> {
    fn of(&mut self, literal: Literal) -> Sum {
        let mut todo = vec![literal >> 1];
        while let Some(&v) = todo.last() {
            if self.known.contains_key(&v) {
                todo.pop();
                continue;
            }
            let sum = match multiplexer(|v| self.formula.gate(v), v) {
                _ if v == 0 => Sum::default(),
                None => Sum::term(v),
                Some((c, t, e)) => {
                    let open = [c, t, e].into_iter().map(|l| l >> 1);
                    let open: Vec<u32> = open.filter(|v| !self.known.contains_key(v)).collect();
                    if !open.is_empty() {
                        todo.extend(open);
                        continue;
                    }
                    let [c, t, e] = [c, t, e].map(|l| self.value(l));
                    // If c then not e else e; the sum counts, diagrams have two nodes for it.
                    let sum = if t.plus(&e) == Sum::ONE { c.plus(&e) } else { Sum::term(v) };
                    if sum.terms.len() <= LONGEST { sum } else { Sum::term(v) }
                }
            };
            self.known.insert(v, sum);
            todo.pop();
        }
        self.value(literal)
    }

    /// The sum of a literal whose variable's sum is known.
    fn value(&self, literal: Literal) -> Sum {
        let mut sum = self.known[&(literal >> 1)].clone();
        sum.constant ^= literal & 1 == 1;
        sum
    }

    /// Is one of these literals, or of what they say of two others, a long sum?
    fn are_long(&mut self, literals: &[Literal]) -> bool {
        literals.iter().any(|&l| {
            let (a, b) = clause(self.formula, l).unwrap_or((l, l));
            [l, a, b].into_iter().any(|l| self.of(l).terms.len() >= self.long)
        })
    }
}

/// Sums that are false, each by its last term, which is in no other as the last one.
#[derive(Clone, Default)]
struct Rows(BTreeMap<u32, Sum>);

impl Rows {
    /// The sum, with terms replaced by earlier ones as the rows say.
    fn reduced(&self, mut sum: Sum) -> Sum {
        while let Some(row) = sum.terms.iter().rev().find_map(|t| self.0.get(t)) {
            sum = sum.plus(row);
        }
        sum
    }

    /// Adds that these literals are true.  Returns whether that is possible, as far as sums tell.
    fn assume(&mut self, sums: &mut Sums, literals: &[Literal]) -> bool {
        let both = opposites(sums, literals);
        let each = literals.iter().map(|&literal| sums.of(literal ^ 1));
        each.chain(both).all(|sum| {
            let sum = self.reduced(sum);
            match sum.terms.last() {
                Some(&last) => self.0.insert(last, sum).is_none(),
                None => !sum.constant,
            }
        })
    }

    fn imply(&self, sums: &mut Sums, literal: Literal) -> bool {
        let is_false = |sum: Sum| self.reduced(sum) == Sum::default();
        if is_false(sums.of(literal ^ 1)) {
            return true;
        }
        // Not both of two: one is the other's negation.
        clause(sums.formula, literal)
            .is_some_and(|(a, b)| is_false(sums.of(a).plus(&sums.of(b ^ 1))))
    }
}

/// The operands of a gate that a literal negates.
fn clause(formula: &Formula, literal: Literal) -> Option<(Literal, Literal)> {
    formula.gate(literal >> 1).filter(|_| literal & 1 == 1)
}

/// Sums that are false where the literals are true: conjunctions are split, and so an exclusive or
/// has become two of them, not (c and x) and not (not c and not x).
fn opposites(sums: &mut Sums, literals: &[Literal]) -> Vec<Sum> {
    let clauses = literals.iter().filter_map(|&l| clause(sums.formula, l));
    let both_ways = clauses.flat_map(|(a, b)| [(a, b), (b, a)]);
    let both_ways: Vec<(Sum, Sum)> = both_ways.map(|(a, b)| (sums.of(a), sums.of(b))).collect();
    let known: BTreeSet<&(Sum, Sum)> = both_ways.iter().collect();
    let negated = |s: &Sum| s.plus(&Sum::ONE);
    let is_whole = |(c, x): &&(Sum, Sum)| known.contains(&(negated(c), negated(x)));
    both_ways.iter().filter(is_whole).map(|(c, x)| negated(&c.plus(x))).collect()
}

/// Drops goals without choices, and conjuncts of theirs, that follow from the facts by exclusive
/// ors.
///
/// # Errors
/// If the budget is exhausted.
pub(super) fn settle(
    formula: &Formula,
    facts: &[Literal],
    goals: &mut Vec<Goal>,
    budget: &Budget,
) -> Result<(), Exhausted> {
    eliminate(formula, facts, goals, LONG, budget)
}

/// Eliminates as above where some sum has so many terms.
fn eliminate(
    formula: &Formula,
    facts: &[Literal],
    goals: &mut Vec<Goal>,
    long: usize,
    budget: &Budget,
) -> Result<(), Exhausted> {
    let mut sums = Sums { formula, long, known: FxHashMap::default() };
    let facts: Vec<Literal> = facts.iter().flat_map(|&f| formula.conjuncts(f)).collect();
    let from_facts = sums.are_long(&facts);
    let asked: Vec<bool> = goals
        .iter()
        .map(|goal| {
            let (conjuncts, choices) = &goal.ways[0];
            let is_long = |s: &mut Sums| {
                s.are_long(conjuncts) || s.are_long(&formula.conjuncts(goal.reached))
            };
            choices.is_empty() && (from_facts || is_long(&mut sums))
        })
        .collect();
    if !asked.contains(&true) {
        return Ok(());
    }
    let mut known = Rows::default();
    if !known.assume(&mut sums, &facts) {
        goals.clear();
        return Ok(());
    }
    for (goal, _) in goals.iter_mut().zip(asked).filter(|(_, asked)| *asked) {
        budget.check()?;
        let mut rows = known.clone();
        let conjuncts = &mut goal.ways[0].0;
        if rows.assume(&mut sums, &formula.conjuncts(goal.reached)) {
            conjuncts.retain(|&l| !rows.imply(&mut sums, l));
        } else {
            conjuncts.clear();
        }
    }
    goals.retain(|goal| !goal.ways[0].0.is_empty());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::program::{NodeId, ProcId};
    use crate::proof::failure::Obligation;
    use crate::proof::formula::FALSE;
    use hardbop_base::random::Random;

    const INPUTS: usize = 5;

    /// Whether a literal is true, by valuation of the inputs.
    fn table(formula: &Formula, literal: Literal) -> u32 {
        let mut words: Vec<u32> = vec![0];
        for v in 1..=formula.len() as u32 {
            let of = |l: Literal| words[(l >> 1) as usize] ^ if l & 1 == 1 { !0 } else { 0 };
            let word = match formula.gate(v) {
                Some((a, b)) => of(a) & of(b),
                // The first variables are the inputs.
                None => (0..32).filter(|i| i >> (v - 1) & 1 == 1).fold(0, |w, i| w | 1 << i),
            };
            words.push(word);
        }
        words[(literal >> 1) as usize] ^ if literal & 1 == 1 { !0 } else { 0 }
    }

    /// Conjuncts that are dropped follow; and of sums alone, whatever follows is dropped.
    #[test]
    fn elimination_against_tables() {
        let mut random = Random::new(5);
        let (mut dropped, mut kept) = (0, 0);
        for round in 0..4_000 {
            let mut formula = Formula::new();
            let mut pool: Vec<Literal> = (0..INPUTS).map(|_| formula.input()).collect();
            pool.push(FALSE);
            let only_sums = round % 2 == 0;
            for _ in 0..12 {
                let pick = |r: &mut Random| pool[r.below(pool.len())] ^ u32::from(r.chance(50));
                let (a, b) = (pick(&mut random), pick(&mut random));
                let sum = only_sums || random.chance(60);
                pool.push(if sum { formula.iff(a, b) } else { formula.and(a, b) });
            }
            let mut some = |n: usize| -> Vec<Literal> {
                (0..n)
                    .map(|_| pool[random.below(pool.len())] ^ u32::from(random.chance(50)))
                    .collect()
            };
            let (facts, reached, wanted) = (some(2), some(2), some(3));
            let reached = formula.all(&reached);
            let what = (Obligation::Start, (ProcId(0), NodeId(0)), None);
            let ways = vec![(wanted.clone(), vec![])];
            let mut goals = vec![Goal { what, layer: 0, reached, ways }];
            let budget = Budget::unlimited();
            assert_eq!(eliminate(&formula, &facts, &mut goals, 0, &budget), Ok(()));
            let left = goals.pop().map_or(vec![], |mut g| g.ways.swap_remove(0).0);
            let given = facts.iter().fold(table(&formula, reached), |w, &f| w & table(&formula, f));
            for goal in wanted {
                let holds = given & !table(&formula, goal) == 0;
                let is_left = left.contains(&goal);
                assert!(holds || is_left, "{goal} does not follow");
                assert!(!only_sums || !holds || !is_left, "{goal} follows");
                *if is_left { &mut kept } else { &mut dropped } += 1;
            }
        }
        assert!(dropped > 500 && kept > 500, "{dropped} dropped, {kept} kept");
    }
}
