//! Builds two Boolean programs in memory, checks them, and shows a trace and an invariant.
//!
//!     cargo run --example build_program

use std::error::Error;

use hardbop::base::budget::Budget;
use hardbop::boolean::engine::{Options, Silent, check};
use hardbop::boolean::language::build::{
    BuildError, ProcedureBuilder, ProgramBuilder, choose, constant, next, nondet, variable,
};
use hardbop::boolean::language::interpret::replay;
use hardbop::boolean::language::resolve::ResolveOptions;
use hardbop::boolean::proof::Outcome;
use hardbop::present::document::{invariant_text, verdict_line};
use hardbop::present::{formula::boolean::invariants, trace::Trace};

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
    let options = Options { certify: true, ..Options::default() };
    for last in [false, true] {
        let built = program(last)?;
        if !last {
            println!("{}", built.text());
        }
        let program = built.finish("built.bp", &ResolveOptions::default())?;
        let report = check(&program, &options, &Budget::unlimited(), &mut Silent)?;
        match &report.outcome {
            Outcome::Unsafe(trace) => {
                // The interpreter has the last word on errors.
                let replay = replay(&program, trace)?;
                print!("{}", Trace::of_replay(&program, &replay).text());
            }
            Outcome::Safe(proof) => print!("{}", invariant_text(&invariants(&program, proof))),
            Outcome::Unknown(_) => {}
        }
        println!("{}\n", verdict_line(&report.outcome));
    }
    Ok(())
}
