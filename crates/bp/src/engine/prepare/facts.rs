//! Facts known of every execution at certain nodes: clauses over program variables.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::liveness::Frame;
use super::values::Switches;
use crate::language::program::{NodeId, ProcId, VarId};
use hardbop_logic::{Aig, Lit};

/// Lists of literals, one after the other: a literal is twice a number, plus one where it is
/// negated.
#[derive(Debug, Default)]
pub struct Clauses {
    literals: Vec<u32>,
    /// The end of each clause.
    ends: Vec<u32>,
}

impl Clauses {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, id: usize) -> &[u32] {
        let start = if id == 0 { 0 } else { self.ends[id - 1] as usize };
        &self.literals[start..self.ends[id] as usize]
    }

    pub fn push(&mut self, clause: impl IntoIterator<Item = u32>) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len() as u32);
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|id| self.get(id))
    }

    pub fn shrink_to_fit(&mut self) {
        self.literals.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// The variable of a literal, and whether it is negated.
pub fn variable(literal: u32) -> (VarId, bool) {
    (VarId(literal / 2), literal % 2 == 1)
}

/// Clauses that hold at a node whenever an execution is there.
#[derive(Debug, Default)]
pub struct Facts {
    pub procedures: Vec<ProcedureFacts>,
}

/// The clauses of one procedure.
#[derive(Debug, Default)]
pub struct ProcedureFacts {
    /// The clauses over variables, by [`VarId`].
    pub clauses: Clauses,
    /// The facts of each node.
    pub nodes: Vec<NodeFacts>,
    /// The clauses in which each variable occurs: where their numbers begin and end in the list.
    of_variable: FxHashMap<VarId, (u32, u32)>,
    numbers: Box<[u32]>,
}

impl ProcedureFacts {
    pub fn new(clauses: Clauses, nodes: Vec<NodeFacts>) -> Self {
        let mut of_variable: FxHashMap<VarId, (u32, u32)> = FxHashMap::default();
        let all = || clauses.iter().enumerate().flat_map(|(id, c)| c.iter().map(move |l| (id, *l)));
        all().for_each(|(_, l)| of_variable.entry(variable(l).0).or_default().1 += 1);
        let mut end = 0;
        for range in of_variable.values_mut() {
            let start = end;
            end += range.1;
            *range = (start, start);
        }
        let mut numbers = vec![0; end as usize];
        for (id, l) in all() {
            let (_, end) = of_variable.entry(variable(l).0).or_default();
            numbers[*end as usize] = id as u32;
            *end += 1;
        }
        Self { clauses, nodes, of_variable, numbers: numbers.into() }
    }

    fn of_variable(&self, v: VarId) -> &[u32] {
        let range = self.of_variable.get(&v);
        range.map_or(&[], |&(start, end)| &self.numbers[start as usize..end as usize])
    }
}

/// The facts known at a node.
#[derive(Debug, Clone, Default)]
pub enum NodeFacts {
    /// No facts are known.
    #[default]
    Unknown,
    /// No execution reaches the node.
    Unreachable,
    /// The procedure's clauses that hold here.
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
    pub fn clauses(&self, p: ProcId, n: NodeId) -> impl Iterator<Item = &[u32]> {
        let set = self.held(p, n).into_iter().flat_map(FixedBitSet::ones);
        set.map(move |i| self.procedures[p.index()].clauses.get(i))
    }

    /// The numbers of the clauses that hold at a node, if some do.
    fn held(&self, p: ProcId, n: NodeId) -> Option<&FixedBitSet> {
        match self.node(p, n) {
            Some(NodeFacts::Clauses(set)) => Some(set),
            _ => None,
        }
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
    /// The facts known at `n` of the live slots, with their values `omega`.  A clause is left out
    /// if it is known at the node of `from` and its slots have the same values there.  With
    /// switches, a clause counts only if all its variables are switched on.
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
        let Some(procedure) = self.facts.procedures.get(self.procedure.index()) else {
            return Lit::TRUE;
        };
        let mut units = FixedBitSet::with_capacity(2 * omega.len());
        let mut conjuncts = vec![];
        let mut slots: Vec<(usize, bool)> = vec![];
        for id in self.news(procedure, n, live, omega, from) {
            let clause = procedure.clauses.get(id as usize);
            slots.clear();
            slots.extend(clause.iter().map_while(|&l| {
                let (v, negated) = variable(l);
                let slot = self.frame.slot(v).filter(|&s| live.contains(s))?;
                Some((slot, negated))
            }));
            if slots.len() < clause.len() {
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
                let on = clause.iter().filter_map(|&l| switches.variables.get(&variable(l).0));
                lits.extend(on.chain([&switches.facts]).map(|&s| !aig.input(s)));
            }
            conjuncts.push(aig.or_all(lits));
        }
        aig.and_all(conjuncts)
    }

    /// The clauses at `n`, in order, apart from those that hold at the node of `from` too and of
    /// whose slots none has changed since.  Where few slots are live, others than those of live
    /// variables are left out.
    fn news(
        &self,
        procedure: &ProcedureFacts,
        n: NodeId,
        live: &FixedBitSet,
        omega: &[Lit],
        from: Option<(NodeId, &[Lit])>,
    ) -> Vec<u32> {
        let Some(here) = self.facts.held(self.procedure, n) else { return vec![] };
        let of_slots = |slots: &mut dyn Iterator<Item = usize>| -> Vec<u32> {
            let found = slots.flat_map(|s| procedure.of_variable(self.frame.slots[s]));
            found.copied().filter(|&id| here.contains(id as usize)).collect()
        };
        let of_live = live.ones().map(|s| procedure.of_variable(self.frame.slots[s]).len());
        let few = of_live.sum::<usize>() < procedure.clauses.len();
        let there = from.and_then(|(m, _)| self.facts.held(self.procedure, m));
        let mut found = match (from, there) {
            (Some((_, before)), Some(there)) => {
                let is_changed = |s: &usize| omega[*s] != before[*s];
                let mut found = of_slots(&mut live.ones().filter(is_changed));
                if few {
                    let others = of_slots(&mut live.ones().filter(|s| !is_changed(s)));
                    found.extend(others.into_iter().filter(|&id| !there.contains(id as usize)));
                } else {
                    found.extend(here.difference(there).map(|id| id as u32));
                }
                found
            }
            _ if few => of_slots(&mut live.ones()),
            _ => here.ones().map(|id| id as u32).collect(),
        };
        found.sort_unstable();
        found.dedup();
        found
    }
}
