//! Terms with their sorts, values and structure.

/// A term: an index into the [`Terms`](super::Terms) that built it.  Equal terms have equal indices.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(super) u32);

impl Term {
    /// A dense number, for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A program variable.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub(super) u32);

impl Symbol {
    /// A dense number, for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sort of a term.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1 to 64 bits.
    Bits(u32),
    /// A mathematical integer.
    Int,
}

/// A value of a term.
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

/// Binary operators on bit-vectors of the same width; division by zero and long shifts are as in SMT-LIB.
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

/// Comparisons of bit-vectors of the same width, unsigned and signed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    ULt,
    ULe,
    SLt,
    SLe,
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
    pub fn is_constant(&self) -> bool {
        matches!(self, Self::Bool(_) | Self::Bits { .. } | Self::Int(_))
    }

    /// Is this a variable or an instance of one?
    pub fn is_leaf(&self) -> bool {
        matches!(self, Self::Variable(_) | Self::Instance(..))
    }
}
