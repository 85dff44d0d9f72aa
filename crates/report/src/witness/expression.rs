//! Formulas as expressions of C that mean the same to every compiler: signs and widths are said by
//! casts where the types of the variables do not say them, and nothing overflows.

use rustc_hash::FxHashMap;

use super::constant::constant;
use hardbop_smt::{BitOp, Comparison, Node, Sort, Term, Terms, UnaryOp};

/// Length of a formula, in bytes, beyond which it is not written.
const LENGTH: usize = 20_000;

/// A term as text in C.
#[derive(Debug, Clone)]
enum Piece {
    /// A condition, 0 or 1.
    Condition(String),
    /// A number whose value is that of the term's bits, read with this sign.
    Number {
        text: String,
        signed: bool,
    },
    Constant(u64),
}

/// The conjuncts of a formula that C can say with these names (of symbols: name, bits, sign); none
/// where it is none of them.
pub(super) fn formula(
    terms: &Terms,
    formula: Term,
    names: &FxHashMap<String, (String, u32, bool)>,
) -> Option<String> {
    let mut known: FxHashMap<Term, Option<Piece>> = FxHashMap::default();
    let conjuncts = terms.conjuncts(formula);
    for t in terms.postorder(&conjuncts, |_| false) {
        let new = piece(terms, t, &known, names);
        known.insert(t, new.filter(|p| p.length() <= LENGTH));
    }
    let parts: Vec<&String> = conjuncts
        .iter()
        .filter_map(|c| match known.get(c) {
            Some(Some(Piece::Condition(text))) => Some(text),
            _ => None,
        })
        .collect();
    let long = parts.iter().map(|p| p.len()).sum::<usize>() > LENGTH;
    match parts.as_slice() {
        [] => None,
        _ if long => None,
        [only] => Some((*only).clone()),
        several => Some(several.iter().map(|p| format!("({p})")).collect::<Vec<_>>().join(" && ")),
    }
}

impl Piece {
    fn length(&self) -> usize {
        match self {
            Self::Condition(text) | Self::Number { text, .. } => text.len(),
            Self::Constant(_) => 0,
        }
    }

    /// The piece as a number with this sign.
    fn with_sign(&self, bits: u32, wanted: bool) -> Option<String> {
        match self {
            Self::Condition(_) => None,
            Self::Constant(value) => {
                let text = constant(bits, wanted, *value);
                Some(if text.starts_with('-') { format!("({text})") } else { text })
            }
            Self::Number { text, signed } if *signed == wanted => Some(text.clone()),
            Self::Number { text, .. } => Some(format!("({})({text})", name(bits, wanted)?)),
        }
    }

    /// Is it a number with a sign?  A constant is what the other side is.
    fn sign(&self) -> Option<bool> {
        match self {
            Self::Number { signed, .. } => Some(*signed),
            _ => None,
        }
    }
}

fn name(bits: u32, signed: bool) -> Option<&'static str> {
    Some(match (bits, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

fn piece(
    terms: &Terms,
    t: Term,
    known: &FxHashMap<Term, Option<Piece>>,
    names: &FxHashMap<String, (String, u32, bool)>,
) -> Option<Piece> {
    let of = |t: &Term| known.get(t)?.as_ref();
    let condition = |t: &Term| match of(t)? {
        Piece::Condition(text) => Some(text),
        _ => None,
    };
    let join = |parts: &[Term], sign: &str| {
        let parts = parts.iter().map(|p| Some(format!("({})", condition(p)?)));
        Some(Piece::Condition(parts.collect::<Option<Vec<String>>>()?.join(sign)))
    };
    let number = |t: &Term, signed: bool| of(t)?.with_sign(terms.width(*t), signed);
    match terms.node(t) {
        Node::Bool(b) => Some(Piece::Condition(u8::from(*b).to_string())),
        Node::Bits { value, .. } => Some(Piece::Constant(*value)),
        Node::Variable(symbol) => {
            let (text, bits, signed) = names.get(terms.name(*symbol))?;
            let fits = terms.sort(t) == Sort::Bits(*bits) && name(*bits, *signed).is_some();
            fits.then(|| Piece::Number { text: text.clone(), signed: *signed })
        }
        Node::Not(a) => Some(Piece::Condition(format!("!({})", condition(a)?))),
        Node::And(parts) => join(parts, " && "),
        Node::Or(parts) => join(parts, " || "),
        Node::Ite(c, a, b) => match (of(a)?, of(b)?) {
            (Piece::Condition(a), Piece::Condition(b)) => {
                Some(Piece::Condition(format!("({}) ? ({a}) : ({b})", condition(c)?)))
            }
            (left, right) => {
                let signed = left.sign().or(right.sign()).unwrap_or(false);
                let (left, right) = (number(a, signed)?, number(b, signed)?);
                let text = format!("(({}) ? {left} : {right})", condition(c)?);
                Some(Piece::Number { text, signed })
            }
        },
        Node::Equal(a, b) => match (of(a)?, of(b)?) {
            (Piece::Condition(a), Piece::Condition(b)) => {
                Some(Piece::Condition(format!("({a}) == ({b})")))
            }
            (left, right) => {
                let signed = left.sign().or(right.sign()).unwrap_or(false);
                Some(Piece::Condition(format!("{} == {}", number(a, signed)?, number(b, signed)?)))
            }
        },
        Node::Compare(op, a, b) => {
            let (sign, signed) = match op {
                Comparison::ULt => ("<", false),
                Comparison::ULe => ("<=", false),
                Comparison::SLt => ("<", true),
                Comparison::SLe => ("<=", true),
            };
            let (left, right) = (number(a, signed)?, number(b, signed)?);
            Some(Piece::Condition(format!("{left} {sign} {right}")))
        }
        Node::Unary(op, a) => {
            let sign = match op {
                UnaryOp::Negate => "0U - ",
                UnaryOp::Not => "~",
            };
            let bits = terms.width(t);
            let wide = wide(&number(a, false)?, bits)?;
            unsigned(format!("{sign}{wide}"), bits)
        }
        Node::Binary(op, a, b) => binary(terms, t, *op, (*a, *b), known),
        Node::ZeroExtend { term, .. } => {
            let text = format!("({})({})", name(terms.width(t), false)?, number(term, false)?);
            Some(Piece::Number { text, signed: false })
        }
        Node::SignExtend { term, .. } => {
            let text = format!("({})({})", name(terms.width(t), true)?, number(term, true)?);
            Some(Piece::Number { text, signed: true })
        }
        Node::Extract { low: 0, term, .. } => {
            let text = format!("({})({})", name(terms.width(t), false)?, number(term, false)?);
            Some(Piece::Number { text, signed: false })
        }
        _ => None,
    }
}

/// An operator on numbers, computed without a sign.
fn binary(
    terms: &Terms,
    t: Term,
    op: BitOp,
    (a, b): (Term, Term),
    known: &FxHashMap<Term, Option<Piece>>,
) -> Option<Piece> {
    let bits = terms.width(t);
    let number = |t: Term, signed: bool| known.get(&t)?.as_ref()?.with_sign(bits, signed);
    let by = terms.as_bits(b);
    let plain = |sign: &str| {
        let (left, right) = (wide(&number(a, false)?, bits)?, wide(&number(b, false)?, bits)?);
        unsigned(format!("{left} {sign} {right}"), bits)
    };
    let shift = |sign: &str| {
        let by = by.filter(|&k| k < u64::from(bits))?;
        unsigned(format!("{} {sign} {by}", wide(&number(a, false)?, bits)?), bits)
    };
    match op {
        BitOp::Add => plain("+"),
        BitOp::Sub => plain("-"),
        BitOp::Mul => plain("*"),
        BitOp::And => plain("&"),
        BitOp::Or => plain("|"),
        BitOp::Xor => plain("^"),
        // C does not define what a division by zero is.
        BitOp::UDiv if by.is_some_and(|k| k != 0) => plain("/"),
        BitOp::URem if by.is_some_and(|k| k != 0) => plain("%"),
        BitOp::Shl => shift("<<"),
        BitOp::LShr => shift(">>"),
        _ => None,
    }
}

/// The text as an operand that is not promoted to a number with a sign.
fn wide(text: &str, bits: u32) -> Option<String> {
    let to = if bits < 32 { name(32, false)? } else { name(bits, false)? };
    Some(format!("({to})({text})"))
}

/// The result of an operation as a number of so many bits.
fn unsigned(text: String, bits: u32) -> Option<Piece> {
    let text = format!("({})({text})", name(bits, false)?);
    Some(Piece::Number { text, signed: false })
}
