//! Which conditions are about which inputs, and names of inputs that do not depend on when they came.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use hardbop_smt::{Sort, Term, Terms};

/// The inputs in conditions that were asked for.
#[derive(Debug, Default)]
pub(super) struct Supports(FxHashMap<Term, Rc<[Term]>>);

impl Supports {
    pub fn of(&mut self, terms: &Terms, term: Term) -> Rc<[Term]> {
        self.0.entry(term).or_insert_with(|| terms.support(term).into()).clone()
    }

    /// The conjuncts of a path condition that say something of the inputs in some terms, or of inputs in such conjuncts, in
    /// their order.  The others hold for some values of other inputs, if the whole does for any.
    pub fn about(&mut self, terms: &Terms, path: &[Term], of: &[Term]) -> Vec<Term> {
        let mut inputs: FxHashSet<Term> = terms.support_of(of).into_iter().collect();
        let mut is_found = vec![false; path.len()];
        let mut grows = true;
        while grows {
            grows = false;
            for (found, &condition) in is_found.iter_mut().zip(path).filter(|(found, _)| !**found) {
                let support = self.of(terms, condition);
                if support.iter().any(|input| inputs.contains(input)) {
                    inputs.extend(support.iter());
                    (*found, grows) = (true, true);
                }
            }
        }
        path.iter().zip(is_found).filter(|(_, found)| *found).map(|(&c, _)| c).collect()
    }
}

/// Names for inputs, in the order in which they come.
#[derive(Debug, Default)]
pub(super) struct Names {
    memo: FxHashMap<Term, Term>,
    given: u32,
}

impl Names {
    /// A term over inputs with these names.
    pub fn rename(&mut self, terms: &mut Terms, term: Term) -> Term {
        let given = &mut self.given;
        terms.replace(term, &mut self.memo, |terms, part| {
            if !terms.node(part).is_leaf() {
                return None;
            }
            let sort = terms.sort(part);
            let Sort::Bits(bits) = sort else { return None };
            let name = format!("state{given}:{bits}");
            *given += 1;
            let symbol = terms.symbol(&name, sort);
            Some(terms.variable(symbol))
        })
    }
}
