//! The blocks of a function's body, and which of its locations and variables are in which.
//!
//! Where lifetimes are checked, a variable whose address is taken ends on each edge that leaves its block.

use std::collections::{BTreeMap, HashMap};

use crate::edit::Edges;
use crate::flow::{
    Base, Edge, ExprKind, HavocKind, Instruction, LocationId, Place, Variable, VariableId,
    VariableKind,
};

/// A block, by its number in the order in which they begin; the body's is the first.
type Block = usize;

/// The blocks so far.
#[derive(Debug)]
pub(super) struct Blocks {
    /// The block around each; the body's own is around it.
    around: Vec<Block>,
    now: Block,
    /// The blocks of locations, each from a number on up to the next.
    from: BTreeMap<u32, Block>,
    /// Those of locations that were made elsewhere: of labels, and where a block ends.
    placed: HashMap<LocationId, Block>,
    /// Those of variables.  A number is used again where what had it was only evaluated for its type.
    variables: BTreeMap<VariableId, Block>,
}

impl Blocks {
    pub fn new() -> Self {
        Self {
            around: vec![0],
            now: 0,
            from: BTreeMap::from([(0, 0)]),
            placed: HashMap::new(),
            variables: BTreeMap::new(),
        }
    }

    /// A block begins; the next location will have the number `next`.
    pub fn enter(&mut self, next: u32) {
        self.around.push(self.now);
        self.now = self.around.len() - 1;
        self.from.insert(next, self.now);
    }

    /// The innermost block ends in front of `here`.
    pub fn leave(&mut self, next: u32, here: LocationId) {
        self.now = self.around[self.now];
        self.from.insert(next, self.now);
        self.place(here);
    }

    /// A location is in the present block, wherever it was made.
    pub fn place(&mut self, location: LocationId) {
        self.placed.insert(location, self.now);
    }

    /// A variable belongs to the present block.
    pub fn declare(&mut self, variable: VariableId) {
        self.variables.insert(variable, self.now);
    }

    fn of(&self, location: LocationId) -> Block {
        let by_number = || self.from.range(..=location.0).next_back().map_or(0, |(_, &b)| b);
        self.placed.get(&location).copied().unwrap_or_else(by_number)
    }

    /// Whether a block is another one or in it.
    fn is_in(&self, mut block: Block, outer: Block) -> bool {
        // An inner block has the greater number.
        while block > outer {
            block = self.around[block];
        }
        block == outer
    }

    /// Lets the variables end whose blocks an edge leaves; with jumps to computed places, of which each leads to all labels,
    /// this is not known.
    pub fn end_variables(&self, variables: &[Variable], is_computed: bool, code: &mut Edges) {
        let named: Vec<(VariableId, Block)> = self
            .variables
            .iter()
            .map(|(&v, &block)| (v, block))
            .filter(|&(v, block)| block > 0 && variables[v.0 as usize].kind == VariableKind::Local)
            .filter(|&(v, _)| code.edges.iter().any(|edge| takes_address(edge, v)))
            .collect();
        if let Some(first) = code.edges.first_mut().filter(|_| is_computed && !named.is_empty()) {
            let what = "the ends of variables in a function with computed jumps";
            first.instruction = Instruction::Unsupported(what.to_owned());
            return;
        }
        for at in 0..code.edges.len() {
            let Edge { source, target, span, ref instruction } = code.edges[at];
            if matches!(
                instruction,
                Instruction::Return(_) | Instruction::Halt | Instruction::Error(_)
            ) {
                continue;
            }
            let (from, to) = (self.of(source), self.of(target));
            let mut last = at;
            for &(variable, block) in &named {
                if !self.is_in(from, block) || self.is_in(to, block) {
                    continue;
                }
                let place = Place::of(variable, variables[variable.0 as usize].ty, span);
                let middle = code.fresh();
                code.edges[last].target = middle;
                code.add(middle, target, Instruction::Havoc(place, HavocKind::Ended), span);
                last = code.edges.len() - 1;
            }
        }
    }
}

fn takes_address(edge: &Edge, variable: VariableId) -> bool {
    edge.instruction.parts().any(|part| {
        matches!(&part.kind, ExprKind::AddressOf(Place { base: Base::Variable(v), .. })
            if *v == variable)
    })
}
