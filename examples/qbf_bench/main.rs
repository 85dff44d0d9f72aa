//! Measures the embedded 2QBF solver against DepQBF, on the queries of the model checker's own runs
//! and on random circuit queries.
//!
//! `cargo run --release --features depqbf --example qbf_bench -- [--limit SECONDS] [--out FILE]
//! [--seeds N] [--count N] [--only TEXT] [--slow] [FILE.bp ...]`
//!
//! `--seeds`: drivers of each size; `--count`: random queries of each family and size; `--only`:
//! queries whose names contain the text; `--slow`: names those that took the embedded solver long;
//! `--embedded`: no other solver.  Writes the table.  Solvers that disagree end the run with exit
//! code 1.

mod circuits;
mod programs;
mod score;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::Aig;
use hardbop_logic::sat;
use hardbop_qbf::{Backend, DecidedBy, ForallExists, Limits, Validity, simplified};

use score::{Attempt, Row};

/// The solvers, by the names in the table.
const SOLVERS: [&str; 4] =
    ["embedded", "DepQBF library", "DepQBF process", "DepQBF library, simplified"];
const SIZES: [usize; 5] = [20, 60, 200, 600, 2000];

/// A query over a graph of its own.
struct Query {
    name: String,
    aig: Aig,
    query: ForallExists,
}

struct Arguments {
    limit: Duration,
    out: Option<PathBuf>,
    seeds: u64,
    count: u64,
    only: String,
    slow: bool,
    embedded: bool,
    files: Vec<PathBuf>,
}

fn arguments() -> Arguments {
    let mut a = Arguments {
        limit: Duration::from_secs(1),
        out: None,
        seeds: 5,
        count: 3,
        only: String::new(),
        slow: false,
        embedded: false,
        files: Vec::new(),
    };
    let mut rest = std::env::args().skip(1);
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().unwrap_or_default();
        match argument.as_str() {
            "--limit" => a.limit = Duration::from_secs_f64(value().parse().unwrap_or(1.0)),
            "--out" => a.out = Some(value().into()),
            "--seeds" => a.seeds = value().parse().unwrap_or(a.seeds),
            "--count" => a.count = value().parse().unwrap_or(a.count),
            "--only" => a.only = value(),
            "--slow" => a.slow = true,
            "--embedded" => a.embedded = true,
            file => a.files.push(file.into()),
        }
    }
    a
}

/// One attempt; and, of the embedded solver, the stage that decided.  An answer after the limit is
/// none.
fn attempt(backend: &Backend, query: &Query, limit: Duration) -> (Attempt, DecidedBy) {
    let mut aig = query.aig.clone();
    let mut solver = backend.solver(0, sat::Backend::default(), Limits::default());
    let start = Instant::now();
    let budget = Budget::unlimited().with_time_limit(limit);
    let answer = solver.solve(&mut aig, &query.query, &budget);
    let time = start.elapsed();
    let value = match answer.validity {
        Validity::Valid => Some(true),
        Validity::Invalid { .. } => Some(false),
        Validity::Unknown(Exhausted::Solver(failure)) => {
            eprintln!("{}: {backend}: {failure}", query.name);
            None
        }
        Validity::Unknown(_) => None,
    };
    ((value.filter(|_| time <= limit), time), answer.decided_by)
}

/// The attempts of all solvers.
fn attempts(query: &Query, backends: &[Backend], limit: Duration) -> (Vec<Attempt>, DecidedBy) {
    let (first, decided_by) = attempt(&backends[0], query, limit);
    let mut all = vec![first];
    all.extend(backends[1..].iter().map(|b| attempt(b, query, limit).0));
    if let Some(library) = backends.get(1) {
        let start = Instant::now();
        let budget = Budget::unlimited().with_time_limit(limit);
        all.push(match simplified(&query.aig, &query.query, &budget) {
            Ok(None) => (first.0, start.elapsed()),
            Ok(Some((aig, simple))) => {
                let took = start.elapsed();
                let simple = Query { name: query.name.clone(), aig, query: simple };
                let (value, time) = attempt(library, &simple, limit.saturating_sub(took)).0;
                (value, time + took)
            }
            Err(_) => (None, limit),
        });
    }
    (all, decided_by)
}

fn main() -> ExitCode {
    let arguments = arguments();
    let known = ["embedded", "depqbf", "cmd:depqbf {}"].map(str::parse);
    let Ok(mut backends) = known.into_iter().collect::<Result<Vec<Backend>, _>>() else {
        eprintln!("run with --features depqbf");
        return ExitCode::from(2);
    };
    if arguments.embedded {
        backends.truncate(1);
    }
    let mut agree = true;
    let mut solve = |query: &Query| -> (Vec<Attempt>, DecidedBy) {
        let (attempts, decided_by) = attempts(query, &backends, arguments.limit);
        let mut values = attempts.iter().filter_map(|a| a.0);
        if let Some(first) = values.next()
            && values.any(|v| v != first)
        {
            eprintln!("the solvers disagree on {}: {attempts:?}", query.name);
            agree = false;
        }
        if arguments.slow && attempts[0].1 > arguments.limit / 20 {
            eprintln!("{}: {decided_by:?}, {attempts:.3?}", query.name);
        }
        (attempts, decided_by)
    };

    let cap = programs::Cap { queries: 60, time: Duration::from_secs(2) };
    let files = arguments.files.iter().filter_map(|f| programs::file(f));
    let mut by_stage = vec![Row::new(arguments.limit); 4];
    let mut asking = 0;
    for (name, program) in programs::drivers(arguments.seeds).chain(files) {
        if !name.contains(&arguments.only) {
            continue;
        }
        let queries = programs::queries(&name, &program, cap);
        asking += usize::from(!queries.is_empty());
        eprintln!("{name}: {} queries", queries.len());
        for query in queries {
            let (attempts, decided_by) = solve(&query);
            by_stage[decided_by as usize].add(attempts);
        }
    }
    let mut by_family = Vec::new();
    for family in circuits::FAMILIES {
        let mut row = Row::new(arguments.limit);
        for gates in SIZES {
            for k in 1..=arguments.count {
                let name = format!("{family:?} {gates} #{k}");
                if name.contains(&arguments.only) {
                    let (aig, query) = circuits::query(family, gates, 7919 * k + gates as u64);
                    row.add(solve(&Query { name, aig, query }).0);
                }
            }
        }
        by_family.push((format!("random: {family:?}"), row));
    }
    let stages = ["structure", "simulation", "SAT", "the 2QBF game"];
    let own = stages.iter().zip(by_stage).map(|(s, row)| (format!("own runs: {s}"), row));
    if !agree {
        return ExitCode::FAILURE;
    }
    let solvers = if arguments.embedded { 1 } else { SOLVERS.len() };
    let table = table([own.collect(), by_family], solvers, asking, arguments.limit);
    let written = match &arguments.out {
        Some(path) => std::fs::write(path, table),
        None => std::io::stdout().write_all(table.as_bytes()),
    };
    if let Err(e) = written {
        eprintln!("cannot write: {e}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

/// The whole text; `groups` are the rows of the own runs and of the random queries.
fn table(
    groups: [Vec<(String, Row)>; 2],
    solvers: usize,
    asking: usize,
    limit: Duration,
) -> String {
    let mut text = format!(
        "# The embedded 2QBF solver and DepQBF

Written by `make bench-qbf`.  Limit {} s for each query; PAR-2: seconds in total, where a query that is not
solved counts twice the limit.

- Own runs: the distinct queries of {asking} programs, from runs with `--engine qbf --plain`, `--engine universal
  --plain` and by default, by the stage at which the embedded solver decides (or stops).  At most 60 from each
  program; a run ends after 2 s, so which queries there are depends on the machine a little.
- Random: queries of 20 to 2,000 gates (`examples/qbf_bench/circuits.rs`).
- DepQBF gets each query as the engines ask it, which is what a back end gets: by its C interface (decisions are
  limited and solvers made anew with twice as many, for the library cannot be interrupted) and as a process, whose
  start counts.  Beside that, by its C interface, it gets what the embedded solver's simplification leaves, whose time
  counts.
- \"Best DepQBF\" takes the fastest of the three for every query by itself; the ratio is that to the embedded solver.
- No two solvers gave different answers.

{}",
        limit.as_secs_f64(),
        score::head(solvers)
    );
    let mut total = Row::new(limit);
    for (rows, name) in groups.iter().zip(["own runs", "random"]) {
        let mut sum = Row::new(limit);
        for (name, row) in rows.iter().filter(|(_, row)| row.len() > 0) {
            text += &row.line(name, solvers);
            sum.extend(row);
        }
        text += &sum.line(&format!("**{name}, in all**"), solvers);
        total.extend(&sum);
    }
    text += &total.line("**in all**", solvers);
    text + &total.decided().line("those that some solver decides", solvers)
}
