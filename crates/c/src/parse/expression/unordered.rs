//! Effects without an order: two on one object, or one and a read of it, have no meaning in C (C11, 6.5, 2).

use super::checked::sequence::has_sequence_points;
use crate::flow::{Base, Edge, Expr, ExprKind, Instruction, Place, Step, VariableId, VariableKind};
use crate::parse::builder::Mark;
use crate::parse::context::{Context, List};
use crate::reliance::Reliance;
use crate::syntax::tree::{Expression, Node};
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

/// The most instructions of a list of initial values that are compared with each other.
const LONG_LIST: usize = 1_000;

/// The most instructions for one operand that are compared with the other one: a chain of operators has many such pairs.
const LONG_VALUE: usize = 1_000;

/// Whether both are parts of one variable.
fn same_base(a: &Place, b: &Place) -> bool {
    matches!((&a.base, &b.base), (Base::Variable(x), Base::Variable(y)) if x == y)
}

/// The places that the evaluation of an operand changes and reads, but for temporaries.
#[derive(Default)]
struct Accesses {
    writes: Vec<Place>,
    reads: Vec<Place>,
}

impl Context<'_> {
    /// Notes whether operands rely on an order: those evaluated between two marks to `left`, and the one since then to
    /// `right`.
    pub fn note_operands(&mut self, (start, mark): (Mark, Mark), left: &[Expr], right: &Expr) {
        let Some(current) = &self.current else { return };
        let (all, later) = (current.builder.since(start), current.builder.since(mark));
        if all.is_empty() {
            return;
        }
        if all.len() > LONG_VALUE {
            return self.unsequenced(None, right.span);
        }
        let sides = [
            self.accesses(&all[..all.len() - later.len()], left.iter()),
            self.accesses(later, [right].into_iter()),
        ];
        let span = left.first().map_or(right.span, |value| value.span).to(right.span);
        let is_asked = self.asks(Check::Sequence, span);
        let pairs = self.collisions(&sides, is_asked);
        if pairs.is_empty() {
            return;
        }
        let clashes = if is_asked { self.clashes(pairs, start) } else { None };
        self.unsequenced(clashes, span);
    }

    /// As [`Context::note_operands`], for the place and the value of an assignment, of which `nodes` are the texts.
    pub fn note_assignment(
        &mut self,
        (start, mark): (Mark, Mark),
        place: &Place,
        value: &Expr,
        nodes: &[&Node<Expression>],
    ) {
        let Some(current) = &self.current else { return };
        let (all, later) = (current.builder.since(start), current.builder.since(mark));
        if all.is_empty() {
            return;
        }
        let span = place.span.to(value.span);
        if all.len() > LONG_VALUE {
            return self.unsequenced(None, span);
        }
        let before = &all[..all.len() - later.len()];
        let mut left = self.accesses(before, place.operands());
        let right = self.accesses(later, [value].into_iter());
        let meets = |write: &Place| self.may_overlap(place, write);
        // Effects on the object itself, whose value is assigned behind what the operands come to.
        let own = right.writes.iter().filter(|write| meets(write)).cloned();
        let mut own: Vec<Place> = own.collect();
        let is_asked = self.asks(Check::Sequence, span);
        if is_asked {
            own.retain(|_| !nodes.last().is_some_and(|value| self.is_sealed(value)));
            own.extend(left.writes.iter().filter(|write| meets(write)).cloned());
        }
        left.writes.retain(|write| !meets(write));
        let sides = [left, right];
        let mut pairs = self.collisions(&sides, is_asked);
        if pairs.is_empty() && own.is_empty() {
            return;
        }
        if !is_asked {
            return self.rely(Reliance::Sequence, span);
        }
        // Sequence points, as those of a call behind an effect or of a comma, may give them an order.
        let is_effect = |edge: &Edge| edge.instruction.target().is_some_and(meets);
        let is_call = |edge: &Edge| matches!(edge.instruction, Instruction::Call { .. });
        let first = all.iter().position(is_effect).unwrap_or(0);
        let may_have_order =
            all[first..].iter().any(is_call) || nodes.iter().any(|node| has_sequence_points(node));
        let clashes = match own.is_empty() || !may_have_order {
            true => {
                pairs.extend(own.iter().map(|write| (place, write)));
                self.clashes(pairs, start)
            }
            false => None,
        };
        self.unsequenced(clashes, span);
    }

    /// Notes whether the value of an item in a list of initial values, evaluated since `mark`, relies on an order with the
    /// items before it, which C leaves open (C11, 6.7.9, 23); where it is `again` a value of a part that has one, the
    /// earlier item need not be evaluated at all (6.7.9, 19).
    pub fn note_item(&mut self, mark: Mark, place: &Place, value: &Expr, again: bool) {
        if self.touches(mark, value, place) {
            self.rely(Reliance::Sequence, value.span);
        }
        let (Some(list), Some(current)) = (self.list, &self.current) else { return };
        let (all, later) = (current.builder.since(list.start), current.builder.since(mark));
        let before = &all[..all.len() - later.len()];
        let has_effects = later.iter().any(|edge| self.changes_more(edge, place));
        let (Some(at), true) = (all.last().map(|edge| edge.span), list.has_effects || has_effects)
        else {
            return;
        };
        self.list = Some(List { has_effects: true, ..list });
        if list.has_effects && again || all.len() > LONG_LIST {
            self.rely(Reliance::Order, at);
            return;
        }
        let mut left = self.accesses(before, std::iter::empty());
        left.writes.retain(|write| !same_base(write, place));
        let right = self.accesses(later, [value].into_iter());
        if !self.collisions(&[left, right], false).is_empty() {
            self.rely(Reliance::Sequence, at);
        }
        self.note_calls(list.start, mark, value);
    }

    /// Notes that items of the list so far, one of which may have effects, lose their values to another one: they need not
    /// be evaluated at all (C11, 6.7.9, 19).
    pub fn note_replaced(&mut self, at: Span) {
        if self.list.is_some_and(|list| list.has_effects) {
            self.rely(Reliance::Order, at);
        }
    }

    /// Whether the evaluation of an initial value since `mark` may read or change the object that it is for, or lets others
    /// do so: its parts have no values yet, or get them in an order that C leaves open.
    fn touches(&self, mark: Mark, value: &Expr, object: &Place) -> bool {
        let Some(current) = &self.current else { return false };
        let reads = |part: &Expr| match &part.kind {
            ExprKind::Load(place) => same_base(place, object),
            _ => false,
        };
        let leads = |part: &Expr| match &part.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => same_base(place, object),
            _ => false,
        };
        value.parts().any(reads)
            || current.builder.since(mark).iter().any(|edge| {
                edge.instruction.target().is_some_and(|target| same_base(target, object))
                    || edge.instruction.parts().any(leads)
            })
    }

    /// Whether an instruction may change more than temporaries and the object that gets initial values.
    fn changes_more(&self, edge: &Edge, object: &Place) -> bool {
        match (&edge.instruction, edge.instruction.target()) {
            (Instruction::Call { .. }, _) => true,
            (_, Some(target)) => !same_base(target, object) && !self.is_temporary(target),
            (instruction, None) => {
                !matches!(instruction, Instruction::Skip | Instruction::Assume { .. })
            }
        }
    }

    pub(super) fn is_temporary(&self, place: &Place) -> bool {
        match place.base {
            Base::Variable(id) => self.is_temporary_variable(id),
            Base::Pointer(_) | Base::String(_) => false,
        }
    }

    pub(super) fn is_temporary_variable(&self, id: VariableId) -> bool {
        self.variables[id.0 as usize].kind == VariableKind::Temporary
    }

    /// The pairs of places that may be one, of which a side changes at least one: all, or the first one.
    fn collisions<'a>(
        &self,
        [left, right]: &'a [Accesses; 2],
        are_all_wanted: bool,
    ) -> Vec<(&'a Place, &'a Place)> {
        let pairs =
            |a: &'a [Place], b: &'a [Place]| a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
        let all = pairs(&left.writes, &right.writes)
            .chain(pairs(&left.writes, &right.reads))
            .chain(pairs(&left.reads, &right.writes));
        let meeting = all.filter(|(a, b)| self.may_overlap(a, b));
        meeting.take(if are_all_wanted { usize::MAX } else { 1 }).collect()
    }

    fn accesses<'e>(&self, edges: &'e [Edge], values: impl Iterator<Item = &'e Expr>) -> Accesses {
        let is_own = |place: &&Place| !self.is_temporary(place);
        let loaded = |part: &Expr| match &part.kind {
            ExprKind::Load(place) => Some(place).filter(is_own).cloned(),
            _ => None,
        };
        let writes = edges.iter().filter_map(|edge| edge.instruction.target());
        let reads = edges.iter().flat_map(|edge| edge.instruction.parts());
        // Calls are not interleaved with the rest: see `Reliance::Order`.
        let reads = reads.chain(values.flat_map(Expr::parts)).filter_map(loaded);
        Accesses { writes: writes.filter(is_own).cloned().collect(), reads: reads.collect() }
    }

    /// Whether two places may have a byte in common.
    pub(super) fn may_overlap(&self, a: &Place, b: &Place) -> bool {
        match (&a.base, &b.base) {
            (Base::Variable(x), Base::Variable(y)) => x == y && !self.apart(a, b),
            (&Base::Variable(v), Base::Pointer(_)) | (Base::Pointer(_), &Base::Variable(v)) => {
                self.is_pointed_to(v) && self.are_alike(a, b)
            }
            (Base::Pointer(p), Base::Pointer(q)) => {
                let others = match (Self::constant_distance(p), Self::constant_distance(q)) {
                    (Some((p, x)), Some((q, y))) => p == q && x != y && a.ty == b.ty,
                    _ => false,
                };
                !others && self.are_alike(a, b)
            }
            (Base::String(_), _) | (_, Base::String(_)) => false,
        }
    }

    /// Whether the paths from one base lead to different parts of it.
    fn apart(&self, a: &Place, b: &Place) -> bool {
        let mut ty = self.root_type(a);
        for steps in a.path.iter().zip(&b.path) {
            let is_union = self.types.as_record(ty).is_some_and(|(_, record)| record.union);
            match steps {
                (Step::Field(x), Step::Field(y)) if x != y => return !is_union,
                (Step::Index(x), Step::Index(y)) => {
                    let (x, y) = (self.as_number(x), self.as_number(y));
                    if x.is_some() && y.is_some() && x != y {
                        return true;
                    }
                }
                _ => {}
            }
            ty = self.inner_type(ty, steps.0);
        }
        false
    }

    /// Whether a pointer may lead to the variable.
    fn is_pointed_to(&self, id: VariableId) -> bool {
        let variable = &self.variables[id.0 as usize];
        matches!(self.types.get(variable.ty), Type::Array(..))
            || self.file.addressed.contains(&variable.name)
    }

    /// Whether one object may be accessed as both: they have one type, and are not different members.
    fn are_alike(&self, a: &Place, b: &Place) -> bool {
        let is_any = |ty: TypeId| {
            self.types.as_record(ty).is_some() || self.types.bits(ty).is_some_and(|(n, _)| n == 8)
        };
        if is_any(a.ty) || is_any(b.ty) {
            return true;
        }
        let same = a.ty == b.ty
            || self.types.is_integer(a.ty)
                && self.types.is_integer(b.ty)
                && self.types.size(a.ty) == self.types.size(b.ty);
        let others = match (self.last_member(a), self.last_member(b)) {
            (Some((of, x)), Some((other, y))) => (of, x) != (other, y) && !self.is_in_union(of),
            _ => false,
        };
        same && !others
    }

    fn is_in_union(&self, ty: TypeId) -> bool {
        self.types.as_record(ty).is_some_and(|(_, record)| record.union)
    }

    /// The record and the member with which the path ends.
    pub(super) fn last_member(&self, place: &Place) -> Option<(TypeId, u32)> {
        let (Step::Field(field), before) = place.path.split_last()? else { return None };
        let of = before.iter().fold(self.root_type(place), |ty, step| self.inner_type(ty, step));
        Some((of, *field))
    }

    fn root_type(&self, place: &Place) -> TypeId {
        match &place.base {
            Base::Variable(id) => self.variables[id.0 as usize].ty,
            Base::Pointer(pointer) => match self.types.get(pointer.ty) {
                Type::Pointer(to) => *to,
                _ => place.ty,
            },
            Base::String(_) => place.ty,
        }
    }

    fn inner_type(&self, ty: TypeId, step: &Step) -> TypeId {
        match (step, self.types.get(ty)) {
            (Step::Index(_), Type::Array(element, _)) => *element,
            (Step::Field(field), Type::Record(record)) => {
                let fields = self.types.record(*record).fields.as_deref().unwrap_or_default();
                fields.get(*field as usize).map_or(ty, |field| field.ty)
            }
            _ => ty,
        }
    }

    /// The variable that a pointer is read from, and the distance that is added to it.
    fn constant_distance(pointer: &Expr) -> Option<(VariableId, u64)> {
        match &pointer.kind {
            ExprKind::Load(Place { base: Base::Variable(id), path, .. }) if path.is_empty() => {
                Some((*id, 0))
            }
            ExprKind::Offset { pointer, index, scale } => {
                let ExprKind::Constant(index) = index.kind else { return None };
                let (id, before) = Self::constant_distance(pointer)?;
                Some((id, before.wrapping_add(index.wrapping_mul(*scale))))
            }
            _ => None,
        }
    }
}
