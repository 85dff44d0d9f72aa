//! A layer under construction.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::engine::prepare::Prepared;
use crate::engine::prepare::facts::{Clauses, variable};
use crate::language::program::{NodeId, ProcId, VarId};
use crate::proof::formula::{FALSE, Literal, TRUE};
use crate::proof::invariant::{Atom, CircuitBuilder, Layer};

/// Clauses over globals and formals that hold when a procedure is entered on the way to an error,
/// by procedure; `None` if it never is.  Nothing is known of procedures beyond the end of the list.
pub type Known = Vec<Option<Clauses>>;

/// The literals of a clause over variables, whose values `atom` chooses.
pub fn atoms(clause: &[u32], atom: impl Fn(VarId) -> Atom) -> impl Iterator<Item = (Atom, bool)> {
    clause.iter().map(move |&l| {
        let (v, negated) = variable(l);
        (atom(v), negated)
    })
}

/// A circuit with assertions.
#[derive(Default)]
pub struct Draft {
    pub circuit: CircuitBuilder,
    /// The nodes of each procedure with the conjuncts asserted there.
    assertions: BTreeMap<ProcId, Vec<(NodeId, Vec<Literal>)>>,
}

impl Draft {
    /// Asserts `formula` at a node.
    pub fn assert(&mut self, procedure: ProcId, node: NodeId, formula: Literal) {
        if formula != TRUE {
            let conjuncts = self.circuit.conjuncts(formula);
            self.assertions.entry(procedure).or_default().push((node, conjuncts));
        }
    }

    /// Asserts that no execution reaches a node.
    pub fn exclude(&mut self, procedure: ProcId, node: NodeId) {
        self.assert(procedure, node, FALSE);
    }

    /// States that globals which `p` leaves alone have their entry values.
    pub fn frame(
        &mut self,
        prepared: &Prepared,
        p: ProcId,
        globals: impl IntoIterator<Item = VarId>,
    ) -> Literal {
        let modified = prepared.slice.procedure(p).map(|s| &s.modified);
        let mut all = TRUE;
        for g in globals {
            if modified.is_none_or(|m| !m.contains(g.index())) {
                let now = self.circuit.atom(Atom::Current(g));
                let before = self.circuit.atom(Atom::Entry(g));
                let same = self.circuit.iff(now, before);
                all = self.circuit.and(all, same);
            }
        }
        all
    }

    /// A claim about executions of `p` whose entry values satisfy `entered`.
    ///
    /// If `p` can fail, every call of it is part of the slice, and `entered` is claimed as well.
    /// Otherwise `p` may also be called, with any values, where nothing matters any more; then the
    /// claim is made only where `entered` holds.
    pub fn given(
        &mut self,
        prepared: &Prepared,
        p: ProcId,
        entered: Literal,
        claim: Literal,
    ) -> Literal {
        if prepared.slice.procedure(p).is_some_and(|s| s.can_fail) {
            self.circuit.and(entered, claim)
        } else {
            let conjuncts = self.circuit.conjuncts(claim);
            conjuncts.into_iter().fold(TRUE, |all, c| {
                let c = self.circuit.or(entered ^ 1, c);
                self.circuit.and(all, c)
            })
        }
    }

    /// The conjunction of clauses.
    pub fn clauses(
        &mut self,
        clauses: impl IntoIterator<Item: IntoIterator<Item = (Atom, bool)>>,
    ) -> Literal {
        let mut all = TRUE;
        for clause in clauses {
            let mut any = FALSE;
            for (value, negated) in clause {
                let value = self.circuit.atom(value);
                any = self.circuit.or(any, value ^ u32::from(negated));
            }
            all = self.circuit.and(all, any);
        }
        all
    }

    /// The facts known of the entry values of `p`.
    pub fn known(&mut self, known: &Known, p: ProcId) -> Literal {
        match known.get(p.index()) {
            None => TRUE,
            Some(None) => FALSE,
            Some(Some(clauses)) => self.clauses(clauses.iter().map(|c| atoms(c, Atom::Entry))),
        }
    }

    /// The layer.  Conjuncts asserted at many nodes of a procedure come first in the conjunctions,
    /// so that these share gates.
    pub fn finish(mut self, name: impl Into<String>) -> Layer {
        for (procedure, mut nodes) in self.assertions {
            let mut count: FxHashMap<Literal, usize> = FxHashMap::default();
            nodes.iter().flat_map(|n| &n.1).for_each(|&c| *count.entry(c).or_default() += 1);
            for (node, conjuncts) in &mut nodes {
                conjuncts.sort_unstable_by_key(|c| (Reverse(count[c]), *c));
                let all = conjuncts.iter().fold(TRUE, |all, &c| self.circuit.and(all, c));
                self.circuit.assert(procedure, *node, all);
            }
        }
        self.circuit.finish(name)
    }
}
