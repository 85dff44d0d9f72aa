//! Which files of a library a program needs, as a linker chooses members of an archive.

use std::collections::BTreeSet;

use super::called;
use crate::flow::ExprKind;
use crate::parse::{Elsewhere, ParseOptions, Parsed, Strength, Unit, refuse_length};
use hardbop_base::source::{Diagnostic, Source};

/// The preprocessed files of a library that define what a program, or another of these files, calls or takes the address of
/// without defining it: their numbers, in order.  A file that defines what is defined already is left out.
///
/// Run it [`on_large_stack`](crate::on_large_stack).
///
/// # Errors
/// The number of a file of the library that is no C, and the mistakes in it.  Those of the program are for who reads it.
pub fn wanted(
    program: &[Source],
    library: &[Source],
    options: &ParseOptions,
) -> Result<Vec<usize>, (usize, Vec<Diagnostic>)> {
    let mut chosen = Names::default();
    for source in program {
        let Ok(names) = Names::of(source, options) else { return Ok(vec![]) };
        chosen.add(names);
    }
    let mut left = vec![];
    for (i, source) in library.iter().enumerate() {
        left.push((i, Names::of(source, options).map_err(|mistakes| (i, mistakes))?));
    }
    let mut numbers = vec![];
    while let Some(at) = left.iter().position(|(_, names)| chosen.wants(names)) {
        let (i, names) = left.remove(at);
        chosen.add(names);
        numbers.push(i);
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// What files define for others, and the functions that they use and do not define.
#[derive(Debug, Default)]
struct Names {
    defined: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl Names {
    fn of(source: &Source, options: &ParseOptions) -> Result<Self, Vec<Diagnostic>> {
        refuse_length(source.text.len())?;
        let file = Parsed::read(&source.text, 0, &source.text, options)?;
        let surface = file.surface(false);
        let given = surface.names.iter().filter(|(_, facts)| {
            let is_given = |strength| strength == Strength::Strong;
            !facts.is_static && facts.definition.as_ref().is_some_and(|d| is_given(d.strength))
        });
        let defined = given.map(|(name, _)| name.clone()).collect();
        let model = options.model.or(file.model).unwrap_or_default();
        let unit = file.unit(options, &Elsewhere::default(), model)?;
        let used = called(&unit).into_iter().chain(addressed(&unit)).map(str::to_owned).collect();
        Ok(Self { defined, used })
    }

    fn add(&mut self, other: Self) {
        self.defined.extend(other.defined);
        self.used.extend(other.used);
    }

    /// Whether a file defines what is missing, and nothing that is there.
    fn wants(&self, file: &Self) -> bool {
        file.defined.is_disjoint(&self.defined) && !file.defined.is_disjoint(&self.used)
    }
}

/// The functions whose addresses a file uses.
fn addressed(unit: &Unit) -> impl Iterator<Item = &str> {
    let bodies = unit.functions.iter().filter_map(|function| function.body.as_ref());
    let edges = bodies.flat_map(|body| &body.edges).flat_map(|edge| edge.instruction.parts());
    let initial = unit.initialisers.iter().flat_map(|(_, value)| value.parts());
    edges.chain(initial).filter_map(|part| match part.kind {
        ExprKind::FunctionAddress(id) => Some(unit.functions[id.0 as usize].name.as_str()),
        _ => None,
    })
}
