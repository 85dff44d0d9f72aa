//! Applies the pest grammar at a position of the text.
//!
//! pest sees a *window* of the text: a match, or a failure, near its end might extend beyond it,
//! and is read again in a window twice as long.  So memory use depends on the longest statement of
//! a program, not on its length.
//!
//! The rules do not nest, because pest nests on the call stack: a recursive rule for parentheses
//! takes about 400 bytes per level (4 MB for 10,000 levels, 1 GB for [`MAX_NESTING`]; 5 MB and more
//! without optimisation).  With brackets on pest's own stack, 2,000,000 levels are read on a call
//! stack of 1 MB, in 0.7 s and 430 MB of heap.

use std::borrow::Cow;

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::{Pair, Pairs};
use pest_derive::Parser;

use crate::language::syntax::Name;
use hardbop_base::source::Span;

#[derive(Parser)]
#[grammar = "../grammars/boolean_program.pest"]
struct Grammar;

/// Approximate nesting limit of expressions and blocks (open brackets and pending operators).
pub const MAX_NESTING: usize = 2_000_000;

/// Bytes of a window.
const WINDOW: usize = 1 << 16;

/// Bytes after a match that can affect it: those of a word and what ends it.
const LOOKAHEAD: usize = 32;

/// Reading ends if more bytes than this are skipped in a row.
const MAX_SKIPPED: usize = 1 << 20;

/// A margin: pest refuses to read when less than 64 KiB of call stack are left.
const RED_ZONE: usize = 256 << 10;
const STACK: usize = 1 << 20;

/// A match of a rule, with its position in the whole text.
#[derive(Clone)]
pub(super) struct Node<'r> {
    pair: Pair<'r, Rule>,
    /// The first byte of the window.
    base: usize,
}

impl<'r> Node<'r> {
    pub fn rule(&self) -> Rule {
        self.pair.as_rule()
    }

    /// The matched text; for rules of several tokens, with the gap after the last.
    pub fn text(&self) -> &'r str {
        self.pair.as_str()
    }

    /// The end of the match, where reading goes on.
    pub fn end(&self) -> usize {
        self.base + self.pair.as_span().end()
    }

    /// The span from the first token to the last, without gaps around them.
    pub fn span(&self) -> Span {
        let mut last = self.pair.clone();
        while let Some(inner) = last.clone().into_inner().next_back() {
            last = inner;
        }
        Span::new(self.base + self.pair.as_span().start(), self.base + last.as_span().end())
    }

    /// The match as a name.
    pub fn name(&self) -> Name {
        Name { text: self.text().to_owned(), span: self.span() }
    }

    pub fn children(&self) -> impl DoubleEndedIterator<Item = Node<'r>> + use<'r> {
        let base = self.base;
        self.pair.clone().into_inner().map(move |pair| Node { pair, base })
    }
}

/// The failure of a rule to match.
#[derive(Debug)]
pub(super) struct Failure {
    /// The token that does not fit.
    pub at: usize,
    /// The rules that would fit; empty if brackets or operators are nested too deeply.
    pub expected: Vec<Rule>,
}

/// A row of tokens, see [`Reader::row`].
pub(super) struct Row {
    /// The open brackets, and negations that wait for their operand, with their positions: for
    /// `schoose[` that of the word.
    waiting: Vec<(Rule, Span)>,
    /// The end of the last token.
    pub end: usize,
}

impl Row {
    /// The innermost bracket that is not closed.
    pub fn open(&self) -> Option<Span> {
        self.waiting
            .iter()
            .rev()
            .find(|(rule, _)| *rule == Rule::open_sign)
            .map(|&(_, place)| place)
    }
}

/// The text that is read.
pub(super) struct Reader<'t> {
    text: Cow<'t, str>,
    /// Bytes of the first window for an entry.
    window: usize,
    /// The end of reading: the end of the text, or where it was given up.
    end: usize,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        Self::with_window(text, WINDOW)
    }

    /// A reader with another size of the first window.
    pub fn with_window(text: &'t str, window: usize) -> Self {
        Self { text: Cow::Borrowed(text), window, end: text.len() }
    }

    pub fn end(&self) -> usize {
        self.end
    }

    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Whether a line ends between two positions.
    pub fn new_line(&self, from: usize, to: usize) -> bool {
        self.text.get(from..to).is_some_and(|between| between.contains('\n'))
    }

    /// Whether the comment that begins here is closed.
    pub fn closes_comment(&self, at: usize) -> bool {
        self.text.get(at + 2..self.end).is_some_and(|text| text.contains("*/"))
    }

    /// Ends reading here at the latest.
    pub fn stop(&mut self, at: usize) {
        self.end = self.end.min(at);
    }

    /// Replaces a part of the text by blanks.
    pub fn blank(&mut self, span: Span) {
        let blanks = " ".repeat(span.range().len());
        self.text.to_mut().replace_range(span.range(), &blanks);
    }

    fn window(&self, at: usize, size: usize) -> &str {
        let mut end = at.saturating_add(size).min(self.end);
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        self.text.get(at..end.max(at)).unwrap_or("")
    }

    /// The match of `rule` at a position.
    pub fn read(&self, rule: Rule, at: usize) -> Result<Node<'_>, Failure> {
        let mut size = self.window;
        loop {
            let window = self.window(at, size);
            let (read, reached) = match apply(rule, window) {
                Ok(mut pairs) => match pairs.next() {
                    Some(pair) => {
                        let node = Node { pair, base: at };
                        let end = node.end();
                        (Ok(node), end)
                    }
                    None => (Err(Failure { at, expected: Vec::new() }), at),
                },
                Err(failed) => {
                    let (reached, expected) = *failed;
                    (Err(Failure { at: at + reached, expected }), at + reached)
                }
            };
            // A comment or a quoted name may be closed only beyond this window.
            let rest = &window[reached - at..];
            let open = rest.starts_with("/*") || rest.starts_with('{') && !rest.contains('\n');
            let unfinished = rest.len() < LOOKAHEAD || read.is_err() && open;
            if !unfinished || at + window.len() >= self.end {
                return read;
            }
            if size > MAX_NESTING && self.row(at, at + window.len()).waiting.len() > MAX_NESTING {
                return Err(Failure { at, expected: Vec::new() });
            }
            size = size.saturating_mul(2);
        }
    }

    /// The match of a rule within a single window, if there is one.
    pub fn test(&self, rule: Rule, at: usize) -> Option<Node<'_>> {
        let pair = apply(rule, self.window(at, WINDOW)).ok()?.next()?;
        Some(Node { pair, base: at })
    }

    /// The match of a rule if the text ended at `end`.
    pub fn read_up_to(&self, rule: Rule, at: usize, end: usize) -> Option<Node<'_>> {
        let pair = apply(rule, self.text.get(at..end)?).ok()?.next()?;
        Some(Node { pair, base: at })
    }

    /// The end of what a rule skips; `None` if it skips implausibly much.
    pub fn skip(&self, rule: Rule, at: usize) -> Option<usize> {
        let window = self.window(at, MAX_SKIPPED);
        let skipped = apply(rule, window).ok().and_then(|mut pairs| pairs.next());
        let skipped = skipped.map_or(0, |pair| pair.as_span().end());
        (skipped < MAX_SKIPPED).then_some(at + skipped)
    }

    /// The tokens between two positions.
    pub fn row(&self, from: usize, to: usize) -> Row {
        let mut row = Row { waiting: Vec::new(), end: from };
        let Some(tokens) = self.read_up_to(Rule::row, from, to) else { return row };
        row.end = tokens.span().end as usize;
        for token in tokens.children() {
            let rule = token.rule();
            if matches!(rule, Rule::open_sign | Rule::not) {
                let word = token.children().next().unwrap_or(token);
                row.waiting.push((rule, word.span()));
                continue;
            }
            while row.waiting.pop_if(|(rule, _)| *rule == Rule::not).is_some() {}
            if rule == Rule::close_sign {
                row.waiting.pop();
            }
        }
        row
    }

    /// The token at a position, and its name in messages.
    pub fn found(&self, at: usize) -> (Span, String) {
        if at >= self.end {
            return (Span::new(self.end, self.end), "the end of the file".to_owned());
        }
        let Ok(token) = self.read(Rule::lexeme, at) else {
            return (Span::new(at, at), "an unknown character".to_owned());
        };
        (token.span(), format!("'{}'", shorten(token.text())))
    }
}

/// Runs pest; on failure, returns the furthest position and what was expected there.
fn apply(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Box<(usize, Vec<Rule>)>> {
    stacker::maybe_grow(RED_ZONE, STACK, || Grammar::parse(rule, text)).map_err(|error| {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let expected = match error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives,
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        Box::new((at, expected))
    })
}

/// The first 40 characters of a text, at most.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
