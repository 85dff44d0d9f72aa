//! The parser's state: its position, and the mistakes so far.

use super::dialect::Dialect;
use super::mistakes;
use super::reader::{Failure, Reader, Rule, shorten};
use crate::language::syntax::Expression;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Reading stops after this many mistakes.
pub const MAX_DIAGNOSTICS: usize = 100;

/// Stands for an expression that could not be read.
pub(super) const NO_EXPRESSION: Expression = Expression { nodes: Vec::new() };

/// Reading ends if more bytes than this in a row are not tokens.
const STRANGE_RUN: u32 = 1000;

/// The parser's state; the reader of the text is separate, because matches borrow from it.
pub(super) struct Parser {
    pub dialect: Dialect,
    /// The place where reading goes on.
    pub at: usize,
    /// The token where the last syntax error was reported.
    last_error: Option<usize>,
    /// Tokens right after text that is not a token; no syntax error is reported there.
    behind_strange: Vec<usize>,
    /// Nothing more is to be read.
    pub given_up: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Parser {
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            at: 0,
            last_error: None,
            behind_strange: Vec::new(),
            given_up: false,
            diagnostics: Vec::new(),
        }
    }

    /// The value that was read, if no mistakes were found.
    pub fn finish<T>(self, read: T) -> Result<T, Vec<Diagnostic>> {
        let mut diagnostics = self.diagnostics;
        if diagnostics.is_empty() {
            return Ok(read);
        }
        diagnostics.sort_by_key(|d| d.span.start);
        if diagnostics.len() >= MAX_DIAGNOSTICS {
            diagnostics.truncate(MAX_DIAGNOSTICS);
            let last = diagnostics.last().map_or(Span::default(), |d| d.span);
            diagnostics.push(
                Diagnostic::new(DiagnosticKind::Syntax, last, "too many errors")
                    .with_label("reading stopped about here")
                    .with_hint("is this a Boolean program?"),
            );
        }
        Err(diagnostics)
    }

    /// Reports a mistake at a token, unless a syntax error was reported there or right before it.
    pub fn report(&mut self, token: usize, diagnostic: Diagnostic) {
        if diagnostic.kind == DiagnosticKind::Syntax {
            let repeated = self.last_error.replace(token) == Some(token);
            if repeated || self.behind_strange.contains(&token) {
                return;
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports that `found` stands where something else was expected.
    pub fn expected(&mut self, expected: &str, span: Span, found: &str, hint: &str) {
        let diagnostic = mistakes::expected(expected, span, &format!("'{}'", shorten(found)));
        self.report(span.start as usize, diagnostic.with_hint(hint));
    }

    /// Reports a syntax error at a position, with a hint if there is one.
    pub fn syntax(&mut self, span: Span, message: impl Into<String>, label: &str, hint: &str) {
        let mut diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
        diagnostic.label = label.to_owned();
        diagnostic.hint = (!hint.is_empty()).then(|| hint.to_owned());
        self.report(span.start as usize, diagnostic);
    }

    /// Reports nesting beyond [`MAX_NESTING`](super::reader::MAX_NESTING); nothing more is read.
    pub fn too_deep(&mut self, span: Span) {
        self.report(span.start as usize, mistakes::too_deep(span));
        self.given_up = true;
    }

    /// Whether no mistake has been found.
    pub fn is_sound(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Whether nothing more is to be read.
    pub fn is_full(&self) -> bool {
        self.given_up || self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// Ends reading here if it is pointless to go on; no mistake is reported at that end.
    pub fn may_stop(&mut self, reader: &mut Reader<'_>) {
        if self.is_full() {
            reader.stop(self.at);
            self.behind_strange.push(reader.end());
        }
    }

    /// The first byte of the next token.
    pub fn token(&self, reader: &Reader<'_>) -> usize {
        reader.read(Rule::gaps, self.at).map_or(self.at, |gaps| gaps.end())
    }

    /// Reports text at `at` that is not a token, if there is some.  It is then blanked, or the text
    /// ends before it.
    pub fn strange(&mut self, reader: &mut Reader<'_>, at: usize) -> bool {
        let Some(text) = reader.test(Rule::strange, at) else { return false };
        let span = text.span();
        if text.rule() == Rule::unclosed_comment && reader.closes_comment(at) {
            // It is closed, but longer than a window.
            return false;
        }
        let last = text.rule() == Rule::unclosed_comment || span.end - span.start > STRANGE_RUN;
        self.diagnostics.push(mistakes::strange(&text));
        if last {
            reader.stop(at);
            self.behind_strange.push(at);
        } else {
            reader.blank(span);
            let gaps = reader.read(Rule::gaps, span.end as usize);
            let next = gaps.map_or(span.end as usize, |gaps| gaps.end());
            self.behind_strange.push(next);
        }
        true
    }

    /// Skips to a place where reading makes sense again.
    pub fn skip(&mut self, reader: &mut Reader<'_>, rule: Rule) {
        loop {
            match reader.skip(rule, self.at) {
                Some(end) => self.at = end,
                None => self.given_up = true,
            }
            self.may_stop(reader);
            if !self.strange(reader, self.at) {
                return;
            }
        }
    }

    /// Explains why the entry at `start` cannot be read further; goes on from the failure.
    pub fn unreadable(&mut self, reader: &Reader<'_>, failure: &Failure, start: usize) {
        if failure.expected.is_empty() {
            self.at = failure.at;
            return self.too_deep(Span::new(failure.at, failure.at));
        }
        self.report(failure.at, mistakes::explain(reader, failure, start));
        self.at = failure.at;
    }
}
