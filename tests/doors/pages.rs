//! The pages tell the truth: their commands run, write what the pages show and end as they say.
//!
//! A command is a line of a block that begins with `$ `; the lines behind it are what it writes, on
//! standard output and standard error.  `...` on a line of its own stands for any lines, within a
//! line for any text; amounts of time and memory may be others.  Without such lines only the exit
//! code is looked at.  Blocks in C are excerpts of examples, those marked `bp` are Boolean
//! programs.  The commands of a page run one after the other in a folder with a copy of `examples`.

mod links;
mod names;
mod options;
mod page;

use std::fs;
use std::path::Path;
use std::process::{Command as Process, Stdio};

use hardbop_bp::language::parser::{Dialect, parse};
use regex_lite::Regex;

use page::{Command, Page, root};

/// Commands that are not run, by how they begin, and why not.
const ELSEWHERE: [(&str, &str); 13] = [
    ("make", "builds, installs or measures; that there is such a target is checked"),
    ("cargo", "this test is run by cargo; that there is such an example is checked"),
    ("vendor/z3/fetch.sh", "fetches from the network"),
    ("apt-get", "installs for all users"),
    ("podman", "needs podman, and the network"),
    ("pip", "fetches from the network"),
    ("PYTHONPATH=. benchexec", "needs BenchExec: tools/test_hardbop.py tests the module"),
    ("table-generator", "needs BenchExec"),
    (
        "hardbop campaign campaign.toml --on",
        "needs a Ray cluster: python/tests/test_ray.py has one",
    ),
    ("ray", "needs a Ray cluster"),
    (
        "HARDBOP_RAY_TASKS=500",
        "needs Ray, and takes minutes: `make check-wheel` runs it with fewer tasks",
    ),
    ("python3 bench-c/campaign/simulate.py", "needs what `make bench-campaign` has measured"),
    ("cc -std=c99", "needs the library for C: tests/doors/c_api.rs compiles with it"),
];

/// Programs by which a command is known that lacks its `$ `.
const PROGRAMS: [&str; 9] =
    ["hardbop", "make", "cargo", "cc", "gcc", "apt-get", "pip", "python3", "vendor/z3/fetch.sh"];

/// Exit codes by the beginning of the last line of an output; every other output goes with 0.
const EXITS: [(&str, i32); 11] = [
    ("VERDICT: SAFE", 0),
    ("VERDICT: UNSAFE", 10),
    ("VERDICT: UNKNOWN", 20),
    ("CERTIFICATE: REJECTED", 1),
    ("CERTIFICATE: UNDECIDED", 20),
    ("s SATISFIABLE", 10),
    ("s UNSATISFIABLE", 20),
    ("s cnf 1", 10),
    ("s cnf 0", 20),
    // Of the campaign on the pages, some tasks are UNSAFE.
    ("campaign: the driver took", 10),
    // A harness, compiled and run.
    ("hardbop: the error is reached", 107),
];

fn begins_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Is what a command that is not run names at least there?
fn is_there(command: &str) -> bool {
    let words: Vec<&str> = command.split('#').next().unwrap_or("").split_whitespace().collect();
    match words[..] {
        // Another Makefile than the repository's is not looked at.
        ["make", "-C", ..] => true,
        ["make", target, ..] => {
            let makefile = fs::read_to_string(root().join("Makefile")).expect("a Makefile");
            makefile.contains(&format!("\n{target}:"))
        }
        ["cargo", "run", "--example", example, ..] => {
            root().join("examples").join(example).with_extension("rs").exists()
        }
        _ => true,
    }
}

/// The exit code where what stands before `&&` fails, so that the rest never runs.
const CUT_SHORT: i32 = 99;

/// Runs a command in a folder: what it writes, and its exit code.
fn run(command: &str, folder: &Path) -> (Vec<String>, Option<i32>) {
    let command = command.replace(" && ", &format!(" || exit {CUT_SHORT}; "));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Process::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .env("PATH", format!("{}:{path}", folder.join("bin").display()))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text.lines().map(|l| l.trim_end().to_owned()).collect(), output.status.code())
}

/// A line without the amounts that no two runs have in common.
fn normalised(line: &str) -> String {
    let amount = Regex::new(r"\s+[0-9.]+ (ns|µs|ms|s|min|h)\b").expect("a pattern");
    let memory = Regex::new(r"\s+[0-9.]+ (B|KiB|MiB|GiB)\b").expect("a pattern");
    let member = Regex::new(r#"("[a-z-]*(seconds|bytes|nanos)"):\s*[0-9.e-]+"#).expect("a pattern");
    let line = amount.replace_all(line, " (time)");
    let line = memory.replace_all(&line, " (memory)");
    member.replace_all(&line, "$1: (amount)").into_owned()
}

/// Does a line look as shown, where `...` stands for any text?
fn line_matches(shown: &str, line: &str) -> bool {
    let mut pieces = normalised(shown).split("...").map(str::to_owned).collect::<Vec<_>>();
    let line = normalised(line);
    let Some(mut rest) = line.strip_prefix(&*pieces.remove(0)) else { return false };
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        let Some(at) = rest.find(&*piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(&*last)
}

/// Does an output look as shown, where `...` on a line of its own stands for any lines?
fn output_matches(shown: &[String], output: &[String]) -> bool {
    let [first, others @ ..] = shown else { return output.is_empty() };
    match output {
        _ if first.trim() == "..." => {
            (0..=output.len()).any(|n| output_matches(others, &output[n..]))
        }
        [line, rest @ ..] => line_matches(first, line) && output_matches(others, rest),
        [] => false,
    }
}

/// What is wrong with a command of a page that ran.
fn mistake(command: &Command, output: &[String], exit: Option<i32>) -> Option<String> {
    // Behind the answer of a solver there is its model.
    let model = |line: &&String| line.starts_with("v ") || line.starts_with("V ");
    let last = output.iter().rev().find(|line| !model(line)).map_or("", String::as_str);
    let expected = EXITS.iter().find(|(line, _)| last.starts_with(line)).map_or(0, |e| e.1);
    // Where it is not that of the verdict, a line says so.
    let told = |line: &String| line.strip_prefix("exit code: ")?.split(',').next()?.parse().ok();
    let expected = output.iter().find_map(told).unwrap_or(expected);
    if exit == Some(CUT_SHORT) {
        return Some("what is before '&&' fails".to_owned());
    }
    if exit != Some(expected) {
        return Some(format!("the exit code is {exit:?}, not {expected}"));
    }
    if command.output.is_empty() {
        let is_answer = !last.starts_with("VERDICT: UNKNOWN");
        return (!is_answer).then(|| "has no answer, and the page does not say so".to_owned());
    }
    (!output_matches(&command.output, output)).then(|| "the output is another one".to_owned())
}

/// The mistakes of a page, and the commands that were not run.
fn check(page: &Page) -> (Vec<String>, Vec<&'static str>) {
    let (mut mistakes, mut elsewhere) = (vec![], vec![]);
    for block in page.blocks().iter().filter(|b| ["", "text", "sh"].contains(&&*b.language)) {
        for (number, line) in (block.line..).zip(&block.text) {
            if PROGRAMS.iter().any(|p| begins_with_word(line, p)) {
                mistakes.push(format!("{}:{number}: no '$ ' before '{line}'", page.name));
            }
        }
    }
    for block in page.blocks() {
        let text = block.text.join("\n");
        let wrong = match &*block.language {
            "c" if !examples_have(&text) => "no example has these lines",
            "bp" if parse(&text, Dialect::default()).is_err() => "this is no Boolean program",
            _ => continue,
        };
        mistakes.push(format!("{}:{}: {wrong}", page.name, block.line));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    copy(&root().join("examples"), &folder.join("examples"));
    fs::create_dir(folder.join("bin")).expect("a folder");
    let program = folder.join("bin/hardbop");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hardbop"), program).expect("a link");
    for command in page.commands() {
        let place = format!("{}:{}: '{}'", page.name, command.line, command.text);
        if let Some((begin, _)) = ELSEWHERE.iter().find(|e| begins_with_word(&command.text, e.0)) {
            elsewhere.push(*begin);
            if !is_there(&command.text) {
                mistakes.push(format!("{place}: there is no such thing"));
            }
            continue;
        }
        let (output, exit) = run(&command.text, folder);
        if let Some(mistake) = mistake(&command, &output, exit) {
            mistakes.push(format!("{place}: {mistake}\n{}", output.join("\n")));
        }
    }
    (mistakes, elsewhere)
}

/// Is it a part of one of the C programs in `examples`?
fn examples_have(excerpt: &str) -> bool {
    let mut folders = vec![root().join("examples"), root().join("crates/c/src/rules/library")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of examples") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c" || e == "rule")
                && fs::read_to_string(&path).expect("an example is UTF-8").contains(excerpt)
            {
                return true;
            }
        }
    }
    false
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder of examples") {
        let from = entry.expect("an entry").path();
        let to = to.join(from.file_name().expect("an entry has a name"));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("an example is copied");
        }
    }
}

#[test]
fn commands_do_what_the_pages_say() {
    let pages = Page::all();
    let checked: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = pages.iter().map(|page| scope.spawn(|| check(page))).collect();
        runs.into_iter().map(|run| run.join().expect("a page is checked")).collect()
    });
    let (mistakes, elsewhere): (Vec<_>, Vec<_>) = checked.into_iter().unzip();
    let (mistakes, elsewhere) = (mistakes.concat(), elsewhere.concat());
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
    for (begin, _) in ELSEWHERE {
        assert!(
            elsewhere.contains(&begin),
            "no page has a command '{begin}': take it off the table"
        );
    }
}

/// Most lines of the front page.
const FRONT_PAGE: usize = 120;

#[test]
fn the_front_page_is_short() {
    let text = fs::read_to_string(root().join("README.md")).expect("there is a front page");
    let lines = text.lines().count();
    assert!(lines <= FRONT_PAGE, "README.md: {lines} lines, more than {FRONT_PAGE}");
}

/// What is found in a page of these lines, each without its place and output.
fn mistakes(lines: &[&str]) -> Vec<String> {
    let text: String = lines.iter().map(|l| format!("    {l}\n")).collect();
    let text_only =
        |m: String| m.lines().next().unwrap_or("").rsplit(": ").next().unwrap_or("").to_owned();
    check(&Page::new("page.md", &text)).0.into_iter().map(text_only).collect()
}

#[test]
fn a_page_that_lies_is_found_out() {
    let safe = "$ hardbop check examples/lock-safe.bp";
    assert_eq!(mistakes(&[safe]), [""; 0]);
    assert_eq!(mistakes(&[safe, "VERDICT: SAFE"]), [""; 0]);
    assert_eq!(mistakes(&[safe, "VERDICT: UNSAFE"]), ["the output is another one"]);
    assert_eq!(mistakes(&[safe, "...", "VERDICT: ..."]), [""; 0]);
    let stats = &format!("{safe} --stats");
    assert_eq!(
        mistakes(&[stats, "Statistics", "  wall time   99.5 s", "...", "VERDICT: SAFE"]),
        [""; 0]
    );
    assert_eq!(mistakes(&[stats, "  wall time   99.5 s", "..."]), ["the output is another one"]);
    assert_eq!(mistakes(&["$ hardbop check nowhere.bp"]), ["the exit code is Some(2), not 0"]);
    let cut_short = "$ hardbop check examples/lock-unsafe.bp -q && echo reached";
    assert_eq!(mistakes(&[cut_short]), ["what is before '&&' fails"]);
    assert_eq!(mistakes(&["$ no-such-program"]), ["the exit code is Some(127), not 0"]);
    assert_eq!(mistakes(&["$ make nothing"]), ["there is no such thing"]);
    assert_eq!(mistakes(&["hardbop check"]), ["no '$ ' before 'hardbop check'"]);
}
