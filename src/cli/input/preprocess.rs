//! C texts that need the preprocessor: `cc -E` runs, or another compiler's.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;

use super::archive::Unpacked;
use super::text::mistakes;
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::output::error::{CliError, reason};
use crate::cli::output::format::Color;
use crate::cli::output::is_stream;
use hardbop_base::process::Folder;
use hardbop_base::source::{Original, Source};
use hardbop_c::types::DataModel;
use hardbop_c::{
    ParseOptions, comments_of, conceal, data_model, expose, is_same_code, needs_preprocessor,
};

/// Whether a file is to be preprocessed: where it needs that, and where options ask for it, unless
/// its name says that it has been.
pub(super) fn is_preprocessed(source: &Source, file: &Path, how: &Preprocessor) -> bool {
    let is_result = file.extension().is_some_and(|e| e == "i");
    how.is_given && !is_result || needs_preprocessor(&source.text)
}

/// The text without directives other than line marks, which name the file as the user does.
/// Headers in quotes are looked for beside the file.
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
    let unpacked = Unpacked::around(file).transpose()?;
    let folder = match file.parent() {
        _ if let Some(unpacked) = &unpacked => unpacked.folder(),
        Some(parent) if !is_stream(file) && !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // A compiler's own headers would show its own data model, not that of the program.
    let model = options.model.or_else(|| data_model(&source.text)).unwrap_or_default();
    let run = Run { how, model, folder, name: &source.name };
    let original = vec![(source.name.clone(), original(&source.text))];
    let named = |text: String| match &unpacked {
        Some(unpacked) => unpacked.renamed(&text),
        None => text,
    };
    let plain = named(run.written(&[], &text)?);
    if !annotated {
        return Ok(Source::new(source.name, plain).with_originals(original));
    }
    // Headers have annotations, too.
    let text = named(run.written(&["-C"], &text)?);
    if !is_same_code(&text, &plain) {
        return Err(fail("comments in headers change what it writes".to_owned()));
    }
    let text = conceal(&text).map_err(|e| fail(e.to_owned()))?;
    Ok(Source::new(source.name, text).with_originals(original))
}

/// The original text in which places are found.
pub(super) fn original(text: &str) -> Arc<Original> {
    Arc::new(Original::new(text, &comments_of(text)))
}

/// A run of the preprocessor.
struct Run<'a> {
    how: &'a Preprocessor,
    model: DataModel,
    folder: &'a Path,
    name: &'a str,
}

/// The error of a preprocessor whose data model is another one.
const OTHER_MODEL: &str = "this compiler has another data model";

impl Run<'_> {
    /// The output of the preprocessor, with headers of the program's data model: another one has
    /// other limits and types.
    fn written(&self, options: &[&str], text: &str) -> Result<String, CliError> {
        let width = if self.model == DataModel::Ilp32 { "-m32" } else { "-m64" };
        let sized: Vec<&OsStr> = options.iter().copied().chain([width]).map(OsStr::new).collect();
        let mut failed = match self.output(&sized, text) {
            Ok(done) if done.status.success() => return Ok(text_of(&done.stdout)),
            Ok(done) => done,
            Err(e) => {
                let program = self.how.program.program();
                let reason = format!("it needs the preprocessor: '{program} -E': {}", reason(&e));
                return Err(CliError::Read { name: self.name.to_owned(), reason });
            }
        };
        if let Some(done) = self.with_shared_headers(&sized, text) {
            if done.status.success() {
                return Ok(text_of(&done.stdout));
            }
            failed = done;
        }
        // A compiler for one data model may know none of these options.
        let bytes = self.model.word() / 8;
        let guard = format!("#if __SIZEOF_LONG__ != {bytes}\n#error {OTHER_MODEL}\n#endif\n");
        let plain: Vec<&OsStr> = options.iter().map(OsStr::new).collect();
        let mut tip = "";
        if let Ok(done) = self.output(&plain, &(guard + text)) {
            if done.status.success() {
                return Ok(text_of(&done.stdout));
            }
            if text_of(&done.stderr).contains(OTHER_MODEL) {
                tip = match self.model {
                    DataModel::Ilp32 => {
                        "\ntip: it may lack the headers for '--32' (Debian: libc6-dev-i386)"
                    }
                    DataModel::Lp64 => "\ntip: it may lack the headers for '--64'",
                };
            } else {
                failed = done;
            }
        }
        Err(CliError::Preprocess {
            name: self.name.to_owned(),
            program: self.how.program.program().to_owned(),
            said: format!("{}{tip}", text_of(&failed.stderr).trim_end()),
        })
    }

    /// A run with the headers that Debian keeps for the machine's own data model.  They serve both
    /// but for a list of functions that do nothing, of which each model has its own: here it is
    /// empty.
    fn with_shared_headers(&self, options: &[&OsStr], text: &str) -> Option<Output> {
        let mut ask = self.how.program.on(Path::new("-"));
        let place = ask.arg("-print-multiarch").stderr(Stdio::null()).output().ok()?;
        let place = Path::new("/usr/include").join(text_of(&place.stdout).trim());
        if !place.join("gnu/stubs.h").is_file() {
            return None;
        }
        let lists = Folder::new().ok()?;
        std::fs::create_dir(lists.path().join("gnu")).ok()?;
        for name in ["gnu/stubs-32.h", "gnu/stubs-64.h"] {
            std::fs::write(lists.path().join(name), "").ok()?;
        }
        let behind = ["-idirafter".as_ref(), place.as_os_str(), "-idirafter".as_ref()];
        self.output(&[options, &behind, &[lists.path().as_os_str()]].concat(), text).ok()
    }

    fn output(&self, options: &[&OsStr], text: &str) -> io::Result<Output> {
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

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
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
