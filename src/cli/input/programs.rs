//! Several programs among the files of a project.

use std::fs;
use std::path::{Path, PathBuf};

use super::c::with_large_stack;
use super::text::mistakes;
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::arguments::c::{DataModelArguments, Language};
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use crate::cli::output::{is_stream, name};
use hardbop_base::source::Source;
use hardbop_c::{AmbiguousName, ParseOptions, ProgramFiles, has_main, programs, with_line_marks};
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
    if files.iter().any(|file| is_stream(file)) {
        let why = "'--program' reads the files twice; standard input can be read once";
        return Err(CliError::Usage(why.to_owned()));
    }
    if let Some(other) = files.iter().find(|file| !is_c(file)) {
        let why = format!("'--program' is for C files; '{}' is none", name(other));
        return Err(CliError::Usage(why));
    }
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
    let are_c = files.iter().all(|file| is_c(file) && !is_stream(file));
    let mains = files.iter().filter(|file| may_have_main(file)).count();
    if !are_c || mains < 2 || how.chosen.is_some() {
        return Ok(None);
    }
    let all = of(files, how, model)?;
    Ok((all.len() > 1).then_some(all))
}

fn is_c(file: &Path) -> bool {
    !is_task(file) && Language::Auto.is_c(file)
}

/// Whether a file has the word `main`: where fewer than two have it, nothing is read twice.
fn may_have_main(file: &Path) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let text = text_of(file);
    text.match_indices("main").any(|(at, word)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

/// The text of a file; nothing where it cannot be read, which whoever needs it says.
fn text_of(file: &Path) -> String {
    String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned()
}

fn of(
    files: &[PathBuf],
    how: &Preprocessor,
    model: &DataModelArguments,
) -> Result<Vec<Program>, CliError> {
    let Some(first) = files.first() else { return Ok(vec![]) };
    let options = ParseOptions { model: model.model(), ..ParseOptions::default() };
    with_large_stack(first, || {
        let (mut texts, mut broken) = (vec![], vec![]);
        for file in files {
            match super::c::texts(std::slice::from_ref(file), how, &options) {
                Ok(text) => texts.extend(text.into_iter().map(|text| (file, text))),
                // That is the error of one program: no other one has a file with 'main'.
                Err(why) if has_main(&text_of(file)) => broken.push((file, why)),
                Err(why) => return Err(why),
            }
        }
        let found = loop {
            let sources: Vec<Source> = texts.iter().map(|(_, source)| source.clone()).collect();
            let targets = |file: usize| how.targets.get(texts[file].0).into_iter().flatten();
            let is_beside =
                |main, file| targets(main).any(|t| targets(file).any(|other| other == t));
            match programs(&sources, &options, is_beside) {
                Ok(found) => break found,
                Err((at, found)) => {
                    let (file, source) = texts.remove(at);
                    let is_program = has_main(&source.text);
                    let why = mistakes(&with_line_marks(source), &found, Color::Auto);
                    if !is_program {
                        return Err(why);
                    }
                    broken.push((file, why));
                }
            }
        };
        let read = found.iter().map(|p| (texts[p.main].0, of_program(&texts, p)));
        let said = |why: CliError| why.to_string().trim_start_matches("error: ").to_owned();
        let broken = broken.into_iter().map(|(file, why)| (file, Err(said(why))));
        Ok(named(read.chain(broken).collect()))
    })
}

/// The files of a program, or what to say of it.
fn of_program(
    texts: &[(&PathBuf, Source)],
    program: &ProgramFiles,
) -> Result<Vec<PathBuf>, String> {
    let file = |number: usize| texts[number].0;
    match &program.files {
        Ok(numbers) => Ok(numbers.iter().map(|&number| file(number).clone()).collect()),
        Err(AmbiguousName { name: what, files: [a, b] }) => Err(format!(
            "'{what}', which '{}' needs, is defined in '{}' and in '{}'\n  tip: name the files of one program",
            name(file(program.main)),
            name(file(*a)),
            name(file(*b))
        )),
    }
}

/// Programs with their names.
fn named(all: Vec<(&PathBuf, Result<Vec<PathBuf>, String>)>) -> Vec<Program> {
    let stem = |main: &Path| main.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stems: Vec<Option<String>> = all.iter().map(|(main, _)| stem(main)).collect();
    let programs = all.into_iter().map(|(main, files)| {
        let own = stem(main);
        let is_one = stems.iter().filter(|other| **other == own).count() == 1;
        let name = own.filter(|_| is_one).unwrap_or_else(|| name(main));
        Program { name, main: main.clone(), files }
    });
    programs.collect()
}
