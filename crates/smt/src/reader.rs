//! Reads formulas in SMT-LIB 2 syntax over the variables of a store, as written by
//! [`Terms::display`].
//!
//! A file is a sequence of terms over Booleans and bit-vectors; `;` begins a comment.  Since a file
//! can be older than the program, reading has two steps: [`parse`] finds errors that do not depend
//! on the program, and [`Script::formulas`] finds formulas that do not fit it.

use std::ops::Range;

use thiserror::Error;

use super::term::{BitOp, Comparison, FloatOp, Sort, Term, Terms, UnaryOp};
use hardbop_base::budget::{Budget, Exhausted};

/// Nodes between two checks of the budget.
const POLL: usize = 256;

/// An error in a text, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct ReadError {
    /// The place, in bytes.
    pub place: Range<usize>,
    pub kind: ReadErrorKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadErrorKind {
    #[error("a ')' without a '('")]
    Close,
    #[error("a '(' without a ')'")]
    Open,
    #[error("a '|' is not closed")]
    Quote,
    #[error("an operator is missing")]
    NoOperator,
    #[error("unknown operator '{0}'")]
    Operator(String),
    #[error("'{0}' takes {1}, not {2}")]
    Arity(String, &'static str, usize),
    #[error("'{0}' is no constant")]
    Constant(String),
}

impl ReadErrorKind {
    /// A suggestion how to fix it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Close | Self::Open => "every '(' needs a matching ')'",
            Self::Quote => {
                "enclose names that contain other characters than letters and digits in '|..|'"
            }
            Self::NoOperator => {
                "a term is '(operator operand ..)', as '(bvslt |main::i| #x0000000a)'"
            }
            Self::Operator(_) | Self::Arity(..) => {
                "the operators of SMT-LIB 2's core and bit-vector theories are supported"
            }
            Self::Constant(_) => {
                "a number must state its width, 1 to 64 bits: '#x0000000a', '(_ bv10 32)'"
            }
        }
    }
}

/// Why a formula is meaningless in a store of terms.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Misfit {
    #[error("there is no variable '{0}'")]
    Variable(String),
    #[error("the operands of '{0}' have the wrong types")]
    Sorts(String),
    #[error("it is a {0}, not a formula")]
    NoFormula(Sort),
}

#[derive(Debug, Clone)]
enum Head {
    Name(String),
    Bool(bool),
    Bits(u32, u64),
    Apply(Operator, String),
}

#[derive(Debug, Clone, Copy)]
enum Operator {
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
    Unary(UnaryOp),
    Binary(BitOp),
    /// `true`: the operands are exchanged.
    Compare(Comparison, bool),
    /// An operation on operands of so many bits.
    Float(FloatOp, u32),
    Concat,
    Extract(u32, u32),
    /// An extension by so many bits; `true`: signed.
    Extend(u32, bool),
}

#[derive(Debug, Clone)]
struct Syntax {
    head: Head,
    operands: Vec<usize>,
    /// The place, in bytes.
    place: Range<usize>,
}

/// A term, or why it is meaningless, and the part of it that is to blame.
pub type Meaning = Result<Term, (Range<usize>, Misfit)>;

/// Syntactically correct terms.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// Nodes, each after its operands.
    nodes: Vec<Syntax>,
    /// The node of each term, and its place in bytes.
    terms: Vec<(usize, Range<usize>)>,
}

impl Script {
    /// The number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Is there no term?
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The formulas in order, with their places; one may be meaningless here, for the given reason.
    pub fn formulas(&self, terms: &mut Terms) -> Vec<(Range<usize>, Result<Term, Misfit>)> {
        let named = |terms: &mut Terms, name: &str| {
            terms.find_symbol(name).map(|symbol| terms.variable(symbol))
        };
        let read = self.read(terms, named, &Budget::unlimited());
        let read = read.expect("an unlimited budget does not end");
        let formula = |(place, meaning): (Range<usize>, Meaning)| {
            let term = meaning.map_err(|(_, misfit)| misfit).and_then(|t| match terms.sort(t) {
                Sort::Bool => Ok(t),
                other => Err(Misfit::NoFormula(other)),
            });
            (place, term)
        };
        read.into_iter().map(formula).collect()
    }

    /// The terms, of any sort, in order and with their places; `named` looks up variables.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn read(
        &self,
        terms: &mut Terms,
        named: impl Fn(&mut Terms, &str) -> Option<Term>,
        budget: &Budget,
    ) -> Result<Vec<(Range<usize>, Meaning)>, Exhausted> {
        let mut known: Vec<Meaning> = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            // Flattening deep conjunctions takes time.
            if i % POLL == 0 {
                budget.check()?;
            }
            let operands: Result<Vec<Term>, _> =
                node.operands.iter().map(|&i| known[i].clone()).collect();
            let wrong = |misfit| (node.place.clone(), misfit);
            let built = operands.and_then(|operands| match &node.head {
                Head::Name(name) => {
                    named(terms, name).ok_or_else(|| wrong(Misfit::Variable(name.clone())))
                }
                &Head::Bool(b) => Ok(terms.bool(b)),
                &Head::Bits(width, value) => Ok(terms.bits(width, value)),
                Head::Apply(operator, text) => apply(terms, *operator, &operands)
                    .ok_or_else(|| wrong(Misfit::Sorts(text.clone()))),
            });
            known.push(built);
        }
        let meaning = |(root, place): &(usize, Range<usize>)| (place.clone(), known[*root].clone());
        Ok(self.terms.iter().map(meaning).collect())
    }
}

/// The term for an operator; `None` if sorts do not fit.  The number of operands was checked.
fn apply(terms: &mut Terms, operator: Operator, operands: &[Term]) -> Option<Term> {
    let sort = terms.sort(operands[0]);
    let alike = operands[1..].iter().all(|&t| terms.sort(t) == sort);
    let width = match sort {
        Sort::Bits(width) => Some(width),
        _ => None,
    };
    let (booleans, vectors) = (sort == Sort::Bool && alike, width.is_some() && alike);
    Some(match (operator, operands) {
        (Operator::Not, &[a]) if booleans => terms.not(a),
        (Operator::And, all) if booleans => terms.and(all),
        (Operator::Or, all) if booleans => terms.or(all),
        (Operator::Xor, &[first, ref rest @ ..]) if booleans => {
            rest.iter().fold(first, |a, &b| terms.distinct(a, b))
        }
        (Operator::Implies, &[ref rest @ .., last]) if booleans => {
            rest.iter().rev().fold(last, |b, &a| terms.implies(a, b))
        }
        (Operator::Equal, all) if alike => {
            let links: Vec<Term> = all.windows(2).map(|w| terms.equal(w[0], w[1])).collect();
            terms.and(&links)
        }
        (Operator::Distinct, &[a, b]) if alike => terms.distinct(a, b),
        (Operator::Ite, &[c, a, b]) if sort == Sort::Bool && terms.sort(a) == terms.sort(b) => {
            terms.ite(c, a, b)
        }
        (Operator::Unary(op), &[a]) if vectors => terms.unary(op, a),
        (Operator::Binary(op), &[first, ref rest @ ..]) if vectors => {
            rest.iter().fold(first, |a, &b| terms.binary(op, a, b))
        }
        (Operator::Compare(op, false), &[a, b]) if vectors => terms.compare(op, a, b),
        (Operator::Compare(op, true), &[a, b]) if vectors => terms.compare(op, b, a),
        (Operator::Float(op, bits), all) if width == Some(bits) && alike => terms.float(op, all),
        (Operator::Concat, &[a, b]) => match (width, terms.sort(b)) {
            (Some(high), Sort::Bits(low)) if high + low <= 64 => terms.concat(a, b),
            _ => return None,
        },
        (Operator::Extract(high, low), &[a]) if width.is_some_and(|w| high < w) => {
            terms.extract(high, low, a)
        }
        (Operator::Extend(by, signed), &[a]) => {
            let to = width?.checked_add(by).filter(|&to| to <= 64)?;
            if signed { terms.sign_extend(to, a) } else { terms.zero_extend(to, a) }
        }
        _ => return None,
    })
}

/// Reads a text.
///
/// # Errors
/// The first error in it.
pub fn parse(text: &str) -> Result<Script, ReadError> {
    let mut script = Script::default();
    // Open lists: the start of each, and its items so far.
    let mut open: Vec<(usize, Vec<Item>)> = vec![];
    for token in tokens(text) {
        let (place, kind) = token?;
        let item = match kind {
            Kind::Open => {
                open.push((place.start, vec![]));
                continue;
            }
            Kind::Close => {
                let fail = ReadError { place: place.clone(), kind: ReadErrorKind::Close };
                let (start, items) = open.pop().ok_or(fail)?;
                let place = start..place.end;
                script
                    .list(items, &place)
                    .map_err(|kind| ReadError { place: place.clone(), kind })?
                    .at(place)
            }
            Kind::Word => Item { place: place.clone(), form: Form::Word(text[place].to_owned()) },
            Kind::Name => {
                let name = text[place.start + 1..place.end - 1].to_owned();
                Item { form: Form::Term(script.add(Head::Name(name), vec![], &place)), place }
            }
        };
        match open.last_mut() {
            Some((_, items)) => items.push(item),
            None => {
                let place = item.place.clone();
                let root =
                    script.term(item).map_err(|kind| ReadError { place: place.clone(), kind })?;
                script.terms.push((root, place));
            }
        }
    }
    match open.last() {
        Some(&(start, _)) => Err(ReadError { place: start..start + 1, kind: ReadErrorKind::Open }),
        None => Ok(script),
    }
}

/// An item of a list.
#[derive(Debug)]
struct Item {
    place: Range<usize>,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// A word, which may be an operator, a constant or a name.
    Word(String),
    Term(usize),
    /// An indexed operator, such as `(_ extract 7 0)`.
    Indexed(Operator, String),
}

impl Form {
    fn at(self, place: Range<usize>) -> Item {
        Item { place, form: self }
    }
}

impl Script {
    fn add(&mut self, head: Head, operands: Vec<usize>, place: &Range<usize>) -> usize {
        self.nodes.push(Syntax { head, operands, place: place.clone() });
        self.nodes.len() - 1
    }

    fn term(&mut self, item: Item) -> Result<usize, ReadErrorKind> {
        let word = match item.form {
            Form::Term(t) => return Ok(t),
            Form::Indexed(_, text) => return Err(ReadErrorKind::Operator(text)),
            Form::Word(word) => word,
        };
        let head = match (word.as_str(), word.as_bytes().first()) {
            ("true", _) => Head::Bool(true),
            ("false", _) => Head::Bool(false),
            (_, Some(b'#' | b'0'..=b'9')) => {
                let bits = match (word.strip_prefix("#x"), word.strip_prefix("#b")) {
                    (Some(digits), _) => constant(digits, 16, 4),
                    (_, Some(digits)) => constant(digits, 2, 1),
                    _ => None,
                };
                let (width, value) = bits.ok_or(ReadErrorKind::Constant(word))?;
                Head::Bits(width, value)
            }
            _ => Head::Name(word),
        };
        Ok(self.add(head, vec![], &item.place))
    }

    /// A complete list.
    fn list(&mut self, items: Vec<Item>, place: &Range<usize>) -> Result<Form, ReadErrorKind> {
        let mut items = items.into_iter();
        let (operator, text) = match items.next().map(|i| i.form) {
            Some(Form::Word(word)) if word == "_" => return self.indexed(items, place),
            Some(Form::Word(word)) => match operator(&word) {
                Some(operator) => (operator, word),
                None => return Err(ReadErrorKind::Operator(word)),
            },
            Some(Form::Indexed(operator, text)) => (operator, text),
            Some(Form::Term(_)) | None => return Err(ReadErrorKind::NoOperator),
        };
        let operands: Vec<usize> =
            items.map(|i| self.term(i)).collect::<Result<_, ReadErrorKind>>()?;
        let (words, fits) = match operator {
            Operator::And | Operator::Or => ("operands", !operands.is_empty()),
            Operator::Ite => ("three operands", operands.len() == 3),
            Operator::Not | Operator::Unary(_) | Operator::Extract(..) | Operator::Extend(..) => {
                ("one operand", operands.len() == 1)
            }
            Operator::Xor | Operator::Implies | Operator::Equal => {
                ("two operands or more", operands.len() >= 2)
            }
            Operator::Binary(op) if op.is_chained() => {
                ("two operands or more", operands.len() >= 2)
            }
            Operator::Float(op, _) if op.arity() == 1 => ("one operand", operands.len() == 1),
            _ => ("two operands", operands.len() == 2),
        };
        if !fits {
            return Err(ReadErrorKind::Arity(text, words, operands.len()));
        }
        Ok(Form::Term(self.add(Head::Apply(operator, text), operands, place)))
    }

    /// The rest of a list that begins with `(_`.
    fn indexed(
        &mut self,
        items: impl Iterator<Item = Item>,
        place: &Range<usize>,
    ) -> Result<Form, ReadErrorKind> {
        let words: Vec<String> = items
            .map(|i| match i.form {
                Form::Word(word) => Ok(word),
                _ => Err(ReadErrorKind::NoOperator),
            })
            .collect::<Result<_, _>>()?;
        let text = format!("(_ {})", words.join(" "));
        let number = |i: usize| words.get(i).and_then(|w| w.parse::<u32>().ok());
        let head = words.first().map_or("", String::as_str);
        if let Some(digits) = head.strip_prefix("bv") {
            let value = digits.parse::<u64>().ok();
            return match (value, number(1), words.len()) {
                (Some(value), Some(width @ 1..=64), 2) if width == 64 || value >> width == 0 => {
                    Ok(Form::Term(self.add(Head::Bits(width, value), vec![], place)))
                }
                _ => Err(ReadErrorKind::Constant(text)),
            };
        }
        let operator = match (head, number(1), number(2), words.len()) {
            ("extract", Some(high), Some(low), 3) if low <= high => Operator::Extract(high, low),
            ("zero_extend", Some(by), None, 2) => Operator::Extend(by, false),
            ("sign_extend", Some(by), None, 2) => Operator::Extend(by, true),
            _ => return Err(ReadErrorKind::Operator(text)),
        };
        Ok(Form::Indexed(operator, text))
    }
}

/// Width and value of a number in the given base, in which each digit has so many bits.
fn constant(digits: &str, base: u32, bits: u32) -> Option<(u32, u64)> {
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
    let fits = (1..=64).contains(&width) && digits.bytes().all(|b| b.is_ascii_alphanumeric());
    Some((width, u64::from_str_radix(digits, base).ok()?)).filter(|_| fits)
}

impl BitOp {
    /// Whether it may have more than two operands, associated from left to right.
    fn is_chained(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::And | Self::Or | Self::Xor)
    }
}

fn operator(word: &str) -> Option<Operator> {
    use Comparison::{SLe, SLt, ULe, ULt};
    Some(match word {
        "not" => Operator::Not,
        "and" => Operator::And,
        "or" => Operator::Or,
        "xor" => Operator::Xor,
        "=>" => Operator::Implies,
        "=" => Operator::Equal,
        "distinct" => Operator::Distinct,
        "ite" => Operator::Ite,
        "concat" => Operator::Concat,
        "bvult" => Operator::Compare(ULt, false),
        "bvule" => Operator::Compare(ULe, false),
        "bvslt" => Operator::Compare(SLt, false),
        "bvsle" => Operator::Compare(SLe, false),
        "bvugt" => Operator::Compare(ULt, true),
        "bvuge" => Operator::Compare(ULe, true),
        "bvsgt" => Operator::Compare(SLt, true),
        "bvsge" => Operator::Compare(SLe, true),
        "bvneg" => Operator::Unary(UnaryOp::Negate),
        "bvnot" => Operator::Unary(UnaryOp::Not),
        "bvadd" => Operator::Binary(BitOp::Add),
        "bvsub" => Operator::Binary(BitOp::Sub),
        "bvmul" => Operator::Binary(BitOp::Mul),
        "bvudiv" => Operator::Binary(BitOp::UDiv),
        "bvsdiv" => Operator::Binary(BitOp::SDiv),
        "bvurem" => Operator::Binary(BitOp::URem),
        "bvsrem" => Operator::Binary(BitOp::SRem),
        "bvand" => Operator::Binary(BitOp::And),
        "bvor" => Operator::Binary(BitOp::Or),
        "bvxor" => Operator::Binary(BitOp::Xor),
        "bvshl" => Operator::Binary(BitOp::Shl),
        "bvlshr" => Operator::Binary(BitOp::LShr),
        "bvashr" => Operator::Binary(BitOp::AShr),
        _ => return FloatOp::named(word).map(|(op, width)| Operator::Float(op, width)),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    Word,
    /// Including its bars.
    Name,
}

/// The tokens of a text, up to the first error.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Result<(Range<usize>, Kind), ReadError>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let start = at + rest.find(|c: char| !c.is_whitespace())?;
            let rest = &text[start..];
            let (length, kind) = match rest.as_bytes()[0] {
                b';' => {
                    at = start + rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                b'(' => (1, Kind::Open),
                b')' => (1, Kind::Close),
                b'|' => match rest[1..].find('|') {
                    Some(length) => (length + 2, Kind::Name),
                    None => {
                        at = text.len();
                        let place = start..start + 1;
                        return Some(Err(ReadError { place, kind: ReadErrorKind::Quote }));
                    }
                },
                _ => {
                    let end = |c: char| c.is_whitespace() || "();|".contains(c);
                    (rest.find(end).unwrap_or(rest.len()), Kind::Word)
                }
            };
            at = start + length;
            return Some(Ok((start..at, kind)));
        }
    })
}
