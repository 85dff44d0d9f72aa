//! `hardbop sat` and `hardbop qbf`: the solvers alone, in the conventions of their competitions.
//!
//! Comment lines begin with `c`, the answer with `s`; exit code 10 is satisfiable or true, 20
//! unsatisfiable or false, 0 unknown.

use std::fmt::Write;
use std::mem;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::cli::arguments::formula::{QbfArguments, SatArguments};
use crate::cli::arguments::solver;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::guard::{self, Farewell};
use crate::cli::{input, output};
use hardbop_base::budget::Exhausted;
use hardbop_logic::cnf::CnfLit;
use hardbop_logic::dimacs::read_dimacs;
use hardbop_logic::qdimacs::read_qdimacs;
use hardbop_logic::sat::{SatResult, SatSolver};
use hardbop_qbf::prenex::{PrefixError, prenex};
use hardbop_qbf::{Limits, Validity};

/// Longest line of values.
const WIDTH: usize = 78;

/// Decides a formula in conjunctive normal form.
pub(crate) fn sat(arguments: &SatArguments) -> Result<Exit, CliError> {
    let budget = guard::guarded(arguments.limits.budget(), |reason| unknown("s UNKNOWN\n", reason));
    let text = input::read_bytes(&arguments.file)?;
    let name = output::name(&arguments.file);
    let cnf = read_dimacs(&String::from_utf8_lossy(&text)).map_err(|e| CliError::Formula {
        name,
        line: e.line(),
        reason: e.to_string(),
    })?;
    drop(text);
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
    let answer = match solver.solve(&[], None, &budget) {
        SatResult::Sat => {
            let model = variables.iter().zip(&dense);
            let model = model.map(|(&v, &d)| if solver.value(d) == Some(true) { v } else { -v });
            (format!("s SATISFIABLE\n{}", values(model)), Exit::Unsafe)
        }
        SatResult::Unsat => ("s UNSATISFIABLE\n".to_owned(), Exit::Unknown),
        SatResult::Unknown(reason) => unknown("s UNKNOWN\n", reason),
        SatResult::ConflictLimit => unknown("s UNKNOWN\n", Exhausted::Time),
    };
    // The process ends; to give back the memory piece by piece can take seconds.
    mem::forget((solver, cnf));
    say(&answer)
}

/// Decides a 2QBF in prenex conjunctive normal form.
pub(crate) fn qbf(arguments: &QbfArguments) -> Result<Exit, CliError> {
    let solvers = &arguments.solvers;
    solver::available(&solvers.qbf)?;
    // The numbers of the header, once it has been read.
    let header: Arc<OnceLock<(i32, usize)>> = Arc::default();
    let known = Arc::clone(&header);
    let budget = guard::guarded(arguments.limits.budget(), move |reason| {
        let (variables, clauses) = known.get().copied().unwrap_or_default();
        unknown(&answer_line(-1, variables, clauses), reason)
    });
    let text = input::read_bytes(&arguments.file)?;
    let name = output::name(&arguments.file);
    let wrong = |line, reason| CliError::Formula { name: name.clone(), line, reason };
    let qbf = read_qdimacs(&String::from_utf8_lossy(&text))
        .map_err(|e| wrong(e.line(), e.to_string()))?;
    drop(text);
    let (variables, clauses) = (qbf.matrix.variables, qbf.matrix.clauses.len());
    let _ = header.set((variables, clauses));
    let mut formula = prenex(&qbf).map_err(|e| match e {
        PrefixError::Block { line } => wrong(line, e.to_string()),
        PrefixError::Free { .. } => wrong(qbf.header, e.to_string()),
    })?;
    let mut solver = solvers.qbf.solver(solvers.seed, solvers.sat, Limits::default());
    let answer = solver.solve(&mut formula.aig, &formula.query, &budget);
    let line = |answer| answer_line(answer, variables, clauses);
    let answer = match answer.validity {
        Validity::Valid => (line(1), Exit::Unsafe),
        Validity::Invalid { counterexample } => {
            let mut text = line(0);
            for literal in formula.literals(&counterexample.unwrap_or_default()) {
                text.push_str(&format!("V {literal} 0\n"));
            }
            (text, Exit::Unknown)
        }
        Validity::Unknown(reason) => unknown(&line(-1), reason),
    };
    mem::forget((solver, formula, qbf));
    say(&answer)
}

/// The answer of QDIMACS, with the numbers of the header.
fn answer_line(answer: i32, variables: i32, clauses: usize) -> String {
    format!("s cnf {answer} {variables} {clauses}\n")
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

fn unknown(line: &str, reason: Exhausted) -> Farewell {
    let exit = if reason == Exhausted::Cancelled { Exit::Interrupted } else { Exit::Safe };
    (format!("c {reason}\n{line}"), exit)
}

/// Prints the answer.
fn say((text, exit): &Farewell) -> Result<Exit, CliError> {
    guard::finish();
    output::print(text)?;
    Ok(*exit)
}
