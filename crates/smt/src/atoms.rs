//! The atoms of a formula, as predicates over program variables.

use indexmap::IndexSet;

use super::term::{Memo, Node, Sort, Term, Terms};

/// The most atoms into which one atom is split when its `ite`s are lifted; if there were more, it
/// stays whole.
const LIFTED: usize = 64;

impl Terms {
    /// The term over variables instead of their instances: `x` instead of `x@i`.
    pub fn to_variables(&mut self, t: Term) -> Term {
        self.substitute(t, |terms, leaf| match *terms.node(leaf) {
            Node::Instance(symbol, _) => Some(terms.variable(symbol)),
            _ => None,
        })
    }

    /// The atoms of a formula: Boolean subterms that are not connectives of other Boolean terms,
    /// each once, in order of occurrence, without constants.  An `ite` between numbers is split
    /// into its condition and the atom for each branch, as long as there are few.
    ///
    /// # Panics
    /// If the term is not a formula.
    pub fn atoms(&mut self, formula: Term) -> Vec<Term> {
        self.demand_formula(formula);
        let mut found = IndexSet::new();
        let mut seen = IndexSet::new();
        // Formulas still to be split, including all conditions.
        let mut stack = vec![formula];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let connective = match self.node(t) {
                Node::Bool(_) => continue,
                Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Ite(..) => true,
                Node::Equal(a, _) => self.sort(*a) == Sort::Bool,
                _ => false,
            };
            if connective {
                let mut children = self.children(t);
                children.reverse();
                stack.append(&mut children);
                continue;
            }
            match self.lift(t) {
                Some(parts) => stack.extend(parts.into_iter().rev()),
                None => {
                    found.insert(t);
                }
            }
        }
        found.into_iter().collect()
    }

    /// The predicates that a formula over instances suggests: its atoms, over variables.
    ///
    /// # Panics
    /// If the term is not a formula.
    pub fn predicates(&mut self, formula: Term) -> Vec<Term> {
        let formula = self.to_variables(formula);
        self.atoms(formula)
    }

    /// The conditions and atoms into which an atom with `ite`s is split; `None` if there are no
    /// `ite`s or too many.
    fn lift(&mut self, atom: Term) -> Option<Vec<Term>> {
        let mut done = IndexSet::new();
        let mut seen = IndexSet::new();
        let mut stack = vec![atom];
        while let Some(t) = stack.pop() {
            if seen.len() > LIFTED {
                return None;
            }
            if !seen.insert(t) {
                continue;
            }
            let Some((choice, c, a, b)) = self.choice(t) else {
                done.insert(t);
                continue;
            };
            done.insert(c);
            for branch in [b, a] {
                let memo = &mut Memo::default();
                let new = self.replace(t, memo, |_, s| (s == choice).then_some(branch));
                stack.push(new);
            }
        }
        if done.len() == 1 && done.contains(&atom) {
            None
        } else {
            Some(done.into_iter().collect())
        }
    }

    /// An outermost `ite` in an atom, with its parts.
    fn choice(&self, atom: Term) -> Option<(Term, Term, Term, Term)> {
        let connective = matches!(self.node(atom), Node::Not(_) | Node::And(_) | Node::Or(_));
        if connective {
            // Simplification has turned the atom into a formula, which is split as such.
            return None;
        }
        let order = self.postorder(&[atom], |_| false);
        order.into_iter().rev().find_map(|t| match *self.node(t) {
            Node::Ite(c, a, b) if self.sort(t) != Sort::Bool => Some((t, c, a, b)),
            _ => None,
        })
    }

    fn demand_formula(&self, t: Term) {
        assert_eq!(self.sort(t), Sort::Bool, "a formula is Boolean");
    }
}
