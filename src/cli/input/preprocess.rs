//! C texts that need the preprocessor: `cc -E` runs.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::text::mistakes;
use crate::base::source::Source;
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use crate::cli::output::is_stream;
use crate::program::c::types::DataModel;
use crate::program::c::{
    ParseOptions, conceal, data_model, expose, is_same_code, needs_preprocessor,
};

/// The text without directives other than line marks, which name the file as the user does.  Headers in
/// quotes are looked for beside the file.
pub(crate) fn preprocessed(
    source: Source,
    file: &Path,
    options: &ParseOptions,
) -> Result<Source, CliError> {
    if !needs_preprocessor(&source.text) {
        return Ok(source);
    }
    let fail = |reason: String| CliError::Read {
        name: source.name.clone(),
        reason: format!("it needs the preprocessor: {reason}"),
    };
    // The text comes through a pipe, for standard input has no name; this line gives it one.
    let annotated = options.property.acsl;
    let text = if annotated {
        expose(&source.text).map_err(|e| mistakes(&source, &[e], Color::Never))?
    } else {
        source.text.clone()
    };
    let text = format!("# 1 \"{}\"\n{text}", escaped(&source.name));
    let folder = match file.parent() {
        Some(parent) if !is_stream(file) && !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // A compiler's own headers would show its own data model, not that of the program.
    let width = match options.model.or_else(|| data_model(&source.text)).unwrap_or_default() {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let plain = written(&[], width, folder, &text).map_err(fail)?;
    if !annotated {
        return Ok(Source::new(source.name, plain));
    }
    // Headers have annotations, too.
    let text = written(&["-C"], width, folder, &text).map_err(fail)?;
    if !is_same_code(&text, &plain) {
        return Err(fail("comments in headers change what it writes".to_owned()));
    }
    let text = conceal(&text).map_err(|e| fail(e.to_owned()))?;
    Ok(Source::new(source.name, text))
}

/// What the preprocessor writes.  Where the headers or the compiler are for one data model only, theirs have to do.
fn written(options: &[&str], width: &str, folder: &Path, text: &str) -> Result<String, String> {
    let mut done = preprocess(&[options, &[width]].concat(), folder, text);
    if !done.as_ref().is_ok_and(|o| o.status.success()) {
        done = preprocess(options, folder, text);
    }
    let done = done.map_err(|e| format!("'cc -E': {e}"))?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).trim().to_owned());
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

fn preprocess(options: &[&str], folder: &Path, text: &str) -> io::Result<Output> {
    let mut child = Command::new("cc")
        .args(options)
        // glibc's <ctype.h> then declares functions, instead of looking into its tables.
        .args(["-E", "-D__NO_CTYPE", "-iquote"])
        .arg(folder)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut to = child.stdin.take().expect("it is piped");
    std::thread::scope(|scope| {
        // Both pipes may fill; a preprocessor that stops early reads no more.
        scope.spawn(move || to.write_all(text.as_bytes()));
        child.wait_with_output()
    })
}

/// A file's name in a line mark.
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' | '\r' => out.push('_'),
            _ => out.push(c),
        }
    }
    out
}
