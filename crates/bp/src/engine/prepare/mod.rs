//! The preparation of a program for every engine: slice it, order its nodes, find live variables,
//! and compress it into large blocks.

pub mod block;
pub mod callgraph;
pub mod facts;
pub mod liveness;
pub mod order;
pub mod shape;
pub mod slice;
pub mod transparent;
pub mod values;

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::engine::limits;
use crate::language::program::{NodeId, ProcId, Procedure, Program};
use block::{BlockStep, CallSite, Compressed};
use callgraph::CallGraph;
use facts::Facts;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input};
use liveness::{Frame, Liveness};
use shape::{Passable, Shape, Shaped};
use slice::Slice;
use transparent::Transparent;
use values::Switches;

/// A program, ready to be explored.
#[derive(Debug)]
pub struct Prepared<'a> {
    pub program: &'a Program,
    pub slice: Slice,
    pub liveness: Liveness,
    pub calls: Arc<CallGraph>,
    compressed: Vec<Option<Compressed>>,
    transparent: Arc<Transparent>,
    /// Whether each input, by number, is the entry value of a global or formal.  All other inputs
    /// are choices; so are the initial values of the entry procedure, unless it is called.
    entry_values: FixedBitSet,
}

/// The procedures that are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All procedures that matter.
    All,
    /// The procedures that a search does not step over.
    Explored,
    /// No procedures at first: [`Prepared::encode`] adds them.
    OnDemand,
}

/// The context of the formulas of blocks, apart from the program.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'t> {
    pub switches: Option<&'t Switches>,
    /// The facts known of all executions.
    pub facts: Option<&'t Facts>,
}

/// The part of a program that is prepared.
#[derive(Debug, Clone)]
pub struct Part<'l> {
    pub slice: Slice,
    /// The shape of the slice, or of one with the same nodes and edges, if it is known.
    pub shape: Option<Arc<Shape>>,
    /// The live variables of a slice that contains this one, if they are known.
    pub live: Option<&'l Liveness>,
}

impl From<Slice> for Part<'_> {
    fn from(slice: Slice) -> Self {
        Self { slice, shape: None, live: None }
    }
}

impl From<Shaped> for Part<'_> {
    fn from(Shaped { slice, shape }: Shaped) -> Self {
        Self { slice, shape: Some(shape), live: None }
    }
}

/// Prepares a part of `program`; the block formulas are built in `aig`, with switches and known
/// facts if given.
///
/// # Errors
/// If the budget is exhausted.
pub fn prepare<'a>(
    aig: &mut Aig,
    program: &'a Program,
    part: Part,
    extent: Extent,
    terms: Terms,
    limits: &limits::Prepare,
    budget: &Budget,
) -> Result<Prepared<'a>, Exhausted> {
    let Part { slice, shape, live } = part;
    let shape = shape
        .unwrap_or_else(|| Arc::new(Shape::new(program, &slice, Arc::new(Passable::default()))));
    budget.check()?;
    let liveness = match live {
        Some(live) => live.restrict(program, &slice),
        None => Liveness::compute(program, &slice, &shape.orders, budget)?,
    };
    let transparent = match extent {
        Extent::Explored => {
            let graph = (&slice, &*shape);
            Transparent::find(program, graph, &liveness, terms.facts, limits, budget)?
        }
        Extent::All | Extent::OnDemand => Transparent::default(),
    };
    let transparent = Arc::new(transparent);
    let mut compressed = vec![];
    for (id, order) in program.procedure_ids().zip(&shape.orders) {
        compressed.push(match (order, slice.procedure(id)) {
            (Some(order), Some(kept)) => {
                let order = Arc::clone(order);
                let outline = Compressed::outline(program.procedure(id), id, kept, order);
                let is_encoded = extent != Extent::OnDemand && !transparent.contains(id);
                Some(if is_encoded {
                    block::encode(aig, program, &slice, &liveness, terms, outline, budget)?
                } else {
                    outline
                })
            }
            _ => None,
        });
    }
    let mut entry_values = FixedBitSet::with_capacity(aig.input_count());
    let sites = || compressed.iter().flatten().flat_map(|c| c.calls.iter().flatten());
    // Without callers, nobody needs the entry values of the entry procedure.
    let anonymous = (!sites().any(|s| s.callee == program.entry)).then_some(program.entry);
    for (p, c) in program.procedures.iter().zip(&compressed) {
        let Some(c) = c.as_ref().filter(|c| Some(c.procedure) != anonymous) else { continue };
        let frame = &liveness.frames[c.procedure.index()];
        for (&v, &input) in frame.slots.iter().zip(&c.inputs) {
            if program.is_global(v) || p.formals.contains(&v) {
                entry_values.insert(input.0 as usize);
            }
        }
    }
    let calls = Arc::clone(&shape.calls);
    Ok(Prepared { program, slice, liveness, calls, compressed, transparent, entry_values })
}

impl Prepared<'_> {
    /// The blocks of a procedure that matters.
    ///
    /// # Panics
    /// If the procedure was sliced away: engines meet only call sites of kept ones.
    pub fn blocks(&self, p: ProcId) -> &Compressed {
        self.compressed[p.index()].as_ref().expect("only kept procedures are explored")
    }

    /// Whether nothing of the program matters.
    pub fn is_trivial(&self) -> bool {
        self.compressed[self.program.entry.index()].is_none()
    }

    pub fn procedure(&self, p: ProcId) -> &Procedure {
        self.program.procedure(p)
    }

    pub fn frame(&self, p: ProcId) -> &Frame {
        &self.liveness.frames[p.index()]
    }

    /// Live slots at a node.
    pub fn live(&self, p: ProcId, n: NodeId) -> &FixedBitSet {
        self.liveness.at(p, n)
    }

    /// Encodes a procedure that matters, unless that is done.  The formulas are built in the graph
    /// and with the terms of [`prepare`].  Its inputs are no entry values to
    /// [`Prepared::is_entry_value`].
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn encode(
        &mut self,
        aig: &mut Aig,
        p: ProcId,
        terms: Terms,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let Self { program, slice, liveness, compressed, .. } = self;
        if let Some(outline) = compressed[p.index()].take_if(|c| !c.is_encoded) {
            let encoded = block::encode(aig, program, slice, liveness, terms, outline, budget)?;
            compressed[p.index()] = Some(encoded);
        }
        Ok(())
    }

    /// Whether a procedure cannot fail and has the identity as its summary, so that a search steps
    /// over it.  Such a procedure has no block formulas.
    pub fn is_transparent(&self, p: ProcId) -> bool {
        self.transparent.contains(p)
    }

    /// The procedures that a search steps over.
    pub fn transparent(&self) -> Arc<Transparent> {
        Arc::clone(&self.transparent)
    }

    /// The steps through a procedure that is among `transparent`, which was found for a slice with
    /// the same nodes and edges.
    pub fn path_through(&self, transparent: &Transparent, p: ProcId) -> Vec<BlockStep> {
        transparent.steps(self.program, &self.slice, &self.compressed, p)
    }

    /// Whether this input is the value of a global or formal at its procedure's entry, provided by
    /// callers.
    pub fn is_entry_value(&self, input: Input) -> bool {
        self.entry_values.contains(input.0 as usize)
    }

    /// The cut nodes of a procedure that matters, in weak topological order.
    pub fn cut_nodes(&self, p: ProcId) -> impl Iterator<Item = NodeId> {
        let blocks = self.blocks(p);
        let nodes = blocks.order.sequence.iter().map(|&n| NodeId(n));
        nodes.filter(|n| blocks.cut[n.index()])
    }

    pub fn site(&self, p: ProcId, n: NodeId, index: usize) -> &CallSite {
        &self.blocks(p).calls[n.index()][index]
    }

    /// Cut nodes, relevant variables and procedures, as far as they are encoded, for the
    /// statistics.
    pub fn sizes(&self) -> (usize, usize, usize) {
        let kept = self.compressed.iter().flatten().filter(|c| c.is_encoded);
        let cut = kept.clone().map(|c| c.cut.iter().zip(&c.order.position));
        let cut = cut.map(|c| c.filter(|(cut, pos)| **cut && **pos != u32::MAX).count()).sum();
        (cut, self.slice.relevant.count_ones(..), kept.count())
    }
}
