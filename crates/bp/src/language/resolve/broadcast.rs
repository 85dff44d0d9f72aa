//! Assignments to variables of other threads: `x$ := e`.
//!
//! `x$` is meant where no variable has this name, and x is one that each thread has for itself.
//! In values for `x$`, and in `constrain`, it is x of the other thread; elsewhere it has no value.
//! Conditions of `constrain` are taken apart at `&`: those that speak of other threads must hold for
//! each of them, the rest holds if there are none, too.

use rustc_hash::FxHashSet;

use super::super::concurrent::{Broadcast, ThreadStep};
use super::super::lower::Step;
use super::super::program::{Expr, Op, Operation, VarId, VariableKind};
use super::super::syntax::{Expression, Name, Target};
use super::body::{Body, Place};
use hardbop_base::source::{DiagnosticKind, Span};

impl<'a> Body<'_, 'a> {
    /// The step of an assignment, some of whose targets may be variables of other threads.
    pub(super) fn assigned(
        &mut self,
        targets: &'a [Target],
        values: &'a [Expression],
        constrain: Option<&'a Expression>,
        span: Span,
    ) -> Step {
        let own = self.assignment(targets, values, constrain, span);
        let Operation::Assign(mut assignment) = own else { return Step::Do(own) };
        let passive: FxHashSet<VarId> = self.resolver.passive.values().copied().collect();
        if passive.is_empty() {
            return Step::Do(Operation::Assign(assignment));
        }
        let mut others = Broadcast::default();
        let pairs = std::mem::take(&mut assignment.targets).into_iter();
        for (target, value) in pairs.zip(std::mem::take(&mut assignment.values)) {
            let (targets, values) = if passive.contains(&target) {
                (&mut others.targets, &mut others.values)
            } else {
                (&mut assignment.targets, &mut assignment.values)
            };
            if !passive.contains(&target) && value.reads().any(|v| passive.contains(&v)) {
                let message = "the value depends on a variable of other threads".to_owned();
                let hint = "only values for variables of other threads may depend on these";
                self.resolver
                    .report
                    .add(DiagnosticKind::Misplaced, span, message, "in this assignment")
                    .hint = Some(hint.to_owned());
            }
            targets.push(target);
            values.push(value);
        }
        let speaks = |part: &Vec<Op>| {
            part.iter().any(|op| matches!(op, Op::Variable(v) | Op::Next(v) if passive.contains(v)))
        };
        let parts = assignment.constrain.take().map_or(Vec::new(), |all| conjuncts(&all));
        let (theirs, ours): (Vec<_>, Vec<_>) = parts.into_iter().partition(speaks);
        (others.constrain, assignment.constrain) = (conjunction(theirs), conjunction(ours));
        if others == Broadcast::default() {
            return Step::Do(Operation::Assign(assignment));
        }
        let operation = match assignment.constrain.take() {
            constrain if !assignment.targets.is_empty() => {
                assignment.constrain = constrain;
                Operation::Assign(assignment)
            }
            Some(condition) => Operation::Assume(condition),
            None => Operation::Skip,
        };
        Step::Threads(operation, ThreadStep::Broadcast(others))
    }

    /// The variable `x$` for a name that is not declared, if it is one.
    pub(super) fn passive(&mut self, text: &'a str, span: Span) -> Option<VarId> {
        let of = text.strip_suffix('$').filter(|_| self.resolver.with_threads)?;
        let variable = self.lookup(of)?;
        let kind = self.resolver.variables[variable.index()].kind;
        let in_entry = self.resolver.entry == Some(self.id);
        let each_has_it = match kind {
            VariableKind::Global => self.resolver.thread_locals.contains(&variable),
            _ => in_entry,
        };
        if !each_has_it {
            let message = format!("'{of}' is not a variable that each thread has");
            let label = "an assignment to other threads";
            let kind = DiagnosticKind::Unsupported;
            self.resolver.report.add(kind, span, message, label).hint = Some(
                "'x$' is x of the other threads, where x is a local variable of the procedure \
                 that begins, or 'thread_local'"
                    .to_owned(),
            );
        }
        if let Some(&known) = self.resolver.passive.get(&variable) {
            return Some(known);
        }
        let id = self.resolver.variable(text, span, kind);
        self.resolver.passive.insert(variable, id);
        Some(id)
    }

    /// The variable of a target `x$`.
    pub(super) fn passive_target(&mut self, name: &'a Name) -> Option<VarId> {
        if self.lookup(&name.text).is_some() { None } else { self.passive(&name.text, name.span) }
    }

    /// Whether an expression in this place may speak of other threads; reports it otherwise.
    pub(super) fn may_be_passive(&mut self, text: &str, span: Span, place: Place<'_>) {
        if matches!(place, Place::Plain) {
            let message = format!("'{text}' has no value here");
            let label = "a variable of other threads";
            self.resolver.report.add(DiagnosticKind::Misplaced, span, message, label).hint =
                Some("it is read in an assignment and its 'constrain' only".to_owned());
        }
    }
}

/// The conditions of which an expression is the conjunction.
fn conjuncts(all: &Expr) -> Vec<Vec<Op>> {
    // Where the subexpression that ends at each place begins.
    let mut first: Vec<usize> = Vec::with_capacity(all.ops.len());
    for (end, op) in all.ops.iter().enumerate() {
        let begin = (0..op.arity()).fold(end, |begin, _| first[begin - 1]);
        first.push(begin);
    }
    let (mut parts, mut open) = (Vec::new(), vec![all.ops.len() - 1]);
    while let Some(end) = open.pop() {
        if all.ops[end] == Op::And {
            open.extend([end - 1, first[end - 1] - 1]);
        } else {
            parts.push(all.ops[first[end]..=end].to_vec());
        }
    }
    parts
}

fn conjunction(parts: Vec<Vec<Op>>) -> Option<Expr> {
    let mut parts = parts.into_iter();
    let mut ops = parts.next()?;
    for part in parts {
        ops.extend(part);
        ops.push(Op::And);
    }
    Some(Expr { ops: ops.into() })
}
