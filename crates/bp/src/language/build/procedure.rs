//! The statements of one procedure, one call each.

use super::{BuildError, checked, declared, named};
use crate::language::syntax::{
    Expression, Name, ProcedureSyntax, Statement, StatementKind, Target,
};
use hardbop_base::source::Span;

/// A procedure under construction.
///
/// Blocks are flat as in the syntax tree ([`begin_if`](Self::begin_if), [`end_if`](Self::end_if)),
/// or functions ([`if_else`](Self::if_else), [`while_do`](Self::while_do)).  A method that fails
/// changes nothing, except that what a function argument has added stays.
///
/// ```
/// use hardbop_bp::language::build::{BuildError, ProcedureBuilder, ProgramBuilder, nondet, variable};
///
/// let mut lock = ProcedureBuilder::new("lock")?;
/// lock.formal("held")?.local("done")?.returns(1);
/// lock.while_do(!variable("done"), |body| body.assign("done", nondet()).map(|_| ()))?
///     .return_values([variable("held") | variable("done")])?;
/// let mut program = ProgramBuilder::new();
/// program.procedure(lock)?;
/// assert!(program.text().contains("return held | done;"));
/// # Ok::<(), BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ProcedureBuilder {
    name: Name,
    formals: Vec<Name>,
    locals: Vec<Name>,
    returns: usize,
    body: Vec<Statement>,
    /// Labels for the next statement.
    labels: Vec<Name>,
    blocks: Vec<Block>,
}

/// An open block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    If,
    Else,
    While,
}

/// The result of a method that adds something.
type Added<'a> = Result<&'a mut ProcedureBuilder, BuildError>;

impl ProcedureBuilder {
    /// A procedure without formals or return values.
    ///
    /// # Errors
    /// [`BuildError::Name`]
    pub fn new(name: &str) -> Result<Self, BuildError> {
        Ok(Self {
            name: declared(name)?,
            formals: vec![],
            locals: vec![],
            returns: 0,
            body: vec![],
            labels: vec![],
            blocks: vec![],
        })
    }

    /// Declares the next formal parameter.
    ///
    /// # Errors
    /// [`BuildError::Name`]
    pub fn formal(&mut self, name: &str) -> Added<'_> {
        self.formals.push(declared(name)?);
        Ok(self)
    }

    /// Declares a local variable, which is initially arbitrary.
    ///
    /// # Errors
    /// [`BuildError::Name`]
    pub fn local(&mut self, name: &str) -> Added<'_> {
        self.locals.push(declared(name)?);
        Ok(self)
    }

    /// Sets the number of return values; the default is 0.
    pub fn returns(&mut self, count: usize) -> &mut Self {
        self.returns = count;
        self
    }

    /// Puts a label in front of the next statement.
    ///
    /// # Errors
    /// [`BuildError::Name`]
    pub fn label(&mut self, name: &str) -> Added<'_> {
        self.labels.push(declared(name)?);
        Ok(self)
    }

    fn add(&mut self, kind: StatementKind) -> &mut Self {
        let labels = std::mem::take(&mut self.labels);
        self.body.push(Statement { labels, kind, span: Span::default() });
        self
    }

    /// Ends a list of statements: pending labels need a statement to stand in front of.
    fn settle_labels(&mut self) {
        if !self.labels.is_empty() {
            self.skip();
        }
    }

    /// `skip`
    pub fn skip(&mut self) -> &mut Self {
        self.add(StatementKind::Skip)
    }

    /// `target := value`; the target `_` drops the value.
    ///
    /// # Errors
    /// If a name cannot be written, or the expression is malformed.
    pub fn assign(&mut self, target: &str, value: Expression) -> Added<'_> {
        self.assign_all([(target, value)], None)
    }

    /// Parallel assignment; the values are read before it.  With `constrain`, executions continue
    /// only if it holds; it may refer to new values ([`super::next`]).
    ///
    /// # Errors
    /// If nothing is assigned, a name cannot be written, or an expression is malformed.
    pub fn assign_all<'a>(
        &mut self,
        assigned: impl IntoIterator<Item = (&'a str, Expression)>,
        constrain: Option<Expression>,
    ) -> Added<'_> {
        let (mut targets, mut values) = (vec![], vec![]);
        for (name, value) in assigned {
            targets.push(target(name)?);
            values.push(checked(value)?);
        }
        if targets.is_empty() {
            return Err(BuildError::NoTargets);
        }
        let constrain = constrain.map(checked).transpose()?;
        Ok(self.add(StatementKind::Assign { targets, values, constrain }))
    }

    /// `targets := procedure(arguments)`; a target `_` drops its value, and no targets drop all of
    /// them.
    ///
    /// # Errors
    /// If a name cannot be written, or an expression is malformed.
    pub fn call(
        &mut self,
        targets: &[&str],
        procedure: &str,
        arguments: impl IntoIterator<Item = Expression>,
    ) -> Added<'_> {
        let targets = targets.iter().map(|t| target(t)).collect::<Result<_, _>>()?;
        let procedure = named(procedure)?;
        let arguments = expressions(arguments)?;
        Ok(self.add(StatementKind::Call { targets, procedure, arguments }))
    }

    /// `assume`: executions continue only if the condition can be true.
    ///
    /// # Errors
    /// If the expression is malformed, or contains a name that cannot be written.
    pub fn assume(&mut self, condition: Expression) -> Added<'_> {
        let condition = checked(condition)?;
        Ok(self.add(StatementKind::Assume(condition)))
    }

    /// `assert`: it is an error if the condition can be false.
    ///
    /// # Errors
    /// If the expression is malformed, or contains a name that cannot be written.
    pub fn assert(&mut self, condition: Expression) -> Added<'_> {
        let condition = checked(condition)?;
        Ok(self.add(StatementKind::Assert(condition)))
    }

    /// `goto`: jumps to any of the labels.
    ///
    /// # Errors
    /// If there are no labels, or one cannot be written.
    pub fn goto(&mut self, labels: &[&str]) -> Added<'_> {
        if labels.is_empty() {
            return Err(BuildError::NoLabels);
        }
        let labels = labels.iter().map(|l| declared(l)).collect::<Result<_, _>>()?;
        Ok(self.add(StatementKind::Goto(labels)))
    }

    /// `return`, with all return values of the procedure.
    ///
    /// # Errors
    /// If an expression is malformed, or contains a name that cannot be written.
    pub fn return_values(&mut self, values: impl IntoIterator<Item = Expression>) -> Added<'_> {
        let values = expressions(values)?;
        Ok(self.add(StatementKind::Return(values)))
    }

    /// `if (condition) then`; goes on with [`else_if`](Self::else_if) or
    /// [`otherwise`](Self::otherwise), up to [`end_if`](Self::end_if).
    ///
    /// # Errors
    /// If the expression is malformed, or contains a name that cannot be written.
    pub fn begin_if(&mut self, condition: Expression) -> Added<'_> {
        let condition = checked(condition)?;
        self.blocks.push(Block::If);
        Ok(self.add(StatementKind::If(condition)))
    }

    /// `elsif (condition) then`
    ///
    /// # Errors
    /// If no `if` is open, or the expression is malformed.
    pub fn else_if(&mut self, condition: Expression) -> Added<'_> {
        let condition = checked(condition)?;
        self.in_if("elsif")?;
        self.settle_labels();
        Ok(self.add(StatementKind::ElseIf(condition)))
    }

    /// `else`
    ///
    /// # Errors
    /// If no `if` is open, or it already has an `else`.
    pub fn otherwise(&mut self) -> Added<'_> {
        self.in_if("else")?;
        self.settle_labels();
        self.blocks.pop();
        self.blocks.push(Block::Else);
        Ok(self.add(StatementKind::Else))
    }

    /// `fi`
    ///
    /// # Errors
    /// If no `if` is open.
    pub fn end_if(&mut self) -> Added<'_> {
        if !matches!(self.blocks.last(), Some(Block::If | Block::Else)) {
            return Err(BuildError::NoBlock { word: "fi", block: "if" });
        }
        self.settle_labels();
        self.blocks.pop();
        Ok(self.add(StatementKind::EndIf))
    }

    fn in_if(&self, word: &'static str) -> Result<(), BuildError> {
        match self.blocks.last() {
            Some(Block::If) => Ok(()),
            Some(Block::Else) => Err(BuildError::AfterElse(word)),
            _ => Err(BuildError::NoBlock { word, block: "if" }),
        }
    }

    /// `while (condition) do`, up to [`end_while`](Self::end_while).
    ///
    /// # Errors
    /// If the expression is malformed, or contains a name that cannot be written.
    pub fn begin_while(&mut self, condition: Expression) -> Added<'_> {
        let condition = checked(condition)?;
        self.blocks.push(Block::While);
        Ok(self.add(StatementKind::While(condition)))
    }

    /// `od`
    ///
    /// # Errors
    /// If no `while` is open.
    pub fn end_while(&mut self) -> Added<'_> {
        if self.blocks.last() != Some(&Block::While) {
            return Err(BuildError::NoBlock { word: "od", block: "while" });
        }
        self.settle_labels();
        self.blocks.pop();
        Ok(self.add(StatementKind::EndWhile))
    }

    /// `if (condition) then .. else .. fi`
    ///
    /// # Errors
    /// An error of `condition` or of the statements inside.
    pub fn if_else(
        &mut self,
        condition: Expression,
        then: impl FnOnce(&mut Self) -> Result<(), BuildError>,
        otherwise: impl FnOnce(&mut Self) -> Result<(), BuildError>,
    ) -> Added<'_> {
        self.begin_if(condition)?;
        then(self)?;
        self.otherwise()?;
        otherwise(self)?;
        self.end_if()
    }

    /// `if (condition) then .. fi`
    ///
    /// # Errors
    /// An error of `condition` or of the statements inside.
    pub fn if_then(
        &mut self,
        condition: Expression,
        then: impl FnOnce(&mut Self) -> Result<(), BuildError>,
    ) -> Added<'_> {
        self.begin_if(condition)?;
        then(self)?;
        self.end_if()
    }

    /// `while (condition) do .. od`
    ///
    /// # Errors
    /// An error of `condition` or of the statements inside.
    pub fn while_do(
        &mut self,
        condition: Expression,
        body: impl FnOnce(&mut Self) -> Result<(), BuildError>,
    ) -> Added<'_> {
        self.begin_while(condition)?;
        body(self)?;
        self.end_while()
    }

    /// The procedure as syntax.
    ///
    /// # Errors
    /// [`BuildError::OpenBlock`]
    pub(super) fn finish(mut self) -> Result<ProcedureSyntax, BuildError> {
        if let Some(block) = self.blocks.last() {
            let block = if *block == Block::While { "while" } else { "if" };
            return Err(BuildError::OpenBlock { procedure: self.name.text, block });
        }
        self.settle_labels();
        if !self.locals.is_empty() {
            let (labels, span) = (vec![], Span::default());
            let kind = StatementKind::Declare(self.locals);
            self.body.insert(0, Statement { labels, kind, span });
        }
        Ok(ProcedureSyntax {
            name: self.name,
            dfs: false,
            returns: self.returns,
            formals: self.formals,
            body: self.body,
            span: Span::default(),
            end: Span::default(),
        })
    }
}

fn target(name: &str) -> Result<Target, BuildError> {
    if name == "_" {
        Ok(Target::Discard(Span::default()))
    } else {
        named(name).map(Target::Variable)
    }
}

fn expressions(all: impl IntoIterator<Item = Expression>) -> Result<Vec<Expression>, BuildError> {
    all.into_iter().map(checked).collect()
}
