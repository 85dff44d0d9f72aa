//! `hardbop gen`: benchmark programs.

use crate::cli::arguments::generate::{DriverArguments, FamilyArguments, GenerateCommand};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::interrupt;
use hardbop_lab::generate::{DriverOptions, Family, FamilyOptions, driver, family};

/// Prints the program.
pub(crate) fn run(command: &GenerateCommand) -> Result<Exit, CliError> {
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
        GenerateCommand::Saturating(a) => member(Family::Saturating, a),
        GenerateCommand::Twins(a) => member(Family::Twins, a),
        GenerateCommand::Complement(a) => member(Family::Complement, a),
        GenerateCommand::Stride(a) => member(Family::Stride, a),
        GenerateCommand::Parity(a) => member(Family::Parity, a),
        GenerateCommand::Multiply(a) => member(Family::Multiply, a),
        GenerateCommand::Ring(a) => member(Family::Ring, a),
        GenerateCommand::Depth(a) => member(Family::Depth, a),
        GenerateCommand::Modules(a) => member(Family::Modules, a),
        GenerateCommand::Feedback(a) => member(Family::Feedback, a),
        GenerateCommand::Queue(a) => member(Family::Queue, a),
    };
    output::print(&text?)?;
    Ok(Exit::Safe)
}
