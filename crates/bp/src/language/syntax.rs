//! The syntax tree of a Boolean program, with spans.
//!
//! Both expressions and statement lists are *flat*: an expression is in postfix order, a body is a
//! list in which `if`, `while` and their closing words are separate entries.  No pass over a
//! program recurses, so nesting depth cannot overflow the stack.

use std::mem;

use hardbop_base::source::Span;

/// A name with its position.  Quoted names keep their braces: `{x==0}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// One operator or operand of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operator {
    Constant(bool),
    Variable(String),
    /// `'x` or `x'`: the value after the assignment, only in `constrain`.
    Next(String),
    /// `*` or `?`: a fresh value at each evaluation.
    Nondet,
    Not,
    And,
    Or,
    Xor,
    /// `=`, `==`, `<=>`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `=>`.
    Implies,
    /// `schoose[p, n]`: T if p, else F if n, else fresh.
    Choose,
}

/// One entry of a postfix expression; the span is that of the whole subexpression that ends here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionNode {
    pub operator: Operator,
    pub span: Span,
}

/// An expression in postfix order.  Invariant: not empty, and well-formed (each operator has its
/// operands, exactly one value is left).
///
/// ```
/// use hardbop_bp::language::build::{constant, variable};
/// use hardbop_bp::language::syntax::Expression;
///
/// let operators = (variable("held") & !variable("x > 0")).implies(constant(false));
/// let text: Expression = "(held & !{x > 0}) => F".parse().expect("an expression");
/// assert_eq!(text.nodes.len(), operators.nodes.len());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub nodes: Vec<ExpressionNode>,
}

impl Expression {
    /// The span of the whole expression.
    pub fn span(&self) -> Span {
        self.nodes.last().map_or(Span::default(), |n| n.span)
    }
}

/// The target of an assigned value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Variable(Name),
    /// `_`: the value is dropped.
    Discard(Span),
}

/// One entry of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Labels in front of it, in order.
    pub labels: Vec<Name>,
    pub kind: StatementKind,
    /// The statement without its labels and without its `;`; for `If`/`While` the head up to
    /// and including the condition.
    pub span: Span,
}

impl Statement {
    /// Lets executions end where the assertion fails, if it is one, instead of an error.
    pub fn unchecked(&mut self) {
        self.kind = match mem::replace(&mut self.kind, StatementKind::Skip) {
            StatementKind::Assert(e) => StatementKind::Assume(e),
            StatementKind::AbortIf(mut e) => {
                e.nodes.push(ExpressionNode { operator: Operator::Not, span: e.span() });
                StatementKind::Assume(e)
            }
            other => other,
        };
    }
}

/// What a started thread does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// `start_thread goto L`: it goes on at the label, with a copy of the starter's variables.
    At(Name),
    /// `start_thread f(..)`: it executes the procedure.
    Call { procedure: Name, arguments: Vec<Expression> },
}

/// The kind of a statement.  Invariant of a body: block entries are balanced, as `If (.. ElseIf)*
/// (.. Else)? .. EndIf` and `While .. EndWhile`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    Skip,
    /// Parallel assignment; as many targets as values.
    Assign {
        targets: Vec<Target>,
        values: Vec<Expression>,
        constrain: Option<Expression>,
    },
    /// `f(..)` (no targets) or `x, y := f(..)`.
    Call {
        targets: Vec<Target>,
        procedure: Name,
        arguments: Vec<Expression>,
    },
    /// `assume e`, and Getafix's statement `constrain e`.
    Assume(Expression),
    Assert(Expression),
    AbortIf(Expression),
    Enforce(Expression),
    Goto(Vec<Name>),
    Return(Vec<Expression>),
    Declare(Vec<Name>),
    Dead(Vec<Name>),
    Print(Vec<Expression>),
    StartThread(Start),
    EndThread,
    AtomicBegin,
    AtomicEnd,
    If(Expression),
    ElseIf(Expression),
    Else,
    EndIf,
    While(Expression),
    EndWhile,
}

/// A procedure as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcedureSyntax {
    pub name: Name,
    /// Whether `dfs` stands in front of it (a search hint; no effect on the semantics).
    pub dfs: bool,
    /// Number of values that it returns; 0 for `void`.
    pub returns: usize,
    pub formals: Vec<Name>,
    pub body: Vec<Statement>,
    /// The procedure's head, from its type to its parameter list.
    pub span: Span,
    /// The closing `end`.
    pub end: Span,
}

/// An entry at the top level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Declaration(Vec<Name>),
    /// `thread_local decl x`: a global of which each thread has its own.
    ThreadLocal(Vec<Name>),
    /// `decl x := e`: declares globals and says with which values the program starts.  As many
    /// names as values.
    Initial {
        names: Vec<Name>,
        values: Vec<Expression>,
    },
    Procedure(ProcedureSyntax),
}

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SyntaxTree {
    pub items: Vec<Item>,
}
