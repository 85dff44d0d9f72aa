//! Boolean programs constructed by another program, not read from text.
//!
//! A [`ProgramBuilder`] collects globals and procedures, a [`ProcedureBuilder`] the statements of
//! one procedure, and [`expression`] provides the expressions.  The result is a syntax tree
//! ([`super::syntax`]); it is printed, read and resolved like any other, so traces refer to lines
//! of [`ProgramBuilder::text`] and the resolver finds mistakes.
//!
//! A name is any text without `}` and control characters: names that are not identifiers of the
//! language are written in braces, as SLAM writes predicates (`x > 0` becomes `{x > 0}`).

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
use hardbop_base::source::{Diagnostic, Source, Span};

/// Why a program cannot be built.
///
/// ```
/// use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, nondet};
///
/// let mut main = ProcedureBuilder::new("main")?;
/// main.begin_if(nondet())?.skip();
/// let mut program = ProgramBuilder::new();
/// let Err(error @ BuildError::OpenBlock { .. }) = program.procedure(main) else {
///     panic!("the 'if' is not closed");
/// };
/// assert_eq!(error.to_string(), "'main' ends with an open 'if'");
/// # Ok::<(), BuildError>(())
/// ```
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum BuildError {
    #[error("'{0}' cannot be a name: names are not empty, without '}}' and control characters")]
    Name(String),
    /// [`Expression::nodes`] was made by hand, and an operator lacks an operand or one is left
    /// over.
    #[error("an expression is malformed")]
    Expression,
    #[error("nothing is assigned")]
    NoTargets,
    #[error("a 'goto' without a label")]
    NoLabels,
    /// The word needs an open block.
    #[error("'{word}' without an open '{block}'")]
    NoBlock { word: &'static str, block: &'static str },
    #[error("'{0}' after 'else'")]
    AfterElse(&'static str),
    #[error("'{procedure}' ends with an open '{block}'")]
    OpenBlock { procedure: String, block: &'static str },
    /// Undeclared names, wrong numbers of arguments and the like.  Positions refer to the printed
    /// program.
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

/// A program under construction.
///
/// ```
/// use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, constant, variable};
/// use hardbop_bp::language::parser::parse;
///
/// let mut main = ProcedureBuilder::new("main")?;
/// main.assign("x > 0", constant(true))?.assert(variable("x > 0"))?;
/// let mut program = ProgramBuilder::new();
/// program.global("x > 0")?.procedure(main)?;
/// let text = program.text(); // for `check`, or for other tools
/// assert!(text.contains("assert({x > 0});"));
/// assert!(parse(&text, Default::default()).is_ok());
/// # Ok::<(), BuildError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ProgramBuilder {
    globals: Vec<Name>,
    procedures: Vec<Item>,
}

impl ProgramBuilder {
    /// An empty program.
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

    /// Adds a procedure; the order does not matter, so callees may come later.
    ///
    /// # Errors
    /// [`BuildError::OpenBlock`]
    pub fn procedure(&mut self, procedure: ProcedureBuilder) -> Result<&mut Self, BuildError> {
        self.procedures.push(Item::Procedure(procedure.finish()?));
        Ok(self)
    }

    /// The syntax tree, without positions.
    pub fn tree(&self) -> SyntaxTree {
        let globals = (!self.globals.is_empty()).then(|| Item::Declaration(self.globals.clone()));
        SyntaxTree { items: globals.into_iter().chain(self.procedures.iter().cloned()).collect() }
    }

    /// The program as text; all dialects read it alike.
    pub fn text(&self) -> String {
        print(&self.tree())
    }

    /// The program for the engines; `name` stands in traces for a file name.
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

/// The name in the notation of the language.
///
/// # Errors
/// [`BuildError::Name`]
///
/// ```
/// use hardbop_bp::language::build::quoted;
///
/// assert_eq!(quoted("held")?, "held");
/// assert_eq!(quoted("x > 0")?, "{x > 0}");
/// assert!(quoted("}").is_err());
/// # Ok::<(), hardbop_bp::language::build::BuildError>(())
/// ```
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

/// The name of something to declare, so not `_`.
fn declared(name: &str) -> Result<Name, BuildError> {
    if name == "_" { Err(BuildError::Name(name.to_owned())) } else { named(name) }
}

/// The expression, with its names in the notation of the language.
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
