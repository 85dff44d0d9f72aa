//! `hardbop check --entry '*'`: each function that has a body by itself, by a process of its own, as `--entry NAME` does.

use super::several::{self, Questions};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::input::c::{files, with_large_stack};
use crate::cli::input::mistakes;
use crate::cli::input::task::Job;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use hardbop_report::contents::Listed;
use hardbop_report::properties::{Kind, Property};
use hardbop_session::contents;

/// The entry that stands for all functions.
pub(super) const ALL: &str = "*";

/// What is true of each run, and no answer says.
const GLOBALS: &str = "where a function is called, global variables have their initial values";

/// Checks each function, and prints a line for each.
pub(super) fn run(arguments: &CheckArguments) -> Result<Exit, CliError> {
    several::refuse(arguments, "'--entry *'", "--entry NAME")?;
    let open = |f: &Listed| Property::open(Kind::Function, &f.name, vec![f.place()]);
    let pointers = arguments.c.pointers.is_none().then(|| "--pointers=valid".to_owned());
    let questions = Questions {
        all: functions(arguments)?.iter().map(open).collect(),
        option: "--entry",
        more: pointers.into_iter().collect(),
        assumed: vec![GLOBALS.to_owned()],
    };
    several::run(questions, arguments)
}

/// The functions with bodies, in the order of the text.
fn functions(arguments: &CheckArguments) -> Result<Vec<Listed>, CliError> {
    let job = Job::new(arguments)?;
    let mut all = with_large_stack(arguments.file(), || {
        let files = files(&job.files, &arguments.c.preprocessor, &job.options)?;
        let found = contents::of_c(&files, &job.options);
        found.map_err(|found| mistakes(files.source(), &found, arguments.output.color.when))
    })?;
    if all.functions.is_empty() {
        return Err(CliError::Usage("no function has a body".to_owned()));
    }
    let file = |name: &str| all.files.iter().position(|file| file == name);
    all.functions.sort_by_key(|f| (file(&f.file), f.file.clone(), f.line, f.column));
    Ok(all.functions)
}
