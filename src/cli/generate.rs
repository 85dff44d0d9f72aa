//! `hardbop gen`: benchmark programs.

use super::args::{DriverArguments, FamilyArguments, GenerateCommand};
use super::error::CliError;
use super::exit::Exit;
use super::{interrupt, output};
use crate::boolean::generate::{DriverOptions, Family, FamilyOptions, driver, family};

/// Prints the program.
pub(super) fn run(command: &GenerateCommand) -> Result<Exit, CliError> {
    let member = |family, &FamilyArguments { size, seed, bug, .. }: &FamilyArguments| {
        self::family(&FamilyOptions { family, size, seed, bug })
    };
    interrupt::at_once();
    let text = match command {
        &GenerateCommand::Driver(DriverArguments {
            vars,
            procs,
            depth,
            statements,
            seed,
            bug,
            ..
        }) => driver(&DriverOptions { vars, procs, depth, statements, seed, bug }),
        GenerateCommand::Counter(a) => member(Family::Counter, a),
        GenerateCommand::ShiftRegister(a) => member(Family::ShiftRegister, a),
        GenerateCommand::LockDiscipline(a) => member(Family::LockDiscipline, a),
        GenerateCommand::RecursiveDescent(a) => member(Family::RecursiveDescent, a),
        GenerateCommand::WideSummary(a) => member(Family::WideSummary, a),
        GenerateCommand::Terminator(a) => member(Family::Terminator, a),
        GenerateCommand::SlamRegression(a) => member(Family::SlamRegression, a),
    };
    output::print(&text?)?;
    Ok(Exit::Safe)
}
