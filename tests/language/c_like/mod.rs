//! The C-like dialect: what its texts mean, by the same programs in the ordinary one; mistakes; deep
//! and senseless texts; the files of its tool.

mod files;
mod meaning;
mod numbers;
mod shapes;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_base::verdict::Outcome;
use hardbop_bp::engine;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::resolve::{ResolveOptions, has_threads, resolve, resolve_threads};
use hardbop_bp::threads::{Method, Options, check};
use hardbop_report::diagnostic::render;

use crate::support::parsing::check_tree;

/// Whether an error is reached.  Traces have been executed by the interpreter.
fn is_unsafe(text: &str) -> bool {
    let shown = |d: Vec<_>| -> ! { panic!("{}", render(&Source::new("f.bp", text), &d, false)) };
    let tree = parse(text, Dialect::default()).unwrap_or_else(|d| shown(d));
    let (source, options) = (Source::new("f.bp", text), ResolveOptions::default());
    let with_threads = has_threads(&tree, &options);
    let outcome = if with_threads {
        let program = resolve_threads(source, &tree, &options).unwrap_or_else(|d| shown(d));
        let budget = Budget::unlimited().trial(40_000);
        let how = Options { method: Method::Auto, rounds: 3 };
        let report = check(&program, &how, &engine::Options::default(), &budget);
        verdict(report.unwrap_or_else(|e| panic!("{e}\n{text}")).outcome, text)
    } else {
        let program = resolve(source, &tree, &options).unwrap_or_else(|d| shown(d));
        let (how, budget) = (engine::Options::default(), Budget::unlimited());
        let report = engine::check(&program, &how, &budget, &mut engine::Silent);
        verdict(report.unwrap_or_else(|e| panic!("{e}\n{text}")).outcome, text)
    };
    // What is printed is a program of the ordinary dialect.
    check_tree(tree);
    outcome
}

fn verdict<P, C>(outcome: Outcome<P, C>, text: &str) -> bool {
    match outcome {
        Outcome::Safe(_) => false,
        Outcome::Unsafe(_) => true,
        Outcome::Unknown(why) => panic!("{why}\n{text}"),
    }
}
