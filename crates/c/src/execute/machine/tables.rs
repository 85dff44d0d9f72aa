//! What the machine looks up in a program, made once for all its executions.

use std::sync::Arc;

use super::layout::Layout;
use crate::flow::{Body, Flow, VariableKind};

/// Where to find the object of a variable.
#[derive(Debug, Clone, Copy)]
pub enum Slot {
    Global,
    /// The variable's number within its function.
    Local(u32),
}

/// What the machine looks up in a program.
#[derive(Debug, Clone)]
pub struct Tables {
    pub(super) layout: Arc<Layout>,
    /// Indexed by variable.
    pub(super) slots: Arc<[Slot]>,
    /// Indexed by function: how many variables it has.
    pub(super) widths: Arc<[u32]>,
    /// Indexed by function.
    pub(super) outgoing: Arc<[Outgoing]>,
}

impl Tables {
    pub fn new(flow: &Flow) -> Self {
        let mut widths = vec![0; flow.functions.len()];
        let slots =
            flow.variables.iter().map(|variable| match (variable.kind, variable.function) {
                (VariableKind::Global | VariableKind::External, _) | (_, None) => Slot::Global,
                (_, Some(function)) => {
                    let width: &mut u32 = &mut widths[function.0 as usize];
                    *width += 1;
                    Slot::Local(*width - 1)
                }
            });
        let slots = slots.collect();
        let outgoing =
            flow.functions.iter().map(|f| f.body.as_ref().map(Outgoing::new).unwrap_or_default());
        let layout = Arc::new(Layout::new(&flow.types));
        Self { layout, slots, widths: widths.into(), outgoing: outgoing.collect() }
    }
}

/// The outgoing edges of all locations of a body.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    /// For each location, the index in `edges` of its first edge; one more entry at the end.
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Outgoing {
    fn new(body: &Body) -> Self {
        let locations = body.locations as usize;
        let mut starts = vec![0u32; locations + 1];
        for edge in &body.edges {
            starts[edge.source.0 as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; body.edges.len()];
        for (index, edge) in body.edges.iter().enumerate() {
            let place = &mut next[edge.source.0 as usize];
            edges[*place as usize] = index as u32;
            *place += 1;
        }
        Self { starts, edges }
    }

    /// The edges that leave a location.
    pub fn of(&self, location: u32) -> &[u32] {
        let at = location as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
