//! `scanf` and `fscanf`: what a call stores comes from outside, as inputs of the program.

use super::super::convention::Special;
use super::bits::{binary, target};
use crate::checks::formats::{Direction, Fit, fit};
use crate::flow::{
    Base, BinaryOp, Expr, ExprKind, HavocKind, Instruction, LocationId, Place, Step, Violation,
};
use crate::library::{Conversion, Directive, Scanned, Set, scan, scan_format};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::syntax::tree::Expression;
use crate::types::{Type, TypeId};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

/// `%c` with a greater width is left undecided.
const LONGEST: u32 = 64;

/// A call under construction.
struct Scan<'a> {
    /// The source of its inputs.
    kind: HavocKind,
    span: Span,
    /// The name of the function, as the place of conditions that the text does not have.
    hidden: Span,
    /// The conversions that store something, and whether white space before each of them is skipped by the format.
    stores: Vec<(&'a Conversion, bool)>,
    /// Where the conversion that fails goes on.
    end: LocationId,
}

/// The numbers that a call may return, besides those from 1 to the number of values.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Failures {
    /// -1: the text ends.
    end: bool,
    /// 0: the text is another one.
    mismatch: bool,
}

impl Failures {
    /// How a call may end before anything is stored.
    fn of(directives: &[Directive]) -> Self {
        let mut all = Self::default();
        for directive in directives {
            match directive {
                Directive::Blank => {}
                Directive::Exactly { .. } => all = Self { end: true, mismatch: true },
                Directive::Conversion(conversion) => {
                    all.end = true;
                    all.mismatch |= conversion.mismatches();
                    if conversion.stores {
                        return all;
                    }
                }
            }
        }
        // Nothing is stored at all.
        Self { mismatch: true, ..all }
    }
}

impl Context<'_> {
    /// A call of `scanf` or `fscanf`; `None` where what it does depends on what is not known, as the format.
    pub(in crate::parse::expression) fn scanned(
        &mut self,
        call: &Special,
    ) -> Typed<Option<Called>> {
        let &Special { name, arguments, used, span, .. } = call;
        let Some(index) = scan_format(name) else { return Ok(None) };
        let Some(Expression::StringLiteral(format)) = arguments.get(index).map(|a| &a.node) else {
            return Ok(None);
        };
        let (units, element) = self.string_units(&format.node, span)?;
        let char = self.char();
        let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        let Some(directives) = scan(&bytes, self.types.model).filter(|_| element == char) else {
            return Ok(None);
        };
        let mut stores = Vec::new();
        let mut blank = false;
        for directive in &directives {
            if let Directive::Conversion(conversion) = directive
                && conversion.stores
            {
                stores.push((conversion, blank));
            }
            blank = *directive == Directive::Blank;
        }
        let long = |c: &Conversion| {
            c.what == Scanned::Characters && c.width.is_some_and(|width| width > LONGEST)
        };
        let count = arguments.len() - index - 1;
        if count < stores.len() || stores.iter().any(|(conversion, _)| long(conversion)) {
            return Ok(None);
        }
        self.effects_of(&arguments[..index])?;
        let mut pointers = Vec::new();
        let (targets, more) = arguments[index + 1..].split_at(stores.len());
        for argument in targets {
            let pointer = self.value(argument)?;
            let pointer = if is_fixed(&pointer) { pointer } else { self.keep(pointer) };
            pointers.push(pointer);
        }
        if self.asks(Check::Format, span) {
            let given: Vec<TypeId> = pointers.iter().map(|pointer| pointer.ty).collect();
            if fit(&bytes, &given, &self.types, Direction::In) != Fit::Fits {
                self.stop(Instruction::Error(Violation::Of(ErrorKind::Format)), span);
            }
        }
        // They are evaluated, but otherwise ignored (C11, 7.21.6.2, 2).
        self.effects_of(more)?;
        let mut places = Vec::new();
        for (pointer, (conversion, _)) in pointers.iter().zip(&stores) {
            let Some(place) = self.scanned_place(pointer, conversion, span) else {
                self.not_modelled(span, &format!("a call of '{name}' with a strange argument"));
                let int = self.int();
                return Ok(Some(Called::Value(self.constant(0, int, span))));
            };
            places.push(place);
        }
        // The name stands for what is not to be shown as a step.
        let hidden = Span::new(span.start as usize, span.start as usize + name.len());
        let kind = HavocKind::Input(name.to_owned());
        let scan = Scan { kind, span, hidden, stores, end: self.fresh() };
        let result = self.scan_all(&scan, Failures::of(&directives), places)?;
        Ok(Some(if used { Called::Value(result) } else { Called::Nothing }))
    }

    /// The place that a conversion stores to, of the type that it stores, whatever the pointer is to: `None` where it is no
    /// pointer to an object.
    fn scanned_place(
        &mut self,
        pointer: &Expr,
        conversion: &Conversion,
        span: Span,
    ) -> Option<Place> {
        let Type::Pointer(given) = *self.types.get(pointer.ty) else { return None };
        // `&text` points to the same place as `text`.
        let given = match *self.types.get(given) {
            Type::Array(element, _) if self.types.size(element) == Some(1) => element,
            _ => given,
        };
        let wanted = match conversion.what {
            Scanned::Integer { bits, .. } => {
                let rank = match bits {
                    8 => 1,
                    16 => 2,
                    32 => 3,
                    _ => 5,
                };
                Type::Int { bits, signed: true, rank }
            }
            Scanned::Real { bits } => Type::Float { bits },
            Scanned::Characters | Scanned::Text(_) => Type::Int { bits: 8, signed: true, rank: 1 },
        };
        let ty = match (self.types.get(given), &wanted) {
            (Type::Int { bits: own, .. }, Type::Int { bits, .. }) if own == bits => given,
            (Type::Float { bits: own }, Type::Float { bits }) if own == bits => given,
            (Type::Function { .. }, _) => return None,
            _ => self.types.intern(wanted),
        };
        if let ExprKind::AddressOf(place) = &pointer.kind {
            if place.ty == ty {
                return Some(place.clone());
            }
            if *self.types.get(place.ty) == Type::Array(ty, self.length(place.ty)) {
                let word = self.types.signed_word();
                let first = self.constant(0, word, place.span);
                let mut place = place.clone();
                place.path.push(Step::Index(Box::new(first)));
                return Some(Place { ty, ..place });
            }
        }
        let to = self.types.pointer_to(ty);
        let pointer = self.convert(pointer.clone(), to);
        Some(target(&pointer, ty, span))
    }

    /// The length of an array.
    fn length(&self, ty: TypeId) -> Option<u64> {
        match self.types.get(ty) {
            Type::Array(_, length) => *length,
            _ => None,
        }
    }

    /// The result, and then the values that it counts.
    fn scan_all(&mut self, scan: &Scan<'_>, failures: Failures, places: Vec<Place>) -> Typed<Expr> {
        let (int, span) = (self.int(), scan.span);
        let count = scan.stores.len() as u64;
        if count == 0 && !failures.end {
            return Ok(self.constant(0, int, span));
        }
        let result = self.scanned_value(scan, int);
        let least = self.constant(if failures.end { u64::from(u32::MAX) } else { 0 }, int, span);
        let greatest = self.constant(count, int, span);
        let above = binary(BinaryOp::GreaterEqual, &result, &least, int);
        let below = binary(BinaryOp::LessEqual, &result, &greatest, int);
        let mut possible = binary(BinaryOp::And, &above, &below, int);
        if !failures.mismatch {
            let zero = self.constant(0, int, span);
            let other = binary(BinaryOp::NotEqual, &result, &zero, int);
            possible = binary(BinaryOp::And, &possible, &other, int);
        }
        self.assumed(possible, scan.hidden)?;
        for (i, place) in places.into_iter().enumerate() {
            let (conversion, blank) = scan.stores[i];
            let number = self.constant(i as u64, int, span);
            let more = binary(BinaryOp::Greater, &result, &number, int);
            let next = self.fresh();
            self.branch_on(more, next, scan.end, scan.hidden)?;
            self.go_on_at(next);
            self.scan_one(scan, conversion, blank, place)?;
        }
        self.jump(scan.end, span);
        self.go_on_at(scan.end);
        Ok(result)
    }

    /// Stores the value of a conversion.
    fn scan_one(
        &mut self,
        scan: &Scan<'_>,
        conversion: &Conversion,
        blank: bool,
        place: Place,
    ) -> Typed<()> {
        let (ty, span) = (place.ty, scan.span);
        match &conversion.what {
            Scanned::Integer { bits, .. } => {
                let all = 1_i128 << bits;
                match conversion.limits() {
                    // What the type cannot represent has no meaning (C11, 7.21.6.2, 10): then it may be any number.
                    Some((least, greatest)) if least >= -(all / 2) && greatest < all / 2 => {
                        let long = self.types.intern(Type::Int { bits: 64, signed: true, rank: 5 });
                        let bits = self.scanned_value(scan, ty);
                        let bits = self.signed(bits);
                        let number = self.convert(bits.clone(), long);
                        let [least, greatest] = [least, greatest]
                            .map(|limit| self.constant(limit as i64 as u64, long, span));
                        let int = self.int();
                        let above = binary(BinaryOp::GreaterEqual, &number, &least, int);
                        let below = binary(BinaryOp::LessEqual, &number, &greatest, int);
                        let fits = binary(BinaryOp::And, &above, &below, int);
                        self.assumed(fits, scan.hidden)?;
                        let value = self.convert(bits, ty);
                        self.emit(Instruction::Assign(place, value), span);
                    }
                    _ => self.emit(Instruction::Havoc(place, scan.kind.clone()), span),
                }
            }
            Scanned::Real { .. } => self.emit(Instruction::Havoc(place, scan.kind.clone()), span),
            Scanned::Characters => {
                for i in 0..conversion.width.unwrap_or(1) {
                    let word = self.types.signed_word();
                    let at = self.constant(u64::from(i), word, span);
                    let value = self.scanned_value(scan, ty);
                    if i == 0 && blank {
                        // The white space before it is gone.
                        let mut visible = vec![(0, 0)];
                        visible.extend(Set::visible().ranges());
                        self.member_of(scan, &value, &visible)?;
                    }
                    let place =
                        if i == 0 { place.clone() } else { self.scanned_behind(&place, &at) };
                    self.emit(Instruction::Assign(place, value), span);
                }
            }
            Scanned::Text(set) => self.scan_text(scan, (set, conversion.width), blank, &place)?,
        }
        Ok(())
    }

    /// A text: its characters are inputs, with a zero at the end, unless there are as many as the width says.
    fn scan_text(
        &mut self,
        scan: &Scan<'_>,
        (set, width): (&Set, Option<u32>),
        blank: bool,
        place: &Place,
    ) -> Typed<()> {
        let (ty, span) = (place.ty, scan.span);
        let (int, word) = (self.int(), self.types.signed_word());
        let index = self.temporary(word, span);
        let at = Expr { kind: ExprKind::Load(index.clone()), ty: word, span };
        let one = self.constant(1, word, span);
        let first = self.constant(0, word, span);
        self.emit(Instruction::Assign(index.clone(), first.clone()), span);
        // There is at least one character.
        let value = self.scanned_value(scan, ty);
        let start = if blank { set.without_blanks() } else { set.clone() };
        self.member_of(scan, &value, &start.ranges())?;
        self.emit(Instruction::Assign(place.clone(), value), span);
        let (head, done) = (self.fresh(), self.fresh());
        self.jump(head, scan.hidden);
        self.go_on_at(head);
        let next = binary(BinaryOp::Add, &at, &one, word);
        self.emit(Instruction::Assign(index, next), span);
        if let Some(width) = width {
            let width = self.constant(u64::from(width), word, span);
            let full = binary(BinaryOp::GreaterEqual, &at, &width, int);
            let more = self.fresh();
            self.branch_on(full, done, more, scan.hidden)?;
            self.go_on_at(more);
        }
        let value = self.scanned_value(scan, ty);
        let zero = self.constant(0, ty, span);
        let ends = binary(BinaryOp::Equal, &value, &zero, int);
        let more = self.fresh();
        self.branch_on(ends, done, more, scan.hidden)?;
        self.go_on_at(more);
        self.member_of(scan, &value, &set.ranges())?;
        let next = self.scanned_behind(place, &at);
        self.emit(Instruction::Assign(next, value), span);
        self.jump(head, scan.hidden);
        self.go_on_at(done);
        let next = self.scanned_behind(place, &at);
        self.emit(Instruction::Assign(next, zero), span);
        Ok(())
    }

    /// Drops the execution unless a character is in one of the ranges.
    fn member_of(&mut self, scan: &Scan<'_>, value: &Expr, ranges: &[(u8, u8)]) -> Typed<()> {
        let int = self.int();
        let byte = self.types.intern(Type::Int { bits: 8, signed: false, rank: 1 });
        let number = self.convert(value.clone(), byte);
        let number = self.convert(number, int);
        let among = self.among(&number, ranges);
        self.assumed(among, scan.hidden)
    }

    /// An input of the call.
    fn scanned_value(&mut self, scan: &Scan<'_>, ty: TypeId) -> Expr {
        let place = self.temporary(ty, scan.span);
        self.emit(Instruction::Havoc(place.clone(), scan.kind.clone()), scan.span);
        Expr { kind: ExprKind::Load(place), ty, span: scan.span }
    }

    /// The bits of an integer as a signed number.
    fn signed(&mut self, value: Expr) -> Expr {
        match *self.types.get(value.ty) {
            Type::Int { bits, rank, .. } => {
                let ty = self.types.intern(Type::Int { bits, signed: true, rank });
                self.convert(value, ty)
            }
            _ => value,
        }
    }

    /// Drops the execution unless the condition holds.
    fn assumed(&mut self, condition: Expr, span: Span) -> Typed<()> {
        let (yes, no) = (self.fresh(), self.fresh());
        self.branch_on(condition, yes, no, span)?;
        self.go_on_at(no);
        self.stop(Instruction::Halt, span);
        self.go_on_at(yes);
        Ok(())
    }

    /// The place behind another one, by so many elements.
    pub(super) fn scanned_behind(&mut self, place: &Place, index: &Expr) -> Place {
        let mut place = place.clone();
        let element = place.ty;
        if let Some(Step::Index(first)) = place.path.last_mut() {
            // An element of an array.
            let ty = first.ty;
            let sum = binary(BinaryOp::Add, first, index, ty);
            **first = if matches!(first.kind, ExprKind::Constant(0)) { index.clone() } else { sum };
            return place;
        }
        let span = place.span;
        let ty = self.types.pointer_to(element);
        let pointer = match place.base {
            Base::Pointer(pointer) if place.path.is_empty() => pointer,
            _ => Box::new(Expr { kind: ExprKind::AddressOf(place), ty, span }),
        };
        let kind = ExprKind::Offset { pointer, index: Box::new(index.clone()), scale: 1 };
        let pointer = Expr { kind, ty, span };
        target(&pointer, element, span)
    }
}

/// Whether it is the address of something whose place does not depend on any value.
pub(super) fn is_fixed(pointer: &Expr) -> bool {
    let ExprKind::AddressOf(place) = &pointer.kind else { return false };
    let variable = matches!(place.base, Base::Variable(_));
    variable && place.operands().all(|e| matches!(e.kind, ExprKind::Constant(_)))
}
