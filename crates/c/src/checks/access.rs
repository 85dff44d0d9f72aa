//! Checks of memory accesses: that they stay within an object and do not go through a null pointer.

use super::insert::Inserter;
use super::{counted, formats, lifetime, models, overlap, streams};
use crate::flow::LocationId;
use crate::flow::{
    Base, BinaryOp, Checked, Expr, ExprKind, FunctionId, Instruction, Place, State, Step, UnaryOp,
    Variable, VariableKind, Violation,
};
use crate::library::{Accesses, Writes, find};
use crate::types::Type;
use hardbop_base::errors::{Check, Checks, ErrorKind};
use hardbop_base::source::Span;

/// Prefixes of the names of functions that access memory but are missing from the table of library
/// functions, so that the extent of their accesses is unknown.
const ACCESSING: [&str; 15] = [
    "mem",
    "str",
    "stp",
    "wcs",
    "wmem",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "gets",
    "fgets",
    "fread",
    "scanf",
    "sscanf",
    "fscanf",
];

/// Whether a call of a function without a body is checked.
pub(super) fn is_checked(name: &str, checks: &Checks) -> bool {
    let are_accesses_checked = checks.look_into_calls();
    if counted::is_counted(name, *checks) {
        return true;
    }
    if checks.has(Check::Null) && streams::is_checked(name) {
        return true;
    }
    match find(name) {
        Some(known) if formats::is_checked(name, known, *checks) => true,
        Some(known) => known.model().is_some_and(|model| {
            model.overflow && checks.has(Check::Overflow)
                || are_accesses_checked && model.accesses != Accesses::Nothing
                || lifetime::is_checked(known, *checks)
                || overlap::is_checked(name, known, *checks)
                || checks.has(Check::Const) && model.effect.writes != Writes::Nothing
        }),
        None => are_accesses_checked && is_accessing(name),
    }
}

/// Whether a function that is missing from the table accesses memory, by its name.
fn is_accessing(name: &str) -> bool {
    name == "read" || ACCESSING.iter().any(|start| name.starts_with(start))
}

impl Inserter<'_> {
    /// Checks an access to a place.
    pub(super) fn accessed(&mut self, place: &mut Place) {
        let bits = self.place(place, true);
        if !matches!(place.base, Base::Pointer(_)) {
            return;
        }
        let span = place.span;
        if let Base::Pointer(pointer) = &mut place.base {
            self.keep_large(pointer);
            let pointer = (**pointer).clone();
            self.not_null(&pointer, span);
        }
        // The unit of a bit-field may reach beyond its record.
        let size = bits.map(|end| u64::from(end.div_ceil(8))).or(self.types.size(place.ty));
        let ty = self.types.pointer_to(place.ty);
        let address = Expr { kind: ExprKind::AddressOf(place.clone()), ty, span };
        self.alive(&address, span);
        if let Some(size) = size {
            self.inside(address, size, span);
        }
    }

    /// Checks the evaluation of a place; `accessed` says whether the place is then read or written.
    /// Returns the end of a bit-field, in bits from the start of its unit.
    pub(super) fn place(&mut self, place: &mut Place, accessed: bool) -> Option<u32> {
        let mut bits = None;
        // What is left of a variable behind the members of it that the place leads to, in bytes.
        let mut room = None;
        let mut ty = match &mut place.base {
            Base::Variable(variable) => {
                let Variable { ty, kind, .. } = self.variables[variable.0 as usize];
                // Another file may give more values to what it defines.
                room = self.types.size(ty).filter(|_| kind != VariableKind::External);
                Some(ty)
            }
            Base::Pointer(pointer) => {
                self.value(pointer);
                self.not_beyond(pointer);
                match *self.types.get(pointer.ty) {
                    Type::Pointer(to) => Some(to),
                    _ => None,
                }
            }
            Base::String(_) => None,
        };
        let string = match place.base {
            Base::String(number) => Some(self.strings[number as usize].len() as u64),
            _ => None,
        };
        let pointed = matches!(place.base, Base::Pointer(_));
        let steps = place.path.len();
        for (at, step) in place.path.iter_mut().enumerate() {
            let here = ty;
            match step {
                Step::Field(field) => {
                    let record = here.and_then(|ty| self.types.as_record(ty));
                    let fields = record.and_then(|(_, r)| r.fields.as_ref());
                    let field = fields.and_then(|all| all.get(*field as usize));
                    bits = field.and_then(|f| f.bit_field).map(|(first, width)| first + width);
                    room = room.zip(field).map(|(room, f)| room.saturating_sub(f.offset));
                    ty = field.map(|f| f.ty);
                }
                Step::Index(index) => {
                    self.value(index);
                    self.keep_large(index);
                    let (element, length) = match here.map(|ty| self.types.get(ty)) {
                        Some(&Type::Array(element, length)) => (Some(element), length),
                        _ => (None, string),
                    };
                    ty = element;
                    // An address one past the last element is valid, too.
                    let behind = at + 1 == steps && !accessed;
                    // Arrays of length at most one at the end of a record often have more elements.
                    let open = pointed && length.is_none_or(|n| n <= 1);
                    let index = (**index).clone();
                    let size = element.and_then(|ty| self.types.size(ty)).filter(|&size| size > 0);
                    // Only a record that is no element is known to be followed by nothing else.
                    let room = room.take();
                    let length = length.or_else(|| Some(room? / size?));
                    match length {
                        _ if open || !self.property.checks.has(Check::Bounds) => {}
                        Some(length) => self.index(index, length + u64::from(behind)),
                        None => {
                            self.unsupported("an index into an array of unknown length", index.span)
                        }
                    }
                }
            }
        }
        bits
    }

    /// Leaves open what a pointer is used for that leads beyond the objects that are given.
    pub(super) fn not_beyond(&mut self, pointer: &mut Expr) {
        let Type::Pointer(to) = *self.types.get(pointer.ty) else { return };
        let Some(&object) = self.beyond.get(&to) else { return };
        if matches!(&pointer.kind, ExprKind::AddressOf(place) if matches!(place.base, Base::Variable(_)))
        {
            return;
        }
        self.keep_large(pointer);
        let (ty, span) = (pointer.ty, pointer.span);
        let kind = ExprKind::AddressOf(Place::of(object, to, span));
        let (address, int) = (Expr { kind, ty, span }, self.types.int());
        let is_beyond = Expr::binary(BinaryOp::Equal, pointer.clone(), address, int);
        self.undecided_where(is_beyond, "an object behind several pointers from outside", span);
    }

    /// Checks that an index is less than a length.
    fn index(&mut self, index: Expr, length: u64) {
        if let ExprKind::Constant(value) = index.kind
            && value < length
        {
            return;
        }
        let span = index.span;
        let (word, int) = (self.types.unsigned_word(), self.types.int());
        let index = Expr { kind: ExprKind::Cast(Box::new(index)), ty: word, span };
        let length = Expr { kind: ExprKind::Constant(length), ty: word, span };
        self.check(
            Expr::binary(BinaryOp::GreaterEqual, index, length, int),
            Violation::Of(ErrorKind::OutOfBounds),
            span,
        );
    }

    fn inside(&mut self, address: Expr, size: u64, span: Span) {
        if !self.property.checks.has(Check::Bounds) {
            return;
        }
        let kind = ExprKind::Unary(UnaryOp::Is(State::Outside(size)), Box::new(address));
        let condition = Expr { kind, ty: self.types.int(), span };
        self.check(condition, Violation::Of(ErrorKind::OutOfBounds), span);
    }

    /// Checks that a pointer used for an access is not null.
    pub(super) fn not_null(&mut self, pointer: &Expr, span: Span) {
        if !self.property.checks.has(Check::Null) {
            return;
        }
        let mut pointer = pointer;
        loop {
            pointer = match &pointer.kind {
                ExprKind::Offset { pointer, .. } => pointer,
                ExprKind::Cast(inner) if self.types.is_pointer(inner.ty) => inner,
                ExprKind::AddressOf(place) => match &place.base {
                    Base::Pointer(pointer) => pointer,
                    Base::Variable(_) | Base::String(_) => return,
                },
                ExprKind::FunctionAddress(_) => return,
                _ => break,
            };
        }
        let pointer = pointer.clone();
        let null = Expr { kind: ExprKind::Constant(0), ty: pointer.ty, span };
        let int = self.types.int();
        self.check(
            Expr::binary(BinaryOp::Equal, pointer, null, int),
            Violation::Of(ErrorKind::NullPointer),
            span,
        );
    }

    /// Checks the accesses of a library function, if they are known.
    pub(super) fn library(&mut self, function: FunctionId, arguments: &mut [Expr], span: Span) {
        let undefined = self.undefined;
        let name = undefined[function.0 as usize].as_str();
        let Some(known) = find(name) else {
            if is_accessing(name) {
                self.unknown_accesses(name, span);
            }
            return;
        };
        let Some(model) = known.model() else { return };
        self.frees(known, arguments, span);
        self.writes(known, arguments, span);
        self.compares(known, name, span);
        if let Some(first) = arguments.first_mut().filter(|_| model.overflow)
            && self.is_signed(first.ty)
        {
            self.keep_large(first);
            let zero = Expr { kind: ExprKind::Constant(0), ty: first.ty, span };
            self.overflow(Checked::Subtract, zero, first.clone(), span);
        }
        let is_covered = models::is_covered(name, arguments, self.strings, self.types);
        // Beside texts, objects are left.
        let has_texts = known.prototype.texts().next().is_some();
        let is_objects = matches!(model.accesses, Accesses::Objects { .. }) && has_texts;
        if is_covered && !is_objects {
            return;
        }
        match model.accesses {
            Accesses::Nothing => {}
            Accesses::Bytes { pointers, size } => match arguments.get(size).map(|a| &a.kind) {
                Some(&ExprKind::Constant(size)) => self.bytes(pointers, size, arguments, span),
                Some(_) => self.some_bytes(pointers, size, arguments, span),
                None => self.unknown_accesses(name, span),
            },
            Accesses::Items { pointer, size, count } => {
                match [size, count].map(|i| arguments.get(i).map(|a| &a.kind)) {
                    [Some(&ExprKind::Constant(each)), Some(_)] if each > 0 => {
                        self.some_items(pointer, (each, count), arguments, span);
                    }
                    [Some(_), Some(&ExprKind::Constant(each))] if each > 0 => {
                        self.some_items(pointer, (each, size), arguments, span);
                    }
                    _ => self.unknown_accesses(name, span),
                }
            }
            Accesses::Objects { certain, or_null } => {
                let is_read = |i| arguments.get(i).is_none_or(|a: &Expr| !is_literal(a));
                if !is_covered && known.prototype.texts().any(is_read) {
                    return self.unknown_accesses(name, span);
                }
                let of = |all: &'static [usize], may| all.iter().map(move |&i| (i, may));
                for (i, may_be_null) in of(certain, false).chain(of(or_null, true)) {
                    if let Some(pointer) = arguments.get_mut(i)
                        && !self.object(pointer, may_be_null, span)
                    {
                        return self.unknown_accesses(name, span);
                    }
                }
            }
            Accesses::Texts => {
                let texts = known.prototype.texts();
                let is_read = |i| arguments.get(i).is_none_or(|a: &Expr| !is_literal(a));
                // What a format makes it read is known where that is planned.
                if known.prototype.format().is_some() || texts.into_iter().any(is_read) {
                    self.unknown_accesses(name, span);
                }
            }
            Accesses::Unknown => self.unknown_accesses(name, span),
        }
    }

    /// Checks that `size` bytes from each of the pointers are within objects.
    fn bytes(&mut self, pointers: &[usize], size: u64, arguments: &[Expr], span: Span) {
        for pointer in pointers.iter().filter_map(|&i| arguments.get(i)) {
            self.not_null(pointer, span);
            if size > 0 {
                self.alive(pointer, span);
            }
            self.inside(pointer.clone(), size, span);
        }
    }

    /// Checks that as many bytes as an argument says, from each of the pointers, are within objects.
    fn some_bytes(&mut self, pointers: &[usize], size: usize, arguments: &mut [Expr], span: Span) {
        self.keep_large(&mut arguments[size]);
        let word = self.types.unsigned_word();
        let size = Expr { kind: ExprKind::Cast(Box::new(arguments[size].clone())), ty: word, span };
        self.room(pointers, &size, arguments, span);
    }

    /// Checks that so many items of `each` bytes, from a pointer, are within an object.
    fn some_items(
        &mut self,
        pointer: usize,
        (each, count): (u64, usize),
        arguments: &mut [Expr],
        span: Span,
    ) {
        self.keep_large(&mut arguments[count]);
        let (word, int) = (self.types.unsigned_word(), self.types.int());
        let constant = |value| Expr { kind: ExprKind::Constant(value), ty: word, span };
        let count =
            Expr { kind: ExprKind::Cast(Box::new(arguments[count].clone())), ty: word, span };
        if each > 1 && self.property.checks.has(Check::Bounds) {
            let most = constant((u64::MAX >> (64 - self.types.model.word())) / each);
            let too_many = Expr::binary(BinaryOp::Greater, count.clone(), most, int);
            self.check(too_many, Violation::Of(ErrorKind::OutOfBounds), span);
        }
        let size = Expr::binary(BinaryOp::Multiply, count, constant(each), word);
        self.room(&[pointer], &size, arguments, span);
    }

    /// Checks that a pointer leads to an object of the type that it is declared to point to; false where that has no
    /// size, as `void`, or is that of characters, of which there may be more than one.
    fn object(&mut self, pointer: &mut Expr, may_be_null: bool, span: Span) -> bool {
        let zero = Expr { kind: ExprKind::Constant(0), ty: pointer.ty, span };
        if may_be_null && is_null(pointer) {
            return true;
        }
        let Type::Pointer(to) = *self.types.get(pointer.ty) else { return false };
        let Some(size) = self.types.size(to).filter(|&size| size > 1) else { return false };
        self.keep_large(pointer);
        if !may_be_null {
            self.not_null(pointer, span);
        }
        self.alive(pointer, span);
        if self.property.checks.has(Check::Bounds) {
            let (word, int) = (self.types.unsigned_word(), self.types.int());
            let size = Expr { kind: ExprKind::Constant(size), ty: word, span };
            let beyond = Expr::binary(BinaryOp::Beyond, pointer.clone(), size, int);
            let is_some = Expr::binary(BinaryOp::NotEqual, pointer.clone(), zero, int);
            let wrong = Expr::binary(BinaryOp::And, is_some, beyond, int);
            self.check(wrong, Violation::Of(ErrorKind::OutOfBounds), span);
        }
        true
    }

    /// Checks that `size` bytes from each of the pointers are within objects.
    fn room(&mut self, pointers: &[usize], size: &Expr, arguments: &[Expr], span: Span) {
        let (word, int) = (size.ty, self.types.int());
        for pointer in pointers.iter().filter_map(|&i| arguments.get(i).cloned()) {
            if self.property.checks.has(Check::Null) {
                let zero = |ty| Expr { kind: ExprKind::Constant(0), ty, span };
                let null = Expr::binary(BinaryOp::Equal, pointer.clone(), zero(pointer.ty), int);
                let some = Expr::binary(BinaryOp::NotEqual, size.clone(), zero(word), int);
                let both = Expr::binary(BinaryOp::And, null, some, int);
                self.check(both, Violation::Of(ErrorKind::NullPointer), span);
            }
            self.alive_unless_empty(&pointer, size, span);
            if self.property.checks.has(Check::Bounds) {
                let beyond = Expr::binary(BinaryOp::Beyond, pointer, size.clone(), int);
                self.check(beyond, Violation::Of(ErrorKind::OutOfBounds), span);
            }
        }
    }

    fn unknown_accesses(&mut self, name: &str, span: Span) {
        if self.property.checks.look_into_calls() {
            self.unsupported(&format!("the accesses of '{name}'"), span);
        }
    }

    /// Marks the program as unsupported from here on.
    pub(super) fn unsupported(&mut self, what: &str, span: Span) {
        let target = self.fresh();
        let source: LocationId = std::mem::replace(&mut self.here, target);
        let instruction = Instruction::Unsupported(what.to_owned());
        self.code.add(source, target, instruction, span);
    }
}

/// Whether it is a null pointer constant.
fn is_null(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Cast(inner) => is_null(inner),
        kind => matches!(kind, ExprKind::Constant(0)),
    }
}

/// Whether the text is a string literal from its start, so that it ends with a zero.
fn is_literal(text: &Expr) -> bool {
    match &text.kind {
        ExprKind::Cast(inner) => is_literal(inner),
        ExprKind::AddressOf(place) => matches!(place.base, Base::String(_)) && place.is_first(),
        _ => false,
    }
}
