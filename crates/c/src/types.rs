//! C types, their sizes and their layout (ILP32 or LP64).

use std::fmt;

use serde::{Deserialize, Serialize};

/// The sizes of `long` and of pointers.
///
/// ```
/// use hardbop_base::source::Source;
/// use hardbop_c::execute::{ExecutionOptions, Zero, run};
/// use hardbop_c::{ParseOptions, parse, types::DataModel};
///
/// let size = |model| {
///     let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
///     let source = Source::new("long.c", "int main(void) { return sizeof(long); }");
///     let flow = parse(source, &options).expect("it is C");
///     run(&flow, &mut Zero, &ExecutionOptions::default()).status
/// };
/// assert_eq!(size(DataModel::Ilp32), Some(4));
/// assert_eq!(size(DataModel::Lp64), Some(8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `long` and pointers have 64 bits.
    #[default]
    Lp64,
}

/// `LP64 (64-bit 'long' and pointers)`
impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        };
        write!(f, "{name} ({}-bit 'long' and pointers)", self.word())
    }
}

impl DataModel {
    /// The number of bits of a pointer, of `size_t` and of `long`.
    pub fn word(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The alignment in bytes that every block of `malloc` or `alloca` has.
    pub fn block_alignment(self) -> u64 {
        match self {
            DataModel::Ilp32 => 8,
            DataModel::Lp64 => 16,
        }
    }
}

/// A type in [`Types`]. Equal types have equal ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A struct or union in [`Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// A type without qualifiers; an `enum` is represented by its integer type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// `_Bool`: a byte that is 0 or 1.
    Bool,
    /// An integer; `rank` orders types of the same size: signed char 0, char and unsigned char 1, short 2, int 3, long 4,
    /// long long 5; [`BIT_INT`] of `_BitInt(bits)` (C23), which any number of bits up to 64 may have.
    Int {
        bits: u32,
        signed: bool,
        rank: u8,
    },
    /// A floating-point type of IEEE 754; values of more than 64 bits are not modelled.
    Float {
        bits: u32,
    },
    Pointer(TypeId),
    /// An array; `None` if its length is unknown.
    Array(TypeId, Option<u64>),
    Record(RecordId),
    Function {
        result: TypeId,
        parameters: Vec<TypeId>,
        /// Whether more arguments may follow, as for a function declared with `()`.
        variadic: bool,
    },
}

/// A member of a struct or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Empty for an anonymous struct or union; its members are found through it.
    pub name: String,
    pub ty: TypeId,
    /// The offset from the start of the record, in bytes; for a bit-field, that of its storage unit.
    pub offset: u64,
    /// The first bit within the storage unit and the number of bits of a bit-field.
    pub bit_field: Option<(u32, u32)>,
    /// Whether it is of an atomic type, or its elements are.
    pub atomic: bool,
}

/// A struct or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The tag, or an invented name such as `struct@12`.
    pub name: String,
    pub union: bool,
    /// `None` while the record is incomplete.
    pub fields: Option<Vec<Field>>,
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
}

/// The names of the members of a complex number, which no other member can have: they are words of GNU C.
pub const COMPLEX_PARTS: [&str; 2] = ["__real__", "__imag__"];

/// The names of the members of an integer of 128 bits, which no program can write.
pub const HALVES: [&str; 2] = ["@low", "@high"];

/// The rank that all `_BitInt` have: they are ordered by their widths.
pub const BIT_INT: u8 = 64;

/// The number of bytes that integers of so many bits have in memory.
fn stored(bits: u32) -> u64 {
    u64::from(bits.div_ceil(8).next_power_of_two())
}

/// How messages name integers of 128 bits.
pub const INT128: &str = "__int128";

/// All types of a program.
#[derive(Debug, Clone, Default)]
pub struct Types {
    pub model: DataModel,
    pub types: indexmap::IndexSet<Type>,
    pub records: Vec<Record>,
    /// The greatest alignment in bytes that a declaration asks for; 0 if none does.
    pub alignment: u64,
}

impl Types {
    #[inline]
    pub fn new(model: DataModel) -> Self {
        Self { model, ..Self::default() }
    }

    /// The number of a type.
    #[inline]
    pub fn intern(&mut self, ty: Type) -> TypeId {
        TypeId(self.types.insert_full(ty).0 as u32)
    }

    /// Panics where `id` is of another store.
    #[inline]
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// Panics where `id` is of another store.
    #[inline]
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// The record behind a type that is one.
    pub fn as_record(&self, id: TypeId) -> Option<(RecordId, &Record)> {
        match *self.get(id) {
            Type::Record(record) => Some((record, self.record(record))),
            _ => None,
        }
    }

    /// The type and the number of the elements of a vector: a record of an array without a name.
    pub fn as_vector(&self, id: TypeId) -> Option<(TypeId, u64)> {
        let (_, record) = self.as_record(id)?;
        let [field] = record.fields.as_deref()? else { return None };
        match *self.get(field.ty) {
            Type::Array(element, Some(count)) if field.name.is_empty() => Some((element, count)),
            _ => None,
        }
    }

    /// The types of the members of a record of two with these names.
    fn as_pair(&self, id: TypeId, names: [&str; 2]) -> Option<[TypeId; 2]> {
        let (_, record) = self.as_record(id)?;
        let [first, second] = record.fields.as_deref()? else { return None };
        ([&*first.name, &*second.name] == names).then_some([first.ty, second.ty])
    }

    /// The type of the parts of a complex number (C11, 6.2.5, 11), which is a record of two with the names
    /// [`COMPLEX_PARTS`].
    pub fn as_complex(&self, id: TypeId) -> Option<TypeId> {
        self.as_pair(id, COMPLEX_PARTS).map(|[real, _]| real)
    }

    /// Whether an integer of 128 bits is signed: it is a record of two words with the names [`HALVES`], the lower one first.
    pub fn as_wide(&self, id: TypeId) -> Option<bool> {
        let [_, high] = self.as_pair(id, HALVES)?;
        Some(matches!(self.get(high), Type::Int { signed: true, .. }))
    }

    /// Whether values are numbers of two parts, which are in memory.
    pub fn is_pair(&self, id: TypeId) -> bool {
        self.as_complex(id).is_some() || self.as_wide(id).is_some()
    }

    /// Whether it is a number, if it has two parts or not.
    pub fn is_number(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pair(id)
    }

    #[inline]
    pub fn pointer_to(&mut self, pointee: TypeId) -> TypeId {
        self.intern(Type::Pointer(pointee))
    }

    /// The composite type of two declarations of the same thing (C11, 6.2.7); `None` where they contradict each other.
    pub fn composite(&mut self, old: TypeId, new: TypeId) -> Option<TypeId> {
        if old == new {
            return Some(old);
        }
        match (self.get(old).clone(), self.get(new).clone()) {
            (Type::Array(a, n), Type::Array(b, m)) if n.is_none() || m.is_none() || n == m => {
                let element = self.composite(a, b)?;
                Some(self.intern(Type::Array(element, n.or(m))))
            }
            (Type::Pointer(a), Type::Pointer(b)) => {
                let inner = self.composite(a, b)?;
                Some(self.pointer_to(inner))
            }
            (
                Type::Function { result: a, parameters: p, variadic: v },
                Type::Function { result: b, parameters: q, variadic: w },
            ) => {
                let result = self.composite(a, b)?;
                // `f()` says nothing about parameters.
                let (parameters, variadic) = if p.is_empty() && v {
                    (q, w)
                } else if q.is_empty() && w {
                    (p, v)
                } else if p.len() == q.len() && v == w {
                    let both = p.into_iter().zip(q);
                    let parameters: Option<Vec<_>> =
                        both.map(|(a, b)| self.composite(a, b)).collect();
                    (parameters?, v)
                } else {
                    return None;
                };
                Some(self.intern(Type::Function { result, parameters, variadic }))
            }
            (Type::Record(a), Type::Record(b)) if self.is_longer(a, b) => Some(old),
            (Type::Record(a), Type::Record(b)) if self.is_longer(b, a) => Some(new),
            _ => None,
        }
    }

    /// Whether the first record is the second one, with a length for its last member, as an object has that is defined with
    /// values for it.
    fn is_longer(&self, longer: RecordId, record: RecordId) -> bool {
        let [longer, record] = [longer, record].map(|id| self.record(id));
        let [Some(own), Some(fields)] = [&longer.fields, &record.fields] else { return false };
        let (Some((end, own)), Some((open, fields))) = (own.split_last(), fields.split_last())
        else {
            return false;
        };
        let elements = [end, open].map(|field| self.get(field.ty));
        let is_given =
            matches!(elements, [Type::Array(a, Some(_)), Type::Array(b, None)] if a == b);
        let same = longer.name == record.name && own == fields && end.offset == open.offset;
        is_given && same
    }

    #[inline]
    pub fn int(&mut self) -> TypeId {
        self.intern(Type::Int { bits: 32, signed: true, rank: 3 })
    }

    /// The signed integer type as wide as a pointer (`ptrdiff_t`): `int` or `long`.
    #[inline]
    pub fn signed_word(&mut self) -> TypeId {
        self.word(true)
    }

    /// `size_t`: `unsigned int` or `unsigned long`.
    #[inline]
    pub fn unsigned_word(&mut self) -> TypeId {
        self.word(false)
    }

    fn word(&mut self, signed: bool) -> TypeId {
        let rank = if self.model == DataModel::Ilp32 { 3 } else { 4 };
        self.intern(Type::Int { bits: self.model.word(), signed, rank })
    }

    /// The size of the largest object: what gcc allows, but at most 16 TiB.
    pub fn largest(&self) -> u64 {
        match self.model {
            DataModel::Ilp32 => i32::MAX as u64,
            DataModel::Lp64 => 1 << 44,
        }
    }

    /// The type without the arrays around it.
    pub fn element(&self, mut id: TypeId) -> TypeId {
        while let Type::Array(element, _) = *self.get(id) {
            id = element;
        }
        id
    }

    /// Of `width` bits from bit `at` of an object of a type on, those that a `_Bool` in it has never set.
    pub fn never_set(&self, id: TypeId, at: u64, width: u32) -> u64 {
        let end = at + u64::from(width);
        match self.get(id) {
            Type::Bool => (at.max(1)..end.min(8)).fold(0, |bits, bit| bits | 1 << (bit - at)),
            Type::Array(element, Some(length)) => {
                let size = self.size(*element).unwrap_or(0).saturating_mul(8);
                if size == 0 {
                    return 0;
                }
                let elements = at / size..end.div_ceil(size).min(*length);
                elements.fold(0, |bits, i| bits | self.within(*element, i * size, (at, end)))
            }
            Type::Record(record) if !self.record(*record).union => {
                let fields = self.record(*record).fields.iter().flatten();
                let whole = fields.filter(|field| field.bit_field.is_none());
                whole.fold(0, |bits, f| bits | self.within(f.ty, f.offset * 8, (at, end)))
            }
            _ => 0,
        }
    }

    /// The same of a part that begins at bit `start`.
    fn within(&self, id: TypeId, start: u64, (at, end): (u64, u64)) -> u64 {
        let (from, to) = (at.max(start), end.min(start + 8 * self.size(id).unwrap_or(0)));
        match from < to {
            true => self.never_set(id, from - start, (to - from) as u32) << (from - at),
            false => 0,
        }
    }

    /// Size in bytes; `None` for functions and incomplete types.  `void` has 1, as in gcc.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            Type::Void | Type::Bool => 1,
            Type::Int { bits, .. } => stored(*bits),
            Type::Float { bits } => u64::from(bits / 8),
            Type::Pointer(_) => u64::from(self.model.word() / 8),
            Type::Array(element, length) => self.size(*element)?.checked_mul((*length)?)?,
            Type::Record(record) => {
                let record = self.record(*record);
                record.fields.as_ref()?;
                record.size
            }
            Type::Function { .. } => return None,
        })
    }

    /// Alignment in bytes as a member of a record (on i386, 4 for `long long` and `double`); 1 where
    /// the type is incomplete.
    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Bool | Type::Function { .. } => 1,
            Type::Int { .. } | Type::Float { .. } => {
                let bytes = self.size(id).unwrap_or(1);
                if self.model == DataModel::Ilp32 { bytes.min(4) } else { bytes }
            }
            Type::Pointer(_) => u64::from(self.model.word() / 8),
            Type::Array(element, _) => self.align(*element),
            Type::Record(record) => self.record(*record).align.max(1),
        }
    }

    #[inline]
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int { .. } | Type::Bool)
    }

    #[inline]
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || matches!(self.get(id), Type::Float { .. })
    }

    /// Whether values of a type have a pointer to an object of a type that is `wanted`.
    pub fn holds_pointer(&self, id: TypeId, wanted: &dyn Fn(TypeId) -> bool) -> bool {
        match self.get(id) {
            Type::Pointer(to) => !matches!(self.get(*to), Type::Function { .. }) && wanted(*to),
            Type::Array(element, _) => self.holds_pointer(*element, wanted),
            Type::Record(record) => {
                let fields = self.record(*record).fields.as_deref().unwrap_or_default();
                fields.iter().any(|field| self.holds_pointer(field.ty, wanted))
            }
            _ => false,
        }
    }

    #[inline]
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    #[inline]
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    /// Width in bits of the value of an integer or a pointer, and whether it is signed.
    pub fn bits(&self, id: TypeId) -> Option<(u32, bool)> {
        match *self.get(id) {
            Type::Bool => Some((8, false)),
            Type::Int { bits, signed, .. } => Some((bits, signed)),
            Type::Pointer(_) => Some((self.model.word(), false)),
            _ => None,
        }
    }

    /// The type as C writes it.
    #[inline]
    pub fn name(&self, id: TypeId) -> String {
        self.declare(id, "")
    }

    /// A declaration of `inner` with the type, as C writes it: `int (*f)(char)`.
    pub fn declare(&self, id: TypeId, inner: &str) -> String {
        let spaced = |word: &str| {
            if inner.is_empty() { word.to_owned() } else { format!("{word} {inner}") }
        };
        match self.get(id) {
            Type::Void => spaced("void"),
            Type::Bool => spaced("_Bool"),
            Type::Int { bits, signed, rank: BIT_INT } => {
                spaced(&format!("{}_BitInt({bits})", if *signed { "" } else { "unsigned " }))
            }
            Type::Int { signed, rank, .. } => {
                let word = match rank {
                    0 => "signed char",
                    1 => "char",
                    2 => "short",
                    3 => "int",
                    4 => "long",
                    _ => "long long",
                };
                if *signed { spaced(word) } else { spaced(&format!("unsigned {word}")) }
            }
            Type::Float { bits: 32 } => spaced("float"),
            Type::Float { bits: 64 } => spaced("double"),
            Type::Float { .. } => spaced("long double"),
            Type::Pointer(pointee) => {
                let pointed = self.get(*pointee);
                let parenthesis = matches!(pointed, Type::Array(..) | Type::Function { .. });
                let inner = if parenthesis { format!("(*{inner})") } else { format!("*{inner}") };
                self.declare(*pointee, &inner)
            }
            Type::Array(element, length) => {
                let length = length.map_or(String::new(), |n| n.to_string());
                self.declare(*element, &format!("{inner}[{length}]"))
            }
            Type::Record(_) if let Some((element, _)) = self.as_vector(id) => {
                let size = self.size(id).unwrap_or(0);
                let element = self.name(element);
                spaced(&format!("__attribute__((vector_size({size}))) {element}"))
            }
            Type::Record(_) if let Some(part) = self.as_complex(id) => {
                spaced(&format!("_Complex {}", self.name(part)))
            }
            Type::Record(_) if let Some(signed) = self.as_wide(id) => {
                spaced(if signed { "__int128" } else { "unsigned __int128" })
            }
            Type::Record(record) => {
                let record = self.record(*record);
                let word = if record.union { "union" } else { "struct" };
                spaced(&format!("{word} {}", record.name))
            }
            Type::Function { result, parameters, variadic } => {
                let mut words: Vec<String> = parameters.iter().map(|p| self.name(*p)).collect();
                if *variadic && !words.is_empty() {
                    words.push("...".to_owned());
                } else if words.is_empty() && !variadic {
                    words.push("void".to_owned());
                }
                self.declare(*result, &format!("{inner}({})", words.join(", ")))
            }
        }
    }
}
