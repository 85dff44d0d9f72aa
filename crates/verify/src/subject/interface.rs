//! The interface between a check and a program, whatever it is made of.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::options::Options;
use crate::reduction::Size;
use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_base::verdict::UnknownReason;
use hardbop_c::lower::Assumption;
use hardbop_cfa::{Automaton, Program};
use hardbop_refine::block::execution::ErrorPath;
use hardbop_refine::model::skeleton::frame::Skeleton;
use hardbop_smt::{Symbol, Terms};

/// A program that is checked: it becomes automata, executes what is found in them, and names
/// things.
pub trait Subject: Clone + Send {
    /// An execution of the program.
    type Execution: Send;

    /// The program's size in the form in which it was given, where that is another one.
    fn size(&self) -> Size {
        Size::default()
    }

    /// Executes the program on a few inputs before anything is proved.
    fn search(&self, _options: &Options, _budget: &Budget) -> Found<Self::Execution> {
        Found::Nothing
    }

    /// Executes the program on terms for its inputs, along every way that these may lead.
    fn execute_symbolically(&self, _options: &Options, _budget: &Budget) -> Found<Self::Execution> {
        Found::Nothing
    }

    /// Executes the program on numbers, each time another way than before, for errors.
    fn execute_concolically(&self, _options: &Options, _budget: &Budget) -> Found<Self::Execution> {
        Found::Nothing
    }

    /// The program as automata.  Called once, before anything below.
    ///
    /// # Errors
    /// Why there are none.
    fn prepare(&mut self, options: &Options, budget: &Budget) -> Result<Prepared, UnknownReason>;

    /// The program to be abstracted to Boolean programs.  It starts in a function that is never
    /// called: where `main` is, in a new one that calls it.
    fn started<'a>(&mut self, _terms: &mut Terms, program: &'a Program) -> Cow<'a, Program> {
        Cow::Borrowed(program)
    }

    /// Executes the program along a path that the analysis has found: the error has to be reached.
    ///
    /// # Errors
    /// It is not, or that is not known.
    fn replay(
        &self,
        terms: &Terms,
        found: (&Automaton, &ErrorPath),
        origin: PathOrigin,
        budget: &Budget,
    ) -> Result<Self::Execution, UnknownReason>;

    /// Adapts what a verdict takes for granted to an execution that reaches the error.
    fn assume(&self, _execution: &Self::Execution, _assumptions: &mut Vec<Assumption>) {}

    /// Adapts what a verdict takes for granted to executions that are all that the program has.  False
    /// if the execution decides nothing then.
    fn assume_determined(
        &self,
        _assumptions: &mut Vec<Assumption>,
        _reads: bool,
        _located: Option<bool>,
    ) -> bool {
        false
    }

    /// The text of the program, where there is one.
    fn source(&self) -> Option<&Source> {
        None
    }
}

/// The result of a few executions.
#[derive(Debug)]
pub enum Found<E> {
    /// The error.
    Error(E),
    /// All executions end without an error: there is one, as the program reads no input, or a few stand for all.
    AllExecutions {
        /// Whether there are inputs, or what has no value is copied.
        reads: bool,
        /// Whether where objects lie decides something, if that was watched.
        located: Option<bool>,
    },
    Nothing,
}

/// A program as automata.
#[derive(Debug)]
pub struct Prepared {
    pub program: Program,
    /// The store that its formulas are of.
    pub terms: Terms,
    /// The assumptions of the automata.
    pub assumptions: Vec<Assumption>,
    /// The variables that hold pointers, and the objects at addresses.
    pub pointers: FxHashSet<Symbol>,
    /// The variables that hold floating-point numbers.
    pub floats: FxHashSet<Symbol>,
    pub addresses: FxHashMap<u64, String>,
    /// The number of objects of which [`Model::OneCell`](hardbop_c::lower::Model::OneCell) tracks a
    /// cell.
    pub many: usize,
    /// Whether the program reads arguments of `main`.
    pub has_arguments: bool,
}

/// The automaton that a path belongs to.
#[derive(Clone, Copy)]
pub enum PathOrigin<'a> {
    /// The program with its calls expanded.
    Expansion,
    /// An automaton made for this path, from a counterexample of a Boolean program.
    BooleanProgram(&'a Skeleton<'a>),
}
