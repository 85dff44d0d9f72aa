//! Variables of the library that its functions change, where a program declares them and does not define them.

use crate::flow::{Base, Expr, Flow, Instruction, Variable, VariableKind};

/// Those of `errno.h`, `time.h`, `math.h` and `netdb.h`.
const CHANGED: [&str; 6] = ["errno", "timezone", "daylight", "tzname", "signgam", "h_errno"];

/// Leaves undecided what depends on them.
pub(super) fn refused(mut flow: Flow) -> Flow {
    let is_one =
        |v: &Variable| v.kind == VariableKind::External && CHANGED.contains(&v.name.as_str());
    let variables = std::mem::take(&mut flow.variables);
    let found = |part: &Expr| match part.place()?.base {
        Base::Variable(v) => Some(&variables[v.0 as usize]).filter(|v| is_one(v)),
        Base::Pointer(_) | Base::String(_) => None,
    };
    for body in flow.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for edge in &mut body.edges {
            let name = edge.instruction.parts().find_map(found).map(|v| v.name.clone());
            if let Some(name) = name {
                let what = format!("'{name}' as a variable, of which calls may change the value");
                edge.instruction = Instruction::Unsupported(what);
            }
        }
    }
    flow.variables = variables;
    flow
}
