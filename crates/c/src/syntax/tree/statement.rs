//! Statements.

use super::{Declaration, Expression, Identifier, Node, StaticAssert, StringLiteral};

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statement {
    Labeled(Box<Node<LabeledStatement>>),
    Compound(Vec<Node<BlockItem>>),
    Expression(Option<Box<Node<Expression>>>),
    If(Box<Node<IfStatement>>),
    Switch(Box<Node<SwitchStatement>>),
    While(Box<Node<WhileStatement>>),
    DoWhile(Box<Node<DoWhileStatement>>),
    For(Box<Node<ForStatement>>),
    Goto(Node<Identifier>),
    /// `goto *e;`
    ComputedGoto(Box<Node<Expression>>),
    Continue,
    Break,
    Return(Option<Box<Node<Expression>>>),
    Asm(Box<AsmStatement>),
}

/// A statement behind a label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LabeledStatement {
    pub label: Node<Label>,
    pub statement: Box<Node<Statement>>,
}

/// `if (c) a else b`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IfStatement {
    pub condition: Box<Node<Expression>>,
    pub then_statement: Box<Node<Statement>>,
    pub else_statement: Option<Box<Node<Statement>>>,
}

/// `switch (e) s`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SwitchStatement {
    pub expression: Box<Node<Expression>>,
    pub statement: Box<Node<Statement>>,
}

/// `while (c) s`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WhileStatement {
    pub expression: Box<Node<Expression>>,
    pub statement: Box<Node<Statement>>,
}

/// `do s while (c);`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DoWhileStatement {
    pub statement: Box<Node<Statement>>,
    pub expression: Box<Node<Expression>>,
}

/// `for (i; c; e) s`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ForStatement {
    pub initializer: ForInitializer,
    pub condition: Option<Box<Node<Expression>>>,
    pub step: Option<Box<Node<Expression>>>,
    pub statement: Box<Node<Statement>>,
}

/// A label, without its colon.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Label {
    Identifier(Node<Identifier>),
    Case(Box<Node<Expression>>),
    /// `case a ... b`
    CaseRange(Box<Node<Expression>>, Box<Node<Expression>>),
    Default,
}

/// The first part of `for`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ForInitializer {
    Empty,
    Expression(Box<Node<Expression>>),
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
}

/// A part of a block.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BlockItem {
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
    Statement(Node<Statement>),
}

/// `asm ("..");`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AsmStatement {
    /// Whether it may jump to labels of the function.
    pub jumps: bool,
    pub template: StringLiteral,
    pub has_outputs: bool,
    pub inputs: Vec<Node<Expression>>,
}
