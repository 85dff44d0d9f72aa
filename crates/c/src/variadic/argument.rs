//! What is kept of an additional argument: its type, as a number, and its value.

use std::collections::BTreeSet;

use crate::types::{Field, Record, RecordId, Type, TypeId, Types};

/// The number of no type: the call is over.
pub(super) const ENDED: u64 = 0;
/// The numbers of pointers begin here, those of records behind them.
const VOID: u64 = 1000;
const CHARACTERS: u64 = VOID + 1;
const POINTERS: u64 = VOID + 2;
const RECORDS: u64 = 1 << 30;

/// The number of a type. Integers of the same size and sign have the same, as have all pointers to characters.
pub(super) fn code(types: &Types, ty: TypeId) -> u64 {
    match *types.get(ty) {
        Type::Bool => 8 * 4 + 3,
        Type::Int { bits, signed, .. } => u64::from(bits) * 4 + u64::from(signed),
        Type::Float { bits } => u64::from(bits) * 4 + 2,
        Type::Pointer(to) => match *types.get(to) {
            Type::Void => VOID,
            Type::Int { bits: 8, .. } => CHARACTERS,
            _ => POINTERS + u64::from(to.0),
        },
        _ => RECORDS + u64::from(ty.0),
    }
}

/// Which of the numbers an argument may have that is read as a type; with the signed type where the value has to be one of
/// both (C11, 7.16.1.1, 2). To gcc, `void *` is compatible with all pointers, as C23 has it for null pointers.
pub(super) fn readable(
    types: &Types,
    ty: TypeId,
    used: &BTreeSet<u64>,
) -> Vec<(u64, Option<TypeId>)> {
    let own = code(types, ty);
    let fits = |&code: &u64| match *types.get(ty) {
        _ if code == own => Some((code, None)),
        Type::Int { bits, signed, rank } => {
            let other = u64::from(bits) * 4 + u64::from(!signed);
            let signed = types.types.get_index_of(&Type::Int { bits, signed: true, rank });
            let signed = signed.map(|index| TypeId(index as u32));
            (code == other).then_some(signed).flatten().map(|signed| (code, Some(signed)))
        }
        Type::Pointer(_) if own == VOID => (VOID..RECORDS).contains(&code).then_some((code, None)),
        Type::Pointer(_) => (code == VOID).then_some((code, None)),
        _ => None,
    };
    let mut all: Vec<_> = used.iter().filter_map(fits).collect();
    all.sort_by_key(|(code, _)| *code != own);
    all
}

/// The record of an argument: a pointer to the next one, the number of its type, and its value; nothing for types whose values
/// are not modelled.
pub(super) fn node(types: &mut Types, ty: TypeId) -> Option<TypeId> {
    let size = types.size(ty)?;
    if matches!(types.get(ty), Type::Float { bits } if *bits > 64) {
        return None;
    }
    let word = u64::from(types.model.word() / 8);
    let void = types.intern(Type::Void);
    let (next, number) = (types.pointer_to(void), types.unsigned_word());
    let parts = [("next", next, 0), ("type", number, word), ("value", ty, 2 * word)];
    let field = |(name, ty, offset): (&str, TypeId, u64)| Field {
        name: name.to_owned(),
        ty,
        offset,
        bit_field: None,
        atomic: false,
    };
    let fields = Some(parts.map(field).to_vec());
    let name = format!("argument@{}", code(types, ty));
    let size = 2 * word + size.next_multiple_of(word);
    let record = Record { name, union: false, fields, size, align: word };
    let known = types.records.iter().position(|other| *other == record);
    let index = known.unwrap_or_else(|| {
        types.records.push(record);
        types.records.len() - 1
    });
    Some(types.intern(Type::Record(RecordId(index as u32))))
}
