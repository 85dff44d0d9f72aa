//! `hardbop cfa`: the control-flow automaton of a C program.

use super::c_arguments::CfaArguments;
use super::error::CliError;
use super::exit::Exit;
use super::{check_c, input, output};
use crate::base::budget::Budget;
use crate::program::c::{lower, on_large_stack};
use crate::program::cfa::dot::dot;
use crate::program::cfa::expand::Limits;
use crate::program::cfa::summarise::{single_blocks, summarise};
use crate::solve::smt::Terms;
use crate::verify::{Reduction, automaton};

/// Prints the automaton in the DOT format, or its size.
pub(super) fn run(arguments: &CfaArguments) -> Result<Exit, CliError> {
    let fail = |reason: String| CliError::Read { name: input::name(&arguments.file), reason };
    on_large_stack(|| {
        let flow = check_c::read(&arguments.file, arguments.lp64, arguments.color)?;
        let (mut terms, budget) = (Terms::new(), Budget::unlimited());
        let lowered = lower::lower(&flow, &mut terms, lower::Options::default(), &budget)
            .map_err(|e| fail(e.to_string()))?;
        let (limits, mut reduction) = (Limits::default(), Reduction::default());
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
    .unwrap_or_else(|e| Err(fail(e.to_string())))
}
