//! Scalar variables as wholes, read and written without asking for what is not there.

use crate::execute::execution::Change;
use crate::execute::fault::Fault;
use crate::execute::machine::{Location, Machine, ObjectId, Slot, Spot, Stop, mask};
use crate::execute::options::Recording;
use crate::flow::{VariableId, VariableKind};

impl Machine<'_, '_> {
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
    pub(super) fn is_shared(&self, id: VariableId) -> bool {
        matches!(self.slots[id.0 as usize], Slot::Global)
    }

    /// The bits of a scalar variable, global or of the innermost activation, if it has been made and has a value.
    pub(super) fn peek(&self, id: VariableId) -> Option<u64> {
        let object = self.made(id)?;
        let scalar = self.layout.scalar(self.flow.variables[id.0 as usize].ty)?;
        let (value, known) = self.memory.load(object, 0, scalar.stored_bits());
        (known == mask(scalar.stored_bits())).then_some(value)
    }

    /// Writes what variables hold after rounds that were not taken one by one, and returns the changes if they are
    /// recorded.
    pub(super) fn leap(&mut self, values: &[(VariableId, u64)]) -> Result<Vec<Change>, Stop> {
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

    /// Whether the edges that are passed are recorded.
    pub(super) fn records_edges(&self) -> bool {
        self.options.record != Recording::Inputs
    }
}
