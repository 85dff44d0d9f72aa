//! The state of a block on the ways to a location, as long as some of it has no value.

use super::key::Key;
use crate::flow::{Base, BinaryOp, Expr, ExprKind, Flow, Place, UnaryOp};
use crate::lower::rests::facts::Facts;
use crate::lower::rests::set::Set;

/// The block is one of those that a call makes, any of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    /// Places that hold the address of its first byte.
    pub aliases: Vec<Key>,
    /// Whether other places may hold an address in it, too.
    pub has_escaped: bool,
    /// The leaves that may have no value.
    pub without: Set,
    pub facts: Facts,
    /// Whether it was there before this activation, so that whoever called this one may find it in a variable of its own.
    pub is_held: bool,
    /// Whether the call that made it is in this activation, or in one that it has called: whoever called this one goes on.
    pub is_new: bool,
}

impl State {
    /// Takes in another way to the same location; whether that changes anything.
    pub fn include(&mut self, other: &Self) -> bool {
        let before = self.clone();
        self.has_escaped |= other.has_escaped || self.aliases != other.aliases;
        self.aliases.retain(|alias| other.aliases.contains(alias));
        self.without.include(&other.without);
        self.facts.meet(&other.facts);
        self.is_held |= other.is_held;
        self.is_new |= other.is_new;
        *self != before
    }

    /// Whether this activation can find the block.
    pub fn is_found(&self) -> bool {
        self.has_escaped || !self.aliases.is_empty()
    }

    /// Whether the program can still find the block, and something of it has no value.
    pub fn matters(&self) -> bool {
        (self.is_held || self.is_found()) && !self.without.is_empty()
    }

    fn is_alias(&self, flow: &Flow, place: &Place) -> bool {
        !self.aliases.is_empty()
            && Key::new(flow, place).is_some_and(|key| self.aliases.contains(&key))
    }

    /// Whether the value is, or contains, an address in the block that is read from an alias.
    pub fn carries(&self, flow: &Flow, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Load(place) => self.is_alias(flow, place),
            ExprKind::AddressOf(Place { base: Base::Pointer(pointer), .. }) => {
                self.carries(flow, pointer)
            }
            ExprKind::Cast(inner) | ExprKind::Offset { pointer: inner, .. } => {
                self.carries(flow, inner)
            }
            ExprKind::Unary(op, inner) => *op != UnaryOp::Not && self.carries(flow, inner),
            ExprKind::Binary(op, a, b) => {
                !is_comparison(*op) && (self.carries(flow, a) || self.carries(flow, b))
            }
            ExprKind::Conditional(_, a, b) => self.carries(flow, a) || self.carries(flow, b),
            _ => false,
        }
    }

    /// Whether the value is the address of the first byte.
    pub fn is_start(&self, flow: &Flow, value: &Expr) -> bool {
        super::key::loaded(value).is_some_and(|place| self.is_alias(flow, place))
    }

    /// Whether a branch is taken only if the address is null: then there is no block.
    pub fn denies(&self, flow: &Flow, condition: &Expr, expected: bool) -> bool {
        let is_null = |e: &Expr| flow.constant(e) == Some(0) || is_cast_null(flow, e);
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.denies(flow, inner, !expected),
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b) => {
                let other = match (is_null(a), is_null(b)) {
                    (_, true) => a,
                    (true, _) => b,
                    _ => return false,
                };
                let says_null = (*op == BinaryOp::Equal) == expected;
                match self.is_start(flow, other) {
                    true => says_null,
                    // `(p == 0) != 0`
                    false => self.denies(flow, other, !says_null),
                }
            }
            ExprKind::Cast(inner) if !self.is_start(flow, condition) => {
                self.denies(flow, inner, expected)
            }
            _ => !expected && self.is_start(flow, condition),
        }
    }
}

fn is_cast_null(flow: &Flow, value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Cast(inner) if flow.constant(inner) == Some(0))
}

fn is_comparison(op: BinaryOp) -> bool {
    op.compares() || matches!(op, BinaryOp::And | BinaryOp::Or)
}
