//! What can go wrong while a campaign runs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::{LIMITS, campaign, command, folder, known, rows, stderr, verdicts};

/// Programs that nothing decides soon, `FAMILY-N.bp`: numbers that count up, which takes memory, or
/// that are multiplied.
fn hard(folder: &Path, family: &str, number: usize) {
    for i in 0..number {
        let output = Command::new(env!("CARGO_BIN_EXE_hardbop"))
            .args(["gen", family, "--size", &(40 + i).to_string()])
            .args((family == "counter").then_some("--bug"))
            .output()
            .expect("hardbop runs");
        fs::write(folder.join(format!("{family}-{i}.bp")), output.stdout).expect("written");
    }
}

#[test]
fn a_campaign_that_is_killed_goes_on() {
    let description = format!(
        "{}[[programs]]\nfiles = ['*.bp']\n",
        LIMITS.replace("20s", "1s").replace("1G", "500M")
    );
    let (killed, whole) = (folder(&description), folder(&description));
    for folder in [&killed, &whole] {
        hard(folder.path(), "multiply", 3);
    }
    for milliseconds in [500, 900] {
        let mut driver = command(killed.path(), &["--jobs", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("hardbop runs");
        sleep(Duration::from_millis(milliseconds));
        driver.kill().expect("it is killed");
        driver.wait().expect("it has ended");
    }
    let before = known(killed.path());
    let after = rows(killed.path(), 10, &["--jobs", "2"]);
    for (task, known) in before.iter().filter(|(_, [verdict, ..])| !verdict.is_empty()) {
        assert_eq!(after[task], *known, "{task:?} was run again");
    }
    assert_eq!(verdicts(&after), verdicts(&rows(whole.path(), 10, &[])));
    assert_eq!(after.len(), 5);
    let mut hard = after.iter().filter(|([program, ..], _)| program.starts_with("multiply"));
    assert!(hard.all(|(_, row)| row[1] == "time limit reached"), "{after:?}");
}

#[test]
fn accidents_are_rows_with_reasons() {
    let description = format!("{}[[programs]]\nfiles = ['*']\n", LIMITS.replace("1G", "30M"));
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    hard(folder, "counter", 1);
    fs::write(folder.join("broken.c"), "int main(void) {\n  return 0\n}\n").expect("written");
    fs::write(folder.join("missing.c"), "#include \"nowhere.h\"\n").expect("written");
    fs::write(folder.join("picture.bp"), b"\xff\xfe\x00").expect("written");
    // The description is kept elsewhere, as all files here are programs.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let pattern = format!("files = ['{}/*']", folder.display());
    let description = description.replace("files = ['*']", &pattern);
    fs::write(elsewhere.path().join("campaign.toml"), description).expect("written");
    let rows = rows(elsewhere.path(), 20, &[]);
    let reason = |name: &str| {
        let key = [folder.join(name).display().to_string(), "default".into(), "default".into()];
        let [verdict, reason, _] = &rows[&key];
        format!("{verdict}: {reason}")
    };
    assert_eq!(reason("counter-0.bp"), "UNKNOWN: memory limit reached");
    assert!(reason("broken.c").contains("broken.c:2:10: expected ';'"), "{}", reason("broken.c"));
    assert!(reason("missing.c").starts_with("ERROR: cannot preprocess"), "{}", reason("missing.c"));
    assert!(reason("picture.bp").starts_with("ERROR: cannot read"), "{}", reason("picture.bp"));
}

/// The processes that a process has started.
fn children(of: u32) -> Vec<i32> {
    let tasks = fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
    let threads = fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten().flatten();
    let more = threads.filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
    let all = more.collect::<String>() + &tasks;
    all.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn a_task_whose_process_is_killed_is_tried_again_and_then_given_up() {
    let folder =
        folder(&format!("{LIMITS}[[programs]]\nfiles = ['multiply-*.bp', 'lock-safe.bp']\n"));
    hard(folder.path(), "multiply", 1);
    let mut driver = command(folder.path(), &["--jobs", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("hardbop runs");
    // Whatever it starts is killed at once, until it ends.
    while driver.try_wait().expect("its state").is_none() {
        for child in children(driver.id()) {
            // It may have ended by itself.
            let _ = Command::new("kill").args(["-9", &child.to_string()]).status();
        }
        sleep(Duration::from_millis(20));
    }
    let before = known(folder.path());
    let of = |name: &str| &before[&[name, "default", "default"].map(str::to_owned)];
    let [verdict, reason, _] = of("multiply-0.bp");
    assert_eq!((verdict.as_str(), reason.as_str()), ("ERROR", "the process was ended by a signal"));
    // What is only lost is found.
    let again = LIMITS.replace("20s", "1s");
    let description = format!("{again}[[programs]]\nfiles = ['multiply-*.bp', 'lock-safe.bp']\n");
    fs::write(folder.path().join("campaign.toml"), description).expect("written");
    let expected = [("lock-safe.bp", "SAFE"), ("multiply-0.bp", "UNKNOWN")];
    assert_eq!(verdicts(&rows(folder.path(), 20, &["--retry"])), expected);
}

#[test]
fn an_interrupt_ends_the_campaign_and_its_processes() {
    let folder = folder(&format!("{LIMITS}[[programs]]\nfiles = ['multiply-*.bp']\n"));
    hard(folder.path(), "multiply", 3);
    let mut driver = command(folder.path(), &["--jobs", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("hardbop runs");
    let mut running = vec![];
    while running.is_empty() && driver.try_wait().expect("its state").is_none() {
        running = children(driver.id());
    }
    let interrupt = ["-INT", &driver.id().to_string()];
    assert!(Command::new("kill").args(interrupt).status().expect("kill runs").success());
    assert_eq!(driver.wait().expect("it ends").code(), Some(130));
    for child in running {
        assert!(!Path::new(&format!("/proc/{child}")).exists(), "{child} is still there");
    }
    // Nothing was decided, and nothing is taken for it.
    assert!(known(folder.path()).values().all(|row| row[0].is_empty()));
}

#[test]
fn a_store_that_cannot_be_used_is_told() {
    let folder = folder(&format!("{LIMITS}[[programs]]\nfiles = ['lock-*.bp']\n"));
    fs::write(folder.path().join("campaign.sqlite"), "a text, and no store").expect("written");
    let output = campaign(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("campaign.sqlite': it is no store of a campaign"));
}

/// No file may be longer than the store is after some results.
#[test]
fn a_disk_that_is_full_is_told_and_nothing_is_lost() {
    let folder = folder(&format!("{LIMITS}[[programs]]\nfiles = ['many/*.bp']\n"));
    let many = folder.path().join("many");
    fs::create_dir(&many).expect("a folder");
    for i in 0..40 {
        let text = format!("void main() begin decl a{i}; a{i} := T; assert(a{i}); end");
        fs::write(many.join(format!("{i}.bp")), text).expect("written");
    }
    let program = env!("CARGO_BIN_EXE_hardbop");
    let script = format!("trap '' XFSZ; ulimit -f 160; exec {program} campaign campaign.toml");
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output();
    let output = output.expect("a shell runs");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
    let before = known(folder.path());
    let decided = |rows: &super::Rows| rows.values().filter(|r| r[0] == "SAFE").count();
    assert!((1..40).contains(&decided(&before)), "{}", decided(&before));
    let all = rows(folder.path(), 0, &[]);
    assert_eq!(decided(&all), 40);
    for (task, known) in before.iter().filter(|(_, [verdict, ..])| !verdict.is_empty()) {
        assert_eq!(all[task], *known, "{task:?} was run again");
    }
}
