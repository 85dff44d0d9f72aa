//! C text to typed control flow ([`Flow`]).
//!
//! In steps: comments and line marks are blanked ([`clean`]), GNU C that lang-c does not read is
//! rewritten ([`patch`]), lang-c parses ([`syntax`]), file-scope declarations are entered
//! ([`declaration`]), and then each body becomes a graph ([`statement`], [`expression`]).

mod assign;
mod attribute;
mod builder;
mod call;
mod clean;
mod constant;
mod context;
mod convention;
mod convert;
mod declaration;
mod declarator;
mod expression;
mod function;
mod initialiser;
mod literal;
mod logic;
mod operator;
mod patch;
mod place;
mod record;
mod scope;
mod specifier;
mod statement;
mod switch;
mod syntax;
mod tokens;

pub use clean::needs_preprocessor;
pub(in crate::program::c) use tokens::{Token, TokenKind};

use super::flow::Flow;
use super::types::DataModel;
use crate::base::source::{Diagnostic, DiagnosticKind, Source, Span};
use context::Context;

/// The tokens of a preprocessed text, without its comments and line marks; `None` where it has
/// directives.
pub(in crate::program::c) fn tokens_of(text: &str) -> Option<Vec<Token>> {
    Some(tokens::tokens(&clean::clean(text).ok()?.text))
}

/// What counts as the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// A call of one of these is the error, whatever their bodies do.
    pub error_functions: Vec<String>,
    /// Reaching a label of one of these names is the error.
    pub error_labels: Vec<String>,
    /// A failing `assert` without a body (also as `__assert_fail`) is the error.
    pub assertions: bool,
    /// Signed overflow is an error.
    pub overflow: bool,
    /// An access outside of its object is an error.
    pub bounds: bool,
    /// An access through a null pointer is an error.
    pub null: bool,
}

impl Property {
    /// Nothing is an error.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            error_functions: Vec::new(),
            error_labels: Vec::new(),
            assertions: false,
            overflow: false,
            bounds: false,
            null: false,
        }
    }

    /// Is something an error that operations and accesses do, not only places in the text?
    #[must_use]
    pub fn checks(&self) -> bool {
        self.overflow || self.bounds || self.null
    }

    /// What is an error, as formulas: `G ! call(reach_error())`.
    #[must_use]
    pub fn formulas(&self) -> Vec<String> {
        let calls = self.error_functions.iter().map(|name| format!("G ! call({name}())"));
        let labels = self.error_labels.iter().map(|name| format!("G ! label({name})"));
        let others = [
            (self.assertions, "G assert"),
            (self.overflow, "G ! overflow"),
            (self.bounds, "G in-bounds"),
            (self.null, "G not-null"),
        ];
        let others = others.into_iter().filter(|(on, _)| *on).map(|(_, text)| text.to_owned());
        calls.chain(labels).chain(others).collect()
    }
}

impl Default for Property {
    fn default() -> Self {
        Self {
            error_functions: vec!["__VERIFIER_error".to_owned(), "reach_error".to_owned()],
            error_labels: vec!["ERROR".to_owned()],
            assertions: true,
            ..Self::nothing()
        }
    }
}

/// How a text is read.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    pub model: DataModel,
    pub property: Property,
    /// The function that an execution starts with, instead of `main`; its parameters have any values.
    pub entry: Option<String>,
}

/// More mistakes are not reported.
pub const MAX_DIAGNOSTICS: usize = 20;

/// Stack for work on C programs: recursion follows their nesting.
const STACK: usize = 1 << 30;

/// Runs `work` on a thread with a stack of 1 GiB (address space; memory only as far as it is used).
///
/// Panics where `work` does; errors where the thread cannot be made.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("c".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, work)?;
        match thread.join() {
            Ok(value) => Ok(value),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The text with the files and lines that line marks in it say: [`Source::position`] then gives them.
#[must_use]
pub fn with_line_marks(source: Source) -> Source {
    match clean::clean(&source.text) {
        Ok(clean) => source.with_line_map(clean.lines),
        Err(_) => source,
    }
}

/// Reads a preprocessed text.  To be run [`on_large_stack`].
///
/// [`Flow::source`] is that of [`with_line_marks`]; to show diagnostics, take that, too.
///
/// # Errors
/// All mistakes that were found, at most [`MAX_DIAGNOSTICS`], in order of the text.
pub fn parse(source: Source, options: &ParseOptions) -> Result<Flow, Vec<Diagnostic>> {
    if source.text.len() >= u32::MAX as usize {
        return Err(vec![Diagnostic::new(
            DiagnosticKind::Unsupported,
            Span::default(),
            "texts of 4 GiB and more are not supported",
        )]);
    }
    let mut clean = clean::clean(&source.text)?;
    let source = source.with_line_map(std::mem::take(&mut clean.lines));
    let mut patched = patch::patch(&clean);
    drop(clean);
    let unit = syntax::parse(&mut patched, &source.text).map_err(|error| vec![error])?;
    let mut context = Context::new(&patched, options);
    context.unit(&unit);
    let mut flow = context.finish(source)?;
    super::checks::insert(&mut flow, &options.property);
    Ok(flow)
}
