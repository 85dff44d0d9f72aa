//! Forms of output that the user can choose.

use clap::ValueEnum;

/// When messages are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// How the way into an error is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TraceFormat {
    /// Statements, and what they change
    #[default]
    Text,
    /// The same steps as JSON
    Json,
    /// Not at all
    None,
}
