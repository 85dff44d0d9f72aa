//! Affine relations between variables, as candidates for predicates: `a + b == 3 * i`.
//!
//! An abstract interpretation infers at each location where blocks end the equations that all
//! executions satisfy (Karr, Acta Informatica 1976), with coefficients modulo 2^64 (Müller-Olm and
//! Seidl, TOPLAS 2007), so also which low bits are fixed.  Nothing rests on it: what it finds
//! counts only as far as predicate abstraction proves it.  So numbers may be taken for unbounded,
//! and conditions be ignored where they are not equations.

mod analysis;
mod code;
mod relation;
mod space;

use rustc_hash::FxHashMap;

use analysis::States;
use code::{Code, Quantity};
use relation::Variable;

use super::block::problem::Problem;
use super::limits;
use hardbop_cfa::Location;
use hardbop_smt::{Symbol, Term, Terms};

/// The affine relations of an automaton.
#[derive(Debug)]
pub struct Affine {
    /// The variables, with their columns.
    variables: Vec<(Symbol, usize, bool)>,
    at: FxHashMap<Location, States>,
    limits: limits::Affine,
}

impl Affine {
    /// Infers the relations; there are none if that is too much work.
    pub fn new(terms: &Terms, problem: &Problem, limits: limits::Affine) -> Self {
        let code = Code::new(terms, &problem.automaton, limits);
        let variables = code.quantities.iter().enumerate().filter_map(|(i, q)| match *q {
            Quantity::Variable(symbol) => Some((symbol, i + 1, code.unsigned.contains(&symbol))),
            Quantity::Rest(..) => None,
        });
        let mut variables: Vec<(Symbol, usize, bool)> = variables.collect();
        variables.sort_unstable();
        let mut at = FxHashMap::default();
        if !variables.is_empty() {
            at = analysis::spaces(problem, &code, limits, &mut 0).unwrap_or_default();
        }
        Self { variables, at, limits }
    }

    /// Relations between these variables at a location: those of all executions, then those of
    /// executions that agree on rests.
    pub fn relations(
        &self,
        terms: &mut Terms,
        location: Location,
        symbols: &[Symbol],
    ) -> Vec<Term> {
        let Some(states) = self.at.get(&location) else { return vec![] };
        let known = self.variables.iter().filter(|(s, ..)| symbols.contains(s));
        let (columns, variables): (Vec<usize>, Vec<Variable>) = known
            .map(|&(symbol, column, is_unsigned)| (column, Variable { symbol, is_unsigned }))
            .unzip();
        let mut spaces: Vec<&space::Space> = states.spaces().collect();
        let mut joined = spaces.first().copied().cloned();
        if let Some(joined) = &mut joined
            && spaces.len() > 1
        {
            for space in &spaces[1..] {
                joined.join(space, &mut 0);
            }
            spaces.insert(0, joined);
        }
        let mut found = vec![];
        for space in spaces {
            for relation in space.relations(&columns, &mut 0) {
                if let Some(t) = relation::term(terms, &relation, &variables, self.limits)
                    && !found.contains(&t)
                {
                    found.push(t);
                }
            }
        }
        found
    }
}
