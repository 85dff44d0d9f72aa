//! New names of what only one file can name.

use std::collections::HashSet;

use crate::edit::numbered;
use crate::parse::{Thing, Unit};

/// Gives things that only their files can name names that differ.
pub(super) fn rename(unit: &mut Unit, things: &[(Thing, bool)]) {
    let mut taken: HashSet<String> = HashSet::new();
    for is_internal in [false, true] {
        for (thing, _) in things.iter().filter(|(_, internal)| *internal == is_internal) {
            let name = match thing {
                Thing::Function(id) => &mut unit.functions[id.0 as usize].name,
                Thing::Variable(id) => &mut unit.variables[id.0 as usize].name,
            };
            let mut number = 1;
            let mut new = name.clone();
            while !taken.insert(new.clone()) {
                number += 1;
                new = numbered(name, number);
            }
            *name = new;
        }
    }
}
