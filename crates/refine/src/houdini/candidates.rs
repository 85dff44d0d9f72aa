//! The candidates at a location: what the text suggests, and relations that loops often preserve.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::arrays::Arrays;
use super::ends::Ends;
use crate::affine::Affine;
use crate::block::problem::Problem;
use crate::limits;
use crate::select::candidates::Candidates;
use hardbop_cfa::Location;
use hardbop_smt::{Comparison, Node, Sort, Symbol, Term, Terms};

/// Constants with which a variable is compared.
const CONSTANTS: usize = 48;
/// Conditions under which a candidate may hold.
const GUARDS: usize = 16;

/// The sources of candidates.
pub struct Sources {
    text: Candidates,
    arrays: Arrays,
    ends: Ends,
    affine: Affine,
}

impl Sources {
    pub fn new(terms: &mut Terms, problem: &Problem, limits: limits::Limits) -> Self {
        let operations = problem.automaton.edges.iter().map(|e| &e.operation);
        let text = Candidates::new(terms, operations.clone());
        let arrays = Arrays::new(terms, operations.clone());
        let ends = Ends::new(terms, operations);
        let affine = Affine::new(terms, problem, limits.affine);
        Self { text, arrays, ends, affine }
    }

    /// The candidates about these variables at a location, in no particular order.
    pub fn at(&self, terms: &mut Terms, location: Location, live: &[Symbol]) -> Vec<Term> {
        let mut found: IndexSet<Term, FxBuildHasher> = IndexSet::default();
        let few: Vec<Symbol> = live.iter().copied().filter(|&s| !self.arrays.contains(s)).collect();
        found.extend(self.affine.relations(terms, location, &few));
        let guards = self.guards(terms, &few);
        found.extend(self.arrays.candidates(terms, live, &self.text, &guards));
        found.extend(self.ends.candidates(terms, live, &self.text, &guards));
        for &s in &few {
            for atom in self.text.of(terms, s, CONSTANTS) {
                if is_about(terms, atom, live) {
                    found.extend([atom, terms.not(atom)]);
                }
            }
            let Sort::Bits(width) = terms.symbol_sort(s) else { continue };
            if width == 1 {
                continue;
            }
            let x = terms.variable(s);
            let mut constants = self.text.values(s);
            constants.sort_unstable();
            for c in constants.into_iter().take(CONSTANTS).chain([0]) {
                let c = terms.bits(width, c);
                found.extend(orders(terms, x, c));
            }
        }
        found.into_iter().filter(|&t| terms.value(t).is_none()).collect()
    }

    /// Comparisons of one variable with a number, and their negations.
    fn guards(&self, terms: &mut Terms, live: &[Symbol]) -> Vec<Term> {
        let mut found = vec![];
        for &s in live {
            // What only says which cell is tracked, or where a text ends, decides no branch of the program.
            if terms.name(s).contains('/') {
                continue;
            }
            for atom in self.text.of(terms, s, CONSTANTS) {
                let is_one = terms.support(atom).len() == 1;
                if is_one && matches!(terms.node(atom), Node::Equal(..)) && found.len() < GUARDS {
                    found.extend([atom, terms.not(atom)]);
                }
            }
        }
        found
    }
}

/// Whether an atom has no other variables than these.
fn is_about(terms: &Terms, atom: Term, variables: &[Symbol]) -> bool {
    terms.support(atom).into_iter().all(|leaf| match terms.node(leaf) {
        Node::Variable(s) => variables.binary_search(s).is_ok(),
        _ => false,
    })
}

/// The orders in which a value and a number may be, with signs.
fn orders(terms: &mut Terms, x: Term, number: Term) -> [Term; 5] {
    use Comparison::{SLe, SLt};
    let [below, most] = [SLt, SLe].map(|order| terms.compare(order, x, number));
    let [above, least] = [SLt, SLe].map(|order| terms.compare(order, number, x));
    [terms.equal(x, number), below, most, above, least]
}
