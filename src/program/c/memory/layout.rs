//! How an object in memory is cut into scalars.
//!
//! Fields and the elements of small arrays are scalars of their own.  The elements of a large array
//! are *folded* onto the first one: positions in all of them are one position.  What overlaps in a
//! union is cut at all boundaries of all members, so that every scalar of every member is a sequence
//! of items.

use super::super::limits;
use super::super::types::{Field, Type, TypeId, Types};

/// What a scalar holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Pointer,
    Float,
}

/// A scalar of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Where it begins, in bits from the start of the object.
    pub start: u64,
    /// In bits, 1 to 64.
    pub width: u32,
    pub kind: Kind,
    /// It is in an array that is folded: its content stands for that of many.
    pub folded: bool,
    /// It is in an array, folded or not.
    pub element: bool,
    /// What a C programmer appends to the name of the object: `.f[3].g`.
    pub name: String,
}

impl Item {
    /// The first bit behind it.
    pub fn end(&self) -> u64 {
        self.start + u64::from(self.width)
    }
}

/// What an object is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    Type(TypeId),
    /// A sequence of so many elements, of unknown length where there is no number.
    Elements(TypeId, Option<u64>),
    /// So many bytes of unknown use.
    Bytes(Option<u64>),
}

impl Shape {
    /// In bytes, if known.
    pub fn size(self, types: &Types) -> Option<u64> {
        match self {
            Shape::Type(ty) => types.size(ty),
            Shape::Elements(ty, n) => types.size(ty).zip(n).and_then(|(s, n)| s.checked_mul(n)),
            Shape::Bytes(size) => size,
        }
    }
}

/// Equally spaced elements.  In bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    start: u64,
    /// Of all elements together; `u64::MAX` for no end.
    length: u64,
    stride: u64,
}

impl Run {
    fn has(self, offset: u64) -> bool {
        offset >= self.start && offset - self.start < self.length
    }

    /// The offsets next to the run, with this remainder, that are not further than so many bytes;
    /// ascending on each side.
    fn around(self, phase: u64, bytes: i64) -> Vec<u64> {
        let stride = self.stride.max(1);
        let reach = bytes.unsigned_abs();
        if bytes < 0 {
            let low = self.start.saturating_sub(reach);
            (low..self.start).filter(|o| (self.start - o + phase).is_multiple_of(stride)).collect()
        } else if let Some(end) = self.start.checked_add(self.length) {
            let last = end.saturating_add(reach.min(AROUND));
            (end + phase..last).step_by(usize::try_from(stride).unwrap_or(1)).collect()
        } else {
            Vec::new()
        }
    }
}

/// So many bytes behind a folded array are looked at: no object that is cut has more there.
const AROUND: u64 = 1 << 16;

/// Positions that an address with an unknown index may have.
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
    /// Disjoint, ascending.
    items: Vec<Item>,
    /// Offsets of pointers in bytes, ascending, none overlapping another.
    pointers: Vec<u64>,
    /// Large arrays, outer ones before those within their first element.
    folds: Vec<Run>,
    /// Small arrays, also those within elements of others and within unions.
    arrays: Vec<Run>,
    /// In bytes, if known.
    size: Option<u64>,
    limits: limits::Memory,
}

/// Cuts types into items.
struct Cutter<'a> {
    types: &'a Types,
    layout: Layout,
    /// Depth of unions: within one nothing is folded.
    unions: u32,
    /// So many bytes of the object belong to something else too, as in a union.
    shared: u64,
    folded: bool,
    /// Depth of arrays.
    arrays: u32,
}

impl Layout {
    /// The layout of a shape.
    pub fn new(types: &Types, shape: Shape, limits: limits::Memory) -> Self {
        Self::overlaid(types, shape, &[], limits)
    }

    /// The layout of an object of a shape that is used as one of these types too, from its start: as
    /// a union of all.  It is as large as the largest.
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

    /// Offsets of all pointers, ascending, in bytes.  A union has those of all members.
    pub fn pointers(&self) -> &[u64] {
        &self.pointers
    }

    /// In bytes, if known.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The offset that stands for this one: in the first element of a folded array.
    pub fn normalise(&self, offset: u64) -> u64 {
        self.folds.iter().fold(offset, |offset, run| {
            if run.has(offset) { run.start + (offset - run.start) % run.stride } else { offset }
        })
    }

    /// Does the offset stand for positions in all elements of a large array?
    pub fn is_folded(&self, offset: u64) -> bool {
        self.folds.iter().any(|run| run.has(offset))
    }

    /// Is there a pointer at exactly this offset?
    pub fn is_pointer(&self, offset: u64) -> bool {
        self.pointers.binary_search(&offset).is_ok()
    }

    /// Offsets of pointers that share a byte with `[offset, offset + bytes)`.
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

    /// Where `offset + i * stride` may be for any `i`, if the address stays within the array that
    /// `offset` is in, one behind its end included.  A pointer to bytes may have come from the whole
    /// object, and reach all of it, though an array of characters is there.
    pub fn elements(&self, offset: u64, stride: u64) -> Positions {
        if stride == 0 {
            return Positions::Listed(vec![offset]);
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

    /// Where an address may be after it has moved by a constant: at one place, unless a folded array
    /// is near, from any element of which it may come.  Offsets behind the object are left out; one just behind it is not.
    pub fn moved(&self, offset: u64, bytes: i64) -> Vec<u64> {
        let inside = |o: &u64| self.size.is_none_or(|size| *o <= size);
        let mut all: Vec<u64> =
            offset.checked_add_signed(bytes).filter(inside).into_iter().collect();
        for run in self.folds.iter().filter(|run| run.has(offset)) {
            let within = (offset - run.start) as i64;
            let stride = i64::try_from(run.stride).unwrap_or(i64::MAX);
            let phase = within.wrapping_add(bytes).rem_euclid(stride) as u64;
            all.push(run.start + phase);
            // Steps from element to element stay in the array; bytes may be those of the object.
            if stride == 1 || bytes % stride != 0 {
                all.extend(run.around(phase, bytes).into_iter().filter(inside));
            }
        }
        all.iter_mut().for_each(|o| *o = self.normalise(*o));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Where element `i` of `count` (of unknown many) that begin at `offset` may be.
    pub fn indexed(&self, offset: u64, stride: u64, count: Option<u64>) -> Positions {
        if stride == 0 || count == Some(1) {
            return Positions::Listed(vec![offset]);
        }
        if self.folds.iter().any(|r| r.has(offset) && r.stride == stride) {
            return Positions::Listed(vec![offset]);
        }
        match count {
            // In a union, or through a cast: the array is short, whatever is there.
            Some(count) if count <= self.limits.unrolled => {
                Positions::Listed((0..count).map(|i| offset + i * stride).collect())
            }
            Some(_) => Positions::Any,
            None => self.elements(offset, stride),
        }
    }

    /// Items that share a bit with the `width` bits from `start`, both in bits.
    pub fn overlapping(&self, start: u64, width: u64) -> std::ops::Range<usize> {
        let first = self.items.partition_point(|i| i.end() <= start);
        let end = self.items.partition_point(|i| i.start < start.saturating_add(width));
        first..end.max(first)
    }
}

/// Number of scalars, as they will be cut; arrays of at most `unroll` have elements of their own.
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

/// The number of elements of an array that is small enough for elements of their own.
fn unrolled(types: &Types, element: TypeId, length: Option<u64>, most: u64) -> Option<u64> {
    let scalars = weight(types, element, most);
    length.filter(|n| n.checked_mul(scalars).is_some_and(|all| all <= most))
}

impl Cutter<'_> {
    /// `at` in bits.
    fn cut(&mut self, ty: TypeId, at: u64, name: &str) {
        match self.types.get(ty) {
            Type::Void | Type::Function { .. } => {}
            Type::Bool => self.scalar(at, 8, Kind::Integer, name),
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
            // Folded positions in one member of a union would be others' own positions.
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

    /// The array, and for an array of arrays also the one of all inner elements: programs run over
    /// them with one pointer.
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

/// Makes items disjoint: cuts them where others begin or end.  The first of equal ones stays.
fn refine(items: &mut Vec<Item>) {
    items.sort_by_key(|i| (i.start, i.width));
    if items.windows(2).all(|w| w[0].end() <= w[1].start) {
        return;
    }
    let mut bounds: Vec<u64> = items.iter().flat_map(|i| [i.start, i.end()]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let mut pieces: Vec<Item> = Vec::new();
    for item in items.iter() {
        let first = bounds.partition_point(|&b| b < item.start);
        for cut in bounds[first..].windows(2).take_while(|w| w[1] <= item.end()) {
            let whole = cut[0] == item.start && cut[1] == item.end();
            let name = if whole {
                item.name.clone()
            } else {
                format!("{}@{}", item.name, cut[0] - item.start)
            };
            pieces.push(Item {
                start: cut[0],
                width: (cut[1] - cut[0]) as u32,
                kind: if whole { item.kind } else { Kind::Integer },
                folded: item.folded,
                element: item.element,
                name,
            });
        }
    }
    // Of the pieces at one place the name of a whole scalar is best.
    pieces.sort_by_key(|p| (p.start, p.name.contains('@')));
    pieces.dedup_by(|later, kept| {
        let same = later.start == kept.start;
        if same {
            kept.folded |= later.folded;
            kept.element |= later.element;
        }
        same
    });
    *items = pieces;
}
