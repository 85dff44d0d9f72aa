//! The abstraction of a formula in SMT-LIB.

use std::ffi::c_char;

use hardbop_refine::predicate::abstraction::AbstractionError;
use hardbop_refine::predicate::formula::{FormulaError, abstraction_of_text};
use hardbop_session::abstraction::AbstractError;
use hardbop_smt::{Purpose, SmtError};

use crate::border::{Out, Text, give};
use crate::handle::Handle;
use crate::options::settings;
use crate::settings::Settings;
use crate::status::{Error, Status, enter};

#[unsafe(no_mangle)]
extern "C" fn hardbop_abstract_formula(
    options: Handle<Settings>,
    declarations: Text,
    formula: Text,
    predicates: Text,
    out: Out<*mut c_char>,
) -> Status {
    enter(|| {
        out.check()?;
        let settings = settings(&options)?;
        let analysis = &settings.c.analysis;
        let found = abstraction_of_text(
            declarations.read("declarations")?,
            formula.read("formula")?,
            predicates.read("predicates")?,
            analysis.abstraction,
            analysis.solvers(Purpose::Abstraction),
            &settings.budget(),
        );
        give(&found.map_err(refused)?, &out)
    })
}

fn refused(error: FormulaError) -> Error {
    let status = match &error {
        FormulaError::Abstraction(AbstractionError::Solver(SmtError::Library(_))) => {
            Status::NoSolver
        }
        FormulaError::Abstraction(AbstractionError::Solver(_)) => Status::Internal,
        FormulaError::Abstraction(_) => Status::Limit,
        _ => Status::InvalidInput,
    };
    Error::new(status, error.to_string())
}

/// Why there is no Boolean program.
pub fn unmade(error: AbstractError) -> Error {
    let status = match &error {
        AbstractError::Predicates(_) => Status::InvalidInput,
        AbstractError::Unknown(_) => Status::Limit,
        AbstractError::Library(_) => Status::NoSolver,
        _ => Status::Internal,
    };
    Error::new(status, error.to_string())
}
