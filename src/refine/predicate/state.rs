//! Abstract states.

/// An abstract state: a set of data states, as a Boolean function of predicates.
pub type State = crate::solve::bdd::Bdd;

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BDD of {} nodes", self.size())
    }
}
