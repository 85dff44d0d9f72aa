//! The view of the Boolean program between the blocks of a path: predicates of the current
//! activation, and at entries and exits only what callers and callees exchange.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::concrete::ConcretePath;
use crate::block::liveness::CutLiveness;
use crate::block::problem::Problem;
use crate::model::skeleton::frame::{Skeleton, symbols};
use crate::model::skeleton::predicates::Predicates;
use crate::model::text::program::Meaning;
use crate::select::view::View;
use hardbop_smt::{Node, Symbol, Term, Terms};

type Symbols = IndexSet<Symbol, FxBuildHasher>;

/// The kind of the cut after a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::model) enum CutKind {
    Block,
    /// A function has been entered.
    Entry,
    /// A function is about to be left.
    Exit,
}

/// The cuts of a path.
pub(in crate::model) struct Cuts<'a> {
    skeleton: &'a Skeleton<'a>,
    predicates: &'a Predicates,
    path: &'a ConcretePath,
    live: CutLiveness,
    /// The old values that may matter, by activation.
    olds: Vec<Symbols>,
    kept: Vec<(usize, usize, Vec<Symbol>)>,
}

/// The kind of the cut after a segment.
pub(in crate::model) fn kind(path: &ConcretePath, cut: usize) -> CutKind {
    let at = |i: usize| path.segments.get(i).map(|s| s.meaning);
    match (at(cut), at(cut + 1)) {
        (_, Some(Meaning::Return(..))) => CutKind::Exit,
        (Some(Meaning::Call(..)), _) => CutKind::Entry,
        _ => CutKind::Block,
    }
}

impl<'a> Cuts<'a> {
    pub fn new(
        terms: &mut Terms,
        skeleton: &'a Skeleton<'a>,
        predicates: &'a Predicates,
        path: &'a ConcretePath,
        problem: &mut Problem,
    ) -> Self {
        let live = CutLiveness::new(terms, problem);
        let mut cuts = Self { skeleton, predicates, path, live, olds: vec![], kept: vec![] };
        for activation in &path.activations {
            let mut olds = Symbols::default();
            let mut kept: Symbols = Symbols::default();
            if let (Some(call), Some(back)) = (activation.call, activation.back) {
                let entry = path.summary.blocks[call].target;
                let formals = skeleton.formals(activation.function);
                for (old, of) in skeleton.olds(activation.function) {
                    let matters =
                        formals.contains(&of) || cuts.live.is_live(entry, activation.symbol(of));
                    if matters {
                        olds.insert(activation.symbol(old));
                    }
                    kept.insert(activation.symbol(old));
                }
                // A formal that keeps its value is known at the return as the argument.
                kept.extend(formals.iter().map(|&s| activation.symbol(s)));
                let caller = &path.activations[path.segments[back].activation];
                let own = &skeleton.program.functions[caller.function];
                let locals = own.locals.iter().chain(&own.parameters).chain(&own.result);
                kept.extend(locals.map(|&s| caller.symbol(s)));
                let of_caller = skeleton.olds(caller.function).into_iter();
                kept.extend(of_caller.map(|(old, _)| caller.symbol(old)));
                let effects = skeleton.effects(activation.function);
                kept.extend(skeleton.globals().iter().filter(|s| !effects.contains(s)));
                let mut kept: Vec<Symbol> = kept.into_iter().collect();
                kept.sort_unstable();
                cuts.kept.push((call, back, kept));
            }
            cuts.olds.push(olds);
        }
        cuts
    }

    fn activation(&self, cut: usize) -> &'a super::concrete::Activation {
        &self.path.activations[self.path.segments[cut].activation]
    }

    /// Whether a predicate of the activation's function may mention the variable at the cut.
    pub fn sees(&self, cut: usize, symbol: Symbol) -> bool {
        let function = self.activation(cut).function;
        let skeleton = self.skeleton;
        let is_formal = |s: Symbol| skeleton.formals(function).contains(&s);
        let is_old = |s: Symbol| skeleton.new_of(s).is_some();
        skeleton.is_global(symbol)
            || match kind(self.path, cut) {
                CutKind::Block => true,
                CutKind::Entry => is_formal(symbol) || is_old(symbol),
                CutKind::Exit => {
                    is_old(symbol)
                        || skeleton.program.functions[function].result == Some(symbol)
                        || is_formal(symbol) && skeleton.old(function, symbol) == symbol
                }
            }
    }
}

impl View for Cuts<'_> {
    fn place(&self, cut: usize) -> Option<u32> {
        Some(self.activation(cut).function as u32)
    }

    fn tracked(&self, cut: usize) -> Vec<Term> {
        self.predicates.of(self.activation(cut).function).collect()
    }

    fn live(&self, cut: usize) -> Vec<Symbol> {
        let number = self.path.segments[cut].activation;
        let activation = self.activation(cut);
        let mut all = self.live.at(self.path.summary.blocks[cut].target);
        if kind(self.path, cut) == CutKind::Exit || activation.back.is_some() {
            let function = activation.function;
            let kept = self.skeleton.formals(function).iter().copied();
            let kept = kept.filter(|&s| self.skeleton.old(function, s) == s);
            all.extend(kept.map(|s| activation.symbol(s)));
            all.extend(&self.olds[number]);
        }
        // Variables of other activations are not visible.
        let function = activation.function;
        all.retain(|&s| {
            let original = self.original(s);
            let own = self.skeleton.is_global(original)
                || self.skeleton.owner(original) == Some(function)
                    && activation.symbol(original) == s;
            own && self.sees(cut, original)
        });
        all.sort_unstable();
        all.dedup();
        all
    }

    fn original(&self, symbol: Symbol) -> Symbol {
        self.path.automaton.original(symbol)
    }

    fn local(&self, terms: &mut Terms, cut: usize, predicate: Term) -> Option<Term> {
        let seen = symbols(terms, predicate).all(|s| self.sees(cut, s));
        seen.then(|| self.activation(cut).term(terms, predicate))
    }

    /// The block that ends at a call also sets the predicates over the arguments.
    fn foreseen(&self, terms: &mut Terms, cut: usize, local: Term) -> Option<Term> {
        let call = cut + 1;
        if !matches!(self.path.segments.get(call)?.meaning, Meaning::Call(..)) {
            return None;
        }
        let edge = *self.path.summary.blocks[call].edges.first()?;
        let operation = &self.path.automaton.edges[edge as usize].operation;
        let passed: Vec<(Symbol, Option<Term>)> = operation.changes().collect();
        Some(terms.substitute(local, |terms, leaf| match *terms.node(leaf) {
            Node::Variable(s) => {
                passed.iter().find(|(to, _)| *to == s).and_then(|&(_, value)| value)
            }
            _ => None,
        }))
    }

    fn kept(&self) -> Vec<(usize, usize, Vec<Symbol>)> {
        self.kept.clone()
    }
}
