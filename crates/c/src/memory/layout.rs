//! How an object in memory is divided into scalars.
//!
//! Fields and the elements of small arrays are separate scalars. The elements of a large array are
//! *folded* onto the first one: a position in the first stands for that in each of them.
//! Overlapping members of a union are divided at the boundaries of all members, so that every
//! scalar of every member is a sequence of items.

use super::super::limits;
use super::super::types::{Field, Type, TypeId, Types};
use super::pieces::{distinguish, refine};

/// The type of value that a scalar holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    /// A `_Bool`, as which alone its bits are used.
    Boolean,
    Pointer,
    Float,
}

/// A scalar of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its first bit, counted from the start of the object.
    pub start: u64,
    /// The number of bits, 1 to 64.
    pub width: u32,
    pub kind: Kind,
    /// Whether it is in a folded array, so that its content stands for that of many.
    pub folded: bool,
    /// Whether it is in an array, folded or not.
    pub element: bool,
    /// What C appends to the name of the object to name this part: `.f[3].g`.
    pub name: String,
}

impl Item {
    /// The first bit after it.
    pub fn end(&self) -> u64 {
        self.start + u64::from(self.width)
    }
}

/// What an object consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    Type(TypeId),
    /// This many elements; the length is unknown if there is no number.
    Elements(TypeId, Option<u64>),
    /// This many bytes of unknown use.
    Bytes(Option<u64>),
}

impl Shape {
    /// The size in bytes, if known.
    pub fn size(self, types: &Types) -> Option<u64> {
        match self {
            Shape::Type(ty) => types.size(ty),
            Shape::Elements(ty, n) => types.size(ty).zip(n).and_then(|(s, n)| s.checked_mul(n)),
            Shape::Bytes(size) => size,
        }
    }
}

/// Equally spaced elements, measured in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    start: u64,
    /// The length of all elements together; `u64::MAX` if unlimited.
    length: u64,
    stride: u64,
}

impl Run {
    fn has(self, offset: u64) -> bool {
        offset >= self.start && offset - self.start < self.length
    }

    /// The offsets at most `bytes` before (if negative) or after the run that are congruent to
    /// `phase` modulo the stride; ascending.
    fn around(self, phase: u64, bytes: i64) -> Vec<u64> {
        let stride = self.stride.max(1);
        let reach = bytes.unsigned_abs();
        if bytes < 0 {
            let low = self.start.saturating_sub(reach);
            (low..self.start).filter(|o| (self.start - o + phase).is_multiple_of(stride)).collect()
        } else if let Some(end) = self.start.checked_add(self.length)
            // Nothing is behind an unlimited run.
            && self.length < u64::MAX
        {
            let last = end.saturating_add(reach.min(AROUND));
            (end.saturating_add(phase)..last)
                .step_by(usize::try_from(stride).unwrap_or(1))
                .collect()
        } else {
            Vec::new()
        }
    }
}

/// The number of bytes searched after a folded array; no object that is divided has more there.
const AROUND: u64 = 1 << 16;

/// The positions that an address may have after adding an unknown index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Positions {
    /// One of these offsets, in bytes, ascending.
    Listed(Vec<u64>),
    /// Anywhere in the object.
    Any,
}

/// The scalars of an object of some shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// Disjoint and ascending.
    items: Vec<Item>,
    /// Offsets of pointers in bytes: ascending and not overlapping.
    pointers: Vec<u64>,
    /// Large arrays; outer ones come before those within their first element.
    folds: Vec<Run>,
    /// Small arrays, including those within elements of others and within unions.
    arrays: Vec<Run>,
    /// The size in bytes, if known.
    size: Option<u64>,
    limits: limits::Memory,
}

/// Divides types into items.
struct Cutter<'a> {
    types: &'a Types,
    layout: Layout,
    /// The nesting depth of unions; nothing is folded within one.
    unions: u32,
    /// The number of bytes at the start of the object that also belong to something else, as in a union.
    shared: u64,
    folded: bool,
    /// The nesting depth of arrays.
    arrays: u32,
}

impl Layout {
    /// Computes the layout of a shape.
    pub fn new(types: &Types, shape: Shape, limits: limits::Memory) -> Self {
        Self::overlaid(types, shape, &[], limits)
    }

    /// Computes the layout of an object that is used, from its start, as each of these types, too:
    /// a union of all of them, as large as the largest.
    pub fn overlaid(
        types: &Types,
        shape: Shape,
        others: &[TypeId],
        limits: limits::Memory,
    ) -> Self {
        let size = shape.size(types);
        let layout = Self { limits, ..Self::default() };
        let unroll = limits.unrolled;
        let mut cutter = Cutter { types, layout, unions: 0, shared: 0, folded: false, arrays: 0 };
        let own = match shape {
            Shape::Type(ty) => weight(types, ty, unroll),
            Shape::Elements(ty, _) => weight(types, ty, unroll),
            Shape::Bytes(_) => 0,
        };
        let all = others.iter().fold(own, |sum, &ty| sum.saturating_add(weight(types, ty, unroll)));
        let sizes: Vec<u64> = others.iter().map(|&ty| types.size(ty).unwrap_or(0)).collect();
        if all <= limits.scalars {
            for (i, &ty) in others.iter().enumerate() {
                let rest = sizes.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, &s)| s);
                cutter.shared = rest.chain(size).max().unwrap_or(0);
                cutter.cut(ty, 0, "");
            }
            cutter.shared = sizes.iter().copied().max().unwrap_or(0);
            match shape {
                Shape::Type(ty) => cutter.cut(ty, 0, ""),
                Shape::Elements(ty, length) => cutter.array(ty, length, 0, ""),
                Shape::Bytes(_) => {}
            }
        }
        let mut layout = cutter.layout;
        layout.size = size.map(|own| sizes.into_iter().fold(own, u64::max));
        refine(&mut layout.items);
        if !others.is_empty() {
            distinguish(&mut layout.items);
        }
        layout.pointers.sort_unstable();
        layout.pointers.dedup();
        let word = u64::from(types.model.word() / 8);
        let all = layout.pointers.clone();
        layout.pointers.retain(|&p| !all.iter().any(|&q| q != p && q.abs_diff(p) < word));
        layout
    }

    /// The scalars, ascending.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The offsets of all pointers in bytes, ascending. A union has those of all its members.
    pub fn pointers(&self) -> &[u64] {
        &self.pointers
    }

    /// The size in bytes, if known.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Whether neither its size nor a type is known, but those as which it is used.
    pub fn is_undivided(&self) -> bool {
        self.size.is_none() && self.folds.is_empty()
    }

    /// The offset that stands for this one, which is in the first element of any folded array.
    pub fn normalise(&self, offset: u64) -> u64 {
        self.folds.iter().fold(offset, |offset, run| {
            if run.has(offset) { run.start + (offset - run.start) % run.stride } else { offset }
        })
    }

    /// Whether the offset stands for positions in all elements of a folded array.
    pub fn is_folded(&self, offset: u64) -> bool {
        self.folds.iter().any(|run| run.has(offset))
    }

    /// The folded arrays that contain an offset, outer ones first: where each begins, and its stride, in bytes.
    pub fn runs(&self, offset: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.folds.iter().filter(move |run| run.has(offset)).map(|run| (run.start, run.stride))
    }

    /// The number of elements of the folded arrays that begin at an offset and have a stride, if known: of the longest.
    pub fn elements_of(&self, (start, stride): (u64, u64)) -> Option<u64> {
        let runs = self.folds.iter().filter(|run| (run.start, run.stride) == (start, stride));
        let counts =
            runs.map(|run| (run.length < u64::MAX).then(|| run.length / run.stride.max(1)));
        counts.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// Whether there is a pointer at exactly this offset.
    pub fn is_pointer(&self, offset: u64) -> bool {
        self.pointers.binary_search(&offset).is_ok()
    }

    /// The offsets of pointers that share a byte with `[offset, offset + bytes)`.
    pub fn pointers_in(
        &self,
        offset: u64,
        bytes: u64,
        word: u64,
    ) -> impl Iterator<Item = u64> + '_ {
        let first = self.pointers.partition_point(|&p| p + word <= offset);
        self.pointers[first..]
            .iter()
            .copied()
            .take_while(move |&p| p < offset.saturating_add(bytes))
    }

    /// The possible values of `offset + i * stride` for any `i`, if the address stays within the
    /// array that contains `offset` or just past its end. A byte pointer may come from, and reach,
    /// the whole object, even if an array of characters is there.
    pub fn elements(&self, offset: u64, stride: u64) -> Positions {
        if stride == 0 {
            return Positions::Listed(vec![offset]);
        }
        // What such an object is used as here need not be all that there is.
        if self.is_undivided() {
            return Positions::Any;
        }
        let mut listed = Vec::new();
        let whole = |run: &Run| run.start == 0 && self.size.is_none_or(|size| run.length >= size);
        let fits = |run: &Run| run.stride == stride && (stride > 1 || whole(run));
        if self.folds.iter().any(|r| r.has(offset) && fits(r)) {
            listed.push(offset);
        }
        for run in &self.arrays {
            let within = offset >= run.start && offset - run.start <= run.length;
            if within && fits(run) {
                let rest = (offset - run.start) % stride;
                let count = run.length / stride;
                listed.extend((0..=count).map(|i| run.start + rest + i * stride));
            }
        }
        if listed.is_empty() {
            return Positions::Any;
        }
        listed.sort_unstable();
        listed.dedup();
        Positions::Listed(listed)
    }

    /// Where an address may be after moving by a constant. There is only one place, unless it may come from any
    /// element of a folded array. Offsets beyond the object are left out, but not the one just past its end.
    pub fn moved(&self, offset: u64, bytes: i64) -> Vec<u64> {
        let inside = |o: &u64| self.size.is_none_or(|size| *o <= size);
        let mut all: Vec<u64> =
            offset.checked_add_signed(bytes).filter(inside).into_iter().collect();
        for run in self.folds.iter().filter(|run| run.has(offset)) {
            let within = (offset - run.start) as i64;
            let stride = i64::try_from(run.stride).unwrap_or(i64::MAX);
            let phase = within.wrapping_add(bytes).rem_euclid(stride) as u64;
            all.push(run.start + phase);
            // Steps by whole elements stay in the array, but bytes may be those of the whole object.
            if stride == 1 || bytes % stride != 0 {
                all.extend(run.around(phase, bytes).into_iter().filter(inside));
            }
        }
        all.iter_mut().for_each(|o| *o = self.normalise(*o));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The possible positions of an element if `count` (or unknown many) of them begin at `offset`.
    pub fn indexed(&self, offset: u64, stride: u64, count: Option<u64>) -> Positions {
        if stride == 0 || count == Some(1) {
            return Positions::Listed(vec![offset]);
        }
        if self.folds.iter().any(|r| r.has(offset) && r.stride == stride) {
            return Positions::Listed(vec![offset]);
        }
        match count {
            // In a union or after a cast: the array is short, whatever is there.
            Some(count) if count <= self.limits.unrolled => {
                Positions::Listed((0..count).map(|i| offset + i * stride).collect())
            }
            Some(_) => Positions::Any,
            None => self.elements(offset, stride),
        }
    }

    /// The items that share a bit with the `width` bits from bit `start` on.
    pub fn overlapping(&self, start: u64, width: u64) -> std::ops::Range<usize> {
        let first = self.items.partition_point(|i| i.end() <= start);
        let end = self.items.partition_point(|i| i.start < start.saturating_add(width));
        first..end.max(first)
    }
}

/// The number of scalars into which a type is divided; arrays of at most `unroll` elements are not folded.
fn weight(types: &Types, ty: TypeId, unroll: u64) -> u64 {
    match types.get(ty) {
        Type::Void | Type::Function { .. } => 0,
        Type::Array(element, length) => unrolled(types, *element, *length, unroll).map_or_else(
            || weight(types, *element, unroll),
            |n| weight(types, *element, unroll) * n,
        ),
        Type::Record(record) => types
            .record(*record)
            .fields
            .iter()
            .flatten()
            .fold(0_u64, |sum, f| sum.saturating_add(weight(types, f.ty, unroll))),
        _ => 1,
    }
}

/// The number of elements of an array, if it is small enough not to be folded.
fn unrolled(types: &Types, element: TypeId, length: Option<u64>, most: u64) -> Option<u64> {
    let scalars = weight(types, element, most);
    length.filter(|n| n.checked_mul(scalars).is_some_and(|all| all <= most))
}

impl Cutter<'_> {
    /// Divides a type; `at` is in bits.
    fn cut(&mut self, ty: TypeId, at: u64, name: &str) {
        match self.types.get(ty) {
            Type::Void | Type::Function { .. } => {}
            Type::Bool => self.scalar(at, 8, Kind::Boolean, name),
            Type::Int { bits, .. } => self.scalar(at, *bits, Kind::Integer, name),
            Type::Float { bits } if *bits <= 64 => self.scalar(at, *bits, Kind::Float, name),
            Type::Float { .. } => {}
            Type::Pointer(_) => {
                self.layout.pointers.push(at / 8);
                self.scalar(at, self.types.model.word(), Kind::Pointer, name);
            }
            Type::Array(element, length) => self.array(*element, *length, at, name),
            Type::Record(record) => {
                let record = self.types.record(*record);
                self.unions += u32::from(record.union);
                for field in record.fields.iter().flatten() {
                    self.field(field, at, name);
                }
                self.unions -= u32::from(record.union);
            }
        }
    }

    fn field(&mut self, field: &Field, at: u64, name: &str) {
        let at = at + field.offset * 8;
        let name =
            if field.name.is_empty() { name.to_owned() } else { format!("{name}.{}", field.name) };
        match field.bit_field {
            Some((first, width)) if width > 0 => {
                self.scalar(at + u64::from(first), width, Kind::Integer, &name);
            }
            Some(_) => {}
            None => self.cut(field.ty, at, &name),
        }
    }

    fn array(&mut self, element: TypeId, length: Option<u64>, at: u64, name: &str) {
        let Some(stride) = self.types.size(element).filter(|&s| s > 0) else { return };
        self.arrays += 1;
        self.elements(element, (length, stride), at, name);
        self.arrays -= 1;
    }

    fn elements(
        &mut self,
        element: TypeId,
        (length, stride): (Option<u64>, u64),
        at: u64,
        name: &str,
    ) {
        let Some(count) = unrolled(self.types, element, length, self.layout.limits.unrolled) else {
            // In a union, positions of a folded member could be those of other members.
            if self.unions == 0 && at / 8 >= self.shared {
                let length = length.map_or(u64::MAX, |n| n.saturating_mul(stride));
                self.layout.folds.push(Run { start: at / 8, length, stride });
                let before = std::mem::replace(&mut self.folded, true);
                self.cut(element, at, &format!("{name}[]"));
                self.folded = before;
            }
            return;
        };
        self.runs(element, at / 8, count * stride, stride);
        for i in 0..count {
            self.cut(element, at + i * stride * 8, &format!("{name}[{i}]"));
        }
    }

    /// Adds the array and, for an array of arrays, also the run of all inner elements: programs
    /// traverse them with one pointer.
    fn runs(&mut self, element: TypeId, start: u64, length: u64, stride: u64) {
        self.layout.arrays.push(Run { start, length, stride });
        if let Type::Array(inner, _) = self.types.get(element)
            && let Some(stride) = self.types.size(*inner).filter(|&s| s > 0)
        {
            self.runs(*inner, start, length, stride);
        }
    }

    fn scalar(&mut self, start: u64, width: u32, kind: Kind, name: &str) {
        let (folded, element, name) = (self.folded, self.arrays > 0, name.to_owned());
        self.layout.items.push(Item { start, width, kind, folded, element, name });
    }
}
