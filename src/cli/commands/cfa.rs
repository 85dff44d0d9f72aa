//! `hardbop cfa`: the control-flow automaton of a C program.

use crate::cli::arguments::translate::CfaArguments;
use crate::cli::input::c;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use hardbop_base::budget::Budget;
use hardbop_c::{ParseOptions, lower};
use hardbop_cfa::dot::dot;
use hardbop_cfa::expand::ExpansionLimits;
use hardbop_cfa::summarise::{single_blocks, summarise};
use hardbop_smt::Terms;
use hardbop_verify::{Reduction, automaton};

/// Prints the automaton in the DOT format, or its size.
pub(crate) fn run(arguments: &CfaArguments) -> Result<Exit, CliError> {
    let fail = |reason: String| CliError::Read { name: output::name(&arguments.files[0]), reason };
    c::with_large_stack(&arguments.files[0], || {
        let model = arguments.data_model.model();
        let reading = ParseOptions { model, ..ParseOptions::default() };
        let flow =
            c::flow(&arguments.files, &arguments.preprocessor, &reading, arguments.color.when)?;
        let (mut terms, budget) = (Terms::new(), Budget::unlimited());
        let lowered = lower::lower(&flow, &mut terms, lower::LoweringOptions::default(), &budget)
            .map_err(|e| fail(e.to_string()))?;
        let (limits, mut reduction) = (ExpansionLimits::default(), Reduction::default());
        let automaton = automaton(&mut terms, &lowered.program, &limits, &budget, &mut reduction)
            .map_err(|e| fail(e.to_string()))?;
        let summary =
            if arguments.summarise { summarise(&automaton) } else { single_blocks(&automaton) };
        let text = if arguments.dot {
            dot(&terms, &automaton, &summary)
        } else {
            format!(
                "{} locations, {} edges\n{} locations between blocks, {} blocks\n",
                automaton.locations,
                automaton.edges.len(),
                summary.locations.len(),
                summary.blocks.len(),
            )
        };
        output::print(&text)?;
        Ok(Exit::Safe)
    })
}
