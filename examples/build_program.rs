//! Builds two Boolean programs in memory, checks them, and shows a trace and an invariant.
//!
//!     cargo run --example build_program

use std::error::Error;

use hardbop::build::{
    BuildError, ProcedureBuilder, ProgramBuilder, choose, constant, next, nondet, variable,
};
use hardbop::{BpOptions, Budget, Source, check_bp, invariant_text};

/// A predicate, named as SLAM does: any text can be a name.
const SAME: &str = "n == nOld";

/// A lock that is taken and given up in a loop; `last` decides whether it is given up at the end.
fn program(last: bool) -> Result<ProgramBuilder, BuildError> {
    let mut program = ProgramBuilder::new();
    program.global("held")?.global(SAME)?;

    let mut acquire = ProcedureBuilder::new("acquire")?;
    acquire.assert(!variable("held"))?.assign("held", constant(true))?;

    let mut release = ProcedureBuilder::new("release")?;
    release.assert(variable("held"))?.assign("held", constant(false))?;

    // Two values: is there a request, and is it urgent?  Only one that is there can be urgent.
    let mut request = ProcedureBuilder::new("next_request")?;
    request.formal("empty")?.local("found")?.local("urgent")?.returns(2);
    request
        .assign_all(
            [("found", choose(constant(false), variable("empty"))), ("urgent", nondet())],
            Some(next("urgent").implies(next("found"))),
        )?
        .return_values([variable("found"), variable("urgent")])?;

    let mut main = ProcedureBuilder::new("main")?;
    main.local("found")?;
    main.assign_all([("held", constant(false)), (SAME, constant(false))], None)?
        .while_do(!variable(SAME), |body| {
            body.call(&[], "acquire", [])?
                .assign(SAME, constant(true))?
                .call(&["found", "_"], "next_request", [nondet()])?
                .if_then(variable("found"), |then| {
                    then.call(&[], "release", [])?.assign(SAME, constant(false))?;
                    Ok(())
                })?;
            Ok(())
        })?
        .if_then(constant(last) | nondet(), |then| then.call(&[], "release", []).map(|_| ()))?
        .assert(!variable("held"))?;

    program.procedure(main)?.procedure(acquire)?.procedure(release)?.procedure(request)?;
    Ok(program)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = BpOptions::default();
    options.engine.certify = true;
    for last in [false, true] {
        let text = program(last)?.text();
        if !last {
            println!("{text}");
        }
        let source = Source::new("built.bp", text);
        let answer = check_bp(&source, &options, &Budget::unlimited(), &mut ())?;
        print!("{}", invariant_text(&answer.invariants));
        if let Some(trace) = &answer.trace {
            print!("{}", trace.text());
        }
        println!("{}\n", answer.verdict_line);
    }
    Ok(())
}
