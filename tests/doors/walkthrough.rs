//! docs/large-blocks.md shows what hardbop does with two programs, round by round.  Each block of
//! the page is behind a comment that says what it is; here it is made anew and compared.  With
//! `UPDATE=1` the page is rewritten instead.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const PAGE: &str = "docs/large-blocks.md";
const MARKER: &str = "<!-- hardbop: ";
const PROGRAMS: [&str; 2] = ["fig1", "fig2"];
const ENCODINGS: [&str; 2] = ["lbe", "sbe"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn source(program: &str) -> PathBuf {
    root().join("examples/large-blocks").join(program).with_extension("c")
}

fn hardbop(folder: &Path, file: &Path, options: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .arg("check")
        .arg(file)
        .args(options)
        .current_dir(folder)
        .output()
        .expect("hardbop runs");
    String::from_utf8(run.stdout).expect("hardbop writes UTF-8")
}

fn statistics(program: &str, options: &[&str], folder: &Path) -> Value {
    let file = source(program);
    let document = hardbop(folder, &file, &[&["--json", "--executions", "0"], options].concat());
    let document: Value = serde_json::from_str(&document).expect("hardbop writes JSON");
    assert_eq!(document["verdict"], "SAFE", "{program} {options:?}");
    document
}

/// The Boolean programs of a run, in order, and the run's statistics.
struct Rounds {
    folder: tempfile::TempDir,
    texts: Vec<String>,
    statistics: Value,
    tree: Value,
}

impl Rounds {
    fn new(program: &str, blocks: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let by_programs = ["--route", "bp", "--save-bps", "rounds", "--blocks", blocks];
        let document = statistics(program, &by_programs, folder.path());
        let statistics = document["statistics"].clone();
        let abstraction = if blocks == "lbe" { "boolean" } else { "cartesian" };
        let by_tree = ["--route", "tree", "--explicit-states", "0", "--blocks", blocks];
        let by_tree = [&by_tree[..], &["--abstraction", abstraction]].concat();
        let tree = self::statistics(program, &by_tree, folder.path())["statistics"].clone();
        let count = statistics["rounds"].as_u64().expect("rounds are counted") as usize;
        let texts = (1..=count)
            .map(|n| fs::read_to_string(folder.path().join(name(n))).expect("a round is written"))
            .collect();
        Self { folder, texts, statistics, tree }
    }

    fn shown(&self, round: usize, how: Option<&str>) -> String {
        let text = |n: usize| self.texts.get(n - 1).map_or("", String::as_str);
        match how {
            None => fenced("text", text(round).trim()),
            Some("changes") => fenced("diff", &changes(text(round - 1), text(round))),
            Some("counterexample") => {
                let file = name(round);
                let trace = hardbop(self.folder.path(), Path::new(&file), &[]);
                fenced("text", &format!("$ hardbop check {file}\n{}", trace.trim_end()))
            }
            Some(other) => panic!("{PAGE}: what is '{other}'?"),
        }
    }
}

fn name(round: usize) -> String {
    format!("rounds/round-{round:03}.bp")
}

fn fenced(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n", text.trim_end())
}

/// Which lines go and come, by a longest common subsequence; equal lines are left out.
fn changes(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, String::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            out += &format!("-{}\n", old[i]);
            i += 1;
        } else {
            out += &format!("+{}\n", new[j]);
            j += 1;
        }
    }
    out
}

fn sizes(runs: &BTreeMap<(&str, &str), Rounds>) -> String {
    let mut out = String::from(
        "| program | blocks | rounds | predicates | statements, first and last | nodes of the tree | its refinements |\n\
         |---|---|---:|---:|---:|---:|---:|\n",
    );
    for program in PROGRAMS {
        for blocks in ENCODINGS {
            let Rounds { texts, statistics, tree, .. } = &runs[&(program, blocks)];
            let first = texts[0].lines().filter(|l| l.ends_with(';') && !l.contains("//")).count();
            out += &format!(
                "| {program} | {blocks} | {} | {} | {first}, {} | {} | {} |\n",
                statistics["rounds"],
                statistics["predicates"],
                statistics["statements"],
                tree["tree-nodes"],
                tree["refinements"],
            );
        }
    }
    out
}

/// The page with every block as it is now; and which rounds it shows.
fn rendered(page: &str, runs: &BTreeMap<(&str, &str), Rounds>) -> (String, Vec<String>) {
    let (mut out, mut shown) = (String::new(), vec![]);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        let Some(what) = line.strip_prefix(MARKER).and_then(|l| l.strip_suffix(" -->")) else {
            continue;
        };
        // What was there: a fenced block or a table.
        if let Some(first) = lines.next_if(|l| l.starts_with("```") || l.starts_with('|')) {
            let is_table = first.starts_with('|');
            while let Some(line) = lines.next_if(|l| !is_table || l.starts_with('|')) {
                if line == "```" {
                    break;
                }
            }
        }
        out += &match what.split(' ').collect::<Vec<_>>()[..] {
            ["sizes"] => sizes(runs),
            [program, "source"] => {
                fenced("c", &fs::read_to_string(source(program)).expect("an example"))
            }
            [program, blocks, "round", number, ref how @ ..] => {
                let number = number.parse().expect("the number of a round");
                shown.push(format!("{program} {blocks} {number}"));
                runs[&(program, blocks)].shown(number, how.first().copied())
            }
            _ => panic!("{PAGE}: what is '{what}'?"),
        };
    }
    (out, shown)
}

#[test]
fn the_page_shows_what_happens() {
    let mut runs = BTreeMap::new();
    for program in PROGRAMS {
        for blocks in ENCODINGS {
            runs.insert((program, blocks), Rounds::new(program, blocks));
        }
    }
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path).expect("the page is there");
    let (now, shown) = rendered(&page, &runs);
    for ((program, blocks), rounds) in &runs {
        for number in 1..=rounds.texts.len() + 1 {
            let round = format!("{program} {blocks} {number}");
            let there = number <= rounds.texts.len();
            assert_eq!(
                shown.contains(&round),
                there,
                "{PAGE}: round '{round}' of {}",
                rounds.texts.len()
            );
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, now).expect("the page can be written");
    } else if now != page {
        panic!(
            "{PAGE} is not what hardbop does now; 'UPDATE=1 cargo test --test doors walkthrough' rewrites \
             its blocks, then read the text around them:\n{}",
            changes(&page, &now)
        );
    }
}
