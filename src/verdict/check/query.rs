//! One query: a formula to clauses or to a quantified one, and to a solver.

use rustc_hash::FxHashSet;

use super::{Observer, Options, Solved};
use crate::budget::{Budget, Exhausted};
use crate::logic::cnf::Cnf;
use crate::logic::{Aig, Lit};
use crate::qbf::{ForallExists, Validity};
use crate::sat::{SatResult, SatSolver, drat};
use crate::verdict::failure::Effort;
use crate::verdict::formula::{FALSE, Formula, Literal, TRUE};

/// Asks the solvers, and counts.
pub(super) struct Asker<'a> {
    pub options: &'a Options,
    pub budget: &'a Budget,
    pub observer: &'a mut dyn Observer,
    pub effort: &'a mut Effort,
}

/// Tseitin's encoding of `roots`, which are to hold.
fn clauses(formula: &Formula, roots: &[Literal]) -> Cnf {
    let cone = formula.cone(roots);
    let mut number = vec![0; formula.len() + 1];
    for (n, &v) in (1..).zip(&cone) {
        number[v as usize] = n;
    }
    let literal = |l: Literal| {
        let n: i32 = number[(l >> 1) as usize];
        if l & 1 == 1 { -n } else { n }
    };
    let mut clauses: Vec<Vec<i32>> = roots.iter().map(|&root| vec![literal(root)]).collect();
    for &v in &cone {
        if let Some((a, b)) = formula.gate(v) {
            let (g, a, b) = (literal(v << 1), literal(a), literal(b));
            clauses.extend([vec![-g, a], vec![-g, b], vec![g, -a, -b]]);
        }
    }
    Cnf { variables: cone.len() as i32, clauses }
}

impl Asker<'_> {
    /// Do `roots` contradict each other?
    pub fn contradictory(
        &mut self,
        formula: &Formula,
        roots: &[Literal],
    ) -> Result<bool, Exhausted> {
        if roots.contains(&FALSE) {
            return Ok(true);
        }
        let roots: Vec<Literal> = roots.iter().copied().filter(|&r| r != TRUE).collect();
        let cnf = clauses(formula, &roots);
        self.effort.sat_queries += 1;
        let proof = if self.options.proofs {
            match drat::solve(&cnf, self.budget) {
                drat::Answer::Sat(_) => return Ok(false),
                drat::Answer::Unsat(proof) => Some(proof),
                drat::Answer::Unknown(reason) => return Err(reason),
            }
        } else {
            let mut solver = self.options.sat.solver();
            (0..cnf.variables).for_each(|_| _ = solver.new_variable());
            cnf.clauses.iter().for_each(|c| solver.add_clause(c));
            match solver.solve(&[], None, self.budget) {
                SatResult::Sat => return Ok(false),
                SatResult::Unsat => None,
                SatResult::Unknown(reason) => return Err(reason),
                SatResult::ConflictLimit => return Err(Exhausted::Cancelled),
            }
        };
        self.observer.solved(Solved::Sat { cnf: &cnf, proof: proof.as_deref() });
        Ok(true)
    }

    /// Do `goals` follow from `premises` with suitable values of `choices`, for all values of all
    /// other inputs?
    pub fn implied(
        &mut self,
        formula: &Formula,
        premises: &[Literal],
        goals: &[Literal],
        choices: &[Literal],
    ) -> Result<bool, Exhausted> {
        if choices.is_empty() {
            let mut formula = formula.clone();
            let all = goals.iter().fold(TRUE, |all, &g| formula.and(all, g));
            return self.contradictory(&formula, &[premises, &[all ^ 1]].concat());
        }
        let mut aig = Aig::new();
        let mut image = vec![Lit::FALSE; formula.len() + 1];
        let of = |image: &[Lit], l: Literal| image[(l >> 1) as usize].xor_sign(l & 1 == 1);
        let quantified: FxHashSet<u32> = choices.iter().map(|c| c >> 1).collect();
        let mut existentials = Vec::new();
        for v in formula.cone(&[premises, goals].concat()) {
            image[v as usize] = match formula.gate(v) {
                Some((a, b)) => aig.and(of(&image, a), of(&image, b)),
                None => {
                    let input = aig.new_input();
                    existentials.extend(quantified.contains(&v).then_some(input));
                    aig.input(input)
                }
            };
        }
        let all = |literals: &[Literal]| literals.iter().map(|&l| of(&image, l)).collect();
        let (premise, conclusion) = (all(premises), all(goals));
        let query = ForallExists { existentials, premise, conclusion, equalities: Vec::new() };
        self.effort.qbf_queries += 1;
        let mut solver = self.options.qbf.solver(0, self.options.sat);
        match solver.solve(&mut aig, &query, self.budget).validity {
            Validity::Valid => {
                self.observer.solved(Solved::Qbf { aig: &aig, query: &query });
                Ok(true)
            }
            Validity::Invalid { .. } => Ok(false),
            Validity::Unknown(reason) => Err(reason),
        }
    }
}
