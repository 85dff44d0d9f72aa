//! docs/cli.md and docs/hardbop.1 say what the options of the command line are, and shells complete
//! them with docs/completions.  All are made from the definitions; here they are made anew and
//! compared.  With `UPDATE=1` they are rewritten instead.

use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = "docs/cli.md";
const MANUAL: &str = "docs/hardbop.1";
/// Completions, by their shells; the names are those that the shells look for.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "docs/completions/hardbop.bash"),
    ("zsh", "docs/completions/_hardbop"),
    ("fish", "docs/completions/hardbop.fish"),
];
const MARKER: &str = "<!-- options: ";
const END: &str = "<!-- end -->";

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap_or_default()
}

fn hardbop(arguments: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_hardbop")).args(arguments).output();
    let run = run.expect("hardbop runs");
    assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("hardbop writes UTF-8")
}

/// What the definitions say of a command.
fn options(command: &str) -> String {
    let words = command.split(' ').filter(|w| !w.is_empty());
    hardbop(&["reference"].into_iter().chain(words).collect::<Vec<_>>())
}

/// Compares a file with what it should be, or rewrites it.
fn keep(file: &str, now: &str) {
    if std::env::var_os("UPDATE").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        fs::write(path, now).expect("the file can be written");
        return;
    }
    let before = read(file);
    let change = before.lines().zip(now.lines()).find(|(old, new)| old != new);
    assert!(
        before == now,
        "{file} is not what the definitions in src/cli/arguments say; \
         'UPDATE=1 cargo test --test doors reference' rewrites it.  The first difference: {change:#?}"
    );
}

#[test]
fn the_tables_are_those_of_the_definitions() {
    let page = read(PAGE);
    let (mut now, mut lines) = (String::new(), page.lines());
    while let Some(line) = lines.next() {
        now += &format!("{line}\n");
        if let Some(command) = line.strip_prefix(MARKER).and_then(|l| l.strip_suffix(" -->")) {
            assert!(lines.by_ref().any(|l| l == END), "{PAGE}: no '{END}' after '{line}'");
            now += &format!("{}{END}\n", options(command));
        }
    }
    keep(PAGE, &now);
}

#[test]
fn every_command_has_a_table() {
    let page = read(PAGE);
    let help = hardbop(&["--help"]);
    let commands = help.lines().skip_while(|l| *l != "Commands:").skip(1);
    let commands = commands.take_while(|l| !l.trim().is_empty());
    let names = commands.filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let names: Vec<&str> = names.filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.contains(&"check"), "{help}");
    // `replay` has no options, and `gen` has those of its families.
    for name in names.into_iter().filter(|n| !["help", "replay", "gen"].contains(n)) {
        assert!(page.contains(&format!("{MARKER}{name} -->")), "{PAGE}: no table of '{name}'");
    }
}

#[test]
fn the_manual_page_is_that_of_the_definitions() {
    keep(MANUAL, &options(""));
}

#[test]
fn the_completions_are_those_of_the_definitions() {
    for (shell, file) in COMPLETIONS {
        let now = hardbop(&["reference", "--completions", shell]);
        assert!(now.contains("time-limit") && !now.contains("reference"), "{shell}: {now}");
        keep(file, &now);
    }
}

/// Bash, asked as a user does who presses the tabulator key.
#[test]
fn bash_completes() {
    if !Command::new("bash").arg("--version").output().is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: there is no bash");
        return;
    }
    let ask = "source docs/completions/hardbop.bash
        COMP_WORDS=(hardbop $1 $2) COMP_CWORD=2; _hardbop hardbop $2 $1; echo ${COMPREPLY[*]}";
    for (command, begun, completed) in
        [("check", "--time", "--time-limit"), ("compare", "--peer-p", "--peer-preset")]
    {
        let mut bash = Command::new("bash");
        bash.args(["-c", ask, "bash", command, begun]).current_dir(env!("CARGO_MANIFEST_DIR"));
        let reply = bash.output().expect("bash runs").stdout;
        assert_eq!(String::from_utf8_lossy(&reply).trim(), completed);
    }
}

#[test]
fn an_unknown_command_has_no_reference() {
    let run = Command::new(env!("CARGO_BIN_EXE_hardbop")).args(["reference", "nothing"]).output();
    assert_eq!(run.expect("hardbop runs").status.code(), Some(2));
}
