//! `hardbop lsp`, as an editor meets it: what is shown of a file, where, and when; and every way to misuse the protocol.

mod client;
#[cfg(feature = "c")]
mod files;
mod session;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use self::client::Client;

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        write(&folder.path().join(name), text);
    }
    folder
}

fn write(path: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("made");
    fs::write(path, text).expect("written");
    path.to_owned()
}

/// `LINE:FROM-TO` of a range in one line, counted from 0.
fn range(range: &Value) -> String {
    let (start, end) = (&range["start"], &range["end"]);
    assert_eq!(start["line"], end["line"], "one line: {range}");
    format!("{}:{}-{}", start["line"], start["character"], end["character"])
}

/// Severities, kinds and ranges of diagnostics.
fn shown(diagnostics: &[Value]) -> Vec<String> {
    let shown = |d: &Value| {
        assert_eq!(d["source"], "hardbop");
        let code = d["code"].as_str().expect("a code");
        format!("{} {code} {}", d["severity"], range(&d["range"]))
    };
    diagnostics.iter().map(shown).collect()
}
