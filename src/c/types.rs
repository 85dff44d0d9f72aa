//! C types, their sizes and layout (ILP32 or LP64).

use serde::{Deserialize, Serialize};

/// The sizes of `long` and of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    #[default]
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

impl DataModel {
    /// Bits of a pointer, of `size_t` and of `long`.
    pub fn word(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

/// A type in [`Types`].  Equal types have equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A struct or union in [`Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// A type without qualifiers; an `enum` is its integer type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// `_Bool`: a byte that is 0 or 1.
    Bool,
    /// An integer; `rank` orders types of one size: char 1, short 2, int 3, long 4, long long 5.
    Int {
        bits: u32,
        signed: bool,
        rank: u8,
    },
    /// A floating type; its values are not modelled.
    Float {
        bits: u32,
    },
    Pointer(TypeId),
    /// `None`: of unknown length.
    Array(TypeId, Option<u64>),
    Record(RecordId),
    Function {
        result: TypeId,
        parameters: Vec<TypeId>,
        /// More arguments may follow; so it is for a function declared with `()`.
        variadic: bool,
    },
}

/// A member of a struct or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Empty for an anonymous struct or union, whose members are found through it.
    pub name: String,
    pub ty: TypeId,
    /// From the start of the record, in bytes; for a bit-field, that of its storage unit.
    pub offset: u64,
    /// First bit within the storage unit, and number of bits.
    pub bit_field: Option<(u32, u32)>,
}

/// A struct or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Tag, or a made-up name such as `struct@12`.
    pub name: String,
    pub union: bool,
    /// `None` while it is incomplete.
    pub fields: Option<Vec<Field>>,
    /// In bytes.
    pub size: u64,
    /// In bytes.
    pub align: u64,
}

/// All types of a program.
#[derive(Debug, Clone, Default)]
pub struct Types {
    pub model: DataModel,
    pub types: indexmap::IndexSet<Type>,
    pub records: Vec<Record>,
}
