//! Evaluates expressions, and reads and writes places.

use super::anything::Known;
use super::arithmetic::{binary, convert, sign_extended, truth, unary, undefined};
use super::layout::{Scalar, mask};
use super::memory::{Bytes, Content, FIRST_PAGE, ObjectId};
use super::state::{Machine, REACH, Stop};
use crate::execute::execution::{Demand, Recorded};
use crate::execute::fault::Fault;
use crate::flow::{Base, BinaryOp, Expr, ExprKind, HavocKind, Place, State, Step, UnaryOp};
use crate::trace::InputKind;
use crate::types::{Field, Type, TypeId};
use hardbop_base::directed::Direction;
use hardbop_base::errors::Check;
use hardbop_smt::Term;

/// A value: the bits of a scalar, or the bytes of a record.
#[derive(Debug, Clone)]
pub enum Value {
    Scalar(u64),
    Bytes(Bytes),
    /// A scalar that depends on an input without a value.
    Open,
    /// A scalar as a term over inputs.
    Term(Term),
}

/// Where a place is.
#[derive(Debug, Clone, Copy)]
pub enum Location {
    /// An offset in bytes into a known object.
    Object(ObjectId, i64),
    Address(u64),
}

/// A place in memory.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub location: Location,
    /// The first bit and the number of bits of a bit-field.
    bit_field: Option<(u32, u32)>,
}

impl Spot {
    pub fn new(location: Location) -> Self {
        Self { location, bit_field: None }
    }

    /// A member of the record at this spot.
    pub fn part(self, offset: u64, bit_field: Option<(u32, u32)>) -> Self {
        let location = match self.location {
            Location::Object(id, start) => Location::Object(id, start.wrapping_add(offset as i64)),
            Location::Address(start) => Location::Address(start.wrapping_add(offset)),
        };
        Self { location, bit_field }
    }
}

impl Machine<'_, '_> {
    /// The value of a scalar expression.
    pub fn scalar(&mut self, expr: &Expr) -> Result<u64, Stop> {
        let word = self.layout.word;
        let value = match &expr.kind {
            ExprKind::Constant(value)
                if *value != 0 && *value != mask(word) && self.points_to_data(expr.ty) =>
            {
                self.constant(*value, expr)?
            }
            ExprKind::Constant(value) => *value,
            ExprKind::Float(value) => match self.layout.scalar(expr.ty) {
                Some(scalar) => super::arithmetic::from_float(scalar, *value),
                None => return Err(Fault::IllFormed("a constant that is no scalar").into()),
            },
            ExprKind::Load(place) => return self.load(place),
            ExprKind::AddressOf(place) => self.address_of(place)?,
            ExprKind::FunctionAddress(function) => self.function_address(*function),
            ExprKind::Unary(UnaryOp::Is(State::Unwritten), operand) => {
                return self.is_unwritten(operand).map(u64::from);
            }
            ExprKind::Unary(UnaryOp::Is(state), operand) => {
                let operand = self.fixed(operand)?;
                return self.is(*state, operand).map(u64::from);
            }
            ExprKind::Binary(BinaryOp::Apart, left, right) => {
                let (left, right) = (self.fixed(left)?, self.fixed(right)?);
                return Ok(u64::from(self.are_apart(left, right)?));
            }
            ExprKind::Binary(BinaryOp::Beyond, pointer, size) => {
                let (address, size) = (self.fixed(pointer)?, self.fixed(size)?);
                return Ok(u64::from(size > 0 && self.is_outside(address, size)?));
            }
            ExprKind::Unary(op, operand) => {
                let scalar = self.scalar_type(operand.ty)?;
                let operand = self.scalar(operand)?;
                if *op == UnaryOp::Negate && self.records_values() {
                    let what = undefined(BinaryOp::Subtract, scalar, 0, operand, scalar);
                    self.note(what, expr.span);
                }
                return Ok(unary(*op, scalar, operand));
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let left = self.condition(left)?;
                let decided = left == (*op == BinaryOp::Or);
                u64::from(if decided { left } else { self.condition(right)? })
            }
            ExprKind::Binary(op, left, right) => {
                let scalar = self.scalar_type(left.ty)?;
                let right_scalar = self.scalar_type(right.ty)?;
                let is_order = self.watches && op.orders() && self.flow.types.is_pointer(left.ty);
                let (left, right) = (self.scalar(left)?, self.scalar(right)?);
                self.located |= is_order && self.are_elsewhere(left, right);
                if self.records_values() {
                    let what = undefined(*op, scalar, left, right, right_scalar);
                    self.note(what, expr.span);
                }
                return Ok(binary(*op, scalar, left, right, right_scalar)?);
            }
            ExprKind::Offset { pointer, index, scale } => {
                let pointer = self.scalar(pointer)?;
                let index = match &index.kind {
                    // The text has no negation here, so none may be reported as an overflow.
                    ExprKind::Unary(_, inner) if index.is_subtracted_index(expr.span) => {
                        self.index(inner)?.wrapping_neg()
                    }
                    _ => self.index(index)?,
                };
                pointer.wrapping_add((index as u64).wrapping_mul(*scale))
            }
            ExprKind::Difference { left, right, scale } => {
                let (left, right) = (self.scalar(left)?, self.scalar(right)?);
                self.located |= self.watches && self.are_elsewhere(left, right);
                let bytes = sign_extended(left.wrapping_sub(right) & mask(word), word);
                let scale = i64::try_from(*scale).ok().filter(|&s| s > 0);
                let scale = scale.ok_or(Fault::IllFormed("a difference of sizeless objects"))?;
                (bytes / scale) as u64
            }
            ExprKind::Conditional(condition, then, other) => {
                let chosen = if self.condition(condition)? { then } else { other };
                return self.scalar(chosen);
            }
            ExprKind::Rounded(mode, operation) => {
                return match Direction::of_mode(self.scalar(mode)?) {
                    Some(direction) => self.rounded(direction, operation),
                    None => self.scalar(operation),
                };
            }
            ExprKind::Cast(operand) => {
                let Some(to) = self.layout.scalar(expr.ty) else {
                    // A cast to void drops the value.
                    self.value(operand)?;
                    return Ok(0);
                };
                let from = self.scalar_type(operand.ty)?;
                let value = self.scalar(operand)?;
                let types = &self.flow.types;
                if types.is_pointer(operand.ty) && !types.is_pointer(expr.ty) && value != 0 {
                    self.numbers |= to.bits() > 1 && self.object_at(value, 0).is_ok();
                    self.located |= self.watches && to.bits() > 1;
                }
                let is_new = !types.is_pointer(operand.ty) && types.is_pointer(expr.ty);
                self.located |= self.watches && is_new && value != 0;
                return Ok(convert(from, to, value));
            }
        };
        let bits = self.layout.scalar(expr.ty).map_or(64, Scalar::bits);
        Ok(value & mask(bits))
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Result<Value, Stop> {
        match &expr.kind {
            ExprKind::Load(place) if self.layout.scalar(place.ty).is_none() => {
                let spot = self.spot(place)?;
                let size = self.layout.size(place.ty);
                let (object, offset) = self.access(spot, size)?;
                Ok(Value::Bytes(self.copy_out(object, offset, size)?))
            }
            _ => {
                let evaluated = self.scalar(expr);
                Ok(match self.known(evaluated, expr)? {
                    Known::Is(value) => Value::Scalar(value),
                    Known::Open => Value::Open,
                    Known::Term(term) => Value::Term(term),
                })
            }
        }
    }

    /// Whether a scalar is not 0.
    pub fn condition(&mut self, expr: &Expr) -> Result<bool, Stop> {
        let scalar = self.scalar_type(expr.ty)?;
        Ok(truth(scalar, self.scalar(expr)?))
    }

    fn index(&mut self, expr: &Expr) -> Result<i64, Stop> {
        let bits = self.scalar_type(expr.ty)?.bits();
        Ok(sign_extended(self.fixed(expr)?, bits))
    }

    pub(super) fn scalar_type(&self, ty: TypeId) -> Result<Scalar, Stop> {
        let scalar = self.layout.scalar(ty);
        scalar.ok_or(Stop::Fault(Fault::IllFormed("an operand that is no scalar")))
    }

    fn ty(&self, ty: TypeId) -> Option<&Type> {
        self.flow.types.types.get_index(ty.0 as usize)
    }

    /// Finds where a place is; reads nothing but pointers and indices.
    pub fn spot(&mut self, place: &Place) -> Result<Spot, Stop> {
        let flow = self.flow;
        let mut whole = None;
        let (mut location, mut ty) = match &place.base {
            Base::Variable(id) => {
                (Location::Object(self.variable(*id)?, 0), flow.variables[id.0 as usize].ty)
            }
            Base::String(index) => (Location::Object(self.string(*index)?, 0), place.ty),
            Base::Pointer(pointer) => {
                let Some(&Type::Pointer(pointee)) = self.ty(pointer.ty) else {
                    return Err(Fault::IllFormed("a pointer that has another type").into());
                };
                let address = self.fixed(pointer)?;
                whole = Some((address, pointee));
                (Location::Address(address), pointee)
            }
        };
        let mut bit_field = None;
        for step in &place.path {
            let offset = match step {
                Step::Field(index) => {
                    let field = self.field(ty, *index)?;
                    ty = field.ty;
                    bit_field = field.bit_field;
                    field.offset as i64
                }
                Step::Index(index) => {
                    match self.ty(ty) {
                        Some(&Type::Array(element, _)) => ty = element,
                        // For a string literal, `ty` is that of the whole place already.
                        _ if matches!(place.base, Base::String(_)) => {}
                        _ => return Err(Fault::IllFormed("an index into no array").into()),
                    }
                    let size = self.layout.size(ty) as i64;
                    self.index(index)?.wrapping_mul(size)
                }
            };
            location = match location {
                Location::Object(id, start) => Location::Object(id, start.wrapping_add(offset)),
                Location::Address(start) => {
                    Location::Address(start.wrapping_add(offset as u64) & self.layout.mask())
                }
            };
        }
        if let (Some((start, whole)), Location::Address(address)) = (whole, location) {
            let (offset, size) = (address.wrapping_sub(start), self.layout.size(whole));
            // The unit of a bit-field may reach beyond the end of the record.
            if offset < size {
                self.fit(start, whole, size.min(offset + self.layout.size(ty).max(1)))?;
            }
        }
        Ok(Spot { location, bit_field })
    }

    pub fn field(&self, ty: TypeId, index: u32) -> Result<&Field, Stop> {
        let record = match self.ty(ty) {
            Some(Type::Record(record)) => self.flow.types.records.get(record.0 as usize),
            _ => None,
        };
        let field = record.and_then(|r| r.fields.as_ref()?.get(index as usize));
        field.ok_or(Stop::Fault(Fault::IllFormed("a member of no record")))
    }

    fn address_of(&mut self, place: &Place) -> Result<u64, Stop> {
        Ok(match self.spot(place)?.location {
            Location::Object(id, offset) => self.memory.address(id)?.wrapping_add(offset as u64),
            Location::Address(address) => address,
        })
    }

    /// The object that contains all bytes of a spot, and the offset in it.
    pub fn access(&self, spot: Spot, size: u64) -> Result<(ObjectId, u64), Stop> {
        match spot.location {
            Location::Address(address) => self.object_at(address, size),
            Location::Object(id, offset) => {
                let all = self.memory.size(id);
                let end = u64::try_from(offset).ok().and_then(|o| o.checked_add(size));
                if end.is_none_or(|end| end > all) {
                    let name = match self.memory.content(id) {
                        Content::Variable(v) => self.flow.variables[v as usize].name.clone(),
                        _ => "a string".to_owned(),
                    };
                    return Err(Fault::OutOfVariable { name, offset, size: all }.into());
                }
                Ok((id, offset as u64))
            }
        }
    }

    /// The object that contains the `size` bytes at an address, and the offset in it.
    pub fn object_at(&self, address: u64, size: u64) -> Result<(ObjectId, u64), Stop> {
        self.memory.find(address, size).map_err(|fault| {
            self.wild.set(Some(address));
            let function = self.function_at(address & !0xFFF);
            Stop::Fault(match function {
                Some(function) if address >= 0x1000 => {
                    Fault::FunctionAccess(self.flow.functions[function.0 as usize].name.clone())
                }
                _ => fault,
            })
        })
    }

    /// Whether the `size` bytes are not within one object. There may be an unknown object behind a
    /// pointer from outside: that is a fault, just as an access there would be.
    pub(super) fn is_outside(&self, address: u64, size: u64) -> Result<bool, Stop> {
        if self.memory.find(address, size).is_ok() {
            return Ok(false);
        }
        // It may be as large as it likes.
        if let Some(Content::Block { number: None, edge: Some(call) }) = self.memory.before(address)
            && let Some(function) = self.opens(call)
        {
            return Err(Fault::UnknownText(function).into());
        }
        if self.is_from_outside(address) {
            self.object_at(address, size)?;
        }
        Ok(true)
    }

    /// Whether the address is near one that came from outside, where no object is.
    pub(super) fn is_from_outside(&self, address: u64) -> bool {
        self.inputs.iter().any(|r: &Recorded| {
            let near = address.checked_sub(r.input.value).is_some_and(|distance| distance < REACH);
            r.pointer && !r.input.object && r.input.value >= FIRST_PAGE && near
        })
    }

    /// The object, the first bit and the number of bits of a scalar place.
    pub fn bits_of(&self, spot: Spot, scalar: Scalar) -> Result<(ObjectId, u64, u32), Stop> {
        let (first, bits) = spot.bit_field.unwrap_or((0, scalar.stored_bits()));
        // The unit of a bit-field may reach beyond the record's last byte.
        let (skip, end) = (first / 8, (first + bits).div_ceil(8));
        let (object, offset) = self.access(spot.part(skip.into(), None), u64::from(end - skip))?;
        Ok((object, offset * 8 + u64::from(first % 8), bits))
    }

    fn load(&mut self, place: &Place) -> Result<u64, Stop> {
        let spot = self.spot(place)?;
        self.load_spot(spot, place.ty)
    }

    /// The scalar at a spot. If it is uninitialised, the oracle supplies a value, which is kept.
    pub fn load_spot(&mut self, spot: Spot, ty: TypeId) -> Result<u64, Stop> {
        let scalar = self.scalar_type(ty)?;
        let (object, bit, bits) = self.bits_of(spot, scalar)?;
        let value = self.known_bits(object, bit, self.sort(ty, bits))?;
        Ok(match scalar {
            Scalar::Bool => u64::from(value != 0),
            Scalar::Int { bits: all, signed: true } => {
                sign_extended(value, bits) as u64 & mask(all)
            }
            _ => value,
        })
    }

    /// Writes a value into a place.
    pub fn write(&mut self, place: &Place, value: &Value) -> Result<(), Stop> {
        let spot = self.spot(place)?;
        let name = if self.records_values() { self.name(place) } else { None };
        self.write_spot(spot, place.ty, value)?;
        if let Some(name) = name {
            self.record_change((&name, self.is_global(place)), spot, place.ty);
        }
        Ok(())
    }

    /// Writes a value of a type.
    pub(super) fn write_spot(&mut self, spot: Spot, ty: TypeId, value: &Value) -> Result<(), Stop> {
        let is_open = matches!(value, Value::Open | Value::Term(_));
        self.hides_pointers |= is_open && self.flow.types.is_pointer(ty);
        match (value, self.layout.scalar(ty)) {
            (Value::Scalar(value), Some(scalar)) => self.store_spot(spot, scalar, *value),
            (Value::Bytes(bytes), None) => {
                let (object, offset) = self.access(spot, bytes.bytes.len() as u64)?;
                self.writable(object)?;
                Ok(self.memory.copy_in(object, offset, bytes)?)
            }
            (Value::Open, Some(_)) => self.forget_spot(spot, self.layout.size(ty)),
            (Value::Term(term), Some(scalar)) => self.store_term(spot, scalar, *term),
            _ => Err(Fault::IllFormed("a value of another type").into()),
        }
    }

    pub fn store_spot(&mut self, spot: Spot, scalar: Scalar, value: u64) -> Result<(), Stop> {
        let (object, bit, bits) = self.bits_of(spot, scalar)?;
        self.writable(object)?;
        self.memory.store(object, bit, bits, value)?;
        Ok(())
    }

    pub fn writable(&self, object: ObjectId) -> Result<(), Stop> {
        match self.memory.content(object) {
            Content::String(_) => Err(Fault::ReadOnly.into()),
            _ => Ok(()),
        }
    }

    /// Makes a place uninitialised.
    pub fn forget(&mut self, place: &Place) -> Result<(), Stop> {
        let spot = self.spot(place)?;
        self.forget_spot(spot, self.layout.size(place.ty))
    }

    /// Makes a place unknown: the execution stops where it is read.
    pub(super) fn scribble_place(&mut self, place: &Place, by: &'static str) -> Result<(), Stop> {
        let spot = self.spot(place)?;
        let (object, offset) = self.access(spot, self.layout.size(place.ty))?;
        Ok(self.memory.scribble(object, offset, self.layout.size(place.ty), by)?)
    }

    pub(super) fn forget_spot(&mut self, spot: Spot, size: u64) -> Result<(), Stop> {
        let (object, offset) = self.access(spot, size)?;
        self.writable(object)?;
        Ok(self.memory.fill(object, offset, size, None)?)
    }

    /// Gives a place any value.
    pub fn havoc(&mut self, place: &Place, kind: &HavocKind) -> Result<(), Stop> {
        if matches!(kind, HavocKind::Ended) {
            return self.end(place);
        }
        let spot = self.spot(place)?;
        let size = self.layout.size(place.ty);
        let declared = match (&place.base, kind) {
            (Base::Variable(id), HavocKind::Uninitialised) if place.path.is_empty() => {
                let object = self.variable(*id)?;
                self.declare(id.0, object);
                self.memory.fill(object, size, u64::MAX, None)?;
                true
            }
            _ => false,
        };
        let Some(scalar) = self.layout.scalar(place.ty) else {
            return self.forget_spot(spot, size);
        };
        if declared && (self.options.lazy || self.flow.checked.has(Check::Uninitialised)) {
            return self.forget_spot(spot, size);
        }
        let (object, bit, bits) = self.bits_of(spot, scalar)?;
        let (asked, demand) = match kind {
            HavocKind::Input(function) => {
                (InputKind::Nondet { function: function.clone() }, Demand::Call)
            }
            HavocKind::Volatile(_) => {
                let read = kind.volatile().map(|id| &self.flow.variables[id.0 as usize]);
                let name = read.map(|variable| variable.name.clone()).unwrap_or_default();
                (InputKind::Volatile { name }, Demand::Call)
            }
            HavocKind::Uninitialised if declared => {
                (self.uninitialised(object, bit), Demand::Declaration)
            }
            HavocKind::Uninitialised | HavocKind::Ended => {
                (self.uninitialised(object, bit), Demand::Read)
            }
        };
        let given = self.ask(asked, self.sort(place.ty, bits), demand);
        let given = self.given(given)?;
        if let HavocKind::Input(function) = kind {
            self.called_in_place(function, &given, bits);
        }
        self.write(place, &given)
    }
}
