//! Abstract states.

/// An abstract state: a set of data states, as a Boolean function of predicates.
pub type State = hardbop_logic::bdd::Bdd;
