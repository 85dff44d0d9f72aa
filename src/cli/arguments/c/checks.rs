//! The options that look for errors in operations and accesses: a flag for each check of the table.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use hardbop_base::errors::{CHECKS, Checks};

use super::HEADING;

/// The checks that were asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckOptions(pub Checks);

impl FromArgMatches for CheckOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut checks = Checks::default();
        for row in &CHECKS {
            checks.set(row.check, matches.get_flag(row.option));
        }
        Ok(Self(checks))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for CheckOptions {
    fn augment_args(command: Command) -> Command {
        let flag = |row: &hardbop_base::errors::CheckRow| {
            let arg = Arg::new(row.option).long(row.option).help(row.help);
            arg.action(ArgAction::SetTrue).help_heading(HEADING)
        };
        command.args(CHECKS.iter().map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
