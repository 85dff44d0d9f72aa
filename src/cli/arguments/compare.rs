//! `hardbop compare`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::limits;
use hardbop_base::process::CommandLine;
use hardbop_bp::engine::Engine;

const HELP: &str = "\
Exit code 0, or 70 where verdicts disagree (or an engine ends by an error of its own), 130 after
Ctrl-C, 2 for bad usage or bad input.

Examples:
  hardbop compare *.bp
  hardbop compare *.bp --engines auto,qbf --runs 3 --time-limit 5m --html page.html
  hardbop compare *.bp --engines auto --peer-preset spacer,abc
  hardbop compare *.bp --peer 'plain=hardbop check --plain {}'
  hardbop compare *.c --peer 'cbmc=cbmc {}'";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct CompareArguments {
    /// The programs
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// The engines, with commas between them; all where none is named
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "ENGINE",
        help_heading = "What to run"
    )]
    pub engines: Option<Vec<Engine>>,

    /// Further options of `check`, for all engines
    #[arg(
        long,
        value_name = "OPTIONS",
        default_value = "",
        allow_hyphen_values = true,
        help_heading = "What to run"
    )]
    pub check_options: String,

    /// Other programs that are known here, on Boolean programs as `export` writes them; what it
    /// cannot write counts as undecided; with commas between them
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "NAME",
        help_heading = "What to run"
    )]
    pub peer_preset: Vec<Preset>,

    /// Another program: a name for it and its command line, in which `{}` is the file; without
    /// `{}` the file goes to its standard input; may be repeated
    #[arg(long, value_name = "NAME=COMMAND", help_heading = "What to run")]
    pub peer: Vec<Peer>,

    /// A line of its output that means SAFE; for one `--peer` or for all of them; may be repeated
    #[arg(long, value_name = "[NAME=]REGEX", help_heading = "What to run")]
    pub peer_safe: Vec<String>,

    /// A line of its output that means UNSAFE; for one `--peer` or for all of them; may be repeated
    #[arg(long, value_name = "[NAME=]REGEX", help_heading = "What to run")]
    pub peer_unsafe: Vec<String>,

    /// Known verdicts: lines of a file's name, relative to this list, and safe, unsafe or unknown,
    /// with a tab between; `expected.tsv` beside a program is read in any case
    #[arg(long, value_name = "FILE", help_heading = "What to run")]
    pub expected: Option<PathBuf>,

    /// Files such as `NAME-12.bp` are families: who does not decide a member is not run on larger
    /// ones, and tables and plots show time against the number
    #[arg(long, help_heading = "What to run")]
    pub growth: bool,

    /// End a run after this time: seconds, or a number with ms, s, m or h
    #[arg(long, value_name = "TIME", value_parser = limits::duration, default_value = "60s", help_heading = "How to run")]
    pub time_limit: Duration,

    /// End a run beyond this resident memory: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = limits::bytes, help_heading = "How to run")]
    pub memory_limit: Option<u64>,

    /// Runs of each on each file; what counts is the median
    #[arg(long, value_name = "K", value_parser = positive, default_value = "1", help_heading = "How to run")]
    pub runs: usize,

    /// Runs at the same time; more than one make times less certain
    #[arg(long, value_name = "N", value_parser = positive, default_value = "1", help_heading = "How to run")]
    pub jobs: usize,

    /// Write every run as a line of CSV; `-` is standard output, in place of the table
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub csv: Option<PathBuf>,

    /// Write everything as one JSON document
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,

    /// Write a page with tables and plots
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,

    /// Write the plots into this directory
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub svg: Option<PathBuf>,

    /// Show no progress
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

impl CompareArguments {
    /// The engines: those that are named, else all, else none if only peers are wanted.
    pub fn engines(&self) -> Vec<Engine> {
        match &self.engines {
            Some(engines) => engines.clone(),
            None => Engine::value_variants().to_vec(),
        }
    }
}

/// External programs whose command lines and answers are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// Z3's Spacer on Horn clauses: `z3`
    Spacer,
    /// ABC's `pdr` on circuits: `berkeley-abc` or `abc`
    Abc,
    /// rIC3's IC3 on circuits: `rIC3`
    Ric3,
}

/// An external program, by name.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    pub name: String,
    pub command: CommandLine,
}

impl FromStr for Peer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
        let (name, command) = named.ok_or("use NAME=COMMAND")?;
        let name = name.trim().to_owned();
        // It becomes a part of the names of files.
        if !name.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c)) {
            return Err("a name has letters, digits and . _ + - only".to_owned());
        }
        let command = command.parse::<CommandLine>().map_err(|e| e.to_string())?;
        Ok(Self { name, command })
    }
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=1_000).contains(&n) => Ok(n),
        _ => Err("use a number from 1 to 1000".to_owned()),
    }
}
