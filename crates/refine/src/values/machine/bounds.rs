//! Bounds of a term, for the check alone: its rules have nothing in common with the operators of
//! the exploration.
//!
//! Numbers are signed and exact.  Where a result may leave the width, it may be anything.

use rustc_hash::FxHashMap;

use super::interval::{Interval, greatest, least, signed};
use hardbop_smt::{BitOp, Node, Symbol, Term, Terms};

/// The bounds of a term, if its variables are where `variable` says; `None`: there is no rule.
pub fn of(
    terms: &Terms,
    root: Term,
    variable: impl Fn(Symbol) -> Option<Interval>,
) -> Option<Interval> {
    let mut known: FxHashMap<Term, (i128, i128)> = FxHashMap::default();
    for t in terms.postorder(&[root], |_| false) {
        let bounds = match *terms.node(t) {
            Node::Bits { width, value } => {
                let number = i128::from(signed(width, value));
                (number, number)
            }
            Node::Variable(symbol) => {
                let Interval { low, high } = variable(symbol)?;
                (i128::from(low), i128::from(high))
            }
            Node::SignExtend { term, .. } => known[&term],
            Node::Binary(op, a, b) => {
                let width = terms.width(t);
                let (least, greatest) = (i128::from(least(width)), i128::from(greatest(width)));
                let (low, high) = binary(op, known[&a], known[&b])?;
                if least <= low && high <= greatest { (low, high) } else { (least, greatest) }
            }
            _ => return None,
        };
        known.insert(t, bounds);
    }
    let (low, high) = known[&root];
    Some(Interval { low: i64::try_from(low).ok()?, high: i64::try_from(high).ok()? })
}

fn binary(op: BitOp, (al, ah): (i128, i128), (bl, bh): (i128, i128)) -> Option<(i128, i128)> {
    match op {
        BitOp::Add => Some((al + bl, ah + bh)),
        BitOp::Sub => Some((al - bh, ah - bl)),
        // Monotone in each factor, rising or falling.
        BitOp::Mul => {
            let ends = [al * bl, al * bh, ah * bl, ah * bh];
            Some((ends.into_iter().min()?, ends.into_iter().max()?))
        }
        // Rises with the dividend.
        BitOp::SDiv if bl == bh && bl > 0 => Some((al / bl, ah / bl)),
        BitOp::SRem if bl == bh && bl > 0 => {
            let same_sign = al >= 0 || ah <= 0;
            if same_sign && al / bl == ah / bl {
                // The quotient is always the same: rises with the dividend.
                return Some((al - al / bl * bl, ah - ah / bl * bl));
            }
            // No further from 0 than the dividend, and nearer than the divisor.
            Some((al.clamp(1 - bl, 0), ah.clamp(0, bl - 1)))
        }
        _ => None,
    }
}
