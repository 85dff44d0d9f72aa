//! Options that say something about programs of one language only, or to one route or engine.
//!
//! An option that would do nothing is a mistake of the user's, who may rely on it: it is refused.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::check::CheckArguments;
use crate::cli::output::error::CliError;
use crate::cli::output::{is_stream, name};
use crate::solve::smt::{Arithmetic, SolverKind};
use crate::verify::Route;

/// The groups of options (the names of their structs) about one language.
const OF_BOOLEAN: [&str; 1] = ["BooleanArguments"];
const OF_ENGINES: [&str; 2] = ["EngineArguments", "SolverArguments"];
const OF_C: [&str; 3] = ["CArguments", "DataModelArguments", "AbstractionArguments"];

/// What does for C programs what options about Boolean programs do.
const INSTEAD: [(&str, &str); 3] = [
    ("certificate", "; invariants are printed, and '--harness' writes errors"),
    ("dump_cfg", "; see 'hardbop cfa'"),
    ("dump_qbf", "; see '--dump-smt'"),
];

/// Options that only one route reads.
const FOR_TREE: [&str; 5] = ["scope", "refinement", "explicit_states", "recursion", "dump_art"];
const FOR_PROGRAMS: [&str; 2] = ["save_bps", "cache"];

/// What a race of the routes does not go with.
const SINGLE: [&str; 5] = ["save_bps", "cache", "predicates", "dump_smt", "dump_art"];

/// Do the options that were given suit the language of the file?
///
/// # Errors
/// One does not.
pub(crate) fn suits(arguments: &CheckArguments, given: &ArgMatches) -> Result<(), CliError> {
    let Some(("check", given)) = given.subcommand() else { return Ok(()) };
    let given = Given(given);
    if arguments.c.language.is_c(&arguments.file) {
        suits_c(arguments, given)?;
        streams(arguments)
    } else {
        suits_boolean(arguments, given)
    }
}

fn suits_boolean(arguments: &CheckArguments, given: Given) -> Result<(), CliError> {
    // `--language` has just been read.
    match given.of(&OF_C).find(|id| *id != "language") {
        Some(id) => Err(CliError::Usage(format!(
            "'{}' is for C programs; '{}' is read as a Boolean program (see '--language')",
            option(id),
            name(&arguments.file)
        ))),
        None => Ok(()),
    }
}

fn suits_c(arguments: &CheckArguments, given: Given) -> Result<(), CliError> {
    let c = &arguments.c;
    let refuse = |id: &str, why: &str| Err(CliError::Usage(format!("'{}' {why}", option(id))));
    let of_programs = given.of(&OF_ENGINES).chain(given.among(&FOR_PROGRAMS)).next();
    if let (Route::Tree, Some(id)) = (c.route, of_programs) {
        return refuse(id, "is for Boolean programs; '--route tree' makes none");
    }
    if let (Route::Bp, Some(id)) = (c.route, given.among(&FOR_TREE).next()) {
        return refuse(id, "is for the abstract reachability tree; '--route bp' makes none");
    }
    let races = c.route == Route::Auto && arguments.engines.threads > NonZeroUsize::MIN;
    if let (true, Some(id)) = (races, given.among(&SINGLE).next()) {
        let why = format!("'--threads' races the routes, which '{}' does not go with", option(id));
        return Err(CliError::Usage(format!("{why}; choose a '--route'")));
    }
    if let Some(id) = given.of(&OF_BOOLEAN).next() {
        let instead = INSTEAD.iter().find(|(other, _)| *other == id).map_or("", |(_, i)| i);
        let file = name(&arguments.file);
        return refuse(id, &format!("is for Boolean programs; '{file}' is read as C{instead}"));
    }
    let is_blast = c.smt == SolverKind::Blast && given.has("smt");
    if c.arithmetic == Arithmetic::Linear && is_blast {
        return Err(CliError::Usage("'--arithmetic linear' is for Z3 only".into()));
    }
    Ok(())
}

/// The options that stand on the command line.
#[derive(Clone, Copy)]
struct Given<'a>(&'a ArgMatches);

impl<'a> Given<'a> {
    fn has(self, id: &str) -> bool {
        self.0.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Those of these.
    fn among(self, ids: &'a [&'static str]) -> impl Iterator<Item = &'a str> {
        ids.iter().copied().filter(move |id| self.has(id))
    }

    /// Those of these groups.
    fn of(self, groups: &'a [&'static str]) -> impl Iterator<Item = &'a str> {
        let members = |group: &&str| self.0.get_many::<clap::Id>(group).into_iter().flatten();
        groups.iter().flat_map(members).map(clap::Id::as_str).filter(move |id| self.has(id))
    }
}

/// `--dump-art` of `dump_art`.
fn option(id: &str) -> String {
    match id {
        "lp64" => "--64".to_owned(),
        "ilp32" => "--32".to_owned(),
        "memory_model" => "--memory".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    }
}

/// Standard input and output hold one thing.
fn streams(arguments: &CheckArguments) -> Result<(), CliError> {
    let c = &arguments.c;
    let files = [
        ("--dump-art", &c.dump_art),
        ("--dump-predicates", &c.dump_predicates),
        ("--harness", &c.harness),
    ];
    let taken = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_stream);
    let given = [("--predicates", &c.predicates), ("--spec", &c.spec)];
    let read = given.into_iter().filter(|(_, path)| taken(path)).map(|(option, _)| option);
    let mut read: Vec<String> = read.map(|option| format!("'{option} -'")).collect();
    if is_stream(&arguments.file) {
        read.insert(0, "the program".to_owned());
    }
    if let [first, second, ..] = read.as_slice() {
        let reason = format!("{first} and {second} both need standard input");
        return Err(CliError::Usage(reason));
    }
    match files.into_iter().find(|(_, path)| arguments.output.json && taken(path)) {
        Some((option, _)) => {
            Err(CliError::Usage(format!("'--json' and '{option} -' both need standard output")))
        }
        None => Ok(()),
    }
}
