//! Memory whose contents come from outside: undefined variables, the targets of pointers from
//! outside, and blocks from `malloc`.

use std::fmt::Write as _;

use super::edit::Edits;
use super::larger::larger_name;
use super::library::is_of_heap;
use super::runtime::HEAP;
use super::text::Lexed;
use super::value::value;
use crate::execute::{Execution, Owner, Recorded};
use crate::flow::{Base, Expr, Flow, Place, VariableId, VariableKind};
use crate::library;
use crate::trace::InputKind;

/// Defines the objects from outside and the variables that are only declared.
///
/// They may contain pointers to each other, so they are filled when the program starts.
pub(super) fn at_start(
    flow: &Flow,
    execution: &Execution,
    out: &mut String,
    notes: &mut Vec<String>,
) {
    let mut names = Vec::new();
    let mut parts = Vec::new();
    for object in execution.inputs.iter().filter_map(|r| r.object) {
        let name = format!("hardbop_o_{}", object.number);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "static unsigned char {name}[{}] {ALIGNED};", object.size);
        let own = execution.inputs.iter().filter(|r| match r.input.kind {
            InputKind::Outside { object: number, .. } => number == object.number,
            _ => false,
        });
        parts.extend(own.flat_map(|r| parts_of(names.len() as u64, object.start * 8, r)));
        names.push(name);
    }
    for (index, variable) in flow.variables.iter().enumerate() {
        if variable.kind != VariableKind::External {
            continue;
        }
        let Some(size) = flow.types.size(variable.ty) else {
            // Another file defines it.
            if is_used(flow, VariableId(index as u32)) {
                notes.push(format!("'{}' has an incomplete type", variable.name));
            }
            continue;
        };
        let name = format!("hardbop_e_{index}");
        let used = execution
            .larger
            .iter()
            .filter(|l| l.owner == Owner::Variable(VariableId(index as u32)));
        let size = used.map(|l| room(l.size)).fold(size.max(1), u64::max);
        let linked = &variable.name;
        let bytes = format!("unsigned char {name}[{size}]");
        let _ = if library::VARIABLES.contains(&linked.as_str()) {
            writeln!(
                out,
                "#ifdef HARDBOP_FREESTANDING\n{bytes} __asm__(\"{linked}\") {ALIGNED};\n\
                 #else\nstatic {bytes} {ALIGNED};\n#endif"
            )
        } else {
            writeln!(out, "{bytes} __asm__(\"{linked}\") {ALIGNED};")
        };
        let own = execution.inputs.iter().filter(|r| match r.input.kind {
            InputKind::Uninitialised { variable, .. } => variable as usize == index,
            _ => false,
        });
        parts.extend(own.flat_map(|r| parts_of(names.len() as u64, 0, r)));
        names.push(name);
    }
    for larger in &execution.larger {
        let Owner::Variable(variable) = larger.owner else { continue };
        let declared = &flow.variables[variable.0 as usize];
        if declared.kind == VariableKind::Global {
            let own = execution.inputs.iter().filter(|r| {
                matches!(r.input.kind, InputKind::Uninitialised { variable: v, .. } if v == variable.0)
            });
            parts.extend(own.flat_map(|r| parts_of(names.len() as u64, 0, r)));
            names.push(larger_name(variable));
        }
    }
    let count = parts.len();
    // Without the C library, the start code calls this constructor.
    let _ = writeln!(
        out,
        "__attribute__((constructor)) static void hardbop_objects(void) {{
  static unsigned char *const objects[] = {{ {} }};
  static const struct hardbop_part parts[] = {{ {} }};
  unsigned i, k;
  hardbop_initial();
  for (i = k = 0; i < {}; i++) hardbop_fill(objects[i], parts, {count}, &k);
}}",
        list(&names, "0"),
        list(&parts, "{ 0 }"),
        names.len(),
    );
}

/// Whether the program's text refers to a variable.
fn is_used(flow: &Flow, variable: VariableId) -> bool {
    let is_it = |place: &Place| matches!(place.base, Base::Variable(v) if v == variable);
    let reads = |e: &Expr| e.parts().any(|part| part.place().is_some_and(is_it));
    let edges = flow.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges);
    let mut instructions = edges.map(|edge| &edge.instruction);
    instructions.any(|i| i.target().is_some_and(is_it) || i.operands().any(reads))
        || flow.initialisers.iter().any(|(_, value)| reads(value))
}

const ALIGNED: &str = "__attribute__((aligned(16)))";

/// Bytes for an object used as one of `size` bytes; its pointers may be wider than those of the program.
pub(super) fn room(size: u64) -> u64 {
    2 * size + 64
}

/// The parts of an initialiser; `none` if there are none, because it must not be empty.
fn list(parts: &[String], none: &str) -> String {
    if parts.is_empty() { none.to_owned() } else { parts.join(", ") }
}

/// Replaces `malloc` and the like, and returns true, if given contents, enlarged blocks or calls
/// that fail need it.
pub(super) fn heap(
    flow: &Flow,
    execution: &Execution,
    lexed: &Lexed<'_>,
    out: &mut String,
    edits: &mut Edits,
) -> bool {
    let parts: Vec<String> = (execution.inputs.iter())
        .filter(|r| matches!(r.input.kind, InputKind::Heap { block: Some(_), .. }))
        .flat_map(parts)
        .collect();
    let defined = |name: &str| flow.functions.iter().any(|f| f.name == name && f.body.is_some());
    let blocks = execution.larger.iter().filter(|l| matches!(l.owner, Owner::Block { .. }));
    let room = blocks.map(|l| room(l.size)).max();
    let failing: Vec<&str> = (execution.inputs.iter())
        .filter(|r| matches!(r.input.kind, InputKind::Fails { .. }))
        .map(|r| if r.input.value == 0 { "0" } else { "1" })
        .collect();
    if parts.is_empty() && room.is_none() && !failing.contains(&"1") {
        return false;
    }
    let _ = writeln!(
        out,
        "#define HARDBOP_ROOM {}\nstatic const struct hardbop_part hardbop_heap[] = {{ {} }};\n\
         static const unsigned char hardbop_failing[] = {{ {} }};\n{HEAP}",
        room.unwrap_or(0),
        list(&parts, "{ -1u }"),
        if failing.is_empty() { "0".to_owned() } else { failing.join(", ") }
    );
    for (index, word) in lexed.words() {
        let member = index.checked_sub(1).and_then(|i| lexed.token(i));
        if is_of_heap(word)
            && !defined(word)
            && !member.is_some_and(|t| t.is(b'.') || t.is(b'>'))
            && let Some(token) = lexed.token(index)
        {
            edits.replace(token.start, token.end, format!("hardbop_{word}"));
        }
    }
    true
}

/// The `struct hardbop_part` initialisers for a part of an object.
pub(super) fn parts(recorded: &Recorded) -> Vec<String> {
    let instance = match recorded.input.kind {
        InputKind::Uninitialised { instance, .. } => instance.unwrap_or(0),
        InputKind::Heap { block, .. } => block.unwrap_or(0),
        InputKind::Outside { object, .. } => object,
        _ => 0,
    };
    parts_of(instance, 0, recorded)
}

/// `start` is the bit of the object from which the recorded bits are counted.
fn parts_of(instance: u64, start: u64, recorded: &Recorded) -> Vec<String> {
    let bit = match recorded.input.kind {
        InputKind::Uninitialised { bit, .. } | InputKind::Heap { bit, .. } => bit,
        InputKind::Outside { bit, .. } => start.wrapping_add_signed(bit),
        _ => 0,
    };
    let (width, fresh) = (recorded.width, recorded.fresh);
    if fresh.count_ones() >= width {
        return vec![format!("{{ {instance}, {bit}, {width}, {} }}", value(recorded))];
    }
    // The others keep what they have.
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < width && fresh >> at != 0 {
        at += (fresh >> at).trailing_zeros();
        let bits = (fresh >> at).trailing_ones().min(width - at);
        let value = recorded.input.value >> at;
        parts.push(format!(
            "{{ {instance}, {}, {bits}, {{ {value:#x}ULL }} }}",
            bit + u64::from(at)
        ));
        at += bits;
        if at >= u64::BITS {
            break;
        }
    }
    parts
}
