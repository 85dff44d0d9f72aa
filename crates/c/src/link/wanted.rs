//! Which files of a library a program needs, as a linker chooses members of an archive.

use super::names::Names;
use crate::parse::ParseOptions;
use hardbop_base::source::{Diagnostic, Source};

/// The preprocessed files of a library that define what a program, or another of these files, uses without defining it: their
/// numbers, in order.  A file that defines what is defined already is left out.
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
        chosen.add(&names);
    }
    let mut left = vec![];
    for (i, source) in library.iter().enumerate() {
        left.push((i, Names::of(source, options).map_err(|mistakes| (i, mistakes))?));
    }
    let mut numbers = vec![];
    let wants = |chosen: &Names, file: &Names| {
        chosen.wants(file).is_some() && file.defined.is_disjoint(&chosen.defined)
    };
    while let Some(at) = left.iter().position(|(_, names)| wants(&chosen, names)) {
        let (i, names) = left.remove(at);
        chosen.add(&names);
        numbers.push(i);
    }
    numbers.sort_unstable();
    Ok(numbers)
}
