//! Options for what a run prints, and how.

use std::path::PathBuf;

use clap::Args;

use crate::cli::output::format::{Color, FailOn, TraceFormat};

/// What `hardbop check` prints.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Print statistics before the verdict
    #[arg(long)]
    pub stats: bool,

    /// Print one JSON document instead of everything else
    #[arg(long)]
    pub json: bool,

    /// Print annotations before the verdict, as workflow commands of GitHub Actions: of errors, and of what is undecided, but for
    /// what is known or silenced
    #[arg(long, conflicts_with = "json")]
    pub github: bool,

    /// How to show the way into an error
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub trace: TraceFormat,

    /// Say on standard error what is being done
    #[arg(short, long)]
    pub verbose: bool,

    /// Print the verdict only: no trace, no progress, no warnings
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    #[command(flatten)]
    pub color: ColorArguments,
}

/// How messages look.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ColorArguments {
    /// When to colour messages
    #[arg(long = "color", value_enum, default_value_t, value_name = "WHEN")]
    pub when: Color,
}

/// Where reports go.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArguments {
    /// Write the evidence for the verdict, for `hardbop certify`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Write SARIF 2.1.0, for code scanning: an error with the way into it
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Where the input has mistakes, write them as JSON: what `hardbop lsp` runs
    #[arg(long, value_name = "FILE", hide = true)]
    pub mistakes: Option<PathBuf>,

    /// With `--each`, compare with the SARIF of an earlier run: findings that it has are known, others new
    #[arg(long, value_name = "FILE", requires = "each")]
    pub baseline: Option<PathBuf>,

    /// With `--each`, which findings the exit code is about; the verdict is that of all in any case
    #[arg(long, value_enum, default_value_t, value_name = "WHICH", requires = "each")]
    pub fail_on: FailOn,

    /// Write JUnit's XML, for build servers: a test that passes where the program is SAFE
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write a page for browsers: an error's path to step through beside the text, invariants at their lines, the reachability
    /// tree or the summaries of procedures, statistics
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}
