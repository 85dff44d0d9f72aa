//! The file name `-`, which stands for a standard stream.

use std::path::Path;

/// Does this name the standard stream?
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of the file for messages.
pub(crate) fn name(path: &Path) -> String {
    if is_stream(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}
