//! gcc's atomic built-ins, as ordinary accesses, between two calls that say that other threads see one.

use super::super::convention::Special;
use super::bits::{binary, target};
use crate::flow::{BinaryOp, Expr, ExprKind, Instruction, Place, UnaryOp};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::threads::{BEGIN_ACCESS, END_ACCESS};
use crate::types::{Type, TypeId};

/// The change of the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The operation, and whether the result is the new value.
    Update(BinaryOp, bool),
    /// `~(a & b)`.
    Nand(bool),
    Exchange,
    Store,
    Load,
    /// Of `_Bool`: sets it, or clears it.
    TestAndSet,
    Clear,
    /// Whether the result is the old value, rather than whether the values were equal.
    CompareAndSwap(bool),
    /// The expected value is in memory, and becomes the old one.
    CompareExchange,
}

/// The built-in without operands in memory, for one of those that have all of them there: `__atomic_store`.
fn without_memory(name: &str) -> Option<&'static str> {
    Some(match name {
        "__atomic_load" => "__atomic_load_n",
        "__atomic_store" => "__atomic_store_n",
        "__atomic_exchange" => "__atomic_exchange_n",
        "__atomic_compare_exchange" => "__atomic_compare_exchange_n",
        _ => return None,
    })
}

/// The built-in of a name.
fn change(name: &str) -> Option<Change> {
    let plain = name.strip_prefix("__sync_").or_else(|| name.strip_prefix("__atomic_"))?;
    let atomic = name.starts_with("__atomic_");
    Some(match plain {
        "bool_compare_and_swap" => Change::CompareAndSwap(false),
        "val_compare_and_swap" => Change::CompareAndSwap(true),
        "lock_test_and_set" => Change::Exchange,
        "lock_release" => Change::Clear,
        "load_n" => Change::Load,
        "store_n" => Change::Store,
        "exchange_n" => Change::Exchange,
        "compare_exchange_n" => Change::CompareExchange,
        "test_and_set" => Change::TestAndSet,
        "clear" => Change::Clear,
        _ => {
            let after = plain.strip_suffix(if atomic { "_fetch" } else { "_and_fetch" });
            let before = plain.strip_prefix(if atomic { "fetch_" } else { "fetch_and_" });
            let new = after.is_some();
            match after.or(before)? {
                "add" => Change::Update(BinaryOp::Add, new),
                "sub" => Change::Update(BinaryOp::Subtract, new),
                "and" => Change::Update(BinaryOp::BitAnd, new),
                "or" => Change::Update(BinaryOp::BitOr, new),
                "xor" => Change::Update(BinaryOp::BitXor, new),
                "nand" => Change::Nand(new),
                _ => return None,
            }
        }
    })
}

impl Context<'_> {
    pub(in crate::parse::expression) fn atomic(&mut self, call: &Special) -> Typed<Called> {
        let &Special { name, arguments, used, span, .. } = call;
        let in_memory = without_memory(name);
        let Some(change) = change(in_memory.unwrap_or(name)) else {
            return Ok(self.undecided_call(name, span));
        };
        let needed = match change {
            Change::Load | Change::TestAndSet | Change::Clear => 1,
            Change::Update(..) | Change::Nand(_) | Change::Exchange | Change::Store => 2,
            Change::CompareAndSwap(_) | Change::CompareExchange => 3,
        };
        // The result goes to memory as well.
        let stored = in_memory.is_some() && matches!(change, Change::Load | Change::Exchange);
        let needed = needed + usize::from(stored);
        if arguments.len() < needed {
            return Err(self.wrong_count(needed, arguments.len(), None, span));
        }
        let (used_arguments, rest) = arguments.split_at(needed);
        let mut values = Vec::with_capacity(needed);
        for argument in used_arguments {
            let value = self.value(argument)?;
            values.push(self.keep(value));
        }
        self.effects_of(rest)?;
        let flag = name == "__atomic_clear" || change == Change::TestAndSet;
        let ty = match *self.types.get(values[0].ty) {
            Type::Pointer(_) if flag => self.unsigned_char(),
            Type::Pointer(ty) => ty,
            _ => return Ok(self.undecided_call(name, span)),
        };
        let pointer = if flag {
            let to = self.types.pointer_to(ty);
            self.convert(values[0].clone(), to)
        } else {
            values[0].clone()
        };
        let arithmetic = matches!(change, Change::Update(..) | Change::Nand(_));
        let fine = match self.types.get(ty) {
            Type::Int { .. } => true,
            Type::Bool | Type::Pointer(_) => !arithmetic,
            _ => false,
        };
        if !fine {
            return Ok(self.undecided_call(name, span));
        }
        // What is behind the other pointers.
        let memory: &[usize] = match (change, in_memory) {
            (Change::CompareExchange, None) => &[1],
            (Change::CompareExchange, Some(_)) => &[1, 2],
            (Change::Exchange, Some(_)) => &[1, 2],
            (_, Some(_)) => &[1],
            _ => &[],
        };
        let to = self.types.pointer_to(ty);
        let smaller = memory.iter().any(|&i| match *self.types.get(values[i].ty) {
            Type::Pointer(target) => self.types.size(target) < self.types.size(ty),
            _ => false,
        });
        if smaller {
            return Ok(self.undecided_call(name, span));
        }
        for (i, value) in values.iter_mut().enumerate().skip(1) {
            let wanted = if memory.contains(&i) { to } else { ty };
            *value = self.assignable(value.clone(), wanted, value.span)?;
        }
        let results = stored.then(|| target(&values[needed - 1], ty, span));
        if in_memory.is_some() {
            let given = match change {
                Change::Store | Change::Exchange => Some(1),
                Change::CompareExchange => Some(2),
                _ => None,
            };
            if let Some(i) = given {
                let from = target(&values[i], ty, span);
                values[i] = self.keep(Expr { kind: ExprKind::Load(from), ty, span });
            }
        }
        let expected = (change == Change::CompareExchange).then(|| target(&values[1], ty, span));
        let wanted = expected.clone().map(|from| self.keep(from.load()));
        let place = target(&pointer, ty, span);
        // One access, as other threads see it, to this object and no other.
        self.later_call(BEGIN_ACCESS, vec![], None, span);
        let old = Expr { kind: ExprKind::Load(place.clone()), ty, span };
        let old = if change == Change::Store { old } else { self.keep(old) };
        let mut given = |context: &mut Self, i: usize| {
            let value = std::mem::replace(&mut values[i], old.clone());
            context.convert(value, ty)
        };
        let result = match change {
            Change::Load => old.clone(),
            Change::Store | Change::Exchange => {
                let new = given(self, 1);
                self.write_target(&place, new);
                old.clone()
            }
            Change::Clear => {
                let zero = self.constant(0, ty, span);
                self.write_target(&place, zero);
                old.clone()
            }
            Change::TestAndSet => {
                let one = self.constant(1, ty, span);
                self.write_target(&place, one);
                old.clone()
            }
            Change::Update(op, after) => {
                let operand = given(self, 1);
                let new = self.wrapping(op, &old, operand, ty);
                let new = self.keep(new);
                self.write_target(&place, new.clone());
                if after { new } else { old.clone() }
            }
            Change::Nand(after) => {
                let operand = given(self, 1);
                let both = self.wrapping(BinaryOp::BitAnd, &old, operand, ty);
                let both = self.promote(both);
                let wide = both.ty;
                let kind = ExprKind::Unary(UnaryOp::BitNot, Box::new(both));
                let new = self.convert(Expr { kind, ty: wide, span }, ty);
                let new = self.keep(new);
                self.write_target(&place, new.clone());
                if after { new } else { old.clone() }
            }
            Change::CompareAndSwap(value) => {
                let (wanted, new) = (given(self, 1), given(self, 2));
                let equal = self.swap_if(&place, &old, wanted, new)?;
                if value { old.clone() } else { equal }
            }
            Change::CompareExchange => {
                let wanted = wanted.unwrap_or_else(|| old.clone());
                let new = self.convert(values[2].clone(), ty);
                self.swap_if(&place, &old, wanted, new)?
            }
        };
        self.later_call(END_ACCESS, vec![], None, span);
        if let Some(expected) = expected {
            // Where they were equal, it has the value.
            let zero = self.constant(0, result.ty, span);
            let int = self.int();
            let differs = binary(BinaryOp::Equal, &result, &zero, int);
            self.write_if(differs, &expected, old, None)?;
        }
        if let Some(to) = results {
            self.write_target(&to, result);
            return Ok(Called::Nothing);
        }
        let silent = matches!(change, Change::Store | Change::Clear);
        Ok(if used && !silent { Called::Value(result) } else { Called::Nothing })
    }

    fn unsigned_char(&mut self) -> TypeId {
        self.types.intern(Type::Int { bits: 8, signed: false, rank: 1 })
    }

    fn write_target(&mut self, place: &Place, value: Expr) {
        self.emit(Instruction::Assign(place.clone(), value), place.span);
    }

    /// An operation that wraps around, in the type of the object.
    fn wrapping(&mut self, op: BinaryOp, left: &Expr, right: Expr, ty: TypeId) -> Expr {
        let bits = self.types.bits(ty).map_or(64, |(bits, _)| bits.max(32));
        let wide = self.unsigned(bits);
        let (left, right) = (self.convert(left.clone(), wide), self.convert(right, wide));
        let value = binary(op, &left, &right, wide);
        self.convert(value, ty)
    }

    /// Stores a value where a condition holds; else the object keeps its own, which may be stored again: by default the
    /// same.
    fn write_if(
        &mut self,
        condition: Expr,
        place: &Place,
        new: Expr,
        had: Option<Expr>,
    ) -> Typed<()> {
        if !self.declares_threads() {
            let value = match had {
                Some(had) => {
                    let [condition, new, had] = [condition, new, had].map(Box::new);
                    let kind = ExprKind::Conditional(condition, new, had);
                    Expr { kind, ty: place.ty, span: place.span }
                }
                None => new,
            };
            self.write_target(place, value);
            return Ok(());
        }
        // Others can tell whether it is written.
        let (yes, no) = (self.fresh(), self.fresh());
        self.branch_on(condition, yes, no, place.span)?;
        self.go_on_at(yes);
        self.write_target(place, new);
        self.jump(no, place.span);
        self.go_on_at(no);
        Ok(())
    }

    /// Stores a value if the old one is as wanted; the result says whether it is.
    fn swap_if(&mut self, place: &Place, old: &Expr, wanted: Expr, new: Expr) -> Typed<Expr> {
        let int = self.int();
        let (left, right) = (self.promote(old.clone()), self.promote(wanted));
        let equal = binary(BinaryOp::Equal, &left, &right, int);
        let equal = self.keep(equal);
        self.write_if(equal.clone(), place, new, Some(old.clone()))?;
        Ok(equal)
    }
}
