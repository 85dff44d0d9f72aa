//! C programs from files.

use std::path::{Path, PathBuf};

use super::preprocess::{is_preprocessed, original, preprocessed};
use super::text::{mistakes, read};
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::output::error::{CliError, reason};
use crate::cli::output::format::Color;
use crate::cli::output::name;
use hardbop_base::source::{Source, Suggestions};
use hardbop_c::flow::Flow;
use hardbop_c::{
    Files, ParseOptions, RULES, Rule, data_model, on_large_stack, parse, wanted, with_line_marks,
};

/// The text of a C program that was read, behind the preprocessor.
pub(crate) enum Program {
    One(Source),
    Several(Files),
}

impl Program {
    /// Reads files, of which several are linked.
    ///
    /// # Errors
    /// A file cannot be read or preprocessed.
    pub fn read(
        files: &[PathBuf],
        how: &Preprocessor,
        options: &ParseOptions,
    ) -> Result<Self, CliError> {
        let (mut texts, files) = with_library(texts(files, how, options)?, files, how, options)?;
        Ok(match texts.len() {
            1 => Self::One(texts.remove(0)),
            _ => Self::Several(linked(&texts, &files, how)),
        })
    }

    /// The program.
    ///
    /// # Errors
    /// It is no C program.
    pub fn parse(&self, options: &ParseOptions, color: Color) -> Result<Flow, CliError> {
        match self {
            Self::One(only) => parse(only.clone(), options).map_err(|diagnostics| {
                mistakes(&with_line_marks(only.clone()), &diagnostics, color)
            }),
            Self::Several(all) => all
                .parse(options)
                .map_err(|diagnostics| mistakes(all.source(), &diagnostics, color)),
        }
    }
}

/// Reads a C program, through the preprocessor where it needs that; several files are linked.
///
/// # Errors
/// A file cannot be read or preprocessed, or they are no C program.
pub(crate) fn flow(
    files: &[PathBuf],
    how: &Preprocessor,
    options: &ParseOptions,
    color: Color,
) -> Result<Flow, CliError> {
    Program::read(files, how, options)?.parse(options, color)
}

/// Reads files, to be linked.
///
/// # Errors
/// A file cannot be read or preprocessed.
pub(crate) fn files(
    files: &[PathBuf],
    how: &Preprocessor,
    options: &ParseOptions,
) -> Result<Files, CliError> {
    let (texts, files) = with_library(texts(files, how, options)?, files, how, options)?;
    Ok(linked(&texts, &files, how))
}

/// The texts of a program, and those of the folders of models that it needs, with the files that they are from.
fn with_library(
    mut program: Vec<Source>,
    files: &[PathBuf],
    how: &Preprocessor,
    options: &ParseOptions,
) -> Result<(Vec<Source>, Vec<PathBuf>), CliError> {
    let mut files = files.to_vec();
    for folder in &how.library {
        let models = c_files(folder)?;
        // Only the program's files need be changed by the options of the preprocessor.
        let how = Preprocessor { is_given: false, ..how.clone() };
        let shown = || program.iter().find_map(|source| data_model(&source.text));
        let options = ParseOptions { model: options.model.or_else(shown), ..options.clone() };
        let library = texts(&models, &how, &options)?;
        let chosen = wanted(&program, &library, &options).map_err(|(i, diagnostics)| {
            mistakes(&with_line_marks(library[i].clone()), &diagnostics, Color::Never)
        })?;
        // The file has places of its own.
        for i in chosen {
            program.push(library[i].clone());
            files.push(models[i].clone());
        }
    }
    for (number, name) in how.rules.iter().enumerate() {
        let source = rule(name)?;
        let rule = Rule::read(&source, number)
            .map_err(|mistake| mistakes(&source, &[*mistake], Color::Never))?;
        program.push(rule.code);
        files.push(PathBuf::from(name));
    }
    Ok((program, files))
}

/// The text of a rule: of hardbop's own, or of a file.
fn rule(name: &str) -> Result<Source, CliError> {
    if let Some(known) = RULES.iter().find(|rule| rule.name == name) {
        return Ok(known.source());
    }
    if name.contains(['.', '/']) {
        return read(Path::new(name));
    }
    let names = || RULES.iter().map(|rule| rule.name);
    let hint = match Suggestions::default().nearest(name, names()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(CliError::Usage(format!("there is no rule '{name}', nor is it a file: {hint}")))
}

/// The C files of a folder, in alphabetical order.
fn c_files(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let fail = |reason: String| CliError::Read { name: name(folder), reason };
    let entries = std::fs::read_dir(folder).map_err(|e| fail(reason(&e)))?;
    let mut files = vec![];
    for entry in entries {
        let path = entry.map_err(|e| fail(reason(&e)))?.path();
        if path.extension().is_some_and(|e| e == "c" || e == "i") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(fail("it has no C files".to_owned()));
    }
    Ok(files)
}

/// The texts of files as one program.
fn linked(texts: &[Source], files: &[PathBuf], how: &Preprocessor) -> Files {
    let gnu_inline = files.iter().map(|file| how.of(file).has_gnu_inline());
    Files::new(texts).with_gnu_inline(gnu_inline.collect())
}

/// The texts of files, preprocessed where they need that.
pub(crate) fn texts(
    files: &[PathBuf],
    how: &Preprocessor,
    options: &ParseOptions,
) -> Result<Vec<Source>, CliError> {
    let read = files.iter().map(|file| read(file)).collect::<Result<Vec<Source>, _>>()?;
    let each = || read.iter().zip(files);
    if how.is_given && !each().any(|(source, file)| is_preprocessed(source, file, how)) {
        return Err(CliError::Usage(format!(
            "options of the preprocessor would do nothing: '{}' is preprocessed",
            read[0].name
        )));
    }
    // One file that is preprocessed already says for which data model all are to be.
    let shown = || read.iter().find_map(|source| data_model(&source.text));
    let model = options.model.or_else(shown);
    let reading = ParseOptions { model, ..options.clone() };
    // Of several files each has places of its own.
    let known = |source: &Source| match read.len() {
        1 if how.library.is_empty() && how.rules.is_empty() => source.clone(),
        _ => source.clone().with_originals(vec![(source.name.clone(), original(&source.text))]),
    };
    each()
        .map(|(source, file)| preprocessed(known(source), file, &reading, &how.of(file)))
        .collect()
}

/// Does something with the C program in `file`, on a stack that its nesting does not overflow.
///
/// # Errors
/// An error of `work`; or the system refuses such a stack.
pub(crate) fn with_large_stack<T: Send>(
    file: &Path,
    work: impl FnOnce() -> Result<T, CliError> + Send,
) -> Result<T, CliError> {
    on_large_stack(work)
        .unwrap_or_else(|e| Err(CliError::Read { name: name(file), reason: e.to_string() }))
}
