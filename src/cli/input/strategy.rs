//! The file of `--strategy`, or its text.

use std::fmt::Display;
use std::path::Path;

use serde::Serialize;

use super::text::read_bytes;
use crate::cli::output::error::CliError;
use crate::cli::output::{name, print};

/// The word in the place of a file that asks for the built-in strategy.
const HELP: &str = "help";

/// What `--strategy` asks for.
pub(crate) enum Asked<T> {
    /// This strategy; `None`: the built-in one.
    Strategy(Option<T>),
    /// The built-in strategy as text, which has been printed.
    Help,
}

/// Reads the strategy of a file with this function.
///
/// # Errors
/// The file cannot be read, or holds no strategy.
pub(crate) fn strategy<T: Serialize + Default, E: Display>(
    file: Option<&Path>,
    read: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<Asked<T>, CliError> {
    let Some(file) = file else { return Ok(Asked::Strategy(None)) };
    if file == Path::new(HELP) {
        let text = serde_json::to_string_pretty(&T::default()).unwrap_or_default();
        print(&format!("{text}\n"))?;
        return Ok(Asked::Help);
    }
    // A strategy is short: a campaign says it among its arguments.
    let text = file.as_os_str().as_encoded_bytes();
    let read = if text.starts_with(b"{") { read(text) } else { read(&read_bytes(file)?) };
    let mistake = |e| CliError::Usage(format!("'{}' is no strategy: {e}", name(file)));
    read.map(|strategy| Asked::Strategy(Some(strategy))).map_err(mistake)
}
