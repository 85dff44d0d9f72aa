//! The state of a lowering, and values unknown to the model.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::flow::{Expr, Flow, FunctionId, VariableId};
use super::super::memory::ObjectId;
use super::super::points_to::PointsTo;
use super::activation::Activations;
use super::arguments::Given;
use super::assumption::Assumption;
use super::memory::Memory;
use super::options::LoweringOptions;
use super::rests::Mortal;
use hardbop_base::errors::Check;
use hardbop_cfa::{Operation, Origin};
use hardbop_smt::{Sort, Symbol, Term, Terms};

/// The lowering of a program, and of the current instruction.
pub(super) struct Lowering<'a, 't> {
    pub(super) flow: &'a Flow,
    pub(super) terms: &'t mut Terms,
    pub(super) points_to: PointsTo<'a>,
    pub(super) activations: Activations,
    /// Local variables and blocks that pointers may outlive.
    pub(super) outliving: FxHashSet<ObjectId>,
    /// What may end, where that is asked for.
    pub(super) mortal: Mortal,
    /// Whether some pointer is made of a number.
    pub(super) numbers_are_addresses: bool,
    /// Pointers that are never null.
    pub(super) never_null: FxHashSet<VariableId>,
    pub(super) memory: Memory,
    /// The arguments of `main`, and those of their objects to which the program does not write.
    pub(super) given: Given,
    pub(super) unwritten: FxHashSet<VariableId>,
    /// Assumptions that only say something of what was read of the arguments, with the variable for that.
    pub(super) readings: FxHashMap<Term, Symbol>,
    pub(super) options: LoweringOptions,
    /// The index of each function's automaton.
    pub(super) numbers: FxHashMap<FunctionId, usize>,
    /// Operations to execute before the effect of the instruction.
    pub(super) pending: Vec<Operation>,
    /// Values of the instruction's expressions, keyed by pointer: each is evaluated only once.
    pub(super) cache: FxHashMap<*const Expr, Term>,
    /// Those of the current function.
    pub(super) temporaries: Vec<Symbol>,
    pub(super) assumptions: FxHashSet<Assumption>,
    /// Whether the text has an index that leaves its array within the object.
    pub(super) leaves_arrays: bool,
}

impl Lowering<'_, '_> {
    /// A new variable of the current function for an intermediate value.
    pub(super) fn temporary(&mut self, width: u32) -> Symbol {
        let symbol = self.terms.fresh("t", Sort::Bits(width));
        self.temporaries.push(symbol);
        symbol
    }

    /// A value unknown to the model.
    pub(super) fn anything(&mut self, width: u32, origin: Origin) -> Term {
        let symbol = self.temporary(width);
        self.pending.push(Operation::Havoc(symbol, origin));
        self.terms.variable(symbol)
    }

    /// A value of which only the width is known.
    pub(super) fn approximation(&mut self, width: u32) -> Term {
        self.anything(width, Origin::Approximation)
    }

    pub(super) fn assume(&mut self, condition: Term) {
        if !self.flow.checked.has(Check::Bounds) {
            self.assumptions.insert(Assumption::ValidAccesses);
        }
        self.pending.push(Operation::Assume(condition));
    }

    /// The width of a pointer in bits.
    pub(super) fn word(&self) -> u32 {
        self.flow.types.model.word()
    }
}
