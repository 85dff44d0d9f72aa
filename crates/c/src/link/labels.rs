//! Names that linkers see in place of those of the text: `__asm__("name")`.

use std::collections::HashSet;

use crate::parse::{Facts, Surface, Unit};
use hardbop_base::source::{Diagnostic, DiagnosticKind};

/// A name, with what linkers call it where that is another one: a declaration without it is of another thing.
pub(super) fn symbol(surface: &Surface, name: &str) -> String {
    // An alias is another name for a thing, not another thing.
    let is_alias = |facts: &Facts| facts.definition.as_ref().is_some_and(|d| d.is_alias);
    let facts = surface.names.get(name).filter(|facts| !is_alias(facts));
    let label = facts.and_then(|facts| facts.label.as_ref()).map(|(label, _)| label);
    label.map_or_else(|| name.to_owned(), |label| format!("{name} {label}"))
}

/// Refuses names for the assembler that another file knows: which thing is meant takes a linker.  `is_shared` says whether other
/// files can name what a unit does.
pub(super) fn refused(
    units: &[Unit],
    surfaces: &[Surface],
    is_shared: impl Fn(usize, &str) -> bool,
) -> Vec<Diagnostic> {
    let names = |unit: &Unit| unit.names.iter().map(|n| n.0.clone()).collect::<HashSet<_>>();
    let all: Vec<HashSet<String>> = units.iter().map(names).collect();
    let shared = |unit: usize, name: &str| all[unit].contains(name) && is_shared(unit, name);
    let mut mistakes = vec![];
    for (unit, surface) in surfaces.iter().enumerate() {
        for (name, facts) in &surface.names {
            let Some((label, span)) = &facts.label else { continue };
            if label == name || all[unit].contains(label) {
                continue;
            }
            let is_defined = surfaces
                .iter()
                .any(|s| s.names.get(name).is_some_and(|f| !f.is_static && f.definition.is_some()));
            let differs = |other: usize| {
                let theirs = surfaces[other].names.get(name);
                let theirs = theirs.and_then(|facts| facts.label.as_ref());
                theirs.is_none_or(|(theirs, _)| theirs != label)
            };
            let others = (0..all.len()).filter(|other| *other != unit);
            let mut clash = others.filter(|&other| {
                let by_name = is_defined && !facts.is_static && shared(other, name);
                shared(other, label) || by_name && differs(other)
            });
            if clash.next().is_some() {
                let message = format!(
                    "'{name}' is '{label}' for linkers, which another file declares: that is not supported"
                );
                let mistake = Diagnostic::new(DiagnosticKind::Unsupported, *span, message);
                mistakes.push(mistake.with_label("not supported"));
            }
        }
    }
    mistakes
}
