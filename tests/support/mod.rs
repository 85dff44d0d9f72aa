//! Helpers that several tests use.
// Each binary uses a part of it.
#![allow(dead_code, unused_imports)]

pub mod agreement;
#[cfg(feature = "c")]
pub mod automata;
pub mod boogie;
#[cfg(feature = "c")]
pub mod c;
pub mod circuit;
pub mod explicit;
#[cfg(feature = "c")]
pub mod formulas;
pub mod inductive;
pub mod maker;
pub mod parsing;
#[cfg(feature = "c")]
pub mod paths;
mod shared;
pub mod smv;
pub mod spacer;
pub mod strongest;
#[cfg(feature = "c")]
pub mod walk;
pub mod words;

pub use shared::shared;

use hardbop_base::source::Diagnostic;
use hardbop_base::source::Source;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::program::Program;
use hardbop_bp::language::resolve::{ResolveOptions, resolve};

/// A loop whose states take quantified queries with --plain; safe.
pub const ROTATION: &str = "decl a, b, c, d;
    void main() begin
      a, b, c, d := T, F, F, F;
      while (*) do
        a, b, c, d := schoose[a, b], a & *, b | (c & *), d constrain ('a => !'b);
        f(a, b);
      od;
      assert(!d);
    end
    void f(x, y) begin
      assert(!(x & y));
      if (*) then a, b := b, a; f(y, x); a, b := b, a; fi;
    end";

/// Parses and resolves a text with the default options.
pub fn load(text: &str) -> Result<Program, Vec<Diagnostic>> {
    load_with(text, &ResolveOptions::default())
}

/// Parses and resolves a text.
pub fn load_with(text: &str, options: &ResolveOptions) -> Result<Program, Vec<Diagnostic>> {
    let tree = parse(text, Dialect::default())?;
    resolve(Source::new("test.bp", text), &tree, options)
}

/// Parses and resolves a text without mistakes.
pub fn program(text: &str) -> Program {
    load(text).unwrap_or_else(|d| panic!("{text}\n{d:#?}"))
}

/// Random programs with their verdicts (true: unsafe) from the explicit-state oracle of the
/// generator, which shares nothing with this crate; none, with a message, where it is not there.
pub fn generated(seed: u32, count: u32) -> Vec<(String, bool)> {
    let Some(tool) = shared().map(|s| s.join("tools/bpfuzz.py")).filter(|t| t.is_file()) else {
        eprintln!("skipped: no generator of random programs (set HARDBOP_SHARED)");
        return Vec::new();
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = std::process::Command::new("python3")
        .arg(tool)
        .args(["--seed", &seed.to_string(), "--count", &count.to_string(), "--out"])
        .arg(folder.path())
        .status();
    if !run.is_ok_and(|s| s.success()) {
        eprintln!("skipped: the generator of random programs does not run");
        return Vec::new();
    }
    let expected = std::fs::read_to_string(folder.path().join("expected.tsv")).expect("a list");
    expected
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(file, verdict)| {
            let text = std::fs::read_to_string(folder.path().join(file)).expect("a program");
            (text, verdict == "unsafe")
        })
        .collect()
}
