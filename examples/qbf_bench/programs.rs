//! The ∀∃ queries of the model checker's own runs.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_bp::engine::{self, Engine, Observer, Options};
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::program::Program;
use hardbop_bp::language::resolve::{ResolveOptions, resolve};
use hardbop_lab::generate::{DriverOptions, driver};
use hardbop_logic::{Aig, Lit, Node};
use hardbop_qbf::ForallExists;

use crate::Query;

/// Sizes of the generated drivers: variables and procedures.  Each is made safe and unsafe.
const DRIVERS: [(usize, usize); 6] = [(10, 3), (20, 4), (30, 5), (40, 6), (60, 8), (80, 10)];
/// The runs of each program: the algorithms alone, and what is run by default.
const RUNS: [(Engine, bool); 3] =
    [(Engine::Qbf, true), (Engine::Universal, true), (Engine::Auto, false)];

/// How much is taken from each program.
#[derive(Debug, Clone, Copy)]
pub struct Cap {
    /// Distinct queries.
    pub queries: usize,
    /// Time of each run.
    pub time: Duration,
}

/// Generated drivers: `seeds` of each size.
pub fn drivers(seeds: u64) -> impl Iterator<Item = (String, Program)> {
    let sizes = DRIVERS.into_iter();
    let options = sizes.flat_map(move |(vars, procs)| {
        (1..=seeds).flat_map(move |seed| {
            [false, true].map(|bug| DriverOptions { vars, procs, seed, bug, ..Default::default() })
        })
    });
    options.filter_map(|o| {
        let kind = if o.bug { "bug" } else { "safe" };
        let name = format!("driver-{}-{}-{kind}", o.vars, o.seed);
        let program = load(&name, &driver(&o).ok()?)?;
        Some((name, program))
    })
}

/// A program from a file; `None`, with a message, where it cannot be used.
pub fn file(path: &Path) -> Option<(String, Program)> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let program = std::fs::read_to_string(path).ok().and_then(|text| load(&name, &text));
    if program.is_none() {
        eprintln!("skipped: {}", path.display());
    }
    Some((name, program?))
}

fn load(name: &str, text: &str) -> Option<Program> {
    let tree = parse(text, Dialect::default()).ok()?;
    resolve(Source::new(name, text), &tree, &ResolveOptions::default()).ok()
}

/// The distinct queries of a program's runs, in the order in which they are asked.
pub fn queries(name: &str, program: &Program, cap: Cap) -> Vec<Query> {
    let budget = Budget::unlimited();
    let mut recorder = Recorder {
        name,
        cap,
        cancel: budget.cancel_flag(),
        seen: HashSet::new(),
        queries: Vec::new(),
    };
    for (engine, plain) in RUNS {
        let options = Options { engine, plain, ..Options::default() };
        // What the run comes to does not matter here; at the cap it is cancelled, like all others.
        let _ = engine::check(
            program,
            &options,
            &budget.clone().with_time_limit(cap.time),
            &mut recorder,
        );
    }
    recorder.queries
}

struct Recorder<'a> {
    name: &'a str,
    cap: Cap,
    cancel: Arc<AtomicBool>,
    /// In QDIMACS.
    seen: HashSet<Vec<u8>>,
    queries: Vec<Query>,
}

impl Observer for Recorder<'_> {
    fn query(&mut self, aig: &Aig, query: &ForallExists) {
        let (mut aig, query) = extract(aig, query);
        let mut text = Vec::new();
        let written = query.to_qdimacs(&mut aig.clone(), &mut text);
        if written.is_ok() && self.seen.insert(text) {
            let name = format!("{} #{}", self.name, self.queries.len() + 1);
            self.queries.push(Query { name, aig: std::mem::take(&mut aig), query });
        }
        if self.queries.len() >= self.cap.queries {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// The query over a graph of its own.
fn extract(source: &Aig, query: &ForallExists) -> (Aig, ForallExists) {
    let mut aig = Aig::new();
    let mut image = HashMap::from([(Lit::FALSE.node(), Lit::FALSE)]);
    let mut existentials = Vec::new();
    let of = |image: &HashMap<usize, Lit>, l: Lit| image[&l.node()].xor_sign(l.is_negated());
    for n in source.cone(query.literals()) {
        let lit = match source.node(n) {
            Node::False => Lit::FALSE,
            Node::Input(i) => {
                let input = aig.new_input();
                if query.existentials.contains(&i) {
                    existentials.push(input);
                }
                aig.input(input)
            }
            Node::And(a, b) => aig.and(of(&image, a), of(&image, b)),
        };
        image.insert(n, lit);
    }
    let all = |lits: &[Lit]| lits.iter().map(|&l| of(&image, l)).collect();
    let pairs = query.equalities.iter();
    let copy = ForallExists {
        existentials,
        premise: all(&query.premise),
        conclusion: all(&query.conclusion),
        equalities: pairs.map(|&(l, r)| (of(&image, l), of(&image, r))).collect(),
    };
    (aig, copy)
}
