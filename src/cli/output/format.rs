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

/// Which findings the exit code is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum FailOn {
    /// All: the exit code says what the verdict says
    #[default]
    Any,
    /// Those that are neither known by `--baseline` nor silenced by a comment: 0 where there is no error and nothing undecided
    /// among them, also where the verdict is another one than SAFE
    New,
}
