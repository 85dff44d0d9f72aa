//! The sizes of all types of a program, and which of them are scalars.

use crate::types::{Type, TypeId, Types};

/// A type whose values fit into a `u64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// An integer or a pointer (which is unsigned).
    Int {
        bits: u32,
        signed: bool,
    },
    Bool,
    /// Represented as an `f32`.
    Float,
    /// Represented as an `f64`, even for `long double`, whose additional precision is lost.
    Double,
}

impl Scalar {
    /// The number of bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int { bits, .. } => bits,
            Scalar::Bool => 1,
            Scalar::Float => 32,
            Scalar::Double => 64,
        }
    }

    /// The number of bits of a value in memory.
    pub fn stored_bits(self) -> u32 {
        if self == Scalar::Bool { 8 } else { self.bits() }
    }
}

/// Sizes and scalars by type.
#[derive(Debug)]
pub struct Layout {
    sizes: Vec<u64>,
    scalars: Vec<Option<Scalar>>,
    /// The number of bits of a pointer.
    pub word: u32,
}

impl Layout {
    pub fn new(types: &Types) -> Self {
        let ids = (0..types.types.len() as u32).map(TypeId);
        let sizes = ids.clone().map(|id| types.size(id).unwrap_or(0)).collect();
        let scalars = ids.map(|id| scalar(types, id)).collect();
        Self { sizes, scalars, word: types.model.word() }
    }

    /// The size in bytes; 0 for functions and incomplete types.
    pub fn size(&self, ty: TypeId) -> u64 {
        self.sizes.get(ty.0 as usize).copied().unwrap_or(0)
    }

    pub fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        self.scalars.get(ty.0 as usize).copied().flatten()
    }

    /// The mask of the bits of an address.
    pub fn mask(&self) -> u64 {
        mask(self.word)
    }
}

/// A mask of the lowest `bits` bits.
pub fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn scalar(types: &Types, ty: TypeId) -> Option<Scalar> {
    match *types.types.get_index(ty.0 as usize)? {
        Type::Bool => Some(Scalar::Bool),
        Type::Int { bits, signed, .. } => Some(Scalar::Int { bits, signed }),
        Type::Float { bits: 32 } => Some(Scalar::Float),
        Type::Float { .. } => Some(Scalar::Double),
        Type::Pointer(_) => Some(Scalar::Int { bits: types.model.word(), signed: false }),
        Type::Void | Type::Array(..) | Type::Record(_) | Type::Function { .. } => None,
    }
}

/// The `bits` bits from bit `bit` on, little endian.
pub fn gather(bytes: &[u8], bit: u64, bits: u32) -> u64 {
    let (start, shift) = ((bit / 8) as usize, bit % 8);
    let end = (bit + u64::from(bits)).div_ceil(8) as usize;
    let mut value: u128 = 0;
    for &byte in bytes[start..end].iter().rev() {
        value = value << 8 | u128::from(byte);
    }
    (value >> shift) as u64
}

/// Sets them.
pub fn scatter(bytes: &mut [u8], bit: u64, bits: u32, value: u64) {
    let (start, shift) = ((bit / 8) as usize, bit % 8);
    let end = (bit + u64::from(bits)).div_ceil(8) as usize;
    let mut chosen = u128::from(mask(bits)) << shift;
    let mut value = u128::from(value & mask(bits)) << shift;
    for byte in &mut bytes[start..end] {
        *byte = *byte & !(chosen as u8) | value as u8;
        chosen >>= 8;
        value >>= 8;
    }
}
