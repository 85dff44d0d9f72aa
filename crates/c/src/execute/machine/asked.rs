//! Answers what `c::checks` asks of memory.

use std::collections::BTreeSet;

use super::memory::{Content, ObjectId};
use super::state::{Machine, Stop};
use crate::execute::fault::Fault;
use crate::execute::machine::layout::mask;
use crate::flow::{Expr, ExprKind, Flow, FunctionId, Place, State, VariableKind};
use crate::trace::InputKind;
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;

/// Whether the text declares variables of a kind.
fn is_named(kind: VariableKind) -> bool {
    kind != VariableKind::Temporary
}

/// Whether a program reads the bytes of pointers as numbers: as another member of a union, or through a pointer to them.
fn reads_addresses(flow: &Flow) -> bool {
    let types = &flow.types;
    let holds = |ty: TypeId| types.holds_pointer(ty, &|_| true);
    flow.parts().any(|part| match &part.kind {
        ExprKind::Load(place) if types.is_integer(place.ty) => {
            let mut ty = place.base_type(&flow.variables, types);
            place.path.iter().any(|step| {
                let Some(whole) = ty else { return false };
                ty = step.part(whole, types).map(|(part, _)| part);
                types.as_record(whole).is_some_and(|(_, record)| record.union) && holds(whole)
            })
        }
        ExprKind::Cast(inner) => {
            let mut inner = inner;
            while let ExprKind::Cast(operand) = &inner.kind {
                inner = operand;
            }
            match (types.get(part.ty), types.get(inner.ty)) {
                (&Type::Pointer(to), &Type::Pointer(from)) => types.is_integer(to) && holds(from),
                _ => false,
            }
        }
        _ => false,
    })
}

impl Machine<'_, '_> {
    /// Whether an address is of no object and no function, not null, and not the highest one, which stands for failure.
    pub(super) fn leads_nowhere(&self, address: u64) -> bool {
        let is_special = [0, self.layout.mask()].contains(&address);
        let is_function = self.function_at(address).is_some();
        !is_special && !is_function && self.memory.around(address).is_none()
    }

    /// Whether two addresses are not of one object, so that their order depends on where these lie.
    pub(super) fn are_elsewhere(&self, left: u64, right: u64) -> bool {
        self.memory.are_apart(left, right)
    }

    /// Whether it holds of the operand; a fault where that depends on what is outside of the program.
    pub(super) fn is(&self, state: State, operand: u64) -> Result<bool, Stop> {
        match state {
            State::Outside(size) => self.is_outside(operand, size),
            State::Ended => Ok(self.memory.find(operand, 1) == Err(Fault::Released)),
            State::Constant => Ok(match self.memory.around(operand) {
                Some((object, offset)) if offset < self.memory.size(object) => {
                    match self.memory.content(object) {
                        Content::Variable(v) => self.flow.variables[v as usize].constant,
                        Content::String(_) => true,
                        _ => false,
                    }
                }
                _ => false,
            }),
            State::Misaligned(align) => self.is_misaligned(operand, align),
            State::NotFreeable => self.is_not_freeable(operand),
            // Not evaluated.
            State::Unwritten => Ok(false),
            State::Lost { .. } if operand == 0 => Ok(false),
            State::Lost { calls } => self.is_some_lost(calls),
        }
    }

    /// Whether an address is no multiple of an alignment, wherever its object lies; a fault where that depends on it.
    fn is_misaligned(&self, address: u64, align: u64) -> Result<bool, Stop> {
        if address == 0 {
            return Ok(false);
        }
        let Some((object, offset)) = self.memory.around(address) else {
            return Err(Fault::Unaligned.into());
        };
        let own = match self.memory.content(object) {
            Content::Variable(v) => self.flow.types.align(self.flow.variables[v as usize].ty),
            Content::Block { .. } => self.flow.types.model.block_alignment(),
            Content::String(_) => 1,
            Content::Arguments => u64::from(self.layout.word / 8),
            Content::Outside { .. } | Content::Argument { .. } => {
                return Err(Fault::Unaligned.into());
            }
        };
        match offset.is_multiple_of(own.min(align)) {
            false => Ok(true),
            true if own < align => Err(Fault::Unaligned.into()),
            true => Ok(false),
        }
    }

    /// Whether two addresses are not in one object, or behind its last byte; a fault where they come from outside.
    pub(super) fn are_apart(&mut self, left: u64, right: u64) -> Result<bool, Stop> {
        let [a, b] = [left, right].map(|at| self.memory.around(at).map(|(object, _)| object));
        if let (Some(a), Some(b)) = (a, b)
            && a == b
        {
            return Ok(false);
        }
        for (address, object) in [(left, a), (right, b)] {
            let content = object.map(|object| self.memory.content(object));
            let is_outside = matches!(content, Some(Content::Outside { .. }));
            if is_outside || object.is_none() && self.is_from_outside(address) {
                return Err(Fault::OutsideOrder.into());
            }
        }
        Ok(true)
    }

    fn is_some_lost(&self, calls: bool) -> Result<bool, Stop> {
        let is_lost = match calls {
            false => self.has_lost(|_| false),
            // A temporary stands for a value that is still needed, or is not any more.
            true => match (self.has_lost(|_| true), self.has_lost(is_named)) {
                (false, true) => return Err(Fault::OnlyTemporary.into()),
                (is_lost, _) => is_lost,
            },
        };
        match is_lost && (self.numbers || reads_addresses(self.flow)) {
            true => Err(Fault::OnlyNumber.into()),
            false => Ok(is_lost),
        }
    }

    fn is_not_freeable(&self, address: u64) -> Result<bool, Stop> {
        let content = self.memory.around(address).map(|(object, _)| self.memory.content(object));
        if matches!(content, Some(Content::Outside { .. })) || self.is_from_outside(address) {
            return Err(Fault::InvalidFree("free".to_owned()).into());
        }
        // What a function without a body returns may be a block of which nothing is known.
        let is_returned = self.inputs.iter().any(|r| {
            let is_result = matches!(r.input.kind, InputKind::Undefined { .. }) && !r.input.object;
            is_result && r.pointer && r.input.value == address
        });
        if address != 0 && is_returned {
            return Err(Fault::InvalidFree("free".to_owned()).into());
        }
        let start = self.memory.starting_at(address);
        Ok(address != 0 && !start.is_some_and(|object| self.is_of_heap(object)))
    }

    /// Whether an object is a block of the heap that the program may free.
    fn is_of_heap(&self, object: ObjectId) -> bool {
        match self.memory.content(object) {
            Content::Block { number: Some(_), edge } => {
                edge.is_none_or(|edge| !self.flow.keeps_blocks(FunctionId(edge.function)))
            }
            _ => false,
        }
    }

    /// Whether a bit of what is loaded was never written: by the program, from outside, or at the start.
    pub(super) fn is_unwritten(&mut self, load: &Expr) -> Result<bool, Stop> {
        match &load.kind {
            ExprKind::Load(place) => self.is_unwritten_at(place),
            _ => Ok(false),
        }
    }

    fn is_unwritten_at(&mut self, place: &Place) -> Result<bool, Stop> {
        let spot = self.spot(place)?;
        let scalar = self.scalar_type(place.ty)?;
        let (object, bit, bits) = self.bits_of(spot, scalar)?;
        let (_, known) = self.memory.load(object, bit, bits);
        if known == mask(bits) {
            return Ok(false);
        }
        self.modelled(object)?;
        let (start, end) = (bit / 8, (bit + u64::from(bits)).div_ceil(8));
        let sources = self.memory.sources(object, start, end);
        let copied: u64 = sources.iter().map(|(_, size)| size).sum();
        let given = sources.iter().filter(|(source, _)| self.is_given(source)).count();
        match given {
            0 => Ok(match self.memory.content(object) {
                Content::Variable(v) => !self.is_given_variable(v),
                Content::Block { .. } => true,
                Content::Outside { .. }
                | Content::String(_)
                | Content::Arguments
                | Content::Argument { .. } => false,
            }),
            _ if given == sources.len() && copied == end - start => Ok(false),
            // Some of it is copied from outside, and some is not.
            _ => Err(Fault::PartlyGiven.into()),
        }
    }

    /// Whether bits without values that an input stands for have values all the same: from outside of the program.
    fn is_given(&self, source: &InputKind) -> bool {
        match source {
            InputKind::Uninitialised { variable, .. } => self.is_given_variable(*variable),
            InputKind::Heap { .. } => false,
            _ => true,
        }
    }

    /// Whether a variable has a value from the start: no local one of the program, and no parameter that calls pass.
    fn is_given_variable(&self, variable: u32) -> bool {
        let variable = &self.flow.variables[variable as usize];
        match variable.kind {
            // What a function of the library leaves open is any value.
            VariableKind::Local | VariableKind::Temporary => {
                variable.function.is_some_and(|function| self.flow.is_of_library(function))
            }
            VariableKind::Parameter => variable.function == Some(self.flow.main),
            VariableKind::Global | VariableKind::External => true,
        }
    }

    /// Assigns a scalar of which bits were never written to a place of its size; false if there are none.
    pub fn copies_unwritten(&mut self, to: &Place, value: &Expr) -> Result<bool, Stop> {
        if !self.flow.checked.has(Check::Uninitialised) {
            return Ok(false);
        }
        let Some(from) = value.copied(&self.flow.types) else { return Ok(false) };
        if !self.is_unwritten_at(from)? {
            return Ok(false);
        }
        let scalar = self.scalar_type(from.ty)?;
        let spot = self.spot(from)?;
        let (object, bit, bits) = self.bits_of(spot, scalar)?;
        let size = self.layout.size(to.ty);
        if bit % 8 != 0 || u64::from(bits) != size * 8 {
            return Ok(false);
        }
        let bytes = self.copy_out(object, bit / 8, size)?;
        let spot = self.spot(to)?;
        let (object, offset) = self.access(spot, size)?;
        self.writable(object)?;
        self.memory.copy_in(object, offset, &bytes)?;
        Ok(true)
    }

    /// Whether no pointer leads to some live block of the heap from a global variable, or one of these of open calls.
    fn has_lost(&self, is_root: impl Fn(VariableKind) -> bool) -> bool {
        let is_block = |&id: &ObjectId| self.is_of_heap(id);
        let is_outside =
            |&id: &ObjectId| matches!(self.memory.content(id), Content::Outside { .. });
        let mut lost: BTreeSet<ObjectId> = self.memory.addressed().filter(is_block).collect();
        let mut open: Vec<ObjectId> = self.memory.addressed().filter(is_outside).collect();
        open.extend(self.globals.iter().flatten());
        open.extend(self.locals.iter().flatten().filter(|&&id| match self.memory.content(id) {
            Content::Variable(v) => is_root(self.flow.variables[v as usize].kind),
            _ => false,
        }));
        if is_root(VariableKind::Local) {
            open.extend(self.frames.iter().flat_map(|frame| &frame.blocks));
        }
        while let Some(holder) = open.pop() {
            let bytes = u64::from(self.layout.word / 8);
            for at in 0..(self.memory.size(holder) + 1).saturating_sub(bytes) {
                let (value, known) = self.memory.load(holder, at * 8, self.layout.word);
                // The address just behind a block leads to it, too; what has no value leads nowhere.
                if known == mask(self.layout.word)
                    && let Some((block, _)) = self.memory.around(value)
                    && lost.remove(&block)
                {
                    open.push(block);
                }
            }
        }
        !lost.is_empty()
    }
}
