//! Which objects may end: blocks that a call may free, and local variables that pointers may outlive.

use rustc_hash::FxHashSet;

use crate::flow::{Base, ExprKind, Flow, FunctionId, Instruction, Place};
use crate::library::{Execution, find};
use crate::memory::{ObjectId, ObjectKind, Objects};
use crate::points_to::PointsTo;
use hardbop_base::errors::Check;

/// What is known of the objects that may end, where that is asked for.
#[derive(Debug, Default)]
pub(crate) struct Mortal {
    /// Those that some call may free; and what is unknown, if something of the program's that may end is among that.
    blocks: FxHashSet<ObjectId>,
    /// Local variables that pointers may outlive.
    pub locals: FxHashSet<ObjectId>,
    /// Those among them to which a pointer may be left from a former life, and blocks that are known outside of the program.
    pub unclear: FxHashSet<ObjectId>,
}

impl Mortal {
    /// What may end in a program; nothing if that is not asked for.
    pub fn new(
        flow: &Flow,
        points_to: &mut PointsTo<'_>,
        outliving: &FxHashSet<ObjectId>,
        runs_once: impl Fn(FunctionId, u32) -> bool,
    ) -> Self {
        let mut found = Self::default();
        if !tracks_lives(flow) {
            return found;
        }
        found.locals = outliving.clone();
        for function in points_to.reached() {
            let Some(body) = &flow.functions[function.0 as usize].body else { continue };
            for (i, edge) in (0..).zip(&body.edges) {
                for variable in named(flow, points_to, &edge.instruction) {
                    if outliving.contains(&variable) && !runs_once(function, i) {
                        found.unclear.insert(variable);
                    }
                }
                let Instruction::Call { arguments, .. } = &edge.instruction else { continue };
                let targets = points_to.targets(function, i).functions;
                let frees = targets.iter().any(|f| frees(flow, *f));
                if let Some(freed) = arguments.first().filter(|_| frees) {
                    found.blocks.extend(points_to.addresses(freed).iter().map(|a| a.object));
                }
            }
        }
        let all = points_to.objects().iter().map(|(o, _)| o);
        let escaped: Vec<ObjectId> = all.filter(|&o| points_to.has_escaped(o)).collect();
        let blocks = escaped.iter().copied().filter(|&o| is_block(points_to, o));
        found.blocks.extend(blocks.clone());
        found.unclear.extend(blocks);
        if escaped.into_iter().any(|object| found.has(object)) {
            found.blocks.insert(Objects::UNKNOWN);
        }
        found
    }

    pub fn has(&self, object: ObjectId) -> bool {
        self.blocks.contains(&object) || self.locals.contains(&object)
    }
}

/// Whether it is asked what has ended.
pub(crate) fn tracks_lives(flow: &Flow) -> bool {
    flow.checked.has(Check::Free) || flow.checked.has(Check::Lifetime)
}

/// Whether a call of the function ends the block that its first argument points to.
fn frees(flow: &Flow, function: FunctionId) -> bool {
    let function = &flow.functions[function.0 as usize];
    let known = find(&function.name).filter(|_| function.body.is_none());
    known
        .and_then(|known| known.model())
        .is_some_and(|model| matches!(model.execution, Execution::Free | Execution::Reallocate))
}

/// The variables whose addresses an instruction takes.
pub(crate) fn named(
    flow: &Flow,
    points_to: &PointsTo<'_>,
    instruction: &Instruction,
) -> Vec<ObjectId> {
    let parts = instruction.parts().filter_map(|part| match &part.kind {
        ExprKind::AddressOf(Place { base: Base::Variable(v), .. })
            if flow.variables[v.0 as usize].function.is_some() =>
        {
            Some(points_to.objects().variable(*v))
        }
        _ => None,
    });
    parts.collect()
}

/// Whether it stands for what a call allocates.
pub(crate) fn is_block(points_to: &PointsTo<'_>, object: ObjectId) -> bool {
    let kind = points_to.objects().get(object).kind;
    matches!(kind, ObjectKind::Allocation(..) | ObjectKind::Round(..))
}
