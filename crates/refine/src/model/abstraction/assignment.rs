//! Abstract procedures: the effects of the statements of a Boolean program.

use std::rc::Rc;

use crate::model::relation::update::Update;
use crate::model::skeleton::predicates::Interface;
use hardbop_smt::Term;

/// A variable of a procedure of the Boolean program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A predicate of the function, by number.
    Local(usize),
    /// A predicate over globals, by number.
    Global(usize),
    /// The value passed for a formal predicate: numbers of the call and of the predicate.
    Argument(usize, usize),
    /// A returned value: numbers of the call, and of the predicate among the returned ones.
    Returned(usize, usize),
    /// The value of a global predicate before a call: numbers of the call and of the predicate.
    Saved(usize, usize),
}

impl Variable {
    /// Whether the callee has set the variable, after a call.
    pub(super) fn is_left(self) -> bool {
        matches!(self, Self::Global(_) | Self::Returned(..))
    }
}

/// `targets := values constrain condition` over variables.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The variable of each literal, and whether its value after the assignment is meant.
    pub literals: Vec<(Variable, bool)>,
    /// The meaning of each literal, over instances.
    pub terms: Vec<Term>,
    pub targets: Vec<Variable>,
    pub update: Rc<Update>,
    /// The behaviour of the program there, over the same instances.
    pub conjuncts: Rc<[Term]>,
}

/// The abstraction of a function.
#[derive(Debug, Clone)]
pub struct AbstractProcedure {
    pub interface: Interface,
    /// Excludes valuations of the predicates at the entry that no state has.
    pub start: Assignment,
    /// The assignment of each block.
    pub blocks: Vec<Assignment>,
    /// The assignment to the caller's predicates when each call returns.
    pub returns: Vec<Assignment>,
}

/// The place of an assignment in its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Start,
    Block(usize),
    Return(usize),
}
