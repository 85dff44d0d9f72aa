//! Block operators, which say where blocks end.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use hardbop_cfa::Automaton;
use hardbop_cfa::summarise::{
    Summary, adjust, function_ends, loop_heads, single_blocks, summarise,
};

/// Decides where blocks end, hence where abstractions are computed: the operator blk of Beyer,
/// Keremoglu, Wendler: "Predicate Abstraction with Adjustable-Block Encoding" (FMCAD 2010).
///
/// A block operator divides an automaton into blocks; goals, cuts and the entry always lie between
/// blocks.  It sees the whole automaton before it is explored, so the formulas of blocks are made
/// once, not for each abstract state: whether a block ends depends on the location and on the
/// number of edges of the block.
pub trait BlockOperator {
    /// The blocks of an automaton, and the locations between them.
    fn divide(&self, automaton: &Automaton) -> Summary;
}

/// The block operators that can be chosen by name.
///
/// ```
/// use hardbop_base::source::Span;
/// use hardbop_cfa::{Automaton, Edge, Goal, Location, Operation, Place};
/// use hardbop_refine::block::{BlockOperator, Blocks};
///
/// let place = Place { function: 0, instruction: Place::NOWHERE, span: Span::default() };
/// let edge = |from, to| {
///     Edge { source: Location(from), target: Location(to), operation: Operation::Skip, place, frame: 0 }
/// };
/// let automaton = Automaton {
///     locations: 3,
///     edges: vec![edge(0, 1), edge(1, 2)],
///     goals: vec![(Location(2), Goal::Error)],
///     ..Automaton::default()
/// };
/// assert_eq!(Blocks::Single.divide(&automaton).blocks.len(), 2);
/// assert_eq!(Blocks::Large.divide(&automaton).blocks.len(), 1); // both edges
/// assert_eq!("abe-loops".parse(), Ok(Blocks::Loops(None)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum Blocks {
    /// `sbe`: single-block encoding: one operation.
    Single,
    /// `lbe`: large-block encoding: the blocks of the CFA-summary.
    #[default]
    Large,
    /// `abe-lf`: up to the next loop head, and the next entry or exit of a function; of at most so
    /// many edges.
    Functions(Option<NonZeroU32>),
    /// `abe-loops`: up to the next loop head; of at most so many edges.
    Loops(Option<NonZeroU32>),
    /// `abe-n:K`: K edges, also through loops.
    Edges(NonZeroU32),
}

/// The most edges after which blocks can be made to end.
const MOST: u32 = 1_000;

/// No block operator has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "not a block operator: '{0}'; there are sbe, lbe, abe-lf, abe-loops, abe-n:K, and abe-lf:K, abe-loops:K \
     (K operations, at most 1000)"
)]
pub struct NotBlocks(String);

impl BlockOperator for Blocks {
    fn divide(&self, automaton: &Automaton) -> Summary {
        let bounded = |most: NonZeroU32| most.get().min(MOST);
        let most = |most: Option<NonZeroU32>| most.map(bounded);
        match *self {
            Self::Single => single_blocks(automaton),
            Self::Large => summarise(automaton),
            Self::Functions(edges) => {
                let (heads, ends) = (loop_heads(automaton), function_ends(automaton));
                let is_end = |l| heads.contains(&l) || ends.contains(&l);
                adjust(automaton, is_end, most(edges))
            }
            Self::Loops(edges) => {
                let heads = loop_heads(automaton);
                adjust(automaton, |l| heads.contains(&l), most(edges))
            }
            Self::Edges(edges) => adjust(automaton, |_| false, Some(bounded(edges))),
        }
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, most) = match self {
            Self::Single => ("sbe", None),
            Self::Large => ("lbe", None),
            Self::Functions(most) => ("abe-lf", *most),
            Self::Loops(most) => ("abe-loops", *most),
            Self::Edges(most) => ("abe-n", Some(*most)),
        };
        f.write_str(name)?;
        most.map_or(Ok(()), |most| write!(f, ":{most}"))
    }
}

impl FromStr for Blocks {
    type Err = NotBlocks;

    fn from_str(text: &str) -> Result<Self, NotBlocks> {
        let wrong = || NotBlocks(text.to_owned());
        let (name, most) = match text.split_once(':') {
            Some((name, most)) => {
                let most: NonZeroU32 = most.parse().map_err(|_| wrong())?;
                if most.get() > MOST {
                    return Err(wrong());
                }
                (name, Some(most))
            }
            None => (text, None),
        };
        match (name, most) {
            ("sbe" | "single", None) => Ok(Self::Single),
            ("lbe" | "large", None) => Ok(Self::Large),
            ("abe-lf", most) => Ok(Self::Functions(most)),
            ("abe-loops", most) => Ok(Self::Loops(most)),
            ("abe-n", Some(most)) => Ok(Self::Edges(most)),
            _ => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Blocks {
    type Error = NotBlocks;

    fn try_from(text: String) -> Result<Self, NotBlocks> {
        text.parse()
    }
}

impl From<Blocks> for String {
    fn from(blocks: Blocks) -> Self {
        blocks.to_string()
    }
}
