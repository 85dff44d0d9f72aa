//! A C program as control flow: one graph per function. Expressions have no side effects, and all conversions are explicit.
//!
//! `c::parse` builds it, the interpreter executes it, and the lowering to control-flow automata gives it a memory model.
//! Short circuits, `?:` with side effects, `++`, assignments within expressions, `switch`, loops and `goto` are gone.
//! Evaluation goes through temporaries, from left to right, which is one of the orders that C allows gcc to choose.

mod errors;
mod operator;

use std::collections::{BTreeMap, BTreeSet};

use super::reliance::{Reliance, Unordered};
use super::trace::EdgeIndex;
use super::types::{TypeId, Types};
use hardbop_base::errors::{Checks, ErrorKind};
use hardbop_base::source::{Diagnostic, Source, Span};

pub use operator::{BinaryOp, Checked, RealOp, State, UnaryOp};

/// The name of a function that is called where `exit` ends the program, if that is checked: `c::checks` replaces the calls.
pub(crate) const END: &str = "end of the program";

/// The input that says which thread runs next.
pub const SCHEDULER: &str = "scheduler";

/// What the names of temporaries begin with that have what a thread has read for a part of a statement.
pub const READ: &str = "read@";

/// What the names of temporaries begin with that are set where a thread is about to do something, beside another one.
pub const NEXT: &str = "next@";

/// The name of the temporary that has what a function returns, if its contract says something of that and there are several
/// places where it does.
pub const RETURNED: &str = "(result)";

/// The names of variables end with this that say whether an execution is about to start in a function.
pub const STARTS: &str = " starts";

/// Where a location of a program with threads comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadPlace {
    /// The number of the thread; that of `main` is 0.
    pub thread: u32,
    /// The function in the text.
    pub function: FunctionId,
}

/// A variable (global, static, parameter, local or temporary) in [`Flow::variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// A function in [`Flow::functions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A location of a function: an index into [`Body::locations`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(pub u32);

/// A variable: of the text, or a temporary.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    pub ty: TypeId,
    /// The function that it belongs to; `None` for globals and static locals.
    pub function: Option<FunctionId>,
    pub kind: VariableKind,
    /// Whether the object itself is volatile and something outside the program can reach it, so that each read is any
    /// value.
    pub volatile: bool,
    /// Whether it is a local variable that is defined `volatile`: a jump into its function leaves its value as it is.
    pub lasting: bool,
    /// Whether the object itself is defined `const`.
    pub constant: bool,
    /// Whether the object is of an atomic type, or its elements are.
    pub atomic: bool,
    /// Whether no other file can name it: not for globals without `static`.
    pub internal: bool,
    /// The number of blocks around it, the file being one of them; for parameters, that of the function's block.
    pub depth: u32,
    pub span: Span,
}

/// Where a variable comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableKind {
    /// Zero before [`Flow::initialisers`] are executed.
    Global,
    /// Declared `extern` but not defined: starts with any value.
    External,
    Parameter,
    Local,
    Temporary,
}

/// An expression without side effects.
#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    /// Never an array or a function: those have become addresses. Records occur only in `Load`.
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    /// The bits of an integer or pointer, zero-extended to 64.
    Constant(u64),
    /// A floating-point constant; for a `float`, one of its values.
    Float(f64),
    /// The value in a place.
    Load(Place),
    /// The address of a place; for an array that decays, that of its first element.
    AddressOf(Place),
    FunctionAddress(FunctionId),
    /// Operand and result have the same (promoted) type.
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have the same type, except in shifts, where the right one has any promoted
    /// type. Arithmetic has the operands' type, comparisons (also of pointers) have type `int`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `pointer + index * scale`; `index` is signed and as wide as a pointer; `scale` is in bytes.
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
    /// `c ? a : b` where it does no harm to evaluate both (no traps, no side effects).
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Conversion to `ty`: an integer, a pointer, `_Bool` or a floating-point type.
    Cast(Box<Expr>),
    /// In the mode that is the value of the first, as `fesetround` takes it, the operation that the second is.
    Rounded(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Whether it is the negation by which `pointer - index` becomes the [`ExprKind::Offset`] at
    /// `whole`. The text has no such negation: its span is that of the subtraction.
    #[must_use]
    pub fn is_subtracted_index(&self, whole: Span) -> bool {
        self.span == whole && matches!(self.kind, ExprKind::Unary(UnaryOp::Negate, _))
    }

    /// The place that it reads, or whose address it is.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match &self.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => Some(place),
            _ => None,
        }
    }

    /// What is evaluated first to evaluate it, without the parts of that.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Expr> {
        let values = match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::Load(_)
            | ExprKind::AddressOf(_) => [None; 3],
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => [Some(a), None, None],
            ExprKind::Binary(_, a, b)
            | ExprKind::Rounded(a, b)
            | ExprKind::Offset { pointer: a, index: b, .. }
            | ExprKind::Difference { left: a, right: b, .. } => [Some(a), Some(b), None],
            ExprKind::Conditional(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        let values = values.into_iter().flatten().map(|value| &**value);
        self.place().into_iter().flat_map(Place::operands).chain(values)
    }

    /// The expression itself and all expressions in it, outer ones first.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(next.operands().rev());
            Some(next)
        })
    }
}

/// A typed part of memory.
#[derive(Debug, Clone)]
pub struct Place {
    pub base: Base,
    /// The steps from the base to the place.
    pub path: Vec<Step>,
    pub ty: TypeId,
    pub span: Span,
}

impl Place {
    /// What is evaluated to find it: the pointer and the indices.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Expr> {
        let pointer = match &self.base {
            Base::Pointer(pointer) => Some(&**pointer),
            Base::Variable(_) | Base::String(_) => None,
        };
        let indices = self.path.iter().filter_map(|step| match step {
            Step::Index(index) => Some(&**index),
            Step::Field(_) => None,
        });
        pointer.into_iter().chain(indices)
    }
}

#[derive(Debug, Clone)]
pub enum Base {
    Variable(VariableId),
    /// The target of a pointer; the path starts at the pointee type.
    Pointer(Box<Expr>),
    /// A string literal in [`Flow::strings`], an array of characters.
    String(u32),
}

#[derive(Debug, Clone)]
pub enum Step {
    /// A member, by its index in the record.
    Field(u32),
    /// An element of an array; the index is signed and as wide as a pointer.
    Index(Box<Expr>),
}

/// What happens between two locations.
#[derive(Debug, Clone)]
pub enum Instruction {
    /// Nothing.
    Skip,
    /// Assigns a scalar or a whole record.
    Assign(Place, Expr),
    /// Continues only if the condition is `expected`: a branch of an `if`, loop or `switch`, or a
    /// call of `__VERIFIER_assume`.
    Assume { condition: Expr, expected: bool },
    /// The place gets any value of its type: an uninitialised local is declared, or the value comes
    /// from `__VERIFIER_nondet_*`.
    Havoc(Place, HavocKind),
    /// A call, of a known function or through a pointer.
    Call { result: Option<Place>, callee: Callee, arguments: Vec<Expr> },
    /// Goes to [`Body::exit`]; the value has the type of the function's result.
    Return(Option<Expr>),
    /// The error: the property is violated here, and nothing follows.
    Error(Violation),
    /// The program ends (`exit`, `abort`, a failed assumption), and nothing follows.
    Halt,
    /// Not supported: a path through here is left undecided.
    Unsupported(String),
}

impl Instruction {
    /// The place that gets a value.
    #[must_use]
    pub fn target(&self) -> Option<&Place> {
        match self {
            Self::Assign(place, _) | Self::Havoc(place, _) => Some(place),
            Self::Call { result, .. } => result.as_ref(),
            _ => None,
        }
    }

    /// The expressions in it, without their parts and those of the target.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        let (callee, values) = match self {
            Self::Assign(_, value)
            | Self::Assume { condition: value, .. }
            | Self::Return(Some(value)) => (None, std::slice::from_ref(value)),
            Self::Call { callee: Callee::Pointer(pointer), arguments, .. } => {
                (Some(pointer), &arguments[..])
            }
            Self::Call { callee: Callee::Function(_), arguments, .. } => (None, &arguments[..]),
            Self::Havoc(..)
            | Self::Return(None)
            | Self::Skip
            | Self::Error(_)
            | Self::Halt
            | Self::Unsupported(_) => (None, &[][..]),
        };
        callee.into_iter().chain(values)
    }

    /// What is evaluated to execute it: the values, and what leads to the target.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        self.target().into_iter().flat_map(Place::operands).chain(self.values())
    }

    /// The operands and all expressions in them.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        self.operands().flat_map(Expr::parts)
    }
}

/// The way in which a property is violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// A call or a label is reached, or an assertion fails.
    Reached,
    /// An operation or an access is an error of this kind.
    Of(ErrorKind),
    /// The invariant of a witness with this number, which was [woven in](super::instrument), is false, or evaluating it has
    /// no defined meaning.
    Witness(u32),
}

impl Violation {
    /// The violation in words, with an article; none for [`Violation::Reached`].
    #[must_use]
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::Reached => None,
            Self::Of(kind) => Some(kind.row().words),
            Self::Witness(_) => Some("a false invariant of a witness"),
        }
    }

    /// The violation for programs; none for [`Violation::Reached`].
    #[must_use]
    pub fn code(self) -> Option<&'static str> {
        match self {
            Self::Reached => None,
            Self::Of(kind) => Some(kind.row().code),
            Self::Witness(_) => Some("witness"),
        }
    }
}

/// The source of a value that the program text does not determine.
#[derive(Debug, Clone)]
pub enum HavocKind {
    /// A call of `__VERIFIER_nondet_x`, by its name.
    Input(String),
    /// A local variable comes into scope.
    Uninitialised,
    /// The block of a local variable is left: the variable ends. Only where lifetimes are checked.
    Ended,
    /// A place in a volatile variable is read: something outside the program may have changed it.
    Volatile(Box<Place>),
}

#[derive(Debug, Clone)]
pub enum Callee {
    /// If it has no body, it returns any value.
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

/// The graph of a function's body.
#[derive(Debug, Clone)]
pub struct Body {
    pub entry: LocationId,
    /// Reached by every return; has no outgoing edges.
    pub exit: LocationId,
    pub locations: u32,
    pub edges: Vec<Edge>,
    /// Where the conditions of `while` and `for` are evaluated, with the spans of the loops, in the order of the text.
    pub loops: Vec<(LocationId, Span)>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    pub ty: TypeId,
    pub parameters: Vec<VariableId>,
    /// Holds the result at `Body::exit`; `None` for void functions.
    pub result: Option<VariableId>,
    /// `None` if undefined: a call returns any value, and changes nothing that it cannot reach.
    pub body: Option<Body>,
    pub span: Span,
}

impl Flow {
    /// Whether a function is C code of the library (`library::models`), rather than of the program.
    pub fn is_of_library(&self, function: FunctionId) -> bool {
        self.is_in_library(self.functions[function.0 as usize].span)
    }

    /// Whether the blocks that a function allocates are the library's own, which the program may not free: the texts of
    /// `getenv`.  Those of `getline`, `realpath` and others are the program's.
    pub fn keeps_blocks(&self, function: FunctionId) -> bool {
        self.functions[function.0 as usize].name == "getenv" && self.is_of_library(function)
    }

    /// Whether a part of the text is in such code.
    pub fn is_in_library(&self, span: Span) -> bool {
        self.source.position(span.start).file.starts_with("<library>/")
    }

    /// Where a location comes from, at which an edge of a program with threads begins; those of the scheduler come from
    /// nowhere, which is the inner `None`.
    #[must_use]
    pub fn thread_at(&self, edge: EdgeIndex, at: LocationId) -> Option<Option<ThreadPlace>> {
        let is_woven = !self.threads.is_empty() && edge.function == self.main.0;
        is_woven.then(|| self.threads.get(at.0 as usize).copied().flatten())
    }

    /// All expressions and their parts, in bodies and initial values.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let bodies = self.functions.iter().filter_map(|f| f.body.as_ref());
        let edges = bodies.flat_map(|body| &body.edges).flat_map(|edge| edge.instruction.parts());
        let initial = self.initialisers.iter();
        let initial = initial.flat_map(|(place, value)| place.operands().chain([value]));
        edges.chain(initial.flat_map(Expr::parts))
    }

    /// The value of a constant of integer or pointer type, as a signed number.
    #[must_use]
    pub fn constant(&self, expr: &Expr) -> Option<i64> {
        let ExprKind::Constant(value) = expr.kind else { return None };
        let (bits, signed) = self.types.bits(expr.ty)?;
        let spare = 64 - bits;
        let high = value << spare;
        Some(if signed { high as i64 >> spare } else { (high >> spare) as i64 })
    }
}

impl Function {
    /// Whether the body is not in the text, but was generated to stand for a call's meaning.
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
    /// String literals, each with its terminating zero.
    pub strings: Vec<Vec<u8>>,
    /// Assignments of the non-zero initial values of globals.
    pub initialisers: Vec<(Place, Expr)>,
    /// The function where execution starts.
    pub main: FunctionId,
    /// The objects that stand, each for all of its type, for what is beyond the objects that `main` is given.  What a pointer to one
    /// is used for is left open.
    pub beyond: BTreeMap<TypeId, VariableId>,
    /// The errors that each operation and access is guarded by a check for.
    pub checked: Checks,
    /// What the text relies on, with its place in a function's body, or in the initial value of a global.
    pub reliances: BTreeSet<(Reliance, Option<Span>)>,
    /// Where the text relies on an order, if what is called there does.
    pub unordered: BTreeSet<Unordered>,
    /// What the text says is an error, reached or not: the function, and the place.
    pub stated: Vec<(FunctionId, Span)>,
    /// Of a program with threads, where the locations of `main` come from, by their numbers; those of the scheduler are from
    /// nowhere.  Empty otherwise.
    pub threads: Vec<Option<ThreadPlace>>,
    /// Labels of the property that the text has.
    pub error_labels: BTreeSet<String>,
    pub source: Source,
    /// Statements, declarations in blocks, conditions and parts of `for`, which witnesses can name.
    pub statements: Vec<Span>,
    /// Assumptions and oddities that the user should know about, in order of the text.
    pub warnings: Vec<Diagnostic>,
}
