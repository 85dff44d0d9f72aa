//! `hardbop check`: arguments for both languages, and the library's options that follow from all of
//! them.

use std::path::{Path, PathBuf};

use clap::Args;

use super::boolean::{BooleanArguments, EngineArguments};
#[cfg(feature = "c")]
use super::c::CArguments;
use super::limits::Limits;
use super::output::{OutputArguments, ReportArguments};
use hardbop_bp::engine;
use hardbop_bp::language::resolve::ResolveOptions;
use hardbop_report::document::RunOptions;
#[cfg(feature = "c")]
use hardbop_verify as verify;

const EXIT_CODES: &str = "\
The last line of the output is the verdict:
  VERDICT: SAFE               exit code 0
  VERDICT: UNSAFE             exit code 10, after a trace into the error
  VERDICT: UNKNOWN (reason)   exit code 20, or 130 after Ctrl-C
Exit code 2 means bad usage or bad input, 70 an error in hardbop itself.
With '--fail-on new', 0, 10 and 20 are about new findings alone; the last line is not.

Examples:
  hardbop check driver.bp
  hardbop check driver.bp --error BAD --error WORSE --ignore-asserts
  hardbop check driver.bp --time-limit 5m --memory-limit 2G --stats
  hardbop check driver.bp --json > result.json
  hardbop check main.c queue.c -I include -D DEBUG
  hardbop check driver.bp --dump-cfg - | dot -Tsvg > driver.svg";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CheckArguments {
    /// The program; `-` reads standard input. Several C files are linked, and so are those in an
    /// archive (.tar, .tar.gz, .tgz, .zip)
    #[cfg_attr(
        feature = "c",
        arg(value_name = "FILE", required_unless_present = "compile_commands")
    )]
    #[cfg_attr(not(feature = "c"), arg(value_name = "FILE", required = true))]
    pub files: Vec<PathBuf>,

    /// A label that must not be reached, instead of ERROR and SLIC_ERROR; may be repeated
    #[arg(long, value_name = "LABEL", help_heading = "What to check")]
    pub error: Vec<String>,

    /// Check the labels only: assertions (in Boolean programs also `abortif`) do nothing
    #[arg(long, help_heading = "What to check")]
    pub ignore_asserts: bool,

    /// The procedure that the program starts with, instead of `main`; a C program without `main` starts
    /// with the only function that no other calls. `'*'` checks each function of a C program that has a body by itself, with the
    /// limits for each, and prints a line for each; the last line and the exit code are those of the worst
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub entry: Option<String>,

    /// Print a verdict for each label, each assertion, and of a C program each operation at its place, with the limits for each
    /// run that this takes; the last line and the exit code are those of the worst. An execution ends where another assertion
    /// fails, or another operation is an error
    #[arg(long, help_heading = "What to check")]
    #[arg(conflicts_with_all = ["certificate", "dump_cfg", "dump_qbf"])]
    #[cfg_attr(feature = "c", arg(conflicts_with_all = [
        "spec", "harness", "dump_witness", "witness", "dump_art", "dump_smt", "dump_predicates", "learned", "save_bps",
    ]))]
    pub each: bool,

    /// With `--each`, stop at the first error that is neither known by `--baseline` nor silenced: what is not decided by then stays so
    #[arg(long, requires = "each", help_heading = "What to check")]
    pub first: bool,

    /// Of assertions only those at these places (FILE:LINE:COLUMN), no labels but those of `--error`, and of the operations of a check
    /// that is named only those at its places (CHECK@FILE:LINE:COLUMN): what `--each` runs
    #[arg(long = "only-at", value_name = "PLACE", hide = true, conflicts_with = "each")]
    pub only_at: Vec<String>,

    /// Errors that do not occur, by assumption, named as for `--only-at`: what `--each` has found
    #[arg(long = "except-at", value_name = "PLACE", hide = true, conflicts_with = "each")]
    pub except_at: Vec<String>,

    #[command(flatten)]
    pub limits: Limits,

    /// Take the steps of this file (JSON), or of this text where it begins with `{`, in place of the built-in ones: of
    /// `--engine auto` for a Boolean program, of `--route` for C; `help` instead prints the built-in ones
    #[arg(long, value_name = "FILE", help_heading = "Limits")]
    pub strategy: Option<PathBuf>,

    /// Another value for a limit of the engines, for measurements; `help` instead lists them; may be repeated
    #[arg(long = "limit", value_name = "NAME=VALUE", hide = true)]
    pub limit: Vec<String>,

    #[command(flatten)]
    pub output: OutputArguments,

    #[command(flatten)]
    pub reports: ReportArguments,

    #[command(flatten)]
    pub boolean: BooleanArguments,

    #[command(flatten)]
    pub engines: EngineArguments,

    #[cfg(feature = "c")]
    #[command(flatten)]
    pub c: CArguments,
}

/// Nodes of a reachability tree that a page shows.
#[cfg(feature = "c")]
const OUTLINE: usize = 400;

impl CheckArguments {
    /// The program; the first file of several.
    pub fn file(&self) -> &Path {
        self.files.first().map_or(Path::new("-"), PathBuf::as_path)
    }

    /// The errors of a Boolean program, as options of the resolver.
    pub fn resolve_options(&self) -> ResolveOptions {
        let mut resolve =
            ResolveOptions { check_asserts: !self.ignore_asserts, ..ResolveOptions::default() };
        if let Some(entry) = &self.entry {
            resolve.entry.clone_from(entry);
        }
        if !self.error.is_empty() || !self.only_at.is_empty() {
            resolve.error_labels.clone_from(&self.error);
        }
        resolve
    }

    /// How a Boolean program is checked.
    pub fn boolean_options(&self) -> RunOptions {
        // A page shows the evidence.
        let certify = self.reports.certificate.is_some() || self.reports.html.is_some();
        RunOptions {
            engine: engine::Options { certify, ..self.engines.options() },
            resolve: self.resolve_options(),
            dialect: self.boolean.dialect,
            threads: self.boolean.threads(),
            limits: self.limits.options(),
        }
    }

    /// How a C program is checked.
    #[cfg(feature = "c")]
    pub fn c_options(&self) -> verify::Options {
        // A page shows the tree.
        let outline = if self.reports.html.is_some() { OUTLINE } else { 0 };
        verify::Options { outline, ..self.c.options(self.engines.options()) }
    }
}
