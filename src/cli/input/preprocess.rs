//! C texts that need the preprocessor: `cc -E` runs, or another compiler's.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;

use super::text::mistakes;
use crate::base::source::{Original, Source};
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::output::error::{CliError, reason};
use crate::cli::output::format::Color;
use crate::cli::output::is_stream;
use crate::program::c::types::DataModel;
use crate::program::c::{
    ParseOptions, comments_of, conceal, data_model, expose, is_same_code, needs_preprocessor,
};

/// Whether a file is to be preprocessed: where it needs that, and where options ask for it, unless its name says that
/// it has been.
pub(super) fn is_preprocessed(source: &Source, file: &Path, how: &Preprocessor) -> bool {
    let is_result = file.extension().is_some_and(|e| e == "i");
    how.is_given && !is_result || needs_preprocessor(&source.text)
}

/// The text without directives other than line marks, which name the file as the user does.  Headers in
/// quotes are looked for beside the file.
pub(crate) fn preprocessed(
    source: Source,
    file: &Path,
    options: &ParseOptions,
    how: &Preprocessor,
) -> Result<Source, CliError> {
    if !is_preprocessed(&source, file, how) {
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
    let run = Run { how, width, folder, name: &source.name };
    let original = vec![(source.name.clone(), original(&source.text))];
    let plain = run.written(&[], &text)?;
    if !annotated {
        return Ok(Source::new(source.name, plain).with_originals(original));
    }
    // Headers have annotations, too.
    let text = run.written(&["-C"], &text)?;
    if !is_same_code(&text, &plain) {
        return Err(fail("comments in headers change what it writes".to_owned()));
    }
    let text = conceal(&text).map_err(|e| fail(e.to_owned()))?;
    Ok(Source::new(source.name, text).with_originals(original))
}

/// What places are found in.
pub(super) fn original(text: &str) -> Arc<Original> {
    Arc::new(Original::new(text, &comments_of(text)))
}

/// A run of the preprocessor.
struct Run<'a> {
    how: &'a Preprocessor,
    /// Says which data model.
    width: &'a str,
    folder: &'a Path,
    name: &'a str,
}

impl Run<'_> {
    /// What the preprocessor writes.  Where the headers or the compiler are for one data model only, theirs have to do.
    fn written(&self, options: &[&str], text: &str) -> Result<String, CliError> {
        let mut done = self.output(&[options, &[self.width]].concat(), text);
        if !done.as_ref().is_ok_and(|o| o.status.success()) {
            done = self.output(options, text);
        }
        let program = self.how.program.program();
        let done = done.map_err(|e| CliError::Read {
            name: self.name.to_owned(),
            reason: format!("it needs the preprocessor: '{program} -E': {}", reason(&e)),
        })?;
        if !done.status.success() {
            return Err(CliError::Preprocess {
                name: self.name.to_owned(),
                program: program.to_owned(),
                said: String::from_utf8_lossy(&done.stderr).trim_end().to_owned(),
            });
        }
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    fn output(&self, options: &[&str], text: &str) -> io::Result<Output> {
        let mut child = self
            .how
            .program
            .on(Path::new("-"))
            .args(options)
            // glibc's <ctype.h> then declares functions, instead of looking into its tables.
            .args(["-E", "-x", "c", "-D__NO_CTYPE"])
            .args(&self.how.options)
            .arg("-iquote")
            .arg(self.folder)
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
