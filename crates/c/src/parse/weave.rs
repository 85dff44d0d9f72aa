//! Weaves what a witness says of places into the program ([`Instrumentation`]).
//!
//! An invariant becomes a branch to an error of its own kind, and waypoints steps of a counter of segments, which has to
//! come to its end before an error of the program counts.

use std::rc::Rc;

use super::builder::Mark;
use super::context::{Context, Typed};
use super::gate::{Gate, SEGMENT, Woven, is_in};
use super::scope::Entity;
use crate::flow::{
    Base, BinaryOp, Expr, Instruction, LocationId, Place, VariableId, VariableKind, Violation,
};
use crate::instrument::{
    Branch, FUNCTION, Instrumentation, Point, PointKind, RESULT, WaypointKind,
};
use crate::syntax::tree::{
    BlockItem, Expression, ExternalDeclaration, FunctionDefinition, Node, Statement,
    TranslationUnit,
};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Whether an execution passes a waypoint at its place.
enum Passing {
    /// If the expression of the waypoint holds.
    Expression,
    If(Expr),
    Always,
    Never,
}

/// The expression of a function behind the program's text, with the number of its point.
fn expression_of(node: &Node<FunctionDefinition>) -> Option<(usize, &Node<Expression>)> {
    let name = super::declaration::name_of(&node.node.declarator)?;
    let number = name.strip_prefix(FUNCTION)?.parse().ok()?;
    let Statement::Compound(items) = &node.node.statement.node else { return None };
    match items.as_slice() {
        [Node { node: BlockItem::Statement(statement), .. }] => match &statement.node {
            Statement::Return(Some(expression)) => Some((number, expression)),
            _ => None,
        },
        _ => None,
    }
}

impl Context<'_> {
    /// Takes the expressions from behind the program's text.
    pub fn begin_weaving(&mut self, unit: &TranslationUnit) {
        let instrumentation = &self.options.instrumentation;
        if instrumentation.is_empty() {
            return;
        }
        self.weaving.placed = vec![None; instrumentation.points.len()];
        for item in &unit.0 {
            if let ExternalDeclaration::FunctionDefinition(node) = item
                && self.is_woven(node)
                && let Some((number, expression)) = expression_of(node)
            {
                self.weaving.expressions.insert(number, Rc::new(expression.clone()));
            }
        }
        if instrumentation.segments.is_some() {
            let int = self.int();
            let segment = self.variable(SEGMENT, int, VariableKind::Global, Span::default());
            self.variables[segment.0 as usize].internal = true;
            self.weaving.segment = Some(segment);
        }
    }

    /// Is it one of those functions?
    pub fn is_woven(&self, node: &Node<FunctionDefinition>) -> bool {
        // The program's own functions are in front, whatever their names are.
        let first = self.options.instrumentation.points.first();
        first.is_some_and(|point| self.span(node).end >= point.expression.end)
            && expression_of(node).is_some()
    }

    /// The sayings that have found a place in the file, and those that have not.
    pub fn end_weaving(&self) -> Woven {
        let mut woven = Woven::default();
        for (number, point) in self.options.instrumentation.points.iter().enumerate() {
            if !self.weaving.expressions.contains_key(&number) {
                continue;
            }
            if self.weaving.placed[number].is_some() {
                woven.placed.push(point.saying);
                continue;
            }
            let what = match (point.kind, point.kind.waypoint().map(|(_, kind)| kind)) {
                (PointKind::LoopInvariant, _) => "no loop begins here",
                (_, Some(WaypointKind::Branching(Branch::Truth(_)))) => {
                    "no 'if' or loop begins here"
                }
                (_, Some(WaypointKind::Branching(_))) => "no 'switch' begins here",
                (_, Some(WaypointKind::FunctionEnter | WaypointKind::FunctionReturn)) => {
                    "no call ends here with its closing parenthesis"
                }
                _ => "no statement or declaration begins here",
            };
            let message = match &point.function {
                Some(name) => format!("{what} in the function '{name}'"),
                None => what.to_owned(),
            };
            let mistake = Diagnostic::new(DiagnosticKind::Misplaced, point.expression, message);
            let hint = "lines and columns count from 1, in the file that was given to the verifier";
            woven.misplaced.push((point.saying, mistake.with_hint(hint)));
        }
        woven
    }

    /// The condition under which an error counts.
    pub fn gate(&self) -> Option<Gate> {
        let segment = self.weaving.segment?;
        let is_target = |p: &Point| matches!(p.kind.waypoint(), Some((_, WaypointKind::Target)));
        let is_anywhere = !self.options.instrumentation.points.iter().any(is_target);
        Some(Gate { segment, targets: self.weaving.targets.clone(), is_anywhere })
    }

    /// The points that are at this place, which is one for them.
    fn points_at(&mut self, start: u32, suits: impl Fn(PointKind) -> bool) -> Vec<usize> {
        let options = self.options;
        let Some(current) = self.current.as_ref().filter(|_| self.dry == 0) else { return vec![] };
        let function = &self.functions[current.id.0 as usize].name;
        let mut found = Vec::new();
        for (number, point) in options.instrumentation.points.iter().enumerate() {
            let is_here = match self.weaving.placed[number] {
                Some(at) => at == start,
                None => point.at.iter().any(|range| range.contains(&start)),
            };
            let is_inside = point.function.as_ref().is_none_or(|name| name == function);
            if is_here && is_inside && suits(point.kind) {
                self.weaving.placed[number] = Some(start);
                found.push(number);
            }
        }
        // One event passes one waypoint, so that of the later segment is looked at first; what is avoided is so from the
        // next event on.  Of a state several assumptions may hold one after the other.
        let order = |&number: &usize| match options.instrumentation.points[number].kind {
            PointKind::Follow(_, WaypointKind::Assumption | WaypointKind::Target) => {
                (1, number as i64)
            }
            PointKind::Follow(..) => (1, -(number as i64)),
            _ => (0, number as i64),
        };
        found.sort_by_key(order);
        found
    }

    /// Notes a statement, declaration or full expression that is about to be executed, and weaves in what is said of it.
    pub fn weave_statement(&mut self, span: Span) {
        if self.dry == 0 {
            self.statements.push(span);
        }
        let suits = |kind: PointKind| match kind.waypoint() {
            Some((_, kind)) => matches!(kind, WaypointKind::Assumption | WaypointKind::Target),
            None => kind == PointKind::LocationInvariant,
        };
        for number in self.points_at(span.start, suits) {
            match self.options.instrumentation.points[number].kind.waypoint() {
                None => self.hold(number, span),
                Some((_, kind)) => {
                    if kind == WaypointKind::Target {
                        self.weaving.targets.push(span);
                    }
                    self.pass(number, Passing::Expression, span);
                }
            }
        }
    }

    /// Weaves in what is said of the loop whose condition or body is about to be executed.
    pub fn weave_loop(&mut self, span: Span) {
        for number in self.points_at(span.start, |kind| kind == PointKind::LoopInvariant) {
            self.hold(number, span);
        }
    }

    /// As [`Context::branch`], with what is said of the branches of the statement at `keyword`.
    pub fn woven_branch(
        &mut self,
        node: &Node<Expression>,
        (yes, no): (LocationId, LocationId),
        keyword: Span,
    ) -> Typed<()> {
        let is_branch = |kind: PointKind| {
            let kind = kind.waypoint().map(|(_, kind)| kind);
            matches!(kind, Some(WaypointKind::Branching(Branch::Truth(_))))
        };
        let condition = self.span(node);
        self.weave_statement(condition);
        let points = self.points_at(keyword.start, is_branch);
        if points.is_empty() {
            return self.branch(node, yes, no);
        }
        let (taken, other) = (self.fresh(), self.fresh());
        let result = self.branch(node, taken, other);
        for (from, to, truth) in [(taken, yes, true), (other, no, false)] {
            self.go_on_at(from);
            for &number in &points {
                let kind = self.options.instrumentation.points[number].kind.waypoint();
                let passes = kind
                    .is_some_and(|(_, kind)| kind == WaypointKind::Branching(Branch::Truth(truth)));
                self.pass(number, if passes { Passing::Always } else { Passing::Never }, keyword);
            }
            self.jump(to, keyword);
        }
        result
    }

    /// Weaves in what is said of a `switch` that has these cases, where its value is known.
    pub fn weave_switch(&mut self, value: &Expr, cases: &[Expr], keyword: Span) {
        let is_branch = |kind: PointKind| {
            let kind = kind.waypoint().map(|(_, kind)| kind);
            matches!(kind, Some(WaypointKind::Branching(Branch::Case(_) | Branch::Default)))
        };
        for number in self.points_at(keyword.start, is_branch) {
            let kind = self.options.instrumentation.points[number].kind.waypoint();
            let condition = match kind {
                Some((_, WaypointKind::Branching(Branch::Case(case)))) => {
                    let case = self.constant(case as u64, value.ty, value.span);
                    self.combine(BinaryOp::Equal, value.clone(), case, value.span)
                }
                _ => {
                    let int = self.int();
                    let one = self.constant(1, int, value.span);
                    let zero = self.constant(0, int, value.span);
                    cases.iter().fold(one, |all, case| {
                        let other =
                            self.combine(BinaryOp::Equal, case.clone(), zero.clone(), value.span);
                        self.combine(BinaryOp::And, all, other, value.span)
                    })
                }
            };
            self.pass(number, Passing::If(condition), keyword);
        }
    }

    /// Weaves in what is said of entering the function of a call.
    pub fn weave_enter(&mut self, call: Span) {
        let is_enter = |kind: PointKind| {
            kind.waypoint().is_some_and(|(_, k)| k == WaypointKind::FunctionEnter)
        };
        for number in self.points_at(call.end.saturating_sub(1), is_enter) {
            self.pass(number, Passing::Always, call);
        }
    }

    /// Whether something is said of what a call returns.
    pub fn returns_to_witness(&mut self, call: Span) -> bool {
        !self.points_at(call.end.saturating_sub(1), is_return).is_empty()
    }

    /// Weaves in what is said of the result of a call, which is in a variable.
    pub fn weave_return(&mut self, call: Span, result: Option<VariableId>) {
        for number in self.points_at(call.end.saturating_sub(1), is_return) {
            self.scopes.enter();
            if let Some(result) = result {
                self.scopes.declare(RESULT, Entity::Variable(result), call);
            }
            self.pass(number, Passing::Expression, call);
            self.scopes.leave();
        }
    }

    /// An invariant: it is wrong where it is false.
    fn hold(&mut self, number: usize, span: Span) {
        let mark = self.mark();
        let (yes, no) = (self.fresh(), self.fresh());
        if self.expression(number, yes, no).is_ok() {
            self.go_on_at(no);
            let saying = self.options.instrumentation.points[number].saying;
            self.stop(Instruction::Error(Violation::Witness(saying)), span);
        }
        self.go_on_at(yes);
        self.flow(|b| b.at(mark, span));
    }

    /// Branches on the expression of a point, which must have no effect.
    fn expression(&mut self, number: usize, yes: LocationId, no: LocationId) -> Typed<()> {
        let Some(node) = self.weaving.expressions.get(&number).cloned() else {
            self.jump(yes, Span::default());
            return Ok(());
        };
        let mark = self.mark();
        self.branch(&node, yes, no)?;
        if self.has_effect(mark) {
            let span = self.options.instrumentation.points[number].expression;
            let what = "an expression of a witness that calls, assigns, or reads what is volatile";
            return Err(self.unsupported(span, what));
        }
        Ok(())
    }

    /// Whether an instruction since a mark does more than to compute.
    fn has_effect(&self, mark: Mark) -> bool {
        let Some(current) = &self.current else { return true };
        let is_temporary = |place: &Place| match place.base {
            Base::Variable(v) => self.variables[v.0 as usize].kind == VariableKind::Temporary,
            _ => false,
        };
        current.builder.since(mark).iter().any(|edge| match &edge.instruction {
            Instruction::Skip | Instruction::Assume { .. } | Instruction::Unsupported(_) => false,
            Instruction::Assign(place, _) => !is_temporary(place),
            _ => true,
        })
    }

    /// The waypoint that ends the segment of one to be avoided, if the same event may pass both: the segment is over then,
    /// and nothing in it was avoided too late.
    fn end_beside(&self, number: usize) -> Option<usize> {
        let points = &self.options.instrumentation.points;
        let PointKind::Avoid(segment, kind) = points[number].kind else { return None };
        let end = points.iter().position(|p| p.kind == PointKind::Follow(segment, kind))?;
        let has_expression =
            matches!(kind, WaypointKind::Assumption | WaypointKind::FunctionReturn);
        let is_beside = self.weaving.placed[end] == self.weaving.placed[number];
        (is_beside && has_expression).then_some(end)
    }

    /// A waypoint, where the execution passes it if that holds.
    fn pass(&mut self, number: usize, passing: Passing, span: Span) {
        let instrumentation: &Instrumentation = &self.options.instrumentation;
        let kind = instrumentation.points[number].kind;
        let (Some(variable), Some((segment, _))) = (self.weaving.segment, kind.waypoint()) else {
            return;
        };
        let is_strict = instrumentation.is_strict;
        let mark = self.mark();
        let (inside, after, yes, no) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let int = self.int();
        let place = self.place_of(variable, span);
        let is_here = is_in(&place, segment, span);
        self.flow(|b| b.branch(is_here, inside, after, span));
        self.go_on_at(inside);
        if let Some(end) = self.end_beside(number) {
            let other = self.fresh();
            if self.expression(end, after, other).is_err() {
                return;
            }
            self.go_on_at(other);
        }
        let branched = match passing {
            Passing::Expression => self.expression(number, yes, no),
            Passing::If(condition) => self.branch_on(condition, yes, no, span),
            Passing::Always => {
                self.jump(yes, span);
                Ok(())
            }
            Passing::Never => {
                self.jump(no, span);
                Ok(())
            }
        };
        if branched.is_ok() {
            self.go_on_at(yes);
            if let PointKind::Avoid(..) = kind {
                self.stop(Instruction::Halt, span);
            } else {
                let next = self.constant(u64::from(segment) + 1, int, span);
                self.emit(Instruction::Assign(place, next), span);
                self.jump(after, span);
            }
            self.go_on_at(no);
            if is_strict && matches!(kind, PointKind::Follow(..)) {
                self.stop(Instruction::Halt, span);
            } else {
                self.jump(after, span);
            }
        }
        self.go_on_at(after);
        self.flow(|b| b.at(mark, span));
    }
}

fn is_return(kind: PointKind) -> bool {
    kind.waypoint().is_some_and(|(_, kind)| kind == WaypointKind::FunctionReturn)
}
