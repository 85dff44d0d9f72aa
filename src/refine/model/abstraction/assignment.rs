//! Abstract procedures: what the statements of a Boolean program do.

use std::rc::Rc;

use crate::refine::model::relation::update::Update;
use crate::refine::model::skeleton::predicates::Interface;
use crate::solve::smt::Term;

/// A variable of a procedure of the Boolean program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A predicate of the function, by number.
    Local(usize),
    /// A predicate over globals, by number.
    Global(usize),
    /// What a call passes for a formal predicate: numbers of the call and of the predicate.
    Argument(usize, usize),
    /// What a call returns: numbers of the call, and among the returned predicates.
    Returned(usize, usize),
    /// What a global predicate was before a call: numbers of the call and of the predicate.
    Saved(usize, usize),
}

impl Variable {
    /// After a call: has the callee given it its value?
    pub(super) fn is_left(self) -> bool {
        matches!(self, Self::Global(_) | Self::Returned(..))
    }
}

/// `targets := values constrain condition` over variables.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// By literal: the variable, and whether its value afterwards is meant.
    pub literals: Vec<(Variable, bool)>,
    /// By literal: what it says, over instances.
    pub terms: Vec<Term>,
    pub targets: Vec<Variable>,
    pub update: Rc<Update>,
    /// What the program does there, over the same instances.
    pub conjuncts: Rc<[Term]>,
}

/// The abstraction of a function.
#[derive(Debug, Clone)]
pub struct AbstractProcedure {
    pub interface: Interface,
    /// Excludes valuations of the predicates at the entry that no state has.
    pub start: Assignment,
    /// By block.
    pub blocks: Vec<Assignment>,
    /// By call: what the caller's predicates become when it returns.
    pub returns: Vec<Assignment>,
}

/// What an assignment is in its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Start,
    Block(usize),
    Return(usize),
}
