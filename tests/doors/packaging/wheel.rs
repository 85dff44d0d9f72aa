//! The wheel for Python: it is built, installs into an empty environment, and Python's own tests
//! pass there.

use std::path::Path;
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// An environment of Python with what builds the wheel; `None` where there is none, or no index of
/// packages.
fn builder(folder: &Path) -> Option<std::path::PathBuf> {
    let venv = folder.join("builder");
    let python = venv.join("bin").join("python");
    let quiet = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    if !quiet(Command::new("python3").args(["-m", "venv"]).arg(&venv)) {
        eprintln!("skipped: there is no python3 with venv");
        return None;
    }
    let install = ["-m", "pip", "install", "--quiet", "--retries", "1", "maturin>=1.7,<2"];
    if !quiet(Command::new(&python).args(install)) {
        eprintln!("skipped: maturin cannot be installed; is PyPI in reach?");
        return None;
    }
    Some(python)
}

#[test]
fn the_wheel_works_in_an_empty_environment() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(python) = builder(folder.path()) else { return };
    let program = Path::new(env!("CARGO_BIN_EXE_hardbop"));
    let built = program.parent().expect("a folder");
    let profile = if built.ends_with("release") { "release" } else { "dev" };
    let wheels = folder.path().join("wheels");
    let path = std::env::var("PATH").unwrap_or_default();
    let with_tools = format!("{}:{path}", python.parent().expect("a folder").display());
    let mut build = Command::new(&python);
    build.args(["-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "./python", "-w"]);
    build.arg(&wheels).current_dir(ROOT).env("PATH", with_tools);
    // What cargo has built already is not built again.
    build.env("CARGO_TARGET_DIR", built.parent().expect("a folder"));
    if cfg!(feature = "depqbf") {
        build.env("MATURIN_PEP517_ARGS", "--features hardbop/depqbf");
    }
    build.env("HARDBOP_PROGRAM", program).env("HARDBOP_PROFILE", profile);
    build.env("CARGO", env!("CARGO"));
    succeed(&mut build);
    succeed(Command::new(Path::new(ROOT).join("tests/wheel.sh")).arg(&wheels));
}

fn succeed(command: &mut Command) {
    let output = command.output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{stdout}\n{stderr}");
}
