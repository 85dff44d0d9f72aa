//! Terms over program variables in the syntax of C.

use std::collections::HashMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{names, object_name};
use hardbop_refine::model::Naming;
use hardbop_smt::{BitOp, Comparison, FloatOp, Node, Rounding, Sort, Symbol, Term, Terms, UnaryOp};
use hardbop_verify::Report;

/// How tightly an operator binds, as in C.
const OR: u8 = 1;
const AND: u8 = 2;
const BITS: u8 = 3;
const EQUALITY: u8 = 6;
const RELATION: u8 = 7;
const SHIFT: u8 = 8;
const SUM: u8 = 9;
const PRODUCT: u8 = 10;
const UNARY: u8 = 11;
const ATOM: u8 = 12;

/// The words that are needed to write the formulas of a program in C.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// The variables that hold pointers.
    pub pointers: FxHashSet<Symbol>,
    /// The objects at addresses.
    pub addresses: FxHashMap<u64, String>,
}

impl Naming for Words {
    fn name(&self, terms: &Terms, predicate: Term, function: Option<&str>) -> String {
        let floats = &FxHashSet::default();
        let view = View { terms, pointers: &self.pointers, addresses: &self.addresses, floats };
        written(&view, predicate, function)
    }
}

/// [`Words`], borrowed.
struct View<'a> {
    terms: &'a Terms,
    pointers: &'a FxHashSet<Symbol>,
    addresses: &'a FxHashMap<u64, String>,
    /// The variables that hold floating-point numbers.
    floats: &'a FxHashSet<Symbol>,
}

/// The term in C, over the names of the program's variables as `function` sees them.  What C cannot
/// say without casts has them: `(unsigned)` for comparisons of unsigned numbers, whose constants
/// then are positive.  Addresses that pointers are compared with are those of objects with names.
pub fn text(report: &Report, term: Term, function: Option<&str>) -> String {
    let Report { terms, pointers, addresses, floats, .. } = report;
    written(&View { terms, pointers, addresses, floats }, term, function)
}

fn written(view: &View, term: Term, function: Option<&str>) -> String {
    let terms = view.terms;
    let names = names(terms, term, function);
    let mut known: HashMap<Term, (String, u8)> = HashMap::new();
    for t in terms.postorder(&[term], |_| false) {
        let of = |t: Term, outer: u8| {
            let (text, inner) = &known[&t];
            if *inner < outer { format!("({text})") } else { text.clone() }
        };
        let binary = |a: Term, b: Term, sign: &str, level: u8| {
            (format!("{} {sign} {}", of(a, level), of(b, level + 1)), level)
        };
        let all = |all: &[Term], sign: &str, level: u8| {
            let parts: Vec<String> = all.iter().map(|&a| of(a, level + 1)).collect();
            (parts.join(sign), level)
        };
        // An unsigned number, so that one without a sign is meant on both sides.
        let unsigned = |t: Term| match *terms.node(t) {
            Node::Bits { value, .. } => value.to_string(),
            _ => format!("{}{}", cast(terms.width(t)), of(t, UNARY)),
        };
        let sides = |op: Comparison, a: Term, b: Term| match op {
            Comparison::ULt | Comparison::ULe => (unsigned(a), unsigned(b)),
            _ => (of(a, SHIFT), of(b, SHIFT)),
        };
        let new = match *terms.node(t) {
            Node::Bool(b) => (u8::from(b).to_string(), ATOM),
            Node::Bits { width, value } => (number(width, value), ATOM),
            Node::Int(i) => (i.to_string(), if i < 0 { UNARY } else { ATOM }),
            Node::Variable(s) | Node::Instance(s, _) => (names[&s].clone(), ATOM),
            Node::Not(a) => negated(view, a, &of, &sides),
            Node::And(ref parts) => all(parts, " && ", AND),
            Node::Or(ref parts) => all(parts, " || ", OR),
            Node::Ite(c, a, b) => {
                (format!("({} ? {} : {})", of(c, OR), of(a, OR), of(b, OR)), ATOM)
            }
            Node::Equal(a, b) => match pointed(view, a, b) {
                Some(object) => (format!("{} == {object}", of(a, EQUALITY)), EQUALITY),
                None => binary(a, b, "==", EQUALITY),
            },
            Node::Compare(op, a, b) => compared(op, false, sides(op, a, b)),
            Node::Float(op, ref operands) => floating(op, operands, terms, &of),
            Node::Unary(UnaryOp::Negate, a) => (format!("-{}", of(a, UNARY)), UNARY),
            Node::Unary(UnaryOp::Not, a) => (format!("~{}", of(a, UNARY)), UNARY),
            Node::Binary(op, a, b) => match op {
                BitOp::Add => binary(a, b, "+", SUM),
                BitOp::Sub => binary(a, b, "-", SUM),
                BitOp::Mul => binary(a, b, "*", PRODUCT),
                BitOp::SDiv => binary(a, b, "/", PRODUCT),
                BitOp::SRem => binary(a, b, "%", PRODUCT),
                BitOp::UDiv => (format!("{} / {}", unsigned(a), unsigned(b)), PRODUCT),
                BitOp::URem => (format!("{} % {}", unsigned(a), unsigned(b)), PRODUCT),
                BitOp::And => binary(a, b, "&", BITS),
                BitOp::Or => binary(a, b, "|", BITS),
                BitOp::Xor => binary(a, b, "^", BITS),
                BitOp::Shl => binary(a, b, "<<", SHIFT),
                BitOp::AShr => binary(a, b, ">>", SHIFT),
                BitOp::LShr => (format!("{} >> {}", unsigned(a), of(b, SUM)), SHIFT),
            },
            Node::Extract { low: 0, high, term } if matches!(high, 7 | 15 | 31) => {
                (format!("{}{}", cast(high + 1), of(term, UNARY)), UNARY)
            }
            Node::Extract { high, low, term } => {
                (format!("bits({}, {high}, {low})", of(term, OR)), ATOM)
            }
            Node::ZeroExtend { term, .. } | Node::SignExtend { term, .. } => known[&term].clone(),
            Node::Concat(a, b) => (format!("concat({}, {})", of(a, OR), of(b, OR)), ATOM),
            Node::IntAdd(ref parts) => all(parts, " + ", SUM),
            Node::IntScale(k, a) => (format!("{k} * {}", of(a, PRODUCT)), PRODUCT),
            Node::IntLe(a, b) => binary(a, b, "<=", RELATION),
        };
        known.insert(t, new);
    }
    known.remove(&term).map_or(String::new(), |(text, _)| text)
}

/// An operator on floating-point numbers; constants are shown as numbers.
fn floating(
    op: FloatOp,
    operands: &[Term],
    terms: &Terms,
    of: &impl Fn(Term, u8) -> String,
) -> (String, u8) {
    // The direction is that of the program at the place.
    let (op, _) = op.parts();
    let integer = matches!(op, FloatOp::OfSigned(_) | FloatOp::OfUnsigned(_));
    let operand = |t: Term, level: u8| match (terms.as_bits(t), terms.width(t)) {
        (Some(bits), 32) if !integer => format!("{:?}f", f32::from_bits(bits as u32)),
        (Some(bits), _) if !integer => format!("{:?}", f64::from_bits(bits)),
        _ => of(t, level),
    };
    let binary = |sign: &str, level: u8| {
        let (a, b) = (operand(operands[0], level), operand(operands[1], level + 1));
        (format!("{a} {sign} {b}"), level)
    };
    let call = |name: &str| (format!("{name}({})", operand(operands[0], OR)), ATOM);
    let cast = |to: &str| (format!("({to}){}", operand(operands[0], UNARY)), UNARY);
    match op {
        FloatOp::Add => binary("+", SUM),
        FloatOp::Sub => binary("-", SUM),
        FloatOp::Mul => binary("*", PRODUCT),
        FloatOp::Div => binary("/", PRODUCT),
        FloatOp::Less => binary("<", RELATION),
        FloatOp::AtMost => binary("<=", RELATION),
        FloatOp::Equal => binary("==", EQUALITY),
        FloatOp::Sqrt => call("sqrt"),
        FloatOp::Round(Rounding::NearestEven) => call("rint"),
        FloatOp::Round(Rounding::NearestAway) => call("round"),
        FloatOp::Round(Rounding::Zero) => call("trunc"),
        FloatOp::Round(Rounding::Down) => call("floor"),
        FloatOp::Round(Rounding::Up) => call("ceil"),
        FloatOp::Widen | FloatOp::OfSigned(64) | FloatOp::OfUnsigned(64) => cast("double"),
        FloatOp::Narrow | FloatOp::OfSigned(_) | FloatOp::OfUnsigned(_) | FloatOp::Directed(..) => {
            cast("float")
        }
    }
}

/// The floating-point number with these bits; none where C has no constant for it that tells it
/// from others.
fn real(width: u32, bits: u64) -> Option<String> {
    match width {
        32 => {
            Some(f32::from_bits(bits as u32)).filter(|f| f.is_finite()).map(|f| format!("{f:?}f"))
        }
        64 => Some(f64::from_bits(bits)).filter(|f| f.is_finite()).map(|f| format!("{f:?}")),
        _ => None,
    }
}

/// The cast that makes a number of so many bits unsigned.
fn cast(width: u32) -> &'static str {
    match width {
        1..=8 => "(unsigned char)",
        9..=16 => "(unsigned short)",
        17..=32 => "(unsigned)",
        _ => "(unsigned long long)",
    }
}

/// `&x` where a pointer is compared with the address of `x`, and `1.5` where a floating-point
/// variable is compared with the bits of that.
fn pointed(view: &View, pointer: Term, address: Term) -> Option<String> {
    let (Node::Variable(symbol), Node::Bits { value, width }) =
        (view.terms.node(pointer), view.terms.node(address))
    else {
        return None;
    };
    if view.floats.contains(symbol) {
        return real(*width, *value);
    }
    let object = view.addresses.get(value).filter(|_| view.pointers.contains(symbol))?;
    Some(format!("&{}", object_name(object)))
}

fn negated(
    view: &View,
    term: Term,
    of: &impl Fn(Term, u8) -> String,
    sides: &impl Fn(Comparison, Term, Term) -> (String, String),
) -> (String, u8) {
    let terms = view.terms;
    match *terms.node(term) {
        Node::Equal(a, b) if terms.sort(a) != Sort::Bool => {
            let b = pointed(view, a, b).unwrap_or_else(|| of(b, RELATION));
            (format!("{} != {b}", of(a, EQUALITY)), EQUALITY)
        }
        Node::Compare(op, a, b) => compared(op, true, sides(op, a, b)),
        _ => (format!("!{}", of(term, UNARY)), UNARY),
    }
}

fn compared(op: Comparison, negated: bool, (a, b): (String, String)) -> (String, u8) {
    let sign = match (op, negated) {
        (Comparison::ULt | Comparison::SLt, false) => "<",
        (Comparison::ULt | Comparison::SLt, true) => ">=",
        (_, false) => "<=",
        (_, true) => ">",
    };
    (format!("{a} {sign} {b}"), RELATION)
}

/// A number, negative where its highest bit is set.
fn number(width: u32, value: u64) -> String {
    let sign = 1_u64 << (width - 1);
    if width > 1 && value & sign != 0 {
        let all = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        format!("-{}", (all - value).wrapping_add(1))
    } else {
        value.to_string()
    }
}
