//! Options for reports: what `check` writes for other programs.

use std::path::PathBuf;

use clap::Args;

/// Where reports go.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArguments {
    /// Write SARIF 2.1.0, for code scanning: an error with the way into it
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write JUnit's XML, for build servers: a test that passes where the program is SAFE
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}
