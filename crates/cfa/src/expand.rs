//! Expands calls into copies of the called automata. The result is one automaton for the whole
//! program, in which a location stands for a place in the text together with the call stack that
//! led there.
//!
//! Each activation has its own variables; the first one of a function uses the originals. Large
//! blocks can thus extend over calls and returns. Recursion is followed up to a depth; a deeper
//! call leads to a special goal ([`Goal::Depth`]).

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::automaton::{Automaton, Edge, Frame, Goal};
use super::limits::Limits;
use super::operation::Operation;
use super::program::{Location, Place, Program, Step};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::source::Span;
use hardbop_base::verdict::UnknownReason;
use hardbop_smt::{Node, Symbol, Term, Terms};

/// Limits of the expansion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpansionLimits {
    pub limits: Limits,
    /// Higher bounds on the activations of one function, after certain stacks of calls, given by
    /// the places of the calls.
    pub deeper: FxHashMap<Vec<Place>, u32>,
}

/// Why the expansion failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExpandError {
    #[error("with its calls expanded the program has more than {0} edges")]
    TooLarge(usize),
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl From<ExpandError> for UnknownReason {
    fn from(e: ExpandError) -> Self {
        match e {
            ExpandError::TooLarge(edges) => Self::TooLarge(edges),
            ExpandError::Exhausted(e) => e.into(),
        }
    }
}

/// An activation whose body has not been copied yet.
struct Open {
    frame: u32,
    /// The locations of its entry and exit in the result.
    entry: Location,
    exit: Location,
    /// The copies of the function's locals in this activation.
    own: FxHashMap<Symbol, Symbol>,
}

/// Renames variables in terms, with a cache.
struct Renaming<'a> {
    own: &'a FxHashMap<Symbol, Symbol>,
    memo: FxHashMap<Term, Term>,
}

impl Renaming<'_> {
    fn symbol(&self, s: Symbol) -> Symbol {
        self.own.get(&s).copied().unwrap_or(s)
    }

    fn term(&mut self, terms: &mut Terms, term: Term) -> Term {
        if self.own.is_empty() {
            return term;
        }
        if let Some(&known) = self.memo.get(&term) {
            return known;
        }
        let new = terms.substitute(term, |terms, leaf| match *terms.node(leaf) {
            Node::Variable(s) => self.own.get(&s).map(|&to| terms.variable(to)),
            _ => None,
        });
        self.memo.insert(term, new);
        new
    }

    fn operation(&mut self, terms: &mut Terms, operation: &Operation) -> Operation {
        let own = self.own;
        let symbol = |s: Symbol| own.get(&s).copied().unwrap_or(s);
        operation.renamed(symbol, |t| self.term(terms, t))
    }
}

struct Expansion<'a> {
    terms: &'a mut Terms,
    program: &'a Program,
    limits: &'a ExpansionLimits,
    out: Automaton,
    error: Option<Location>,
    /// The number of activations of each function so far.
    copies: Vec<u32>,
}

/// Expands the program to one automaton.
///
/// # Errors
/// If it gets too large, or the budget is exhausted.
pub fn expand(
    terms: &mut Terms,
    program: &Program,
    limits: &ExpansionLimits,
    budget: &Budget,
) -> Result<Automaton, ExpandError> {
    let out = Automaton {
        entry: Location(0),
        goals: vec![],
        locations: 3,
        edges: vec![],
        frames: vec![Frame { function: program.main, caller: None }],
        copies: FxHashMap::default(),
        cuts: vec![],
    };
    let mut copies = vec![0; program.functions.len()];
    copies[program.main] = 1;
    let mut expansion = Expansion { terms, program, limits, out, error: None, copies };
    // The entry of `main` may be a loop head, but no edge may lead to l_0.
    let main = (Location(1), Location(2));
    let place = Place { function: 0, instruction: Place::NOWHERE, span: Span::default() };
    expansion.edge(Location(0), main.0, Operation::Skip, (place, 0));
    let mut open = vec![Open { frame: 0, entry: main.0, exit: main.1, own: FxHashMap::default() }];
    while let Some(next) = open.pop() {
        budget.check()?;
        expansion.body(&next, &mut open)?;
    }
    Ok(expansion.out)
}

impl Expansion<'_> {
    fn location(&mut self) -> Location {
        self.out.locations += 1;
        Location(self.out.locations - 1)
    }

    fn edge(&mut self, source: Location, target: Location, operation: Operation, at: (Place, u32)) {
        self.out.edges.push(Edge { source, target, operation, place: at.0, frame: at.1 });
    }

    /// The variables of a new activation: the first one uses the originals, later ones copies.
    fn own(&mut self, function: usize) -> FxHashMap<Symbol, Symbol> {
        let copy = self.copies[function];
        self.copies[function] += 1;
        let locals = if copy == 0 { &[][..] } else { &self.program.functions[function].locals };
        let mut own = FxHashMap::default();
        for &local in locals {
            let name = format!("{}#{copy}", self.terms.name(local));
            let symbol = self.terms.symbol(&name, self.terms.symbol_sort(local));
            self.out.copies.insert(symbol, local);
            own.insert(local, symbol);
        }
        own
    }

    /// Copies the body of an activation. Its parameters have their values already.
    fn body(&mut self, open: &Open, later: &mut Vec<Open>) -> Result<(), ExpandError> {
        let program = self.program;
        let function = &program.functions[self.out.frames[open.frame as usize].function];
        let first = self.out.locations;
        self.out.locations += function.locations;
        let at = |l: Location| match l {
            l if l == function.entry => open.entry,
            l if l == function.exit => open.exit,
            l => Location(first + l.0),
        };
        let mut renaming = Renaming { own: &open.own, memo: FxHashMap::default() };
        for edge in &function.edges {
            if self.out.edges.len() >= self.limits.limits.expansion.edges {
                return Err(ExpandError::TooLarge(self.limits.limits.expansion.edges));
            }
            let (source, target) = (at(edge.source), at(edge.target));
            let here = (edge.place, open.frame);
            match &edge.step {
                Step::Operation(operation) => {
                    let operation = renaming.operation(self.terms, operation);
                    self.edge(source, target, operation, here);
                }
                Step::Error => {
                    let error = self.error();
                    self.edge(source, error, Operation::Skip, here);
                }
                Step::Unsupported(reason) => {
                    let goal = self.goal(Goal::Unsupported(reason.clone(), edge.place));
                    self.edge(source, goal, Operation::Skip, here);
                }
                Step::Call { callee, .. } if self.is_too_deep(open.frame, *callee, edge.place) => {
                    let name = &program.functions[*callee].name;
                    let depth = self.out.activations(open.frame, *callee);
                    let reason = format!("more than {depth} calls of '{name}' at once");
                    let goal = self.goal(Goal::Depth(reason, *callee));
                    self.edge(source, goal, Operation::Skip, here);
                }
                Step::Call { callee, arguments, result } => {
                    let call = (*callee, &arguments[..], *result);
                    later.push(self.call((source, target), here, call, &mut renaming));
                }
            }
        }
        Ok(())
    }

    /// Passes arguments and the result; the callee's body is added later.
    fn call(
        &mut self,
        (source, target): (Location, Location),
        here: (Place, u32),
        (callee, arguments, result): (usize, &[Term], Option<Symbol>),
        renaming: &mut Renaming,
    ) -> Open {
        let program = self.program;
        let function = &program.functions[callee];
        let frame = self.out.frames.len() as u32;
        self.out.frames.push(Frame { function: callee, caller: Some((here.1, here.0)) });
        let own = self.own(callee);
        let inner = |s: Symbol| own.get(&s).copied().unwrap_or(s);
        let passed = function
            .parameters
            .iter()
            .zip(arguments)
            .map(|(&p, &a)| (inner(p), renaming.term(self.terms, a)))
            .collect();
        let (entry, exit) = (self.location(), self.location());
        self.edge(source, entry, Operation::Parallel(passed), here);
        let back = match (result, function.result) {
            (Some(to), Some(from)) => {
                Operation::Assign(renaming.symbol(to), self.terms.variable(inner(from)))
            }
            _ => Operation::Skip,
        };
        self.edge(exit, target, back, here);
        Open { frame, entry, exit, own }
    }

    /// The common location l_E of all errors.
    fn error(&mut self) -> Location {
        match self.error {
            Some(error) => error,
            None => {
                let error = self.goal(Goal::Error);
                *self.error.insert(error)
            }
        }
    }

    fn goal(&mut self, goal: Goal) -> Location {
        let location = self.location();
        self.out.goals.push((location, goal));
        location
    }

    /// Whether the stack of a frame already has the maximal number of activations of the function.
    fn is_too_deep(&self, frame: u32, function: usize, call: Place) -> bool {
        let depth = self.out.activations(frame, function);
        let chain = || {
            let mut places = self.out.calls(frame);
            places.push(call);
            places
        };
        let allows = |chain: &[Place]| self.limits.deeper.get(chain).is_some_and(|&d| depth < d);
        depth >= self.limits.limits.expansion.recursion
            && (self.limits.deeper.is_empty() || {
                let chain = chain();
                !(1..=chain.len()).any(|n| allows(&chain[..n]))
            })
    }
}
