//! `hardbop reference`: the manual page, the tables of docs/cli.md and completions, from the
//! definitions of the arguments.

mod completions;
mod item;
mod manual;
mod markdown;

use clap::{Command, CommandFactory};

use crate::cli::arguments::command::{Arguments, ReferenceArguments};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;

/// Prints the page, the options of one command, or completions.
pub(crate) fn run(arguments: &ReferenceArguments) -> Result<Exit, CliError> {
    let root = Arguments::command();
    let text = if let Some(shell) = arguments.completions {
        completions::script(&root, shell)
    } else if arguments.command.is_empty() {
        manual::page(&root)
    } else {
        markdown::options(find(&root, &arguments.command)?)
    };
    output::print(&text)?;
    Ok(Exit::Safe)
}

/// The command of that name.
fn find<'a>(root: &'a Command, words: &[String]) -> Result<&'a Command, CliError> {
    words.iter().try_fold(root, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            CliError::Usage(format!("there is no command 'hardbop {}'", words.join(" ")))
        })
    })
}
