//! Formulas in which inputs, or other nodes, are replaced.

use rustc_hash::FxHashMap;

use super::aig::{Aig, Input, Lit, Node};

/// A simultaneous replacement of inputs by literals, with the nodes rebuilt so far.
#[derive(Debug, Clone, Default)]
pub struct Substitution {
    done: FxHashMap<usize, Lit>,
    /// Replacements of consecutive nodes, from the first on.
    row: (usize, Vec<Lit>),
}

impl Substitution {
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces `input` by `lit`.  Must be called before the first [`Aig::substitute`].
    pub fn replace(&mut self, aig: &Aig, input: Input, lit: Lit) {
        self.done.insert(aig.input(input).node(), lit);
    }

    /// Replaces inputs that were made one after the other, each by the literal at its place; costs
    /// next to nothing for any number.  They cannot be replaced in another way, too.
    ///
    /// # Panics
    /// If the numbers of inputs and literals differ, or the inputs are not consecutive.
    pub fn of_row(aig: &Aig, inputs: &[Input], lits: Vec<Lit>) -> Self {
        let first = inputs.first().map_or(0, |&i| aig.input(i).node());
        let is_next = |(&i, node): (&Input, usize)| aig.input(i).node() == node;
        let last = inputs.last().map(|&i| aig.input(i).node() + 1);
        assert_eq!(inputs.len(), lits.len(), "a literal for each input");
        assert_eq!(last.map_or(0, |end| end - first), lits.len(), "the inputs are consecutive");
        debug_assert!(inputs.iter().zip(first..).all(is_next));
        Self { done: FxHashMap::default(), row: (first, lits) }
    }

    /// The literals of [`of_row`](Self::of_row).
    pub fn into_row(self) -> Vec<Lit> {
        self.row.1
    }

    /// Replaces any node by `lit`, for facts such as "this node is true".
    pub fn replace_node(&mut self, node: usize, lit: Lit) {
        self.done.insert(node, lit);
    }

    fn get(&self, node: usize) -> Option<Lit> {
        let in_row = node.checked_sub(self.row.0).and_then(|i| self.row.1.get(i));
        in_row.or_else(|| self.done.get(&node)).copied()
    }
}

impl Aig {
    /// `roots` with inputs replaced.  Every rebuilt node is added to `map`, so several calls with one `Substitution` do
    /// shared work only once.
    pub fn substitute(&mut self, roots: &[Lit], map: &mut Substitution) -> Vec<Lit> {
        roots.iter().map(|&r| self.substitute_one(r, map)).collect()
    }

    /// One root of [`Aig::substitute`].
    pub fn substitute_one(&mut self, root: Lit, map: &mut Substitution) -> Lit {
        let mut stack = vec![root.node()];
        while let Some(&n) = stack.last() {
            if map.get(n).is_some() {
                stack.pop();
                continue;
            }
            match self.node(n) {
                Node::False | Node::Input(_) => {
                    map.replace_node(n, Lit::new(n, false));
                    stack.pop();
                }
                Node::And(a, b) => match (map.get(a.node()), map.get(b.node())) {
                    (Some(x), Some(y)) => {
                        let x = x.xor_sign(a.is_negated());
                        let y = y.xor_sign(b.is_negated());
                        let l = if (x, y) == (a, b) { Lit::new(n, false) } else { self.and(x, y) };
                        map.replace_node(n, l);
                        stack.pop();
                    }
                    (x, y) => {
                        if x.is_none() {
                            stack.push(a.node());
                        }
                        if y.is_none() {
                            stack.push(b.node());
                        }
                    }
                },
            }
        }
        map.get(root.node()).map_or(root, |l| l.xor_sign(root.is_negated()))
    }
}
