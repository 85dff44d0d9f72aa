//! Accesses to memory: within which object, and through which pointer.

use super::Inserter;
use crate::base::source::Span;
use crate::program::c::flow::{
    Base, BinaryOp, Expr, ExprKind, FunctionId, Instruction, Place, Step, UnaryOp, Violation,
};
use crate::program::c::flow::{Edge, LocationId};
use crate::program::c::types::{Type, TypeId};

/// Library functions that access no more than their last argument says, if that is a number, behind
/// their first two.
const COPIES: [&str; 4] = ["memcpy", "memmove", "memcmp", "memset"];

/// Beginnings of the names of library functions that access memory.
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
        let Some(size) = size.filter(|_| self.property.bounds) else { return };
        let ty = self.types.pointer_to(place.ty);
        let address = Expr { kind: ExprKind::AddressOf(place.clone()), ty, span };
        self.inside(address, size, span);
    }

    /// Checks what finding a place does; `accessed`: the place is read or written then.  Gives the last
    /// bit of a bit-field, counted from 1 in its unit.
    pub(super) fn place(&mut self, place: &mut Place, accessed: bool) -> Option<u32> {
        let mut bits = None;
        let mut ty = match &mut place.base {
            Base::Variable(variable) => Some(self.variables[variable.0 as usize].ty),
            Base::Pointer(pointer) => {
                self.value(pointer);
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
                    // The address behind the last element is one, too.
                    let behind = at + 1 == steps && !accessed;
                    // Of arrays of one element or none at the end of records there are often more.
                    let open = pointed && length.is_none_or(|n| n <= 1);
                    let index = (**index).clone();
                    match length {
                        _ if open || !self.property.bounds => {}
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

    /// Is an index less than a length?
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
            binary(BinaryOp::GreaterEqual, index, length, int),
            Violation::OutOfBounds,
            span,
        );
    }

    fn inside(&mut self, address: Expr, size: u64, span: Span) {
        let kind = ExprKind::Unary(UnaryOp::Outside(size), Box::new(address));
        let condition = Expr { kind, ty: self.types.int(), span };
        self.check(condition, Violation::OutOfBounds, span);
    }

    /// Checks a pointer through which there is an access.
    pub(super) fn not_null(&mut self, pointer: &Expr, span: Span) {
        if !self.property.null {
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
        self.check(binary(BinaryOp::Equal, pointer, null, int), Violation::Null, span);
    }

    /// Checks what a library function accesses, where that is known.
    pub(super) fn library(&mut self, function: FunctionId, arguments: &mut [Expr], span: Span) {
        let name = self.undefined[function.0 as usize].as_str();
        let accesses = self.property.bounds || self.property.null;
        let known = name == "read" || ACCESSING.iter().any(|start| name.starts_with(start));
        if !accesses || !known {
            return;
        }
        let pointers = if name == "memset" { 1 } else { 2 };
        let size = match arguments.last().map(|last| &last.kind) {
            Some(ExprKind::Constant(size)) if COPIES.contains(&name) && arguments.len() == 3 => {
                *size
            }
            _ => {
                let what = format!("the accesses of '{name}'");
                self.unsupported(&what, span);
                return;
            }
        };
        for pointer in &arguments[..pointers] {
            let pointer = pointer.clone();
            self.not_null(&pointer, span);
            if self.property.bounds {
                self.inside(pointer, size, span);
            }
        }
    }

    /// What happens from here on is not known.
    fn unsupported(&mut self, what: &str, span: Span) {
        let target = self.fresh();
        let source: LocationId = std::mem::replace(&mut self.here, target);
        let instruction = Instruction::Unsupported(what.to_owned());
        self.edges.push(Edge { source, target, instruction, span });
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr, ty: TypeId) -> Expr {
    let span = left.span;
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
}
