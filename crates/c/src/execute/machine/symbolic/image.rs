//! States that were reached before, on another way.

use rustc_hash::FxHashSet;

use super::super::memory::{ObjectId, OutOfMemory};
use super::super::state::{ErrorNumber, Machine};
use crate::execute::image::Image;
use crate::execute::live::Live;
use crate::execute::ways::{Comparison, Reached};
use crate::flow::{Base, FunctionId};

/// What a word of a state counts as, in bytes that a function of the library handles.
const COMPARED: u64 = 16;

impl Machine<'_, '_> {
    /// Whether where objects lie may have decided something, if that is watched.
    pub fn is_located(&self) -> bool {
        !self.watches || self.located || self.numbers || !self.constants.is_empty()
    }

    /// Whether executions have been where this one is with all that it may be, so that nothing new comes of it; or the new
    /// state, if others start there.
    pub fn is_reached_again(&mut self, returned: bool) -> Comparison {
        let Some(mut reached) = self.oracle.ways().and_then(|ways| ways.compares(returned)) else {
            return Comparison::None;
        };
        let image = match self.settle() {
            Ok(()) => self.image(&mut reached, returned),
            Err(_) => None,
        };
        let image = image.map(|(image, told)| {
            if !self.numbers && !self.hides_pointers {
                self.memory.reclaim(&told);
            }
            image
        });
        // It takes time.
        self.handled += image.as_ref().map_or(0, |image| COMPARED * image.words() as u64);
        let ways = self.oracle.ways();
        ways.map_or(Comparison::None, |ways| ways.compare(reached, image))
    }

    /// Gives memory the values of inputs that the path condition says: those of a state depend on nothing else then.
    fn settle(&mut self) -> Result<(), OutOfMemory> {
        let Some(symbols) = self.oracle.ways().and_then(|ways| ways.symbols()) else {
            return Ok(());
        };
        let mut memo = symbols.fixed();
        if memo.is_empty() {
            return Ok(());
        }
        self.memory.settle(|term| {
            let term = symbols.settled(term, &mut memo);
            (term, symbols.terms.as_bits(term))
        })
    }

    fn live(&self, function: FunctionId, reached: &mut Reached) -> Option<std::rc::Rc<Live>> {
        let of = &self.flow.functions[function.0 as usize];
        let body = of.body.as_ref()?;
        // Where lost blocks are looked for, pointers count that nobody reads any more.
        let is_any = self.flow.checked.are_of_ends();
        let width = self.widths[function.0 as usize] as usize;
        let slot = |variable: crate::flow::VariableId| self.slot_of(variable.0);
        Some(reached.live(function, || match is_any {
            true => Live::all(body),
            false => Live::of(body, of.result, width, slot),
        }))
    }

    /// All that decides how the execution goes on, if states are compared here; `None` for one that is too large, or has
    /// something that is not told.
    fn image(&self, reached: &mut Reached, returned: bool) -> Option<(Image, FxHashSet<ObjectId>)> {
        // Each field is here, so that a new one is not forgotten.
        let Machine {
            memory,
            frames,
            globals,
            strings,
            locals,
            error_number,
            open_result,
            tables,
            given,
            constants,
            waiting,
            unknown_result,
            // These are the same in all executions.
            flow: _,
            layout: _,
            options: _,
            oracle: _,
            slots: _,
            widths: _,
            outgoing: _,
            has_errno: _,
            watches: _,
            is_guided: _,
            // These name inputs.
            instances: _,
            blocks: _,
            outside: _,
            // These tell what has happened.
            chosen: _,
            addresses: _,
            foreign: _,
            numbers: _,
            hides_pointers: _,
            located: _,
            inexact: _,
            larger: _,
            inputs: _,
            events: _,
            leaps: _,
            undefined: _,
            // These are about the step that was made.
            unanswered: _,
            concrete: _,
            wild: _,
            handled: _,
            edge: _,
            span: _,
            changes: _,
        } = self;
        let innermost = frames.last()?;
        let live = self.live(innermost.function, reached)?;
        if !returned && !live.is_join(innermost.location) {
            return None;
        }
        reached.compared(returned);
        let has_objects = constants.values().any(|(_, object)| object.is_some());
        let is_told = given.count.is_none() && given.arrays == 0 && !has_objects;
        if !is_told || !waiting.is_empty() || unknown_result.is_some() {
            return None;
        }
        let mut image = Image::default();
        let mut told = FxHashSet::default();
        let mut tell = |id: Option<ObjectId>, image: &mut Image| {
            let Some(id) = id else { return image.add(u64::MAX) };
            if told.insert(id) && !image.is_large() {
                memory.tell(id, image);
            }
        };
        image.add(frames.len() as u64);
        for (at, frame) in frames.iter().enumerate() {
            image.add(u64::from(frame.function.0));
            image.add(u64::from(frame.location));
            let call = frame.call.map_or(u64::MAX, |(edge, _)| u64::from(edge.edge));
            image.add(call);
            let live = self.live(frame.function, reached)?;
            let needed = frames.get(at + 1).and_then(|next| next.result);
            let end = frames.get(at + 1).map_or(locals.len(), |next| next.base);
            for (slot, &object) in locals[frame.base..end].iter().enumerate() {
                let matters = |id: &ObjectId| match live.is_live(frame.location, slot) {
                    _ if memory.has_address(*id) => true,
                    true => !memory.is_untouched(*id),
                    // Where the caller puts the result.
                    false => needed.is_some_and(|place| {
                        let slot_of = |base: &Base| match base {
                            Base::Variable(variable) => self.slot_of(variable.0),
                            Base::Pointer(_) | Base::String(_) => None,
                        };
                        let within = place.operands().flat_map(|e| e.parts());
                        let read = within.filter_map(|part| slot_of(&part.place()?.base));
                        slot_of(&place.base).into_iter().chain(read).any(|s| s == slot)
                    }),
                };
                tell(object.filter(matters), &mut image);
            }
            image.add(frame.blocks.len() as u64);
            frame.blocks.iter().for_each(|&block| tell(Some(block), &mut image));
        }
        globals.iter().chain(strings).for_each(|&object| tell(object, &mut image));
        memory.tell_others(&told, &mut image);
        let mut tables: Vec<(u64, u64)> = tables.iter().map(|(&t, &a)| (t as u64, a)).collect();
        tables.sort_unstable();
        for (table, address) in tables {
            image.add(table);
            image.add(address);
        }
        match *error_number {
            ErrorNumber::Settled => image.add(0),
            ErrorNumber::Failed => image.add(1),
            ErrorNumber::Is(number) => image.add_bytes(&number.to_le_bytes()),
            ErrorNumber::Unknown(name) => {
                image.add(2);
                image.add_bytes(name.as_bytes());
            }
        }
        if let Some(term) = *open_result {
            image.add_term(term);
        }
        (!image.is_large()).then_some((image, told))
    }
}
