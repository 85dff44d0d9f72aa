//! Which local variables of a function still matter where: those that may be read before they are written as a whole.

use crate::flow::{Base, Body, ExprKind, HavocKind, Instruction, Place, VariableId};

/// Functions of more locations times variables than this count as ones where all matter.
const MOST_BITS: usize = 1 << 25;

/// The live variables of a function (Aho, Sethi, Ullman 1986, 10.6), by their number within it.
#[derive(Debug)]
pub(super) struct Live {
    /// For each location the variables, as sets of so many words; empty if all are live.
    sets: Vec<u64>,
    words: usize,
    /// Whether several edges lead to a location.
    joins: Vec<bool>,
}

/// What an edge does with variables.
#[derive(Debug, Default)]
struct Uses {
    read: Vec<usize>,
    /// The one that it writes as a whole.
    written: Option<usize>,
}

impl Live {
    /// All variables.
    pub(super) fn all(body: &Body) -> Self {
        let mut entering = vec![0_u32; body.locations as usize];
        for edge in &body.edges {
            entering[edge.target.0 as usize] += 1;
        }
        let joins = entering.iter().map(|&count| count > 1).collect();
        Self { sets: vec![], words: 0, joins }
    }

    /// Those of a function with so many variables; `slot` gives their numbers, and the function's result is read at its exit.
    pub(super) fn of(
        body: &Body,
        result: Option<VariableId>,
        width: usize,
        slot: impl Fn(VariableId) -> Option<usize>,
    ) -> Self {
        let all = Self::all(body);
        let locations = body.locations as usize;
        let words = width.div_ceil(64);
        if words * 64 * locations > MOST_BITS {
            return all;
        }
        let mut sets = vec![0_u64; words * locations];
        let mut add = |at: usize, slot: usize| sets[at * words + slot / 64] |= 1 << (slot % 64);
        let mut uses = Vec::with_capacity(body.edges.len());
        for edge in &body.edges {
            let (found, addressed) = uses_of(&edge.instruction, &slot);
            // Who has its address may read it at any time.
            for slot in addressed {
                (0..locations).for_each(|at| add(at, slot));
            }
            uses.push(found);
        }
        if let Some(slot) = result.and_then(&slot) {
            add(body.exit.0 as usize, slot);
        }
        let mut changes = true;
        while changes {
            changes = false;
            for (edge, uses) in body.edges.iter().zip(&uses).rev() {
                let (from, to) = (edge.source.0 as usize * words, edge.target.0 as usize * words);
                for word in 0..words {
                    let is_here = |slot: &&usize| **slot / 64 == word;
                    let bits = |slot: &usize| 1_u64 << (slot % 64);
                    let written = uses.written.iter().filter(is_here).map(bits).sum::<u64>();
                    let read = uses.read.iter().filter(is_here).fold(0, |all, s| all | bits(s));
                    let before = sets[from + word];
                    sets[from + word] |= read | sets[to + word] & !written;
                    changes |= sets[from + word] != before;
                }
            }
        }
        Self { sets, words, ..all }
    }

    /// Whether the variable of this number matters at a location.
    pub(super) fn is_live(&self, location: u32, slot: usize) -> bool {
        let set = self.sets.get(location as usize * self.words + slot / 64);
        set.is_none_or(|set| set >> (slot % 64) & 1 != 0)
    }

    /// Whether several edges lead to a location.
    pub(super) fn is_join(&self, location: u32) -> bool {
        self.joins.get(location as usize).copied().unwrap_or_default()
    }
}

/// What an instruction does with variables, and those whose addresses it takes.
fn uses_of(
    instruction: &Instruction,
    slot: &impl Fn(VariableId) -> Option<usize>,
) -> (Uses, Vec<usize>) {
    let of = |place: &Place| match place.base {
        Base::Variable(variable) => slot(variable),
        Base::Pointer(_) | Base::String(_) => None,
    };
    let (mut uses, mut addressed) = (Uses::default(), vec![]);
    let read_again = match instruction {
        Instruction::Havoc(_, HavocKind::Volatile(place)) => Some(&**place),
        _ => None,
    };
    let further = read_again.into_iter().flat_map(Place::operands).flat_map(|e| e.parts());
    for part in instruction.parts().chain(further) {
        match &part.kind {
            ExprKind::Load(place) => uses.read.extend(of(place)),
            ExprKind::AddressOf(place) => addressed.extend(of(place)),
            _ => {}
        }
    }
    uses.read.extend(read_again.and_then(of));
    uses.written = match instruction {
        Instruction::Assign(place, _) | Instruction::Havoc(place, _) if place.path.is_empty() => {
            of(place)
        }
        _ => None,
    };
    (uses, addressed)
}
