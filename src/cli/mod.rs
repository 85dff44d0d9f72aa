//! The command line: arguments, files, signals, exit codes.  The only layer that does I/O.
//!
//! Contract with scripts, frozen: the last line of standard output of `check` is
//! `VERDICT: SAFE`, `VERDICT: UNSAFE` or `VERDICT: UNKNOWN (<reason>)`, and the exit code is that
//! of `Exit`.
//!
//! `commands` use `arguments`, `input` and `output`; `input` uses `arguments`, and both use
//! `output`.

mod arguments;
mod commands;
mod input;
mod output;

use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

#[cfg(feature = "c")]
use self::arguments::c::preprocessor::respelled;
use self::arguments::command::{Arguments, Command};

#[cfg(feature = "c")]
use self::arguments::c::DataModelArguments;
use self::arguments::suits::suits;
#[cfg(feature = "campaign")]
use self::commands::campaign;
#[cfg(feature = "c")]
use self::commands::{abstraction, cfa};
use self::commands::{
    certify, check, compare, export, fmt, formula, generate, list, lsp, reference, replay, serve,
};
#[cfg(feature = "c")]
use self::input::{archive, database, programs};
use self::output::error::CliError;
use self::output::exit::Exit;
use self::output::{guard, usage};

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    std::panic::set_hook(Box::new(report_panic));
    // A panic is a defect of hardbop; nothing of the state is used afterwards.
    let exit = catch_unwind(AssertUnwindSafe(run_arguments)).unwrap_or(Exit::Internal);
    exit.into()
}

fn run_arguments() -> Exit {
    let mut definition = Arguments::command();
    let words = std::env::args_os();
    #[cfg(feature = "c")]
    let words = respelled(words);
    let parsed = definition.try_get_matches_from_mut(words).and_then(|given| {
        let arguments = Arguments::from_arg_matches(&given)?;
        Ok((arguments, given))
    });
    let (mut arguments, given) = match parsed {
        Ok(both) => both,
        Err(e) => {
            // Help and version are "errors", too.  Nobody is left to be told where this fails.
            let e = usage::explained(e);
            let _ = e.print();
            return if e.use_stderr() { Exit::BadInput } else { Exit::Safe };
        }
    };
    let completed = completed(&mut arguments.command);
    let result = completed.and_then(|()| match &arguments.command {
        Command::Check(a) if let Err(e) = suits(a, &definition, &given) => Err(e),
        Command::Check(a) => check::run(a),
        Command::List(a) => list::run(a),
        Command::Certify(a) => certify::run(a),
        #[cfg(feature = "c")]
        Command::Abstract(a) => abstraction::run(a),
        #[cfg(feature = "c")]
        Command::Cfa(a) => cfa::run(a),
        Command::Compare(a) => compare::run(a),
        #[cfg(feature = "campaign")]
        Command::Campaign(a) => campaign::run(a),
        Command::Fmt(a) => fmt::run(a),
        Command::Export(a) => export::run(a),
        Command::Gen(a) => generate::run(&a.what),
        Command::Serve(a) => serve::run(a),
        Command::Lsp(a) => lsp::run(a),
        Command::Replay(a) => replay::run(a),
        Command::Sat(a) => formula::sat(a),
        Command::Qbf(a) => formula::qbf(a),
        Command::Reference(a) => reference::run(a),
    });
    result.unwrap_or_else(|e| {
        guard::finish();
        e.tell()
    })
}

/// Puts the files of archives into the arguments, and adds what a compile database says.
#[cfg(feature = "c")]
fn completed(command: &mut Command) -> Result<(), CliError> {
    let (files, how, model) = match command {
        Command::Check(a) => (&mut a.files, &mut a.c.preprocessor, &mut a.c.data_model),
        Command::List(a) => (&mut a.files, &mut a.preprocessor, &mut a.data_model),
        Command::Abstract(a) => (&mut a.files, &mut a.preprocessor, &mut a.data_model),
        Command::Cfa(a) => (&mut a.files, &mut a.preprocessor, &mut a.data_model),
        Command::Export(a) => {
            let mut files = vec![a.file.clone()];
            return database::complete(&mut files, &mut a.c.preprocessor, &mut a.c.data_model);
        }
        // The certificate says for which data model it is.
        Command::Certify(a) => {
            let mut model = DataModelArguments { lp64: false, ilp32: false };
            archive::expand(&mut a.files)?;
            database::complete(&mut a.files, &mut a.preprocessor, &mut model)?;
            return programs::choose(&mut a.files, &a.preprocessor, &model);
        }
        _ => return Ok(()),
    };
    archive::expand(files)?;
    database::complete(files, how, model)?;
    programs::choose(files, how, model)
}

#[cfg(not(feature = "c"))]
fn completed(_: &mut Command) -> Result<(), CliError> {
    Ok(())
}

/// Tells the user of a panic in two lines, without a backtrace.
fn report_panic(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = info.location().map_or_else(String::new, |l| format!(" at {l}"));
    output::complain(&format!(
        "internal error{place}: {message}\nThis is a bug in hardbop {}. Please report it, with the program and the command line.",
        env!("CARGO_PKG_VERSION"),
    ));
}
