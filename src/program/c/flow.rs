//! A C program as control flow: one graph per function, whose instructions have expressions without
//! side effects and with all conversions written out.
//!
//! `c::parse` makes it; the interpreter executes it, and the lowering to control-flow automata gives
//! it a model of memory.  Short circuit, `?:` with side effects, `++`, assignments within
//! expressions, `switch`, loops and `goto` are gone: evaluation goes through temporaries, in the order
//! in which gcc on x86 is free to do it and we do: left to right.

use super::types::{TypeId, Types};
use crate::base::source::{Diagnostic, Source, Span};

/// A variable (global, static, parameter, local or temporary) in [`Flow::variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// A function in [`Flow::functions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A location of a function: an index into [`Body::locations`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(pub u32);

/// A variable.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    pub ty: TypeId,
    /// The function that it belongs to; `None` for a global.  Static locals are globals.
    pub function: Option<FunctionId>,
    pub kind: VariableKind,
    pub span: Span,
}

/// Where a variable comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableKind {
    /// Zero before [`Flow::initialisers`] run.
    Global,
    /// Declared `extern` and nowhere defined: any value at the start.
    External,
    Parameter,
    Local,
    Temporary,
}

/// An expression: a value without side effects.
#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    /// Never an array or a function: those have become addresses.  A record only in `Load`.
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    /// An integer or a pointer: the bits of the value, zero-extended to 64.
    Constant(u64),
    /// A floating constant; its value is not modelled.
    Float(f64),
    /// The value in a place.
    Load(Place),
    /// The address of a place (also what an array decays to: the address of its first element).
    AddressOf(Place),
    FunctionAddress(FunctionId),
    /// Operand and result have the same (promoted) type.
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have one type (but for shifts, where the right one has any promoted type).
    /// Arithmetic has the operands' type, comparisons (also of pointers) have `int`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `pointer + index * scale`; `index` has the width of a pointer and is signed; `scale` in bytes.
    Offset {
        pointer: Box<Expr>,
        index: Box<Expr>,
        scale: u64,
    },
    /// `(left - right) / scale`, signed.
    Difference {
        left: Box<Expr>,
        right: Box<Expr>,
        scale: u64,
    },
    /// `c ? a : b` with operands that may all be evaluated (no traps, no side effects).
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Conversion to `ty` (integers, pointers, `_Bool`, floats).
    Cast(Box<Expr>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Negate,
    BitNot,
    /// `int`: 1 where the operand (any scalar) is 0.
    Not,
    /// `int`: 1 where so many bytes from the operand, an address, are not within one object.  Only in
    /// conditions that `c::checks` puts in.
    Outside(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Operands are evaluated both; only used where that does not matter.
    And,
    Or,
    /// `int`: 1 where C does not define the result of an operation on signed integers.  Only in
    /// conditions that `c::checks` puts in.
    Overflows(Checked),
}

/// An operation that may overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Checked {
    Add,
    Subtract,
    Multiply,
    /// `/` and `%`: the least number by -1.
    Divide,
    /// `<<`: of a negative number, by a count that is not in the width, or beyond the greatest number.
    ShiftLeft,
}

impl Checked {
    /// What may overflow in an operation on signed integers.
    #[must_use]
    pub fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Add => Self::Add,
            BinaryOp::Subtract => Self::Subtract,
            BinaryOp::Multiply => Self::Multiply,
            BinaryOp::Divide | BinaryOp::Remainder => Self::Divide,
            BinaryOp::ShiftLeft => Self::ShiftLeft,
            _ => return None,
        })
    }
}

impl Expr {
    /// Is it the negation that `pointer - index` needs as an [`ExprKind::Offset`] at `whole`?  In the
    /// text there is none: its place is that of the subtraction.
    #[must_use]
    pub fn is_subtracted_index(&self, whole: Span) -> bool {
        self.span == whole && matches!(self.kind, ExprKind::Unary(UnaryOp::Negate, _))
    }
}

/// A part of memory with a type.
#[derive(Debug, Clone)]
pub struct Place {
    pub base: Base,
    /// Steps from the base inwards.
    pub path: Vec<Step>,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum Base {
    Variable(VariableId),
    /// What the pointer points to; its pointee type is the type before the path.
    Pointer(Box<Expr>),
    /// A string literal in [`Flow::strings`], an array of characters.
    String(u32),
}

#[derive(Debug, Clone)]
pub enum Step {
    /// Member by its index in the record.
    Field(u32),
    /// Element of an array; the index has the width of a pointer and is signed.
    Index(Box<Expr>),
}

/// What happens between two locations.
#[derive(Debug, Clone)]
pub enum Instruction {
    /// Nothing.
    Skip,
    /// Scalars and whole records.
    Assign(Place, Expr),
    /// Goes on only where the condition is `expected` (a branch of an if, a loop or a switch;
    /// `__VERIFIER_assume` too).
    Assume { condition: Expr, expected: bool },
    /// The place gets any value of its type: a local's declaration (uninitialised), or
    /// `__VERIFIER_nondet_*`.
    Havoc(Place, HavocKind),
    /// A call; where the callee is one function it is known.
    Call { result: Option<Place>, callee: Callee, arguments: Vec<Expr> },
    /// To [`Body::exit`]; the value in the type of the function's result.
    Return(Option<Expr>),
    /// The property is violated here: the error.  Nothing follows.
    Error(Violation),
    /// The program ends (`exit`, `abort`, a failed assume): nothing follows.
    Halt,
    /// Not supported; a path through here is not decided.
    Unsupported(String),
}

/// How a property is violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// A call or a label is reached, or an assertion fails.
    Reached,
    /// The result of an operation on signed integers is not one of their type.
    Overflow,
    /// An access is not within an object.
    OutOfBounds,
    /// An access is through a null pointer.
    Null,
}

impl Violation {
    /// In words, with an article; of [`Violation::Reached`], nothing.
    #[must_use]
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::Reached => None,
            Self::Overflow => Some("a signed overflow"),
            Self::OutOfBounds => Some("an access out of bounds"),
            Self::Null => Some("an access through a null pointer"),
        }
    }
}

/// Where a value that the program text does not determine comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HavocKind {
    /// A call of `__VERIFIER_nondet_x`: the name of the function.
    Input(String),
    /// A local variable comes into scope.
    Uninitialised,
}

#[derive(Debug, Clone)]
pub enum Callee {
    /// May have no body: then it returns any value.
    Function(FunctionId),
    Pointer(Expr),
}

/// An instruction from one location to another.
#[derive(Debug, Clone)]
pub struct Edge {
    pub source: LocationId,
    pub target: LocationId,
    pub instruction: Instruction,
    pub span: Span,
}

/// A graph of a function's body.
#[derive(Debug, Clone)]
pub struct Body {
    pub entry: LocationId,
    /// After every return; has no outgoing edges.
    pub exit: LocationId,
    pub locations: u32,
    pub edges: Vec<Edge>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    pub ty: TypeId,
    pub parameters: Vec<VariableId>,
    /// Holds the result at `Body::exit`; `None` for void.
    pub result: Option<VariableId>,
    /// `None`: undefined; a call returns any value and changes nothing that it cannot reach.
    pub body: Option<Body>,
    pub span: Span,
}

impl Function {
    /// Whether the body is not what the text gives, but stands for what a call means.
    #[must_use]
    pub fn is_convention(&self) -> bool {
        self.body.as_ref().is_some_and(|b| b.edges.iter().any(|e| e.span == self.span))
    }
}

/// A whole program.
#[derive(Debug, Clone)]
pub struct Flow {
    pub types: Types,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    /// String literals, each with the zero at its end.
    pub strings: Vec<Vec<u8>>,
    /// Assigns the initial values of globals that are not zero; from location 0 in a line.
    pub initialisers: Vec<(Place, Expr)>,
    /// The function where execution starts.
    pub main: FunctionId,
    /// Every access is behind a check that it is within an object.
    pub bounds_checked: bool,
    pub source: Source,
    /// Assumptions and oddities that the user should know of, in order of the text.
    pub warnings: Vec<Diagnostic>,
}
