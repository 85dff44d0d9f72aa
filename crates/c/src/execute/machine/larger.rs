//! Objects that the program uses as larger ones than it declares.

use super::memory::Content;
use super::state::{Machine, Stop};
use crate::execute::execution::{LargerObject, Owner};
use crate::flow::{Expr, VariableId};
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;

/// Objects are not enlarged beyond this size, in bytes.
const LARGEST: u64 = 1 << 14;

impl Machine<'_, '_> {
    /// The space to leave behind objects, in bytes, so that they can grow to the size of any pointee type.
    pub fn room(types: &crate::types::Types) -> u64 {
        let pointees = types.types.iter().filter_map(|ty| match ty {
            Type::Pointer(to) => types.size(*to).filter(|&size| size <= LARGEST),
            _ => None,
        });
        pointees.max().unwrap_or(0)
    }

    /// Called when the program uses the first `end` bytes of an object of type `ty` at an address.
    /// If an object starts there, it is enlarged to the size of the type.
    pub fn fit(&mut self, address: u64, ty: TypeId, end: u64) -> Result<(), Stop> {
        let size = self.layout.size(ty);
        let may_grow = self.options.larger_objects && !self.flow.checked.has(Check::Bounds);
        if size <= 1 || size > LARGEST || end > size || !may_grow {
            return Ok(());
        }
        let Some(object) = self.memory.starting_at(address) else { return Ok(()) };
        if self.memory.size(object) >= end {
            return Ok(());
        }
        let owner = match self.memory.content(object) {
            Content::Variable(variable) => Owner::Variable(VariableId(variable)),
            Content::Block { number, edge: Some(edge) } => {
                Owner::Block { edge, stack: number.is_none() }
            }
            _ => return Ok(()),
        };
        self.memory.enlarge(object, size)?;
        let known = self.larger.iter_mut().find(|l| l.owner == owner);
        match known {
            Some(known) if known.size >= size => {}
            Some(known) => (known.ty, known.size) = (ty, size),
            None => self.larger.push(LargerObject { owner, ty, size }),
        }
        Ok(())
    }

    /// `memset(p, 0, sizeof *p)` uses the object that `p` points to, though it takes a pointer to void.
    pub fn fit_bytes(&mut self, argument: &Expr, address: u64, size: u64) -> Result<(), Stop> {
        let pointer = argument.unconverted();
        match *self.flow.types.get(pointer.ty) {
            Type::Pointer(ty) => self.fit(address, ty, size),
            _ => Ok(()),
        }
    }
}
