//! Local variables whose addresses may be kept longer than the variables live.

use rustc_hash::{FxHashMap, FxHashSet};

use super::analysis::PointsTo;
use crate::program::c::flow::{FunctionId, Variable, VariableKind};
use crate::program::c::memory::{ObjectId, ObjectKind};

impl PointsTo<'_> {
    /// The local variables that something may point to which lives longer: an object of another
    /// function, unless that is called by the variable's own; of a block further out; or of all
    /// functions.  Whoever follows such a pointer may access an object that has ended.
    pub fn outliving(&self) -> FxHashSet<ObjectId> {
        let mut below = FxHashMap::default();
        let mut found = FxHashSet::default();
        for (holder, target) in self.solver.held() {
            let ObjectKind::Variable(variable) = self.objects().get(target).kind else { continue };
            let local = &self.flow.variables[variable.0 as usize];
            if !found.contains(&target)
                && let Some(owner) = local.function
                && self.keeps(holder, (owner, local), &mut below)
            {
                found.insert(target);
            }
        }
        found
    }

    /// Whether an object that holds the address of a local variable may live longer than it.
    fn keeps(
        &self,
        holder: ObjectId,
        (owner, local): (FunctionId, &Variable),
        below: &mut FxHashMap<FunctionId, FxHashSet<FunctionId>>,
    ) -> bool {
        let mut calls = |from: FunctionId, to: FunctionId| {
            below.entry(from).or_insert_with(|| self.below(from)).contains(&to)
        };
        let holder = match self.objects().get(holder).kind {
            ObjectKind::Variable(holder) => &self.flow.variables[holder.0 as usize],
            // Nothing is executed after the function that starts.
            _ => return owner != self.flow.main || calls(owner, owner),
        };
        match holder.function {
            Some(function) if function == owner => match holder.kind {
                VariableKind::Temporary => false,
                VariableKind::Parameter => holder.depth < local.depth && !calls(owner, owner),
                _ => holder.depth < local.depth || calls(owner, owner),
            },
            Some(function) => !calls(owner, function) || calls(function, owner),
            None => owner != self.flow.main || calls(owner, owner),
        }
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
