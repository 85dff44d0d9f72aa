//! Programs of great depth or length end with the right verdict and without overflowing the stack.

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_bp::engine::{Options, Silent, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::resolve::{ResolveOptions, resolve};
use hardbop_bp::proof::Outcome;

/// Is the error reachable?  A trace is replayed.
fn unsafe_(text: &str) -> bool {
    let tree = parse(text, Dialect::Slam).expect("the text is well-formed");
    let program = resolve(Source::new("deep.bp", text), &tree, &ResolveOptions::default())
        .expect("the text has no mistakes");
    let report = check(&program, &Options::default(), &Budget::unlimited(), &mut Silent)
        .expect("the engine agrees with the interpreter");
    match report.outcome {
        Outcome::Safe(_) => false,
        Outcome::Unsafe(trace) => {
            replay(&program, &trace).expect("the trace is an execution");
            true
        }
        Outcome::Unknown(reason) => panic!("no limit was set: {reason}"),
    }
}

#[test]
fn an_error_under_many_conditions_is_found() {
    let n = 20_000;
    let open = "if g then ".repeat(n);
    let close = " fi ".repeat(n);
    assert!(unsafe_(&format!("decl g; void main() begin {open} ERROR: skip; {close} end")));
    assert!(!unsafe_(&format!(
        "decl g; void main() begin g := F; {open} ERROR: skip; {close} end"
    )));
}

#[test]
fn an_error_under_many_loops_is_found() {
    let n = 300;
    let open = "while g do ".repeat(n);
    let close = " od ".repeat(n);
    assert!(unsafe_(&format!("decl g; void main() begin {open} ERROR: skip; {close} end")));
}

#[test]
fn an_error_after_many_statements_is_found() {
    let body = "g := !g; ".repeat(20_001);
    assert!(!unsafe_(&format!("decl g; void main() begin g := F; {body} assert(g); end")));
    assert!(unsafe_(&format!("decl g; void main() begin g := F; {body} assert(!g); end")));
}
