//! Which parts of an object have an initial value, and zeros for the others.

use std::collections::BTreeMap;

use crate::flow::{Base, Callee, Expr, ExprKind, HavocKind, Instruction, Place};
use crate::parse::builder::Mark;
use crate::parse::context::{Context, Typed};
use crate::types::Type;
use hardbop_base::source::Span;

/// If there are more zeros than this, `memset` writes them.
const MANY: u64 = 64;

/// The parts of an object that have been given a value.
#[derive(Debug, Default)]
pub(super) enum Cover {
    #[default]
    None,
    Full,
    Parts(BTreeMap<u64, Cover>),
}

impl Cover {
    /// Has no part a value?
    pub fn is_empty(&self) -> bool {
        match self {
            Cover::None => true,
            Cover::Full => false,
            Cover::Parts(parts) => parts.values().all(Cover::is_empty),
        }
    }

    /// The parts with values but for one.
    fn others(&self, index: u64) -> Vec<u64> {
        let Cover::Parts(parts) = self else { return vec![] };
        let others = parts.iter().filter(|&(&i, part)| i != index && !part.is_empty());
        others.map(|(&i, _)| i).collect()
    }

    /// The number of parts up to the last one that has a value.
    fn length(&self) -> u64 {
        match self {
            Self::Parts(parts) => parts.last_key_value().map_or(0, |(last, _)| last + 1),
            Self::None | Self::Full => 0,
        }
    }

    /// The same, of the parts of a part.
    pub fn length_of(&self, index: u64) -> u64 {
        match self {
            Self::Parts(parts) => parts.get(&index).map_or(0, Self::length),
            Self::None | Self::Full => 0,
        }
    }

    pub fn part(&mut self, index: u64) -> &mut Cover {
        if !matches!(self, Cover::Parts(_)) {
            *self = Cover::Parts(BTreeMap::new());
        }
        match self {
            Cover::Parts(parts) => parts.entry(index).or_default(),
            // Not reached: the parts were just created.
            other => other,
        }
    }
}

impl Context<'_> {
    /// Sets an array's length, and zeroes the parts without a value.
    pub(super) fn complete(
        &mut self,
        place: Place,
        cover: Cover,
        mark: Mark,
        span: Span,
    ) -> Typed<()> {
        let mut place = place;
        if let (Type::Array(element, None), Base::Variable(id)) =
            (self.types.get(place.ty).clone(), &place.base)
        {
            place.ty = self.types.intern(Type::Array(element, Some(cover.length())));
            self.variables[id.0 as usize].ty = place.ty;
        }
        self.complete_size(place.ty, span)?;
        if self.current.is_none() {
            self.lengthen(&place, &cover);
            return Ok(());
        }
        let before = self.zeroing(&place, &cover, span)?;
        let before = before.into_iter().map(|instruction| (instruction, span)).collect();
        self.flow(|b| b.insert_before(mark, before));
        Ok(())
    }

    /// Gives zero to the scalars without a value; the rest of a union may then be anything.
    fn zeroing(&mut self, place: &Place, cover: &Cover, span: Span) -> Typed<Vec<Instruction>> {
        let (mut zeros, mut unions) = (Vec::new(), false);
        let counted = self.missing(place, cover, &mut zeros, &mut unions);
        let mut all = Vec::new();
        if unions {
            all.push(Instruction::Havoc(place.clone(), HavocKind::Uninitialised));
        }
        if counted > MANY {
            let word = self.types.unsigned_word();
            let size = self.complete_size(place.ty, span)?;
            let size = self.constant(size, word, span);
            let pointer = self.types.pointer_to(place.ty);
            let kind = ExprKind::AddressOf(place.clone());
            all.push(self.clear(Expr { kind, ty: pointer, span }, size, span));
        } else {
            for zero in zeros {
                let value = self.zero(zero.ty, span);
                all.push(Instruction::Assign(zero, value));
            }
        }
        Ok(all)
    }

    /// `memset(address, 0, size)`
    pub(super) fn clear(&mut self, address: Expr, size: Expr, span: Span) -> Instruction {
        let word = self.types.unsigned_word();
        let (void, int) = (self.void(), self.int());
        let untyped = self.types.pointer_to(void);
        let memset = self.library_function("memset", untyped, &[untyped, int, word]);
        let address = self.convert(address, untyped);
        let arguments = vec![address, self.constant(0, int, span), size];
        Instruction::Call { result: None, callee: Callee::Function(memset), arguments }
    }

    /// Collects scalars without a value (a few more than [`MANY`] at most) and counts them.
    fn missing(
        &mut self,
        place: &Place,
        cover: &Cover,
        out: &mut Vec<Place>,
        unions: &mut bool,
    ) -> u64 {
        if matches!(cover, Cover::Full) || out.len() as u64 > MANY {
            return 0;
        }
        let none = Cover::None;
        let part = |index: u64| match cover {
            Cover::Parts(parts) => parts.get(&index).unwrap_or(&none),
            _ => &none,
        };
        match self.types.get(place.ty).clone() {
            Type::Array(_, length) => {
                let mut count = 0;
                for index in 0..length.unwrap_or(0) {
                    if out.len() as u64 > MANY {
                        return count + (length.unwrap_or(0) - index);
                    }
                    let element = self.element(place, index);
                    count += self.missing(&element, part(index), out, unions);
                }
                count
            }
            Type::Record(record) => {
                let record = self.types.record(record);
                let fields = record.fields.as_ref().map_or(0, Vec::len);
                if record.union {
                    *unions = true;
                    if matches!(cover, Cover::Parts(_)) {
                        let Cover::Parts(parts) = cover else { return 0 };
                        let mut count = 0;
                        for (&index, inner) in parts {
                            let field = self.field(place.clone(), index as u32, place.span);
                            count += self.missing(&field, inner, out, unions);
                        }
                        return count;
                    }
                }
                let mut count = 0;
                for index in 0..fields {
                    let field = self.field(place.clone(), index as u32, place.span);
                    count += self.missing(&field, part(index as u64), out, unions);
                }
                count
            }
            _ => {
                out.push(place.clone());
                1
            }
        }
    }

    /// Takes back the values that an object has, for it is initialised once more (C11 6.7.9, 19).
    pub(super) fn reset(&mut self, place: &Place, cover: &Cover, span: Span) -> Typed<()> {
        self.complete_size(place.ty, span)?;
        if self.current.is_some() {
            for instruction in self.zeroing(place, cover, span)? {
                self.emit(instruction, span);
            }
            return Ok(());
        }
        let (mut zeros, mut unions) = (Vec::new(), false);
        if self.missing(place, cover, &mut zeros, &mut unions) > MANY {
            let what = "a second list of values for an object with many parts";
            return Err(self.unsupported(span, what));
        }
        for zero in zeros {
            let value = self.zero(zero.ty, span);
            self.initialisers.push((zero, value));
        }
        Ok(())
    }

    /// If the object is a union, a member other than this one no longer has its value.
    pub(super) fn choose_member(
        &mut self,
        place: &Place,
        index: u64,
        cover: &mut Cover,
        span: Span,
    ) -> Typed<()> {
        let is_union = self.types.as_record(place.ty).is_some_and(|(_, record)| record.union);
        let others = cover.others(index);
        if !is_union || others.is_empty() {
            return Ok(());
        }
        self.note_replaced(span);
        if self.current.is_none() {
            // Bytes that the new member does not have are zero, as in gcc.
            for other in others {
                let member = self.field(place.clone(), other as u32, span);
                self.reset(&member, &Cover::None, span)?;
            }
        }
        *cover = Cover::None;
        cover.part(index);
        self.reset(place, cover, span)
    }
}
