//! Options of the lowering, and reasons why it may fail.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::super::limits::Limits;
use super::super::points_to::Externals;
use crate::base::budget::Exhausted;
use crate::base::verdict::UnknownReason;

/// How much of memory is modelled.
///
/// ```
/// use hardbop::{Budget, COptions, MemoryModel, Source, Verdict, check_c};
///
/// let mut options = COptions::default();
/// options.verify.memory = MemoryModel::Regions;
/// let text = "int main(void) { int i = 0; while (i < 5) i++; if (i != 5) goto ERROR; return 0; ERROR: return 1; }";
/// let answer = check_c(&Source::new("five.c", text), &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// # Ok::<(), hardbop::CheckError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
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
    /// The one is any of them. This proves what holds for each element of an array, or of a list, by itself.
    OneCell,
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
