//! Typed control flow to control-flow automata: expressions become terms over bit-vectors, memory
//! becomes variables.
//!
//! What an automaton does includes all that the program does under the [`Assumption`]s; where more than
//! that, a value comes from a `Havoc` of [`Origin::Approximation`](crate::program::cfa::Origin), or an edge is
//! `Unsupported`.
//!
//! The arithmetic is that of gcc with `-fwrapv` on x86: two's complement that wraps around, shifts by
//! the count modulo the width (of at least 32), and a division by zero ends the program.

mod access;
mod activation;
mod assumption;
mod call;
mod cursor;
mod expression;
mod function;
mod library;
mod memory;
mod overflow;
mod relevance;
mod start;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::activation::Activations;
pub use self::assumption::Assumption;
use self::memory::Memory;
use self::relevance::Relevance;
use super::flow::{Expr, Flow, FunctionId, VariableId};
use super::memory::{Kind, ObjectKind};
use super::points_to::{Externals, PointsTo};
use crate::base::budget::{Budget, Exhausted};
use crate::program::cfa::{Operation, Origin, Program};
use crate::solve::smt::{Sort, Symbol, Term, Terms};

/// How much of memory is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
pub enum Model {
    /// Scalars and fields of records whose address is not taken; all else is any value. Errors that this
    /// does not rule out, and that cannot be executed, are UNKNOWN.
    ///
    /// Writes to all else do nothing: invariants hold, errors may be none.
    Havoc,
    /// All objects of which there is one at a time.
    ///
    /// But for large arrays.
    #[default]
    Regions,
}

/// What is left open by C or by the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    pub externals: Externals,
    /// `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// Keep also what no condition depends on.
    pub keep_irrelevant: bool,
    pub model: Model,
}

/// Why there are no automata.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LowerError {
    #[error("the program's variables do not fit into the address space")]
    Memory,
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// A program as automata.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// Functions that may be called and have bodies.  [`cfa::Place`](crate::program::cfa::Place) has the numbers
    /// of functions and of edges in [`Flow`].
    pub program: Program,
    /// What the automata take for granted.
    pub assumptions: Vec<Assumption>,
    /// Where in memory the variables are that are parts of objects.
    pub parts: FxHashMap<Symbol, Part>,
    /// The objects at addresses, by the names that their variables begin with.
    pub addresses: FxHashMap<u64, String>,
}

/// A part of an object that has a variable of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub of: Whole,
    /// Its first bit.
    pub bit: u64,
    pub is_pointer: bool,
}

/// An object of which something is a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    Variable(VariableId),
    /// What a call allocates.
    Allocation,
}

/// The program as automata.
///
/// A function's `locals` are what each activation has of its own: scalars of parameters, locals and
/// temporaries whose address is not taken.  What no condition depends on is left out.  One whose address is taken is the same for all
/// activations, which in a function that does not recur are never active at once; in one that does
/// it is not modelled.
///
/// # Errors
/// Where the program does not fit into the address space, or the budget ends.
pub fn lower(
    flow: &Flow,
    terms: &mut Terms,
    options: Options,
    budget: &Budget,
) -> Result<Lowered, LowerError> {
    let points_to = PointsTo::new(flow, options.externals, budget)?;
    let activations = Activations::new(flow, &points_to);
    let memory = Memory::new(flow, &points_to, &activations, options.model)?;
    let defined = |f: &FunctionId| flow.functions[f.0 as usize].body.is_some();
    let functions: Vec<FunctionId> = points_to.reached().into_iter().filter(defined).collect();
    let numbers = functions.iter().enumerate().map(|(i, &f)| (f, i)).collect();
    let mut lowering = Lowering {
        flow,
        terms,
        points_to,
        activations,
        memory,
        options,
        numbers,
        pending: Vec::new(),
        cache: FxHashMap::default(),
        temporaries: Vec::new(),
        assumptions: FxHashSet::default(),
    };
    for (&object, types) in lowering.points_to.objects().uses() {
        let larger = types.iter().filter_map(|&ty| Assumption::larger(flow, object, ty));
        lowering.assumptions.extend(larger);
    }
    let mut drafts = Vec::new();
    for &function in &functions {
        budget.check()?;
        drafts.push(lowering.draft(function));
    }
    let initial = lowering.initial();
    let relevance = if options.keep_irrelevant {
        Relevance::all()
    } else {
        Relevance::new(lowering.terms, &drafts, &initial)
    };
    let automata = functions.iter().map(|&f| lowering.finish(f, &drafts, &relevance)).collect();
    let initial = initial.into_iter().map(|s| relevance.reduce(&drafts, s)).collect();
    let program = lowering.program(automata, initial);
    let parts = lowering.parts();
    let addresses = lowering.memory.names().map(|(at, name)| (at, name.to_owned())).collect();
    let mut assumptions: Vec<Assumption> = lowering.assumptions.into_iter().collect();
    assumptions.sort();
    Ok(Lowered { program, assumptions, parts, addresses })
}

/// The lowering of a program, and of one instruction within it.
struct Lowering<'a, 't> {
    flow: &'a Flow,
    terms: &'t mut Terms,
    points_to: PointsTo<'a>,
    activations: Activations,
    memory: Memory,
    options: Options,
    /// Indices of automata.
    numbers: FxHashMap<FunctionId, usize>,
    /// Operations that go before what the instruction does.
    pending: Vec<Operation>,
    /// Values of the instruction's expressions, by their place in memory: each is evaluated once.
    cache: FxHashMap<*const Expr, Term>,
    /// Of the current function.
    temporaries: Vec<Symbol>,
    assumptions: FxHashSet<Assumption>,
}

impl Lowering<'_, '_> {
    /// A variable of the current function for a value in between.
    fn temporary(&mut self, width: u32) -> Symbol {
        let symbol = self.terms.fresh("t", Sort::Bits(width));
        self.temporaries.push(symbol);
        symbol
    }

    fn parts(&self) -> FxHashMap<Symbol, Part> {
        let mut parts = FxHashMap::default();
        for (id, object) in self.points_to.objects().iter() {
            let of = match object.kind {
                ObjectKind::Variable(v) => Whole::Variable(v),
                ObjectKind::Allocation(..) => Whole::Allocation,
                _ => continue,
            };
            for (symbol, item) in self.memory.cells(id) {
                let item = &object.layout.items()[item];
                let is_pointer = item.kind == Kind::Pointer;
                parts.insert(symbol, Part { of, bit: item.start, is_pointer });
            }
        }
        parts
    }

    /// A value that the model does not know.
    fn anything(&mut self, width: u32, origin: Origin) -> Term {
        let symbol = self.temporary(width);
        self.pending.push(Operation::Havoc(symbol, origin));
        self.terms.variable(symbol)
    }

    /// A value of which only the width is known.
    fn approximation(&mut self, width: u32) -> Term {
        self.anything(width, Origin::Approximation)
    }

    fn assume(&mut self, condition: Term) {
        if !self.flow.bounds_checked {
            self.assumptions.insert(Assumption::ValidAccesses);
        }
        self.pending.push(Operation::Assume(condition));
    }

    /// The width of a pointer.
    fn word(&self) -> u32 {
        self.flow.types.model.word()
    }
}
