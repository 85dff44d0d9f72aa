//! C programs in tests: reading, executing, and compiling them with gcc.

pub mod computed;
pub mod maker;
pub mod narrowed;
pub mod texts;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::errors::{Check, Checks};
use hardbop_base::source::Source;
use hardbop_c::execute::{
    End, Execution, ExecutionOptions, ExecutionOutcome, Recording, Script, run,
};
use hardbop_c::flow::Flow;
use hardbop_c::harness::harness;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_refine::cegar::Algorithm;
use hardbop_verify::{self as verify, CProgram, Outcome};

pub use super::shared;

/// The options of a check that leaves all to predicate abstraction: nothing is executed or tried
/// before, and no states are enumerated.
pub fn analysis_only() -> verify::Options {
    let mut options = verify::Options { executions: 0, ..verify::Options::default() };
    options.analysis.explicit_states = 0;
    options.analysis.algorithm = Algorithm::Predicate;
    options
}

/// What a variable of the environment says, such as how many random programs there are, or from
/// which seed.
pub fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Parses a text without mistakes.
pub fn flow(name: &str, text: &str, model: DataModel) -> Flow {
    let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
    let source = Source::new(name, text);
    on_large_stack(|| parse(source, &options))
        .expect("a thread")
        .unwrap_or_else(|d| panic!("{name}:\n{text}\n{d:#?}"))
}

/// A program that is asked for these kinds of error, and no others.
pub fn checked(text: &str, checks: &[Check]) -> Flow {
    asked(text, Property { checks: Checks::of(checks), ..Property::nothing() })
}

/// A program that is asked for what this says.
pub fn asked(text: &str, property: Property) -> Flow {
    let options = ParseOptions { property, ..ParseOptions::default() };
    let flow = on_large_stack(|| parse(Source::new("p.c", text), &options));
    flow.expect("a thread").unwrap_or_else(|d| panic!("{text}: {d:#?}"))
}

/// What comes of a program: `safe`, `unsafe` with the harness, or `unknown` with the reason.
pub fn decide(flow: &Flow, options: &verify::Options, limit: Duration) -> (&'static str, String) {
    let budget = Budget::unlimited().with_time_limit(limit);
    on_large_stack(|| {
        let report = verify::check(CProgram::new(flow), options, &budget, &mut ());
        match report.unwrap_or_else(|e| panic!("{}: {e}", flow.source.text)).outcome {
            Outcome::Safe(_) => ("safe", String::new()),
            Outcome::Unsafe(execution) => {
                ("unsafe", harness(flow, &execution).expect("an error has a harness").text)
            }
            Outcome::Unknown(reason) => ("unknown", reason.to_string()),
        }
    })
    .expect("a thread")
}

/// Executes on a list of values; reading nothing that is uninitialised gives other values than 0.
pub fn execute(flow: &Flow, values: &[i64], record: Recording) -> Execution {
    let options = ExecutionOptions { steps: 1_000_000, record, ..ExecutionOptions::default() };
    let mut oracle = Script::new(values.iter().map(|&v| v as u64));
    on_large_stack(|| run(flow, &mut oracle, &options)).expect("a thread")
}

/// How an execution ends, in the words of `runtime.c`; `None` where it has no defined end.
pub fn words(execution: &Execution) -> Option<String> {
    let used = execution.inputs.iter().filter(|i| i.input.kind.is_nondet()).count();
    let status = execution.status.unwrap_or(0) as u32;
    Some(match &execution.outcome {
        ExecutionOutcome::Error { .. } => format!("ERROR {used} 0"),
        ExecutionOutcome::Ended(End::Returned) => format!("END {used} {status}"),
        ExecutionOutcome::Ended(End::Stopped | End::Assumption) => format!("DROPPED {used} 0"),
        ExecutionOutcome::NoInput => format!("MORE {used} 0"),
        _ => return None,
    })
}

/// The programs that gcc makes.
pub struct Compiled {
    folder: tempfile::TempDir,
    program: PathBuf,
}

fn gcc(model: DataModel) -> Command {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-fwrapv", "-fno-builtin", "-fno-strict-aliasing"]);
    gcc.args(["-nostdlib", "-static", "-fno-pie", "-no-pie", "-fno-stack-protector"]);
    // SSE: x87 registers would keep more bits than floats have.
    gcc.args(match model {
        DataModel::Ilp32 => ["-m32", "-mfpmath=sse", "-msse2"].as_slice(),
        DataModel::Lp64 => &["-m64"],
    });
    gcc.stdin(Stdio::null()).stdout(Stdio::null());
    gcc
}

/// Whether gcc makes programs that run.
pub fn can_compile(model: DataModel) -> bool {
    let fine = Compiled::new("int main(void) { return 3; }", model)
        .is_some_and(|c| c.run(&[]).as_deref() == Some("END 0 3"));
    if !fine {
        eprintln!("skipped: no gcc for {model:?}");
    }
    fine
}

impl Compiled {
    /// A program of the tests, with the runtime; `None` where gcc refuses.
    pub fn new(text: &str, model: DataModel) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (file, program) = (folder.path().join("p.c"), folder.path().join("p"));
        // The error functions are the runtime's.
        let text = text.replace("void reach_error() { }", "void reach_error();");
        std::fs::write(&file, text).expect("a file");
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/c/runtime.c");
        let object = folder.path().join("p.o");
        let fine = |command: &mut Command| command.status().is_ok_and(|s| s.success());
        let compiled = fine(
            gcc(model).args(["-O1", "-Dmain=program_main", "-c", "-o"]).arg(&object).arg(&file),
        ) && fine(gcc(model).arg("-o").arg(&program).arg(&object).arg(runtime));
        compiled.then_some(Self { folder, program })
    }

    /// What the program prints.
    pub fn run(&self, values: &[i64]) -> Option<String> {
        let values = values.iter().map(i64::to_string);
        let output = Command::new(&self.program).args(values).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// Exit code of a harness, compiled for the data model.
pub fn run_harness(text: &str, model: DataModel) -> Option<i32> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("h.c"), folder.path().join("h"));
    std::fs::write(&file, text).expect("a file");
    let mut gcc = gcc(model);
    gcc.args(["-O0", "-DHARDBOP_FREESTANDING", "-o"]).arg(&program).arg(&file);
    if !gcc.status().is_ok_and(|s| s.success()) {
        return None;
    }
    Command::new(&program).stderr(Stdio::null()).status().ok()?.code()
}

/// Random programs of a level with verdict (true: unsafe) and witness; none, with a message, where
/// the generator is not there.
pub fn generated(level: u32, seed: u32, count: u32) -> Vec<(String, String, bool, Vec<i64>)> {
    let Some(tool) = shared().map(|s| s.join("tools/cfuzz/cgen.py")).filter(|t| t.is_file()) else {
        eprintln!("skipped: no generator of random programs (set HARDBOP_SHARED)");
        return Vec::new();
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = Command::new("python3")
        .arg(tool)
        .args(["--seed", &seed.to_string(), "--count", &count.to_string()])
        .args(["--level", &level.to_string(), "--out"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .status();
    if !run.is_ok_and(|s| s.success()) {
        eprintln!("skipped: the generator of random programs does not run");
        return Vec::new();
    }
    read_list(folder.path())
}

/// The programs of a folder with `expected.tsv`.
pub fn read_list(folder: &Path) -> Vec<(String, String, bool, Vec<i64>)> {
    let expected = std::fs::read_to_string(folder.join("expected.tsv")).expect("a list");
    let lines = expected.lines().skip(1);
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let text = std::fs::read_to_string(folder.join(columns[0])).expect("a program");
            let witness = columns[2].split(',').filter_map(|v| v.parse().ok()).collect();
            (columns[0].to_owned(), text, columns[1] == "unsafe", witness)
        })
        .collect()
}

/// Exit code of a harness, compiled with the C library for this machine; `None` without one.
pub fn run_harness_hosted(text: &str) -> Option<i32> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("h.c"), folder.path().join("h"));
    std::fs::write(&file, text).expect("a file");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-builtin", "-fno-strict-aliasing", "-o"]);
    if !gcc.arg(&program).arg(&file).arg("-lm").status().is_ok_and(|s| s.success()) {
        return None;
    }
    Command::new(&program).stderr(Stdio::null()).status().ok()?.code()
}
