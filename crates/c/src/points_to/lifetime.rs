//! Local objects whose addresses may be kept longer than the objects live.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::analysis::PointsTo;
use crate::flow::{
    Base, ExprKind, FunctionId, HavocKind, Instruction, Place, Variable, VariableId, VariableKind,
};
use crate::library::find;
use crate::memory::{ObjectId, ObjectKind};

/// The number of blocks around the variables of a function's own block: the file and that block.
const BODY: u32 = 2;

/// By function: what it calls, at once or by way of others.
type Below = FxHashMap<FunctionId, FxHashSet<FunctionId>>;

impl PointsTo<'_> {
    /// The local variables, and blocks of `alloca`, that something may point to which lives longer:
    /// an object of another function, unless that is called by the object's own; of a block further
    /// out; or of all functions.  Whoever follows such a pointer may access an object that has ended.
    pub fn outliving(&self) -> FxHashSet<ObjectId> {
        let mut holders: BTreeMap<ObjectId, Vec<ObjectId>> = BTreeMap::new();
        for (holder, target) in self.solver.held() {
            holders.entry(target).or_default().push(holder);
        }
        let mut below = Below::default();
        let arrays = self.arrays();
        let ends = |(target, holders): (ObjectId, Vec<ObjectId>)| {
            let (owner, depth) = self.life(target, &holders)?;
            let longer = |&holder: &ObjectId| {
                // A jump back in front of its declaration ends an array, but not what is declared next to it.
                let own = arrays.get(&target);
                let beside = own.is_some_and(|own| self.is_beside(holder, own, depth));
                beside || self.outlives(holder, owner, depth, &mut below)
            };
            holders.iter().any(longer).then_some(target)
        };
        holders.into_iter().filter_map(ends).collect()
    }

    /// Whether a global variable, with `calls` also a local one, or something outside of the program may hold the address of
    /// a block of the heap.
    pub fn keeps_blocks(&self, calls: bool) -> bool {
        self.solver.held().into_iter().any(|(holder, target)| {
            let keeps = match self.objects().get(holder).kind {
                ObjectKind::Variable(v) => {
                    calls || self.flow.variables[v.0 as usize].function.is_none()
                }
                ObjectKind::Unknown => true,
                ObjectKind::Allocation(function, edge) => calls && !self.is_of_heap(function, edge),
                _ => false,
            };
            let is_block = match self.objects().get(target).kind {
                ObjectKind::Allocation(f, e) | ObjectKind::Round(f, e, _) => self.is_of_heap(f, e),
                _ => false,
            };
            is_block && (keeps || self.has_escaped(target))
        })
    }

    /// Whether the call on an edge allocates blocks of the heap, which the program may free: not those that the library keeps.
    pub fn is_of_heap(&self, function: FunctionId, edge: u32) -> bool {
        if self.flow.keeps_blocks(function) {
            return false;
        }
        let Some(targets) = self.targets.get(&(function, edge)) else { return false };
        let name = |f: &FunctionId| self.flow.functions[f.0 as usize].name.as_str();
        targets.functions.iter().filter_map(|f| find(name(f))).any(|known| known.makes_block())
    }

    /// The function with which an object ends, and the number of blocks around it.  A block of
    /// `alloca` may be an array of variable length, and end with the block of the innermost variable
    /// that points to it.
    fn life(&self, object: ObjectId, holders: &[ObjectId]) -> Option<(FunctionId, u32)> {
        match self.objects().get(object).kind {
            ObjectKind::Variable(variable) => {
                let local = &self.flow.variables[variable.0 as usize];
                Some((local.function?, local.depth))
            }
            ObjectKind::Allocation(function, edge) => {
                let targets = self.targets.get(&(function, edge))?;
                let name = |f: &FunctionId| self.flow.functions[f.0 as usize].name.as_str();
                let mut rows = targets.functions.iter().filter_map(|f| find(name(f)));
                rows.any(|row| row.makes_local_block()).then_some(())?;
                let own = holders.iter().filter_map(|&h| self.as_variable(h));
                let own = own.filter(|v| v.function == Some(function) && is_named(v));
                Some((function, own.map(|v| v.depth).max().unwrap_or(0)))
            }
            _ => None,
        }
    }

    fn as_variable(&self, object: ObjectId) -> Option<&Variable> {
        match self.objects().get(object).kind {
            ObjectKind::Variable(variable) => Some(&self.flow.variables[variable.0 as usize]),
            _ => None,
        }
    }

    /// Whether an object may live longer than one of `owner` with `depth` blocks around it, whose
    /// address it holds.
    fn outlives(&self, holder: ObjectId, owner: FunctionId, depth: u32, below: &mut Below) -> bool {
        let mut calls = |from: FunctionId, to: FunctionId| {
            below.entry(from).or_insert_with(|| self.below(from)).contains(&to)
        };
        let variable = self.as_variable(holder);
        match variable.and_then(|v| Some((v, v.function?))) {
            Some((variable, function)) if function == owner => {
                // A recursive function may give its callee the address, but not get it from there.
                let given = variable.kind == VariableKind::Parameter;
                is_named(variable) && (variable.depth < depth || !given && calls(owner, owner))
            }
            Some((_, function)) => !calls(owner, function) || calls(function, owner),
            // Nothing is executed after the function that starts, but what is given to 'atexit'.
            None => {
                let is_last = owner == self.flow.main && !self.main_ends_first();
                !is_last || depth > BODY || calls(owner, owner)
            }
        }
    }

    /// The arrays of variable length that end somewhere, with the variables that point to them alone.
    fn arrays(&self) -> FxHashMap<ObjectId, FxHashSet<VariableId>> {
        let mut found: FxHashMap<ObjectId, FxHashSet<VariableId>> = FxHashMap::default();
        let mut pointers = FxHashSet::default();
        for edge in
            self.flow.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges)
        {
            if let Instruction::Havoc(place, HavocKind::Ended) = &edge.instruction
                && let Base::Pointer(pointer) = &place.base
                && let ExprKind::Load(Place { base: Base::Variable(v), .. }) = pointer.kind
            {
                pointers.insert(v);
            }
        }
        for (holder, target) in self.solver.held() {
            let ObjectKind::Variable(v) = self.objects().get(holder).kind else { continue };
            if pointers.contains(&v) {
                found.entry(target).or_default().insert(v);
            }
        }
        found
    }

    /// Whether a variable that is declared in the same block as an array, or further out, holds its address.
    fn is_beside(&self, holder: ObjectId, own: &FxHashSet<VariableId>, depth: u32) -> bool {
        let ObjectKind::Variable(v) = self.objects().get(holder).kind else { return false };
        let variable = &self.flow.variables[v.0 as usize];
        is_named(variable) && variable.depth <= depth && !own.contains(&v)
    }

    /// Whether variables of the function that starts end while something is still executed.
    fn main_ends_first(&self) -> bool {
        let body = self.flow.functions[self.flow.main.0 as usize].body.iter();
        body.flat_map(|body| &body.edges).any(|edge| match &edge.instruction {
            Instruction::Havoc(Place { base: Base::Variable(v), .. }, HavocKind::Ended) => {
                self.flow.variables[v.0 as usize].depth <= BODY
            }
            _ => false,
        })
    }

    /// The functions that are called by a function, or by one of these.
    fn below(&self, function: FunctionId) -> FxHashSet<FunctionId> {
        let mut seen = FxHashSet::default();
        let mut work = vec![function];
        while let Some(from) = work.pop() {
            let edges = self.body(from).map_or(0, |body| body.edges.len() as u32);
            let targets = (0..edges).filter_map(|edge| self.targets.get(&(from, edge)));
            for &to in targets.flat_map(|t| &t.functions) {
                if seen.insert(to) {
                    work.push(to);
                }
            }
        }
        seen
    }
}

/// Whether the text declares it; temporaries are used where they are made.
fn is_named(variable: &Variable) -> bool {
    variable.kind != VariableKind::Temporary
}
