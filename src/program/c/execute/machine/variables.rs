//! Variables: their objects, and scalar ones as wholes.

use super::evaluate::{Location, Spot};
use super::layout::mask;
use super::memory::{Content, ObjectId};
use super::state::{Machine, Slot, Stop};
use crate::program::c::execute::execution::Change;
use crate::program::c::execute::fault::Fault;
use crate::program::c::execute::options::Recording;
use crate::program::c::flow::{VariableId, VariableKind};

impl Machine<'_, '_> {
    /// The object of a variable: a global, or one of the innermost activation.
    pub(in crate::program::c::execute) fn variable(
        &mut self,
        id: VariableId,
    ) -> Result<ObjectId, Stop> {
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

    /// The object of a variable, if it has one already.
    fn made(&self, id: VariableId) -> Option<ObjectId> {
        match self.slots[id.0 as usize] {
            Slot::Global => self.globals[id.0 as usize],
            Slot::Local(slot) => {
                let base = self.frames.last()?.base;
                *self.locals.get(base + slot as usize)?
            }
        }
    }

    /// Whether all activations share the variable.
    pub(in crate::program::c::execute) fn is_shared(&self, id: VariableId) -> bool {
        matches!(self.slots[id.0 as usize], Slot::Global)
    }

    /// The bits of a scalar variable, global or of the innermost activation, if it has been made and has a value.
    pub(in crate::program::c::execute) fn peek(&self, id: VariableId) -> Option<u64> {
        let object = self.made(id)?;
        let scalar = self.layout.scalar(self.flow.variables[id.0 as usize].ty)?;
        let (value, known) = self.memory.load(object, 0, scalar.stored_bits());
        (known == mask(scalar.stored_bits())).then_some(value)
    }

    /// Writes what variables hold after rounds that were not taken one by one, and returns the changes if they are
    /// recorded.
    pub(in crate::program::c::execute) fn leap(
        &mut self,
        values: &[(VariableId, u64)],
    ) -> Result<Vec<Change>, Stop> {
        let before = self.changes.len();
        for &(id, value) in values {
            let variable = &self.flow.variables[id.0 as usize];
            let spot = Spot::new(Location::Object(self.variable(id)?, 0));
            let scalar = self.layout.scalar(variable.ty);
            let scalar = scalar.ok_or(Fault::IllFormed("a variable of another type"))?;
            self.store_spot(spot, scalar, value)?;
            if self.records_values() && variable.kind != VariableKind::Temporary {
                let shown = (&*variable.name, self.is_shared(id));
                self.record_change(shown, spot, variable.ty);
            }
        }
        Ok(self.changes.split_off(before))
    }

    /// Whether the names and values of changed places are to be recorded.
    pub(in crate::program::c::execute) fn records_values(&self) -> bool {
        self.options.record == Recording::Values && self.edge.is_some()
    }

    /// Whether the edges that are passed are recorded.
    pub(in crate::program::c::execute) fn records_edges(&self) -> bool {
        self.options.record != Recording::Inputs
    }
}
