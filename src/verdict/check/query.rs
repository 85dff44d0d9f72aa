//! One query: a formula to clauses or to a quantified one, to a solver, and its model back.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Observer, Options, Solved};
use crate::budget::{Budget, Exhausted};
use crate::logic::cnf::Cnf;
use crate::logic::{Aig, Input, Lit};
use crate::qbf::{ForallExists, Validity};
use crate::sat::{SatResult, SatSolver, drat};
use crate::verdict::formula::{FALSE, Formula, Literal, TRUE};

/// The value of each variable, the constant first; false where it does not matter.
pub(super) type Model = Vec<bool>;

/// The value of a literal.
pub(super) fn value(model: &Model, literal: Literal) -> bool {
    model[(literal >> 1) as usize] ^ (literal & 1 == 1)
}

/// The model with these inputs.
fn complete(formula: &Formula, inputs: impl Fn(u32) -> bool) -> Model {
    let mut model = vec![false; formula.len() + 1];
    for v in 1..model.len() as u32 {
        model[v as usize] = match formula.gate(v) {
            None => inputs(v),
            Some((a, b)) => value(&model, a) && value(&model, b),
        };
    }
    model
}

/// Tseitin's encoding of `root`, which is to hold; variable i+1 stands for `cone[i]`.
fn clauses(formula: &Formula, cone: &[u32], root: Literal) -> Cnf {
    let mut number = vec![0; formula.len() + 1];
    for (n, &v) in (1..).zip(cone) {
        number[v as usize] = n;
    }
    let literal = |l: Literal| {
        let v: i32 = number[(l >> 1) as usize];
        if l & 1 == 1 { -v } else { v }
    };
    let mut clauses = vec![vec![literal(root)]];
    for &v in cone {
        if let Some((a, b)) = formula.gate(v) {
            let (g, a, b) = (number[v as usize], literal(a), literal(b));
            clauses.extend([vec![-g, a], vec![-g, b], vec![g, -a, -b]]);
        }
    }
    Cnf { variables: cone.len() as i32, clauses }
}

/// Can `root` be true?
pub(super) fn satisfiable(
    formula: &Formula,
    root: Literal,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Option<Model>, Exhausted> {
    match root {
        FALSE => return Ok(None),
        TRUE => return Ok(Some(complete(formula, |_| false))),
        _ => {}
    }
    let cone = formula.cone(&[root]);
    let cnf = clauses(formula, &cone, root);
    let position = |v: u32| cone.binary_search(&v).ok();
    if options.proofs {
        return match drat::solve(&cnf, budget) {
            drat::Answer::Sat(values) => {
                Ok(Some(complete(formula, |v| position(v).is_some_and(|i| values[i]))))
            }
            drat::Answer::Unsat(proof) => {
                observer.solved(Solved::Sat { cnf: &cnf, proof: Some(&proof) });
                Ok(None)
            }
            drat::Answer::Unknown(reason) => Err(reason),
        };
    }
    let mut solver = options.sat.solver();
    for _ in &cone {
        solver.new_variable();
    }
    cnf.clauses.iter().for_each(|c| solver.add_clause(c));
    match solver.solve(&[], None, budget) {
        SatResult::Sat => Ok(Some(complete(formula, |v| {
            position(v).is_some_and(|i| solver.value(i as i32 + 1) == Some(true))
        }))),
        SatResult::Unsat => {
            observer.solved(Solved::Sat { cnf: &cnf, proof: None });
            Ok(None)
        }
        SatResult::Unknown(reason) => Err(reason),
        SatResult::ConflictLimit => Err(Exhausted::Cancelled),
    }
}

/// Why `goal` does not follow.
pub(super) enum Refuted {
    /// The premise holds, and no choices make the goal true.
    By(Model),
    /// The solver does not tell.
    Somehow,
}

/// Does `goal` follow from `premise` with suitable values of `choices`, for all values of all
/// other inputs?
pub(super) fn implied(
    formula: &Formula,
    premise: Literal,
    goal: Literal,
    choices: &[Literal],
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Option<Refuted>, Exhausted> {
    let mut aig = Aig::new();
    let mut image = vec![Lit::FALSE; formula.len() + 1];
    let of = |image: &[Lit], l: Literal| image[(l >> 1) as usize].xor_sign(l & 1 == 1);
    let quantified: FxHashSet<u32> = choices.iter().map(|c| c >> 1).collect();
    let mut variable: FxHashMap<Input, u32> = FxHashMap::default();
    let mut existentials = Vec::new();
    for v in formula.cone(&[premise, goal]) {
        image[v as usize] = match formula.gate(v) {
            Some((a, b)) => aig.and(of(&image, a), of(&image, b)),
            None => {
                let input = aig.new_input();
                variable.insert(input, v);
                if quantified.contains(&v) {
                    existentials.push(input);
                }
                aig.input(input)
            }
        };
    }
    let (premise, conclusion) = (vec![of(&image, premise)], vec![of(&image, goal)]);
    let query = ForallExists { existentials, premise, conclusion, equalities: Vec::new() };
    let mut solver = options.qbf.solver(0, options.sat);
    match solver.solve(&mut aig, &query, budget).validity {
        Validity::Valid => {
            observer.solved(Solved::Qbf { aig: &aig, query: &query });
            Ok(None)
        }
        Validity::Invalid { counterexample: None } => Ok(Some(Refuted::Somehow)),
        Validity::Invalid { counterexample: Some(values) } => {
            let on: FxHashSet<u32> =
                values.iter().filter(|v| v.1).filter_map(|v| variable.get(&v.0).copied()).collect();
            Ok(Some(Refuted::By(complete(formula, |v| on.contains(&v)))))
        }
        Validity::Unknown(reason) => Err(reason),
    }
}
