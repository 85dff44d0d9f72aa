//! The premises of a step: clauses known before it, and the clauses after it that follow without a
//! search.

use fixedbitset::FixedBitSet;

use super::candidates::{Domain, SlotLit};
use super::samples::{Meaning, Samples};
use hardbop_logic::sat::CircuitSolver;
use hardbop_logic::{Aig, Lit};

/// The clauses known at a node.  Invariant: they hold in every state found so far; they are only
/// ever removed.
#[derive(Debug, Clone)]
pub struct Known {
    pub reached: bool,
    pub clauses: FixedBitSet,
    /// Slots over which all clauses were tried: some state that satisfies the others violates such
    /// a clause that is not among them.
    pub tried: FixedBitSet,
    pub samples: Samples,
}

/// Clauses that hold, and the literals of the slots.
#[derive(Clone, Copy)]
pub struct Premise<'a> {
    pub domain: &'a Domain,
    pub known: &'a Known,
    pub lits: &'a [Lit],
}

impl Premise<'_> {
    fn assert(&self, aig: &Aig, solver: &mut CircuitSolver) {
        let mut units = FixedBitSet::with_capacity(2 * self.lits.len());
        for c in self.known.clauses.ones() {
            let clause = self.domain.clause(c);
            if let [l] = *clause {
                units.insert(l as usize);
            } else if clause.iter().any(|&l| units.contains(l as usize)) {
                continue; // units come first
            }
            solver.assert_clause(aig, None, clause.iter().map(|&l| slot_lit(self.lits, l)));
        }
    }

    /// Whether a slot is known to have this value.
    pub fn is_fixed(&self, l: SlotLit) -> bool {
        self.domain.unit(l).is_some_and(|c| self.known.clauses.contains(c))
    }
}

/// The states from which a step starts: of the caller before a call, and of the callee at its exit,
/// if it is a return.
pub struct Premises<'a> {
    pub aig: &'a Aig,
    pub meanings: &'a [Meaning],
    pub before: Premise<'a>,
    pub returned: Option<Premise<'a>>,
    /// The slot of the second premise that has the same value, for each slot of the first one.
    inner: Vec<Option<u32>>,
}

impl<'a> Premises<'a> {
    pub fn new(
        aig: &'a Aig,
        meanings: &'a [Meaning],
        before: Premise<'a>,
        returned: Option<Premise<'a>>,
    ) -> Self {
        let mut new = Self { aig, meanings, before, returned, inner: vec![] };
        if let Some(returned) = &returned {
            let mut inner = vec![None; before.lits.len()];
            for (s, &lit) in returned.lits.iter().enumerate() {
                if let Some(Meaning::Slot(outer)) = new.meaning(lit) {
                    inner[outer as usize] = Some(s as u32);
                }
            }
            new.inner = inner;
        }
        new
    }

    pub fn all(&self) -> impl Iterator<Item = &Premise<'a>> {
        std::iter::once(&self.before).chain(&self.returned)
    }

    /// The premise with this number.
    pub fn get(&self, k: usize) -> Option<&Premise<'a>> {
        if k == 0 { Some(&self.before) } else { self.returned.as_ref() }
    }

    /// The meaning of an input; `None` for a gate.
    pub fn meaning(&self, lit: Lit) -> Option<Meaning> {
        self.aig.as_input(lit).map(|i| self.meanings[i.0 as usize])
    }

    /// The slots that an input is the value of: of the first, and of the second premise.
    pub fn slots(&self, meaning: Meaning) -> [Option<u32>; 2] {
        match meaning {
            Meaning::Slot(s) => [Some(s), self.inner.get(s as usize).copied().flatten()],
            Meaning::Returned(s) => [None, Some(s)],
            Meaning::Choice => [None, None],
        }
    }

    pub fn assert(&self, solver: &mut CircuitSolver) {
        self.all().for_each(|premise| premise.assert(self.aig, solver));
    }

    /// Whether a state is known of each node where the step starts.
    pub fn have_samples(&self) -> bool {
        self.all().all(|premise| premise.known.samples.valid != 0)
    }

    /// Whether one of these literals holds because one clause says so: a literal alone, two of
    /// them, or all.
    pub fn imply(&self, lits: &[Lit]) -> bool {
        self.all().enumerate().any(|(k, premise)| {
            let slot_lit = |&lit: &Lit| {
                let slot = self.slots(self.meaning(lit)?)[k]?;
                Some(2 * slot + u32::from(lit.is_negated()))
            };
            let mut mine: Vec<SlotLit> = lits.iter().filter_map(slot_lit).collect();
            mine.sort_unstable();
            let holds = |clause: &[SlotLit]| {
                let id = premise.domain.find(clause);
                id.is_some_and(|id| premise.known.clauses.contains(id))
            };
            let rest = |i: usize| &mine[i + 1..];
            mine.iter().any(|&l| premise.is_fixed(l))
                || mine.iter().enumerate().any(|(i, &a)| rest(i).iter().any(|&b| holds(&[a, b])))
                || (mine.len() > 2 && holds(&mine))
        })
    }
}

/// A literal over slots, as a formula.
pub fn slot_lit(lits: &[Lit], l: SlotLit) -> Lit {
    lits[(l / 2) as usize].xor_sign(l % 2 == 1)
}
