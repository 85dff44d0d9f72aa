//! Any program that decides QDIMACS files, as a 2QBF solver.
//!
//! The query is written to a temporary folder.  Standard input and output of the program are files there, too, so
//! nothing can block, whatever the program and its child processes do with them.  The program gets its own process
//! group, which is killed when the budget is spent.
//!
//! An answer counts if the exit code (10: true, 20: false) and the output agree.  Everything else is a
//! [`SolverFailure`]: the program is missing, crashes, or prints nothing or nonsense.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use super::query::ForallExists;
use super::solver::{QbfAnswer, QbfSolver, Validity};
use hardbop_base::budget::{Budget, Exhausted, SolverFailure};
use hardbop_base::process::{CommandLine, Folder, Group, Nap};
use hardbop_logic::{Aig, Input};

/// The longest output that is read; a program that writes more is killed.
const OUTPUT: u64 = 16 << 20;

/// A solver that starts a program for each query.
#[derive(Debug, Clone)]
pub struct Process {
    command: CommandLine,
}

impl Process {
    pub fn new(command: CommandLine) -> Self {
        Self { command }
    }

    fn decide(
        &self,
        aig: &mut Aig,
        query: &ForallExists,
        budget: &Budget,
    ) -> Result<Validity, Exhausted> {
        budget.check()?;
        let handed_over = |e: io::Error| SolverFailure::HandOver(e.kind());
        let folder = Folder::new().map_err(handed_over)?;
        let (question, answer) =
            (folder.path().join("query.qdimacs"), folder.path().join("answer"));
        write_query(aig, query, &question).map_err(handed_over)?;
        let status = self.run(&question, &answer, budget)?;
        let output = fs::read(&answer).map_err(handed_over)?;
        let universals = query.universals(aig);
        Ok(interpret(status, &String::from_utf8_lossy(&output), &universals)?)
    }

    /// Runs the program to its end.
    fn run(
        &self,
        question: &Path,
        answer: &Path,
        budget: &Budget,
    ) -> Result<ExitStatus, Exhausted> {
        let mut running = self.start(question, answer)?;
        let mut nap = Nap::default();
        loop {
            match running.ended() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) => {}
                Err(e) => return Err(SolverFailure::HandOver(e.kind()).into()),
            }
            budget.poll()?;
            if fs::metadata(answer).is_ok_and(|m| m.len() > OUTPUT) {
                return Err(SolverFailure::Flood.into());
            }
            nap.sleep();
        }
    }

    fn start(&self, question: &Path, answer: &Path) -> Result<Group, SolverFailure> {
        let handed_over = |e: io::Error| SolverFailure::HandOver(e.kind());
        let mut command = self.command.on(question);
        if self.command.names_file() {
            command.stdin(Stdio::null());
        } else {
            command.stdin(File::open(question).map_err(handed_over)?);
        }
        command.stdout(File::create(answer).map_err(handed_over)?).stderr(Stdio::null());
        Group::spawn(&mut command).map_err(|e| SolverFailure::NotStarted(e.kind()))
    }
}

fn write_query(aig: &mut Aig, query: &ForallExists, path: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    query.to_qdimacs(aig, &mut file)?;
    file.flush()
}

/// Combines exit code and output into an answer.
fn interpret(
    status: ExitStatus,
    output: &str,
    universals: &[Input],
) -> Result<Validity, SolverFailure> {
    let code = match status.code() {
        Some(code) => code,
        #[cfg(unix)]
        None => {
            let signal = std::os::unix::process::ExitStatusExt::signal(&status);
            return Err(SolverFailure::Signal(signal.unwrap_or(0)));
        }
        #[cfg(not(unix))]
        None => return Err(SolverFailure::Signal(0)),
    };
    let by_code = match code {
        10 => true,
        20 => false,
        // The conventional code for "not solved".
        0 => return Err(SolverFailure::Undecided),
        _ => return Err(SolverFailure::Exit(code)),
    };
    let mut said = None;
    let mut counterexample = None;
    for line in output.lines() {
        if let Some(values) = line.trim().strip_prefix("V ") {
            let known = counterexample.get_or_insert_with(Vec::new);
            known.extend(values.split_whitespace().filter_map(|l| value(l, universals)));
        } else if let Some(now) = truth(line) {
            if said.is_some_and(|before| before != now) {
                return Err(SolverFailure::Contradiction);
            }
            said = Some(now);
        }
    }
    match said {
        Some(said) if said != by_code => Err(SolverFailure::Contradiction),
        None => Err(SolverFailure::NoAnswer),
        Some(true) => Ok(Validity::Valid),
        Some(false) => Ok(Validity::Invalid { counterexample }),
    }
}

/// The answer that a line of the output gives, in the words of QDIMACS and of existing solvers.
fn truth(line: &str) -> Option<bool> {
    let words: Vec<String> = line.split_whitespace().map(str::to_ascii_uppercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["S", "CNF", "1", ..] => Some(true),
        ["S", "CNF", "0", ..] => Some(false),
        [word] | ["S" | "C", word] => match word {
            "SAT" | "SATISFIABLE" | "TRUE" => Some(true),
            "UNSAT" | "UNSATISFIABLE" | "FALSE" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A literal of a `V` line as the value of a universal; universals are the first variables of the file.
fn value(literal: &str, universals: &[Input]) -> Option<(Input, bool)> {
    let literal: i32 = literal.parse().ok()?;
    let position = (literal.unsigned_abs() as usize).checked_sub(1)?;
    Some((*universals.get(position)?, literal > 0))
}

impl QbfSolver for Process {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> QbfAnswer {
        QbfAnswer::new(self.decide(aig, query, budget).unwrap_or_else(Validity::Unknown))
    }
}
