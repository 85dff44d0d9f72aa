//! The sizes of a program's forms: by how much it shrinks before it is explored.

use rustc_hash::FxHashSet;

use hardbop_c::flow::{Flow, Instruction};
use hardbop_cfa::summarise::Summary;
use hardbop_cfa::{Automaton, Operation};
use hardbop_smt::Terms;

/// The size of a program in one of its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// Functions with bodies that something is left of.
    pub functions: u64,
    pub locations: u64,
    pub edges: u64,
    /// Edges that do something.
    pub operations: u64,
    pub variables: u64,
}

/// The sizes of a program's forms, in order.  All of them are 0 where it was not needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reduction {
    /// The size as the text has it: records and arrays are one variable each, and so is every
    /// temporary.
    pub parsed: Size,
    /// One automaton: calls are copies of their callees, and what cannot lead to the error is left
    /// out.
    pub expanded: Size,
    /// The size without constants, and without what no condition depends on.
    pub sliced: Size,
    /// Blocks as edges, and the locations between them.
    pub blocks: Size,
}

impl Size {
    pub(super) fn of_flow(flow: &Flow) -> Self {
        let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
        let mut size = Self { variables: flow.variables.len() as u64, ..Self::default() };
        for body in bodies {
            size.functions += 1;
            size.locations += u64::from(body.locations);
            size.edges += body.edges.len() as u64;
            let does = |e: &&hardbop_c::flow::Edge| !matches!(e.instruction, Instruction::Skip);
            size.operations += body.edges.iter().filter(does).count() as u64;
        }
        size
    }

    pub(super) fn of_automaton(terms: &Terms, automaton: &Automaton) -> Self {
        let mut functions: FxHashSet<usize> = FxHashSet::default();
        for edge in &automaton.edges {
            functions.extend(automaton.frames.get(edge.frame as usize).map(|f| f.function));
        }
        let operations = automaton.edges.iter().filter(|e| e.operation != Operation::Skip);
        Self {
            functions: functions.len() as u64,
            locations: u64::from(automaton.locations),
            edges: automaton.edges.len() as u64,
            operations: operations.count() as u64,
            variables: automaton.variables(terms).len() as u64,
        }
    }

    /// The size of a division into blocks; variables are those of the sliced automaton.
    pub(super) fn of_blocks(sliced: Self, summary: &Summary) -> Self {
        let blocks = summary.blocks.len() as u64;
        let mut cuts: FxHashSet<_> = summary.blocks.iter().map(|b| b.source).collect();
        cuts.extend(summary.blocks.iter().map(|b| b.target));
        Self { locations: cuts.len() as u64, edges: blocks, operations: blocks, ..sliced }
    }
}
