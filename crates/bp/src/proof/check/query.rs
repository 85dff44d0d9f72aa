//! Queries: a formula as clauses, or as a quantified formula.

use crate::proof::formula::{FALSE, Formula, Literal, TRUE, multiplexer};
use crate::proof::solving::Asker;
use hardbop_base::budget::Exhausted;
use hardbop_logic::cnf::Cnf;
use hardbop_logic::{Aig, Input, Lit};
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
    if open.contains(&FALSE) {
        return Ok(true);
    }
    asker.unsatisfiable(&clauses(formula, &open), || {
        let mut graph = Graph::new(formula);
        graph.add(&open);
        let roots = graph.all(&open);
        (graph.aig, roots)
    })
}

/// A formula as a graph of the solvers.
struct Graph<'a> {
    formula: &'a Formula,
    aig: Aig,
    /// By variable of the formula.
    image: Vec<Lit>,
}

impl<'a> Graph<'a> {
    fn new(formula: &'a Formula) -> Self {
        Self { formula, aig: Aig::new(), image: vec![Lit::FALSE; formula.len() + 1] }
    }

    fn of(&self, l: Literal) -> Lit {
        self.image[(l >> 1) as usize].xor_sign(l & 1 == 1)
    }

    fn all(&self, literals: &[Literal]) -> Vec<Lit> {
        literals.iter().map(|&l| self.of(l)).collect()
    }

    /// Adds what some literals depend on; the inputs among these, each with its variable.
    fn add(&mut self, roots: &[Literal]) -> Vec<(u32, Input)> {
        let mut inputs = vec![];
        for v in self.formula.cone(roots) {
            self.image[v as usize] = match self.formula.gate(v) {
                Some((a, b)) => {
                    let (a, b) = (self.of(a), self.of(b));
                    self.aig.and(a, b)
                }
                None => {
                    let input = self.aig.new_input();
                    inputs.push((v, input));
                    self.aig.input(input)
                }
            };
        }
        inputs
    }
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
    let mut graph = Graph::new(formula);
    let inputs = graph.add(&[premises, goals].concat()).into_iter();
    let is_choice = |v: u32| choices.binary_search(&(v << 1)).is_ok();
    let existentials = inputs.filter(|&(v, _)| is_choice(v)).map(|(_, input)| input).collect();
    let (premise, conclusion) = (graph.all(premises), graph.all(goals));
    let query = ForallExists { existentials, premise, conclusion, equalities: Vec::new() };
    asker.valid(graph.aig, &query)
}
