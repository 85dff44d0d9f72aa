//! Answers what `c::checks` asks of memory.

use std::collections::BTreeSet;

use super::memory::{Content, ObjectId};
use super::state::{Machine, Stop};
use crate::execute::fault::Fault;
use crate::flow::State;

impl Machine<'_, '_> {
    /// Whether it holds of the operand; a fault where that depends on what is outside of the program.
    pub(super) fn is(&self, state: State, operand: u64) -> Result<bool, Stop> {
        match state {
            State::Outside(size) => self.is_outside(operand, size),
            State::Ended => Ok(self.memory.find(operand, 1) == Err(Fault::Released)),
            State::NotFreeable => self.is_not_freeable(operand),
            State::Lost { calls } => Ok(operand != 0 && self.has_lost(calls)),
        }
    }

    fn is_not_freeable(&self, address: u64) -> Result<bool, Stop> {
        let content = self.memory.around(address).map(|(object, _)| self.memory.content(object));
        if matches!(content, Some(Content::Outside { .. })) || self.is_from_outside(address) {
            return Err(Fault::InvalidFree("free".to_owned()).into());
        }
        let start = self.memory.starting_at(address).map(|object| self.memory.content(object));
        Ok(address != 0 && !matches!(start, Some(Content::Block { number: Some(_), .. })))
    }

    /// Whether no pointer leads to some live block of the heap.
    fn has_lost(&self, calls: bool) -> bool {
        let is_block = |&id: &ObjectId| {
            matches!(self.memory.content(id), Content::Block { number: Some(_), .. })
        };
        let is_outside =
            |&id: &ObjectId| matches!(self.memory.content(id), Content::Outside { .. });
        let mut lost: BTreeSet<ObjectId> = self.memory.addressed().filter(is_block).collect();
        let mut open: Vec<ObjectId> = self.memory.addressed().filter(is_outside).collect();
        open.extend(self.globals.iter().flatten());
        if calls {
            open.extend(self.locals.iter().flatten());
            open.extend(self.frames.iter().flat_map(|frame| &frame.blocks));
        }
        while let Some(holder) = open.pop() {
            let bytes = u64::from(self.layout.word / 8);
            for at in 0..(self.memory.size(holder) + 1).saturating_sub(bytes) {
                let (value, _) = self.memory.load(holder, at * 8, self.layout.word);
                // The address just behind a block leads to it, too.
                if let Some((block, _)) = self.memory.around(value)
                    && lost.remove(&block)
                {
                    open.push(block);
                }
            }
        }
        !lost.is_empty()
    }
}
