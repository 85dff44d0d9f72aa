//! Programs whose verdicts are known by construction, and from what gcc makes of them: each file of
//! `tests/c/programs` says in its first line what must come of it.
//!
//! `unknown` stands where the program does something that is not modelled; `rejected` where it is
//! not even read; `both` for two versions.  No other answer is right there, since `safe` or
//! `unsafe` would be luck.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_c::points_to::Externals;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_verify::{CProgram, Options, Outcome, Route, check};

use crate::support::c::analysis_only;

/// In the first line: undefined functions leave globals alone that they are not given.
const REACHABLE: &str = "kernel functions change only what they are given";

/// Seconds for a program by Boolean programs alone, which need not decide it.
const SECONDS: u64 = 5;

fn answer(text: &str, model: DataModel, route: Route) -> String {
    let mut how = Options { route, ..analysis_only() };
    if text.lines().next().is_some_and(|line| line.contains(REACHABLE)) {
        how.externals = Externals::Reachable;
    }
    let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
    let seconds = if route == Route::Bp { SECONDS } else { 200 };
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(seconds));
    let work = || {
        let Ok(flow) = parse(Source::new("program.c", text), &options) else { return "rejected" };
        match check(CProgram::new(&flow), &how, &budget, &mut ()).expect("solvers work").outcome {
            Outcome::Safe(_) => "safe",
            Outcome::Unsafe(_) => "unsafe",
            Outcome::Unknown(_) => "unknown",
        }
    };
    on_large_stack(work).expect("a thread").to_owned()
}

/// A program with its verdict; where that is `both`, the text is safe, and unsafe with what the
/// lines `// old ==> new` behind the first one say.
fn versions(text: &str) -> Vec<(String, String)> {
    let expected = text.lines().next().unwrap_or("").trim_start_matches("// ");
    let expected = expected.split(':').next().unwrap_or("");
    if expected != "both" {
        return vec![(text.to_owned(), expected.to_owned())];
    }
    let head = text.lines().skip(1).map_while(|line| line.strip_prefix("// ")?.split_once(" ==> "));
    let changes: Vec<(&str, &str)> = head.collect();
    let body: String =
        text.lines().skip(1 + changes.len()).map(|line| format!("{line}\n")).collect();
    let mut bug = body.clone();
    for (old, new) in changes {
        assert_eq!(bug.matches(old).count(), 1, "{old}");
        bug = bug.replace(old, new);
    }
    vec![(body, "safe".to_owned()), (bug, "unsafe".to_owned())]
}

#[test]
fn verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/programs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    let header = std::fs::read_to_string(folder.join("driver.h")).expect("a header");
    assert!(files.len() >= 20, "{}", files.len());
    let mut wrong = vec![];
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a program");
        let text = text.replace("#include \"driver.h\"\n", &header);
        for (text, expected) in versions(&text) {
            for model in [DataModel::Ilp32, DataModel::Lp64] {
                let found = answer(&text, model, Route::Auto);
                if found != expected {
                    wrong.push(format!("{}, {model:?}: {found}, not {expected}", path.display()));
                }
                let found = answer(&text, model, Route::Bp);
                if ![&expected, "unknown"].contains(&&found[..]) {
                    let what = format!("{found}, not {expected}, by Boolean programs");
                    wrong.push(format!("{}, {model:?}: {what}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
