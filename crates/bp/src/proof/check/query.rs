//! Queries: a formula as clauses, or as a quantified formula.

use crate::proof::formula::{FALSE, Formula, Literal, TRUE, multiplexer};
use crate::proof::solving::Asker;
use hardbop_base::budget::Exhausted;
use hardbop_logic::cnf::Cnf;
use hardbop_logic::{Aig, Lit};
use hardbop_qbf::ForallExists;

/// Tseitin's encoding of `roots`, which have to hold; none is constant.  Multiplexers have clauses
/// of their own, since assertions may be diagrams.
fn clauses(formula: &Formula, roots: &[Literal]) -> Cnf {
    let (mut number, mut met) = (vec![0; formula.len() + 1], Vec::new());
    let mut literal = |l: Literal, met: &mut Vec<u32>| {
        let n: &mut i32 = &mut number[(l >> 1) as usize];
        if *n == 0 {
            met.push(l >> 1);
            *n = met.len() as i32;
        }
        if l & 1 == 1 { -*n } else { *n }
    };
    let mut clauses: Vec<Vec<i32>> = roots.iter().map(|&r| vec![literal(r, &mut met)]).collect();
    let mut next = 0;
    while let Some(&v) = met.get(next) {
        next += 1;
        let g = next as i32;
        if let Some((c, t, e)) = multiplexer(|v| formula.gate(v), v) {
            let [c, t, e] = [c, t, e].map(|l| literal(l, &mut met));
            clauses.extend([[-c, -t, g], [-c, t, -g], [c, -e, g], [c, e, -g]].map(Vec::from));
            clauses.extend([[-t, -e, g], [t, e, -g]].map(Vec::from));
        } else if let Some((a, b)) = formula.gate(v) {
            let [a, b] = [a, b].map(|l| literal(l, &mut met));
            clauses.extend([vec![-g, a], vec![-g, b], vec![g, -a, -b]]);
        }
    }
    Cnf { variables: met.len() as i32, clauses }
}

/// Whether `roots` contradict each other.
pub(super) fn contradictory(
    formula: &Formula,
    roots: &[Literal],
    asker: &mut Asker,
) -> Result<bool, Exhausted> {
    let open: Vec<Literal> = roots.iter().copied().filter(|&r| r != TRUE).collect();
    if open.contains(&FALSE) { Ok(true) } else { asker.unsatisfiable(&clauses(formula, &open)) }
}

/// Whether `goals` follow from `premises` with suitable values of `choices`, for all values of all
/// other inputs.
pub(super) fn implied(
    formula: &mut Formula,
    premises: &[Literal],
    goals: &[Literal],
    choices: &[Literal],
    asker: &mut Asker,
) -> Result<bool, Exhausted> {
    if choices.is_empty() {
        let violated = formula.all(goals) ^ 1;
        return contradictory(formula, &[premises, &[violated]].concat(), asker);
    }
    let mut aig = Aig::new();
    let mut image = vec![Lit::FALSE; formula.len() + 1];
    let of = |image: &[Lit], l: Literal| image[(l >> 1) as usize].xor_sign(l & 1 == 1);
    let mut existentials = Vec::new();
    for v in formula.cone(&[premises, goals].concat()) {
        image[v as usize] = match formula.gate(v) {
            Some((a, b)) => aig.and(of(&image, a), of(&image, b)),
            None => {
                let input = aig.new_input();
                existentials.extend(choices.binary_search(&(v << 1)).is_ok().then_some(input));
                aig.input(input)
            }
        };
    }
    let all = |literals: &[Literal]| literals.iter().map(|&l| of(&image, l)).collect();
    let (premise, conclusion) = (all(premises), all(goals));
    let query = ForallExists { existentials, premise, conclusion, equalities: Vec::new() };
    asker.valid(aig, &query)
}
