//! C programs from files.

use std::path::{Path, PathBuf};

use super::preprocess::{is_preprocessed, original, preprocessed};
use super::text::{mistakes, read};
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use crate::cli::output::name;
use hardbop_base::source::Source;
use hardbop_c::flow::Flow;
use hardbop_c::{Files, ParseOptions, data_model, on_large_stack, parse, with_line_marks};

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
        let mut texts = texts(files, how, options)?;
        Ok(match texts.len() {
            1 => Self::One(texts.remove(0)),
            _ => Self::Several(linked(&texts, files, how)),
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
    texts(files, how, options).map(|texts| linked(&texts, files, how))
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
        1 => source.clone(),
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
