//! Options that pages name are options of hardbop.

use std::process::Command;

use super::names::HISTORY;
use super::page::Page;

/// Options that the help does not show.
const HIDDEN: [&str; 1] = ["--limit"];

fn help(arguments: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_hardbop")).args(arguments).output();
    String::from_utf8(run.expect("hardbop runs").stdout).expect("the help is UTF-8")
}

/// What the help of all commands says.
fn helps() -> String {
    let top = help(&["--help"]);
    let commands = top.lines().skip_while(|l| *l != "Commands:").skip(1);
    let commands = commands.take_while(|l| !l.is_empty());
    let names: Vec<&str> = commands.filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.contains(&"check"), "{top}");
    let mut all = top.clone();
    for name in names.into_iter().filter(|n| *n != "help") {
        all += &help(&[name, "--help"]);
        if name == "gen" {
            for family in ["driver", "counter"] {
                all += &help(&[name, family, "--help"]);
            }
        }
    }
    all
}

#[test]
fn options_are_there() {
    let helps = helps();
    let is_end = |c: char| !c.is_alphanumeric() && c != '-';
    let words: Vec<&str> = helps.split(is_end).collect();
    let mut unknown = vec![];
    for page in Page::all().iter().filter(|p| !HISTORY.contains(&p.name.as_str())) {
        for (line, text) in page.code() {
            if !text.starts_with("--") && !text.starts_with("hardbop ") {
                continue;
            }
            let options =
                text.split(is_end).filter(|word| word.len() > 2 && word.starts_with("--"));
            for option in options.filter(|o| !words.contains(o) && !HIDDEN.contains(o)) {
                unknown.push(format!("{}:{line}: no command has '{option}'", page.name));
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}
