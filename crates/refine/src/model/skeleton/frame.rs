//! The parts of the abstraction that do not depend on the predicates: the automata of the
//! functions, the owner of each variable, and the effects of calls.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::block::operator::Blocks;
use crate::block::problem::Problem;
use crate::block::procedure::{Outside, Procedure};
use crate::block::scope::Scopes;
use hardbop_cfa::Program;
use hardbop_smt::{Node, Symbol, Term, Terms};

/// A program's functions with their frames.
pub struct Skeleton<'p> {
    pub program: &'p Program,
    /// The automaton of each function.
    pub procedures: Vec<Procedure>,
    /// The function of each local variable.
    owners: FxHashMap<Symbol, usize>,
    /// Variables that are not local to any function, in order.
    globals: Vec<Symbol>,
    /// The globals that a call of each function may change, directly or through its own calls, in
    /// order.
    effects: Vec<Vec<Symbol>>,
    /// The variables for the entry values of each function's formals and of the globals that it may
    /// change.
    olds: Vec<FxHashMap<Symbol, Symbol>>,
    /// The variable of which each variable for an entry value is the entry value.
    news: FxHashMap<Symbol, Symbol>,
}

/// The scope in which a formula is meaningful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Home {
    Everywhere,
    Function(usize),
}

impl<'p> Skeleton<'p> {
    pub fn new(terms: &mut Terms, program: &'p Program) -> Self {
        let count = program.functions.len();
        let procedures: Vec<Procedure> = (0..count).map(|f| Procedure::new(program, f)).collect();
        let changes: Vec<FxHashSet<Symbol>> = procedures.iter().map(Procedure::changes).collect();
        let scopes = Scopes::new(terms, program);
        let effects = scopes.effects(program, &changes);
        let Scopes { owners, globals } = scopes;
        let mut skeleton = Self {
            program,
            procedures,
            owners,
            globals,
            effects,
            olds: vec![FxHashMap::default(); count],
            news: FxHashMap::default(),
        };
        for (f, own) in changes.iter().enumerate() {
            let formals = program.functions[f].parameters.iter();
            let changed: Vec<Symbol> = formals
                .copied()
                .filter(|s| own.contains(s))
                .chain(skeleton.effects[f].iter().copied())
                .collect();
            skeleton.add_olds(terms, f, &changed);
        }
        skeleton
    }

    fn add_olds(&mut self, terms: &mut Terms, function: usize, changed: &[Symbol]) {
        for &symbol in changed {
            let (name, caller) = (terms.name(symbol), &self.program.functions[function].name);
            // Only of what is the function's own, the name is shortened, and not if a global has
            // that name.
            let own = name.strip_prefix(&caller[..]).and_then(|own| own.strip_prefix("::"));
            let own = own.filter(|own| terms.find_symbol(own).is_none());
            let name = format!("{caller}::old({})", own.unwrap_or(name));
            let old = terms.symbol(&name, terms.symbol_sort(symbol));
            self.olds[function].insert(symbol, old);
            self.news.insert(old, symbol);
            self.owners.insert(old, function);
        }
    }

    /// Variables that are not local to any function, in order.
    pub fn globals(&self) -> &[Symbol] {
        &self.globals
    }

    pub fn is_global(&self, symbol: Symbol) -> bool {
        !self.owners.contains_key(&symbol)
    }

    /// The function that the variable is local to.
    pub fn owner(&self, symbol: Symbol) -> Option<usize> {
        self.owners.get(&symbol).copied()
    }

    /// The globals that a call of the function may change, in order.
    pub fn effects(&self, function: usize) -> &[Symbol] {
        &self.effects[function]
    }

    pub fn formals(&self, function: usize) -> &'p [Symbol] {
        &self.program.functions[function].parameters
    }

    /// The variable for the value that a formal or a global had when the function was entered: the
    /// variable itself if the function does not change it.
    pub fn old(&self, function: usize, symbol: Symbol) -> Symbol {
        self.olds[function].get(&symbol).copied().unwrap_or(symbol)
    }

    /// The variables for entry values of a function that are not the variables themselves, each
    /// with the variable that it belongs to, in order.
    pub fn olds(&self, function: usize) -> Vec<(Symbol, Symbol)> {
        let mut all: Vec<(Symbol, Symbol)> =
            self.olds[function].iter().map(|(&of, &old)| (old, of)).collect();
        all.sort_unstable();
        all
    }

    /// The variable that this is the entry value of.
    pub fn new_of(&self, old: Symbol) -> Option<Symbol> {
        self.news.get(&old).copied()
    }

    /// The scope in which a formula over variables may be tracked; `None` if it mentions locals of
    /// several functions.
    pub fn home(&self, terms: &Terms, formula: Term) -> Option<Home> {
        let mut home = Home::Everywhere;
        for symbol in symbols(terms, formula) {
            let Some(&owner) = self.owners.get(&symbol) else { continue };
            match home {
                Home::Function(other) if other != owner => return None,
                _ => home = Home::Function(owner),
            }
        }
        Some(home)
    }

    /// Does the formula mention only what a function is given: globals and formals?
    pub fn is_given(&self, terms: &Terms, function: usize, formula: Term) -> bool {
        let formals = self.formals(function);
        symbols(terms, formula).all(|s| self.is_global(s) || formals.contains(&s))
    }

    /// Does the formula tell a caller something new after a return, and mention only what the
    /// caller knows then: globals, the result, and what the function was given?
    pub fn is_returned(&self, terms: &Terms, function: usize, formula: Term) -> bool {
        let result = self.program.functions[function].result;
        let is_new = |s| Some(s) == result || self.effects[function].binary_search(&s).is_ok();
        if !symbols(terms, formula).any(is_new) {
            return false;
        }
        symbols(terms, formula).all(|s| {
            self.is_global(s)
                || Some(s) == result
                || self.news.contains_key(&s)
                || self.formals(function).contains(&s) && self.old(function, s) == s
        })
    }

    /// The function with its blocks.
    pub fn problem(&self, terms: &mut Terms, function: usize, blocks: Blocks) -> Problem {
        let mut at_exit = self.globals.clone();
        at_exit.extend(self.program.functions[function].result);
        let kept = self.formals(function).iter().filter(|&&s| self.old(function, s) == s);
        at_exit.extend(kept);
        let outside = Outside { at_exit: &at_exit, globals: &self.globals };
        self.procedures[function].problem(terms, blocks, &outside)
    }
}

/// The variables in a formula.
pub fn symbols(terms: &Terms, formula: Term) -> impl Iterator<Item = Symbol> {
    let leaves: Vec<Symbol> = terms
        .support(formula)
        .into_iter()
        .filter_map(|leaf| match *terms.node(leaf) {
            Node::Variable(s) => Some(s),
            _ => None,
        })
        .collect();
    leaves.into_iter()
}
