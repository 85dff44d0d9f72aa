//! Bodies for functions of the C library that read and write texts, where the lowering follows them character by
//! character: what `library.c` says.  The interpreter has its own; the two have nothing in common.

use crate::flow::{Edge, Flow, FunctionId, Instruction, VariableId};
use crate::library;
use crate::parse::{Elsewhere, ParseOptions, Parsed, Thing, Unit, on_large_stack};
use crate::rewrite::{Numbers, renumbered};
use crate::types::DataModel;

const TEXT: &str = include_str!("library.c");

/// Functions that have a body here.
const NAMES: [&str; 9] =
    ["strlen", "strcmp", "strncmp", "memcmp", "strchr", "strcpy", "strncpy", "strcat", "strncat"];

/// Whether the function is one that can have a body from here, by this name or another.
#[must_use]
pub(crate) fn has_body(flow: &Flow, function: FunctionId) -> bool {
    name(flow, function).is_some()
}

fn name(flow: &Flow, function: FunctionId) -> Option<&'static str> {
    let function = &flow.functions[function.0 as usize];
    let known = library::find(&function.name).filter(|_| function.body.is_none())?;
    NAMES.into_iter().find(|name| *name == known.name)
}

/// The program with bodies for these functions; those that it declares in another way than C does get none.
///
/// Numbers of functions and variables stay as they are; new ones follow.  The new edges have the place of the
/// function's declaration.
#[must_use]
pub(crate) fn with_bodies(flow: &Flow, functions: &[FunctionId]) -> Flow {
    let mut out = flow.clone();
    let Some(unit) = unit(flow.types.model) else { return out };
    // The text has no structs.
    let types = renumbered(&unit.types, &mut out.types, |id| id);
    for &id in functions {
        let Some(name) = name(flow, id) else { continue };
        let of_name = unit.names.iter().find_map(|(other, thing, _)| match thing {
            Thing::Function(id) if other == name => Some(&unit.functions[id.0 as usize]),
            _ => None,
        });
        let Some(model) = of_name else { continue };
        let calls = |e: &Edge| matches!(e.instruction, Instruction::Call { .. });
        let body = model.body.clone().filter(|body| !body.edges.iter().any(calls));
        let Some(mut body) = body else { continue };
        let own = &mut out.functions[id.0 as usize];
        if types[model.ty.0 as usize] != own.ty {
            continue;
        }
        let span = own.span;
        let mut variables = vec![None; unit.variables.len()];
        for (old, variable) in unit.variables.iter().enumerate() {
            let of_model = |f: FunctionId| unit.functions[f.0 as usize].name == model.name;
            if variable.function.is_some_and(of_model) {
                variables[old] = Some(VariableId(out.variables.len() as u32));
                let mut variable = variable.clone();
                variable.ty = types[variable.ty.0 as usize];
                (variable.function, variable.span) = (Some(id), span);
                out.variables.push(variable);
            }
        }
        let (types, span) = (types.clone(), Some(span));
        let numbers = Numbers { types, variables, span, ..Numbers::default() };
        numbers.body(&mut body);
        body.loops.clear();
        own.parameters = model.parameters.iter().map(|&v| numbers.variable(v)).collect();
        own.result = model.result.map(|v| numbers.variable(v));
        own.body = Some(body);
    }
    out
}

/// The text, read.
fn unit(model: DataModel) -> Option<Unit> {
    let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
    let size = match model {
        DataModel::Lp64 => "unsigned long",
        DataModel::Ilp32 => "unsigned",
    };
    let text = TEXT.replace("hardbop_size", size);
    let read = || {
        let file = Parsed::read(&text, 0, &text, &options).ok()?;
        file.unit(&options, &Elsewhere::default(), model).ok()
    };
    on_large_stack(read).ok()?
}
