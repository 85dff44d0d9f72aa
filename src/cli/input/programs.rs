//! Several programs among the files of a project.

use std::fs;
use std::path::{Path, PathBuf};

use super::c::{texts, with_large_stack};
use super::text::mistakes;
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::arguments::c::{DataModelArguments, Language};
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use crate::cli::output::name;
use hardbop_c::{AmbiguousName, ParseOptions, ProgramFiles, programs, with_line_marks};
use hardbop_task::is_task;

/// A program of a project.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// The name of its file with `main`, without the ending; the path where others have that name.
    pub name: String,
    pub main: PathBuf,
    files: Result<Vec<PathBuf>, String>,
}

/// Leaves the files of the program that was chosen.
///
/// # Errors
/// A file cannot be read or is no C; or there is no such program.
pub(crate) fn choose(
    files: &mut Vec<PathBuf>,
    how: &Preprocessor,
    model: &DataModelArguments,
) -> Result<(), CliError> {
    let Some(chosen) = &how.chosen else { return Ok(()) };
    let all = of(files, how, model)?;
    let is_built_for =
        |main: &Path| how.targets.get(main).is_some_and(|targets| targets.contains(chosen));
    let by_name = |p: &&Program| p.name == *chosen || p.main == Path::new(chosen);
    let found = all.iter().find(by_name).or_else(|| all.iter().find(|p| is_built_for(&p.main)));
    let Some(found) = found else {
        let names: Vec<String> = all.iter().map(|p| format!("'{}'", p.name)).collect();
        let there = match names.as_slice() {
            [] => "no file defines 'main'".to_owned(),
            _ => format!("the files are those of {}", names.join(", ")),
        };
        return Err(CliError::Usage(format!("there is no program '{chosen}': {there}")));
    };
    *files = found.files.clone().map_err(CliError::Usage)?;
    Ok(())
}

/// The programs of these files, if there are several.
///
/// # Errors
/// A file cannot be read or is no C.
pub(crate) fn several(
    files: &[PathBuf],
    how: &Preprocessor,
    model: &DataModelArguments,
) -> Result<Option<Vec<Program>>, CliError> {
    let are_c = files.iter().all(|file| !is_task(file) && Language::Auto.is_c(file));
    let mains = files.iter().filter(|file| may_have_main(file)).count();
    if !are_c || mains < 2 || how.chosen.is_some() {
        return Ok(None);
    }
    let all = of(files, how, model)?;
    Ok((all.len() > 1).then_some(all))
}

/// Whether a file has the word `main`; one that has it from a macro alone is asked for by name.
fn may_have_main(file: &Path) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let text = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.match_indices("main").any(|(at, word)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

fn of(
    files: &[PathBuf],
    how: &Preprocessor,
    model: &DataModelArguments,
) -> Result<Vec<Program>, CliError> {
    let Some(first) = files.first() else { return Ok(vec![]) };
    let options = ParseOptions { model: model.model(), ..ParseOptions::default() };
    let found = with_large_stack(first, || {
        let sources = texts(files, how, &options)?;
        let targets = |file: usize| how.targets.get(&files[file]).into_iter().flatten();
        let is_beside = |main, file| targets(main).any(|t| targets(file).any(|other| other == t));
        programs(&sources, &options, is_beside).map_err(|(at, found)| {
            mistakes(&with_line_marks(sources[at].clone()), &found, Color::Auto)
        })
    })?;
    let stem =
        |p: &ProgramFiles| files[p.main].file_stem().map(|s| s.to_string_lossy().into_owned());
    let named = found.iter().map(|program| {
        let own = stem(program);
        let is_one = found.iter().filter(|other| stem(other) == own).count() == 1;
        let main = &files[program.main];
        Program {
            name: own.filter(|_| is_one).unwrap_or_else(|| name(main)),
            main: main.clone(),
            files: match &program.files {
                Ok(numbers) => Ok(numbers.iter().map(|&file| files[file].clone()).collect()),
                Err(AmbiguousName { name: what, files: [a, b] }) => Err(format!(
                    "'{what}', which '{}' needs, is defined in '{}' and in '{}'\n  tip: name the files of one program",
                    name(main),
                    name(&files[*a]),
                    name(&files[*b])
                )),
            },
        }
    });
    Ok(named.collect())
}
