//! Boolean programs made by another program, not read from a text.
//!
//! A [`ProgramBuilder`] collects globals and procedures, a [`ProcedureBuilder`] the statements of one procedure,
//! and [`expression`] has the expressions.  What comes out is the syntax tree of [`super::syntax`]; it is printed, read and
//! resolved as any other, so that a trace has lines of [`ProgramBuilder::text`] and mistakes are found by the resolver.
//!
//! Names are any texts without `}` and control characters: what is no identifier of the language is written in braces, as
//! SLAM writes predicates (`x > 0` becomes `{x > 0}`).

pub mod expression;
mod procedure;

pub use expression::{choose, constant, next, nondet, variable};
pub use procedure::ProcedureBuilder;

use thiserror::Error;

use super::parser::{Dialect, is_name, parse};
use super::print::print;
use super::program::Program;
use super::resolve::{ResolveOptions, resolve};
use super::syntax::{Expression, Item, Name, Operator, SyntaxTree};
use crate::base::source::{Diagnostic, Source, Span};

/// Why a program cannot be built.
#[derive(Debug, Clone, Error)]
pub enum BuildError {
    #[error("'{0}' cannot be a name: names are not empty, without '}}' and control characters")]
    Name(String),
    /// [`Expression::nodes`] was made by hand, and an operator misses an operand or one is left over.
    #[error("an expression is malformed")]
    Expression,
    #[error("nothing is assigned")]
    NoTargets,
    #[error("a 'goto' without a label")]
    NoLabels,
    /// The word needs a block that is open.
    #[error("'{word}' without an open '{block}'")]
    NoBlock { word: &'static str, block: &'static str },
    #[error("'{0}' after 'else'")]
    AfterElse(&'static str),
    #[error("'{procedure}' ends with an open '{block}'")]
    OpenBlock { procedure: String, block: &'static str },
    /// Names that are not declared, wrong numbers of arguments and the like.  The places are those of the printed program.
    #[error("{}", first(.diagnostics))]
    Program { program: Box<Source>, diagnostics: Vec<Diagnostic> },
}

fn first(diagnostics: &[Diagnostic]) -> String {
    let message = diagnostics.first().map_or("", |d| &d.message);
    match diagnostics.len() {
        0 | 1 => message.to_owned(),
        n => format!("{message} (and {} more)", n - 1),
    }
}

/// A program in the making.
#[derive(Debug, Clone, Default)]
pub struct ProgramBuilder {
    globals: Vec<Name>,
    procedures: Vec<Item>,
}

impl ProgramBuilder {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a global variable.
    ///
    /// # Errors
    /// [`BuildError::Name`]
    pub fn global(&mut self, name: &str) -> Result<&mut Self, BuildError> {
        self.globals.push(declared(name)?);
        Ok(self)
    }

    /// Adds a procedure; in any order, callees may come later.
    ///
    /// # Errors
    /// [`BuildError::OpenBlock`]
    pub fn procedure(&mut self, procedure: ProcedureBuilder) -> Result<&mut Self, BuildError> {
        self.procedures.push(Item::Procedure(procedure.finish()?));
        Ok(self)
    }

    /// The syntax tree, without places.
    pub fn tree(&self) -> SyntaxTree {
        let globals = (!self.globals.is_empty()).then(|| Item::Declaration(self.globals.clone()));
        SyntaxTree { items: globals.into_iter().chain(self.procedures.iter().cloned()).collect() }
    }

    /// The program as text; all dialects read it alike.
    pub fn text(&self) -> String {
        print(&self.tree())
    }

    /// The program for the engines; `name` stands in traces where else a file does.
    ///
    /// # Errors
    /// [`BuildError::Program`]
    pub fn finish(&self, name: &str, options: &ResolveOptions) -> Result<Program, BuildError> {
        let source = Source::new(name, self.text());
        let wrong =
            |diagnostics| BuildError::Program { program: Box::new(source.clone()), diagnostics };
        let tree = parse(&source.text, Dialect::default()).map_err(wrong)?;
        resolve(source.clone(), &tree, options).map_err(wrong)
    }
}

/// The name as the language writes it.
///
/// # Errors
/// [`BuildError::Name`]
pub fn quoted(name: &str) -> Result<String, BuildError> {
    let inner = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')).unwrap_or(name);
    if inner.is_empty() || inner.contains(|c: char| c == '}' || c.is_control()) {
        return Err(BuildError::Name(name.to_owned()));
    }
    if is_name(name) {
        return Ok(name.to_owned());
    }
    let quoted = format!("{{{name}}}");
    if is_name(&quoted) { Ok(quoted) } else { Err(BuildError::Name(name.to_owned())) }
}

fn named(name: &str) -> Result<Name, BuildError> {
    Ok(Name { text: quoted(name)?, span: Span::default() })
}

/// The name of something that is declared, so not `_`.
fn declared(name: &str) -> Result<Name, BuildError> {
    if name == "_" { Err(BuildError::Name(name.to_owned())) } else { named(name) }
}

/// The expression with its names as the language writes them.
fn checked(mut expression: Expression) -> Result<Expression, BuildError> {
    let mut values = 0_usize;
    for node in &mut expression.nodes {
        match &mut node.operator {
            Operator::Variable(name) | Operator::Next(name) => *name = quoted(name)?,
            _ => {}
        }
        let operands = super::print::arity(&node.operator);
        values = values.checked_sub(operands).ok_or(BuildError::Expression)? + 1;
        node.span = Span::default();
    }
    if values == 1 { Ok(expression) } else { Err(BuildError::Expression) }
}
