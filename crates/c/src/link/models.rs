//! Functions of the C library that are written in C, and are linked with the programs that call them.

use std::collections::BTreeSet;

use crate::threads::STARTS;
use crate::types::DataModel;
use hardbop_base::source::Source;

/// A file with bodies of library functions.
#[derive(Debug)]
pub(super) struct ModelFile {
    name: &'static str,
    /// What it defines for other files.
    functions: &'static [&'static str],
    /// Whether calls are looked into without it, too, if not as closely: where the program declares a function otherwise.
    is_optional: bool,
    /// The functions of which a program has to call one, where it is not enough to call one that the file defines.
    beside: Option<&'static [&'static str]>,
    text: &'static str,
}

impl ModelFile {
    /// The functions that it calls and does not define: those of the library are meant.
    fn called(&self) -> impl Iterator<Item = String> {
        let is_prototype = |line: &&str| line.ends_with(");") && !line.starts_with([' ', '/']);
        let prototypes = self.text.lines().filter(is_prototype);
        let name = |line: &'static str| line.split_once('(').map(|(before, _)| before);
        let names =
            prototypes.filter_map(name).filter_map(|before| before.rsplit([' ', '*']).next());
        names.flat_map(|name| ["", "f"].map(|suffix| name.replace("_real", suffix)))
    }
}

macro_rules! model {
    ($file:literal, $functions:expr) => {
        model!($file, $functions, false)
    };
    ($file:literal, $functions:expr, $is_optional:literal) => {
        ModelFile {
            name: concat!("<library>/", $file),
            functions: $functions,
            is_optional: $is_optional,
            beside: None,
            text: include_str!(concat!("../library/models/", $file)),
        }
    };
}

/// The functions of `complex.h` with a result that is exact.
const COMPLEX: [&str; 15] = [
    "creal", "crealf", "creall", "cimag", "cimagf", "cimagl", "conj", "conjf", "conjl", "cabs",
    "cabsf", "carg", "cargf", "cproj", "cprojf",
];

/// Those of `numbers.c`, for `double` and for `float`.
const NUMBERS: [&str; 18] = [
    "frexp",
    "frexpf",
    "scalbln",
    "scalblnf",
    "scalbn",
    "scalbnf",
    "ldexp",
    "ldexpf",
    "modf",
    "modff",
    "ilogb",
    "ilogbf",
    "logb",
    "logbf",
    "nextafter",
    "nextafterf",
    "remquo",
    "remquof",
];

const TIME: [&str; 4] = ["clock_gettime", "timespec_get", "gettimeofday", "nanosleep"];

const BYTES: [&str; 5] = ["bzero", "explicit_bzero", "bcopy", "bcmp", "mempcpy"];

/// The functions of `threads.c`, for programs that start threads: with one thread, the interpreter knows better what waits.
const THREADS: [&str; 41] = [
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_cond_wait",
    "sem_init",
    "sem_destroy",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "sem_getvalue",
    "pthread_barrier_init",
    "pthread_barrier_destroy",
    "pthread_barrier_wait",
    "mtx_init",
    "mtx_destroy",
    "mtx_lock",
    "mtx_trylock",
    "mtx_unlock",
    "cnd_init",
    "cnd_destroy",
    "cnd_signal",
    "cnd_broadcast",
    "cnd_wait",
];

static FILES: [ModelFile; 16] = [
    model!("token.c", &["strtok", "strtok_r", "__strtok_r", "strsep"]),
    model!("search.c", &["bsearch", "lfind"]),
    model!("getopt.c", &["getopt", "getopt_long"]),
    model!("signal.c", &["signal"]),
    model!("getenv.c", &["getenv", "setenv", "unsetenv"]),
    model!("fenv.c", &["fesetround", "fegetround"]),
    model!("numbers.c", &NUMBERS),
    model!("errno.c", &["__errno_location"]),
    ModelFile { beside: Some(&STARTS), ..model!("threads.c", &THREADS) },
    model!("once.c", &["pthread_once"]),
    model!("time.c", &TIME, true),
    model!("bytes.c", &BYTES),
    model!("wide.c", &["wcslen", "wcschr"], true),
    model!("pipe.c", &["pipe"], true),
    model!("complex.c", &COMPLEX),
    model!("complex_arithmetic.c", &["__muldc3", "__mulsc3", "__divdc3", "__divsc3"]),
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
            beside != Some(false) && file.functions.iter().any(|name| is_wanted(name))
        });
        let is_other = |name: &str| !is_defined(name);
        let files = files.filter(|file| file.functions.iter().all(|name| is_other(name)));
        files.filter(|file| file.called().all(|name| is_other(&name))).collect()
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

/// Whether the parameters of its functions lead to numbers where headers have types of their own: locks.
pub(super) fn has_other_types(name: &str) -> bool {
    FILES.iter().any(|file| file.name == name && file.beside.is_some())
}

/// The text of a file for a data model.
pub(super) fn source(file: &ModelFile, model: DataModel) -> Source {
    let size = match model {
        DataModel::Lp64 => "unsigned long",
        DataModel::Ilp32 => "unsigned",
    };
    let text = file.text.replace("hardbop_size", size);
    let is_of_numbers = text.contains(NUMBER);
    let text = if is_of_numbers {
        FORMATS.map(|format| for_format(&text, &format)).concat()
    } else {
        text
    };
    Source::new(file.name, text)
}
