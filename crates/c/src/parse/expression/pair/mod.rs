//! Numbers of two parts, which are records: complex ones, and integers of 128 bits.  Operations on them are done part by part,
//! in temporaries, so that nothing behind the parser knows of them.

mod complex;
mod wide;

use crate::flow::{Base, Callee, Expr, ExprKind, Instruction, Place};
use crate::parse::context::Context;
use crate::types::{Field, Record, RecordId, Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    /// The type of numbers with parts of these names and types: equal ones are one.
    fn pair_type(
        &mut self,
        names: [&'static str; 2],
        parts: [TypeId; 2],
        align: u64,
        name: String,
    ) -> TypeId {
        let key = (names[0], parts[1]);
        if let Some(&known) = self.pair_types.get(&key) {
            return known;
        }
        let width = self.types.size(parts[0]).unwrap_or(0);
        let fields = names.into_iter().zip(parts).zip([0, width]).map(|((name, ty), offset)| {
            Field { name: name.to_owned(), ty, offset, bit_field: None, atomic: false }
        });
        let fields = Some(fields.collect());
        let record = Record { name, union: false, fields, size: 2 * width, align };
        self.types.records.push(record);
        let id = RecordId(self.types.records.len() as u32 - 1);
        let pair = self.types.intern(Type::Record(id));
        self.pair_types.insert(key, pair);
        pair
    }

    /// A number of these parts, which are converted to those of the type.
    fn joined(&mut self, parts: [Expr; 2], ty: TypeId, span: Span) -> Expr {
        let place = self.temporary(ty, span);
        let own = [0, 1].map(|index| self.field(place.clone(), index, span));
        let [first, second] = parts;
        let parts = [self.convert(first, own[0].ty), self.convert(second, own[1].ty)];
        let constant = parts.iter().filter(|part| is_constant(part)).count();
        if let (Base::Variable(id), true) = (&place.base, constant > 0) {
            let known = |at: usize| match is_constant(&parts[at]) {
                true => parts[at].clone(),
                false => own[at].clone().load(),
            };
            self.known_parts.insert(*id, [known(0), known(1)]);
        }
        // Where nothing is executed, constants are all there is.
        if constant < 2 || self.current.is_some() && self.dry == 0 {
            if self.is_long_double(parts[0].ty) {
                self.not_modelled(span, "'long double'");
            }
            for (own, value) in own.into_iter().zip(parts) {
                self.emit(Instruction::Assign(own, value), span);
            }
        }
        Expr { kind: ExprKind::Load(place), ty, span }
    }

    /// The parts of a number in a temporary, if more is known of one than where it is.
    fn known_parts(&self, e: &Expr) -> Option<&[Expr; 2]> {
        let ExprKind::Load(Place { base: Base::Variable(id), path, .. }) = &e.kind else {
            return None;
        };
        self.known_parts.get(id).filter(|_| path.is_empty())
    }

    /// The parts of a number that has two.  They can be read more than once, until something else is evaluated.
    pub fn parts_of_pair(&mut self, e: Expr) -> [Expr; 2] {
        let span = e.span;
        if let Some(parts) = self.known_parts(&e) {
            return parts.clone();
        }
        let whole = self.once(e);
        let ExprKind::Load(place) = whole.kind else {
            // A value of a record is in memory.
            return [(); 2].map(|()| self.zero(whole.ty, span));
        };
        [0, 1].map(|index| self.field(place.clone(), index, span).load())
    }

    /// The value, evaluated once however often it is used.
    fn once(&mut self, e: Expr) -> Expr {
        match &e.kind {
            ExprKind::Float(_) => e,
            ExprKind::Load(place) if self.is_simple(place) => e,
            _ => self.keep(e),
        }
    }

    /// The result of a function of gcc's library, which is in `library/models`.
    fn computed_by(
        &mut self,
        name: &str,
        arguments: impl IntoIterator<Item = Expr>,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        let arguments: Vec<Expr> = arguments.into_iter().collect();
        let place = self.temporary(ty, span);
        let parameters: Vec<TypeId> = arguments.iter().map(|value| value.ty).collect();
        if self.bodies.contains(name) {
            let id = self.library_function(name, ty, &parameters);
            let callee = Callee::Function(id);
            let result = Some(place.clone());
            self.emit(Instruction::Call { result, callee, arguments }, span);
        } else {
            self.undecided.insert(name.to_owned());
            self.not_modelled(span, &format!("a call of '{name}'"));
        }
        Expr { kind: ExprKind::Load(place), ty, span }
    }
}

/// Whether a part is a constant.
fn is_constant(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Constant(_) | ExprKind::Float(_))
}
