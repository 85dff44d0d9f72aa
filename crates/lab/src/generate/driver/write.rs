//! Writes a program from options.

use super::body::{Body, Info};
use super::model::Model;
use super::options::DriverOptions;
use super::{hooks, plan};
use crate::generate::document::document;
use crate::generate::error::GenerateError;
use hardbop_base::random::Random;

/// The text of a driver-like program.
///
/// # Errors
/// [`GenerateError`] if the numbers are too small or too large.
pub fn driver(options: &DriverOptions) -> Result<String, GenerateError> {
    options.check()?;
    let mut random = Random::new(options.seed);
    let model = Model::new(options, &mut random);
    let plans = plan::plans(options, &model, &mut random);

    // Callees come after their callers, so bodies are written from last to first.
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
