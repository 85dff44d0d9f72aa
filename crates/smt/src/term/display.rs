//! Terms as SMT-LIB text.

use std::fmt;

use super::node::{BitOp, Comparison, Node, Sort, Symbol, Term, UnaryOp};
use super::store::Terms;

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => write!(f, "Bool"),
            Self::Bits(width) => write!(f, "(_ BitVec {width})"),
            Self::Int => write!(f, "Int"),
        }
    }
}

/// A piece of text still to be written.
#[derive(Clone, Copy)]
pub(crate) enum Piece {
    Term(Term),
    Text(&'static str),
}

/// The result of [`Terms::display`].
#[derive(Clone, Copy, Debug)]
pub struct Display<'a> {
    terms: &'a Terms,
    term: Term,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack = vec![Piece::Term(self.term)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Term(t) => self.terms.write_head(f, t, &mut stack)?,
            }
        }
        Ok(())
    }
}

impl Terms {
    /// The term in SMT-LIB syntax, with `x@i` for instances; a shared subterm is written at each
    /// occurrence.
    #[inline]
    pub fn display(&self, term: Term) -> Display<'_> {
        Display { terms: self, term }
    }

    /// Writes a name as an SMT-LIB symbol, quoted if necessary.
    pub(crate) fn write_name(
        &self,
        f: &mut dyn fmt::Write,
        symbol: Symbol,
        index: Option<u32>,
    ) -> fmt::Result {
        let name = self.name(symbol);
        let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
        let plain = name.chars().all(simple) && name.starts_with(|c: char| !c.is_ascii_digit());
        if !plain {
            f.write_char('|')?;
        }
        for c in name.chars() {
            // A quoted symbol cannot contain these two characters.
            f.write_char(if c == '|' || c == '\\' { '!' } else { c })?;
        }
        if let Some(index) = index {
            write!(f, "@{index}")?;
        }
        if plain { Ok(()) } else { f.write_char('|') }
    }

    /// Writes the term up to its first child, and pushes the rest on the stack.
    pub(crate) fn write_head(
        &self,
        f: &mut dyn fmt::Write,
        t: Term,
        stack: &mut Vec<Piece>,
    ) -> fmt::Result {
        let mut list = |f: &mut dyn fmt::Write, head: &str, children: &[Term]| {
            stack.push(Piece::Text(")"));
            for &child in children.iter().rev() {
                stack.push(Piece::Term(child));
                stack.push(Piece::Text(" "));
            }
            write!(f, "({head}")
        };
        match self.node(t) {
            Node::Bool(b) => write!(f, "{b}"),
            Node::Bits { width, value } if width % 4 == 0 => {
                write!(f, "#x{value:0digits$x}", digits = (*width / 4) as usize)
            }
            Node::Bits { width, value } => write!(f, "#b{value:0width$b}", width = *width as usize),
            Node::Int(i) if *i < 0 => write!(f, "(- {})", i.unsigned_abs()),
            Node::Int(i) => write!(f, "{i}"),
            Node::Variable(s) => self.write_name(f, *s, None),
            Node::Instance(s, index) => self.write_name(f, *s, Some(*index)),
            &Node::Not(a) => match *self.node(a) {
                Node::Compare(op, x, y) => list(f, comparison(negated(op)), &[y, x]),
                Node::IntLe(x, y) => list(f, ">", &[x, y]),
                _ => list(f, "not", &[a]),
            },
            Node::And(all) => list(f, "and", all),
            Node::Or(all) => list(f, "or", all),
            &Node::Ite(c, a, b) => list(f, "ite", &[c, a, b]),
            &Node::Equal(a, b) => list(f, "=", &[a, b]),
            &Node::Unary(op, a) => list(f, unary(op), &[a]),
            &Node::Binary(op, a, b) => list(f, binary(op), &[a, b]),
            &Node::Compare(op, a, b) => list(f, comparison(op), &[a, b]),
            Node::Float(op, all) => list(f, &format!("f{}.{}", self.width(all[0]), op.name()), all),
            &Node::Extract { high, low, term } => {
                list(f, &format!("(_ extract {high} {low})"), &[term])
            }
            &Node::ZeroExtend { to, term } => {
                list(f, &format!("(_ zero_extend {})", to - self.width(term)), &[term])
            }
            &Node::SignExtend { to, term } => {
                list(f, &format!("(_ sign_extend {})", to - self.width(term)), &[term])
            }
            &Node::Concat(a, b) => list(f, "concat", &[a, b]),
            Node::IntAdd(all) => list(f, "+", all),
            &Node::IntScale(-1, a) => list(f, "-", &[a]),
            &Node::IntScale(k, a) if k < 0 => list(f, &format!("* (- {})", k.unsigned_abs()), &[a]),
            &Node::IntScale(k, a) => list(f, &format!("* {k}"), &[a]),
            &Node::IntLe(a, b) => list(f, "<=", &[a, b]),
        }
    }
}

/// The complementary comparison, with the operands exchanged.
fn negated(op: Comparison) -> Comparison {
    match op {
        Comparison::ULt => Comparison::ULe,
        Comparison::ULe => Comparison::ULt,
        Comparison::SLt => Comparison::SLe,
        Comparison::SLe => Comparison::SLt,
    }
}

fn comparison(op: Comparison) -> &'static str {
    match op {
        Comparison::ULt => "bvult",
        Comparison::ULe => "bvule",
        Comparison::SLt => "bvslt",
        Comparison::SLe => "bvsle",
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "bvneg",
        UnaryOp::Not => "bvnot",
    }
}

fn binary(op: BitOp) -> &'static str {
    match op {
        BitOp::Add => "bvadd",
        BitOp::Sub => "bvsub",
        BitOp::Mul => "bvmul",
        BitOp::UDiv => "bvudiv",
        BitOp::SDiv => "bvsdiv",
        BitOp::URem => "bvurem",
        BitOp::SRem => "bvsrem",
        BitOp::And => "bvand",
        BitOp::Or => "bvor",
        BitOp::Xor => "bvxor",
        BitOp::Shl => "bvshl",
        BitOp::LShr => "bvlshr",
        BitOp::AShr => "bvashr",
    }
}
