//! Library functions whose effect is written out as control flow: `fgets`, `read`, `time`, and `qsort`.

use super::super::constant::wrap;
use super::super::convention::Special;
use super::bits::{binary, target};
use super::scan::is_fixed;
use crate::flow::{BinaryOp, Callee, Expr, ExprKind, HavocKind, Instruction, Place, Step};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::reliance::Reliance;
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

/// The flag `MSG_TRUNC` of Linux.
const TRUNCATES: i128 = 0x20;

/// Sizes up to it are positive in each data model.
const MOST_BYTES: u64 = 0x7FFF_FFFF;

impl Context<'_> {
    /// A call of a function whose meaning is written out where it is called; `None` for other functions.
    pub(in crate::parse::expression) fn inlined(
        &mut self,
        call: &Special,
    ) -> Typed<Option<Called>> {
        match (call.name, call.arguments.len()) {
            ("fgets", 3) => self.line(call).map(Some),
            ("time", 1) => self.time(call).map(Some),
            ("read", 3) | ("recv", 4) | ("fread", 4) => self.received(call),
            ("malloc", 1) | ("calloc", 2) => self.too_large(call),
            ("putchar", 1) | ("fputc" | "putc", 2) if call.used => {
                self.put_character(call).map(Some)
            }
            ("div" | "ldiv" | "lldiv" | "imaxdiv", 2) => self.quotient(call),
            _ => self.scanned(call),
        }
    }

    /// A call of `malloc` or `calloc` for more than half of the address space, which glibc never gives.
    fn too_large(&mut self, call: &Special) -> Typed<Option<Called>> {
        let &Special { arguments, used, span, .. } = call;
        let word = self.types.model.word();
        let mut size = 1_u128;
        for argument in arguments {
            let Some((number, _)) = self.try_constant(argument)? else { return Ok(None) };
            size = size.saturating_mul(u128::from(wrap(number, word)));
        }
        if size < 1 << (word - 1) {
            return Ok(None);
        }
        let void = self.types.intern(Type::Void);
        let ty = self.types.pointer_to(void);
        let null = self.constant(0, ty, span);
        Ok(Some(if used { Called::Value(null) } else { Called::Nothing }))
    }

    /// `putchar(c)` and its like, whose result is the character (C11, 7.21.7.3).
    fn put_character(&mut self, call: &Special) -> Typed<Called> {
        let &Special { arguments, span, .. } = call;
        self.rely(Reliance::Output, span);
        let (int, byte) = (self.int(), Type::Int { bits: 8, signed: false, rank: 1 });
        let byte = self.types.intern(byte);
        let value = self.value(&arguments[0])?;
        let value = self.implicit(value, int);
        let value = self.convert(value, byte);
        let value = self.convert(value, int);
        let value = self.keep(value);
        self.effects_of(&arguments[1..])?;
        Ok(Called::Value(value))
    }

    /// `div` and its like (C11, 7.22.6.2): a record of the quotient and the remainder.
    fn quotient(&mut self, call: &Special) -> Typed<Option<Called>> {
        let &Special { id, arguments, used, span, .. } = call;
        let Type::Function { result, ref parameters, .. } =
            *self.types.get(self.functions[id.0 as usize].ty)
        else {
            return Ok(None);
        };
        let fields = self.types.as_record(result).and_then(|(_, record)| record.fields.as_ref());
        let (&[ty, _], Some(fields)) = (&parameters[..], fields) else { return Ok(None) };
        let member = |name| fields.iter().position(|f| f.name == name && f.ty == ty);
        let (Some(whole), Some(rest)) = (member("quot"), member("rem")) else { return Ok(None) };
        let left = self.value(&arguments[0])?;
        let left = self.implicit(left, ty);
        let left = self.keep(left);
        let right = self.value(&arguments[1])?;
        let right = self.implicit(right, ty);
        let right = self.keep(right);
        let place = self.temporary(result, span);
        for (field, op) in [(whole, BinaryOp::Divide), (rest, BinaryOp::Remainder)] {
            let path = vec![Step::Field(field as u32)];
            let to = Place { path, ty, ..place.clone() };
            let value = Expr { span, ..binary(op, &left, &right, ty) };
            self.emit(Instruction::Assign(to, value), span);
        }
        let value = Expr { kind: ExprKind::Load(place), ty: result, span };
        Ok(Some(if used { Called::Value(value) } else { Called::Nothing }))
    }

    /// `fgets(buffer, size, stream)`: whether there is no line, as an input, and then its characters, up to a zero
    /// where it has no end.
    fn line(&mut self, call: &Special) -> Typed<Called> {
        let &Special { name, arguments, used, span, .. } = call;
        let kind = HavocKind::Input(name.to_owned());
        let hidden = Span::new(span.start as usize, span.start as usize + name.len());
        let buffer = self.value(&arguments[0])?;
        let buffer = if is_fixed(&buffer) { buffer } else { self.keep(buffer) };
        let (int, char, word) = (self.int(), self.char(), self.types.signed_word());
        let size = self.value(&arguments[1])?;
        let size = self.implicit(size, int);
        let size = self.keep(size);
        self.effects_of(&arguments[2..])?;
        let is_text = match *self.types.get(buffer.ty) {
            Type::Pointer(to) => {
                matches!(self.types.get(to), Type::Int { bits: 8, .. } | Type::Void)
            }
            _ => false,
        };
        if !is_text {
            return Ok(self.undecided_call(name, span));
        }
        let to_char = self.types.pointer_to(char);
        let start = self.convert(buffer.clone(), to_char);
        let place = match &buffer.kind {
            ExprKind::AddressOf(place) if self.is_array_of(place.ty, char) => {
                let mut place = place.clone();
                let first = self.constant(0, word, place.span);
                place.path.push(Step::Index(Box::new(first)));
                Place { ty: char, ..place }
            }
            _ => target(&start, char, span),
        };
        let two = self.constant(2, int, span);
        let small = binary(BinaryOp::Less, &size, &two, int);
        let (tiny, fine) = (self.fresh(), self.fresh());
        self.branch_on(small, tiny, fine, hidden)?;
        self.go_on_at(tiny);
        self.stop(Instruction::Unsupported(format!("'{name}' with so small a size")), span);
        self.go_on_at(fine);
        let result = self.temporary(to_char, span);
        let bool = self.types.intern(Type::Bool);
        let fails = self.input_of(&kind, bool, span);
        let (none, some, end) = (self.fresh(), self.fresh(), self.fresh());
        let fails = self.convert(fails, int);
        self.branch_on(fails, none, some, hidden)?;
        self.go_on_at(none);
        let null = self.constant(0, to_char, span);
        self.emit(Instruction::Assign(result.clone(), null), span);
        self.jump(end, hidden);
        self.go_on_at(some);
        self.emit(Instruction::Assign(result.clone(), start), span);
        self.line_characters((&kind, hidden), &place, &size, span)?;
        self.jump(end, hidden);
        self.go_on_at(end);
        if !used {
            return Ok(Called::Nothing);
        }
        Ok(Called::Value(Expr { kind: ExprKind::Load(result), ty: to_char, span }))
    }

    /// `read(file, buffer, size)` and `recv`: how many bytes come, or -1, as an input, and then these bytes.  So does
    /// `fread`, which never returns -1, and says how many elements of a constant size have come as a whole.
    fn received(&mut self, call: &Special) -> Typed<Option<Called>> {
        let &Special { name, arguments, used, span, .. } = call;
        let kind = HavocKind::Input(name.to_owned());
        let hidden = Span::new(span.start as usize, span.start as usize + name.len());
        let is_file = name == "fread";
        let element = match is_file {
            true => match self.try_constant(&arguments[1])? {
                Some((size @ 1.., _)) if size <= i128::from(MOST_BYTES) => size as u64,
                _ => return Ok(None),
            },
            false => 1,
        };
        // `MSG_TRUNC` gives the size of what is received, which may be greater.
        if !is_file
            && let Some(flags) = arguments.get(3)
            && self.try_constant(flags)?.is_none_or(|(flags, _)| flags & TRUNCATES != 0)
        {
            return Ok(Some(self.undecided_call(name, span)));
        }
        let to = usize::from(!is_file);
        self.effects_of(&arguments[..to])?;
        let buffer = self.value(&arguments[to])?;
        let buffer = if is_fixed(&buffer) { buffer } else { self.keep(buffer) };
        let word = self.types.signed_word();
        let size = self.value(&arguments[2])?;
        let size = self.convert(size, word);
        let size = self.keep(size);
        self.effects_of(&arguments[3..])?;
        let (int, char) = (self.int(), self.char());
        if !self.types.is_pointer(buffer.ty) {
            return Ok(Some(self.undecided_call(name, span)));
        }
        let to_char = self.types.pointer_to(char);
        let start = self.convert(buffer, to_char);
        let place = target(&start, char, span);
        let count = self.input_of(&kind, word, span);
        let least = self.constant(if is_file { 0 } else { u64::MAX }, word, span);
        // No more than a number of the type counts.
        let zero = self.constant(0, word, span);
        let all = u64::MAX >> (65 - self.types.model.word());
        let mut is_huge = binary(BinaryOp::Less, &size, &zero, int);
        if element > 1 {
            let elements = self.constant(all / element, word, span);
            let is_greater = binary(BinaryOp::Greater, &size, &elements, int);
            is_huge = binary(BinaryOp::Or, &is_huge, &is_greater, int);
        }
        let greatest = self.constant(all, word, span);
        let most = match size.kind {
            ExprKind::Constant(value) if value <= MOST_BYTES / element => {
                self.constant(value * element, word, span)
            }
            _ => {
                let by = self.constant(element, word, span);
                let bytes = match element {
                    1 => size,
                    _ => binary(BinaryOp::Multiply, &size, &by, word),
                };
                let parts = [is_huge, greatest, bytes].map(Box::new);
                let [is_huge, greatest, size] = parts;
                let kind = ExprKind::Conditional(is_huge, greatest, size);
                Expr { kind, ty: word, span }
            }
        };
        let (head, more, store, end, wrong) =
            (self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let (known, begin) = (self.fresh(), self.fresh());
        self.branch_on(binary(BinaryOp::Less, &count, &least, int), wrong, known, hidden)?;
        self.go_on_at(known);
        self.branch_on(binary(BinaryOp::Greater, &count, &most, int), wrong, begin, hidden)?;
        self.go_on_at(wrong);
        self.stop(Instruction::Halt, hidden);
        self.go_on_at(begin);
        let index = self.temporary(word, span);
        let at = Expr { kind: ExprKind::Load(index.clone()), ty: word, span };
        let (zero, one) = (self.constant(0, word, span), self.constant(1, word, span));
        self.emit(Instruction::Assign(index.clone(), zero), span);
        self.jump(head, hidden);
        self.go_on_at(head);
        self.branch_on(binary(BinaryOp::Less, &at, &count, int), more, end, hidden)?;
        self.go_on_at(more);
        let value = self.temporary(char, span);
        let byte = Expr { kind: ExprKind::Load(value.clone()), ty: char, span };
        self.emit(Instruction::Havoc(value, kind), span);
        self.jump(store, hidden);
        self.go_on_at(store);
        let next = self.scanned_behind(&place, &at);
        self.emit(Instruction::Assign(next, byte), span);
        self.emit(Instruction::Assign(index, binary(BinaryOp::Add, &at, &one, word)), span);
        self.jump(head, hidden);
        self.go_on_at(end);
        if is_file {
            let by = self.constant(element, word, span);
            let whole = binary(BinaryOp::Divide, &count, &by, word);
            let size = self.types.unsigned_word();
            let whole = self.convert(whole, size);
            return Ok(Some(if used { Called::Value(whole) } else { Called::Nothing }));
        }
        Ok(Some(if used { Called::Value(count) } else { Called::Nothing }))
    }

    /// Stores the characters of a line, at least one, and a zero.
    fn line_characters(
        &mut self,
        (kind, hidden): (&HavocKind, Span),
        place: &Place,
        size: &Expr,
        span: Span,
    ) -> Typed<()> {
        let (int, word, char) = (self.int(), self.types.signed_word(), place.ty);
        let index = self.temporary(word, span);
        let at = Expr { kind: ExprKind::Load(index.clone()), ty: word, span };
        let first = self.constant(0, word, span);
        self.emit(Instruction::Assign(index.clone(), first), span);
        let value = self.temporary(char, span);
        let c = Expr { kind: ExprKind::Load(value.clone()), ty: char, span };
        let zero = self.constant(0, char, span);
        let ends = binary(BinaryOp::Equal, &c, &zero, int);
        let (head, store, more, done, nothing) =
            (self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.emit(Instruction::Havoc(value.clone(), kind.clone()), span);
        self.branch_on(ends.clone(), nothing, store, hidden)?;
        self.go_on_at(nothing);
        self.stop(Instruction::Halt, hidden);
        self.go_on_at(head);
        self.emit(Instruction::Havoc(value, kind.clone()), span);
        self.branch_on(ends, done, store, hidden)?;
        self.go_on_at(store);
        let next = self.scanned_behind(place, &at);
        self.emit(Instruction::Assign(next, c.clone()), span);
        let one = self.constant(1, word, span);
        let next = binary(BinaryOp::Add, &at, &one, word);
        self.emit(Instruction::Assign(index, next), span);
        let newline = self.constant(u64::from(b'\n'), char, span);
        let is_end = binary(BinaryOp::Equal, &c, &newline, int);
        self.branch_on(is_end, done, more, hidden)?;
        self.go_on_at(more);
        let size = self.convert(size.clone(), word);
        let last = binary(BinaryOp::Subtract, &size, &one, word);
        let room = binary(BinaryOp::Less, &at, &last, int);
        self.branch_on(room, head, done, hidden)?;
        self.go_on_at(done);
        let next = self.scanned_behind(place, &at);
        self.emit(Instruction::Assign(next, zero), span);
        Ok(())
    }

    /// `time(p)`: any time, which is stored, too, unless `p` is null.
    fn time(&mut self, call: &Special) -> Typed<Called> {
        let &Special { name, arguments, used, span, .. } = call;
        let hidden = Span::new(span.start as usize, span.start as usize + name.len());
        let pointer = self.value(&arguments[0])?;
        if !self.types.is_pointer(pointer.ty) && self.as_number(&pointer) != Some(0) {
            return Ok(self.undecided_call(name, span));
        }
        let long = self.types.signed_word();
        let to = self.types.pointer_to(long);
        let pointer = self.convert(pointer, to);
        let null = matches!(pointer.kind, ExprKind::Constant(0));
        let pointer = self.keep(pointer);
        let kind = HavocKind::Input(name.to_owned());
        let value = self.input_of(&kind, long, span);
        self.is_before_the_year_10000(&value, span);
        if !null {
            let int = self.int();
            let zero = self.constant(0, to, span);
            let given = binary(BinaryOp::NotEqual, &pointer, &zero, int);
            let (store, end) = (self.fresh(), self.fresh());
            self.branch_on(given, store, end, hidden)?;
            self.go_on_at(store);
            self.emit(Instruction::Assign(target(&pointer, long, span), value.clone()), span);
            self.jump(end, hidden);
            self.go_on_at(end);
        }
        Ok(if used { Called::Value(value) } else { Called::Nothing })
    }

    /// Takes a clock to show a time from 1970 on and before the year 10000: functions that write dates give up far later.
    fn is_before_the_year_10000(&mut self, time: &Expr, span: Span) {
        const END: u64 = 253_402_300_800;
        let int = self.int();
        let zero = self.constant(0, time.ty, span);
        let mut condition = binary(BinaryOp::GreaterEqual, time, &zero, int);
        if self.types.bits(time.ty).is_some_and(|(bits, _)| bits > 32) {
            let end = self.constant(END, time.ty, span);
            let is_before = binary(BinaryOp::Less, time, &end, int);
            condition = binary(BinaryOp::And, &condition, &is_before, int);
        }
        self.emit(Instruction::Assume { condition, expected: true }, span);
    }

    /// `qsort(base, count, size, compare)`: insertion sort.
    pub(in crate::parse::expression) fn sort(&mut self, call: &Special) -> Typed<Called> {
        let &Special { name, arguments, span, .. } = call;
        let [base, count, size, compare] = arguments else {
            return Err(self.wrong_count(4, arguments.len(), None, span));
        };
        let hidden = Span::new(span.start as usize, span.start as usize + name.len());
        let base = self.value(base)?;
        let base = self.keep(uncast(base));
        let (count, size) = (self.value(count)?, self.value(size)?);
        let (word, unsigned) = (self.types.signed_word(), self.types.unsigned_word());
        let count = self.unchanged(count, unsigned);
        let count = self.convert(count, word);
        let count = self.keep(count);
        let compare = self.value(compare)?;
        let element = match *self.types.get(base.ty) {
            Type::Pointer(element) => Some(element),
            _ => None,
        };
        let known = self.as_number(&size).and_then(|size| u64::try_from(size).ok());
        let element = element.filter(|&ty| {
            let single = self.types.is_scalar(ty) || self.types.as_record(ty).is_some();
            single && known.is_some() && self.types.size(ty) == known
        });
        let (Some(element), true) = (element, self.is_comparison_function(compare.ty)) else {
            return Ok(self.undecided_call(name, span));
        };
        let callee = match compare.kind {
            ExprKind::FunctionAddress(id) => Callee::Function(id),
            _ => Callee::Pointer(self.keep(compare)),
        };
        self.reliances.insert((Reliance::StableSort, None));
        self.sorted((&base, element), &count, callee, (span, hidden))?;
        Ok(Called::Nothing)
    }

    fn sorted(
        &mut self,
        (base, element): (&Expr, TypeId),
        count: &Expr,
        callee: Callee,
        (span, hidden): (Span, Span),
    ) -> Typed<()> {
        let (int, word) = (self.int(), self.types.signed_word());
        let void = self.void();
        let to_void = self.types.pointer_to(void);
        let [i, j] = [self.temporary(word, span), self.temporary(word, span)];
        let load = |place: &Place| Expr { kind: ExprKind::Load(place.clone()), ty: place.ty, span };
        let (at_i, at_j) = (load(&i), load(&j));
        let one = self.constant(1, word, span);
        let zero = self.constant(0, word, span);
        let before_j = binary(BinaryOp::Subtract, &at_j, &one, word);
        let scale = self.types.size(element).unwrap_or(1);
        let pointer = |index: &Expr| {
            let kind = ExprKind::Offset {
                pointer: Box::new(base.clone()),
                index: Box::new(index.clone()),
                scale,
            };
            Expr { kind, ty: base.ty, span }
        };
        let (left, right) = (pointer(&before_j), pointer(&at_j));
        let (outer, inner, compared, swap, next, end) =
            (self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.emit(Instruction::Assign(i.clone(), one.clone()), hidden);
        self.jump(outer, hidden);
        self.go_on_at(outer);
        let more = binary(BinaryOp::Less, &at_i, count, int);
        let start = self.fresh();
        self.branch_on(more, start, end, hidden)?;
        self.go_on_at(start);
        self.emit(Instruction::Assign(j.clone(), at_i.clone()), hidden);
        self.jump(inner, hidden);
        self.go_on_at(inner);
        let some = binary(BinaryOp::Greater, &at_j, &zero, int);
        self.branch_on(some, compared, next, hidden)?;
        self.go_on_at(compared);
        let arguments =
            vec![self.convert(left.clone(), to_void), self.convert(right.clone(), to_void)];
        let result = self.temporary(int, span);
        let order = load(&result);
        self.emit(Instruction::Call { result: Some(result), callee, arguments }, span);
        let none = self.constant(0, int, span);
        let larger = binary(BinaryOp::Greater, &order, &none, int);
        self.branch_on(larger, swap, next, hidden)?;
        self.go_on_at(swap);
        let kept = self.temporary(element, span);
        let [left, right] = [target(&left, element, span), target(&right, element, span)];
        self.emit(Instruction::Assign(kept.clone(), load(&left)), span);
        self.emit(Instruction::Assign(left, load(&right)), span);
        self.emit(Instruction::Assign(right, load(&kept)), span);
        self.emit(Instruction::Assign(j, before_j), hidden);
        self.jump(inner, hidden);
        self.go_on_at(next);
        let following = binary(BinaryOp::Add, &at_i, &one, word);
        self.emit(Instruction::Assign(i, following), hidden);
        self.jump(outer, hidden);
        self.go_on_at(end);
        Ok(())
    }

    /// Whether it points to a function that takes two pointers and returns an `int`.
    fn is_comparison_function(&mut self, ty: TypeId) -> bool {
        let int = self.int();
        let Type::Pointer(to) = *self.types.get(ty) else { return false };
        match self.types.get(to) {
            Type::Function { result, parameters, variadic: false } => {
                *result == int
                    && parameters.len() == 2
                    && parameters.iter().all(|&p| self.types.is_pointer(p))
            }
            _ => false,
        }
    }

    fn is_array_of(&self, ty: TypeId, element: TypeId) -> bool {
        matches!(*self.types.get(ty), Type::Array(own, _) if own == element)
    }

    /// An input of a library function.
    fn input_of(&mut self, kind: &HavocKind, ty: TypeId, span: Span) -> Expr {
        let place = self.temporary(ty, span);
        self.emit(Instruction::Havoc(place.clone(), kind.clone()), span);
        Expr { kind: ExprKind::Load(place), ty, span }
    }
}

/// The pointer that was converted, perhaps to `void *`.
fn uncast(mut pointer: Expr) -> Expr {
    while let ExprKind::Cast(inner) = pointer.kind {
        pointer = *inner;
    }
    pointer
}
