//! A run as processes on this machine: where there is a certificate, `certify`; where that does not
//! accept it, `check`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::drive::{Event, Files, Known, KnownCertificate};
use super::local::{certifying, limited, patience};
use super::plan::Plan;
use super::question::Words;
use crate::cli::commands::measure::{Bounds, End, Measured, measure};
use hardbop_base::budget::Budget;
use hardbop_base::process::Folder;
use hardbop_lab::campaign::outcome::{Ended, stopped};
use hardbop_lab::campaign::split::{Part, Run};
use hardbop_lab::campaign::task::Limits;
use hardbop_report::document::Verdict;

/// The process that is to be run.
#[derive(Debug, Clone)]
pub(super) struct Process {
    run: Run,
    program: PathBuf,
    words: Words,
    limits: Limits,
    /// The files that the run is to write, and the words before their names.
    page: Option<&'static str>,
    learned: Option<&'static str>,
    certificate: Option<&'static str>,
}

impl Process {
    pub fn new(run: Run, part: &Part, program: &Path, plan: &Plan) -> Self {
        Self {
            run,
            program: program.to_owned(),
            words: plan.words(run.task, part),
            limits: plan.limits,
            page: plan.reports.then_some("--html"),
            learned: part.learns.then_some("--learned"),
            certificate: part.certifies.then_some("--certificate"),
        }
    }

    /// Runs it, with what earlier runs have left.
    pub fn run(&self, known: &Known, budget: &Budget) -> Event {
        // Without a folder nothing is written, and there is a result all the same.
        let Ok(folder) = Folder::new() else { return self.check(None, budget) };
        let path = |name: &str| folder.path().join(name);
        let mut tried = None;
        if let Some(certificate) = &known.certificate
            && fs::write(path("known"), &certificate.text).is_ok()
        {
            tried = self.certify(certificate, folder.path(), budget);
        }
        if let Some(finished) = tried.as_ref().and_then(|tried| ended(tried)?.certified()) {
            let text = fs::read(path("certificate")).ok();
            let certificate = text.map(|text| KnownCertificate { text, proof_seconds: None });
            let files = Files { certificate, ..Files::default() };
            return Event::Done(self.run, finished, files.into());
        }
        match self.decide(known, folder.path(), budget) {
            Event::Done(run, mut finished, files) => {
                if let Some(tried) = tried {
                    finished.add(tried.seconds, tried.cpu_seconds);
                }
                Event::Done(run, finished, files)
            }
            event => event,
        }
    }

    /// Has `check` decide, which begins with what earlier runs have learned.
    fn decide(&self, known: &Known, folder: &Path, budget: &Budget) -> Event {
        if let Some(learned) = &known.learned
            && fs::write(folder.join("learned"), learned).is_err()
        {
            return self.check(None, budget);
        }
        self.check(Some(folder), budget)
    }

    fn measure(&self, words: &[OsString], budget: &Budget) -> Option<Measured> {
        let commands = |_: &Path| {
            let mut command = Command::new(&self.program);
            command.args(words);
            vec![(command, false)]
        };
        let bounds = Bounds { time: patience(self.limits), memory: None, is_watched: false };
        measure(&commands, Path::new(""), bounds, budget)
    }

    /// Has `certify` judge the certificate, which is the file `known` in the folder; where it is
    /// accepted, the program's own one is in `certificate`, if it is C.
    fn certify(
        &self,
        certificate: &KnownCertificate,
        folder: &Path,
        budget: &Budget,
    ) -> Option<Measured> {
        let (is_c, own) = self.words.certify().ok()?;
        if !is_c && certificate.proof_seconds.is_some() {
            return None;
        }
        let mut words = certifying(self.limits, certificate);
        if is_c {
            words.extend(["--adapt".into(), folder.join("certificate").into()]);
        }
        words.extend(own.into_iter().map(OsString::from));
        words.push(folder.join("known").into());
        self.measure(&words, budget)
    }

    /// Has `check` decide, and keep files in the folder.
    fn check(&self, folder: Option<&Path>, budget: &Budget) -> Event {
        let mut words = limited(self.limits);
        let files =
            [(self.page, "page"), (self.learned, "learned"), (self.certificate, "certificate")];
        for (option, name) in files {
            if let (Some(option), Some(folder)) = (option, folder) {
                words.extend([option.into(), folder.join(name).into()]);
            }
        }
        words.extend(self.words.all().into_iter().map(OsString::from));
        let Some(measured) = self.measure(&words, budget) else { return Event::Stopped };
        let (run, seconds) = (self.run, measured.seconds);
        let finished = match measured.end {
            End::Exit(None) => {
                return Event::Lost(run, "the process was ended by a signal".to_owned());
            }
            End::Exit(_) => match ended(&measured).and_then(|ended| ended.finished()) {
                Some(finished) => finished,
                None if budget.check().is_err() => return Event::Stopped,
                None => return Event::Lost(run, "the process was interrupted".to_owned()),
            },
            End::Time => stopped("time", "it did not end at its limit, and was ended", seconds),
            End::Memory => stopped("memory", "memory limit reached", seconds),
            End::NoInput(why) => stopped("bad-input", &why, seconds),
            End::Failed(why) => stopped("crash", &why, seconds),
        };
        // What a run has written, where it has.
        let written = |name: &str| folder.and_then(|folder| fs::read(folder.join(name)).ok());
        let files = Files {
            page: written("page"),
            learned: written("learned"),
            certificate: written("certificate")
                .filter(|_| finished.verdict == Verdict::Safe)
                .map(|text| KnownCertificate { text, proof_seconds: Some(seconds) }),
        };
        Event::Done(run, finished, files.into())
    }
}

/// The output of a process that has ended by itself.
fn ended(measured: &Measured) -> Option<Ended<'_>> {
    let Measured { end: End::Exit(exit), output, errors, seconds, cpu_seconds, .. } = measured
    else {
        return None;
    };
    let (exit, seconds, cpu_seconds) = (*exit, *seconds, *cpu_seconds);
    Some(Ended { exit, output, errors, seconds, cpu_seconds, node: None })
}
