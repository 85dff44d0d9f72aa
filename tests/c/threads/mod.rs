//! C programs with threads or signal handlers, against an enumeration of all orders that shares nothing with hardbop, and against what POSIX
//! and C say of the calls.

mod calls;
mod errors;
mod random;
mod signals;

use std::time::Duration;

use crate::support::c::flow;
use hardbop_base::budget::Budget;
use hardbop_c::flow::Flow;
use hardbop_c::on_large_stack;
use hardbop_c::types::DataModel;
use hardbop_verify::{CProgram, Options, Outcome, check};

/// The verdict on a text, and why.
fn verdict(text: &str) -> (&'static str, String) {
    decided(&flow("threads.c", text, DataModel::Lp64))
}

/// The verdict on a program, and why.
fn decided(flow: &Flow) -> (&'static str, String) {
    decided_by(flow, 10_000_000)
}

/// The same with as many units of work.
fn decided_by(flow: &Flow, work: u64) -> (&'static str, String) {
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60)).trial(work);
    let report = on_large_stack(|| {
        check(CProgram::new(flow), &Options::default(), &budget, &mut ())
            .map(|report| report.outcome)
    });
    match report.expect("a thread").expect("solvers work") {
        Outcome::Safe(_) => ("SAFE", String::new()),
        Outcome::Unsafe(_) => ("UNSAFE", String::new()),
        Outcome::Unknown(reason) => ("UNKNOWN", reason.to_string()),
    }
}

/// The text of a program behind the preprocessor; none without a C compiler.
fn preprocessed(text: &str) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let file = folder.path().join("p.c");
    std::fs::write(&file, text).ok()?;
    let run = std::process::Command::new("cc").args(["-E"]).arg(&file).output().ok()?;
    run.status.success().then(|| String::from_utf8_lossy(&run.stdout).into_owned())
}
