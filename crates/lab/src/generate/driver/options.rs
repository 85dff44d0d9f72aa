//! The options of the generator of drivers, and their limits.

use crate::generate::error::GenerateError;

/// Least number of variables: with fewer there is no protocol.
pub const MINIMUM_VARIABLES: usize = 4;
const MAXIMUM_VARIABLES: usize = 1_000_000;
/// Choosing callees takes quadratic time.
const MAXIMUM_PROCEDURES: usize = 10_000;
const MAXIMUM_STATEMENTS: usize = 100_000;

/// The driver to generate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverOptions {
    /// Number of global variables.
    pub vars: usize,
    /// Number of procedures, including `main`, but not the hooks of the protocol and the procedures
    /// that initialise the predicates.
    pub procs: usize,
    /// Length of the longest chain of calls from `main`, hooks not counted.
    pub depth: usize,
    /// Approximate number of statements per procedure.
    pub statements: usize,
    /// The seed; the same seed (and options) gives the same program.
    pub seed: u64,
    /// Whether the error is reachable.
    pub bug: bool,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self { vars: 100, procs: 20, depth: 8, statements: 25, seed: 1, bug: false }
    }
}

impl DriverOptions {
    /// Fails if no program has these options.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        if self.vars < MINIMUM_VARIABLES {
            return Err(GenerateError::TooFewVariables(self.vars));
        }
        if self.procs == 0 {
            return Err(GenerateError::NoProcedure);
        }
        for (count, limit, what) in [
            (self.vars, MAXIMUM_VARIABLES, "variables"),
            (self.procs, MAXIMUM_PROCEDURES, "procedures"),
            (self.statements, MAXIMUM_STATEMENTS, "statements per procedure"),
        ] {
            if count > limit {
                return Err(GenerateError::TooMany { what, limit });
            }
        }
        Ok(())
    }
}
