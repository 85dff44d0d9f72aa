//! What constraints add for each address that arrives in a set.

use std::rc::Rc;

use super::super::memory::{ObjectId, Objects, Positions};
use super::solver::{Address, Node, Solver, Use};

impl Solver {
    /// Does what is to be done for an address.
    pub(super) fn follow(&mut self, what: &Use, address: Address) {
        let Address { object, offset } = address;
        match *what {
            Use::Copy(to) => self.add(to, address),
            Use::Shift(to, bytes) => {
                let Some(offset) = offset else { return self.add(to, address) };
                let positions = self.objects.get(object).layout.moved(offset, bytes);
                self.add_positions(to, object, Positions::Listed(positions));
            }
            Use::ShiftInteger(to, bytes) => {
                let layout = &self.objects.get(object).layout;
                let moved = offset.map(|offset| layout.moved(offset, bytes));
                match moved {
                    Some(moved) if !moved.is_empty() && object != Objects::UNKNOWN => {
                        self.add_positions(to, object, Positions::Listed(moved));
                    }
                    _ => {
                        let escaped = self.escaped();
                        self.add(escaped, address);
                        self.add_unknown(to);
                    }
                }
            }
            Use::Elements(to, stride) => {
                let find = |o| self.objects.get(object).layout.elements(o, stride);
                let positions = offset.map_or(Positions::Any, find);
                self.add_positions(to, object, positions);
            }
            Use::Indexed(to, stride, count) => {
                let find = |o| self.objects.get(object).layout.indexed(o, stride, count);
                let positions = offset.map_or(Positions::Any, find);
                self.add_positions(to, object, positions);
            }
            Use::Within(to) => self.add(to, Address { object, offset: None }),
            Use::Load(to) => self.follow_load(to, address),
            Use::Store(value) => self.follow_store(value, address),
            Use::Clobber(bytes, ref pointers) => {
                for p in self.touched(address, bytes) {
                    if !offset.is_some_and(|o| p >= o && pointers.contains(&(p - o))) {
                        let pointer = self.pointer(object, p);
                        self.add_unknown(pointer);
                    }
                }
            }
            Use::Copied(to, bytes) => self.follow_copied(to, bytes, address),
            Use::Leak(bytes) => {
                let escaped = self.escaped();
                for p in self.touched(address, bytes) {
                    let pointer = self.pointer(object, p);
                    self.copy(pointer, escaped);
                }
            }
            Use::Escape => {
                if object != Objects::UNKNOWN && self.escaped.insert(object) {
                    let (anywhere, all) = (self.anywhere(object), self.all(object));
                    let escaped = self.escaped();
                    self.add_unknown(anywhere);
                    self.copy(all, escaped);
                }
            }
            Use::Call(caller, edge) => self.calls.push((caller, edge, object)),
        }
    }

    fn add_positions(&mut self, to: Node, object: ObjectId, positions: Positions) {
        if object == Objects::UNKNOWN {
            return self.add_unknown(to);
        }
        match positions {
            Positions::Any => self.add(to, Address { object, offset: None }),
            Positions::Listed(offsets) => {
                let layout = Rc::clone(&self.objects.get(object).layout);
                for offset in offsets {
                    let inside = layout.size().is_none_or(|size| offset <= size);
                    if inside {
                        let offset = Some(layout.normalise(offset));
                        self.add(to, Address { object, offset });
                    }
                }
            }
        }
    }

    /// The offsets of the pointers within the bytes at an address; all of them if its offset is unknown.
    fn touched(&self, address: Address, bytes: u64) -> Vec<u64> {
        let layout = &self.objects.get(address.object).layout;
        match address.offset {
            None => layout.pointers().to_vec(),
            Some(offset) => layout.pointers_in(offset, bytes, self.word).collect(),
        }
    }

    fn follow_copied(&mut self, to: Node, bytes: u64, address: Address) {
        let pointers = self.touched(address, bytes);
        let Some(offset) = address.offset.filter(|_| !pointers.is_empty()) else {
            // Pointers copied into a buffer of other data have escaped.
            let (everywhere, all) = (self.within(to), self.all(address.object));
            let unknown = self.unknown();
            self.store(everywhere, all);
            self.store(everywhere, unknown);
            return;
        };
        for p in pointers {
            let to = self.shift(to, p.wrapping_sub(offset) as i64);
            let value = self.pointer(address.object, p);
            self.store(to, value);
        }
    }

    fn follow_load(&mut self, to: Node, address: Address) {
        let object = self.objects.get(address.object);
        let layout = &object.layout;
        match address.offset {
            // A pointer may be there, but an access would not be valid.
            Some(offset)
                if object.is_outside(offset.saturating_add(self.word).saturating_mul(8)) => {}
            Some(offset) if layout.is_pointer(offset) => {
                let pointer = self.pointer(address.object, offset);
                self.copy(pointer, to);
            }
            Some(_) => self.add_unknown(to),
            None => {
                let all = self.all(address.object);
                self.copy(all, to);
                self.add_unknown(to);
            }
        }
    }

    fn follow_store(&mut self, value: Node, address: Address) {
        let object = address.object;
        let known = address.offset.filter(|&o| self.objects.get(object).layout.is_pointer(o));
        // If this is not a pointer's place, reading a pointer there gives whatever has escaped.
        if known.is_none() {
            let escaped = self.escaped();
            self.copy(value, escaped);
        }
        match address.offset {
            None => {
                let anywhere = self.anywhere(object);
                self.copy(value, anywhere);
            }
            Some(offset) => {
                for p in self.touched(address, self.word) {
                    let pointer = self.pointer(object, p);
                    if p == offset {
                        self.copy(value, pointer);
                    } else {
                        self.add_unknown(pointer);
                    }
                }
            }
        }
    }
}
