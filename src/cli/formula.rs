//! `hardbop sat` and `hardbop qbf`: the solvers alone, in the conventions of their competitions.
//!
//! Comment lines begin with `c`, the answer with `s`; exit code 10 is satisfiable or true, 20
//! unsatisfiable or false, 0 unknown.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::args::{QbfArguments, SatArguments};
use super::error::CliError;
use super::exit::Exit;
use super::{input, interrupt, output, solver};
use crate::budget::Exhausted;
use crate::logic::cnf::{Cnf, CnfLit};
use crate::logic::dimacs::read_dimacs;
use crate::logic::qdimacs::read_qdimacs;
use crate::qbf::Validity;
use crate::qbf::prenex::{PrefixError, prenex};
use crate::sat::{SatResult, SatSolver};

/// Longest line of values.
const WIDTH: usize = 78;

/// Decides a formula in conjunctive normal form.
pub(super) fn sat(arguments: &SatArguments) -> Result<Exit, CliError> {
    let text = input::read_bytes(&arguments.file)?;
    let name = input::name(&arguments.file);
    let cnf = read_dimacs(&String::from_utf8_lossy(&text)).map_err(|e| CliError::Formula {
        name,
        line: e.line(),
        reason: e.to_string(),
    })?;
    drop(text);
    let budget = solver::budget(arguments.time_limit, arguments.memory_limit);
    interrupt::install(budget.cancel_flag());
    let mut solver = arguments.sat.solver();
    // Variables may be numbered with large gaps; the solver gets those that occur.
    let mut variables: Vec<CnfLit> = cnf.clauses.iter().flatten().map(|l| l.abs()).collect();
    variables.sort_unstable();
    variables.dedup();
    let dense: Vec<CnfLit> = variables.iter().map(|_| solver.new_variable()).collect();
    let position: FxHashMap<CnfLit, CnfLit> =
        variables.iter().copied().zip(dense.iter().copied()).collect();
    for clause in &cnf.clauses {
        let clause: Vec<CnfLit> = clause.iter().map(|l| position[&l.abs()] * l.signum()).collect();
        solver.add_clause(&clause);
    }
    match solver.solve(&[], None, &budget) {
        SatResult::Sat => {
            let model = variables.iter().zip(&dense);
            let model = model.map(|(&v, &d)| if solver.value(d) == Some(true) { v } else { -v });
            output::print(&format!("s SATISFIABLE\n{}", values(model)))?;
            Ok(Exit::Unsafe)
        }
        SatResult::Unsat => {
            output::print("s UNSATISFIABLE\n")?;
            Ok(Exit::Unknown)
        }
        SatResult::Unknown(reason) => unknown("s UNKNOWN\n", reason),
        SatResult::ConflictLimit => unknown("s UNKNOWN\n", Exhausted::Time),
    }
}

/// Decides a 2QBF in prenex conjunctive normal form.
pub(super) fn qbf(arguments: &QbfArguments) -> Result<Exit, CliError> {
    solver::available(&arguments.qbf)?;
    let text = input::read_bytes(&arguments.file)?;
    let name = input::name(&arguments.file);
    let wrong = |line, reason| CliError::Formula { name: name.clone(), line, reason };
    let qbf = read_qdimacs(&String::from_utf8_lossy(&text))
        .map_err(|e| wrong(e.line(), e.to_string()))?;
    drop(text);
    let mut formula = prenex(&qbf).map_err(|e| match e {
        PrefixError::Block { line } => wrong(line, e.to_string()),
        PrefixError::Free { .. } => wrong(qbf.header, e.to_string()),
    })?;
    let budget = solver::budget(arguments.time_limit, arguments.memory_limit);
    interrupt::install(budget.cancel_flag());
    let mut solver = arguments.qbf.solver(arguments.seed, arguments.sat);
    let answer = solver.solve(&mut formula.aig, &formula.query, &budget);
    match answer.validity {
        Validity::Valid => {
            output::print(&answer_line(1, &qbf.matrix))?;
            Ok(Exit::Unsafe)
        }
        Validity::Invalid { counterexample } => {
            let mut text = answer_line(0, &qbf.matrix);
            for literal in formula.literals(&counterexample.unwrap_or_default()) {
                text.push_str(&format!("V {literal} 0\n"));
            }
            output::print(&text)?;
            Ok(Exit::Unknown)
        }
        Validity::Unknown(reason) => unknown(&answer_line(-1, &qbf.matrix), reason),
    }
}

/// The answer of QDIMACS, with the numbers of the header.
fn answer_line(answer: i32, matrix: &Cnf) -> String {
    format!("s cnf {answer} {} {}\n", matrix.variables, matrix.clauses.len())
}

/// Lines of values, with a 0 at the end.
fn values(model: impl Iterator<Item = CnfLit>) -> String {
    let mut text = String::new();
    let mut line = "v".to_owned();
    for literal in model.chain([0]) {
        let word = format!(" {literal}");
        if line.len() + word.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line.replace_range(1.., "");
        }
        line.push_str(&word);
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "{line}");
    text
}

fn unknown(line: &str, reason: Exhausted) -> Result<Exit, CliError> {
    output::print(&format!("c {reason}\n{line}"))?;
    Ok(if reason == Exhausted::Cancelled { Exit::Interrupted } else { Exit::Safe })
}
