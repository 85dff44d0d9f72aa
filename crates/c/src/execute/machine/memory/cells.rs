//! The bytes of an object, each bit of which is initialised or not.
//!
//! Large objects are sparse: only pages that were written exist, so that an object takes as much memory as the program
//! uses of it.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{Bytes, OutOfMemory};
use crate::execute::image::Image;
use crate::execute::machine::layout::{gather, mask, scatter};

/// Objects up to this size are in one piece.  It is more than any object [grows](Cells::enlarge) to.
const WHOLE: u64 = 1 << 16;
/// The bytes of a page.
const PAGE: u64 = 1 << 12;

/// The memory that an execution may take.
#[derive(Debug, Clone)]
pub(super) struct Room {
    /// Bytes in use; `limit` is their maximum.
    used: u64,
    limit: u64,
}

impl Room {
    pub(super) fn new(limit: u64) -> Self {
        Self { used: 0, limit }
    }

    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// The bytes that are left.
    pub(super) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    pub(super) fn take(&mut self, bytes: u64) -> Result<(), OutOfMemory> {
        if bytes > self.left() {
            return Err(OutOfMemory);
        }
        self.used += bytes;
        Ok(())
    }

    pub(super) fn give_back(&mut self, bytes: u64) {
        self.used -= bytes;
    }
}

/// Bytes that lie in memory one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Piece {
    bytes: Vec<u8>,
    /// For each byte, which bits are initialised; empty if all are.
    known: Vec<u8>,
}

impl Piece {
    fn load(&self, bit: u64, bits: u32) -> (u64, u64) {
        let all = mask(bits);
        let value = gather(&self.bytes, bit, bits) & all;
        let known = if self.known.is_empty() { all } else { gather(&self.known, bit, bits) & all };
        (value, known)
    }

    fn store(&mut self, bit: u64, bits: u32, value: u64) {
        scatter(&mut self.bytes, bit, bits, value);
        if !self.known.is_empty() {
            scatter(&mut self.known, bit, bits, u64::MAX);
        }
    }

    fn reset(&mut self, size: u64, zero: bool) {
        let size = size as usize;
        self.bytes.clear();
        self.bytes.resize(size, 0);
        self.known.clear();
        self.known.resize(if zero { 0 } else { size }, 0);
    }

    /// For each byte, which bits are initialised.
    fn known(&mut self) -> &mut Vec<u8> {
        if self.known.is_empty() {
            self.known.resize(self.bytes.len(), u8::MAX);
        }
        &mut self.known
    }

    fn fill(&mut self, at: Range<usize>, value: Option<u8>) {
        match value {
            Some(value) => {
                self.bytes[at.clone()].fill(value);
                if !self.known.is_empty() {
                    self.known[at].fill(u8::MAX);
                }
            }
            None => self.known()[at].fill(0),
        }
    }

    fn copy_in(&mut self, at: Range<usize>, bytes: &[u8], known: &[u8]) {
        self.bytes[at.clone()].copy_from_slice(bytes);
        if !known.is_empty() {
            self.known()[at].copy_from_slice(known);
        } else if !self.known.is_empty() {
            self.known[at].fill(u8::MAX);
        }
    }

    fn is_known(&self, at: Range<usize>) -> bool {
        self.known.is_empty() || self.known[at].iter().all(|&k| k == u8::MAX)
    }
}

/// The bytes of an object.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    size: u64,
    /// Whether bytes are 0 before they are written, instead of uninitialised.
    zero: bool,
    /// All bytes; of a large object, those of a page that was not written.
    whole: Piece,
    /// Of a large object, the pages that were written, by number.
    pages: Option<FxHashMap<u64, Piece>>,
}

/// The parts of pages between two bytes.
fn parts(start: u64, end: u64) -> impl Iterator<Item = (u64, Range<usize>)> {
    (start / PAGE..end.div_ceil(PAGE)).map(move |page| (page, part(page, start, end)))
}

/// The part of a page between two bytes.
fn part(page: u64, start: u64, end: u64) -> Range<usize> {
    let first = page * PAGE;
    (start.max(first) - first) as usize..(end.min(first + PAGE) - first) as usize
}

impl Cells {
    /// # Errors
    /// There is no room for so many.
    pub(super) fn new(size: u64, zero: bool, room: &mut Room) -> Result<Self, OutOfMemory> {
        let mut cells = Self { size: 0, zero, whole: Piece::default(), pages: None };
        cells.reset(size, zero, room)?;
        Ok(cells)
    }

    /// Makes them so many new ones; those before were [given back](Self::release).
    ///
    /// # Errors
    /// There is no room for so many.
    pub(super) fn reset(
        &mut self,
        size: u64,
        zero: bool,
        room: &mut Room,
    ) -> Result<(), OutOfMemory> {
        let is_whole = size <= WHOLE;
        if is_whole {
            room.take(size)?;
        }
        (self.size, self.zero) = (size, zero);
        self.whole.reset(if is_whole { size } else { PAGE }, zero);
        self.pages = (!is_whole).then(FxHashMap::default);
        Ok(())
    }

    /// Gives back what they take.
    pub(super) fn release(&mut self, room: &mut Room) {
        let pages = self.pages.take();
        room.give_back(pages.map_or(self.size, |pages| pages.len() as u64 * PAGE));
        self.size = 0;
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Are they the same, as far as there are any?
    pub(super) fn is(&self, other: &Self) -> bool {
        let shape = |cells: &Self| (cells.size, cells.zero);
        shape(self) == shape(other)
            && (self.size == 0 || self.whole == other.whole && self.pages == other.pages)
    }

    /// Whether no byte has a value.
    pub(super) fn are_unwritten(&self) -> bool {
        let is_unwritten = |piece: &Piece| {
            piece.known.len() == piece.bytes.len() && piece.known.iter().all(|&known| known == 0)
        };
        is_unwritten(&self.whole) && self.pages.iter().flatten().all(|(_, p)| is_unwritten(p))
    }

    /// The numbers of so many bytes at all places; none of a large object.
    pub(super) fn words(&self, size: usize) -> Option<impl Iterator<Item = u64>> {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &b| all << 8 | u64::from(b));
        self.pages.is_none().then(|| self.whole.bytes.windows(size).map(number))
    }

    /// Adds the bytes to a state.
    pub(super) fn tell(&self, image: &mut Image) {
        let tell = |piece: &Piece, image: &mut Image| {
            let known = piece.known.iter().chain(std::iter::repeat(&u8::MAX));
            let bytes: Vec<u8> =
                piece.bytes.iter().zip(known).map(|(b, known)| b & known).collect();
            image.add_bytes(&bytes);
            match piece.known.iter().all(|&known| known == u8::MAX) {
                true => image.add(0),
                false => image.add_bytes(&piece.known),
            }
        };
        image.add(self.size);
        image.add(u64::from(self.zero));
        tell(&self.whole, image);
        let mut pages: Vec<_> = self.pages.iter().flatten().collect();
        pages.sort_unstable_by_key(|(number, _)| **number);
        image.add(pages.len() as u64);
        for (&number, page) in pages {
            image.add(number);
            tell(page, image);
        }
    }

    /// Adds uninitialised bytes to a small object.
    ///
    /// # Errors
    /// There is no room for them.
    pub(super) fn enlarge(&mut self, size: u64, room: &mut Room) -> Result<(), OutOfMemory> {
        if self.pages.is_some() || size > WHOLE {
            return Err(OutOfMemory);
        }
        room.take(size.saturating_sub(self.size))?;
        self.size = self.size.max(size);
        self.whole.known().resize(self.size as usize, 0);
        self.whole.bytes.resize(self.size as usize, 0);
        Ok(())
    }

    fn page(&self, page: u64) -> &Piece {
        let written = self.pages.as_ref().and_then(|pages| pages.get(&page));
        written.unwrap_or(&self.whole)
    }

    fn page_mut(&mut self, page: u64, room: &mut Room) -> Result<&mut Piece, OutOfMemory> {
        let Some(pages) = &mut self.pages else { return Ok(&mut self.whole) };
        if !pages.contains_key(&page) {
            room.take(PAGE)?;
        }
        Ok(pages.entry(page).or_insert_with(|| self.whole.clone()))
    }

    /// Up to 64 bits from bit `bit` on, and which of them are initialised.
    pub(super) fn load(&self, bit: u64, bits: u32) -> (u64, u64) {
        if self.pages.is_none() {
            return self.whole.load(bit, bits);
        }
        let (page, at) = (bit / (8 * PAGE), bit % (8 * PAGE));
        let here = u64::from(bits).min(8 * PAGE - at) as u32;
        let (value, known) = self.page(page).load(at, here);
        if here == bits {
            return (value, known);
        }
        let (more, more_known) = self.page(page + 1).load(0, bits - here);
        (value | more << here, known | more_known << here)
    }

    /// Sets `bits` bits from bit `bit` on.
    ///
    /// # Errors
    /// There is no room for a page.
    pub(super) fn store(
        &mut self,
        bit: u64,
        bits: u32,
        value: u64,
        room: &mut Room,
    ) -> Result<(), OutOfMemory> {
        if self.pages.is_none() {
            self.whole.store(bit, bits, value);
            return Ok(());
        }
        let (page, at) = (bit / (8 * PAGE), bit % (8 * PAGE));
        let here = u64::from(bits).min(8 * PAGE - at) as u32;
        self.page_mut(page, room)?.store(at, here, value);
        if here < bits {
            self.page_mut(page + 1, room)?.store(0, bits - here, value >> here);
        }
        Ok(())
    }

    /// Gives some of the bits of a byte that lack values theirs.
    pub(super) fn learn(
        &mut self,
        byte: u64,
        value: u8,
        bits: u8,
        room: &mut Room,
    ) -> Result<(), OutOfMemory> {
        let (old, known) = self.load(byte * 8, 8);
        let bits = bits & !known as u8;
        if bits == 0 {
            return Ok(());
        }
        let value = old as u8 & !bits | value & bits;
        let known = known as u8 | bits;
        self.copy_in(byte, &[value], &[known], room)
    }

    /// Whether no bit between two bytes lacks a value.
    pub(super) fn is_known(&self, start: u64, end: u64) -> bool {
        match &self.pages {
            None => self.whole.is_known(start as usize..end as usize),
            Some(_) => parts(start, end).all(|(page, part)| self.page(page).is_known(part)),
        }
    }

    /// Gives all bytes between two one value, or makes them uninitialised.
    ///
    /// # Errors
    /// There is no room for a page.
    pub(super) fn fill(
        &mut self,
        start: u64,
        end: u64,
        value: Option<u8>,
        room: &mut Room,
    ) -> Result<(), OutOfMemory> {
        let Some(pages) = &mut self.pages else {
            self.whole.fill(start as usize..end as usize, value);
            return Ok(());
        };
        let is_whole = start == 0 && end == self.size;
        if is_whole && value.unwrap_or(0) == 0 {
            self.release(room);
            self.size = end;
            return self.reset(end, value.is_some(), room);
        }
        // Pages that were not written stay as they are.
        if value == self.zero.then_some(0) {
            for (&page, piece) in pages {
                if start < (page + 1) * PAGE && page * PAGE < end {
                    piece.fill(part(page, start, end), value);
                }
            }
            return Ok(());
        }
        for (page, part) in parts(start, end) {
            self.page_mut(page, room)?.fill(part, value);
        }
        Ok(())
    }

    /// A copy of the bytes between two.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn copy_out(&self, start: u64, end: u64, room: &Room) -> Result<Bytes, OutOfMemory> {
        if self.pages.is_none() {
            let (at, whole) = (start as usize..end as usize, &self.whole);
            let known = whole.known.get(at.clone()).unwrap_or_default().to_vec();
            let bytes = whole.bytes[at].to_vec();
            return Ok(Bytes { bytes, known, shares: Vec::new(), start });
        }
        // The copy, and what it shares where bits have no value.
        if (end - start).saturating_mul(4) > room.left() {
            return Err(OutOfMemory);
        }
        let (mut bytes, mut known) = (Vec::new(), Vec::new());
        for (page, part) in parts(start, end) {
            let page = self.page(page);
            bytes.extend_from_slice(&page.bytes[part.clone()]);
            match page.known.is_empty() {
                true => known.resize(bytes.len(), u8::MAX),
                false => known.extend_from_slice(&page.known[part]),
            }
        }
        Ok(Bytes { bytes, known, shares: Vec::new(), start })
    }

    /// Writes bytes from `start` on; `known` says which bits are initialised, and is empty if all are.
    ///
    /// # Errors
    /// There is no room for a page.
    pub(super) fn copy_in(
        &mut self,
        start: u64,
        bytes: &[u8],
        known: &[u8],
        room: &mut Room,
    ) -> Result<(), OutOfMemory> {
        let end = start + bytes.len() as u64;
        if self.pages.is_none() {
            self.whole.copy_in(start as usize..end as usize, bytes, known);
            return Ok(());
        }
        let (mut bytes, mut known) = (bytes, known);
        for (page, part) in parts(start, end) {
            let (now, later) = bytes.split_at(part.len());
            let (of_now, of_later) = known.split_at(part.len().min(known.len()));
            self.page_mut(page, room)?.copy_in(part, now, of_now);
            (bytes, known) = (later, of_later);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_base::random::Random;

    const SIZE: u64 = WHOLE + 100;

    /// A byte near the border of two pages, at most the one given.
    fn near(random: &mut Random, most: u64) -> u64 {
        let border = random.below(18) as u64 * PAGE;
        (border + random.below(200) as u64).saturating_sub(100).min(most)
    }

    /// The bytes between two, where they have values, and which bits do.
    fn content(bytes: &[u8], known: &[u8]) -> Vec<(u8, u8)> {
        let all = known.is_empty().then(|| vec![u8::MAX; bytes.len()]);
        let known = all.as_deref().unwrap_or(known);
        bytes.iter().zip(known).map(|(&byte, &known)| (byte & known, known)).collect()
    }

    /// A large object and one in one piece, on which the same is done, cannot be told apart.
    #[test]
    fn sparse_bytes_are_bytes() {
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let zero = seed % 2 == 0;
            let (mut plain, mut room) = (Piece::default(), Room::new(1 << 20));
            plain.reset(SIZE, zero);
            let mut cells = Cells::new(SIZE, zero, &mut room).unwrap();
            for _ in 0..60 {
                let (a, b) = (near(&mut random, SIZE), near(&mut random, SIZE));
                let (start, end) = (a.min(b), a.max(b));
                let (at, bits) = (start as usize..end as usize, random.below(64) as u32 + 1);
                let bit = (start * 8 + random.below(8) as u64).min(SIZE * 8 - 64);
                let value = random.bits();
                match random.below(6) {
                    0 | 1 => {
                        plain.store(bit, bits, value);
                        cells.store(bit, bits, value, &mut room).unwrap();
                    }
                    2 => {
                        let value = [None, Some(0), Some(value as u8)][random.below(3)];
                        plain.fill(at.clone(), value);
                        cells.fill(start, end, value, &mut room).unwrap();
                    }
                    3 => {
                        let value = [None, Some(0)][random.below(2)];
                        plain.fill(0..SIZE as usize, value);
                        cells.fill(0, SIZE, value, &mut room).unwrap();
                    }
                    4 => {
                        let copy = cells.copy_out(start, end, &room).unwrap();
                        let to = near(&mut random, SIZE - (end - start));
                        let range = to as usize..(to + (end - start)) as usize;
                        plain.copy_in(range, &copy.bytes, &copy.known);
                        cells.copy_in(to, &copy.bytes, &copy.known, &mut room).unwrap();
                    }
                    _ => assert_eq!(cells.is_known(start, end), plain.is_known(at.clone())),
                }
                let masked = |(value, known): (u64, u64)| (value & known, known);
                assert_eq!(masked(cells.load(bit, bits)), masked(plain.load(bit, bits)), "{seed}");
                let copy = cells.copy_out(start, end, &room).unwrap();
                let known = plain.known.get(at.clone()).unwrap_or_default();
                let expected = content(&plain.bytes[at], known);
                assert_eq!(content(&copy.bytes, &copy.known), expected, "{seed}");
            }
        }
    }

    #[test]
    fn an_object_takes_what_is_written() {
        let mut room = Room::new(1 << 20);
        let mut cells = Cells::new(1 << 40, false, &mut room).unwrap();
        cells.store(8 * ((1 << 40) - 4), 32, 7, &mut room).unwrap();
        assert_eq!(cells.load(8 * ((1 << 40) - 4), 32), (7, 0xFFFF_FFFF));
        assert_eq!(cells.load(8 << 20, 32), (0, 0));
        assert_eq!(room.left(), (1 << 20) - PAGE);
        assert_eq!(cells.fill(8, 1 << 40, Some(1), &mut room), Err(OutOfMemory));
        assert!(cells.copy_out(0, 1 << 39, &room).is_err());
        cells.fill(0, 1 << 40, Some(0), &mut room).unwrap();
        assert_eq!(cells.load(8 << 20, 32), (0, 0xFFFF_FFFF));
        assert_eq!(room.left(), 1 << 20);
        cells.release(&mut room);
        assert_eq!(room.left(), 1 << 20);
    }
}
