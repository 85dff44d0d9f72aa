//! Translates terms to Z3's, and back.

use rustc_hash::FxHashMap;

use super::context::{Ast, Context, View};
use super::{ffi, float};
use crate::{BitOp, Comparison, Node, SmtError, Sort, Term, Terms, UnaryOp, Value};

/// The terms of one store as terms of one context; each is translated once.
#[derive(Debug)]
pub struct Encoder {
    context: Context,
    known: Vec<Option<Ast>>,
    /// Whether there is a floating-point operator among the terms.
    pub floats: bool,
}

impl Encoder {
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), known: Vec::new(), floats: false }
    }

    /// Translates a term.  Variables and instances are named by their number.
    pub fn encode(&mut self, terms: &Terms, t: Term) -> Result<Ast, SmtError> {
        if let Some(Some(ast)) = self.known.get(t.index()) {
            return Ok(ast.clone());
        }
        self.known.resize(self.known.len().max(terms.len()), None);
        let known = &self.known;
        for t in terms.postorder(&[t], |t| known[t.index()].is_some()) {
            self.floats |= matches!(terms.node(t), Node::Float(..));
            let ast = self.node(terms, t)?;
            self.known[t.index()] = Some(ast);
        }
        self.get(t)
    }

    fn get(&self, t: Term) -> Result<Ast, SmtError> {
        self.known[t.index()].clone().ok_or_else(|| SmtError::Z3("a term is missing".into()))
    }

    fn node(&self, terms: &Terms, t: Term) -> Result<Ast, SmtError> {
        let c = &self.context;
        let all = |all: &[Term]| all.iter().map(|&a| self.get(a)).collect::<Result<Vec<_>, _>>();
        let two = |op, a: &Term, b: &Term| c.two(op, &self.get(*a)?, &self.get(*b)?);
        match terms.node(t) {
            Node::Bool(b) => c.bool(*b),
            Node::Bits { width, value } => c.bits(*width, *value),
            Node::Int(i) => c.int(*i),
            Node::Variable(_) | Node::Instance(..) => c.leaf(&leaf_name(t), terms.sort(t)),
            Node::Not(a) => c.not(&self.get(*a)?),
            Node::And(a) => c.nary(ffi::AND, &all(a)?),
            Node::Or(a) => c.nary(ffi::OR, &all(a)?),
            Node::Ite(i, a, b) => c.ite(&self.get(*i)?, &self.get(*a)?, &self.get(*b)?),
            Node::Equal(a, b) => two(ffi::EQ, a, b),
            Node::Unary(UnaryOp::Negate, a) => c.bv_negate(&self.get(*a)?),
            Node::Unary(UnaryOp::Not, a) => c.bv_not(&self.get(*a)?),
            Node::Binary(op, a, b) => two(binary(*op), a, b),
            Node::Compare(op, a, b) => two(comparison(*op), a, b),
            Node::Float(op, a) => float::encode(c, *op, &all(a)?, terms.width(a[0])),
            Node::Extract { high, low, term } => c.extract(*high, *low, &self.get(*term)?),
            Node::ZeroExtend { to, term } => {
                c.extend(false, to - terms.width(*term), &self.get(*term)?)
            }
            Node::SignExtend { to, term } => {
                c.extend(true, to - terms.width(*term), &self.get(*term)?)
            }
            Node::Concat(a, b) => two(ffi::CONCAT, a, b),
            Node::IntAdd(a) => c.nary(ffi::ADD, &all(a)?),
            Node::IntScale(k, a) => c.nary(ffi::MUL, &[c.int(*k)?, self.get(*a)?]),
            Node::IntLe(a, b) => two(ffi::LE, a, b),
        }
    }
}

fn binary(op: BitOp) -> ffi::TwoOp {
    match op {
        BitOp::Add => ffi::BV_ADD,
        BitOp::Sub => ffi::BV_SUB,
        BitOp::Mul => ffi::BV_MUL,
        BitOp::UDiv => ffi::BV_UDIV,
        BitOp::SDiv => ffi::BV_SDIV,
        BitOp::URem => ffi::BV_UREM,
        BitOp::SRem => ffi::BV_SREM,
        BitOp::And => ffi::BV_AND,
        BitOp::Or => ffi::BV_OR,
        BitOp::Xor => ffi::BV_XOR,
        BitOp::Shl => ffi::BV_SHL,
        BitOp::LShr => ffi::BV_LSHR,
        BitOp::AShr => ffi::BV_ASHR,
    }
}

fn comparison(op: Comparison) -> ffi::TwoOp {
    match op {
        Comparison::ULt => ffi::BV_ULT,
        Comparison::ULe => ffi::BV_ULE,
        Comparison::SLt => ffi::BV_SLT,
        Comparison::SLe => ffi::BV_SLE,
    }
}

/// The name of a leaf; no operator of Z3 has such a name.
fn leaf_name(t: Term) -> String {
    format!("t!{}", t.index())
}

/// The value of a constant of Z3.
pub fn decode_value(a: &Ast) -> Result<Value, SmtError> {
    let unreadable = || SmtError::Unreadable(format!("{a:?}"));
    match (a.view()?, a.sort()) {
        (View::Numeral(digits), Some(Sort::Bits(_))) => {
            digits.parse().map(Value::Bits).map_err(|_| unreadable())
        }
        (View::Numeral(digits), Some(Sort::Int)) => {
            digits.parse().map(Value::Int).map_err(|_| unreadable())
        }
        (View::Application { name, .. }, _) if name == "true" => Ok(Value::Bool(true)),
        (View::Application { name, .. }, _) if name == "false" => Ok(Value::Bool(false)),
        _ => Err(unreadable()),
    }
}

/// Translates a term of Z3 back, if it has only operators that [`Terms`] has.  `leaves` are the
/// leaves by [`Term::index`]; `bound` gives the meaning of numbered variables.
pub fn decode(
    terms: &mut Terms,
    root: &Ast,
    leaves: &FxHashMap<usize, Term>,
    bound: &[Term],
) -> Result<Term, SmtError> {
    let mut done: FxHashMap<usize, Term> = FxHashMap::default();
    // Terms that are on the stack or done are kept alive, so their addresses can be keys.
    let mut alive = Vec::new();
    let mut stack = vec![(root.clone(), false)];
    while let Some((ast, ready)) = stack.pop() {
        let key = ast.key();
        if done.contains_key(&key) {
            continue;
        }
        let view = ast.view()?;
        if !ready && let View::Application { children, .. } = &view {
            stack.push((ast, true));
            stack.extend(children.iter().rev().map(|c| (c.clone(), false)));
            continue;
        }
        let term = match view {
            View::Numeral(_) => {
                let sort = ast.sort().ok_or_else(|| SmtError::Unreadable(format!("{ast:?}")))?;
                terms.constant(decode_value(&ast)?, sort)
            }
            View::Bound(i) => *bound
                .get(i as usize)
                .ok_or_else(|| SmtError::Unreadable(format!("variable {i}")))?,
            View::Application { name, parameters, children } => {
                let operands: Vec<Term> =
                    children.iter().filter_map(|c| done.get(&c.key()).copied()).collect();
                apply(terms, &name, &parameters, &operands, leaves)
                    .ok_or_else(|| SmtError::Unreadable(format!("{ast:?}")))?
            }
            View::Other => return Err(SmtError::Unreadable(format!("{ast:?}"))),
        };
        done.insert(key, term);
        alive.push(ast);
    }
    Ok(done[&root.key()])
}

/// Applies an operator of Z3 to terms; none if there is no counterpart, or if the sorts do not fit.
fn apply(
    terms: &mut Terms,
    name: &str,
    parameters: &[u32],
    operands: &[Term],
    leaves: &FxHashMap<usize, Term>,
) -> Option<Term> {
    if let Some(number) = name.strip_prefix("t!") {
        return leaves.get(&number.parse().ok()?).copied();
    }
    Some(match (name, operands) {
        ("true", []) => terms.bool(true),
        ("false", []) => terms.bool(false),
        ("not", &[a]) => terms.not(a),
        ("and", all) => terms.and(all),
        ("or", all) => terms.or(all),
        ("=>", &[a, b]) => terms.implies(a, b),
        ("=" | "iff", &[a, b]) if terms.sort(a) == terms.sort(b) => terms.equal(a, b),
        ("xor", &[a, b]) | ("distinct", &[a, b]) => terms.distinct(a, b),
        ("if", &[c, a, b]) => terms.ite(c, a, b),
        ("<=", &[a, b]) => terms.int_le(a, b),
        (">=", &[a, b]) => terms.int_le(b, a),
        ("<", &[a, b]) => terms.int_lt(a, b),
        (">", &[a, b]) => terms.int_lt(b, a),
        ("+", all) => terms.int_add(all),
        ("-", &[a]) => terms.int_scale(-1, a),
        ("-", &[a, b]) => terms.int_sub(a, b),
        ("*", &[a, b]) => match (terms.value(a), terms.value(b)) {
            (Some(Value::Int(k)), _) => terms.int_scale(k, b),
            (_, Some(Value::Int(k))) => terms.int_scale(k, a),
            _ => return None,
        },
        ("bvneg", &[a]) => terms.unary(UnaryOp::Negate, a),
        ("bvnot", &[a]) => terms.unary(UnaryOp::Not, a),
        ("bvuge", &[a, b]) => terms.compare(Comparison::ULe, b, a),
        ("bvugt", &[a, b]) => terms.compare(Comparison::ULt, b, a),
        ("bvsge", &[a, b]) => terms.compare(Comparison::SLe, b, a),
        ("bvsgt", &[a, b]) => terms.compare(Comparison::SLt, b, a),
        ("bvule", &[a, b]) => terms.compare(Comparison::ULe, a, b),
        ("bvult", &[a, b]) => terms.compare(Comparison::ULt, a, b),
        ("bvsle", &[a, b]) => terms.compare(Comparison::SLe, a, b),
        ("bvslt", &[a, b]) => terms.compare(Comparison::SLt, a, b),
        ("concat", &[first, ref rest @ ..]) => {
            rest.iter().fold(first, |high, &low| terms.concat(high, low))
        }
        ("extract", &[a]) => match *parameters {
            [high, low] => terms.extract(high, low, a),
            _ => return None,
        },
        ("bit2bool", &[a]) => {
            let bit = *parameters.first()?;
            let (bit, one) = (terms.extract(bit, bit, a), terms.bits(1, 1));
            terms.equal(bit, one)
        }
        ("zero_extend", &[a]) => terms.zero_extend(terms.width(a) + parameters.first()?, a),
        ("sign_extend", &[a]) => terms.sign_extend(terms.width(a) + parameters.first()?, a),
        (_, &[first, ref rest @ ..]) => {
            let op = bit_operator(name)?;
            rest.iter().fold(first, |a, &b| terms.binary(op, a, b))
        }
        _ => return None,
    })
}

fn bit_operator(name: &str) -> Option<BitOp> {
    Some(match name {
        "bvadd" => BitOp::Add,
        "bvsub" => BitOp::Sub,
        "bvmul" => BitOp::Mul,
        "bvudiv" | "bvudiv_i" => BitOp::UDiv,
        "bvsdiv" | "bvsdiv_i" => BitOp::SDiv,
        "bvurem" | "bvurem_i" => BitOp::URem,
        "bvsrem" | "bvsrem_i" => BitOp::SRem,
        "bvand" => BitOp::And,
        "bvor" => BitOp::Or,
        "bvxor" => BitOp::Xor,
        "bvshl" => BitOp::Shl,
        "bvlshr" => BitOp::LShr,
        "bvashr" => BitOp::AShr,
        _ => return None,
    })
}
