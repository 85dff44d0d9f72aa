//! States from which executions go on later.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::super::memory::{Memory, ObjectId};
use super::super::state::{ErrorNumber, Frame, Machine};
use crate::execute::execution::{LargerObject, OutsideObject, Recorded};
use crate::execute::fault::Undefined;
use crate::execute::ways::Trail;
use crate::flow::{FunctionId, Instruction};
use crate::library::CharacterTable;
use crate::trace::EdgeIndex;
use hardbop_base::source::Span;
use hardbop_smt::Term;

/// An open call: the function, where it is, where its variables begin, the call that opened it, and its blocks.
type Call = (FunctionId, u32, usize, Option<(EdgeIndex, Span)>, Vec<ObjectId>);

/// All that a machine has come to.
#[derive(Debug)]
pub struct Snapshot {
    memory: Memory,
    calls: Vec<Call>,
    globals: Vec<Option<ObjectId>>,
    strings: Vec<Option<ObjectId>>,
    locals: Vec<Option<ObjectId>>,
    instances: Vec<u64>,
    numbered: (u64, u64, u64),
    constants: FxHashMap<u64, (u64, Option<OutsideObject>)>,
    addresses: Vec<(Span, OutsideObject)>,
    said: (bool, bool, bool, Option<&'static str>),
    larger: Vec<LargerObject>,
    inputs: Vec<Recorded>,
    undefined: BTreeSet<(Span, Undefined)>,
    error_number: ErrorNumber,
    open_result: Option<Term>,
    tables: FxHashMap<CharacterTable, u64>,
    /// The way there.
    pub trail: Trail,
}

impl Snapshot {
    /// The number of inputs on the way there.
    pub fn depth(&self) -> usize {
        self.inputs.len()
    }

    /// The bytes that it takes, roughly.
    pub fn size(&self) -> u64 {
        let inputs = self.inputs.len() * size_of::<Recorded>();
        self.memory.used() + (inputs + size_of::<Self>()) as u64
    }
}

impl Machine<'_, '_> {
    /// The state, of which an [image](Self::is_reached_again) could be made.
    pub fn snapshot(&self, trail: Trail) -> Snapshot {
        let call = |f: &Frame<'_>| (f.function, f.location, f.base, f.call, f.blocks.clone());
        Snapshot {
            memory: self.memory.deep_copy(),
            calls: self.frames.iter().map(call).collect(),
            globals: self.globals.clone(),
            strings: self.strings.clone(),
            locals: self.locals.clone(),
            instances: self.instances.clone(),
            numbered: (self.blocks, self.outside, self.chosen),
            constants: self.constants.clone(),
            addresses: self.addresses.clone(),
            said: (self.foreign, self.numbers, self.hides_pointers, self.inexact),
            larger: self.larger.clone(),
            inputs: self.inputs.clone(),
            undefined: self.undefined.clone(),
            error_number: self.error_number,
            open_result: self.open_result,
            tables: self.tables.clone(),
            trail,
        }
    }

    /// Goes on from a state.
    pub fn resume(&mut self, from: &Snapshot) {
        let flow = self.flow;
        self.memory = from.memory.deep_copy();
        let frame = |(function, location, base, call, blocks): &Call| {
            let body_of = |function: u32| flow.functions[function as usize].body.as_ref();
            let opened = call.and_then(|(edge, _)| {
                body_of(edge.function)?.edges.get(edge.edge as usize).map(|edge| &edge.instruction)
            });
            let result = match opened {
                Some(Instruction::Call { result, .. }) => result.as_ref(),
                _ => None,
            };
            Some(Frame {
                function: *function,
                body: body_of(function.0)?,
                location: *location,
                base: *base,
                result,
                call: *call,
                blocks: blocks.clone(),
            })
        };
        self.frames = from.calls.iter().filter_map(frame).collect();
        self.globals.clone_from(&from.globals);
        self.strings.clone_from(&from.strings);
        self.locals.clone_from(&from.locals);
        self.instances.clone_from(&from.instances);
        (self.blocks, self.outside, self.chosen) = from.numbered;
        self.constants.clone_from(&from.constants);
        self.addresses.clone_from(&from.addresses);
        (self.foreign, self.numbers, self.hides_pointers, self.inexact) = from.said;
        self.larger.clone_from(&from.larger);
        self.inputs.clone_from(&from.inputs);
        self.undefined.clone_from(&from.undefined);
        self.error_number = from.error_number;
        self.open_result = from.open_result;
        self.tables.clone_from(&from.tables);
    }
}
