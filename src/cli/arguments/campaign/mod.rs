//! `hardbop campaign`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::limits;

const HELP: &str = "\
The exit code is that of the worst task: 0 where all are SAFE, 10 where one is UNSAFE, 20 where one has
no verdict. 70: a verdict contradicts the one that is known, or a task ended by an internal error.
130 after Ctrl-C; started again, the campaign goes on.

Examples:
  hardbop campaign campaign.toml
  hardbop campaign campaign.toml --html page.html --diff yesterday.sqlite
  hardbop campaign campaign.toml --on ray://head:10001";

#[derive(Debug, Clone, Args)]
#[command(after_help = HELP)]
pub(crate) struct CampaignArguments {
    /// The description: programs, properties, options, limits
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Where tasks run: `local`, or `ray://HOST:PORT` for the machines of a Ray cluster, `ray://auto` for the one that
    /// this machine belongs to
    #[arg(long, value_name = "PLACE", default_value = "local", help_heading = "How to run")]
    pub on: Place,

    /// Tasks at the same time on this machine, as one hardly uses more than one processor; without it, one for each
    /// processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "How to run")]
    pub jobs: Option<u16>,

    /// Memory for all tasks at the same time on this machine: one that may take more than is left waits; without it,
    /// nine tenths of what is free
    #[arg(long, value_name = "SIZE", value_parser = limits::bytes, help_heading = "How to run")]
    pub memory: Option<u64>,

    /// Divide tasks that take long, or have no verdict in their limits, where there is room for more runs: by other ways to
    /// the same verdict, and by property; the first answer counts.  As `split = true` in the description
    #[arg(long, help_heading = "How to run")]
    pub split: bool,

    /// The Python that has hardbop and Ray, for `--on ray://`
    #[arg(long, value_name = "PROGRAM", default_value = "python3", help_heading = "How to run")]
    pub python: PathBuf,

    /// Run tasks without a verdict again: what made them fail may be gone
    #[arg(long, help_heading = "How to run")]
    pub retry: bool,

    /// Run nothing: show what is known
    #[arg(long, help_heading = "How to run")]
    pub no_run: bool,

    /// Where results are kept, in place of what the description says, so that two campaigns do not share them
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub store: Option<PathBuf>,

    /// Write every task as a line of CSV; `-` is standard output, in place of the table
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub csv: Option<PathBuf>,

    /// Write a page for browsers with filters and plots; pages of tasks go to a folder beside it
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,

    /// Write results as BenchExec does into this folder, for its table-generator
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub benchexec: Option<PathBuf>,

    /// Tell what has changed since the campaign with this store: verdicts, and times by a factor of two
    #[arg(long, value_name = "STORE", help_heading = "Output")]
    pub diff: Option<PathBuf>,

    /// Show no progress and no table, for logs: the last line says how many tasks have which verdict
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// Where tasks run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Local,
    /// A cluster, by what Ray's client takes: `auto`, or `ray://HOST:PORT`.
    Ray(String),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("ray://") {
            Some("auto") => Ok(Self::Ray("auto".to_owned())),
            Some(host) if host.contains(':') => Ok(Self::Ray(text.to_owned())),
            Some(_) => Err("Ray's address has a port, such as ray://head:10001".to_owned()),
            None if text == "local" => Ok(Self::Local),
            None => Err("use local, ray://auto or ray://HOST:PORT".to_owned()),
        }
    }
}
