//! The formula of a path (Sect. II-B of "Software Model Checking via Large-Block Encoding": SP_σ,
//! the strongest postcondition of a sequence of operations), block by block.

use rustc_hash::FxHashMap;

use super::problem::Problem;
use hardbop_smt::{Node, Symbol, Term, Terms};

/// The formula of a path: one conjunction per block, over instances.
#[derive(Debug, Clone, Default)]
pub struct PathFormula {
    /// The conjuncts of each block.  A variable that a block changes has a new instance after it,
    /// defined by an equation.
    pub blocks: Vec<Vec<Term>>,
    /// The instances of inputs in each block, by position of the edge in the block.
    pub inputs: Vec<Vec<(u32, Term)>>,
    /// The instances of variables after each block, for variables that have changed so far.
    pub values: Vec<FxHashMap<Symbol, u32>>,
}

/// The formula of a sequence of blocks that begins at the program's entry.
pub fn formula(terms: &mut Terms, problem: &mut Problem, blocks: &[usize]) -> PathFormula {
    let mut path = PathFormula::default();
    // The current instance of each variable, and the last one in use.
    let mut current: FxHashMap<Symbol, u32> = FxHashMap::default();
    let mut last: FxHashMap<Symbol, u32> = FxHashMap::default();
    for &block in blocks {
        let relation = problem.relation(terms, block).clone();
        let mut inner: FxHashMap<(Symbol, u32), u32> = FxHashMap::default();
        let mut rename = |terms: &mut Terms, t: Term| {
            terms.substitute(t, |terms, leaf| {
                let &Node::Instance(symbol, index) = terms.node(leaf) else { return None };
                let to = match index {
                    0 => current.get(&symbol).copied().unwrap_or(0),
                    _ => *inner.entry((symbol, index)).or_insert_with(|| {
                        let next = last.entry(symbol).or_default();
                        *next += 1;
                        *next
                    }),
                };
                Some(terms.instance(symbol, to))
            })
        };
        let mut conjuncts: Vec<Term> =
            relation.conjuncts.iter().map(|&c| rename(terms, c)).collect();
        let inputs = relation.inputs.iter().map(|&(e, _, t, _)| (e, rename(terms, t))).collect();
        let post: Vec<(Symbol, Term)> =
            relation.post.iter().map(|&(s, t)| (s, rename(terms, t))).collect();
        for (symbol, value) in post {
            // If the value is itself an instance of the variable, no new one is needed.
            if let Node::Instance(s, index) = *terms.node(value)
                && s == symbol
            {
                current.insert(symbol, index);
                continue;
            }
            let next = last.entry(symbol).or_default();
            *next += 1;
            current.insert(symbol, *next);
            let new = terms.instance(symbol, *next);
            conjuncts.push(terms.equal(new, value));
        }
        path.blocks.push(conjuncts);
        path.inputs.push(inputs);
        path.values.push(current.clone());
    }
    path
}

impl PathFormula {
    /// A formula over program variables, read after block i.
    pub fn after(&self, terms: &mut Terms, i: usize, formula: Term) -> Term {
        terms.substitute(formula, |terms, leaf| {
            let &Node::Variable(s) = terms.node(leaf) else { return None };
            let index = self.values[i].get(&s).copied().unwrap_or(0);
            Some(terms.instance(s, index))
        })
    }
}
