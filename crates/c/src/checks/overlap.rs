//! Checks that functions of the library do not copy between objects that overlap (C11, 7.21.6.6, 7.24.2.1 and others).
//!
//! Where the number of bytes is an argument, all is known.  Of texts it is not: there, pointers into different objects are
//! fine, one pointer twice is not, and all else is left undecided.

use crate::edit::in_front;
use crate::flow::{BinaryOp, Callee, Edge, Expr, ExprKind, Flow, Instruction, UnaryOp, Violation};
use crate::library::{Execution, Kind, LibraryFunction, Writes, find};
use crate::types::TypeId;
use hardbop_base::errors::{Check, Checks, ErrorKind};
use hardbop_base::source::Span;

/// Functions that copy whatever overlaps, besides those that are modelled so.
const MOVING: [&str; 2] = ["wmemmove", "bcopy"];

/// Functions that copy a whole text to the start of a buffer, or behind the text there: at least one character.
const WHOLE: [&str; 6] = ["strcpy", "strcat", "stpcpy", "wcscpy", "wcscat", "wcpcpy"];

/// Whether a call of a function without a body is checked.
pub(super) fn is_checked(name: &str, known: &LibraryFunction, checks: Checks) -> bool {
    checks.has(Check::Overlap)
        && !MOVING.contains(&known.called(name))
        && known.model().is_some_and(|model| {
            model.effect.writes != Writes::Nothing
                && model.execution != Execution::Copy { overlapping: true }
        })
}

/// Puts the checks in front of all calls.
pub(super) fn insert(flow: &mut Flow) {
    in_front(flow, conditions);
}

/// The conditions under which a call is an error, or undecided.
fn conditions(flow: &mut Flow, edge: &Edge) -> Vec<(Expr, Instruction)> {
    let Instruction::Call { callee: Callee::Function(id), arguments, .. } = &edge.instruction
    else {
        return vec![];
    };
    let function = &flow.functions[id.0 as usize];
    let checks = flow.checked;
    let known = find(&function.name).filter(|known| is_checked(&function.name, known, checks));
    let Some(known) = known.filter(|_| function.body.is_none()) else { return vec![] };
    let Some(model) = known.model() else { return vec![] };
    let name = function.name.clone();
    let undecided = || Instruction::Unsupported(format!("whether the objects of '{name}' overlap"));
    let error = || Instruction::Error(Violation::Of(ErrorKind::Overlap));
    let word = flow.types.unsigned_word();
    let signed = flow.types.signed_word();
    let parts = Parts { int: flow.types.int(), word, signed, span: edge.span };
    if let (Writes::Copy { to, from, size }, Execution::Copy { .. }) =
        (model.effect.writes, model.execution)
    {
        let given = [to, from, size].map(|i| arguments.get(i).cloned());
        let [Some(to), Some(from), Some(size)] = given else { return vec![] };
        return vec![(parts.overlap(to, from, size), error())];
    }
    let is_pointer = |i: usize| arguments.get(i).is_some_and(|a| flow.types.is_pointer(a.ty));
    let parameters = known.prototype.parameters;
    let of_kinds = |kinds: &[Kind]| -> Vec<usize> {
        (0..parameters.len()).filter(|&i| kinds.contains(&parameters[i])).collect()
    };
    let written = match model.effect.writes {
        Writes::Nothing | Writes::Fill { .. } => vec![],
        Writes::Copy { to, .. } | Writes::Text { to } => vec![to],
        Writes::Anything { .. } => model.effect.written(parameters.len(), arguments.len()),
    };
    let mut read = of_kinds(&[Kind::Text, Kind::Format, Kind::Memory]);
    if known.prototype.format().is_some() {
        read.extend(parameters.len()..arguments.len());
    }
    let mut found = vec![];
    for &to in written.iter().filter(|&&i| is_pointer(i)) {
        for &from in read.iter().filter(|&&i| is_pointer(i) && !written.contains(&i)) {
            let (to, from) = (arguments[to].clone(), arguments[from].clone());
            if WHOLE.contains(&known.called(&name)) {
                let same = parts.binary(BinaryOp::Equal, to.clone(), from.clone().cast(to.ty));
                found.push((same, error()));
            }
            found.push((parts.together(to, from), undecided()));
        }
        if !of_kinds(&[Kind::Arguments]).is_empty() {
            let always = Expr::number(1, parts.int, parts.span);
            found.push((always, undecided()));
        }
    }
    found
}

/// What conditions are made of.
#[derive(Clone, Copy)]
struct Parts {
    int: TypeId,
    word: TypeId,
    signed: TypeId,
    span: Span,
}

impl Parts {
    fn binary(self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr { span: self.span, ..Expr::binary(op, left, right, self.int) }
    }

    /// Whether two pointers lead into one object.
    fn together(self, to: Expr, from: Expr) -> Expr {
        let apart = self.binary(BinaryOp::Apart, to, from);
        let kind = ExprKind::Unary(UnaryOp::Not, Box::new(apart));
        Expr { kind, ty: self.int, span: self.span }
    }

    /// Whether so many bytes from two pointers on overlap: one begins within the other.
    fn overlap(self, to: Expr, from: Expr, size: Expr) -> Expr {
        let size = size.cast(self.word);
        let within = |a: &Expr, b: &Expr| {
            let (left, right) = (Box::new(a.clone()), Box::new(b.clone()));
            let kind = ExprKind::Difference { left, right, scale: 1 };
            let distance = Expr { kind, ty: self.signed, span: self.span };
            self.binary(BinaryOp::Less, distance.cast(self.word), size.clone())
        };
        let near = self.binary(BinaryOp::Or, within(&to, &from), within(&from, &to));
        self.binary(BinaryOp::And, self.together(to, from), near)
    }
}
