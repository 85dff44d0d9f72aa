//! The contents of annotations: predicates of assertions as C's grammar reads them, and kinds of others.

use super::lexer::{Kind, Token, content, tokens};
use super::{ASSERTION, GROUP, Meaning, OLD, RANGE, RESULT};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The annotations of a text, in order.
#[derive(Debug, Default)]
pub(in crate::parse) struct Annotations {
    pub assertions: Vec<Assertion>,
    /// Kinds of annotations that are not checked, in quotes, with places.
    pub unchecked: Vec<(String, Span)>,
}

/// `assert E;`, `loop invariant E;`, or a clause of a contract.
#[derive(Debug)]
pub(in crate::parse) struct Assertion {
    /// From its first word to the semicolon.
    pub span: Span,
    pub meaning: Meaning,
    /// The parts that belong to the predicate, and the semicolon.
    pub(super) parts: Vec<(usize, usize)>,
    /// The texts that are written in place of ranges of this one.
    pub edits: Vec<(usize, usize, String)>,
}

impl Annotations {
    /// The parts of comments that are read.
    pub fn kept(&self) -> Vec<(usize, usize)> {
        self.assertions.iter().flat_map(|a| a.parts.iter().copied()).collect()
    }
}

/// Words that begin an annotation with another word behind them.
pub(super) const DOUBLE: &[&str] =
    &["loop", "complete", "disjoint", "global", "type", "strong", "weak"];

/// Words of C that no predicate has.
const KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "asm",
    "typeof",
    "__asm__",
    "__asm",
    "__attribute__",
    "__attribute",
    "__extension__",
    "__typeof__",
    "__typeof",
    "__alignof__",
    "__alignof",
    "__real__",
    "__imag__",
    "__label__",
    "__thread",
    "__int128",
    "__builtin_va_arg",
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
];

const KNOWN: &str = "a predicate may have comparisons, '&&', '||', '!', '==>', and terms of variables, \
                     members, elements, '*p', integers, '+', '-' and '*'";

pub(super) const REFUSED: &str = " in an annotation is not supported";

/// Words that begin the clauses of contracts.
pub(super) const CLAUSES: &[&str] = &[
    "requires",
    "ensures",
    "assigns",
    "behavior",
    "assumes",
    "terminates",
    "decreases",
    "complete",
    "disjoint",
    "allocates",
    "frees",
    "exits",
    "breaks",
    "continues",
    "returns",
    "check",
    "admit",
];

/// Whether an annotation that begins with this word is a contract.
pub(super) fn is_contract(word: &str) -> bool {
    CLAUSES.contains(&word)
}

/// Reads the annotations among the comments of a text.
pub(in crate::parse) fn annotations(
    text: &str,
    comments: &[(usize, usize)],
) -> Result<Annotations, Vec<Diagnostic>> {
    let mut out = Annotations::default();
    let mut wrong = Vec::new();
    for &comment in comments {
        let Some(inside) = content(text, comment) else { continue };
        let tokens = tokens(text, inside);
        let reader = Reader { text, tokens: &tokens };
        let read = match kind_of(text, &tokens) {
            Some("assert") => reader.assertion().map(|a| out.assertions.push(a)),
            Some("loop") => reader.clauses(&mut out),
            Some(word) if is_contract(word) => reader.contract(&mut out),
            _ => reader.kinds().map(|mut kinds| out.unchecked.append(&mut kinds)),
        };
        wrong.extend(read.err());
    }
    if wrong.is_empty() { Ok(out) } else { Err(wrong) }
}

/// The first word of an annotation.
pub(super) fn kind_of<'t>(text: &'t str, tokens: &[Token]) -> Option<&'t str> {
    let first = tokens.first().filter(|t| t.kind == Kind::Word)?;
    Some(&text[first.start..first.end])
}

/// Reads the tokens of one annotation.
pub(super) struct Reader<'t> {
    pub text: &'t str,
    pub tokens: &'t [Token],
}

impl Reader<'_> {
    pub fn get(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| &self.text[t.start..t.end])
    }

    pub fn kind(&self, i: usize) -> Option<Kind> {
        self.tokens.get(i).map(|t| t.kind)
    }

    pub fn span(&self, i: usize) -> Span {
        let last = self.tokens.last();
        let token = self.tokens.get(i).or(last);
        token.map_or(Span::default(), |t| Span::new(t.start, t.end))
    }

    /// Whether an operand, or something in parentheses, begins at token `i`.
    fn is_operand(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(Kind::Operator) => matches!(self.get(i), "(" | "!"),
            kind => kind.is_some(),
        }
    }

    /// The clauses of an annotation other than an assertion.
    pub fn kinds(&self) -> Result<Vec<(String, Span)>, Diagnostic> {
        let begins = |i: usize| i == 0 || self.get(i - 1) == ";";
        let mut out = Vec::new();
        for i in (0..self.tokens.len()).filter(|&i| begins(i)) {
            let (word, next) = (self.get(i), self.get(i + 1));
            if word == "assert" {
                let message = "an assertion within another annotation is not supported";
                return Err(Diagnostic::new(DiagnosticKind::Unsupported, self.span(i), message)
                    .with_label("not supported")
                    .with_hint("give it a comment of its own"));
            }
            if self.kind(i) == Some(Kind::Word) {
                let double = DOUBLE.contains(&word) && self.kind(i + 1) == Some(Kind::Word);
                let kind = if double { format!("'{word} {next}'") } else { format!("'{word}'") };
                let end = self.span(if double { i + 1 } else { i }).end;
                out.push((kind, Span::new(self.span(i).start as usize, end as usize)));
            }
        }
        Ok(out)
    }

    /// Reads the clauses of an annotation of a loop: its invariants, as far as they can be read, and the kinds of others.
    fn clauses(&self, out: &mut Annotations) -> Result<(), Diagnostic> {
        let mut kinds = self.kinds()?;
        let mut begin = 0;
        while begin < self.tokens.len() {
            // There are semicolons within quantified predicates, too.
            let ends = |&i: &usize| {
                let is_last = i + 1 == self.tokens.len();
                self.get(i) == ";" && (is_last || matches!(self.get(i + 1), "loop" | "for"))
            };
            let end = (begin..self.tokens.len()).find(ends);
            let next = end.map_or(self.tokens.len(), |end| end + 1);
            let is_invariant = self.get(begin) == "loop" && self.get(begin + 1) == "invariant";
            if let Some(end) = end.filter(|end| is_invariant && *end > begin + 2) {
                let clause = self.span(begin).start..self.span(end).end;
                kinds.retain(|(_, span)| !clause.contains(&span.start));
                match self.predicate(Meaning::Loop, begin, (begin + 2, end)) {
                    Ok(invariant) => out.assertions.push(invariant),
                    Err(refused) if refused.kind == DiagnosticKind::Unsupported => {
                        let what = refused.message.trim_end_matches(REFUSED);
                        kinds.push((format!("'loop invariant' with {what}"), refused.span));
                    }
                    Err(wrong) => return Err(wrong),
                }
            }
            begin = next;
        }
        out.unchecked.append(&mut kinds);
        Ok(())
    }

    pub fn syntax(&self, i: usize, message: &str, hint: &str) -> Diagnostic {
        Diagnostic::new(DiagnosticKind::Syntax, self.span(i), message)
            .with_label("in this annotation")
            .with_hint(hint)
    }

    fn assertion(&self) -> Result<Assertion, Diagnostic> {
        let Some(end) = (0..self.tokens.len()).find(|&i| self.get(i) == ";") else {
            let last = self.tokens.len() - 1;
            return Err(self.syntax(
                last,
                "an assertion without an end",
                "write ';' behind the predicate",
            ));
        };
        if end == 1 {
            let hint = "write 'assert x > 0;'";
            return Err(self.syntax(0, "an assertion without a predicate", hint));
        }
        let assertion = self.predicate(Meaning::Place, 0, (1, end))?;
        if end + 1 < self.tokens.len() {
            let hint = "give each assertion a comment of its own";
            return Err(self.syntax(end + 1, "more than one assertion in an annotation", hint));
        }
        Ok(assertion)
    }

    /// The assertion whose words begin with token `begin`, and whose predicate has the tokens `first..end`, which are some.
    pub fn predicate(
        &self,
        meaning: Meaning,
        begin: usize,
        (first, end): (usize, usize),
    ) -> Result<Assertion, Diagnostic> {
        let start = self.tokens[begin].start;
        let semicolon = self.tokens[end];
        let (before, behind) = meaning.around();
        let call = format!("{before}{ASSERTION}({}, ", meaning as u8);
        let mut edits = vec![(start, self.tokens[first].start, call)];
        let implications = self.written(meaning, (first, end), &mut edits)?;
        let closing = format!("{})", " : 1".repeat(implications));
        edits.push((semicolon.start, semicolon.start, closing));
        if !behind.is_empty() {
            edits.push((semicolon.end, semicolon.end, behind.to_owned()));
        }
        let parts = self.tokens[first..=end].iter().map(|t| (t.start, t.end)).collect();
        Ok(Assertion { span: Span::new(start, semicolon.end), meaning, parts, edits })
    }

    /// Writes a predicate, or a term, as C's grammar reads it: adds the edits, and returns how many implications end with it.
    pub fn written(
        &self,
        meaning: Meaning,
        (first, end): (usize, usize),
        edits: &mut Vec<(usize, usize, String)>,
    ) -> Result<usize, Diagnostic> {
        // For each open bracket, its number and how many implications end with it.
        let mut open: Vec<(usize, usize)> = vec![(0, 0)];
        let mut i = first;
        while i < end {
            let at = self.tokens[i];
            match self.get(i) {
                "(" if self.null(i) => i += 4,
                sign @ ("(" | "[") => {
                    if sign == "(" {
                        edits.push((at.start, at.start, GROUP.to_owned()));
                    }
                    if meaning == Meaning::Assigns && self.range(i, end).is_some() {
                        edits.push((at.end, at.end, format!("{RANGE}(")));
                    }
                    open.push((i, 0));
                }
                ".." if self.range(open.last().map_or(end, |o| o.0), end) == Some(i)
                    && meaning == Meaning::Assigns =>
                {
                    edits.push((at.start, at.end, ", ".to_owned()));
                }
                sign @ (")" | "]") => {
                    let (opened, implications) = open.pop().unwrap_or_default();
                    let fits = matches!((self.get(opened), sign), ("(", ")") | ("[", "]"));
                    if !fits || open.is_empty() {
                        let message = format!("'{sign}' closes nothing");
                        return Err(self.syntax(i, &message, "remove it, or open it"));
                    }
                    edits.push((at.start, at.start, " : 1".repeat(implications)));
                    if meaning == Meaning::Assigns && self.range(opened, end).is_some() {
                        edits.push((at.start, at.start, ")".to_owned()));
                    }
                    if sign == ")" && i + 1 < end && self.is_operand(i + 1) {
                        return Err(self.refusal(opened, "a cast"));
                    }
                }
                "==>" => {
                    edits.push((at.start, at.end, " ? ".to_owned()));
                    if let Some(last) = open.last_mut() {
                        last.1 += 1;
                    }
                }
                "\\null" => edits.push((at.start, at.end, "((void *)0)".to_owned())),
                "\\true" => edits.push((at.start, at.end, format!("{GROUP}(0 == 0)"))),
                "\\false" => edits.push((at.start, at.end, format!("{GROUP}(0 != 0)"))),
                word @ ("\\result" | "\\old") if meaning == Meaning::Requires => {
                    let message = format!("'{word}' has no meaning in 'requires'");
                    return Err(self.syntax(i, &message, "only 'ensures' speaks of the end"));
                }
                "\\result" if meaning == Meaning::Ensures => {
                    edits.push((at.start, at.end, RESULT.to_owned()));
                }
                "\\old" if meaning == Meaning::Ensures && self.get(i + 1) == "(" => {
                    edits.push((at.start, at.end, OLD.to_owned()));
                    i += 1;
                    open.push((i, 0));
                }
                _ => self.understood(i)?,
            }
            i += 1;
        }
        if open.len() > 1 {
            let opened = open.last().map_or(0, |o| o.0);
            let message = format!("'{}' is not closed", self.get(opened));
            return Err(self.syntax(opened, &message, "close it"));
        }
        Ok(open.first().map_or(0, |o| o.1))
    }

    /// The sign of the range between the bracket `[` at token `i` and its partner.
    fn range(&self, i: usize, end: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (self.get(i) == "[").then_some(())?;
        (i..end)
            .find(|&j| {
                match self.get(j) {
                    "(" | "[" => depth += 1,
                    ")" | "]" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 || depth == 1 && self.get(j) == ".."
            })
            .filter(|&j| self.get(j) == "..")
    }

    /// Whether `(void *)0` begins at token `i`: what `NULL` stands for.
    fn null(&self, i: usize) -> bool {
        ["(", "void", "*", ")", "0"].iter().enumerate().all(|(j, text)| self.get(i + j) == *text)
    }

    /// Refuses a token that no predicate may have here.
    fn understood(&self, i: usize) -> Result<(), Diagnostic> {
        let text = self.get(i);
        let what = match self.kind(i) {
            Some(Kind::Word) if self.get(i + 1) == "(" => format!("a call of '{text}'"),
            Some(Kind::Word) if self.get(i + 1) == ":" && !self.has_question(i) => {
                format!("the name '{text}:'")
            }
            Some(Kind::Word) if KEYWORDS.contains(&text) || text.starts_with("__hardbop") => {
                format!("'{text}'")
            }
            Some(Kind::Word | Kind::Number) => return Ok(()),
            Some(Kind::Quoted) if text.starts_with('\'') => return Ok(()),
            Some(Kind::Quoted) => "a string".to_owned(),
            Some(Kind::Operator) if OPERATORS.contains(&text) => return Ok(()),
            _ => format!("'{text}'"),
        };
        Err(self.refusal(i, &what))
    }

    /// Refuses what a preprocessor would take for something else.
    pub fn passes(&self) -> Result<(), Diagnostic> {
        let odd = |i: &usize| self.kind(*i) == Some(Kind::Strange) || self.get(*i) == "#";
        match (0..self.tokens.len()).find(odd) {
            Some(i) => Err(self.refusal(i, &format!("'{}'", self.get(i)))),
            None => Ok(()),
        }
    }

    fn has_question(&self, i: usize) -> bool {
        (0..i).any(|j| self.get(j) == "?")
    }

    pub fn refusal(&self, i: usize, what: &str) -> Diagnostic {
        let message = format!("{what}{REFUSED}");
        Diagnostic::new(DiagnosticKind::Unsupported, self.span(i), message)
            .with_label("not supported")
            .with_hint(KNOWN)
    }
}

/// Operators of predicates and terms, but for brackets and implications.
const OPERATORS: &[&str] =
    &["&&", "||", "!", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", ".", "->"];
