//! Which calls of library functions are followed character by character.

use crate::flow::{Callee, Flow, Instruction};
use crate::limits;
use crate::link::{has_body, with_bodies};
use crate::memory::ObjectKind;
use crate::points_to::PointsTo;
use hardbop_base::errors::Check;

/// The program with bodies for the functions on texts whose arguments are small objects wherever they are called; `None`
/// if there are none.
///
/// Where accesses are checked, those of the library are checked at its calls, and its bodies have no checks.
pub(in crate::lower) fn with_texts(
    flow: &Flow,
    points_to: &mut PointsTo<'_>,
    limits: limits::Memory,
) -> Option<Flow> {
    if flow.checked.has(Check::Bounds) || limits.texts == 0 {
        return None;
    }
    let (mut small, mut large) = (vec![], vec![]);
    for caller in points_to.reached() {
        let Some(body) = &flow.functions[caller.0 as usize].body else { continue };
        for edge in &body.edges {
            let Instruction::Call { callee: Callee::Function(callee), arguments, .. } =
                &edge.instruction
            else {
                continue;
            };
            if !has_body(flow, *callee) || large.contains(callee) {
                continue;
            }
            let mut pointers = arguments.iter().filter(|a| flow.types.is_pointer(a.ty));
            let is_small = pointers.all(|pointer| {
                let addresses = points_to.addresses(pointer);
                !addresses.is_empty()
                    && addresses.iter().all(|address| {
                        let object = points_to.objects().get(address.object);
                        let layout = &object.layout;
                        !matches!(object.kind, ObjectKind::Unknown | ObjectKind::Function(_))
                            && object.size.is_some_and(|size| size <= limits.texts)
                            && !layout.items().is_empty()
                            && layout.items().iter().all(|item| !item.folded)
                    })
            });
            if is_small { small.push(*callee) } else { large.push(*callee) }
        }
    }
    small.sort_unstable();
    small.dedup();
    small.retain(|id| !large.contains(id));
    (!small.is_empty()).then(|| with_bodies(flow, &small))
}
