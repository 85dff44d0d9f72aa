//! What is known of every execution at certain nodes: clauses over program variables.

use fixedbitset::FixedBitSet;

use super::liveness::Frame;
use super::values::Switches;
use crate::boolean::language::program::{NodeId, ProcId, VarId};
use crate::solve::logic::{Aig, Lit};

/// A clause over program variables, each with whether it is negated.
pub type Clause = Box<[(VarId, bool)]>;

/// Clauses that hold at a node whenever an execution is there.
#[derive(Debug, Default)]
pub struct Facts {
    pub procedures: Vec<ProcedureFacts>,
}

/// The clauses of one procedure.
#[derive(Debug, Default)]
pub struct ProcedureFacts {
    pub clauses: Vec<Clause>,
    /// By node.
    pub nodes: Vec<NodeFacts>,
}

/// What is known at a node.
#[derive(Debug, Clone, Default)]
pub enum NodeFacts {
    /// Nothing.
    #[default]
    Unknown,
    /// No execution reaches the node.
    Unreachable,
    /// These of the procedure's clauses hold.
    Clauses(FixedBitSet),
}

impl Facts {
    /// Number of clauses, summed over all nodes.
    pub fn count(&self) -> u64 {
        let nodes = self.procedures.iter().flat_map(|p| &p.nodes);
        let clauses = nodes.map(|n| match n {
            NodeFacts::Clauses(set) => set.count_ones(..) as u64,
            NodeFacts::Unknown | NodeFacts::Unreachable => 0,
        });
        clauses.sum()
    }

    /// Whether it is known that no execution reaches this node.
    pub fn is_unreachable(&self, p: ProcId, n: NodeId) -> bool {
        matches!(self.node(p, n), Some(NodeFacts::Unreachable))
    }

    fn node(&self, p: ProcId, n: NodeId) -> Option<&NodeFacts> {
        self.procedures.get(p.index())?.nodes.get(n.index())
    }

    /// The clauses that hold at a node.
    pub fn clauses(&self, p: ProcId, n: NodeId) -> impl Iterator<Item = &Clause> {
        self.numbered(p, n).map(|(_, clause)| clause)
    }

    fn numbered(&self, p: ProcId, n: NodeId) -> impl Iterator<Item = (usize, &Clause)> {
        let set = match self.node(p, n) {
            Some(NodeFacts::Clauses(set)) => Some(set),
            _ => None,
        };
        set.into_iter()
            .flat_map(FixedBitSet::ones)
            .map(move |i| (i, &self.procedures[p.index()].clauses[i]))
    }

    fn contains(&self, p: ProcId, n: NodeId, clause: usize) -> bool {
        matches!(self.node(p, n), Some(NodeFacts::Clauses(set)) if set.contains(clause))
    }
}

/// The facts as formulas over the slots of one procedure.
#[derive(Clone, Copy)]
pub struct SlotFacts<'a> {
    pub facts: &'a Facts,
    pub procedure: ProcId,
    pub frame: &'a Frame,
    pub switches: Option<&'a Switches>,
}

impl SlotFacts<'_> {
    /// What is known at `n` of the live slots, with their values `omega`.  A clause is left out if
    /// it is known at the node of `from` and its slots have the same values there.  With switches,
    /// a clause counts only if all its variables are switched on.
    pub fn at(
        &self,
        aig: &mut Aig,
        n: NodeId,
        live: &FixedBitSet,
        omega: &[Lit],
        from: Option<(NodeId, &[Lit])>,
    ) -> Lit {
        if self.facts.is_unreachable(self.procedure, n) {
            return self.switches.map_or(Lit::FALSE, |s| !aig.input(s.facts));
        }
        let mut units = FixedBitSet::with_capacity(2 * omega.len());
        let mut conjuncts = vec![];
        for (id, clause) in self.facts.numbered(self.procedure, n) {
            let slots: Option<Vec<(usize, bool)>> = clause
                .iter()
                .map(|&(v, negated)| {
                    let slot = self.frame.slot(v).filter(|&s| live.contains(s))?;
                    Some((slot, negated))
                })
                .collect();
            let Some(slots) = slots else { continue };
            let unchanged = |before: &[Lit]| slots.iter().all(|&(s, _)| omega[s] == before[s]);
            if from.is_some_and(|(m, before)| {
                unchanged(before) && self.facts.contains(self.procedure, m, id)
            }) {
                continue;
            }
            let literal = |&(s, negated): &(usize, bool)| 2 * s + usize::from(negated);
            if let [unit] = &slots[..] {
                units.insert(literal(unit));
            } else if slots.iter().any(|l| units.contains(literal(l))) {
                continue; // units come first and subsume it
            }
            let mut lits: Vec<Lit> =
                slots.iter().map(|&(s, negated)| omega[s].xor_sign(negated)).collect();
            if let Some(switches) = self.switches {
                let on = clause.iter().filter_map(|(v, _)| switches.variables.get(v));
                lits.extend(on.chain([&switches.facts]).map(|&s| !aig.input(s)));
            }
            conjuncts.push(aig.or_all(lits));
        }
        aig.and_all(conjuncts)
    }
}
