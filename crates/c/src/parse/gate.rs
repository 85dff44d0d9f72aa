//! The gate before errors, where a witness says which executions count; and what has been woven in before it.

use std::collections::HashMap;
use std::rc::Rc;

use super::options::MAX_DIAGNOSTICS;
use crate::flow::{
    BinaryOp, Edge, Expr, ExprKind, Flow, Instruction, LocationId, Place, VariableId,
};
use crate::syntax::tree::{Expression, Node};
use hardbop_base::source::{Diagnostic, Span};

/// The parts that have been woven in so far.
#[derive(Debug, Default)]
pub(super) struct Weaving {
    /// By point.
    pub expressions: HashMap<usize, Rc<Node<Expression>>>,
    /// By point: where it begins, once that is known.
    pub placed: Vec<Option<u32>>,
    /// The segment that an execution is in.
    pub segment: Option<VariableId>,
    /// The statement that has to have the error.
    pub targets: Vec<Span>,
}

/// The name of the segment that an execution is in, which no text can have: all files of a program share it.
pub(super) const SEGMENT: &str = "segment of the witness";

/// The fate of each saying of a witness.
#[derive(Debug, Clone, Default)]
pub(crate) struct Woven {
    /// The sayings that have found a place.
    pub placed: Vec<u32>,
    /// The sayings that have found none in a file where they should be.
    pub misplaced: Vec<(u32, Diagnostic)>,
}

impl Woven {
    /// Adds what has become of it in another file.
    pub fn include(&mut self, other: Self) {
        self.placed.extend(other.placed);
        self.misplaced.extend(other.misplaced);
    }

    /// Refuses what has found no place in any file.
    ///
    /// # Errors
    /// The sayings that have found none.
    pub fn refuse(self) -> Result<(), Vec<Diagnostic>> {
        let Self { placed, misplaced } = self;
        let mut mistakes: Vec<Diagnostic> = vec![];
        for (saying, mistake) in misplaced {
            if !placed.contains(&saying) && mistakes.iter().all(|m| m.span != mistake.span) {
                mistakes.push(mistake);
            }
        }
        mistakes.sort_by_key(|mistake| mistake.span.start);
        mistakes.truncate(MAX_DIAGNOSTICS);
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
    }
}

/// The condition under which an error counts, where only some executions do.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    pub segment: VariableId,
    /// The statement that has to have the error: none where the program has no such one, several where files include it.
    pub targets: Vec<Span>,
    /// Whether all errors count, as there is no waypoint for their place.
    pub is_anywhere: bool,
}

/// `segment == number`
pub(super) fn is_in(segment: &Place, number: u32, span: Span) -> Expr {
    let ty = segment.ty;
    let load = Expr { kind: ExprKind::Load(segment.clone()), ty, span };
    let number = Expr { kind: ExprKind::Constant(u64::from(number)), ty, span };
    Expr { kind: ExprKind::Binary(BinaryOp::Equal, Box::new(load), Box::new(number)), ty, span }
}

impl Gate {
    /// Lets errors count only where they are in the target, and the execution has passed all segments.
    pub fn close(&self, flow: &mut Flow, segments: u32) {
        let ty = flow.types.int();
        for function in &mut flow.functions {
            // It has no text: its calls are in the target, or somewhere else.
            let is_target_whatever = function.is_convention() || self.is_anywhere;
            let Some(body) = &mut function.body else { continue };
            for index in 0..body.edges.len() {
                let Edge { source, span, .. } = body.edges[index];
                let Instruction::Error(violation) = body.edges[index].instruction else { continue };
                let is_in = |t: &Span| t.start <= span.start && span.end <= t.end;
                let is_target = is_target_whatever || self.targets.iter().any(is_in);
                if !is_target {
                    body.edges[index].instruction = Instruction::Halt;
                    continue;
                }
                let place = Place::of(self.segment, ty, span);
                let condition = self::is_in(&place, segments, span);
                let (error, other) = (LocationId(body.locations), LocationId(body.locations + 1));
                body.locations += 2;
                let assume =
                    |expected| Instruction::Assume { condition: condition.clone(), expected };
                body.edges[index].instruction = assume(true);
                body.edges[index].target = error;
                let exit = body.exit;
                let more = [
                    (error, exit, Instruction::Error(violation)),
                    (source, other, assume(false)),
                    (other, exit, Instruction::Halt),
                ];
                let more = more.map(|(source, target, instruction)| Edge {
                    source,
                    target,
                    instruction,
                    span,
                });
                body.edges.extend(more);
            }
        }
    }
}
