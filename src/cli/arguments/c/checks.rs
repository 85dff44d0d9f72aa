//! The options that look for errors in operations and accesses: a list, and flags for the checks that are older than it.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use hardbop_base::errors::{CHECKS, Check, CheckRow, Checks, GROUPS};

use super::HEADING;

/// The option that takes a list.
const LIST: &str = "check";
const HELP: &str = "Kinds of error that are looked for in operations and accesses, separated by commas; `no-NAME` takes one \
                    away; may be repeated. A program that states no error itself is asked for `undefined`";

/// Reads a word of the list.
#[derive(Clone)]
struct Word;

impl TypedValueParser for Word {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        match value.to_str().filter(|word| Checks::of_list(word).is_ok()) {
            Some(word) => Ok(word.to_owned()),
            // Says which words there are.
            None => PossibleValuesParser::new(values()).parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(values()))
    }
}

/// The names of checks and groups, with their help.
fn values() -> impl Iterator<Item = PossibleValue> {
    let checks = CHECKS.iter().map(|row| (row.name, row.help));
    let all = checks.chain(GROUPS.iter().map(|group| (group.name, group.help)));
    all.map(|(name, help)| PossibleValue::new(name).help(help))
}

/// The checks that have a flag.
fn with_flag() -> impl Iterator<Item = &'static CheckRow> {
    CHECKS.iter().filter(|row| row.check <= Check::Uninitialised)
}

/// The checks that were asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckOptions(pub Checks);

impl FromArgMatches for CheckOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let words = matches.get_many::<String>(LIST).into_iter().flatten();
        let words: Vec<&str> = words.map(String::as_str).collect();
        let listed = match words.is_empty() {
            true => Checks::default(),
            // Each is one of a list.
            false => Checks::of_list(&words.join(",")).unwrap_or_default(),
        };
        let flags = with_flag().filter(|row| matches.get_flag(row.option));
        Ok(Self(flags.fold(listed, |checks, row| checks.with(row.check))))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for CheckOptions {
    fn augment_args(command: Command) -> Command {
        let flag = |row: &CheckRow| {
            let arg = Arg::new(row.option).long(row.option).help(row.help);
            arg.action(ArgAction::SetTrue).help_heading(HEADING).hide(true)
        };
        let list = Arg::new(LIST).long(LIST).value_name("LIST").help(HELP).help_heading(HEADING);
        let list = list.value_delimiter(',').value_parser(Word).action(ArgAction::Append);
        command.arg(list).args(with_flag().map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
