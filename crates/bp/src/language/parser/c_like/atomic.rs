//! Blocks `atomic { .. }`: which statements are in one, and whether one can begin within another.

use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::{Kind, Procedure, Statement, Tree};
use hardbop_base::source::Span;

/// For each statement the outermost `atomic` block that it is in: the index of its beginning.
pub(super) fn contexts(body: &[Statement]) -> Vec<Option<usize>> {
    let (mut open, mut context) = (Vec::new(), None);
    let mut contexts = Vec::with_capacity(body.len());
    for (index, statement) in body.iter().enumerate() {
        contexts.push(context);
        match statement.kind {
            Kind::Open => open.push(context),
            Kind::OpenAtomic => {
                open.push(context);
                context = context.or(Some(index));
            }
            // The end of a block belongs to it.
            Kind::Close => context = open.pop().unwrap_or(None),
            _ => {}
        }
    }
    contexts
}

/// Whether a procedure with such a block may be called from one.
pub(super) fn may_nest(tree: &Tree) -> bool {
    let has_block = |p: &Procedure| p.body.iter().any(|s| matches!(s.kind, Kind::OpenAtomic));
    let mut callees: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    let (mut work, mut seen) = (Vec::new(), FxHashSet::default());
    let mut with_block = FxHashSet::default();
    for procedure in tree.procedures() {
        let name = procedure.name.text.as_str();
        if has_block(procedure) {
            with_block.insert(name);
        }
        for (statement, context) in procedure.body.iter().zip(contexts(&procedure.body)) {
            let Some(callee) = statement.kind.called() else { continue };
            callees.entry(name).or_default().push(callee);
            if context.is_some() && seen.insert(callee) {
                work.push(callee);
            }
        }
    }
    while let Some(name) = work.pop() {
        if with_block.contains(name) {
            return true;
        }
        for callee in callees.get(name).into_iter().flatten() {
            if seen.insert(callee) {
                work.push(callee);
            }
        }
    }
    false
}

/// The first `atomic_begin` of a text that has such blocks, too.
pub(super) fn mixed(tree: &Tree) -> Option<Span> {
    let all = || tree.procedures().flat_map(|p| &p.body);
    let has_blocks = all().any(|s| matches!(s.kind, Kind::OpenAtomic));
    let other = all().find(|s| matches!(s.kind, Kind::AtomicBegin | Kind::AtomicEnd))?;
    has_blocks.then_some(other.span)
}
