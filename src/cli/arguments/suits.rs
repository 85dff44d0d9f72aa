//! Refuses options that do not apply: those of another language, route or engine.
//!
//! An option that would do nothing is refused, since the user may rely on it.

#[cfg(feature = "c")]
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command, ValueEnum};

use super::check::CheckArguments;
#[cfg(feature = "c")]
use super::{boolean, c};
use crate::cli::output::error::CliError;
#[cfg(feature = "c")]
use crate::cli::output::{is_stream, name};
use hardbop_bp::engine::Engine;
#[cfg(feature = "c")]
use hardbop_smt::{Arithmetic, SolverKind};
#[cfg(feature = "c")]
use hardbop_task::is_task;
#[cfg(feature = "c")]
use hardbop_verify::Route;

/// Options that only some engines read, with those engines.
const FOR_ENGINES: [(&str, &[Engine]); 6] = [
    ("qbf", &[Engine::Auto, Engine::Qbf, Engine::Universal, Engine::Race]),
    ("seed", &[Engine::Auto, Engine::Qbf, Engine::Universal, Engine::Pdr, Engine::Race]),
    ("dump_qbf", &[Engine::Auto, Engine::Qbf, Engine::Universal]),
    ("bound", &[Engine::Auto, Engine::Universal, Engine::Race]),
    ("bdd_order", &[Engine::Auto, Engine::Bdd, Engine::Race]),
    // `auto` has a limit of its own.
    ("universal_limit", &[Engine::Universal, Engine::Race]),
];

/// Options about Boolean programs, with what does the same for C programs.
#[cfg(feature = "c")]
const INSTEAD: [(&str, &str); 2] =
    [("dump_cfg", "; see 'hardbop cfa'"), ("dump_qbf", "; see '--dump-smt'")];

/// Options that only one route reads.
#[cfg(feature = "c")]
const FOR_TREE: [&str; 9] = [
    "algorithm",
    "forced_covering",
    "order",
    "scope",
    "refinement",
    "explicit_states",
    "recursion",
    "dump_art",
    "learned",
];
/// Options of abstraction in the tree.
#[cfg(feature = "c")]
const FOR_PRECISION: [&str; 2] = ["scope", "refinement"];
/// Options of abstraction in the tree and in Boolean programs.
#[cfg(feature = "c")]
const FOR_ABSTRACTION: [&str; 2] = ["abstraction", "predicates"];
#[cfg(feature = "c")]
const FOR_PROGRAMS: [&str; 2] = ["save_bps", "cache"];

/// Options that cannot be used in a race of the routes.
#[cfg(feature = "c")]
const SINGLE: [&str; 6] = ["save_bps", "cache", "predicates", "learned", "dump_smt", "dump_art"];

/// Refuses options of `check` that do not suit the language of the file.  The heading of an option
/// in the definition of the command line says which language it is for.
///
/// # Errors
/// An option does not suit the language.
pub(crate) fn suits(
    arguments: &CheckArguments,
    definition: &Command,
    given: &ArgMatches,
) -> Result<(), CliError> {
    let check = definition.find_subcommand("check").zip(given.subcommand_matches("check"));
    let Some((definition, matches)) = check else { return Ok(()) };
    let given = Given { definition, matches };
    several(arguments)?;
    #[cfg(feature = "c")]
    if arguments.c.language.is_c(arguments.file()) {
        suits_c(arguments, given)?;
        streams(arguments)?;
    } else {
        suits_boolean(arguments, given)?;
    }
    suits_engine(arguments, given)
}

/// Several files are C, and of one program.
fn several(arguments: &CheckArguments) -> Result<(), CliError> {
    if arguments.files.len() < 2 {
        return Ok(());
    }
    #[cfg(feature = "c")]
    {
        let is_other = |file: &&PathBuf| !arguments.c.language.is_c(file) || is_task(file);
        if let Some(other) = arguments.files.iter().find(is_other) {
            return Err(CliError::Usage(format!(
                "several files are linked, which takes C files; '{}' is none",
                name(other)
            )));
        }
        if arguments.c.harness.is_some() {
            let why = "'--harness' is for programs of one file";
            return Err(CliError::Usage(why.to_owned()));
        }
        Ok(())
    }
    #[cfg(not(feature = "c"))]
    Err(CliError::Usage("one program is checked at a time".to_owned()))
}

fn suits_engine(arguments: &CheckArguments, given: Given) -> Result<(), CliError> {
    let engine = arguments.engines.engine;
    let unread =
        FOR_ENGINES.iter().find(|(id, readers)| given.has(id) && !readers.contains(&engine));
    let Some((id, readers)) = unread else { return Ok(()) };
    let names = readers.iter().filter_map(|e| e.to_possible_value());
    let names: Vec<String> = names.map(|v| format!("'--engine {}'", v.get_name())).collect();
    Err(CliError::Usage(format!("'{}' is for {}", option(id), names.join(", "))))
}

#[cfg(feature = "c")]
fn suits_boolean(arguments: &CheckArguments, given: Given) -> Result<(), CliError> {
    // `--language` has just been read.
    match given.under(c::HEADING).find(|id| *id != "language") {
        Some(id) => Err(CliError::Usage(format!(
            "'{}' is for C programs; '{}' is read as a Boolean program (see '--language')",
            option(id),
            name(arguments.file())
        ))),
        None => Ok(()),
    }
}

#[cfg(feature = "c")]
fn suits_c(arguments: &CheckArguments, given: Given) -> Result<(), CliError> {
    let c = &arguments.c;
    let refuse = |id: &str, why: &str| Err(CliError::Usage(format!("'{}' {why}", option(id))));
    let of_programs = given.under(boolean::ENGINES).chain(given.among(&FOR_PROGRAMS)).next();
    if let (Route::Tree, Some(id)) = (c.route, of_programs) {
        return refuse(id, "is for Boolean programs; '--route tree' makes none");
    }
    if let (Route::Bp, Some(id)) = (c.route, given.among(&FOR_TREE).next()) {
        return refuse(id, "is for the abstract reachability tree; '--route bp' makes none");
    }
    if !c.algorithm.is_impact() && c.forced_covering {
        return refuse("forced_covering", "is for '--algorithm impact' and its variants");
    }
    let mut unread: Vec<&str> = vec![];
    if !c.algorithm.abstracts() {
        unread.extend(FOR_PRECISION);
        if c.route == Route::Tree {
            unread.extend(FOR_ABSTRACTION);
        }
    }
    if let Some(id) = given.among(&unread).next() {
        return refuse(id, "is for predicate abstraction; this algorithm has interpolants alone");
    }
    let races = c.route == Route::Auto && arguments.engines.has_threads();
    if let (true, Some(id)) = (races, given.among(&SINGLE).next()) {
        let why = format!("'--threads' races the routes; '{}' cannot be used with it", option(id));
        return Err(CliError::Usage(format!("{why}; choose a '--route'")));
    }
    if let Some(id) = given.under(boolean::HEADING).next() {
        let instead = INSTEAD.iter().find(|(other, _)| *other == id).map_or("", |(_, i)| i);
        let file = name(arguments.file());
        return refuse(id, &format!("is for Boolean programs; '{file}' is read as C{instead}"));
    }
    let is_blast = c.smt == SolverKind::Blast && given.has("smt");
    if c.arithmetic == Arithmetic::Linear && is_blast {
        return Err(CliError::Usage("'--arithmetic linear' is for Z3 only".into()));
    }
    Ok(())
}

/// The options that were given on the command line.
#[derive(Clone, Copy)]
struct Given<'a> {
    definition: &'a Command,
    matches: &'a ArgMatches,
}

impl<'a> Given<'a> {
    fn has(self, id: &str) -> bool {
        self.matches.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Those that are in this list.
    fn among(self, ids: &'a [&'static str]) -> impl Iterator<Item = &'a str> {
        ids.iter().copied().filter(move |id| self.has(id))
    }

    /// Those under this heading.
    fn under(self, heading: &'static str) -> impl Iterator<Item = &'a str> {
        let there = self.definition.get_arguments();
        let of_heading = there.filter(move |a| a.get_help_heading() == Some(heading));
        of_heading.map(|a| a.get_id().as_str()).filter(move |id| self.has(id))
    }
}

/// `--dump-art` of `dump_art`.
fn option(id: &str) -> String {
    match id {
        "lp64" => "--64".to_owned(),
        "ilp32" => "--32".to_owned(),
        "memory_model" => "--memory".to_owned(),
        "include_dir" => "-I".to_owned(),
        "define" => "-D".to_owned(),
        "undefine" => "-U".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    }
}

/// Standard input and output hold one thing.
#[cfg(feature = "c")]
fn streams(arguments: &CheckArguments) -> Result<(), CliError> {
    let c = &arguments.c;
    let files = [
        ("--dump-art", &c.dump_art),
        ("--dump-predicates", &c.dump_predicates),
        ("--harness", &c.harness),
        ("--dump-witness", &c.dump_witness),
    ];
    let taken = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_stream);
    let given = [("--predicates", &c.predicates), ("--spec", &c.spec), ("--witness", &c.witness)];
    let read = given.into_iter().filter(|(_, path)| taken(path)).map(|(option, _)| option);
    let mut read: Vec<String> = read.map(|option| format!("'{option} -'")).collect();
    let streams = arguments.files.iter().filter(|file| is_stream(file));
    streams.for_each(|_| read.insert(0, "the program".to_owned()));
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
