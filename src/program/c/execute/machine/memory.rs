//! Memory: objects of bytes in a flat address space.
//!
//! Every bit is known to be initialised or not.  An object gets an address when something asks for
//! it; addresses are given out upwards with gaps between them, and not again before the address
//! space is used up, so that a dangling pointer points to nothing.

use std::collections::{BTreeMap, VecDeque};

use super::layout::mask;
use crate::program::c::execute::fault::Fault;
use crate::program::c::trace::EdgeIndex;

/// An object; numbers of objects that ended are used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::program::c::execute) struct ObjectId(u32);

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::program::c::execute) enum Content {
    /// A global, or a local of an activation: its number in `Flow::variables`.
    Variable(u32),
    /// A literal in `Flow::strings`.
    String(u32),
    /// From `malloc` and its like: which one it is, counted from 0; `None` for `alloca`.
    /// By the call on an edge.
    Block { number: Option<u64>, edge: Option<EdgeIndex> },
    /// What a pointer from outside points to: which one it is, counted from 0.
    Outside { number: u64 },
}

#[derive(Debug)]
struct Object {
    content: Content,
    bytes: Vec<u8>,
    /// Per byte the bits that have a value; empty: all have.
    known: Vec<u8>,
    address: Option<u64>,
    align: u64,
    /// The function that wrote unknown text into it: what has no value is not uninitialised.
    scribbled: Option<&'static str>,
    /// Of a variable, which execution of its declaration this is, once that matters.
    instance: Option<u64>,
}

/// Bytes with what is known of them: the value of a record.
#[derive(Debug, Clone, Default)]
pub(in crate::program::c::execute) struct Bytes {
    pub(in crate::program::c::execute) bytes: Vec<u8>,
    /// Per byte the bits that have a value; empty: all have.
    pub(in crate::program::c::execute) known: Vec<u8>,
}

/// Why no object could be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::program::c::execute) struct OutOfMemory;

/// Free bytes between two objects, at least.
const GAP: u64 = 16;
/// Released blocks that are remembered, to say what is wrong with an access there.
const REMEMBERED: usize = 4096;
/// Below this no object has its address.
pub(in crate::program::c::execute) const FIRST_PAGE: u64 = 4096;

#[derive(Debug)]
pub(in crate::program::c::execute) struct Memory {
    objects: Vec<Object>,
    free: Vec<ObjectId>,
    by_address: BTreeMap<u64, ObjectId>,
    /// Start and size of the last objects that ended.
    released: VecDeque<(u64, u64)>,
    /// First and past the last address for objects.
    space: (u64, u64),
    next: u64,
    /// Free bytes between two objects, at least.
    gap: u64,
    /// Bytes in use, and at most.
    used: u64,
    limit: u64,
}

impl Memory {
    /// `limit`: bytes of all objects together; `room`: the size that every object may still get.
    pub(in crate::program::c::execute) fn new(word: u32, limit: u64, room: u64) -> Self {
        // As on x86: LP64 addresses do not fit into 32 bits.
        let space = if word == 32 {
            (0x0800_0000, 0xF000_0000)
        } else {
            (0x5555_0000_0000, 0x7FFF_0000_0000)
        };
        Self {
            objects: Vec::new(),
            free: Vec::new(),
            by_address: BTreeMap::new(),
            released: VecDeque::new(),
            space,
            next: space.0,
            gap: GAP + room,
            used: 0,
            limit,
        }
    }

    /// A new object; `zero`: its bytes are 0, otherwise they are unknown.
    pub(in crate::program::c::execute) fn allocate(
        &mut self,
        content: Content,
        size: u64,
        zero: bool,
    ) -> Result<ObjectId, OutOfMemory> {
        if size > self.limit.saturating_sub(self.used) {
            return Err(OutOfMemory);
        }
        self.used += size;
        let size = size as usize;
        let align = if size >= 16 { 16 } else { 8 };
        if let Some(id) = self.free.pop() {
            let object = &mut self.objects[id.0 as usize];
            object.content = content;
            object.bytes.clear();
            object.bytes.resize(size, 0);
            object.known.clear();
            object.known.resize(if zero { 0 } else { size }, 0);
            object.align = align;
            object.scribbled = None;
            object.instance = None;
            return Ok(id);
        }
        let known = if zero { Vec::new() } else { vec![0; size] };
        let bytes = vec![0; size];
        self.objects.push(Object {
            content,
            bytes,
            known,
            address: None,
            align,
            scribbled: None,
            instance: None,
        });
        Ok(ObjectId(self.objects.len() as u32 - 1))
    }

    /// The object ends.
    pub(in crate::program::c::execute) fn release(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.0 as usize];
        let size = object.bytes.len() as u64;
        self.used -= size;
        if let Some(address) = object.address.take() {
            self.by_address.remove(&address);
            if self.released.len() == REMEMBERED {
                self.released.pop_front();
            }
            self.released.push_back((address, size.max(1)));
        }
        self.free.push(id);
    }

    pub(in crate::program::c::execute) fn content(&self, id: ObjectId) -> Content {
        self.object(id).content
    }

    /// In bytes.
    pub(in crate::program::c::execute) fn size(&self, id: ObjectId) -> u64 {
        self.object(id).bytes.len() as u64
    }

    /// Which execution of its declaration the variable is in.
    pub(in crate::program::c::execute) fn instance(&self, id: ObjectId) -> Option<u64> {
        self.object(id).instance
    }

    pub(in crate::program::c::execute) fn set_instance(&mut self, id: ObjectId, instance: u64) {
        self.objects[id.0 as usize].instance = Some(instance);
    }

    /// Where the object is; asking gives it its place.
    pub(in crate::program::c::execute) fn address(
        &mut self,
        id: ObjectId,
    ) -> Result<u64, OutOfMemory> {
        let object = self.object(id);
        if let Some(address) = object.address {
            return Ok(address);
        }
        let (size, align) = (object.bytes.len() as u64, object.align);
        let address = self.place(size, align)?;
        self.next = address + size + self.gap;
        self.by_address.insert(address, id);
        self.objects[id.0 as usize].address = Some(address);
        Ok(address)
    }

    /// A free place, looking upwards from the last one, and once from the start.
    fn place(&self, size: u64, align: u64) -> Result<u64, OutOfMemory> {
        let (first, end) = self.space;
        let mut candidate = self.next;
        let mut again = false;
        loop {
            candidate = candidate.next_multiple_of(align);
            if candidate.saturating_add(size) > end {
                if again {
                    return Err(OutOfMemory);
                }
                again = true;
                candidate = first;
                continue;
            }
            let before = candidate.saturating_add(size).saturating_add(self.gap);
            match self.by_address.range(..before).next_back() {
                Some((&start, &id)) if start + self.size(id) + self.gap > candidate => {
                    candidate = start + self.size(id) + self.gap;
                }
                _ => return Ok(candidate),
            }
        }
    }

    /// The object that has `size` bytes at an address, and the offset there.
    pub(in crate::program::c::execute) fn find(
        &self,
        address: u64,
        size: u64,
    ) -> Result<(ObjectId, u64), Fault> {
        if let Some((&start, &id)) = self.by_address.range(..=address).next_back() {
            let offset = address - start;
            if offset.saturating_add(size) <= self.size(id) {
                return Ok((id, offset));
            }
        }
        if address < FIRST_PAGE {
            return Err(Fault::Null);
        }
        let inside = |&&(start, size): &&(u64, u64)| (start..start + size).contains(&address);
        // Newer objects may be at the place of the old one.
        if self.released.iter().rev().any(|r| inside(&r)) {
            return Err(Fault::Released);
        }
        Err(Fault::OutOfBounds { address, size })
    }

    /// The object that starts at an address.
    pub(in crate::program::c::execute) fn starting_at(&self, address: u64) -> Option<ObjectId> {
        self.by_address.get(&address).copied()
    }

    /// The object gets larger; what is new is unknown.  There must be room behind it.
    pub(in crate::program::c::execute) fn enlarge(
        &mut self,
        id: ObjectId,
        size: u64,
    ) -> Result<(), OutOfMemory> {
        let more = size.saturating_sub(self.size(id));
        if more > self.limit.saturating_sub(self.used) {
            return Err(OutOfMemory);
        }
        self.used += more;
        let object = &mut self.objects[id.0 as usize];
        if object.known.is_empty() {
            object.known.resize(object.bytes.len(), u8::MAX);
        }
        object.bytes.resize(size as usize, 0);
        object.known.resize(size as usize, 0);
        Ok(())
    }

    /// The object that starts or lies around an address, for people.
    pub(in crate::program::c::execute) fn around(&self, address: u64) -> Option<(ObjectId, u64)> {
        let (&start, &id) = self.by_address.range(..=address).next_back()?;
        // One past the end still belongs to it.
        (address - start <= self.size(id)).then_some((id, address - start))
    }

    /// A function writes at most `size` unknown bytes from an offset on.
    pub(in crate::program::c::execute) fn scribble(
        &mut self,
        id: ObjectId,
        offset: u64,
        size: u64,
        by: &'static str,
    ) {
        let object = &mut self.objects[id.0 as usize];
        if object.known.is_empty() {
            object.known.resize(object.bytes.len(), u8::MAX);
        }
        let end = offset.saturating_add(size).min(object.bytes.len() as u64);
        object.known[offset as usize..end as usize].fill(0);
        object.scribbled = Some(by);
    }

    /// The function that last wrote unknown bytes to the object.
    pub(in crate::program::c::execute) fn scribbled(&self, id: ObjectId) -> Option<&'static str> {
        self.object(id).scribbled
    }

    /// The bytes from an offset on have no values.
    pub(in crate::program::c::execute) fn forget_from(&mut self, id: ObjectId, offset: u64) {
        let object = &mut self.objects[id.0 as usize];
        if offset < object.bytes.len() as u64 {
            if object.known.is_empty() {
                object.known.resize(object.bytes.len(), u8::MAX);
            }
            object.known[offset as usize..].fill(0);
        }
    }

    fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// Up to 64 bits from bit `bit` of the object; and which of them have a value.  The caller has
    /// made sure that they are within the object.
    pub(in crate::program::c::execute) fn load(
        &self,
        id: ObjectId,
        bit: u64,
        bits: u32,
    ) -> (u64, u64) {
        let object = self.object(id);
        let all = mask(bits);
        let value = gather(&object.bytes, bit, bits) & all;
        let known =
            if object.known.is_empty() { all } else { gather(&object.known, bit, bits) & all };
        (value, known)
    }

    /// Sets `bits` bits from bit `bit` of the object to a value.
    pub(in crate::program::c::execute) fn store(
        &mut self,
        id: ObjectId,
        bit: u64,
        bits: u32,
        value: u64,
    ) {
        let object = &mut self.objects[id.0 as usize];
        scatter(&mut object.bytes, bit, bits, value);
        if !object.known.is_empty() {
            scatter(&mut object.known, bit, bits, u64::MAX);
        }
    }

    /// A copy of some bytes.
    pub(in crate::program::c::execute) fn copy_out(
        &self,
        id: ObjectId,
        offset: u64,
        size: u64,
    ) -> Bytes {
        let object = self.object(id);
        let range = offset as usize..(offset + size) as usize;
        let known =
            if object.known.is_empty() { Vec::new() } else { object.known[range.clone()].to_vec() };
        Bytes { bytes: object.bytes[range].to_vec(), known }
    }

    /// Writes bytes, of which some may have no value.
    pub(in crate::program::c::execute) fn copy_in(
        &mut self,
        id: ObjectId,
        offset: u64,
        value: &Bytes,
    ) {
        let object = &mut self.objects[id.0 as usize];
        let size = value.bytes.len();
        let range = offset as usize..offset as usize + size;
        object.bytes[range.clone()].copy_from_slice(&value.bytes);
        if value.known.is_empty() {
            if !object.known.is_empty() {
                object.known[range].fill(u8::MAX);
            }
        } else {
            if object.known.is_empty() {
                object.known.resize(object.bytes.len(), u8::MAX);
            }
            object.known[range].copy_from_slice(&value.known);
        }
    }
}

/// `bits` bits from bit `bit`, little endian.
fn gather(bytes: &[u8], bit: u64, bits: u32) -> u64 {
    let (start, shift) = ((bit / 8) as usize, bit % 8);
    let end = (bit + u64::from(bits)).div_ceil(8) as usize;
    let mut value: u128 = 0;
    for &byte in bytes[start..end].iter().rev() {
        value = value << 8 | u128::from(byte);
    }
    (value >> shift) as u64
}

fn scatter(bytes: &mut [u8], bit: u64, bits: u32, value: u64) {
    let (start, shift) = ((bit / 8) as usize, bit % 8);
    let end = (bit + u64::from(bits)).div_ceil(8) as usize;
    let mut chosen = u128::from(mask(bits)) << shift;
    let mut value = u128::from(value & mask(bits)) << shift;
    for byte in &mut bytes[start..end] {
        *byte = *byte & !(chosen as u8) | value as u8;
        chosen >>= 8;
        value >>= 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> Content {
        Content::Block { number: Some(0), edge: None }
    }

    #[test]
    fn bits_of_bytes() {
        let mut memory = Memory::new(32, 1 << 20, 0);
        let id = memory.allocate(block(), 8, false).unwrap();
        assert_eq!(memory.load(id, 0, 64), (0, 0));
        memory.store(id, 5, 7, 0xFFFF);
        assert_eq!(memory.load(id, 0, 16), (0b1111_1110_0000, 0b1111_1110_0000));
        memory.store(id, 0, 64, 0x0123_4567_89AB_CDEF);
        assert_eq!(memory.load(id, 8, 16), (0xABCD, 0xFFFF));
        let copy = memory.copy_out(id, 1, 2);
        assert_eq!(copy.bytes, [0xCD, 0xAB]);
    }

    #[test]
    fn addresses_are_not_given_out_twice() {
        let mut memory = Memory::new(32, 1 << 20, 0);
        let id = memory.allocate(block(), 4, true).unwrap();
        let old = memory.address(id).unwrap();
        assert_eq!(memory.find(old + 3, 1), Ok((id, 3)));
        assert_eq!(memory.find(old + 3, 2), Err(Fault::OutOfBounds { address: old + 3, size: 2 }));
        memory.release(id);
        assert_eq!(memory.find(old, 4), Err(Fault::Released));
        let id = memory.allocate(block(), 4, true).unwrap();
        assert!(memory.address(id).unwrap() > old);
        assert_eq!(memory.find(0, 1), Err(Fault::Null));
    }

    #[test]
    fn the_address_space_is_used_again_when_it_is_full() {
        let mut memory = Memory::new(32, u64::MAX, 0);
        memory.space = (0x1000, 0x1100);
        memory.next = 0x1000;
        let kept = memory.allocate(block(), 32, true).unwrap();
        let place = memory.address(kept).unwrap();
        for _ in 0..100 {
            let id = memory.allocate(block(), 16, true).unwrap();
            let address = memory.address(id).unwrap();
            assert!(address + 16 <= place || address >= place + 32);
            assert_eq!(memory.find(address, 16), Ok((id, 0)));
            memory.release(id);
        }
        let large = memory.allocate(block(), 512, true).unwrap();
        assert_eq!(memory.address(large), Err(OutOfMemory));
        let more = Memory::new(32, 10, 0).allocate(block(), 11, true);
        assert_eq!(more, Err(OutOfMemory));
    }
}
