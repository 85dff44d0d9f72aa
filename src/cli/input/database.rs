//! Compile databases: `compile_commands.json`, in which build tools write down how each file is
//! compiled.
//!
//! Only the words of a command that the preprocessor and the size of `long` depend on are read; the
//! rest is for code generation.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::text::{mistakes, read};
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::arguments::c::{DataModelArguments, Language};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span, json_words};
use hardbop_task::is_task;

/// Options whose value is a file or folder, relative to that of the command.
const WITH_PATH: [&str; 8] =
    ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot"];
/// Options whose value is no path.
const WITH_TEXT: [&str; 2] = ["-D", "-U"];
/// Options as they are.
const PLAIN: [&str; 4] = ["-ansi", "-nostdinc", "-pthread", "-undef"];
/// Options that change what a program means, for which there is no counterpart.
const UNSUPPORTED: [&str; 5] =
    ["-funsigned-char", "-fshort-enums", "-fshort-wchar", "-fpack-struct", "-mx32"];

/// Reads the database, if one is given: its C files are the program where none are named, and its
/// options are theirs.
///
/// # Errors
/// The database cannot be read, or the commands do not fit together.
pub(crate) fn complete(
    files: &mut Vec<PathBuf>,
    how: &mut Preprocessor,
    model: &mut DataModelArguments,
) -> Result<(), CliError> {
    let Some(path) = &how.database else { return Ok(()) };
    let commands = commands(path)?;
    let chosen: Vec<Command> = if files.is_empty() {
        let mut chosen: Vec<Command> = vec![];
        for command in commands {
            match chosen.iter_mut().find(|other| other.file == command.file) {
                Some(first) => {
                    twice(path, first, &command);
                    first.targets.extend(command.targets);
                }
                None => chosen.push(command),
            }
        }
        chosen
    } else {
        let chosen = files.iter().map(|file| named(path, &commands, file));
        chosen.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect()
    };
    if files.is_empty() {
        files.extend(chosen.iter().map(|command| command.file.clone()));
    }
    if files.is_empty() {
        return Err(CliError::Usage(format!("'{}' has no C files", output::name(path))));
    }
    if !model.lp64 && !model.ilp32 {
        let narrow = chosen.iter().find(|command| command.is_narrow);
        let wide = chosen.iter().find(|command| !command.is_narrow);
        if let (Some(narrow), Some(wide)) = (narrow, wide) {
            return Err(CliError::Usage(format!(
                "'{}' is compiled with '-m32', '{}' is not\n  tip: '--32' or '--64' says which it is to be",
                output::name(&narrow.file),
                output::name(&wide.file)
            )));
        }
        model.ilp32 = narrow.is_some();
    }
    how.targets = chosen.iter().map(|c| (c.file.clone(), c.targets.clone())).collect();
    how.of_files = chosen.into_iter().map(|command| (command.file, command.options)).collect();
    Ok(())
}

/// The command for a file that the user names; of a file without one, the command line says all.
fn named(path: &Path, commands: &[Command], file: &Path) -> Result<Option<Command>, CliError> {
    if is_task(file) || !Language::Auto.is_c(file) {
        let name = output::name(file);
        return Err(CliError::Usage(format!(
            "'--compile-commands' is for C files; '{name}' is none"
        )));
    }
    let canonical = |file: &Path| fs::canonicalize(file).ok();
    let wanted = canonical(file);
    let mut found = commands.iter().filter(|c| wanted.is_some() && canonical(&c.file) == wanted);
    let Some(first) = found.next() else {
        output::complain(&format!(
            "warning: '{}' has no command for '{}'",
            output::name(path),
            output::name(file)
        ));
        return Ok(None);
    };
    let mut targets = first.targets.clone();
    found.for_each(|second| {
        twice(path, first, second);
        targets.extend(second.targets.iter().cloned());
    });
    let first = first.clone();
    Ok(Some(Command { file: file.to_owned(), targets, ..first }))
}

/// Warns of two commands for one file, of which the first one counts.
fn twice(path: &Path, first: &Command, second: &Command) {
    if (&first.options, first.is_narrow) != (&second.options, second.is_narrow) {
        output::complain(&format!(
            "warning: '{}' has several commands for '{}': the first one counts",
            output::name(path),
            output::name(&first.file)
        ));
    }
}

/// The commands for C files.
fn commands(path: &Path) -> Result<Vec<Command>, CliError> {
    let source = read(path)?;
    let entries: Vec<Entry> =
        serde_json::from_str(&source.text).map_err(|error| mistake(&source, &error))?;
    let here = env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let beside = path.parent().unwrap_or(Path::new(""));
    let is_c = |entry: &Entry| entry.0.file.extension().is_some_and(|e| e == "c" || e == "i");
    let entries = entries.into_iter().filter(is_c);
    Ok(entries.map(|Entry(command)| command.placed(beside, &here)).collect())
}

/// The mistake in the text of a database.
fn mistake(source: &Source, error: &serde_json::Error) -> CliError {
    let lines = source.text.split_inclusive('\n');
    let start: usize = lines.take(error.line().saturating_sub(1)).map(str::len).sum();
    // The reader may be on the next line already.
    let mut end = (start + error.column()).min(source.text.len());
    while !source.text.is_char_boundary(end) {
        end -= 1;
    }
    let end = source.text[..end].trim_end().len();
    let at = source.text[..end].char_indices().next_back().map_or(end, |(at, _)| at);
    let words = json_words(error);
    let mistake = Diagnostic::new(DiagnosticKind::Syntax, Span::new(at, end), words)
        .with_label("up to here")
        .with_hint("a compile database is a list of objects with 'directory', 'file', and 'arguments' or 'command'");
    mistakes(source, &[mistake], Color::Auto)
}

/// How a file is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Command {
    directory: PathBuf,
    file: PathBuf,
    options: Vec<OsString>,
    /// Whether it is for 32 bits.
    is_narrow: bool,
    /// The programs and libraries for which it is compiled, where the name of the object says so.
    targets: Vec<String>,
}

impl Command {
    /// The command with paths from here; `beside` is the folder of the database.
    fn placed(mut self, beside: &Path, here: &Path) -> Self {
        let directory = beside.join(&self.directory);
        let placed = |path: &Path| {
            let path = directory.join(path);
            let path = fs::canonicalize(&path).unwrap_or(path);
            match path.strip_prefix(here) {
                Ok(rest) if !rest.as_os_str().is_empty() => rest.to_owned(),
                _ => path,
            }
        };
        self.file = placed(&self.file);
        let mut is_path = false;
        for option in &mut self.options {
            if is_path {
                // What is not there, such as the header of '-include', is looked for as other
                // headers are.
                let path = placed(Path::new(&*option));
                if path.exists() {
                    *option = path.into();
                }
            }
            is_path = WITH_PATH.iter().any(|name| *option == **name);
        }
        self
    }
}

/// An object of the database.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Fields")]
struct Entry(Command);

#[derive(Debug, Deserialize)]
struct Fields {
    #[serde(default)]
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
    output: Option<PathBuf>,
}

/// The target of an object, as CMake (`CMakeFiles/NAME.dir/a.c.o`) and Meson (`NAME.p/a.c.o`) write it.
fn target(object: &Path) -> Option<String> {
    object.ancestors().skip(1).find_map(|folder| {
        let name = folder.file_name()?.to_str()?;
        name.strip_suffix(".dir").or_else(|| name.strip_suffix(".p")).map(str::to_owned)
    })
}

/// Why an object of the database is no command.
#[derive(Debug, Error)]
enum EntryError {
    #[error("'{0}' has neither 'arguments' nor 'command'")]
    NoCommand(String),
    #[error("a quote is not closed in the command for '{0}'")]
    Quotes(String),
    #[error("'{option}', by which '{file}' is compiled, is not supported")]
    Unsupported { option: String, file: String },
    #[error("'{option}' in the command for '{file}' lacks its value")]
    NoValue { option: String, file: String },
}

impl TryFrom<Fields> for Entry {
    type Error = EntryError;

    fn try_from(fields: Fields) -> Result<Self, EntryError> {
        let file = fields.file.display().to_string();
        let words = match (fields.arguments, fields.command) {
            (Some(words), _) => words,
            (None, Some(text)) => {
                shlex::split(&text).ok_or_else(|| EntryError::Quotes(file.clone()))?
            }
            (None, None) => return Err(EntryError::NoCommand(file)),
        };
        let (mut options, mut is_narrow): (Vec<OsString>, bool) = (vec![], false);
        let mut object = fields.output;
        // The first word is the compiler.
        let mut words = words.into_iter().skip(1);
        while let Some(word) = words.next() {
            let valued = WITH_PATH.iter().chain(&WITH_TEXT);
            let name = valued.filter(|name| word.starts_with(**name)).max_by_key(|name| name.len());
            if let Some(name) = name {
                let rest = word[name.len()..].trim_start_matches('=').to_owned();
                let value = if rest.is_empty() { words.next() } else { Some(rest) };
                let option = || (*name).to_owned();
                let value = value
                    .ok_or_else(|| EntryError::NoValue { option: option(), file: file.clone() })?;
                options.extend([option().into(), value.into()]);
            } else if word.starts_with("-std=") || PLAIN.contains(&word.as_str()) {
                options.push(word.into());
            } else if word == "-m32" || word == "-m64" {
                is_narrow = word == "-m32";
            } else if word.starts_with('@') || UNSUPPORTED.iter().any(|o| word.starts_with(o)) {
                return Err(EntryError::Unsupported { option: word, file });
            } else if word == "-o" {
                object = words.next().map(PathBuf::from).or(object);
            } else if word == "-MF" || word == "-MT" || word == "-MQ" {
                words.next();
            }
        }
        let (directory, file) = (fields.directory, fields.file);
        let targets = object.as_deref().and_then(target).into_iter().collect();
        Ok(Self(Command { directory, file, options, is_narrow, targets }))
    }
}
