//! The possible targets of an access: the places to which a pointer or an index may lead, each with
//! its condition.

use crate::flow::{Base, Expr, ExprKind, Place, Step};
use crate::lower::assumption::Assumption;
use crate::lower::lowering::Lowering;
use crate::lower::rests::{is_certain, leaves_array};
use crate::memory::{ObjectId, ObjectKind, Objects, Positions};
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_smt::{BitOp, Comparison, Term};

/// A possible target of an access.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Target {
    /// The condition of this target; `None` if it is always this one.
    pub guard: Option<Term>,
    pub object: ObjectId,
    /// In bytes, normalised.
    pub offset: u64,
    /// How far it is from the start of the object, if that is known.
    pub distance: Option<Path>,
}

/// A distance in bytes: a constant, and indices, each with its stride.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::lower) struct Path {
    pub bytes: i64,
    pub indices: [Option<(Term, u64)>; 2],
    /// The condition under which this is the distance; `None` if it always is.
    pub condition: Option<Term>,
}

impl Path {
    /// Whether it is always the same.
    pub fn is_constant(&self) -> bool {
        self.condition.is_none() && self.indices == [None; 2]
    }

    pub fn moved(self, bytes: i64) -> Option<Self> {
        Some(Self { bytes: self.bytes.checked_add(bytes)?, ..self })
    }

    fn indexed(mut self, index: Term, stride: u64) -> Option<Self> {
        let free = self.indices.iter_mut().find(|place| place.is_none())?;
        *free = Some((index, stride));
        Some(self)
    }
}

/// All possible targets of an access.
#[derive(Debug, Clone, Default)]
pub(in crate::lower) struct Cursor {
    pub targets: Vec<Target>,
    /// Objects that may be accessed at unknown offsets.
    pub anywhere: Vec<ObjectId>,
    /// Whether anything that has escaped may be accessed.
    pub unknown: bool,
    /// The address, given if the targets alone do not determine the place.
    pub address: Option<Term>,
}

impl Cursor {
    /// The only target, if it is certain.
    pub fn certain(&self) -> Option<Target> {
        match self.targets.as_slice() {
            [target] if target.guard.is_none() && self.anywhere.is_empty() && !self.unknown => {
                Some(*target)
            }
            _ => None,
        }
    }

    /// A cursor at the start of an object.
    pub fn at(object: ObjectId) -> Self {
        let target = Target { guard: None, object, offset: 0, distance: Some(Path::default()) };
        Self { targets: vec![target], ..Self::default() }
    }

    /// Stops distinguishing targets.
    fn blur(&mut self) {
        self.anywhere.extend(self.targets.drain(..).map(|t| t.object));
        self.anywhere.sort_unstable();
        self.anywhere.dedup();
    }
}

/// The distance that a step of a path adds to an address.
enum Distance<'s> {
    Bytes(i64),
    /// An index into `count` elements of `stride` bytes.
    Index {
        index: &'s Expr,
        stride: u64,
        count: Option<u64>,
    },
}

impl Lowering<'_, '_> {
    /// Finds the possible targets of an access to a place.
    pub(in crate::lower) fn locate(&mut self, place: &Place) -> Cursor {
        let mut cursor = self.cursor(place);
        let pointer = match &place.base {
            Base::Pointer(pointer) => Some(&**pointer),
            Base::Variable(_) | Base::String(_) => None,
        };
        self.trust(&cursor, pointer);
        self.stays_inside(&cursor, place);
        if let Base::Pointer(pointer) = &place.base {
            self.assume_valid(&cursor, pointer);
        }
        if self.needs_address(&cursor) {
            cursor.address = Some(self.address(place));
        }
        cursor
    }

    /// Finds the possible targets of an access through a pointer.
    pub(in crate::lower) fn locate_pointed(&mut self, pointer: &Expr) -> Cursor {
        let mut cursor = self.pointed(pointer);
        self.trust(&cursor, Some(pointer));
        self.assume_valid(&cursor, pointer);
        if self.needs_address(&cursor) {
            cursor.address = Some(self.value(pointer));
        }
        cursor
    }

    fn needs_address(&self, cursor: &Cursor) -> bool {
        let element = |t: &Target| self.is_element(t.object, t.offset);
        cursor.unknown
            || !cursor.anywhere.is_empty()
            || cursor.targets.iter().any(element)
            || self.reads_arguments(cursor)
    }

    /// If a pointer points to nothing that the program knows, assumes at least that it is not null.
    fn assume_valid(&mut self, cursor: &Cursor, pointer: &Expr) {
        if cursor.targets.is_empty() && cursor.anywhere.is_empty() && !cursor.unknown {
            let value = self.value(pointer);
            let null = self.terms.bits(self.word(), 0);
            let fine = self.terms.distinct(value, null);
            self.assume(fine);
        }
    }

    /// Unless the target is certain, assumes that the access is valid; and that a local variable has not ended.
    fn trust(&mut self, cursor: &Cursor, pointer: Option<&Expr>) {
        let mut objects =
            cursor.targets.iter().map(|t| t.object).chain(cursor.anywhere.iter().copied());
        let is_checked = self.flow.checked.has(Check::Lifetime);
        if pointer.is_some()
            && !is_checked
            && objects.any(|object| self.outliving.contains(&object))
        {
            self.assumptions.insert(Assumption::EndedVariables);
        }
        let is_checked = self.flow.checked.are_of_accesses();
        let address = |v| self.never_null.contains(&v);
        if !is_checked && pointer.is_some_and(|pointer| !is_certain(pointer, &address)) {
            self.assumptions.insert(Assumption::ValidAccesses);
        }
        let element = |t: &Target| self.is_element(t.object, t.offset);
        if cursor.certain().is_none() || cursor.targets.iter().any(element) {
            self.assumptions.insert(if self.flow.checked.has(Check::Bounds) {
                Assumption::CheckedAccesses
            } else {
                Assumption::ValidAccesses
            });
        }
    }

    /// Assumes that an access at a place that is certain does not leave its array, or its object.
    fn stays_inside(&mut self, cursor: &Cursor, place: &Place) {
        if self.flow.checked.has(Check::Bounds) {
            return;
        }
        let end = match self.flow.types.as_record(place.ty) {
            Some(_) => self.flow.types.size(place.ty).unwrap_or(0).saturating_mul(8),
            None => self.bits_of(place).end(),
        };
        let is_outside = cursor.certain().is_some_and(|target| {
            let size = self.points_to.objects().get(target.object).layout.size();
            let end = target.offset.saturating_mul(8).saturating_add(end);
            size.is_some_and(|size| end > size.saturating_mul(8))
        });
        let leaves_array = leaves_array(self.flow, place);
        self.leaves_arrays |= leaves_array;
        if is_outside || leaves_array {
            self.assumptions.insert(Assumption::ValidAccesses);
        }
    }

    /// Notes that a place is written.
    pub(in crate::lower) fn changes(&mut self, place: &Place, cursor: &Cursor) {
        if !matches!(place.base, Base::Variable(_)) {
            self.changes_objects(cursor);
        }
    }

    /// Whether an object is a string literal, or a variable that is defined `const`.
    pub(super) fn is_constant(&self, object: ObjectId) -> bool {
        match self.points_to.objects().get(object).kind {
            ObjectKind::Variable(v) => self.flow.variables[v.0 as usize].constant,
            ObjectKind::Text(_) => true,
            _ => false,
        }
    }

    /// Notes that what the cursor may be in is written by way of a pointer.
    pub(in crate::lower) fn changes_objects(&mut self, cursor: &Cursor) {
        let mut objects =
            cursor.targets.iter().map(|t| t.object).chain(cursor.anywhere.iter().copied());
        let is_checked = self.flow.checked.has(Check::Const);
        if !is_checked && objects.any(|object| self.is_constant(object)) {
            self.assumptions.insert(Assumption::Constants);
        }
    }

    /// The places where a place may be.
    fn cursor(&mut self, place: &Place) -> Cursor {
        let types = &self.flow.types;
        let (mut cursor, mut ty) = match &place.base {
            Base::Variable(v) => {
                let object = self.points_to.objects().variable(*v);
                (Cursor::at(object), self.flow.variables[v.0 as usize].ty)
            }
            Base::String(s) => (Cursor::at(self.points_to.objects().text(*s)), place.ty),
            Base::Pointer(pointer) => {
                let Type::Pointer(to) = types.get(pointer.ty) else {
                    return Cursor { unknown: true, ..Cursor::default() };
                };
                (self.pointed(pointer), *to)
            }
        };
        // Constant steps are added up first: a record may have the same offset as a folded array within it.
        let mut constant = 0_i64;
        for step in &place.path {
            let (distance, inner) = self.step(ty, step);
            ty = inner;
            match distance {
                Distance::Bytes(bytes) => constant = constant.wrapping_add(bytes),
                Distance::Index { index, stride, count } => {
                    self.advance(&mut cursor, std::mem::take(&mut constant));
                    self.index(&mut cursor, index, (stride, count.is_some()), |objects, target| {
                        let layout = &objects.get(target.object).layout;
                        layout.indexed(target.offset, stride, count)
                    });
                }
            }
        }
        self.advance(&mut cursor, constant);
        cursor
    }

    /// The distance that a step adds in a place of type `ty`, and the type to which it leads.
    fn step<'s>(&self, ty: TypeId, step: &'s Step) -> (Distance<'s>, TypeId) {
        let types = &self.flow.types;
        match (step, types.get(ty)) {
            (Step::Field(f), Type::Record(record)) => {
                let fields = types.record(*record).fields.as_deref().unwrap_or_default();
                let field = &fields[*f as usize];
                (Distance::Bytes(field.offset as i64), field.ty)
            }
            (Step::Index(index), array) => {
                let (element, count) = match array {
                    Type::Array(element, count) => (*element, *count),
                    // A string literal.
                    _ => (ty, None),
                };
                let stride = types.size(element).unwrap_or(1);
                let distance = match self.flow.constant(index) {
                    Some(i) => Distance::Bytes(i.wrapping_mul(stride as i64)),
                    None => Distance::Index { index, stride, count },
                };
                (distance, element)
            }
            (Step::Field(_), _) => (Distance::Bytes(0), ty),
        }
    }

    /// The possible targets of a pointer.
    pub(super) fn pointed(&mut self, pointer: &Expr) -> Cursor {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.cursor(place),
            ExprKind::Cast(inner) if self.flow.types.is_pointer(inner.ty) => self.pointed(inner),
            ExprKind::Offset { pointer, index, scale } => {
                let mut cursor = self.pointed(pointer);
                match self.flow.constant(index) {
                    Some(i) => self.advance(&mut cursor, i.wrapping_mul(*scale as i64)),
                    None => self.index(&mut cursor, index, (*scale, false), |objects, target| {
                        objects.get(target.object).layout.elements(target.offset, *scale)
                    }),
                }
                cursor
            }
            _ => self.by_address(pointer),
        }
    }

    /// The possible targets of a pointer, distinguished by its value.
    fn by_address(&mut self, pointer: &Expr) -> Cursor {
        let addresses = self.points_to.addresses(pointer);
        let mut cursor = Cursor::default();
        let alone = addresses.len() == 1;
        for address in addresses {
            let object = address.object;
            let Some(offset) = address.offset.filter(|_| object != Objects::UNKNOWN) else {
                cursor.unknown |= object == Objects::UNKNOWN;
                if object != Objects::UNKNOWN {
                    cursor.anywhere.push(object);
                }
                continue;
            };
            // The address is unknown for one of several objects with one name, and within a folded array.
            let guard = if alone || self.is_folded(object, offset) {
                None
            } else {
                let value = self.value(pointer);
                let here = self.memory.address(object).wrapping_add(offset);
                let here = self.terms.bits(self.word(), here);
                Some(self.terms.equal(value, here))
            };
            if guard.is_none() && !alone {
                cursor.anywhere.push(object);
            } else {
                let condition = self.is_element(object, offset).then(|| {
                    // Of a pointer to an array, often to its first element.
                    let value = self.value(pointer);
                    let first = self.memory.address(object).wrapping_add(offset);
                    let first = self.terms.bits(self.word(), first);
                    self.terms.equal(value, first)
                });
                let distance = i64::try_from(offset).ok();
                let distance = distance.map(|bytes| Path { bytes, condition, ..Path::default() });
                cursor.targets.push(Target { guard, object, offset, distance });
            }
        }
        cursor.anywhere.dedup();
        cursor
    }

    /// Whether the position stands for several in memory.
    fn is_folded(&self, object: ObjectId, offset: u64) -> bool {
        !self.memory.is_singular(object)
            || self.points_to.objects().get(object).layout.is_folded(offset)
    }

    /// Moves all targets by a constant.
    fn advance(&mut self, cursor: &mut Cursor, bytes: i64) {
        if bytes == 0 {
            return;
        }
        let mut moved = Vec::new();
        for target in std::mem::take(&mut cursor.targets) {
            let layout = &self.points_to.objects().get(target.object).layout;
            match layout.moved(target.offset, bytes).as_slice() {
                // Out of bounds.
                [] => {}
                [offset] => {
                    let distance = target.distance.and_then(|path| path.moved(bytes));
                    moved.push(Target { offset: *offset, distance, ..target });
                }
                _ => cursor.anywhere.push(target.object),
            }
        }
        cursor.targets = moved;
    }

    /// Moves each target to one of its elements. `declared` says that the number of elements is declared.
    fn index(
        &mut self,
        cursor: &mut Cursor,
        index: &Expr,
        (stride, declared): (u64, bool),
        positions: impl Fn(&Objects, Target) -> Positions,
    ) {
        let mut moved = Vec::new();
        for target in std::mem::take(&mut cursor.targets) {
            let Positions::Listed(offsets) = positions(self.points_to.objects(), target) else {
                cursor.anywhere.push(target.object);
                continue;
            };
            let layout = &self.points_to.objects().get(target.object).layout;
            let size = layout.size();
            let inside = |o: &u64| size.is_none_or(|size| *o < size);
            let offsets: Vec<u64> = offsets.into_iter().filter(inside).collect();
            if let [offset] = offsets.as_slice() {
                let offset = layout.normalise(*offset);
                // A pointer may also leave a row of an array of large arrays.
                let within = declared || layout.runs(offset).nth(1).is_none();
                let is_element = self.is_element(target.object, offset);
                let path = target.distance.filter(|_| within && is_element);
                let distance = path.and_then(|path| path.indexed(self.value(index), stride));
                moved.push(Target { offset, distance, ..target });
                continue;
            }
            // A pointer may leave the element of a large array in which it begins.
            if !declared && offsets.iter().any(|&o| self.is_element(target.object, o)) {
                cursor.anywhere.push(target.object);
                continue;
            }
            let value = self.value(index);
            for offset in offsets {
                let number = (offset.wrapping_sub(target.offset) as i64) / stride.max(1) as i64;
                let number = self.terms.bits(self.word(), number as u64);
                let here = self.terms.equal(value, number);
                let guard = match target.guard {
                    Some(guard) => self.terms.and(&[guard, here]),
                    None => here,
                };
                let bytes = offset.wrapping_sub(target.offset) as i64;
                let distance = target.distance.and_then(|path| path.moved(bytes));
                moved.push(Target { guard: Some(guard), offset, distance, ..target });
            }
        }
        cursor.targets = moved;
        if cursor.targets.len() > self.options.limits.access.targets {
            cursor.blur();
        }
    }

    /// The address of a place.
    pub(in crate::lower) fn address(&mut self, place: &Place) -> Term {
        let word = self.word();
        let (mut address, mut ty) = match &place.base {
            Base::Variable(v) => {
                let object = self.points_to.objects().variable(*v);
                (self.object_address(object), self.flow.variables[v.0 as usize].ty)
            }
            Base::String(s) => {
                let object = self.points_to.objects().text(*s);
                (self.object_address(object), place.ty)
            }
            Base::Pointer(pointer) => {
                let to = match self.flow.types.get(pointer.ty) {
                    Type::Pointer(to) => *to,
                    _ => place.ty,
                };
                (self.value(pointer), to)
            }
        };
        let start = address;
        for step in &place.path {
            let (distance, inner) = self.step(ty, step);
            ty = inner;
            let distance = match distance {
                Distance::Bytes(bytes) => self.terms.bits(word, bytes as u64),
                Distance::Index { index, stride, .. } => {
                    let index = self.value(index);
                    let stride = self.terms.bits(word, stride);
                    self.terms.binary(BitOp::Mul, index, stride)
                }
            };
            address = self.terms.binary(BitOp::Add, address, distance);
        }
        match &place.base {
            Base::Pointer(pointer) => self.moved(pointer, start, address),
            Base::Variable(_) | Base::String(_) => address,
        }
    }

    /// The address of an object; if it stands for several, an unknown one behind all objects.
    pub(in crate::lower) fn object_address(&mut self, object: ObjectId) -> Term {
        let word = self.word();
        if self.memory.is_singular(object) {
            let address = self.memory.address(object);
            return self.terms.bits(word, address);
        }
        let address = self.approximation(word);
        let end = self.memory.end();
        let end = self.terms.bits(word, end);
        let behind = self.terms.compare(Comparison::ULe, end, address);
        self.assume(behind);
        address
    }
}
