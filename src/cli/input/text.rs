//! Reading programs and formulas.

use std::fs::{File, metadata};
use std::io::{self, Read};
use std::path::Path;

#[cfg(feature = "c")]
use super::archive;
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use crate::cli::output::mistakes::Mistakes;
use crate::cli::output::{colored, is_stream, name};
use hardbop_base::source::{Diagnostic, MOST_MISTAKES, Source};
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::syntax::SyntaxTree;
use hardbop_bp::language::text::decode;
use hardbop_report::diagnostic::render;
use hardbop_report::units::counted;

/// Reads all of a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    #[cfg(feature = "c")]
    if let Some(content) = archive::read(path) {
        return content;
    }
    let mut bytes = Vec::new();
    let done = if is_stream(path) {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut f| f.read_to_end(&mut bytes))
    };
    done.map_err(|e| CliError::read(&name(path), &e))?;
    Ok(bytes)
}

/// The bytes of a file, if it is not longer than `limit` bytes.
pub(crate) fn read_bytes_up_to(path: &Path, limit: usize) -> Result<Option<Vec<u8>>, CliError> {
    let mut bytes = Vec::new();
    let most = limit as u64 + 1;
    let done = if is_stream(path) {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|f| f.take(most).read_to_end(&mut bytes))
    };
    done.map_err(|e| CliError::read(&name(path), &e))?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

/// Reads the text of a program.
pub(crate) fn read(path: &Path) -> Result<Source, CliError> {
    let name = name(path);
    let bytes = read_bytes(path)?;
    // Places in a text are 32 bits.
    if u32::try_from(bytes.len()).is_err() {
        return Err(CliError::Read { name, reason: "larger than 4 GiB".to_owned() });
    }
    match decode(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        // There is no text to point into.
        Err(d) => {
            let reason = format!("{} ({}); {}", d.message, d.label, d.hint.unwrap_or_default());
            Err(CliError::Read { name, reason })
        }
    }
}

/// The text of a file that a report shows, by the name that messages have for it; or why there is
/// none.
pub(crate) fn listing(file: &str) -> Result<String, String> {
    if file == name(Path::new("-")) {
        return Err("standard input is read only once".to_owned());
    }
    let path = Path::new(file);
    // Reading from a pipe might take forever.
    if metadata(path).is_ok_and(|m| !m.is_file()) {
        return Err(format!("'{file}' is no regular file"));
    }
    read(path).map(|source| source.text).map_err(|e| e.to_string())
}

/// Parses it; mistakes become one error with all of them.
pub(crate) fn parsed(
    source: &Source,
    dialect: Dialect,
    color: Color,
) -> Result<SyntaxTree, CliError> {
    parse(&source.text, dialect).map_err(|d| mistakes(source, &d, color))
}

/// The error for mistakes in a text.
pub(crate) fn mistakes(source: &Source, diagnostics: &[Diagnostic], color: Color) -> CliError {
    CliError::Diagnostics(listed(source, diagnostics, color))
}

/// Mistakes in a text, as far as they are told.
pub(crate) fn listed(source: &Source, diagnostics: &[Diagnostic], color: Color) -> Mistakes {
    let shown = &diagnostics[..diagnostics.len().min(MOST_MISTAKES)];
    let mut text = render(source, shown, colored(color));
    let more = diagnostics.len() - shown.len();
    if more > 0 {
        text.push_str(&format!("... and {}\n\n", counted(more as u64, "more mistake")));
    }
    Mistakes::new(text, source, shown)
}
