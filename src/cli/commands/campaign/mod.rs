//! `hardbop campaign`: many programs, for many properties, with many options; on this machine or on
//! a cluster.
//!
//! [`plan`] makes tasks of the description, [`question`] finds out what a task asks, [`parts`]
//! divides one; [`drive`] hands them to an executor, [`local`] (with a [`process`] for each) or
//! [`ray`], and keeps what it answers; [`live`] shows how it goes on, [`results`] what it comes to.

mod drive;
mod kept;
mod live;
mod local;
mod open;
mod parts;
mod plan;
mod process;
mod question;
mod ray;
mod results;

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{FlockOperation, flock};

use self::drive::{Drive, Executor};
use self::kept::stored;
use self::live::Live;
use self::local::Local;
use self::open::Open;
use self::plan::Plan;
use self::ray::Ray;
use crate::cli::arguments::campaign::{CampaignArguments, Place};
use crate::cli::input::{mistakes, read};
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::format::Color;
use crate::cli::output::{self, guard};
use hardbop_base::budget::{Budget, peak_resident_bytes};
use hardbop_base::process::cpu_seconds;
use hardbop_lab::campaign::queue::Queue;
use hardbop_lab::campaign::spec::Spec;
use hardbop_lab::campaign::store::{Store, StoreError};
use hardbop_lab::results::Finished;
use hardbop_report::units::bytes;

/// Runs what is not known yet, and shows what is known then.
pub(crate) fn run(arguments: &CampaignArguments) -> Result<Exit, CliError> {
    let source = read(&arguments.file)?;
    let spec = Spec::parse(&source).map_err(|found| mistakes(&source, &found, Color::Auto))?;
    let mut arguments = arguments.clone();
    absolute(&mut arguments, &spec)?;
    results::writable(&arguments)?;
    let folder = arguments.file.parent().unwrap_or(Path::new("/")).to_owned();
    env::set_current_dir(&folder).map_err(|e| CliError::read(&output::name(&folder), &e))?;
    let budget = guard::guarded(Budget::unlimited(), |_| (String::new(), Exit::Interrupted));
    let path = arguments.store.clone().unwrap_or_default();
    let Some(_lock) = lock(&path)? else {
        let name = output::name(&path);
        return Err(CliError::Usage(format!("'{name}' is in use by another campaign that runs")));
    };
    let plan = Arc::new(Plan::new(&spec, &source, &arguments)?);
    // From here on the budget is asked all the time; to end processes may take a while.
    guard::finish();
    let kept = |e: StoreError| stored(&path, &e);
    let opened =
        |e: StoreError| CliError::Read { name: output::name(&path), reason: e.to_string() };
    let mut store = Store::open(&path).map_err(opened)?;
    store.plan(&plan.tasks).map_err(kept)?;
    let (queue, begun) = queue(&plan, &store, &arguments).map_err(kept)?;
    let left = queue.waiting() + begun.len();
    let (known, before) = (plan.tasks.len() - left, cpu_seconds("self"));
    let mut interrupted = budget.check().is_err();
    let has_work = left > 0 && !arguments.no_run && !interrupted;
    if has_work {
        let live = Live::new(&plan.tasks, known, !arguments.quiet);
        let mut executor = executor(&arguments, &plan, &budget)?;
        let drive = Drive { plan: &plan, store: &store, path: &path, budget: &budget };
        interrupted = drive.run(queue, begun, &mut *executor, live)?;
        // Processes that are left end now.
        drop(executor);
    }
    let campaign = plan.campaign(store.rows().map_err(kept)?, &spec, &arguments, interrupted);
    let exit = results::write(&arguments, campaign, &store, &path)?;
    if has_work && !arguments.quiet {
        output::complain(&effort(before, &arguments.on));
    }
    Ok(exit)
}

/// The effort of the driver itself, beside the tasks.
fn effort(before: Option<(f64, f64)>, on: &Place) -> String {
    let memory = peak_resident_bytes().map_or_else(String::new, |b| format!(", {}", bytes(b)));
    let times = before.zip(cpu_seconds("self")).map_or_else(String::new, |(before, now)| {
        let others = if *on == Place::Local { "the tasks" } else { "the client of Ray" };
        format!("{:.2} s of the processor, {others} {:.2} s", now.0, now.1 - before.1)
    });
    format!("campaign: the driver took {times}{memory}")
}

/// Paths that do not depend on the folder in which one is.
fn absolute(arguments: &mut CampaignArguments, spec: &Spec) -> Result<(), CliError> {
    let full = |path: &Path| {
        std::path::absolute(path).map_err(|e| CliError::read(&output::name(path), &e))
    };
    if output::is_stream(&arguments.file) {
        let why = "a campaign is described by a file: its results are kept beside it";
        return Err(CliError::Usage(why.to_owned()));
    }
    arguments.file = full(&arguments.file)?;
    let beside = || match &spec.store {
        Some(name) => arguments.file.with_file_name(name),
        None => arguments.file.with_extension("sqlite"),
    };
    arguments.store = Some(match &arguments.store {
        Some(path) => full(path)?,
        None => beside(),
    });
    let others = [&mut arguments.csv, &mut arguments.html, &mut arguments.benchexec];
    for path in others.into_iter().chain([&mut arguments.diff]).flatten() {
        if !output::is_stream(path) {
            *path = full(path)?;
        }
    }
    Ok(())
}

/// Keeps others from the same store as long as this is open; nothing where somebody has it already.
fn lock(store: &Path) -> Result<Option<File>, CliError> {
    let mut name = store.as_os_str().to_owned();
    name.push(".lock");
    let path = PathBuf::from(name);
    let file = File::create(&path).map_err(|e| CliError::write(&path, &e))?;
    Ok(flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok().then_some(file))
}

/// The tasks that have no result that counts, once for each question; and tasks that are to be
/// divided and are known to have no verdict as they were asked.
fn queue(
    plan: &Plan,
    store: &Store,
    arguments: &CampaignArguments,
) -> Result<(Queue, BTreeMap<usize, Open>), StoreError> {
    let (mut waiting, mut begun, mut seen) = (vec![], BTreeMap::new(), HashSet::new());
    for (i, task) in plan.tasks.iter().enumerate().filter(|(_, t)| t.refused.is_none()) {
        let known = store.result(&task.hash, task.limits)?;
        let is_final = |result: &Finished| {
            let is_divided = !plan.splits || result.part.is_some() || result.is_failure();
            result.is_decided() || (is_divided && !arguments.retry)
        };
        if known.as_ref().is_some_and(is_final) || !seen.insert(&task.hash) {
            continue;
        }
        let whole = plan.whole(i);
        if arguments.retry {
            store.forget_parts(task)?;
        }
        let asked = if arguments.retry { None } else { store.parts(task)?.of(&whole).cloned() };
        match known.filter(|_| !arguments.retry).or(asked).filter(|_| plan.splits) {
            Some(result) => drop(begun.insert(i, Open::begun(whole, result))),
            None => waiting.push(i),
        }
    }
    Ok((Queue::new(waiting), begun))
}

fn executor(
    arguments: &CampaignArguments,
    plan: &Arc<Plan>,
    budget: &Budget,
) -> Result<Box<dyn Executor>, CliError> {
    let plan = Arc::clone(plan);
    Ok(match &arguments.on {
        Place::Local => Box::new(Local::new(arguments, plan, budget)?),
        Place::Ray(address) => Box::new(Ray::new(address, &arguments.python, plan)?),
    })
}
