//! Subsumption of path edges (Eq. 8).
//!
//! Is one parameterised set of states contained in another? ∀ξ1. γ1 ⇒ ∃ξ2. γ2 ∧ ⋀ ω1(v) = ω2(v).
//! The larger side is a [`History`]: the union of the states seen at a node, over choices of its
//! own, so that the two sides share entry values only.  (Applicability, Eq. 5, needs SAT alone:
//! [`qbf`](crate::engine::qbf).)

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::engine::symbolic::edge::merge_states;
use crate::engine::symbolic::state::State;
use hardbop_logic::{Aig, Input, Lit, Substitution, aig::Node};
use hardbop_qbf::ForallExists;

/// The union of the states that were added, over existential choices.
#[derive(Debug, Default)]
pub struct History {
    union: Option<State>,
    /// Canonical forms of all members, which are equal if only names of choices differ.
    members: FxHashSet<State>,
}

impl History {
    pub fn is_empty(&self) -> bool {
        self.union.is_none()
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The union of all members, if there are any.
    pub fn union(&self) -> Option<&State> {
        self.union.as_ref()
    }

    /// Whether a member equals this state (in canonical form) up to the names of its choices.
    pub fn contains(&self, canonical: &State) -> bool {
        self.members.contains(canonical)
    }

    /// Adds a state in canonical form.
    pub fn add(
        &mut self,
        aig: &mut Aig,
        choices: &mut CanonicalChoices,
        canonical: State,
        live: &FixedBitSet,
    ) {
        self.union = Some(match self.union.take() {
            None => canonical.clone(),
            Some(old) => {
                let first = aig.input_count();
                let union = merge_states(aig, &canonical, &old, live).1;
                choices.mark(first..aig.input_count());
                union
            }
        });
        self.members.insert(canonical);
    }
}

/// Names for choices in canonical form; the same few inputs serve every state.
#[derive(Debug, Default)]
pub struct CanonicalChoices {
    pool: Vec<Input>,
    /// Whether each input, by number, is in the pool or selects a member of a history.
    existential: FixedBitSet,
}

impl CanonicalChoices {
    fn mark(&mut self, inputs: std::ops::Range<usize>) {
        self.existential.grow(inputs.end);
        self.existential.insert_range(inputs);
    }

    /// Whether this input stands for a choice of a history.
    pub fn is_existential(&self, input: Input) -> bool {
        self.existential.contains(input.0 as usize)
    }

    /// The state with its choices renamed in the order in which a walk over ω and γ meets them.
    /// Entry values (`keep`) keep their names.
    pub fn canonical(
        &mut self,
        aig: &mut Aig,
        state: &State,
        keep: impl Fn(Input) -> bool,
    ) -> State {
        let mut map = Substitution::new();
        let mut used = 0;
        let mut seen = FxHashSet::default();
        for root in state.roots() {
            let mut stack = vec![root.node()];
            while let Some(n) = stack.pop() {
                if !seen.insert(n) {
                    continue;
                }
                match aig.node(n) {
                    Node::False => {}
                    Node::And(a, b) => stack.extend([b.node(), a.node()]),
                    Node::Input(i) if keep(i) => {}
                    Node::Input(i) => {
                        if used == self.pool.len() {
                            let input = aig.new_input();
                            self.pool.push(input);
                            self.mark(input.0 as usize..input.0 as usize + 1);
                        }
                        map.replace(aig, i, aig.input(self.pool[used]));
                        used += 1;
                    }
                }
            }
        }
        state.substitute(aig, &mut map)
    }
}

/// `new ⊆ old` on the live slots; `old` is over existential
/// choices of [`CanonicalChoices`].
pub fn inclusion(
    aig: &Aig,
    new: &State,
    old: &State,
    live: &FixedBitSet,
    choices: &CanonicalChoices,
) -> ForallExists {
    let equalities: Vec<(Lit, Lit)> = live
        .ones()
        .map(|slot| (new.omega[slot], old.omega[slot]))
        .filter(|(a, b)| a != b)
        .collect();
    let right = equalities.iter().map(|e| e.1).chain([old.guard]);
    let existentials =
        aig.support(right).into_iter().filter(|&i| choices.is_existential(i)).collect();
    ForallExists { existentials, premise: vec![new.guard], conclusion: vec![old.guard], equalities }
}
