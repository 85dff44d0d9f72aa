//! Bits without a value.  Reading them asks the oracle; copying them does not, but from then on the copies and what
//! they were copied from have one value, whoever is read first.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::layout::mask;
use super::memory::{Memory, ObjectId, OutOfMemory};
use super::state::{Machine, Sort, Stop};
use crate::execute::execution::Demand;
use crate::execute::image::Image;

use crate::flow::VariableKind;
use crate::trace::InputKind;
use hardbop_smt::Term;

/// Bytes that lacked bits when they were first copied, with what is known of these by now.
#[derive(Debug, Clone)]
pub(super) struct Unknown {
    /// What an input for the first bit is.
    source: InputKind,
    bytes: Vec<u8>,
    known: Vec<u8>,
    /// For each byte the term that stands for it, where there are terms.
    terms: Vec<Option<Term>>,
    /// Whether these are of a floating-point number that was computed.
    float: bool,
}

/// A part of an object that is a copy of bytes without values.
#[derive(Debug, Clone)]
pub struct Share {
    /// The first byte in the object, and the number of bytes.
    pub(super) start: u64,
    pub(super) size: u64,
    /// The first byte in `of`.
    from: u64,
    of: Rc<RefCell<Unknown>>,
}

impl Share {
    fn end(&self) -> u64 {
        self.start + self.size
    }

    /// The part of it between two bytes of the object, if there is one.
    pub(super) fn clipped(&self, start: u64, end: u64) -> Option<Self> {
        let (first, last) = (self.start.max(start), self.end().min(end));
        let from = self.from + (first - self.start);
        (first < last).then(|| Self { start: first, size: last - first, from, of: self.of.clone() })
    }

    /// Bytes that terms stand for.
    pub(super) fn of_terms(start: u64, terms: &[Term], float: bool) -> Self {
        let size = terms.len();
        let unknown = Unknown {
            // They have values, whatever these are.
            source: InputKind::Address { number: 0 },
            bytes: vec![0; size],
            known: vec![0; size],
            terms: terms.iter().copied().map(Some).collect(),
            float,
        };
        Self { start, size: size as u64, from: 0, of: Rc::new(RefCell::new(unknown)) }
    }

    /// Whether it is of a floating-point number that was computed: which bits a NaN has is not known then.
    pub(super) fn is_float(&self) -> bool {
        self.of.borrow().float
    }

    /// Whether terms stand for some bytes.
    pub(super) fn has_terms(&self) -> bool {
        let of = self.of.borrow();
        let terms = of.terms.iter().skip(self.from as usize).take(self.size as usize);
        terms.flatten().next().is_some()
    }

    /// The term that stands for the first byte.
    pub(super) fn term(&self) -> Option<Term> {
        self.of.borrow().terms.get(self.from as usize).copied().flatten()
    }

    /// Its bytes, each as a part of its own.
    pub(super) fn bytes(&self) -> impl Iterator<Item = Self> {
        (self.start..self.end()).filter_map(|at| self.clipped(at, at + 1))
    }

    /// Lets a term stand for the first byte, in all copies.
    pub(super) fn stand_for(&self, term: Term) {
        let mut of = self.of.borrow_mut();
        let size = of.bytes.len();
        of.terms.resize(size, None);
        of.terms[self.from as usize] = Some(term);
    }

    /// What an input for the first bit is.
    pub(super) fn source(&self) -> InputKind {
        further(&self.of.borrow().source, self.from * 8)
    }

    /// Makes it a copy of bytes of their own; the copies of bytes so far are by where these are.
    pub(super) fn renew(&mut self, copies: &mut FxHashMap<usize, Rc<RefCell<Unknown>>>) {
        let copy = copies.entry(Rc::as_ptr(&self.of) as usize);
        self.of = copy.or_insert_with(|| Rc::new(RefCell::new(self.of.borrow().clone()))).clone();
    }

    /// Adds it to a state: for each byte its term, or, where that is still to come, which byte it is.
    pub(super) fn tell(&self, image: &mut Image) {
        let of = self.of.borrow();
        image.add(self.start);
        image.add(self.size);
        image.add(u64::from(of.float));
        let (kind, variable, bit) = match of.source {
            InputKind::Uninitialised { variable, bit, .. } => (0, u64::from(variable), bit),
            InputKind::Heap { bit, .. } => (1, 0, bit),
            // They have values.
            _ => (2, 0, 0),
        };
        image.add(kind);
        image.add(variable);
        image.add(bit);
        for at in self.from as usize..(self.from + self.size) as usize {
            if let Some(term) = of.terms.get(at).copied().flatten() {
                image.add_term(term);
                continue;
            }
            image.add_bytes_at(Rc::as_ptr(&self.of) as usize);
            image.add(at as u64);
            image.add(u64::from(of.bytes[at] & of.known[at]));
            image.add(u64::from(of.known[at]));
        }
    }

    /// The part in a copy of the bytes from `from` on which starts at `to`.
    pub(super) fn moved(&self, from: u64, to: u64) -> Self {
        Self { start: self.start - from + to, ..self.clone() }
    }
}

/// What an input is that stands for bits further on in the same memory.
fn further(source: &InputKind, bits: u64) -> InputKind {
    let mut kind = source.clone();
    match &mut kind {
        InputKind::Uninitialised { bit, .. } | InputKind::Heap { bit, .. } => *bit += bits,
        InputKind::Outside { bit, .. } => *bit = bit.wrapping_add_unsigned(bits),
        _ => {}
    }
    kind
}

impl Memory {
    /// Shares for all bytes between two of an object that may lack bits; `source` stands for the first bit.
    fn share(&mut self, id: ObjectId, start: u64, end: u64, source: &InputKind) -> Vec<Share> {
        let old = self.shares_between(id, start, end);
        let mut all = Vec::new();
        let mut at = start;
        for next in old.iter().map(|s| (s.start, Some(s))).chain([(end, None)]) {
            let (until, share) = next;
            if at < until && !self.is_known(id, at, until) {
                let size = until - at;
                let unknown = Unknown {
                    source: further(source, (at - start) * 8),
                    bytes: vec![0; size as usize],
                    known: vec![0; size as usize],
                    terms: vec![],
                    float: false,
                };
                let fresh = Share { start: at, size, from: 0, of: Rc::new(RefCell::new(unknown)) };
                self.add_share(id, fresh.clone());
                all.push(fresh);
            }
            all.extend(share.cloned());
            at = share.map_or(until, Share::end);
        }
        all
    }

    /// What stands for the bytes between two of an object that were copied without values, and how many they are.
    pub(super) fn sources(&self, id: ObjectId, start: u64, end: u64) -> Vec<(InputKind, u64)> {
        let parts = self.shares_between(id, start, end);
        parts.iter().map(|part| (part.of.borrow().source.clone(), part.size)).collect()
    }

    /// Gives bits between two bytes of an object the values that their copies have got.
    fn recall(&mut self, id: ObjectId, start: u64, end: u64) -> Result<(), OutOfMemory> {
        for part in self.shares_between(id, start, end) {
            let of = part.of.borrow();
            for i in 0..part.size {
                let from = (part.from + i) as usize;
                self.learn(id, part.start + i, of.bytes[from], of.known[from])?;
            }
        }
        Ok(())
    }
}

impl Machine<'_, '_> {
    /// Notes that only these bits of the last input were without values.
    pub fn narrow_input(&mut self, fresh: u64) {
        if let Some(last) = self.inputs.last_mut() {
            last.fresh &= fresh;
        }
    }

    /// Changes the value of the last input, which the program gets, to one that it can have.
    pub fn replace_input(&mut self, value: u64) {
        if let Some(last) = self.inputs.last_mut() {
            last.input.value = value;
        }
    }

    /// The bits that no value of this input has: a `_Bool` that something outside has written is 0 or 1.
    pub(super) fn never_set(&self, kind: &InputKind, bits: u32) -> u64 {
        let &InputKind::Uninitialised { variable, bit, .. } = kind else { return 0 };
        let variable = &self.flow.variables[variable as usize];
        match variable.kind {
            VariableKind::External | VariableKind::Parameter => {
                self.flow.types.never_set(variable.ty, bit, bits)
            }
            VariableKind::Global | VariableKind::Local | VariableKind::Temporary => 0,
        }
    }

    /// The bits of an object from `bit` on, as many as the sort is wide.  The oracle supplies those without a value,
    /// which is kept.
    pub fn known_bits(&mut self, object: ObjectId, bit: u64, sort: Sort) -> Result<u64, Stop> {
        let width = sort.width;
        let (value, known) = self.memory.load(object, bit, width);
        if self.watches && !self.located {
            self.located = match sort.pointee {
                None => {
                    let end = (bit + u64::from(width)).div_ceil(8);
                    self.memory.has_address_at(object, bit / 8, end)
                }
                // A number may have become a pointer.
                Some(_) => known == mask(width) && self.leads_nowhere(value),
            };
        }
        if known == mask(width) {
            return Ok(value);
        }
        self.modelled(object)?;
        let (start, end) = (bit / 8, (bit + u64::from(width)).div_ceil(8));
        self.give_arguments(object, start, end)?;
        self.memory.recall(object, start, end)?;
        let (value, known) = self.memory.load(object, bit, width);
        if known == mask(width) {
            return Ok(value);
        }
        if self.concrete {
            return self.concrete_bits(object, bit, sort);
        }
        let shares = self.memory.shares_between(object, start, end);
        if shares.iter().any(Share::has_terms) {
            return Err(Stop::NoInput);
        }
        let kind = match &shares[..] {
            [] => self.uninitialised(object, bit),
            // Where some bits have values of their own, those of the others are asked for byte by byte.
            [share] if share.size == end - start && (known == 0 || share.size == 1) => {
                further(&share.of.borrow().source, share.from * 8 + bit % 8)
            }
            _ => return self.known_bytes(object, bit, width),
        };
        let new = self.ask(kind, sort, Demand::Read)?;
        self.narrow_input(!known);
        let value = value & known | new & !known;
        self.memory.store(object, bit, width, value)?;
        // Only what the oracle gave: the other bits may have been written since they were copied.
        let given = u128::from(mask(width) & !known) << (bit % 8);
        for share in shares {
            let mut of = share.of.borrow_mut();
            for i in 0..share.size {
                let (byte, _) = self.memory.load(object, (share.start + i) * 8, 8);
                let from = (share.from + i) as usize;
                let fresh = (given >> (8 * (share.start + i - start))) as u8 & !of.known[from];
                of.bytes[from] |= byte as u8 & fresh;
                of.known[from] |= fresh;
            }
        }
        Ok(value)
    }

    fn known_bytes(&mut self, object: ObjectId, bit: u64, width: u32) -> Result<u64, Stop> {
        let (mut value, mut at) = (0, 0);
        while at < width {
            let first = bit + u64::from(at);
            let bits = (8 - (first % 8) as u32).min(width - at);
            let sort = Sort { bits, width: bits, float: false, pointee: None };
            value |= self.known_bits(object, first, sort)? << at;
            at += bits;
        }
        Ok(value)
    }

    /// Shares for the bytes of a range that lack bits.
    pub(super) fn share(&mut self, object: ObjectId, at: u64, size: u64) -> Vec<Share> {
        let source = self.uninitialised(object, at * 8);
        self.memory.share(object, at, at + size, &source)
    }
}
