//! Options of the lowering, and reasons why it may fail.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::super::limits::Limits;
use super::super::points_to::Externals;
use hardbop_base::budget::Exhausted;
use hardbop_base::verdict::UnknownReason;

/// How much of memory is modelled.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_c::lower::{LoweringOptions, Model, lower};
/// use hardbop_c::{ParseOptions, parse};
/// use hardbop_smt::Terms;
///
/// let text = "int a[2]; int main(void) { a[1] = 3; if (a[1] != 3) goto ERROR; return 0; ERROR: return 1; }";
/// let flow = parse(Source::new("array.c", text), &ParseOptions::default()).expect("it is C");
/// let is_tracked = |model| {
///     let (mut terms, budget) = (Terms::new(), Budget::unlimited());
///     let options = LoweringOptions { model, ..LoweringOptions::default() };
///     lower(&flow, &mut terms, options, &budget).expect("it fits");
///     terms.find_symbol("a[1]").is_some()
/// };
/// assert!(is_tracked(Model::Regions));
/// assert!(!is_tracked(Model::Havoc)); // what is in the array may be anything
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
    /// As `regions`, and one cell of each large array, one block of each allocation that is repeated.
    ///
    /// It is also known where a text in a large array ends. The one is any of them. This proves what holds for each element of an array, or of a list, by itself.
    OneCell,
    /// As `regions`, but only for few and short arguments of `main`. Errors count, proofs do not.
    FewArguments,
}

impl Model {
    /// Whether the automata lack behaviours of the program, so that errors count, but no proof does.
    #[must_use]
    pub fn is_partial(self) -> bool {
        match self {
            Self::FewArguments => true,
            Self::Havoc | Self::Regions | Self::OneCell => false,
        }
    }
}

/// Choices that C or the program leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LoweringOptions {
    pub externals: Externals,
    /// Whether `malloc` and the like may return null.
    pub malloc_may_fail: bool,
    /// Whether to keep variables on which no condition depends.
    pub keep_irrelevant: bool,
    pub model: Model,
    pub limits: Limits,
}

/// Why a program could not be lowered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LowerError {
    #[error("the program's variables do not fit into the address space")]
    Memory,
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl From<LowerError> for UnknownReason {
    fn from(e: LowerError) -> Self {
        match e {
            LowerError::Memory => Self::AddressSpace,
            LowerError::Exhausted(e) => e.into(),
        }
    }
}
