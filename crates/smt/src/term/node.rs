//! Terms with their sorts, values and structure.

use super::float::FloatOp;

/// A term: an index into the [`Terms`](super::Terms) that built it.  Equal terms have equal
/// indices.
///
/// ```
/// use hardbop_smt::{Sort, Term, Terms};
///
/// let mut terms = Terms::new();
/// let (a, b) = (terms.symbol("a", Sort::Bool), terms.symbol("b", Sort::Bool));
/// let (a, b): (Term, Term) = (terms.variable(a), terms.variable(b));
/// let both = terms.and(&[a, b]);
/// assert_eq!(both, terms.and(&[b, a])); // equal formulas are equal terms
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(super) u32);

impl Term {
    /// A dense number, for tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A program variable.
///
/// ```
/// use hardbop_smt::{Sort, Symbol, Terms};
///
/// let mut terms = Terms::new();
/// let x: Symbol = terms.symbol("main::x", Sort::Bits(8));
/// assert_eq!(terms.find_symbol("main::x"), Some(x));
/// assert_eq!(terms.name(x), "main::x");
/// let term = terms.variable(x); // as it occurs in formulas
/// assert_eq!(terms.support(term), [term]);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub(super) u32);

impl Symbol {
    /// A dense number, for tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sort of a term.
///
/// ```
/// use hardbop_smt::{Sort, Terms};
///
/// let mut terms = Terms::new();
/// let (x, done) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("done", Sort::Bool));
/// assert_eq!(terms.symbol_sort(x).to_string(), "(_ BitVec 32)");
/// let done = terms.variable(done);
/// assert_eq!(terms.sort(done), Sort::Bool);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1 to 64 bits.
    Bits(u32),
    /// A mathematical integer.
    Int,
}

/// A value of a term.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_smt::{SmtAnswer, SolverKind, Sort, Terms, Value};
///
/// let mut terms = Terms::new();
/// let x = terms.symbol("x", Sort::Bits(8));
/// let (x, seven) = (terms.variable(x), terms.bits(8, 7));
/// let is_seven = terms.equal(x, seven);
/// let mut solver = SolverKind::Blast.solver()?;
/// solver.assert(&terms, is_seven)?;
/// assert_eq!(solver.check(&terms, &[], &Budget::unlimited())?, SmtAnswer::Sat);
/// assert_eq!(solver.value(&terms, x)?, Value::Bits(7));
/// # Ok::<(), hardbop_smt::SmtError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Bool(bool),
    /// The bits above the term's width are zero.
    Bits(u64),
    Int(i128),
}

/// Unary operators on bit-vectors.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// Two's complement.
    Negate,
    /// Bitwise complement.
    Not,
}

/// Binary operators on bit-vectors of the same width; division by zero and long shifts are as in
/// SMT-LIB.
///
/// ```
/// use hardbop_smt::{BitOp, Sort, Terms};
///
/// let mut terms = Terms::new();
/// let x = terms.symbol("x", Sort::Bits(8));
/// let (x, one) = (terms.variable(x), terms.bits(8, 1));
/// let next = terms.binary(BitOp::Add, x, one);
/// assert_eq!(terms.display(next).to_string(), "(bvadd x #x01)");
/// let (most, zero) = (terms.bits(8, 255), terms.bits(8, 0));
/// assert_eq!(terms.binary(BitOp::Add, most, one), zero);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BitOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    /// The sign follows the dividend, as in C.
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

impl BitOp {
    /// All operators.
    pub const ALL: [Self; 13] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::UDiv,
        Self::SDiv,
        Self::URem,
        Self::SRem,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Shl,
        Self::LShr,
        Self::AShr,
    ];
}

/// Comparisons of bit-vectors of the same width, unsigned and signed.
///
/// ```
/// use hardbop_smt::{Comparison, Terms};
///
/// let mut terms = Terms::new();
/// let (one, most) = (terms.bits(8, 1), terms.bits(8, 255));
/// assert_eq!(terms.compare(Comparison::ULt, one, most), terms.bool(true));
/// assert_eq!(terms.compare(Comparison::SLt, one, most), terms.bool(false)); // 1 is not less than -1
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    ULt,
    ULe,
    SLt,
    SLe,
}

impl Comparison {
    /// Whether it reads bits as signed numbers.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(self, Self::SLt | Self::SLe)
    }

    /// Whether it is false of equal numbers.
    #[must_use]
    pub fn is_strict(self) -> bool {
        matches!(self, Self::ULt | Self::SLt)
    }
}

/// The structure of a term.  See the module for the normal forms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Bool(bool),
    /// Invariant: the bits above `width` are zero.
    Bits {
        width: u32,
        value: u64,
    },
    Int(i128),
    /// The program variable itself.
    Variable(Symbol),
    /// A copy of the program variable in a path formula.
    Instance(Symbol, u32),
    Not(Term),
    And(Box<[Term]>),
    Or(Box<[Term]>),
    Ite(Term, Term, Term),
    /// Equality of two terms of the same sort, which may be Boolean.
    Equal(Term, Term),
    Unary(UnaryOp, Term),
    Binary(BitOp, Term, Term),
    Float(FloatOp, Box<[Term]>),
    /// `ULt` or `SLt`.
    Compare(Comparison, Term, Term),
    Extract {
        high: u32,
        low: u32,
        term: Term,
    },
    ZeroExtend {
        to: u32,
        term: Term,
    },
    SignExtend {
        to: u32,
        term: Term,
    },
    /// High bits first.
    Concat(Term, Term),
    /// A sum of integers with at most one constant, which comes last.
    IntAdd(Box<[Term]>),
    IntScale(i128, Term),
    IntLe(Term, Term),
}

impl Node {
    /// Is this a constant?
    #[inline]
    pub fn is_constant(&self) -> bool {
        matches!(self, Self::Bool(_) | Self::Bits { .. } | Self::Int(_))
    }

    /// Is this a variable or an instance of one?
    #[inline]
    pub fn is_leaf(&self) -> bool {
        matches!(self, Self::Variable(_) | Self::Instance(..))
    }
}
