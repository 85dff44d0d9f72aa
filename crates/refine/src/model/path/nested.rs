//! Predicates from nested interpolants (Heizmann, Hoenicke, Podelski: "Nested Interpolants", POPL
//! 2010): inside a call that returns, an interpolant relates the state at the entry to the current
//! state, and does not mention the caller's locals.
//!
//! The outermost sequence consists of blocks and of calls that do not return; a call that returns
//! is a single block of it.  The inside of such a call is another sequence, which ends with what is
//! known around the call: the interpolants before and after it.

use rustc_hash::FxHashMap;

use super::concrete::ConcretePath;
use crate::block::path::PathFormula;
use crate::cegar::model::Unrefuted;
use crate::interpolate::{Interpolation, InterpolationEngine};
use crate::model::skeleton::frame::Skeleton;
use crate::model::text::program::Meaning;
use hardbop_base::budget::Budget;
use hardbop_smt::{Node, SmtError, Symbol, Term, Terms};

/// An element of a sequence.
enum Item {
    Segment(usize),
    /// A call that returns: its segment, the sequence inside it, and the segment of the return.
    Call(usize, Vec<Item>, usize),
}

/// A path with its formula, to be interpolated.
pub(in crate::model) struct Nested<'a> {
    pub skeleton: &'a Skeleton<'a>,
    pub path: &'a ConcretePath,
    pub formula: &'a PathFormula,
    pub engine: &'a mut InterpolationEngine,
    pub budget: &'a Budget,
    /// The predicates found, over variables of functions.
    found: Vec<Term>,
}

impl<'a> Nested<'a> {
    pub fn new(
        skeleton: &'a Skeleton<'a>,
        path: &'a ConcretePath,
        formula: &'a PathFormula,
        engine: &'a mut InterpolationEngine,
        budget: &'a Budget,
    ) -> Self {
        Self { skeleton, path, formula, engine, budget, found: vec![] }
    }

    /// Predicates that refute the path, or the reason why there are none.
    ///
    /// # Errors
    /// If the solver fails.
    pub fn predicates(
        mut self,
        terms: &mut Terms,
    ) -> Result<Result<Vec<Term>, Unrefuted>, SmtError> {
        let items = items(self.path);
        let mut open: Vec<(Vec<Item>, Option<Term>)> = vec![(items, None)];
        while let Some((items, context)) = open.pop() {
            let interpolants = match self.level(terms, &items, context)? {
                Ok(interpolants) => interpolants,
                Err(unrefuted) => return Ok(Err(unrefuted)),
            };
            for (i, item) in items.into_iter().enumerate() {
                let cut = match &item {
                    Item::Segment(s) => *s,
                    Item::Call(.., back) => *back,
                };
                if let Some(&interpolant) = interpolants.get(i) {
                    self.add(terms, cut, interpolant);
                }
                if let Item::Call(call, inner, back) = item {
                    let always = terms.bool(true);
                    let before = match i {
                        0 => always,
                        _ => interpolants[i - 1],
                    };
                    let never = terms.bool(false);
                    let after = interpolants.get(i).copied().unwrap_or(never);
                    let mut context = vec![before, terms.not(after)];
                    for s in [call, back] {
                        context.extend(&self.formula.blocks[s]);
                    }
                    let context = terms.and(&context);
                    open.push((inner, Some(context)));
                }
            }
        }
        Ok(Ok(self.found))
    }

    /// Interpolates one sequence.
    fn level(
        &mut self,
        terms: &mut Terms,
        items: &[Item],
        context: Option<Term>,
    ) -> Result<Result<Vec<Term>, Unrefuted>, SmtError> {
        let mut parts: Vec<Term> = items
            .iter()
            .map(|item| {
                let mut conjuncts = vec![];
                self.conjuncts(item, &mut conjuncts);
                terms.and(&conjuncts)
            })
            .collect();
        parts.extend(context);
        Ok(match self.engine.interpolate(terms, &parts, self.budget)? {
            Interpolation::Interpolants(all) => Ok(all),
            Interpolation::Sat => Err(Unrefuted::Feasible),
            Interpolation::Unknown(unknown) => Err(Unrefuted::Unknown(unknown)),
        })
    }

    /// Collects all conjuncts of an item, including those inside a call.
    fn conjuncts(&self, item: &Item, out: &mut Vec<Term>) {
        let mut todo = vec![item];
        while let Some(item) = todo.pop() {
            match item {
                Item::Segment(s) => out.extend(&self.formula.blocks[*s]),
                Item::Call(call, inner, back) => {
                    out.extend(&self.formula.blocks[*call]);
                    out.extend(&self.formula.blocks[*back]);
                    todo.extend(inner);
                }
            }
        }
    }

    /// Adds the atoms of an interpolant after a segment, over the variables of the active function.
    fn add(&mut self, terms: &mut Terms, cut: usize, interpolant: Term) {
        let activation = &self.path.activations[self.path.segments[cut].activation];
        let function = activation.function;
        let now = &self.formula.values[cut];
        let entry = activation.call.map(|call| &self.formula.values[call]);
        let index = |values: &FxHashMap<Symbol, u32>, s: Symbol| values.get(&s).copied();
        for atom in terms.atoms(interpolant) {
            let mut fits = true;
            let predicate = terms.substitute(atom, |terms, leaf| {
                let &Node::Instance(symbol, k) = terms.node(leaf) else { return None };
                let original = self.path.automaton.original(symbol);
                let is_own = self.skeleton.is_global(original)
                    || self.skeleton.owner(original) == Some(function)
                        && activation.symbol(original) == symbol;
                if !is_own {
                    fits = false;
                } else if index(now, symbol).unwrap_or(0) == k {
                    return Some(terms.variable(original));
                } else if entry.is_some_and(|e| index(e, symbol).unwrap_or(0) == k) {
                    return Some(terms.variable(self.skeleton.old(function, original)));
                } else {
                    fits = false;
                }
                None
            });
            if fits {
                self.found.push(predicate);
            }
        }
    }
}

/// Splits the path into nested sequences.
fn items(path: &ConcretePath) -> Vec<Item> {
    // Sequences that are still open, each with the segment of its call; an explicit stack, since
    // paths can be deep.
    let mut open: Vec<(Option<usize>, Vec<Item>)> = vec![(None, vec![])];
    let returns: Vec<bool> = {
        let mut returns = vec![false; path.segments.len()];
        let calls = path.activations.iter().filter(|a| a.back.is_some()).filter_map(|a| a.call);
        calls.for_each(|c| returns[c] = true);
        returns
    };
    for (s, segment) in path.segments.iter().enumerate() {
        match segment.meaning {
            Meaning::Call(..) if returns[s] => open.push((Some(s), vec![])),
            Meaning::Return(..) => {
                if let Some((Some(call), inner)) = open.pop()
                    && let Some((_, outer)) = open.last_mut()
                {
                    outer.push(Item::Call(call, inner, s));
                }
            }
            _ => {
                if let Some((_, items)) = open.last_mut() {
                    items.push(Item::Segment(s));
                }
            }
        }
    }
    open.into_iter().next().map_or(vec![], |(_, items)| items)
}
