//! `hardbop check` of files with several `main`s: each program by a process of its own, as `--program NAME` does.

use super::several::{self, Questions};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::input::programs::{self, Program};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use hardbop_report::properties::{Kind, Property};

/// What is true of each run: the database does not say what is linked.
const FILES: &str = "a program has those files that define what its others use, and no more";

/// Says which files the program has that was chosen.
pub(super) fn tell(arguments: &CheckArguments) {
    let speaks = !arguments.output.json && !arguments.output.quiet;
    if arguments.c.preprocessor.chosen.is_some() && speaks {
        let names: Vec<String> = arguments.files.iter().map(|file| output::name(file)).collect();
        output::complain(&format!("assumed: {FILES}: {}", names.join(", ")));
    }
}

/// The programs that the files are, if they are several.
pub(super) fn several(arguments: &CheckArguments) -> Result<Option<Vec<Program>>, CliError> {
    programs::several(&arguments.files, &arguments.c.preprocessor, &arguments.c.data_model)
}

/// Checks each program, and prints a line for each.
pub(super) fn run(programs: &[Program], arguments: &CheckArguments) -> Result<Exit, CliError> {
    several::refuse(arguments, "a check of several programs", "--program NAME")?;
    if arguments.each || arguments.entry.as_deref() == Some(super::functions::ALL) {
        let why = "'--each' and '--entry *' are for one program: '--program' names it";
        return Err(CliError::Usage(why.to_owned()));
    }
    let open = |p: &Program| Property::open(Kind::Program, &p.name, vec![output::name(&p.main)]);
    let questions = Questions {
        all: programs.iter().map(open).collect(),
        option: "--program",
        more: vec![],
        assumed: vec![FILES.to_owned()],
    };
    several::run(questions, arguments)
}
