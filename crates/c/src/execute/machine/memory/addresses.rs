//! Where objects lie.
//!
//! If executions compare states, new objects get addresses of those that have ended and nothing in memory leads to any more.
//! So states come again in which blocks are allocated and freed, and functions called that hand on addresses of their
//! variables.  A pointer to an object that has ended still points to nothing.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::{Memory, ObjectId, OutOfMemory};

/// More objects that have ended are not looked for.
const MOST: usize = 256;

/// Where objects were, with their sizes.
#[derive(Debug, Clone, Default)]
pub(super) struct Retired {
    /// Something may still point there.
    ended: BTreeSet<(u64, u64)>,
    free: BTreeSet<(u64, u64)>,
}

impl Retired {
    /// An object has ended.
    pub(super) fn end(&mut self, address: u64, size: u64) {
        if self.ended.len() < MOST {
            self.ended.insert((address, size));
        }
    }

    /// The lowest address for an object.
    pub(super) fn take(&mut self, size: u64, align: u64) -> Option<u64> {
        let fits = |&&(start, of): &&(u64, u64)| of == size && start.is_multiple_of(align);
        let found = self.free.iter().find(fits).copied()?;
        self.free.remove(&found);
        Some(found.0)
    }
}

impl Memory {
    /// The address of the object, which it gets here if it has none.
    pub fn address(&mut self, id: ObjectId) -> Result<u64, OutOfMemory> {
        let object = self.object(id);
        if let Some(address) = object.address {
            return Ok(address);
        }
        let (size, align) = (object.cells.size(), object.align);
        let again = self.retired.as_mut().and_then(|retired| retired.take(size, align));
        let address = match again {
            Some(address) => address,
            None => {
                let address = self.place(size, align)?;
                self.next = address + size + self.gap;
                address
            }
        };
        self.by_address.insert(address, id);
        self.objects[id.0 as usize].address = Some(address);
        Ok(address)
    }

    /// Finds free space, searching upwards from the last object and then once from the start.
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

    /// From now on addresses are used again.
    pub fn reuse_addresses(&mut self) {
        self.retired.get_or_insert_default();
    }

    /// Looks which addresses can be used again, as none of these objects, and none that has an address, has a number in it
    /// that lies where an object was, or just behind it.
    pub fn reclaim(&mut self, others: &FxHashSet<ObjectId>) {
        let Some(mut retired) = self.retired.take() else { return };
        if !retired.ended.is_empty() {
            let mut ended = std::mem::take(&mut retired.ended);
            let all: FxHashSet<ObjectId> =
                others.iter().chain(self.by_address.values()).copied().collect();
            for id in all {
                match self.object(id).cells.words(self.word()) {
                    Some(words) => words.for_each(|word| {
                        let before = ended.range(..=(word, u64::MAX)).next_back().copied();
                        if let Some((start, size)) =
                            before.filter(|(start, size)| word - start <= *size)
                        {
                            ended.remove(&(start, size));
                            retired.ended.insert((start, size));
                        }
                    }),
                    // Too large to look.
                    None => retired.ended.append(&mut ended),
                }
            }
            retired.free.append(&mut ended);
        }
        self.retired = Some(retired);
    }

    /// Whether some of the bytes between two of an object are of the address of an object, or may have been.
    pub fn has_address_at(&self, id: ObjectId, start: u64, end: u64) -> bool {
        let (cells, word) = (&self.object(id).cells, self.word() as u64);
        let first = start.saturating_sub(word - 1);
        let last = end.min((cells.size() + 1).saturating_sub(word));
        (first..last).any(|at| {
            let (number, known) = cells.load(at * 8, word as u32 * 8);
            known != 0 && number >= self.space.0 && {
                let before = self.by_address.range(..=number).next_back();
                let is_here = before.is_some_and(|(&at, &id)| number - at <= self.size(id));
                let was_here = |&(at, size): &(u64, u64)| (at..=at + size).contains(&number);
                is_here || self.released.iter().any(was_here)
            }
        })
    }

    /// Whether two addresses are not of one object.
    pub fn are_apart(&self, left: u64, right: u64) -> bool {
        let of = |address| self.around(address).map(|(object, _)| object);
        of(left).is_none() || of(left) != of(right)
    }

    /// The bytes of a pointer.
    fn word(&self) -> usize {
        if self.space.1 > u64::from(u32::MAX) { 8 } else { 4 }
    }
}
