//! Functions of the C library that are written in C, and are linked with the programs that call them.

use std::collections::BTreeSet;

use crate::types::DataModel;
use hardbop_base::source::Source;

/// A file with bodies of library functions.
#[derive(Debug)]
pub(super) struct ModelFile {
    name: &'static str,
    /// What it defines for other files.
    functions: &'static [&'static str],
    text: &'static str,
}

macro_rules! model {
    ($file:literal, $functions:expr) => {
        ModelFile {
            name: concat!("<library>/", $file),
            functions: $functions,
            text: include_str!(concat!("../library/models/", $file)),
        }
    };
}

/// The functions of `complex.h` with a result that is exact.
const COMPLEX: [&str; 15] = [
    "creal", "crealf", "creall", "cimag", "cimagf", "cimagl", "conj", "conjf", "conjl", "cabs",
    "cabsf", "carg", "cargf", "cproj", "cprojf",
];

static FILES: [ModelFile; 8] = [
    model!("token.c", &["strtok", "strtok_r", "__strtok_r", "strsep"]),
    model!("search.c", &["bsearch", "lfind"]),
    model!("getopt.c", &["getopt"]),
    model!("signal.c", &["signal"]),
    model!("getenv.c", &["getenv", "setenv", "unsetenv"]),
    model!("fenv.c", &["fesetround", "fegetround"]),
    model!("complex.c", &COMPLEX),
    model!("complex_arithmetic.c", &["__muldc3", "__mulsc3", "__divdc3", "__divsc3"]),
];

/// The files that define what a program calls, without being looked into; none that defines what the program
/// defines, too.
pub(super) fn of(
    undecided: &BTreeSet<String>,
    is_defined: impl Fn(&str) -> bool,
) -> Vec<&'static ModelFile> {
    let is_wanted = |file: &&ModelFile| {
        let mut functions = file.functions.iter();
        functions.any(|name| undecided.contains(*name))
            && !file.functions.iter().any(|name| is_defined(name))
    };
    FILES.iter().filter(is_wanted).collect()
}

/// Whether a file of this name is one of these.
pub(super) fn is_one(name: &str) -> bool {
    FILES.iter().any(|file| file.name == name)
}

/// The text of a file for a data model.
pub(super) fn source(file: &ModelFile, model: DataModel) -> Source {
    let size = match model {
        DataModel::Lp64 => "unsigned long",
        DataModel::Ilp32 => "unsigned",
    };
    Source::new(file.name, file.text.replace("hardbop_size", size))
}
