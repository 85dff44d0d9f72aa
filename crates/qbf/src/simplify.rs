//! Simplification of a query without search, to a fixpoint.
//!
//! - What the premise implies is substituted into the conclusion.
//! - An equality with a bare existential side defines that existential (the one-point rule): ∃y. y = t ∧ φ is φ[y := t]
//!   where t does not contain y.  Conjuncts that are equivalences are used in the same way.
//! - An input that occurs with one sign only takes the value that is best for its quantifier.
//!
//! Every rule preserves the answer for each assignment to the universals, except the last, which fixes universals and
//! records their values.

use super::limits::Limits;
use super::problem::{Falsified, Problem};
use super::query::ForallExists;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input, Lit, Node, Substitution, shape};

/// The outcome of a simplification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Simplified {
    /// Nothing more can be simplified.
    Open,
    Valid,
    /// There is no existential answer at all: any model of the premise is a counterexample.
    Hopeless,
    Exhausted(Exhausted),
}

impl From<Falsified> for Simplified {
    fn from(f: Falsified) -> Self {
        match f {
            Falsified::Premise => Simplified::Valid,
            Falsified::Conclusion => Simplified::Hopeless,
        }
    }
}

/// The query after simplification, with its own graph; `None` if simplification decides it, except for at most one SAT
/// call.  For measurements: it shows how much other solvers gain from simplification.
///
/// # Errors
/// The limit that was reached.
pub fn simplified(
    aig: &Aig,
    query: &ForallExists,
    budget: &Budget,
) -> Result<Option<(Aig, ForallExists)>, Exhausted> {
    let mut problem = Problem::new(aig, query, Limits::default());
    match simplify(&mut problem, budget) {
        Simplified::Open => {}
        Simplified::Valid | Simplified::Hopeless => return Ok(None),
        Simplified::Exhausted(reason) => return Err(reason),
    }
    let existentials = problem.existential_support(problem.roots());
    let Problem { aig, premise, conclusion, equalities, .. } = problem;
    Ok(Some((aig, ForallExists { existentials, premise, conclusion, equalities })))
}

/// Simplifies until nothing changes.
pub(super) fn simplify(problem: &mut Problem, budget: &Budget) -> Simplified {
    loop {
        if let Err(reason) = budget.check() {
            return Simplified::Exhausted(reason);
        }
        match round(problem) {
            Err(f) => return f.into(),
            Ok(_) if problem.conclusion.is_empty() && problem.equalities.is_empty() => {
                return Simplified::Valid;
            }
            Ok(true) => {}
            Ok(false) => {
                problem.compact();
                // Rebuilding may simplify further, so conjuncts are split again.
                return match problem.flatten() {
                    Err(f) => f.into(),
                    Ok(()) if problem.conclusion.is_empty() && problem.equalities.is_empty() => {
                        Simplified::Valid
                    }
                    Ok(()) => Simplified::Open,
                };
            }
        }
    }
}

/// One pass; has anything changed?
fn round(problem: &mut Problem) -> Result<bool, Falsified> {
    problem.flatten()?;
    propagate_premise(problem)?;
    let defined = define(problem)?;
    let pure = pure_inputs(problem)?;
    Ok(defined || pure)
}

/// Substitutes what the premise implies into the conclusion; removes universals that it fixes.
fn propagate_premise(problem: &mut Problem) -> Result<(), Falsified> {
    loop {
        let mut units = Substitution::new();
        let mut open = Vec::new();
        for &l in &problem.premise {
            match problem.aig.as_input(l) {
                Some(i) => {
                    let value = !l.is_negated();
                    units.replace(&problem.aig, i, value.into());
                    problem.fixed.push((problem.origin[i.0 as usize], value));
                }
                None => open.push(l),
            }
        }
        if open.len() == problem.premise.len() {
            break;
        }
        problem.premise = problem.aig.substitute(&open, &mut units);
        problem.rewrite_conclusion(&mut units);
        problem.flatten()?;
    }
    let mut facts = Substitution::new();
    for &l in &problem.premise {
        facts.replace_node(l.node(), (!l.is_negated()).into());
    }
    problem.rewrite_conclusion(&mut facts);
    problem.flatten()
}

/// Substitutes existentials that an equality or a conjunct defines; were there any?
fn define(problem: &mut Problem) -> Result<bool, Falsified> {
    let mut any = false;
    loop {
        // Conjuncts that are equivalences and could define an existential become equalities.
        let mut conjuncts = Vec::with_capacity(problem.conclusion.len());
        for l in std::mem::take(&mut problem.conclusion) {
            match shape::as_iff(&problem.aig, l) {
                Some((a, b))
                    if problem.as_existential(a).is_some()
                        || problem.as_existential(b).is_some() =>
                {
                    problem.equalities.push((a, b));
                }
                _ => conjuncts.push(l),
            }
        }
        problem.conclusion = conjuncts;
        let dependent = problem.dependent_nodes();
        let mut round = Definitions::new(problem.origin.len());
        let mut conclusion = std::mem::take(&mut problem.conclusion);
        conclusion.retain(|&l| match problem.as_existential(l) {
            Some(y) => !round.try_define(y, (!l.is_negated()).into(), &[]),
            None => true,
        });
        problem.conclusion = conclusion;
        let mut equalities = std::mem::take(&mut problem.equalities);
        equalities.retain(|&(l, r)| {
            for (y_lit, t) in [(l, r), (r, l)] {
                let Some(y) = problem.as_existential(y_lit) else { continue };
                let support =
                    if dependent[t.node()] { problem.existential_support([t]) } else { Vec::new() };
                if round.try_define(y, t.xor_sign(y_lit.is_negated()), &support) {
                    return false;
                }
            }
            true
        });
        problem.equalities = equalities;
        if round.chosen.is_empty() {
            break;
        }
        any = true;
        let mut map = Substitution::new();
        for &(y, t) in &round.chosen {
            map.replace(&problem.aig, y, t);
        }
        problem.rewrite_conclusion(&mut map);
        problem.flatten()?;
    }
    Ok(any)
}

/// Definitions that may be substituted simultaneously: no defined input occurs in any of them.
struct Definitions {
    chosen: Vec<(Input, Lit)>,
    defined: Vec<bool>,
    used: Vec<bool>,
}

impl Definitions {
    fn new(inputs: usize) -> Self {
        Self { chosen: Vec::new(), defined: vec![false; inputs], used: vec![false; inputs] }
    }

    /// Adds `y := t` if it is compatible with the definitions so far; `support` are the existentials of `t`.
    fn try_define(&mut self, y: Input, t: Lit, support: &[Input]) -> bool {
        let y_index = y.0 as usize;
        if self.defined[y_index]
            || self.used[y_index]
            || support.iter().any(|&i| i == y || self.defined[i.0 as usize])
        {
            return false;
        }
        self.defined[y_index] = true;
        for i in support {
            self.used[i.0 as usize] = true;
        }
        self.chosen.push((y, t));
        true
    }
}

/// Fixes inputs that occur with one sign only; were there any?
fn pure_inputs(problem: &mut Problem) -> Result<bool, Falsified> {
    const POSITIVE: u8 = 1;
    const NEGATIVE: u8 = 2;
    let swap = |p: u8| (p >> 1) | ((p & 1) << 1);
    let mut sign = vec![0_u8; problem.aig.len()];
    let mut mark = |l: Lit, p: u8| {
        sign[l.node()] |= if l.is_negated() { swap(p) } else { p };
    };
    for &l in &problem.premise {
        mark(l, NEGATIVE);
    }
    for &l in &problem.conclusion {
        mark(l, POSITIVE);
    }
    for &(l, r) in &problem.equalities {
        mark(l, POSITIVE | NEGATIVE);
        mark(r, POSITIVE | NEGATIVE);
    }
    let mut map = Substitution::new();
    let mut any = false;
    for n in (1..sign.len()).rev() {
        let p = sign[n];
        if p == 0 {
            continue;
        }
        match problem.aig.node(n) {
            Node::False => {}
            Node::And(a, b) => {
                for l in [a, b] {
                    sign[l.node()] |= if l.is_negated() { swap(p) } else { p };
                }
            }
            Node::Input(i) => {
                if p == POSITIVE | NEGATIVE {
                    continue;
                }
                let helps = p == POSITIVE;
                let existential = problem.existential[i.0 as usize];
                let value = helps == existential;
                map.replace(&problem.aig, i, value.into());
                if !existential {
                    problem.fixed.push((problem.origin[i.0 as usize], value));
                }
                any = true;
            }
        }
    }
    if any {
        let premise = std::mem::take(&mut problem.premise);
        problem.premise = problem.aig.substitute(&premise, &mut map);
        problem.rewrite_conclusion(&mut map);
        problem.flatten()?;
    }
    Ok(any)
}
