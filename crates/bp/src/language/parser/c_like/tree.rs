//! What is read from a text in the C-like dialect, before numbers become bits.
//!
//! Flat, as the syntax tree of the language: expressions are postfix, bodies are lists in which
//! blocks are pairs of entries.

use crate::language::syntax::Name;
use hardbop_base::source::Span;

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Int,
    /// The enumeration with this number.
    Enum(usize),
    Mutex,
}

/// `enum {A, B}`: the values, which may be numbers.
#[derive(Debug)]
pub(super) struct Enumeration {
    pub values: Vec<String>,
}

/// An operator or operand of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operator {
    Constant(bool),
    Number(u64),
    Variable(String),
    Nondet,
    /// Makes a truth value of the last operand; a number is true if it is not 0.
    Truth {
        /// Whether the operator around it is one of `&`, `|` and `^`, which C has for numbers, too.
        bitwise: bool,
    },
    Not,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
}

/// An entry of an expression, with the span of the subexpression that ends here.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub operator: Operator,
    pub span: Span,
}

/// An expression in postfix order.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub nodes: Vec<Node>,
    pub span: Span,
}

/// The call of a procedure.
#[derive(Debug)]
pub(super) struct Call {
    pub procedure: Name,
    pub arguments: Vec<Expression>,
}

/// What is assigned or returned.
#[derive(Debug)]
pub(super) enum Value {
    Expression(Expression),
    Call(Call),
}

/// A declared variable, with the value that is given to it.
#[derive(Debug)]
pub(super) struct Declared {
    pub name: Name,
    pub kind: Type,
    pub value: Option<Value>,
}

/// A label in front of a statement.
#[derive(Debug)]
pub(super) struct Label {
    pub name: Name,
    /// Whether it is a number without `:`, which is a label only if there is a jump to it.
    pub is_line_number: bool,
}

/// What a statement does.
#[derive(Debug)]
pub(super) enum Kind {
    Skip,
    /// As many targets as values.
    Assign(Vec<Name>, Vec<Expression>),
    Call(Option<Name>, Call),
    /// `acquire(m)`, `lock(m)`; whether it is the first of these.
    Mutex {
        acquire: bool,
        word: Name,
        mutex: Name,
    },
    Assume(Expression),
    Assert(Expression),
    Goto(Vec<Name>),
    Return(Option<Value>),
    Declare(Declared),
    /// The beginning of a thread.
    Start(Call),
    EndThread,
    /// `atomic_begin` and `atomic_end`, which are no blocks.
    AtomicBegin,
    AtomicEnd,
    If(Expression),
    Else,
    EndIf,
    /// Loops are numbered.
    While(usize, Expression),
    EndWhile(usize),
    Break(usize),
    Continue(usize),
    /// `{`
    Open,
    /// `atomic {`
    OpenAtomic,
    /// `}` of these two.
    Close,
}

/// A statement with its labels.
#[derive(Debug)]
pub(super) struct Statement {
    pub labels: Vec<Label>,
    pub kind: Kind,
    pub span: Span,
}

/// A procedure.
#[derive(Debug)]
pub(super) struct Procedure {
    pub name: Name,
    /// `None` for `void`.
    pub returns: Option<Type>,
    pub formals: Vec<(Name, Type)>,
    pub body: Vec<Statement>,
    pub span: Span,
    pub end: Span,
}

/// An entry at the top level.
#[derive(Debug)]
pub(super) enum Item {
    Global(Declared),
    Procedure(Procedure),
}

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub items: Vec<Item>,
    pub enumerations: Vec<Enumeration>,
    /// `define DEFAULT_INT_BITS n`.
    pub int_bits: Option<u32>,
}

impl Tree {
    pub fn procedures(&self) -> impl Iterator<Item = &Procedure> {
        self.items.iter().filter_map(|i| if let Item::Procedure(p) = i { Some(p) } else { None })
    }

    /// The values with which global variables begin.
    pub fn values(&self) -> impl Iterator<Item = &Expression> {
        self.items.iter().filter_map(|item| match item {
            Item::Global(Declared { value: Some(Value::Expression(e)), .. }) => Some(e),
            _ => None,
        })
    }

    /// Whether some variable or procedure is an `int`.
    pub fn has_ints(&self) -> bool {
        let of_procedure = |p: &Procedure| {
            let is_int = |s: &Statement| matches!(&s.kind, Kind::Declare(d) if d.kind == Type::Int);
            p.returns == Some(Type::Int)
                || p.formals.iter().any(|(_, kind)| *kind == Type::Int)
                || p.body.iter().any(is_int)
        };
        self.items.iter().any(|item| match item {
            Item::Global(global) => global.kind == Type::Int,
            Item::Procedure(p) => of_procedure(p),
        })
    }
}

impl Kind {
    /// The call that a statement makes, if it makes one.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Self::Call(_, call) | Self::Return(Some(Value::Call(call))) => Some(call),
            Self::Declare(Declared { value: Some(Value::Call(call)), .. }) => Some(call),
            _ => None,
        }
    }

    /// The name of the procedure that a statement calls, if it calls one.
    pub fn called(&self) -> Option<&str> {
        match self {
            // Where no such mutex is declared, it is a call.
            Self::Mutex { word, .. } => Some(&word.text),
            _ => self.call().map(|call| call.procedure.text.as_str()),
        }
    }

    /// The expressions of a statement.
    pub fn expressions(&self) -> &[Expression] {
        match self {
            Self::Assign(_, values) => values,
            Self::Assume(e) | Self::Assert(e) | Self::If(e) | Self::While(_, e) => {
                std::slice::from_ref(e)
            }
            Self::Return(Some(Value::Expression(e))) => std::slice::from_ref(e),
            Self::Declare(Declared { value: Some(Value::Expression(e)), .. }) => {
                std::slice::from_ref(e)
            }
            Self::Start(call) => &call.arguments,
            other => other.call().map_or(&[], |call| &call.arguments),
        }
    }
}
