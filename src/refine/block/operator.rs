//! Where blocks end.

use serde::{Deserialize, Serialize};

use crate::program::cfa::Automaton;
use crate::program::cfa::summarise::{Summary, single_blocks, summarise};

/// Decides where blocks end, hence where abstractions are computed: the operator blk of Beyer, Keremoglu, Wendler:
/// "Predicate Abstraction with Adjustable-Block Encoding" (FMCAD 2010).
///
/// A block operator divides an automaton into blocks without loops; goals, cuts and the entry always lie between
/// blocks.  To add one (say, with blocks that also end at calls, or after so many edges), add a variant to [`Blocks`];
/// its `divide` mostly calls [`summarise::divide`](crate::program::cfa::summarise::divide) with the locations where
/// blocks end.  Nothing else depends on where that is.  An operator sees the whole automaton before it is explored, but
/// not the path to a location.
pub trait BlockOperator {
    /// The blocks of an automaton, and the locations between them.
    fn divide(&self, automaton: &Automaton) -> Summary;
}

/// The block operators that can be chosen by name.
///
/// ```
/// use hardbop::{Budget, COptions, Blocks, Source, Verdict, check_c};
///
/// let mut options = COptions::default();
/// options.verify.analysis.blocks = Blocks::Single;
/// let text = "int main(void) { int i = 0; while (i < 5) i++; if (i != 5) goto ERROR; return 0; ERROR: return 1; }";
/// let answer = check_c(&Source::new("five.c", text), &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// # Ok::<(), hardbop::CheckError>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum Blocks {
    /// Single-block encoding: one operation.
    #[value(name = "sbe", alias = "single")]
    #[serde(alias = "sbe")]
    Single,
    /// Large-block encoding: a part without loops.
    ///
    /// The blocks of the CFA-summary.
    #[default]
    #[value(name = "lbe", alias = "large")]
    #[serde(alias = "lbe")]
    Large,
}

impl BlockOperator for Blocks {
    fn divide(&self, automaton: &Automaton) -> Summary {
        match self {
            Self::Single => single_blocks(automaton),
            Self::Large => summarise(automaton),
        }
    }
}
