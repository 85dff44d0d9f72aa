//! The Boolean programs of other tools, with their known verdicts.
//!
//! Skips, with a message, where the benchmarks are not there.

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Options, Silent, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::Outcome;

#[test]
fn verdicts_as_expected() {
    let Some(folder) = crate::support::shared().map(|s| s.join("benchmarks")) else {
        return eprintln!("skipped: no benchmarks (set HARDBOP_SHARED)");
    };
    let list = std::fs::read_to_string(folder.join("expected.tsv")).expect("a list of verdicts");
    let mut seen = 0;
    for line in list.lines().filter(|l| l.starts_with("bp/")) {
        let mut fields = line.split('\t');
        let (Some(file), Some(expected)) = (fields.next(), fields.next()) else {
            panic!("ill-formed line: {line}");
        };
        let bytes = std::fs::read(folder.join(file)).expect("the file of the list");
        // What the list calls unknown may be of a dialect that is refused; it must not crash.
        let Ok(program) = crate::support::load(&String::from_utf8_lossy(&bytes)) else {
            assert_eq!(expected, "unknown", "{file} is refused");
            continue;
        };
        for engine in [Engine::Auto, Engine::Bdd, Engine::Pdr] {
            let options = Options { engine, ..Options::default() };
            let report = check(&program, &options, &Budget::unlimited(), &mut Silent)
                .unwrap_or_else(|e| panic!("{file}: {e}"));
            let verdict = match report.outcome {
                Outcome::Safe(_) => "safe",
                Outcome::Unsafe(trace) => {
                    replay(&program, &trace).unwrap_or_else(|e| panic!("{file}: {e}"));
                    "unsafe"
                }
                Outcome::Unknown(reason) => panic!("{file}: UNKNOWN ({reason}) without limits"),
            };
            assert!(expected == "unknown" || verdict == expected, "{file}, {engine:?}: {verdict}");
        }
        seen += 1;
    }
    assert!(seen > 0, "no Boolean program in the list");
}
