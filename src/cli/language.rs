//! Options that say something about programs of one language only.

use std::num::NonZeroUsize;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::args::CheckArguments;
use super::c_arguments::{ArithmeticName, RouteName, SmtName};
use super::error::CliError;
use super::input;

/// Options about Boolean programs, by their names in [`CheckArguments`]; with what does the same for C.
const BOOLEAN: [(&str, &str); 4] = [
    ("dialect", ""),
    ("certificate", "; invariants are printed, and '--harness' writes errors"),
    ("dump_cfg", "; see 'hardbop cfa'"),
    ("dump_qbf", "; see '--dump-smt'"),
];

/// Options of the engines: for C they mean something where Boolean programs decide.
const ENGINE: [&str; 9] =
    ["engine", "threads", "bound", "universal_limit", "bdd_order", "qbf", "sat", "seed", "plain"];

/// Do the options that were given suit the language of the file?  One that would do nothing is a
/// mistake of the user's, who may rely on it.
pub(super) fn suits(arguments: &CheckArguments, given: &ArgMatches) -> Result<(), CliError> {
    let Some(("check", given)) = given.subcommand() else { return Ok(()) };
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let option = |id: &str| id.replace('_', "-");
    let file = input::name(&arguments.file);
    if arguments.c.is_c(&arguments.file) {
        let is_tree = arguments.c.route == RouteName::Tree;
        if let Some(id) = ENGINE.into_iter().find(|id| is_tree && is_given(id)) {
            return Err(CliError::Usage(format!(
                "'--{}' is for Boolean programs; '--route tree' makes none",
                option(id)
            )));
        }
        for (id, given) in [("save_bps", &arguments.c.save_bps), ("cache", &arguments.c.cache)] {
            if is_tree && given.is_some() {
                return Err(CliError::Usage(format!(
                    "'--{}' is for Boolean programs; '--route tree' makes none",
                    option(id)
                )));
            }
        }
        let races = arguments.c.route == RouteName::Auto && arguments.threads > NonZeroUsize::MIN;
        let single = ["save_bps", "cache", "predicates", "dump_smt", "dump_art"];
        if let Some(id) = single.into_iter().find(|id| races && is_given(id)) {
            return Err(CliError::Usage(format!(
                "'--threads' races the routes, which '--{}' does not go with; choose a '--route'",
                option(id)
            )));
        }
        return match BOOLEAN.into_iter().find(|(id, _)| is_given(id)) {
            Some((id, instead)) => Err(CliError::Usage(format!(
                "'--{}' is for Boolean programs; '{file}' is read as C{instead}",
                option(id)
            ))),
            None if arguments.c.arithmetic == ArithmeticName::Linear
                && arguments.c.smt == SmtName::Blast
                && is_given("smt") =>
            {
                Err(CliError::Usage("'--arithmetic linear' is for Z3 only".into()))
            }
            None => streams(arguments),
        };
    }
    // Their names are those of the group's fields; `--language` has just been read.
    let mut own = given.get_many::<clap::Id>("CArguments").into_iter().flatten();
    match own.find(|id| *id != "language" && is_given(id.as_str())) {
        Some(id) => Err(CliError::Usage(format!(
            "'--{}' is for C programs; '{file}' is read as a Boolean program (see '--language')",
            match id.as_str() {
                "lp64" => "64".to_owned(),
                "ilp32" => "32".to_owned(),
                other => option(other),
            }
        ))),
        None => Ok(()),
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
    let taken = |path: &Option<std::path::PathBuf>| path.as_deref().is_some_and(input::is_stream);
    let given = [("--predicates", &c.predicates), ("--spec", &c.spec)];
    let read = given.into_iter().filter(|(_, path)| taken(path)).map(|(option, _)| option);
    let mut read: Vec<String> = read.map(|option| format!("'{option} -'")).collect();
    if input::is_stream(&arguments.file) {
        read.insert(0, "the program".to_owned());
    }
    if let [first, second, ..] = read.as_slice() {
        let reason = format!("{first} and {second} both need standard input");
        return Err(CliError::Usage(reason));
    }
    match files.into_iter().find(|(_, path)| arguments.json && taken(path)) {
        Some((option, _)) => {
            Err(CliError::Usage(format!("'--json' and '{option} -' both need standard output")))
        }
        None => Ok(()),
    }
}
