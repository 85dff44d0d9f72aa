//! Data races (C11, 5.1.2.4p25): accesses of two threads to one object that nothing orders, of which one writes and one is not
//! atomic.
//!
//! They are there if and only if some order of steps comes to where both are next (as all steps are in one order here).  So
//! whoever makes an access looks at where the others are: at the point before one of theirs that is not atomic, and to the
//! same object, it is an error.  Nothing is noted for this but where each thread is.

use super::calls::ThreadCall;
use super::noted::{Access, Made, Pending, Races};
use super::weave::Weaver;
use crate::flow::{
    Base, BinaryOp, Callee, Edge, Expr, ExprKind, Instruction, LocationId, Place, Step,
};
use crate::library::{Accesses, LibraryFunction, Writes, find};
use crate::types::{Field, Type, TypeId, Types};
use hardbop_base::errors::ErrorKind;
use hardbop_base::source::Span;

/// Whether two accesses are to one object.
enum Meeting {
    Never,
    Always,
    Where(Expr),
    Unknown,
}

const BITS: &str = "a race between a bit-field and what is not beside it";

impl Weaver<'_> {
    /// Notes accesses of a thread behind a location, which others can come before if there is a point of this number.  Returns
    /// the location where they are made.
    pub(super) fn may_race(
        &mut self,
        thread: usize,
        from: LocationId,
        accesses: Vec<Access>,
        point: Option<u64>,
    ) -> LocationId {
        if accesses.is_empty() {
            return from;
        }
        let to = self.beside(from);
        let races = self.races.get_or_insert_default();
        if let Some(point) = point {
            let (variables, types) = (&self.flow.variables, &self.flow.types);
            let plain = accesses.iter().filter(|access| !access.place.is_atomic(variables, types));
            let pending = plain.cloned().map(|access| Pending { thread, point, access });
            races.pending.extend(pending);
        }
        races.made.push(Made { thread, from, to, accesses });
        to
    }

    /// What a call about threads writes at once: the number of a thread.
    pub(super) fn written(&self, call: ThreadCall, edge: &Edge) -> Vec<Access> {
        let Instruction::Call { arguments, .. } = &edge.instruction else { return vec![] };
        let pointer = match call {
            ThreadCall::Create | ThreadCall::CreateC11 => arguments.first(),
            _ => None,
        };
        let written = pointer.and_then(|pointer| self.target(pointer, edge.span));
        written.iter().filter(|place| self.shared.is_shared(place)).map(Access::write).collect()
    }

    /// Completes the accesses, when the points of all threads are known.
    pub(super) fn complete_races(&mut self) {
        let Some(Races { pending, made }) = self.races.take() else { return };
        for Made { thread, from, to, accesses } in made {
            let mut at = self.code.fresh();
            self.code.add(from, at, Instruction::Skip, Span::default());
            for access in &accesses {
                let others = pending.iter().filter(|other| {
                    other.thread != thread && (access.writes || other.access.writes)
                });
                for other in others {
                    let meeting = self.meeting(access, &other.access);
                    at = self.other((from, at), access.place.span, other, meeting);
                }
            }
            self.code.add(at, to, Instruction::Skip, Span::default());
        }
    }

    /// An error at a place where another thread is at its point and the accesses meet.  Returns where they do not.
    fn other(
        &mut self,
        (from, at): (LocationId, LocationId),
        span: Span,
        other: &Pending,
        meeting: Meeting,
    ) -> LocationId {
        if matches!(meeting, Meeting::Never) {
            return at;
        }
        // Nobody's locations: the trace does not show them.
        let (mut here, next) = (self.code.fresh(), self.code.fresh());
        let of_other = other.access.place.span;
        let is_there = self.is_at(other.thread, other.point, of_other);
        self.code.branch(at, is_there, (here, next), of_other);
        match meeting {
            Meeting::Unknown => {
                self.stop(here, BITS, span);
                return next;
            }
            Meeting::Where(condition) => {
                let met = self.code.fresh();
                self.code.branch(here, condition, (met, next), span);
                here = met;
            }
            Meeting::Always | Meeting::Never => {}
        }
        let point = self.threads[other.thread].points[other.point as usize - 2];
        let shown = self.code.fresh();
        self.show((here, shown), point, of_other);
        self.fail(shown, from, (ErrorKind::Race, span));
        next
    }

    /// The accesses that a call of the library's makes, as far as it says which.
    pub(super) fn called(&self, edge: &Edge) -> Vec<Access> {
        let Instruction::Call { callee: Callee::Function(f), arguments, .. } = &edge.instruction
        else {
            return vec![];
        };
        let function = &self.flow.functions[f.0 as usize];
        let model = find(&function.name).filter(|_| function.body.is_none());
        let model = model.and_then(LibraryFunction::model);
        let Some((model, Accesses::Bytes { pointers, size })) = model.map(|m| (m, m.accesses))
        else {
            return vec![];
        };
        let written = match model.effect.writes {
            Writes::Fill { to, .. } | Writes::Copy { to, .. } => Some(to),
            _ => None,
        };
        let made = pointers.iter().filter_map(|&pointer| {
            let (address, bytes) = (arguments.get(pointer)?, arguments.get(size)?);
            Some(Access::bytes(address.clone(), bytes.clone(), written == Some(pointer)))
        });
        made.collect()
    }

    /// Whether two accesses are to one object.
    fn meeting(&mut self, a: &Access, b: &Access) -> Meeting {
        let (size_of_a, size_of_b) = (&a.bytes, &b.bytes);
        let (a, b) = (&a.place, &b.place);
        if let (Base::Variable(v), Base::Variable(w)) = (&a.base, &b.base) {
            let ty = self.flow.variables[v.0 as usize].ty;
            return match v == w {
                true => self.parts_meet(ty, &a.path, &b.path),
                false => Meeting::Never,
            };
        }
        let is_hidden = |place: &Place| match place.base {
            Base::Variable(v) => !self.shared.is_addressed(v),
            _ => false,
        };
        if is_hidden(a) || is_hidden(b) {
            return Meeting::Never;
        }
        let int = self.flow.types.int();
        let (Some(a), Some(b)) = (self.address(a, size_of_a), self.address(b, size_of_b)) else {
            return Meeting::Unknown;
        };
        let ((a, of_a), (b, of_b)) = (a, b);
        if let (ExprKind::Constant(m), ExprKind::Constant(n)) = (&of_a.kind, &of_b.kind)
            && m == n
            && size_of_a.is_none()
            && size_of_b.is_none()
        {
            return Meeting::Where(Expr::binary(BinaryOp::Equal, a, b, int));
        }
        let word = self.flow.types.unsigned_word();
        let [a, b] = [a, b].map(|address| address.cast(word));
        let reaches = |a: &Expr, b: &Expr, size: Expr| {
            let distance = Expr::binary(BinaryOp::Subtract, b.clone(), a.clone(), word);
            Expr::binary(BinaryOp::Less, distance, size, int)
        };
        let (one, other) = (reaches(&a, &b, of_a), reaches(&b, &a, of_b));
        Meeting::Where(Expr::binary(BinaryOp::Or, one, other, int))
    }

    /// The address of a place, and how many bytes it has, which may be given; none of a bit-field.
    fn address(&mut self, place: &Place, given: &Option<Expr>) -> Option<(Expr, Expr)> {
        let char = self.flow.types.intern(Type::Int { bits: 8, signed: false, rank: 1 });
        let (bytes, word) = (self.flow.types.pointer_to(char), self.flow.types.unsigned_word());
        if let (Some(size), Base::Pointer(pointer)) = (given, &place.base) {
            return Some(((**pointer).clone().cast(bytes), size.clone().cast(word)));
        }
        let base = place.base_type(&self.flow.variables, &self.flow.types)?;
        let mut ty = base;
        for step in &place.path {
            let (part, field) = step.part(ty, &self.flow.types)?;
            if field.is_some_and(|field| field.bit_field.is_some()) {
                return None;
            }
            ty = part;
        }
        let size = Expr::number(self.flow.types.size(place.ty)?, word, place.span);
        let of = self.flow.types.pointer_to(place.ty);
        let kind = ExprKind::AddressOf(place.clone());
        Some((Expr { kind, ty: of, span: place.span }.cast(bytes), size))
    }

    /// Whether two parts of one object meet.
    fn parts_meet(&mut self, mut ty: TypeId, a: &[Step], b: &[Step]) -> Meeting {
        let int = self.flow.types.int();
        let mut condition: Option<Expr> = None;
        for (a, b) in a.iter().zip(b) {
            match (a, b) {
                (Step::Index(a), Step::Index(b)) => {
                    let same = Expr::binary(BinaryOp::Equal, (**a).clone(), (**b).clone(), int);
                    condition = Some(match condition {
                        Some(all) => Expr::binary(BinaryOp::And, all, same, int),
                        None => same,
                    });
                }
                (Step::Field(a), Step::Field(b)) if a != b => {
                    match fields_meet(&self.flow.types, ty, [*a, *b]) {
                        Some(true) => break,
                        Some(false) => return Meeting::Never,
                        None => return Meeting::Unknown,
                    }
                }
                (Step::Field(_), Step::Field(_)) => {}
                _ => return Meeting::Unknown,
            }
            let Some((part, _)) = a.part(ty, &self.flow.types) else { return Meeting::Unknown };
            ty = part;
        }
        condition.map_or(Meeting::Always, Meeting::Where)
    }
}

/// Whether two members of a record, or bit-fields beside each other (C11, 3.14p3), are one object; `None` for parts of a union,
/// which may be.
fn fields_meet(types: &Types, ty: TypeId, [a, b]: [u32; 2]) -> Option<bool> {
    let (_, record) = types.as_record(ty)?;
    let fields = record.fields.as_ref()?;
    // The bits of each, from the first to the one behind the last.
    let bits = |field: &Field| {
        field.bit_field.map(|(first, width)| {
            let start = field.offset * 8 + u64::from(first);
            (start, start + u64::from(width))
        })
    };
    let between: Vec<_> =
        fields.get(a.min(b) as usize..=a.max(b) as usize)?.iter().map(bits).collect();
    if record.union {
        return None;
    }
    if between.iter().any(Option::is_none) {
        return Some(false);
    }
    // Two in one byte are one object; a bit-field without bits would have the next one begin in another byte.
    let mut pairs = between.windows(2);
    let share = |pair: &[Option<(u64, u64)>]| match *pair {
        [Some((_, end)), Some((start, _))] => end == start && end % 8 != 0,
        _ => false,
    };
    pairs.all(share).then_some(true)
}
