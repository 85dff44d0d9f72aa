//! `hardbop list`: what can be checked.

use crate::cli::arguments::list::ListArguments;
#[cfg(feature = "c")]
use crate::cli::input::c;
use crate::cli::input::{mistakes, read};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
#[cfg(feature = "c")]
use hardbop_c::{ParseOptions, Property};
use hardbop_report::contents::Contents;
use hardbop_session::contents;
#[cfg(feature = "c")]
use hardbop_task::is_task;

/// Prints the list.
pub(crate) fn run(arguments: &ListArguments) -> Result<Exit, CliError> {
    let contents = contents(arguments)?;
    let text = if arguments.json { output::json(&contents)? } else { contents.text() };
    output::print(&text)?;
    Ok(Exit::Safe)
}

#[cfg(feature = "c")]
fn contents(arguments: &ListArguments) -> Result<Contents, CliError> {
    let language = arguments.language;
    arguments.files.iter().try_for_each(|file| language.suits(file))?;
    if !language.is_c(&arguments.files[0]) {
        if arguments.preprocessor.is_given {
            let why = "options of the preprocessor are for C programs";
            return Err(CliError::Usage(why.to_owned()));
        }
        return boolean(arguments);
    }
    if let Some(other) = arguments.files.iter().find(|f| !language.is_c(f) || is_task(f)) {
        let name = output::name(other);
        return Err(CliError::Usage(format!("C files are listed together; '{name}' is none")));
    }
    c::with_large_stack(&arguments.files[0], || {
        let mut property = Property::default();
        if !arguments.error.is_empty() {
            property.error_labels.clone_from(&arguments.error);
        }
        let model = arguments.data_model.model();
        let reading = ParseOptions { model, property, ..ParseOptions::default() };
        let how = &arguments.preprocessor;
        let files = c::files(&arguments.files, how, &reading)?;
        contents::of_c(&files, &reading)
            .map_err(|found| mistakes(files.source(), &found, arguments.color.when))
    })
}

#[cfg(not(feature = "c"))]
fn contents(arguments: &ListArguments) -> Result<Contents, CliError> {
    boolean(arguments)
}

/// The contents of a Boolean program, which is one file.
fn boolean(arguments: &ListArguments) -> Result<Contents, CliError> {
    let [file] = arguments.files.as_slice() else {
        return Err(CliError::Usage("a Boolean program is one file".to_owned()));
    };
    if !arguments.error.is_empty() {
        let why = "'--error' is for C programs: of Boolean programs all labels are listed";
        return Err(CliError::Usage(why.to_owned()));
    }
    let source = read(file)?;
    contents::of_boolean(&source, arguments.dialect)
        .map_err(|found| mistakes(&source, &found, arguments.color.when))
}
