//! The owners of variables, and the variables that calls may change.

use rustc_hash::{FxHashMap, FxHashSet};

use hardbop_cfa::{Program, Step};
use hardbop_smt::{Node, Symbol, Term, Terms};

/// The scopes of a program's variables.
#[derive(Debug, Clone)]
pub struct Scopes {
    /// The function of each variable that activations have for themselves.
    pub owners: FxHashMap<Symbol, usize>,
    /// The other variables that the program reads or changes, in order.
    pub globals: Vec<Symbol>,
}

impl Scopes {
    pub fn new(terms: &Terms, program: &Program) -> Self {
        let mut owners = FxHashMap::default();
        for (f, function) in program.functions.iter().enumerate() {
            let own = function.locals.iter().chain(&function.parameters).chain(&function.result);
            owners.extend(own.map(|&s| (s, f)));
        }
        let mut found: FxHashSet<Symbol> = FxHashSet::default();
        let mut read: Vec<Term> = vec![];
        for edge in program.functions.iter().flat_map(|f| &f.edges) {
            match &edge.step {
                Step::Operation(operation) => {
                    found.extend(operation.changes().map(|(s, _)| s));
                    read.extend(operation.terms());
                }
                Step::Call { arguments, result, .. } => {
                    found.extend(result);
                    read.extend(arguments);
                }
                Step::Error | Step::Unsupported(_) => {}
            }
        }
        for leaf in terms.support_of(&read) {
            if let Node::Variable(s) = *terms.node(leaf) {
                found.insert(s);
            }
        }
        let mut globals: Vec<Symbol> =
            found.into_iter().filter(|s| !owners.contains_key(s)).collect();
        globals.sort_unstable();
        Self { owners, globals }
    }

    /// The globals that a call of each function may change, in order: those in `changes`, what it
    /// changes outside of its calls, and what its calls change.
    pub fn effects(&self, program: &Program, changes: &[FxHashSet<Symbol>]) -> Vec<Vec<Symbol>> {
        let is_global = |s: &Symbol| !self.owners.contains_key(s);
        let mut all: Vec<FxHashSet<Symbol>> =
            changes.iter().map(|c| c.iter().copied().filter(is_global).collect()).collect();
        let mut callers: Vec<Vec<usize>> = vec![vec![]; changes.len()];
        for (f, function) in program.functions.iter().enumerate() {
            for edge in &function.edges {
                if let Step::Call { callee, result, .. } = &edge.step {
                    callers[*callee].push(f);
                    all[f].extend(result.iter().filter(|s| is_global(s)));
                }
            }
        }
        let mut todo: Vec<usize> = (0..changes.len()).collect();
        while let Some(f) = todo.pop() {
            let own = all[f].clone();
            for &caller in &callers[f] {
                let before = all[caller].len();
                all[caller].extend(&own);
                if all[caller].len() > before {
                    todo.push(caller);
                }
            }
        }
        let sorted = |set: FxHashSet<Symbol>| {
            let mut all: Vec<Symbol> = set.into_iter().collect();
            all.sort_unstable();
            all
        };
        all.into_iter().map(sorted).collect()
    }
}
