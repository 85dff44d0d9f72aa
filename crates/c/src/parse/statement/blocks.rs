//! The blocks of a function's body, and which of its locations and variables are in which.
//!
//! Where lifetimes are checked, a variable whose address is taken ends on each edge that leaves its block, and an array of
//! variable length on each that leaves the part of the block behind its declaration (C11, 6.2.4, 6 and 7).

use std::collections::{BTreeMap, HashMap};

use crate::edit::Edges;
use crate::flow::{
    Base, Edge, Expr, ExprKind, FunctionId, HavocKind, Instruction, LocationId, Place, Variable,
    VariableId, VariableKind,
};
use crate::types::{Type, Types};
use hardbop_base::source::Span;

/// A block, by its number in the order in which they begin; the body's is the first.  What follows the declaration of an
/// array of variable length is one, too.
type Block = usize;

/// A variable with the attribute, and the call that it asks for.
#[derive(Debug, Clone)]
pub(super) struct Cleanup {
    pub function: FunctionId,
    pub argument: Expr,
    /// The place of the attribute.
    pub span: Span,
}

/// The blocks so far.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// The block around each; the body's own is around it.
    around: Vec<Block>,
    now: Block,
    /// The blocks of locations, each from a number on up to the next.
    from: BTreeMap<u32, Block>,
    /// Those of locations that were made elsewhere: of labels, and where a block ends.
    placed: HashMap<LocationId, Block>,
    /// Those of variables.  A number is used again where what had it was only evaluated for its type.
    variables: BTreeMap<VariableId, Block>,
    /// Those that begin behind declarations of arrays of variable length, with the pointers to these.
    arrays: BTreeMap<Block, VariableId>,
    /// Those that begin behind declarations of variables that are cleaned up.
    cleanups: BTreeMap<Block, Cleanup>,
}

impl Blocks {
    pub fn new() -> Self {
        Self {
            around: vec![0],
            now: 0,
            from: BTreeMap::from([(0, 0)]),
            placed: HashMap::new(),
            variables: BTreeMap::new(),
            arrays: BTreeMap::new(),
            cleanups: BTreeMap::new(),
        }
    }

    /// A block begins; the next location will have the number `next`.
    pub fn enter(&mut self, next: u32) {
        self.around.push(self.now);
        self.now = self.around.len() - 1;
        self.from.insert(next, self.now);
    }

    /// An array of variable length, to which a variable points, was declared.
    pub fn enter_array(&mut self, pointer: VariableId, next: u32) {
        self.enter(next);
        self.arrays.insert(self.now, pointer);
    }

    /// A variable was declared that is cleaned up.
    pub(super) fn enter_cleanup(&mut self, cleanup: Cleanup, next: u32) {
        self.enter(next);
        self.cleanups.insert(self.now, cleanup);
    }

    /// Whether a variable is cleaned up.
    pub(super) fn has_cleanups(&self) -> bool {
        !self.cleanups.is_empty()
    }

    /// What is cleaned up on an edge from a location to another one, or out of the function: the last one that was declared first.
    pub(super) fn left(
        &self,
        from: LocationId,
        to: Option<LocationId>,
    ) -> impl Iterator<Item = &Cleanup> {
        let (from, to) = (self.of(from), to.map(|to| self.of(to)));
        self.cleanups.iter().rev().filter_map(move |(&block, cleanup)| {
            let stays = to.is_some_and(|to| self.is_in(to, block));
            (self.is_in(from, block) && !stays).then_some(cleanup)
        })
    }

    /// A location is in the block of another one.
    pub(super) fn place_as(&mut self, location: LocationId, other: LocationId) {
        self.placed.insert(location, self.of(other));
    }

    /// The innermost block of statements.
    fn statements(&self) -> Block {
        let mut block = self.now;
        while self.arrays.contains_key(&block) || self.cleanups.contains_key(&block) {
            block = self.around[block];
        }
        block
    }

    /// The innermost block of statements ends in front of `here`.
    pub fn leave(&mut self, next: u32, here: LocationId) {
        self.now = self.around[self.statements()];
        self.from.insert(next, self.now);
        self.place(here);
    }

    /// A location is in the present block, wherever it was made.
    pub fn place(&mut self, location: LocationId) {
        self.placed.insert(location, self.now);
    }

    /// A variable belongs to the present block.
    pub fn declare(&mut self, variable: VariableId) {
        self.variables.insert(variable, self.statements());
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
    /// this is not known.  A jump `resumes` the execution behind some edges (C11, 7.13.2.1): what is not live there has ended.
    pub fn end_variables(
        &self,
        (variables, types): (&[Variable], &Types),
        is_computed: bool,
        resumes: impl Fn(&Edge) -> bool,
        code: &mut Edges,
    ) {
        let named = self
            .variables
            .iter()
            .filter(|&(v, &block)| block > 0 && variables[v.0 as usize].kind == VariableKind::Local)
            .filter(|&(&v, _)| code.edges.iter().any(|edge| takes_address(edge, v)))
            .map(|(&v, &block)| (block, Place::of(v, variables[v.0 as usize].ty, Span::default())));
        let arrays = self.arrays.iter().filter_map(|(&block, &v)| {
            let ty = variables[v.0 as usize].ty;
            let Type::Pointer(element) = *types.get(ty) else { return None };
            let pointer = Place::of(v, ty, Span::default()).load();
            let base = Base::Pointer(Box::new(pointer));
            Some((block, Place { base, path: vec![], ty: element, span: Span::default() }))
        });
        let mortal: Vec<(Block, Place)> = named.chain(arrays).collect();
        if let Some(first) = code.edges.first_mut().filter(|_| is_computed && !mortal.is_empty()) {
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
            let is_resumed = resumes(&code.edges[at]);
            let mut last = at;
            for (block, place) in &mortal {
                let is_left = self.is_in(from, *block) && !self.is_in(to, *block);
                if !is_left && (!is_resumed || self.is_in(from, *block)) {
                    continue;
                }
                if is_resumed && self.arrays.contains_key(block) {
                    // The pointer to it may have no value.
                    let what = "the ends of arrays of variable length in a function with 'setjmp'";
                    code.edges[at].instruction = Instruction::Unsupported(what.to_owned());
                    break;
                }
                let place = Place { span, ..place.clone() };
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
