//! Converts a quantified formula in conjunctive normal form to a [`ForallExists`].
//!
//! Gates that were encoded as clauses are recognised ([`hardbop_logic::gates`]) and become equalities that define
//! existentials; without them, solvers would see a large number of small conjuncts.  An innermost ∀ is eliminated by
//! dropping its literals from the clauses (universal reduction: Kleine Büning, Karpinski and Flögel, "Resolution for
//! quantified Boolean formulas", 1995).  The rest must be ∀∃, or a part of it.

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::query::ForallExists;
use hardbop_logic::gates::{Gate, gates};
use hardbop_logic::qdimacs::{Qbf, Quantifier};
use hardbop_logic::{Aig, Input, Lit};

/// A prefix with too many alternations.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PrefixError {
    #[error(
        "an existential block outside of a universal one that has another existential block \
         inside: only prefixes ∀∃ are supported"
    )]
    Block { line: usize },
    #[error(
        "variable {variable} is not quantified, so it is existential and outermost; but only \
         prefixes ∀∃ are supported"
    )]
    Free { variable: i32 },
}

/// A formula over a graph.
#[derive(Debug)]
pub struct Prenex {
    pub aig: Aig,
    pub query: ForallExists,
    /// For each input, the variable of the formula.
    pub variables: Vec<i32>,
}

/// A quantifier block, without variables that do not occur; the line is `None` for free variables.
struct Block {
    quantifier: Quantifier,
    line: Option<usize>,
    variables: Vec<i32>,
}

/// Converts a formula.
///
/// # Errors
/// If there are too many blocks: the first superfluous one.
pub fn prenex(qbf: &Qbf) -> Result<Prenex, PrefixError> {
    let mut clauses: Vec<Vec<i32>> = qbf.matrix.clauses.iter().filter_map(|c| proper(c)).collect();
    let mut blocks = blocks(qbf, &clauses);
    // A single block is kept, since its values are the counterexample.
    if blocks.len() > 1
        && let Some(last) = blocks.pop_if(|b| b.quantifier == Quantifier::Forall)
    {
        clauses
            .iter_mut()
            .for_each(|c| c.retain(|l| last.variables.binary_search(&l.abs()).is_err()));
    }
    if let [outermost, _, _, ..] = &blocks[..] {
        let outermost =
            if outermost.quantifier == Quantifier::Forall { &blocks[1] } else { outermost };
        return Err(match (outermost.line, &outermost.variables[..]) {
            (None, &[variable, ..]) => PrefixError::Free { variable },
            (line, _) => PrefixError::Block { line: line.unwrap_or(1) },
        });
    }

    let mut aig = Aig::new();
    let mut variables = Vec::new();
    // By variable; a map, since variable numbers may have large gaps.
    let mut literal: FxHashMap<i32, Lit> = FxHashMap::default();
    let mut existentials = Vec::new();
    let mut existential: FxHashSet<i32> = FxHashSet::default();
    for block in &blocks {
        for &v in &block.variables {
            let input = aig.new_input();
            literal.insert(v, aig.input(input));
            variables.push(v);
            if block.quantifier == Quantifier::Exists {
                existentials.push(input);
                existential.insert(v);
            }
        }
    }
    let of = |l: i32| literal[&l.abs()].xor_sign(l < 0);
    let (definitions, rest) = gates(clauses, |v| existential.contains(&v));
    let mut query = ForallExists { existentials, ..ForallExists::default() };
    for definition in definitions {
        let value = match definition.gate {
            Gate::And(lits) => aig.and_all(lits.into_iter().map(of)),
            Gate::IfThenElse(c, t, e) => aig.ite(of(c), of(t), of(e)),
        };
        query.equalities.push((of(definition.output), value));
    }
    query.conclusion = rest.iter().map(|c| aig.or_all(c.iter().map(|&l| of(l)))).collect();
    Ok(Prenex { aig, query, variables })
}

/// A clause without repetitions; `None` for a tautology.
fn proper(clause: &[i32]) -> Option<Vec<i32>> {
    let mut clause = clause.to_vec();
    clause.sort_unstable_by_key(|l| (l.abs(), *l));
    clause.dedup();
    let tautology = clause.windows(2).any(|w| w[0] == -w[1]);
    (!tautology).then_some(clause)
}

/// The prefix, restricted to variables that occur, with maximal and sorted blocks.
fn blocks(qbf: &Qbf, clauses: &[Vec<i32>]) -> Vec<Block> {
    let occurs: FxHashSet<i32> = clauses.iter().flatten().map(|l| l.abs()).collect();
    let quantified: FxHashSet<i32> =
        qbf.prefix.iter().flat_map(|b| b.variables.iter().copied()).collect();
    let free: Vec<i32> = occurs.difference(&quantified).copied().collect();
    let mut blocks = vec![Block { quantifier: Quantifier::Exists, line: None, variables: free }];
    for b in &qbf.prefix {
        let mut variables = b.variables.clone();
        variables.retain(|v| occurs.contains(v));
        match blocks.last_mut() {
            _ if variables.is_empty() => {}
            Some(last) if last.quantifier == b.quantifier && !last.variables.is_empty() => {
                last.variables.append(&mut variables)
            }
            _ => {
                let (quantifier, line) = (b.quantifier, Some(b.line));
                blocks.push(Block { quantifier, line, variables });
            }
        }
    }
    blocks.retain(|b| !b.variables.is_empty());
    blocks.iter_mut().for_each(|b| b.variables.sort_unstable());
    blocks
}

impl Prenex {
    /// The values of a counterexample as literals of the formula.
    pub fn literals(&self, values: &[(Input, bool)]) -> Vec<i32> {
        let literal = |&(i, value): &(Input, bool)| {
            let v = self.variables[i.0 as usize];
            if value { v } else { -v }
        };
        values.iter().map(literal).collect()
    }
}
