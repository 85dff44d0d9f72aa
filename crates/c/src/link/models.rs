//! Functions of the C library that are written in C, and are linked with the programs that call them.

use std::collections::BTreeSet;

use crate::threads::STARTS;
use crate::types::DataModel;
use hardbop_base::source::Source;

/// A file with bodies of library functions.
#[derive(Debug)]
pub(super) struct ModelFile {
    name: &'static str,
    text: &'static str,
    /// Whether calls are looked into without it, too, if not as closely: where the program declares a function otherwise.
    is_optional: bool,
    /// Whether the parameters lead to numbers, bytes or other structs where headers have types of their own.
    has_other_types: bool,
    /// The functions of which a program has to call one, where it is not enough to call one that the file defines.
    beside: Option<&'static [&'static str]>,
}

impl ModelFile {
    /// The lines that begin outside of functions and define or declare one, with its name, or both for the two formats of numbers.
    fn outer(&self) -> impl Iterator<Item = (&'static str, String)> {
        let is_outer = |line: &&str| line.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_code = |line: &&str| !line.starts_with("static ") && !line.starts_with("typedef ");
        let lines = self.text.lines().filter(is_outer).filter(is_code);
        let names = lines.filter_map(|line| {
            let (before, _) = line.split_once('(')?;
            Some((line, before.rsplit([' ', '*']).next()?))
        });
        names.flat_map(|(line, name)| {
            let is_of_numbers = name.contains("_real");
            let suffixes: &[&str] = if is_of_numbers { &["", "f"] } else { &[""] };
            suffixes.iter().map(move |suffix| (line, name.replace("_real", suffix)))
        })
    }

    /// What it defines for other files.
    fn functions(&self) -> impl Iterator<Item = String> {
        self.outer().filter(|(line, _)| !line.ends_with(");")).map(|(_, name)| name)
    }
}

/// A file without which calls of its functions are left undecided.
macro_rules! needed {
    ($file:literal) => {
        ModelFile {
            name: concat!("<library>/", $file),
            text: include_str!(concat!("../library/models/", $file)),
            is_optional: false,
            has_other_types: false,
            beside: None,
        }
    };
}

/// A file whose functions are known in some way without it.
macro_rules! optional {
    ($file:literal) => {
        ModelFile { is_optional: true, ..needed!($file) }
    };
}

static FILES: [ModelFile; 31] = [
    needed!("token.c"),
    needed!("search.c"),
    needed!("getopt.c"),
    ModelFile { has_other_types: true, ..needed!("signal.c") },
    needed!("getenv.c"),
    needed!("fenv.c"),
    needed!("numbers.c"),
    needed!("errno.c"),
    // For programs that start threads: with one thread, the interpreter knows better what waits.
    ModelFile { beside: Some(&STARTS), has_other_types: true, ..needed!("threads.c") },
    needed!("once.c"),
    optional!("time.c"),
    optional!("time/calendar.c"),
    optional!("time/format.c"),
    needed!("bytes.c"),
    optional!("wide.c"),
    optional!("pipe.c"),
    needed!("complex.c"),
    needed!("complex_arithmetic.c"),
    needed!("integers.c"),
    needed!("blocks.c"),
    needed!("text/bytes.c"),
    needed!("text/wide.c"),
    optional!("text/conversions.c"),
    needed!("system/messages.c"),
    needed!("system/locale.c"),
    needed!("system/paths.c"),
    ModelFile { has_other_types: true, ..needed!("system/directories.c") },
    needed!("system/translations.c"),
    optional!("system/self.c"),
    ModelFile { has_other_types: true, ..needed!("system/hosts.c") },
    ModelFile { has_other_types: true, ..needed!("system/lines.c") },
];

/// The files that define what a program calls: first those without which the call is left undecided; none that
/// defines what the program defines, too.
pub(super) fn of(
    undecided: &BTreeSet<String>,
    is_called: impl Fn(&str) -> bool,
    is_defined: impl Fn(&str) -> bool,
) -> [Vec<&'static ModelFile>; 2] {
    [false, true].map(|is_optional| {
        let files = FILES.iter().filter(|file| file.is_optional == is_optional);
        let files = files.filter(|file| {
            let beside = file.beside.map(|names| names.iter().any(|name| is_called(name)));
            let calls_count = is_optional || beside == Some(true);
            let is_wanted = |name: &str| undecided.contains(name) || calls_count && is_called(name);
            beside != Some(false) && file.functions().any(|name| is_wanted(&name))
        });
        let is_other = |(_, name): (&str, String)| !is_defined(&name);
        files.filter(|file| file.outer().all(is_other)).collect()
    })
}

/// The name of the type in files that are there for several formats of floating-point numbers.
const NUMBER: &str = "hardbop_number";

/// The words of such files, and what they are: the type, that of its bits, the number of its digits, the bias of its exponents,
/// their mask, and what the names of functions end with.
type Format = [(&'static str, &'static str); 6];

const FORMATS: [Format; 2] = [
    [
        (NUMBER, "double"),
        ("hardbop_pattern", "unsigned long long"),
        ("hardbop_digits", "52"),
        ("hardbop_bias", "1023"),
        ("hardbop_exponents", "2047"),
        ("_real", ""),
    ],
    [
        (NUMBER, "float"),
        ("hardbop_pattern", "unsigned"),
        ("hardbop_digits", "23"),
        ("hardbop_bias", "127"),
        ("hardbop_exponents", "255"),
        ("_real", "f"),
    ],
];

fn for_format(text: &str, format: &Format) -> String {
    format.iter().fold(text.to_owned(), |text, (word, what)| text.replace(word, what))
}

/// Whether a file of this name is one of these.
pub(super) fn is_one(name: &str) -> bool {
    FILES.iter().any(|file| file.name == name)
}

/// Whether the parameters of its functions are fitted to those that the program declares.
pub(super) fn has_other_types(name: &str) -> bool {
    FILES.iter().any(|file| file.name == name && file.has_other_types)
}

/// The text of a file for a data model, beside a program.
pub(super) fn source(file: &ModelFile, model: DataModel, program: &str) -> Source {
    let size = match model {
        DataModel::Lp64 => "unsigned long",
        DataModel::Ilp32 => "unsigned",
    };
    // glibc's names where a program asks for those of the standard alone.
    let more = if program.contains("__tm_gmtoff") { "__tm_" } else { "tm_" };
    let text = file.text.replace("hardbop_size", size).replace("hardbop_tm_", more);
    let is_of_numbers = text.contains(NUMBER);
    let text = if is_of_numbers {
        FORMATS.map(|format| for_format(&text, &format)).concat()
    } else {
        text
    };
    Source::new(file.name, text)
}
