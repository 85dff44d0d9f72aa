//! Memory as a part of a state that is compared with others.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Content, Memory, ObjectId, OutOfMemory, Share};
use crate::execute::image::Image;
use hardbop_smt::Term;

impl Memory {
    /// A copy that shares nothing: what lacks bits in one may get them there alone.
    pub fn deep_copy(&self) -> Self {
        let mut copies = FxHashMap::default();
        let mut copy = self.clone();
        for share in copy.objects.iter_mut().flat_map(|object| &mut object.shares) {
            share.renew(&mut copies);
        }
        copy
    }

    /// Gives bytes that terms stand for the values that these turn out to have, or other terms.
    ///
    /// # Errors
    /// There is no room.
    pub fn settle(
        &mut self,
        mut value: impl FnMut(Term) -> (Term, Option<u64>),
    ) -> Result<(), OutOfMemory> {
        for index in 0..self.objects.len() {
            let shares = self.objects[index].shares.clone();
            for byte in shares.iter().filter(|share| !share.is_float()).flat_map(Share::bytes) {
                let Some(before) = byte.term() else { continue };
                let (term, known) = value(before);
                match known {
                    Some(known) => {
                        let id = ObjectId(index as u32);
                        self.objects[index].unshare(byte.start, byte.start + 1);
                        self.learn(id, byte.start, known as u8, u8::MAX)?;
                    }
                    None if term != before => byte.stand_for(term),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Whether an object may as well be made when it is needed: nothing was written to it, and it has no address.
    pub fn is_untouched(&self, id: ObjectId) -> bool {
        let object = self.object(id);
        object.address.is_none()
            && object.scribbled.is_none()
            && object.shares.is_empty()
            && object.cells.are_unwritten()
    }

    pub fn has_address(&self, id: ObjectId) -> bool {
        self.object(id).address.is_some()
    }

    /// Adds an object.  Which instance of a variable it is, and which block, only names inputs.
    pub fn tell(&self, id: ObjectId, image: &mut Image) {
        let object = self.object(id);
        let (kind, number) = match object.content {
            Content::Variable(number) => (0, u64::from(number)),
            Content::String(number) => (1, u64::from(number)),
            Content::Block { number, .. } => (2, u64::from(number.is_some())),
            Content::Outside { .. } => (3, 0),
            Content::Arguments => (4, 0),
            Content::Argument { index } => (5, index),
        };
        image.add(kind);
        image.add(number);
        image.add(object.address.unwrap_or(u64::MAX));
        image.add(object.align);
        image.add_bytes(object.scribbled.unwrap_or_default().as_bytes());
        object.cells.tell(image);
        image.add(object.shares.len() as u64);
        object.shares.iter().for_each(|share| share.tell(image));
    }

    /// Adds the objects that others lead to.  Where the next one is to be is left out: C does not say, and what depends on it
    /// is not decided by executions.
    pub fn tell_others(&self, told: &FxHashSet<ObjectId>, image: &mut Image) {
        for &id in self.by_address.values().filter(|id| !told.contains(id)) {
            if image.is_large() {
                break;
            }
            self.tell(id, image);
        }
    }
}
