//! The check of one file: a process `hardbop check --each`, with a limit of time for the whole file, that can be cancelled.
//!
//! A process takes no memory of the server, and whatever happens to it is no end of the server. When the time is over, it is asked
//! to end, and says what it has found by then.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::place::Files;
use super::report::{Found, words_of_time};
use super::words::Words;
use super::{mistakes, report};
use crate::cli::output::error::CliError;
use crate::cli::output::mistakes::Mistake;
use hardbop_base::process::{Folder, Group, Nap};

/// Names of compile databases, below the root of a workspace: where CMake, Meson and Bear put them.
const DATABASES: [&str; 2] = ["compile_commands.json", "build/compile_commands.json"];

/// Time that a process has to say what it knows, when it is asked to end.
pub(super) const FAREWELL: Duration = Duration::from_secs(2);

/// Time between two notices that it goes on.
const NOTICE: Duration = Duration::from_secs(1);

/// What is to be checked, and how.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub path: PathBuf,
    /// The root of the workspace, or the folder of the file.
    pub root: PathBuf,
    pub words: Words,
}

/// Checks the file, and says each second how many have gone; nothing where it is cancelled.
pub(super) fn run(job: &Job, cancel: &AtomicBool, notice: impl FnMut(u64)) -> Option<Found> {
    match checked(job, cancel, notice) {
        Ok(found) => found,
        Err(error) => {
            let mut found = Found::default();
            let why = error.to_string();
            found.unchecked(&job.path, why.strip_prefix("error: ").unwrap_or(&why));
            Some(found)
        }
    }
}

fn checked(
    job: &Job,
    cancel: &AtomicBool,
    mut notice: impl FnMut(u64),
) -> Result<Option<Found>, CliError> {
    let fail = |e: std::io::Error| CliError::read("hardbop itself", &e);
    let folder = Folder::new().map_err(fail)?;
    let [sarif, list, words] = ["sarif", "mistakes", "words"].map(|name| folder.path().join(name));
    let mut command = Command::new(env::current_exe().map_err(fail)?);
    command.args(arguments(job, &sarif, &list)).current_dir(&job.root);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(File::create(&words).map_err(fail)?);
    let start = Instant::now();
    let mut group = Group::spawn(&mut command).map_err(fail)?;
    let (mut nap, mut end, mut next) = (Nap::default(), None, NOTICE);
    while group.ended().map_err(fail)?.is_none() {
        let elapsed = start.elapsed();
        match end {
            None if cancel.load(Ordering::Relaxed) || elapsed >= job.words.time => {
                end = Some(elapsed.saturating_add(FAREWELL));
                group.interrupt();
            }
            Some(end) if elapsed >= end => break,
            _ => {}
        }
        if elapsed >= next {
            notice(elapsed.as_secs());
            next += NOTICE;
        }
        nap.sleep();
    }
    drop(group);
    if cancel.load(Ordering::Relaxed) {
        return Ok(None);
    }
    // Names are those of the file's folder, where its preprocessor runs, or of the root.
    let beside = job.path.parent().map(Path::to_owned);
    let mut files = Files::new(beside.into_iter().chain([job.root.clone()]).collect());
    let over = end.map(|_| job.words.time);
    if let Some(log) = read::<Value>(&sarif) {
        return Ok(Some(report::found(&log, &job.path, over, &mut files)));
    }
    if let Some(all) = read::<Vec<Mistake>>(&list) {
        return Ok(Some(mistakes::found(&all, &job.path, &mut files)));
    }
    if let Some(time) = over {
        let mut found = Found::default();
        found.unchecked(&job.path, &words_of_time(time));
        return Ok(Some(found));
    }
    let words = fs::read(&words).unwrap_or_default();
    Ok(Some(mistakes::said(&String::from_utf8_lossy(&words), &job.path, &mut files)))
}

/// A file in JSON that the process has written, if it has.
fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// The words of the process.
fn arguments(job: &Job, sarif: &Path, mistakes: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = ["check", "--each", "--quiet"].map(OsString::from).into();
    all.extend(["--sarif".into(), sarif.into(), "--mistakes".into(), mistakes.into()]);
    // Each question of the file may take half of its time, so that one that is hard is not all that is asked.
    all.extend(["--time-limit".into(), format!("{}ms", (job.words.time / 2).as_millis()).into()]);
    let is_source = job.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("c"));
    if is_source && !job.words.has_database {
        let mut databases = DATABASES.iter().map(|name| job.root.join(name));
        if let Some(database) = databases.find(|path| path.is_file()) {
            all.extend(["--compile-commands".into(), database.into()]);
        }
    }
    // Words may end with what stands for more files of the program, which begins with this one.
    all.push(job.path.clone().into());
    all.extend(job.words.all.iter().cloned());
    all
}
