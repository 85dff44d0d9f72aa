//! A program that is ready to be executed: what all its executions have in common is made once.

use std::sync::Arc;

use super::layout::Layout;
use super::memory::{Memory, ObjectId};
use super::state::{Machine, Slot, Stop};
use crate::program::c::execute::options::ExecutionOptions;
use crate::program::c::execute::oracle::Zero;
use crate::program::c::flow::{Body, Flow, VariableKind};

/// A program that is ready to be executed any number of times.
#[derive(Debug, Clone)]
pub struct Loaded<'f> {
    pub(super) flow: &'f Flow,
    pub(super) tables: Tables,
    initial: Option<Initial>,
}

/// What the machine looks up in a program.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    pub layout: Arc<Layout>,
    /// Indexed by variable.
    pub slots: Arc<[Slot]>,
    /// Indexed by function: how many variables it has.
    pub widths: Arc<[u32]>,
    /// Indexed by function.
    pub outgoing: Arc<[Outgoing]>,
}

/// Memory where the globals have their initial values.
#[derive(Debug, Clone)]
struct Initial {
    memory: Memory,
    globals: Vec<Option<ObjectId>>,
    strings: Vec<Option<ObjectId>>,
    /// The memory that there may be, in bytes.
    most: u64,
}

impl<'f> Loaded<'f> {
    /// Each execution gives the globals their initial values.
    #[must_use]
    pub fn new(flow: &'f Flow) -> Self {
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
        let tables = Tables { layout, slots, widths: widths.into(), outgoing: outgoing.collect() };
        Self { flow, tables, initial: None }
    }

    /// Executions with these limits begin with a copy of memory in which the globals have their initial values, if these
    /// depend on nothing from outside.  It pays from the second execution on: tables of some ten thousand numbers take
    /// ten times as long as what is done with them.
    #[must_use]
    pub fn with_initial_values(mut self, options: &ExecutionOptions) -> Self {
        let mut oracle = Zero;
        let mut machine = Machine::new(&self, &mut oracle, options);
        if machine.initialise().is_ok() && machine.has_memory_only() {
            let Machine { memory, globals, strings, .. } = machine;
            self.initial = Some(Initial { memory, globals, strings, most: options.memory });
        }
        self
    }

    /// Gives the globals their initial values.
    ///
    /// # Errors
    /// If there is no room for them, or one is a mistake.
    pub(in crate::program::c::execute) fn initialise(
        &self,
        machine: &mut Machine<'f, '_>,
    ) -> Result<(), Stop> {
        match &self.initial {
            Some(Initial { memory, globals, strings, most }) if *most == machine.options.memory => {
                machine.memory.clone_from(memory);
                machine.globals.clone_from(globals);
                machine.strings.clone_from(strings);
                Ok(())
            }
            _ => machine.initialise(),
        }
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
