//! Open calls, and the objects that begin and end with them (C11, 6.2.4).

use super::memory::{Content, ObjectId};
use super::state::{Frame, Machine, Stop};
use super::tables::Slot;
use crate::execute::fault::Fault;
use crate::flow::{Base, Body, FunctionId, Place, VariableId, VariableKind};

impl<'f> Machine<'f, '_> {
    /// Opens an activation of a function that has a body.
    pub fn open(
        &mut self,
        function: FunctionId,
        body: &'f Body,
        result: Option<&'f Place>,
    ) -> Result<(), Stop> {
        if self.frames.len() >= self.options.depth {
            return Err(Stop::TooDeep);
        }
        let base = self.locals.len();
        self.locals.resize(base + self.widths[function.0 as usize] as usize, None);
        let location = body.entry.0;
        self.frames.push(Frame {
            function,
            body,
            location,
            base,
            result,
            call: None,
            blocks: Vec::new(),
        });
        Ok(())
    }

    /// Closes the innermost activation; its objects end.
    pub fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for id in self.locals.drain(frame.base..).flatten().chain(frame.blocks) {
            self.memory.release(id);
        }
    }

    /// The object of a variable: a global, or one of the innermost activation.
    pub fn variable(&mut self, id: VariableId) -> Result<ObjectId, Stop> {
        let index = id.0 as usize;
        let place = match self.slots[index] {
            Slot::Global => &mut self.globals[index],
            Slot::Local(slot) => {
                let base = self.frames.last().map_or(0, |frame| frame.base);
                let place = self.locals.get_mut(base + slot as usize);
                place.ok_or(Fault::IllFormed("a local variable outside of its function"))?
            }
        };
        if let Some(object) = *place {
            return Ok(object);
        }
        let variable = &self.flow.variables[index];
        let size = self.layout.size(variable.ty);
        let zero = variable.kind == VariableKind::Global;
        let object = self.memory.allocate(Content::Variable(id.0), size, zero)?;
        self.memory.align(object, self.flow.types.alignment);
        *place = Some(object);
        Ok(object)
    }

    /// Ends a variable of the innermost activation, whose next use is one of another object, or the block of `alloca` to which
    /// a pointer leads.
    pub(super) fn end(&mut self, place: &Place) -> Result<(), Stop> {
        let object = match &place.base {
            Base::Variable(id) => {
                let Slot::Local(slot) = self.slots[id.0 as usize] else { return Ok(()) };
                let base = self.frames.last().map_or(0, |frame| frame.base);
                self.locals.get_mut(base + slot as usize).and_then(Option::take)
            }
            Base::Pointer(pointer) => {
                let address = self.scalar(pointer)?;
                let object = self.memory.starting_at(address);
                let blocks = self.frames.last_mut().map(|frame| &mut frame.blocks);
                let own = object.zip(blocks).and_then(|(object, blocks)| {
                    Some(blocks.remove(blocks.iter().position(|&block| block == object)?))
                });
                Some(own.ok_or(Fault::IllFormed("an array that ends, and is none"))?)
            }
            Base::String(_) => None,
        };
        if let Some(object) = object {
            self.memory.release(object);
        }
        Ok(())
    }
}
