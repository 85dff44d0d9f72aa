//! Which programs the files of a project are: each that defines `main`, with the others that it needs.

use thiserror::Error;

use super::names::Names;
use crate::parse::ParseOptions;
use hardbop_base::source::{Diagnostic, Source};

/// One of the programs of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFiles {
    /// The number of the file that defines `main`.
    pub main: usize,
    /// The numbers of all its files, in order.
    pub files: Result<Vec<usize>, AmbiguousName>,
}

/// Several files define what a program needs, and nothing says which one is its own.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("several files define '{name}'")]
pub struct AmbiguousName {
    pub name: String,
    /// The numbers of two such files.
    pub files: [usize; 2],
}

/// The programs of preprocessed files, in the order of those that define `main`.  `is_beside` says whether the second file is
/// built for the program of the first one: it is taken where files for several programs define the same.
///
/// Run it [`on_large_stack`](crate::on_large_stack).
///
/// # Errors
/// The number of a file that is no C, and the mistakes in it.
pub fn programs(
    files: &[Source],
    options: &ParseOptions,
    is_beside: impl Fn(usize, usize) -> bool,
) -> Result<Vec<ProgramFiles>, (usize, Vec<Diagnostic>)> {
    let of = |(i, source)| Names::of(source, options).map_err(|mistakes| (i, mistakes));
    let names = files.iter().enumerate().map(of).collect::<Result<Vec<Names>, _>>()?;
    let has_main = |file: &usize| names[*file].defined.contains("main");
    let (mains, others): (Vec<usize>, Vec<usize>) = (0..files.len()).partition(has_main);
    let programs = mains.into_iter().map(|main| {
        let beside = |file| is_beside(main, file);
        ProgramFiles { main, files: completed(&names, main, &others, beside) }
    });
    Ok(programs.collect())
}

/// A file with those of the others that define what it, or another of these, needs.
fn completed(
    names: &[Names],
    main: usize,
    others: &[usize],
    is_beside: impl Fn(usize) -> bool,
) -> Result<Vec<usize>, AmbiguousName> {
    let mut chosen = vec![main];
    let mut all = names[main].clone();
    let mut left = others.to_vec();
    loop {
        let wanted = left.iter().find_map(|&file| all.wants(&names[file]));
        let file = if let Some(name) = wanted {
            let giving = left.iter().copied().filter(|&file| names[file].defines(name));
            let giving: Vec<usize> = giving.collect();
            let own: Vec<usize> = giving.iter().copied().filter(|&file| is_beside(file)).collect();
            match (giving.as_slice(), own.as_slice()) {
                (&[only], _) | (_, &[only]) => only,
                (&[first, second, ..], _) => {
                    return Err(AmbiguousName { name: name.clone(), files: [first, second] });
                }
                ([], _) => break,
            }
        } else {
            let strong = left.iter().find_map(|&file| Some((file, all.gives_way(&names[file])?)));
            match strong {
                Some((file, _)) if is_beside(file) => file,
                Some((file, name)) => return Err(twice(names, &chosen, file, name)),
                None => break,
            }
        };
        // A file that is linked for one of its names brings all of them.
        if let Some(name) = names[file].defined.intersection(&all.defined).next() {
            return Err(twice(names, &chosen, file, name));
        }
        all.add(&names[file]);
        left.retain(|&other| other != file);
        chosen.push(file);
    }
    chosen.sort_unstable();
    Ok(chosen)
}

/// A name that a file defines, and one of those that are chosen, too.
fn twice(names: &[Names], chosen: &[usize], file: usize, name: &str) -> AmbiguousName {
    let other = chosen.iter().copied().find(|&file| names[file].defines(name)).unwrap_or(file);
    AmbiguousName { name: name.to_owned(), files: [other, file] }
}
