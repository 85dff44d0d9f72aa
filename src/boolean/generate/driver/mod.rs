//! Programs as SLAM's abstraction makes them from device drivers: many global predicates of which
//! each procedure touches a few, a layered call graph, shallow loops, and a typestate protocol.
//!
//! The verdict is certain by construction.
//!
//! *Safe.*  Each lock and each request (IRP) is an automaton that only its hooks change.  A
//! procedure may be called only while no resource that it uses, itself or through its callees, is
//! in use (`body` keeps the sets), and leaves all resources as it found them: every critical
//! section releases under the condition under which it acquired, and nothing in between writes a
//! variable of that condition.  At most one predicate of an exclusive group is ever true, for
//! every assignment to the group keeps that.
//!
//! *Unsafe.*  One section of lock 0, in the last procedure of a chain of calls from `main` (the
//! *spine*), does not release on one of its two ways.  Every statement can be passed from every
//! reachable state (loops can be left, constraints and enforced conditions can be met, early exits
//! on the spine depend on `*` alone), and the spine's calls stand outside all branches, so that
//! section is reached, the bad way can be taken, and the run can go on until the next
//! acquisition of the lock or the final check in `main` finds it held.

mod body;
mod call;
mod expression;
mod hooks;
mod model;
mod plan;
mod section;
mod update;

use super::{GenerateError, document};
use crate::base::random::Random;
use body::{Body, Info};
use model::Model;

/// What to generate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverOptions {
    /// Number of global variables.
    pub vars: usize,
    /// Number of procedures, `main` included; the hooks of the protocol and the procedures that
    /// initialise the predicates come on top.
    pub procs: usize,
    /// Length of the longest chain of calls from `main`, hooks not counted.
    pub depth: usize,
    /// Statements per procedure, about.
    pub statements: usize,
    /// Same seed (and options), same program.
    pub seed: u64,
    /// Is the error reachable?
    pub bug: bool,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self { vars: 100, procs: 20, depth: 8, statements: 25, seed: 1, bug: false }
    }
}

pub(super) const MINIMUM_VARIABLES: usize = 4;
const MAXIMUM_VARIABLES: usize = 1_000_000;
/// The choice of callees takes quadratic time.
const MAXIMUM_PROCEDURES: usize = 10_000;
const MAXIMUM_STATEMENTS: usize = 100_000;

/// The text of a driver-like program.
///
/// # Errors
/// [`GenerateError`] where the numbers are too small or too large.
pub fn driver(options: &DriverOptions) -> Result<String, GenerateError> {
    if options.vars < MINIMUM_VARIABLES {
        return Err(GenerateError::TooFewVariables(options.vars));
    }
    if options.procs == 0 {
        return Err(GenerateError::NoProcedure);
    }
    for (count, limit, what) in [
        (options.vars, MAXIMUM_VARIABLES, "variables"),
        (options.procs, MAXIMUM_PROCEDURES, "procedures"),
        (options.statements, MAXIMUM_STATEMENTS, "statements per procedure"),
    ] {
        if count > limit {
            return Err(GenerateError::TooMany { what, limit });
        }
    }
    let mut random = Random::new(options.seed);
    let model = Model::new(options, &mut random);
    let plans = plan::plans(options, &model, &mut random);

    // Callees stand after their callers; so bodies are written from the last to the first.
    let mut infos: Vec<Info> = Vec::with_capacity(plans.len());
    infos.resize_with(plans.len(), Info::default);
    let mut bodies = vec![String::new(); plans.len()];
    for index in (0..plans.len()).rev() {
        let body = Body::new(&model, &plans, &infos, index, options, &mut random);
        (bodies[index], infos[index]) = body.write();
    }

    let mut text = String::new();
    model.declare(&mut text);
    hooks::write(&model, &mut text);
    for body in bodies {
        text.push_str(&body);
    }
    let command = format!(
        "driver --vars {} --procs {} --depth {} --statements {} --seed {}",
        options.vars, options.procs, options.depth, options.statements, options.seed,
    );
    document(&command, options.bug, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_text() {
        let options = DriverOptions { seed: 42, ..DriverOptions::default() };
        assert_eq!(driver(&options), driver(&options));
        let other = DriverOptions { seed: 43, ..DriverOptions::default() };
        assert_ne!(driver(&options), driver(&other));
    }

    #[test]
    fn declares_as_many_globals_as_asked_for() {
        for vars in [4, 5, 17, 50, 333, 2000] {
            let text = driver(&DriverOptions { vars, ..DriverOptions::default() }).unwrap();
            let names: Vec<&str> = text
                .lines()
                .filter_map(|l| l.strip_prefix("decl ")?.strip_suffix(';'))
                .flat_map(|l| l.split(", "))
                .collect();
            let mut unique = names.clone();
            unique.sort_unstable();
            unique.dedup();
            assert_eq!((names.len(), unique.len()), (vars, vars));
        }
    }

    #[test]
    fn refuses_what_no_program_fits() {
        let no = DriverOptions { procs: 0, ..DriverOptions::default() };
        assert_eq!(driver(&no), Err(GenerateError::NoProcedure));
        let few = DriverOptions { vars: 3, ..DriverOptions::default() };
        assert_eq!(driver(&few), Err(GenerateError::TooFewVariables(3)));
    }
}
