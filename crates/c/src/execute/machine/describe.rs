//! Names of places and values, for people.

use super::arithmetic::{integer, sign_extended};
use super::evaluate::Spot;
use super::layout::{Scalar, mask};
use super::memory::{Content, ObjectId};
use super::state::{Machine, OUTSIDE};
use crate::execute::execution::Change;
use crate::flow::{Base, Callee, Instruction, Place, Step, VariableKind};
use crate::library::find;
use crate::trace::EdgeIndex;
use crate::types::{Type, TypeId};

/// The number of parts of a record that are shown.
const PARTS: usize = 16;
/// Names longer than this are shortened.
const NAME: usize = 60;

impl Machine<'_, '_> {
    /// The name of a place; `None` if it has none in the program text.
    pub fn name(&mut self, place: &Place) -> Option<String> {
        let flow = self.flow;
        let Base::Variable(id) = place.base else {
            return Some(flow.source.snippet(place.span, NAME));
        };
        let variable = &flow.variables[id.0 as usize];
        if variable.kind == VariableKind::Temporary {
            return None;
        }
        let mut name = variable.name.clone();
        let mut ty = variable.ty;
        for step in &place.path {
            match step {
                Step::Field(index) => {
                    let field = self.field(ty, *index).ok()?;
                    if !field.name.is_empty() {
                        name = format!("{name}.{}", field.name);
                    }
                    ty = field.ty;
                }
                Step::Index(index) => {
                    let bits = self.layout.scalar(index.ty)?.bits();
                    let value = self.scalar(index).ok()?;
                    name = format!("{name}[{}]", sign_extended(value, bits));
                    if let Some(&Type::Array(element, _)) =
                        flow.types.types.get_index(ty.0 as usize)
                    {
                        ty = element;
                    }
                }
            }
        }
        Some(name)
    }

    /// Does the name of the place mean the same in every activation?
    pub fn is_global(&self, place: &Place) -> bool {
        let Base::Variable(id) = place.base else { return false };
        let kind = self.flow.variables[id.0 as usize].kind;
        matches!(kind, VariableKind::Global | VariableKind::External)
    }

    /// Records that a place has a new value.
    pub fn record_change(&mut self, (name, is_global): (&str, bool), spot: Spot, ty: TypeId) {
        let mut parts = vec![(name.to_owned(), spot, ty)];
        let mut shown = 0;
        while let Some((name, spot, ty)) = parts.pop() {
            if shown == PARTS {
                break;
            }
            let signed = self.flow.types.as_wide(ty);
            if signed.is_some() || self.layout.scalar(ty).is_some() {
                let value = match signed {
                    Some(signed) => self.described_wide(&name, spot, ty, signed),
                    None => self.described(spot, ty),
                };
                if let Some(value) = value {
                    self.changes.push(Change { name, value, is_global });
                    shown += 1;
                }
                continue;
            }
            let inner = self.parts(&name, spot, ty);
            parts.extend(inner.into_iter().rev());
        }
    }

    fn parts(&self, name: &str, spot: Spot, ty: TypeId) -> Vec<(String, Spot, TypeId)> {
        let types = &self.flow.types;
        match types.types.get_index(ty.0 as usize) {
            Some(Type::Record(record)) => {
                let record = types.records.get(record.0 as usize);
                let fields = record.and_then(|r| r.fields.as_ref()).into_iter().flatten();
                let inner = fields.take(PARTS).map(|field| {
                    let name = if field.name.is_empty() {
                        name.to_owned()
                    } else {
                        format!("{name}.{}", field.name)
                    };
                    (name, spot.part(field.offset, field.bit_field), field.ty)
                });
                inner.collect()
            }
            Some(&Type::Array(element, length)) => {
                let size = self.layout.size(element);
                let count = length.unwrap_or(0).min(PARTS as u64);
                (0..count)
                    .map(|i| (format!("{name}[{i}]"), spot.part(i * size, None), element))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The text for the value of an initialised scalar.
    fn described(&self, spot: Spot, ty: TypeId) -> Option<String> {
        let scalar = self.layout.scalar(ty)?;
        let (object, bit, bits) = self.bits_of(spot, scalar).ok()?;
        let (value, known) = self.memory.load(object, bit, bits);
        if known != mask(bits) {
            return None;
        }
        let value = match scalar {
            Scalar::Int { signed: true, .. } => sign_extended(value, bits) as u64,
            _ => value,
        };
        Some(self.shown(value, ty, scalar))
    }

    /// The text for an initialised integer of 128 bits.
    fn described_wide(&self, name: &str, spot: Spot, ty: TypeId, signed: bool) -> Option<String> {
        let halves = self.parts(name, spot, ty).into_iter().map(|(_, spot, ty)| {
            let (object, bit, bits) = self.bits_of(spot, self.layout.scalar(ty)?).ok()?;
            let (value, known) = self.memory.load(object, bit, bits);
            (known == mask(bits)).then_some(u128::from(value))
        });
        let halves: Vec<u128> = halves.collect::<Option<_>>()?;
        let &[low, high] = halves.as_slice() else { return None };
        let value = high << 64 | low;
        Some(if signed { (value as i128).to_string() } else { value.to_string() })
    }

    fn shown(&self, value: u64, ty: TypeId, scalar: Scalar) -> String {
        match self.flow.types.types.get_index(ty.0 as usize) {
            Some(Type::Pointer(_)) => self.pointer(value),
            _ => match scalar {
                Scalar::Float => format!("{:?}", f32::from_bits(value as u32)),
                Scalar::Double => format!("{:?}", f64::from_bits(value)),
                Scalar::Int { bits: 8, .. } if (0x20..0x7F).contains(&value) => {
                    format!("{value} '{}'", value as u8 as char)
                }
                Scalar::Int { bits, .. } => integer(scalar, value & mask(bits)).to_string(),
                Scalar::Bool => u64::from(value != 0).to_string(),
            },
        }
    }

    fn pointer(&self, address: u64) -> String {
        if address == 0 {
            return "NULL".to_owned();
        }
        if let Some(function) = self.function_at(address) {
            return format!("&{}", self.flow.functions[function.0 as usize].name);
        }
        match self.memory.around(address) {
            Some((object, offset)) => self.inside(object, offset),
            None => format!("{address:#x}"),
        }
    }

    /// `&x`, `&a[2]`, `"text" + 3`, `block@0x8000 + 4`.
    fn inside(&self, object: ObjectId, offset: u64) -> String {
        let name = match self.memory.content(object) {
            Content::Variable(variable) => {
                let variable = &self.flow.variables[variable as usize];
                if let Some(path) = self.path(variable.ty, offset) {
                    return format!("&{}{path}", variable.name);
                }
                format!("&{}", variable.name)
            }
            Content::String(index) => {
                let bytes = &self.flow.strings[index as usize];
                let text = bytes.split(|&b| b == 0).next().unwrap_or(&[]);
                format!("{:?}", String::from_utf8_lossy(&text[..text.len().min(20)]))
            }
            Content::Block { number: Some(number), .. } => format!("block {number}"),
            Content::Block { number: None, edge } => match edge.and_then(|call| self.opens(call)) {
                Some(function) => format!("what '{function}' opened"),
                None => "a block of alloca".to_owned(),
            },
            Content::Arguments => "the arguments".to_owned(),
            Content::Argument { index } => format!("argument {index}"),
            Content::Outside { number } => {
                let name = format!("outside object {number}");
                return moved(name, offset as i64 - OUTSIDE as i64);
            }
        };
        moved(name, offset as i64)
    }

    /// The library function that a call opens something by.
    pub(super) fn opens(&self, call: EdgeIndex) -> Option<&'static str> {
        let body = self.flow.functions[call.function as usize].body.as_ref()?;
        let edge = body.edges.get(call.edge as usize)?;
        let Instruction::Call { callee: Callee::Function(callee), .. } = edge.instruction else {
            return None;
        };
        let name = &self.flow.functions[callee.0 as usize].name;
        let row = find(name).filter(|row| !row.makes_local_block())?;
        Some(row.called(name))
    }

    /// The path of members and elements that leads to an offset; empty at the start.
    fn path(&self, mut ty: TypeId, mut offset: u64) -> Option<String> {
        let types = &self.flow.types;
        let mut path = String::new();
        while offset > 0 {
            match types.types.get_index(ty.0 as usize)? {
                &Type::Array(element, length) => {
                    let size = self.layout.size(element).max(1);
                    if offset / size >= length? {
                        return None;
                    }
                    path.push_str(&format!("[{}]", offset / size));
                    offset %= size;
                    ty = element;
                }
                Type::Record(record) => {
                    let fields = types.records.get(record.0 as usize)?.fields.as_ref()?;
                    let field = fields.iter().rev().find(|f| {
                        f.offset <= offset && offset - f.offset < self.layout.size(f.ty).max(1)
                    })?;
                    path.push_str(&format!(".{}", field.name));
                    offset -= field.offset;
                    ty = field.ty;
                }
                _ => return None,
            }
        }
        Some(path)
    }
}

/// The name of a place `bytes` bytes behind the one named.
fn moved(name: String, bytes: i64) -> String {
    match bytes {
        0 => name,
        1.. => format!("{name} + {bytes}"),
        _ => format!("{name} - {}", -bytes),
    }
}
