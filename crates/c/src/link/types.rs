//! One table of types for all files: a struct that several files declare alike is one.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::parse::Unit;
use crate::rewrite::renumbered;
use crate::types::{DataModel, Field, Record, RecordId, Type, TypeId, Types};

/// The types of all units, and for each unit the new numbers of its types.
pub(super) fn merge(units: &[Unit], model: DataModel) -> (Types, Vec<Vec<TypeId>>) {
    let classes = Classes::of(units);
    let mut types = Types::new(model);
    types.alignment = units.iter().map(|unit| unit.types.alignment).max().unwrap_or(0);
    types.records =
        classes.representatives.iter().map(|&(unit, id)| record(units, unit, id)).collect();
    let mut maps = vec![];
    for (number, unit) in units.iter().enumerate() {
        let class = |id| classes.class(number, id);
        maps.push(renumbered(&unit.types, &mut types, class));
    }
    for (record, &(unit, _)) in types.records.iter_mut().zip(&classes.representatives) {
        for field in record.fields.iter_mut().flatten() {
            field.ty = maps[unit][field.ty.0 as usize];
        }
    }
    (types, maps)
}

/// A record under a name that no other record without a tag has.
fn record(units: &[Unit], unit: usize, id: RecordId) -> Record {
    let mut record = units[unit].types.record(id).clone();
    if unit > 0 && is_invented(&record.name) {
        let _ = write!(record.name, "@{}", unit + 1);
    }
    record
}

/// Whether the name stands for a record without a tag.
fn is_invented(name: &str) -> bool {
    name.contains('@')
}

/// Which records are one.
struct Classes {
    /// For each unit and record the class.
    of: Vec<Vec<usize>>,
    /// For each class a record, by its unit; a complete one where there is any.
    representatives: Vec<(usize, RecordId)>,
}

/// The members of a record, without their types.
type Shape = (String, bool, u64, u64, Vec<(String, u64, Option<(u32, u32)>)>);

/// What a record shows without the types of its members.
fn shape(record: &Record) -> Shape {
    let name = if is_invented(&record.name) { String::new() } else { record.name.clone() };
    let fields = record.fields.iter().flatten();
    let fields = fields.map(|f| (f.name.clone(), f.offset, f.bit_field)).collect();
    (name, record.union, record.size, record.align, fields)
}

impl Classes {
    /// Records are one where they have the same tag and the same members, whose types are one in turn.  An incomplete
    /// record is the complete one of its tag, where the program has one only.
    fn of(units: &[Unit]) -> Self {
        let mut shapes: HashMap<Shape, usize> = HashMap::new();
        // For each tag the shape of the complete records, while all have the same.
        let mut complete: HashMap<(String, bool), Option<usize>> = HashMap::new();
        let mut of: Vec<Vec<usize>> = vec![];
        for unit in units {
            let mut classes = vec![];
            for record in &unit.types.records {
                let shape = shape(record);
                let tag = (shape.0.clone(), shape.1);
                let next = shapes.len();
                let class = match &record.fields {
                    Some(_) => *shapes.entry(shape).or_insert(next),
                    None => usize::MAX,
                };
                if record.fields.is_some() {
                    let known = complete.entry(tag).or_insert(Some(class));
                    *known = known.filter(|&other| other == class);
                }
                classes.push(class);
            }
            of.push(classes);
        }
        // An incomplete record that stays one is a class by itself: of different files, one for each tag.
        let mut opaque: HashMap<(String, bool), usize> = HashMap::new();
        let first = shapes.len();
        for (unit, classes) in units.iter().zip(&mut of) {
            for (record, class) in unit.types.records.iter().zip(classes) {
                let tag = (record.name.clone(), record.union);
                if record.fields.is_none() {
                    let next = first + opaque.len();
                    let alone = || *opaque.entry(tag.clone()).or_insert(next);
                    *class = complete.get(&tag).copied().flatten().unwrap_or_else(alone);
                }
            }
        }
        let mut classes = Self { of, representatives: vec![] };
        while classes.divide(units) {}
        classes.represent(units);
        classes
    }

    fn class(&self, unit: usize, id: RecordId) -> RecordId {
        RecordId(self.of[unit][id.0 as usize] as u32)
    }

    /// Divides classes by the types of members; whether there are more now.
    fn divide(&mut self, units: &[Unit]) -> bool {
        let mut next: HashMap<(usize, String), usize> = HashMap::new();
        let mut divided = vec![];
        let mut incomplete = vec![];
        for (number, unit) in units.iter().enumerate() {
            let mut classes = vec![];
            for (index, record) in unit.types.records.iter().enumerate() {
                let old = self.of[number][index];
                let Some(fields) = &record.fields else {
                    incomplete.push((number, index, old));
                    classes.push(usize::MAX);
                    continue;
                };
                let mut words = String::new();
                fields
                    .iter()
                    .for_each(|f: &Field| self.spell(&unit.types, number, f.ty, &mut words));
                let fresh = next.len();
                classes.push(*next.entry((old, words)).or_insert(fresh));
            }
            divided.push(classes);
        }
        // What is incomplete goes with the first part of its class.
        let mut parts: HashMap<usize, usize> = HashMap::new();
        for (&(old, _), &new) in &next {
            let part = parts.entry(old).or_insert(new);
            *part = new.min(*part);
        }
        let mut count = next.len();
        for (unit, index, old) in incomplete {
            divided[unit][index] = *parts.entry(old).or_insert_with(|| {
                count += 1;
                count - 1
            });
        }
        let before = self.count();
        self.of = divided;
        self.count() > before
    }

    fn count(&self) -> usize {
        self.of.iter().flatten().collect::<std::collections::HashSet<_>>().len()
    }

    /// Writes a type with the classes of its records.
    fn spell(&self, types: &Types, unit: usize, id: TypeId, out: &mut String) {
        let _ = match types.get(id) {
            Type::Pointer(to) => {
                out.push('*');
                return self.spell(types, unit, *to, out);
            }
            Type::Array(element, length) => {
                let _ = write!(out, "[{length:?}]");
                return self.spell(types, unit, *element, out);
            }
            Type::Record(record) => write!(out, "r{};", self.of[unit][record.0 as usize]),
            Type::Function { result, parameters, variadic } => {
                let _ = write!(out, "f{variadic}{}(", parameters.len());
                self.spell(types, unit, *result, out);
                parameters.iter().for_each(|p| self.spell(types, unit, *p, out));
                return;
            }
            plain => write!(out, "{plain:?};"),
        };
    }

    /// Numbers the classes from 0 and finds a record for each.
    fn represent(&mut self, units: &[Unit]) {
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        for (number, unit) in units.iter().enumerate() {
            for (index, record) in unit.types.records.iter().enumerate() {
                let class = &mut self.of[number][index];
                let id = (number, RecordId(index as u32));
                let at = *numbers.entry(*class).or_insert_with(|| {
                    self.representatives.push(id);
                    self.representatives.len() - 1
                });
                *class = at;
                let (of, shown) = self.representatives[at];
                if record.fields.is_some() && units[of].types.record(shown).fields.is_none() {
                    self.representatives[at] = id;
                }
            }
        }
    }
}
