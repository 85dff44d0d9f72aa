//! Memory: objects of bytes in a flat address space.
//!
//! Each bit is marked as initialised or not. An object gets an address only when it is needed.
//! Addresses are handed out upwards, with gaps between objects, and are not reused before the
//! address space runs out, so a dangling pointer points to nothing.

mod addresses;
mod cells;
mod image;

use std::collections::{BTreeMap, VecDeque};

use self::addresses::Retired;
use self::cells::{Cells, Room};
use super::unknown::Share;
use crate::execute::fault::Fault;
use crate::trace::EdgeIndex;

/// An object; the numbers of released objects are reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(u32);

/// What an object holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A global, or a local of an activation: its number in `Flow::variables`.
    Variable(u32),
    /// A literal in `Flow::strings`.
    String(u32),
    /// A block from `malloc` and the like: its number, counted from 0 (`None` for `alloca`), and
    /// the edge of the call.
    Block { number: Option<u64>, edge: Option<EdgeIndex> },
    /// The target of a pointer from outside, numbered from 0.
    Outside { number: u64 },
    /// An array of pointers that `main` is given.
    Arguments,
    /// A text that `main` is given.
    Argument { index: u64 },
}

#[derive(Debug, Clone)]
struct Object {
    content: Content,
    cells: Cells,
    address: Option<u64>,
    align: u64,
    /// The function that wrote unknown text into it: its bits without values are not uninitialised.
    scribbled: Option<&'static str>,
    /// For a variable, the number of its instance, once needed.
    instance: Option<u64>,
    /// Parts that were copied while they lacked bits, without overlap, upwards.
    shares: Vec<Share>,
}

/// Bytes and which of their bits are initialised: the value of a record.
#[derive(Debug, Clone, Default)]
pub struct Bytes {
    pub bytes: Vec<u8>,
    /// For each byte, which bits are initialised; empty if all are.
    pub known: Vec<u8>,
    /// Parts that lack bits; they start where they did in the object that they are from.
    pub(super) shares: Vec<Share>,
    /// The first byte in that object.
    pub(super) start: u64,
}

/// There was no room for an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory;

/// The least number of free bytes between two objects.
const GAP: u64 = 16;
/// The number of released blocks that are remembered, to explain faulty accesses to them.
const REMEMBERED: usize = 4096;
/// No object has an address below this.
pub const FIRST_PAGE: u64 = 4096;

#[derive(Debug, Clone)]
pub struct Memory {
    objects: Vec<Object>,
    free: Vec<ObjectId>,
    by_address: BTreeMap<u64, ObjectId>,
    /// Starts and sizes of the objects released last.
    released: VecDeque<(u64, u64)>,
    /// The first address for objects, and the one past the last.
    space: (u64, u64),
    next: u64,
    /// Where objects were, with their sizes, if their addresses are to be used again.
    retired: Option<Retired>,
    /// The least number of free bytes between two objects.
    gap: u64,
    /// What objects take, and may take.
    room: Room,
}

impl Memory {
    /// `limit` is what all objects together may take; `room` is left behind every object for it to grow.
    pub fn new(word: u32, limit: u64, room: u64) -> Self {
        // As on x86, LP64 addresses do not fit into 32 bits.
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
            retired: None,
            gap: GAP + room,
            room: Room::new(limit),
        }
    }

    /// Makes an object; its bytes are 0 if `zero`, otherwise uninitialised.
    pub fn allocate(
        &mut self,
        content: Content,
        size: u64,
        zero: bool,
    ) -> Result<ObjectId, OutOfMemory> {
        if size > self.space.1 - self.space.0 {
            return Err(OutOfMemory);
        }
        let align = if size >= 16 { 16 } else { 8 };
        if let Some(&id) = self.free.last() {
            let object = &mut self.objects[id.0 as usize];
            object.cells.reset(size, zero, &mut self.room)?;
            self.free.pop();
            object.content = content;
            object.align = align;
            object.scribbled = None;
            object.instance = None;
            object.shares.clear();
            return Ok(id);
        }
        let cells = Cells::new(size, zero, &mut self.room)?;
        self.objects.push(Object {
            content,
            cells,
            address: None,
            align,
            scribbled: None,
            instance: None,
            shares: Vec::new(),
        });
        Ok(ObjectId(self.objects.len() as u32 - 1))
    }

    /// The bytes that objects take.
    pub fn used(&self) -> u64 {
        self.room.used()
    }

    /// Will a program without input do the same with both?  `differs` is an object that may tell them apart, and is
    /// one afterwards if any does.
    pub fn is(&self, other: &Self, differs: &mut usize) -> bool {
        let place = |m: &Self| (m.objects.len(), m.next, m.by_address.len(), m.room.used());
        if place(self) != place(other) {
            return false;
        }
        let same = |&i: &usize| self.objects[i].is(&other.objects[i]);
        if *differs < self.objects.len() && !same(differs) {
            return false;
        }
        // The smallest one is compared again and again.
        let different = (0..self.objects.len()).filter(|i| !same(i));
        match different.min_by_key(|&i| self.objects[i].cells.size()) {
            Some(smallest) => {
                *differs = smallest;
                false
            }
            None => self.free == other.free && self.by_address == other.by_address,
        }
    }

    /// Are there parts of objects that have one value, whatever it is?  A copy of memory shares it.
    pub(super) fn has_shares(&self) -> bool {
        self.objects.iter().any(|object| !object.shares.is_empty())
    }

    /// Ends the lifetime of an object.
    pub fn release(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.0 as usize];
        let size = object.cells.size();
        object.cells.release(&mut self.room);
        if let Some(address) = object.address.take() {
            self.by_address.remove(&address);
            if self.released.len() == REMEMBERED {
                self.released.pop_front();
            }
            self.released.push_back((address, size.max(1)));
            if let Some(retired) = &mut self.retired {
                retired.end(address, size);
            }
        }
        self.free.push(id);
    }

    pub fn content(&self, id: ObjectId) -> Content {
        self.object(id).content
    }

    /// The size in bytes.
    pub fn size(&self, id: ObjectId) -> u64 {
        self.object(id).cells.size()
    }

    /// The number of the variable's instance, if it has been given one.
    pub fn instance(&self, id: ObjectId) -> Option<u64> {
        self.object(id).instance
    }

    pub fn set_instance(&mut self, id: ObjectId, instance: u64) {
        self.objects[id.0 as usize].instance = Some(instance);
    }

    /// Makes an object lie at a multiple of so many bytes, a power of two, unless it has an address.
    pub fn align(&mut self, id: ObjectId, alignment: u64) {
        let object = &mut self.objects[id.0 as usize];
        object.align = object.align.max(alignment);
    }

    /// The object that contains the `size` bytes at an address, and the offset in it.
    pub fn find(&self, address: u64, size: u64) -> Result<(ObjectId, u64), Fault> {
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
        // Newer objects may lie where an old one was.
        if self.released.iter().rev().any(|r| inside(&r)) {
            return Err(Fault::Released);
        }
        Err(Fault::OutOfBounds { address, size })
    }

    /// The object that starts at an address.
    pub fn starting_at(&self, address: u64) -> Option<ObjectId> {
        self.by_address.get(&address).copied()
    }

    /// The objects that have addresses.
    pub(super) fn addressed(&self) -> impl Iterator<Item = ObjectId> {
        self.by_address.values().copied()
    }

    /// Enlarges an object by uninitialised bytes; there must be room behind it.
    pub fn enlarge(&mut self, id: ObjectId, size: u64) -> Result<(), OutOfMemory> {
        self.objects[id.0 as usize].cells.enlarge(size, &mut self.room)
    }

    /// The object that starts at or contains an address, for messages to people.
    pub fn around(&self, address: u64) -> Option<(ObjectId, u64)> {
        let (&start, &id) = self.by_address.range(..=address).next_back()?;
        // The address just past the end still belongs to the object.
        (address - start <= self.size(id)).then_some((id, address - start))
    }

    /// What the last object is that begins at an address or before.
    pub fn before(&self, address: u64) -> Option<Content> {
        let (_, &id) = self.by_address.range(..=address).next_back()?;
        Some(self.content(id))
    }

    /// Makes `size` bytes (or as many as there are) from an offset on unknown, as written by a function.
    pub fn scribble(
        &mut self,
        id: ObjectId,
        offset: u64,
        size: u64,
        by: &'static str,
    ) -> Result<(), OutOfMemory> {
        self.fill(id, offset, size, None)?;
        self.objects[id.0 as usize].scribbled = Some(by);
        Ok(())
    }

    /// Gives `size` bytes (or as many as there are) from an offset on one value, or makes them uninitialised.
    pub fn fill(
        &mut self,
        id: ObjectId,
        offset: u64,
        size: u64,
        value: Option<u8>,
    ) -> Result<(), OutOfMemory> {
        let object = &mut self.objects[id.0 as usize];
        let end = offset.saturating_add(size).min(object.cells.size());
        if offset < end {
            object.unshare(offset, end);
            object.cells.fill(offset, end, value, &mut self.room)?;
        }
        Ok(())
    }

    /// The function that last wrote unknown bytes to the object.
    pub fn scribbled(&self, id: ObjectId) -> Option<&'static str> {
        self.object(id).scribbled
    }

    /// The parts between two bytes that are copies of bytes without values, in order.
    pub(super) fn shares_between(&self, id: ObjectId, start: u64, end: u64) -> Vec<Share> {
        self.object(id).shares.iter().filter_map(|s| s.clipped(start, end)).collect()
    }

    /// Adds a part that does not overlap the others.
    pub(super) fn add_share(&mut self, id: ObjectId, share: Share) {
        let shares = &mut self.objects[id.0 as usize].shares;
        let at = shares.partition_point(|s| s.start < share.start);
        shares.insert(at, share);
    }

    /// Whether no bit between two bytes lacks a value.
    pub(super) fn is_known(&self, id: ObjectId, start: u64, end: u64) -> bool {
        self.object(id).cells.is_known(start, end)
    }

    /// Gives some of the bits of a byte that lack values theirs.
    pub(super) fn learn(
        &mut self,
        id: ObjectId,
        byte: u64,
        value: u8,
        bits: u8,
    ) -> Result<(), OutOfMemory> {
        self.objects[id.0 as usize].cells.learn(byte, value, bits, &mut self.room)
    }

    fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// Up to 64 bits of the object from bit `bit` on, and which of them are initialised. The caller
    /// has made sure that they are within the object.
    pub fn load(&self, id: ObjectId, bit: u64, bits: u32) -> (u64, u64) {
        self.object(id).cells.load(bit, bits)
    }

    /// Sets `bits` bits of the object, from bit `bit` on, to a value.
    pub fn store(
        &mut self,
        id: ObjectId,
        bit: u64,
        bits: u32,
        value: u64,
    ) -> Result<(), OutOfMemory> {
        self.objects[id.0 as usize].cells.store(bit, bits, value, &mut self.room)
    }

    /// Copies some bytes out of the object.
    pub fn copy_out(&self, id: ObjectId, offset: u64, size: u64) -> Result<Bytes, OutOfMemory> {
        self.object(id).cells.copy_out(offset, offset + size, &self.room)
    }

    /// Writes bytes, some of which may be uninitialised.
    pub fn copy_in(&mut self, id: ObjectId, offset: u64, value: &Bytes) -> Result<(), OutOfMemory> {
        let object = &mut self.objects[id.0 as usize];
        object.unshare(offset, offset + value.bytes.len() as u64);
        let moved = |s: &Share| s.moved(value.start, offset);
        let at = object.shares.partition_point(|s| s.start < offset);
        object.shares.splice(at..at, value.shares.iter().map(moved));
        object.cells.copy_in(offset, &value.bytes, &value.known, &mut self.room)
    }
}

impl Object {
    /// Will a program without input do the same with both?  Which instance of a variable it is tells nobody else.
    fn is(&self, other: &Self) -> bool {
        let about = |o: &Self| (o.content, o.address, o.align, o.scribbled);
        about(self) == about(other)
            && self.shares.is_empty()
            && other.shares.is_empty()
            && self.cells.is(&other.cells)
    }

    /// The bytes between two are no copies any more.
    fn unshare(&mut self, start: u64, end: u64) {
        if self.shares.is_empty() {
            return;
        }
        let outside = |s: &Share| [s.clipped(0, start), s.clipped(end, u64::MAX)];
        self.shares = self.shares.iter().flat_map(outside).flatten().collect();
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
        memory.store(id, 5, 7, 0xFFFF).unwrap();
        assert_eq!(memory.load(id, 0, 16), (0b1111_1110_0000, 0b1111_1110_0000));
        memory.store(id, 0, 64, 0x0123_4567_89AB_CDEF).unwrap();
        assert_eq!(memory.load(id, 8, 16), (0xABCD, 0xFFFF));
        let copy = memory.copy_out(id, 1, 2).unwrap();
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
        assert_eq!(memory.allocate(block(), 512, true), Err(OutOfMemory));
        let large = memory.allocate(block(), 240, true).unwrap();
        assert_eq!(memory.address(large), Err(OutOfMemory));
        let more = Memory::new(32, 10, 0).allocate(block(), 11, true);
        assert_eq!(more, Err(OutOfMemory));
    }
}
