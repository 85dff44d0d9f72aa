//! Expressions: operands, Rust's operators `!`, `&`, `|`, `^`, and methods for the rest.

use std::ops::{BitAnd, BitOr, BitXor, Not};
use std::str::FromStr;

use crate::language::parser::{Dialect, parse_expression};
use crate::language::syntax::{Expression, ExpressionNode, Operator};
use hardbop_base::source::{Diagnostic, Span};

fn leaf(operator: Operator) -> Expression {
    Expression { nodes: vec![ExpressionNode { operator, span: Span::default() }] }
}

/// `T` or `F`.
///
/// ```
/// use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, constant};
///
/// let mut main = ProcedureBuilder::new("main")?;
/// main.assign("held", constant(true))?;
/// let mut program = ProgramBuilder::new();
/// program.global("held")?.procedure(main)?;
/// assert!(program.text().contains("held := T;"));
/// # Ok::<(), BuildError>(())
/// ```
pub fn constant(value: bool) -> Expression {
    leaf(Operator::Constant(value))
}

/// The value of a variable, which may have any name.
///
/// ```
/// use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, variable};
///
/// let mut main = ProcedureBuilder::new("main")?;
/// main.assert(!variable("held") | variable("x > 0"))?;
/// let mut program = ProgramBuilder::new();
/// program.global("held")?.global("x > 0")?.procedure(main)?;
/// assert!(program.text().contains("assert(!held | {x > 0});"));
/// # Ok::<(), BuildError>(())
/// ```
pub fn variable(name: impl Into<String>) -> Expression {
    leaf(Operator::Variable(name.into()))
}

/// `'x`: the value of a variable after the assignment; only in the condition of `constrain`.
///
/// ```
/// use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, next, nondet, variable};
///
/// let mut main = ProcedureBuilder::new("main")?;
/// main.assign_all([("a", nondet())], Some(next("a").not_equal(variable("a"))))?;
/// let mut program = ProgramBuilder::new();
/// program.global("a")?.procedure(main)?;
/// assert!(program.text().contains("a := * constrain ('a != a);"));
/// # Ok::<(), BuildError>(())
/// ```
pub fn next(name: impl Into<String>) -> Expression {
    leaf(Operator::Next(name.into()))
}

/// `*`: a fresh value at each evaluation.
///
/// ```
/// use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, nondet};
///
/// let mut main = ProcedureBuilder::new("main")?;
/// main.assign("request", nondet())?;
/// let mut program = ProgramBuilder::new();
/// program.global("request")?.procedure(main)?;
/// assert!(program.text().contains("request := *;"));
/// # Ok::<(), BuildError>(())
/// ```
pub fn nondet() -> Expression {
    leaf(Operator::Nondet)
}

/// `schoose[positive, negative]`: T if `positive`, else F if `negative`, else a fresh value.
///
/// ```
/// use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, choose, constant, variable};
///
/// let mut main = ProcedureBuilder::new("main")?;
/// main.assign("x < 9", choose(variable("x < 8"), constant(false)))?;
/// let mut program = ProgramBuilder::new();
/// program.global("x < 8")?.global("x < 9")?.procedure(main)?;
/// assert!(program.text().contains("{x < 9} := schoose[{x < 8}, F];"));
/// # Ok::<(), BuildError>(())
/// ```
pub fn choose(positive: Expression, negative: Expression) -> Expression {
    positive.with(negative, Operator::Choose)
}

impl Expression {
    fn with(mut self, right: Self, operator: Operator) -> Self {
        self.nodes.extend(right.nodes);
        self.nodes.push(ExpressionNode { operator, span: Span::default() });
        self
    }

    /// `self = other`.
    #[must_use]
    pub fn equal(self, other: Self) -> Self {
        self.with(other, Operator::Equal)
    }

    /// `self != other`.
    #[must_use]
    pub fn not_equal(self, other: Self) -> Self {
        self.with(other, Operator::NotEqual)
    }

    /// `self => other`.
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        self.with(other, Operator::Implies)
    }
}

impl Not for Expression {
    type Output = Self;

    fn not(mut self) -> Self {
        self.nodes.push(ExpressionNode { operator: Operator::Not, span: Span::default() });
        self
    }
}

impl BitAnd for Expression {
    type Output = Self;

    fn bitand(self, right: Self) -> Self {
        self.with(right, Operator::And)
    }
}

impl BitOr for Expression {
    type Output = Self;

    fn bitor(self, right: Self) -> Self {
        self.with(right, Operator::Or)
    }
}

impl BitXor for Expression {
    type Output = Self;

    fn bitxor(self, right: Self) -> Self {
        self.with(right, Operator::Xor)
    }
}

impl From<bool> for Expression {
    fn from(value: bool) -> Self {
        constant(value)
    }
}

/// Reads the notation of programs, in the default dialect: `a & !{x > 0}`.
impl FromStr for Expression {
    type Err = Vec<Diagnostic>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_expression(text, Dialect::default())
    }
}
