//! Explains failures of the grammar: the position and the rules that pest expected there, in words,
//! with a hint for common mistakes.

use super::reader::{Failure, MAX_NESTING, Node, Reader, Rule, shorten};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// "expected .., found ..", at the token that was found.
pub(super) fn expected(expected: &str, place: Span, found: &str) -> Diagnostic {
    let message = format!("expected {expected}, found {found}");
    Diagnostic::new(DiagnosticKind::Syntax, place, message)
        .with_label(format!("expected {expected}"))
}

/// Nesting beyond [`MAX_NESTING`].
pub(super) fn too_deep(place: Span) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Unsupported, place, "nested too deeply")
        .with_label(format!("more than {MAX_NESTING} levels"))
}

/// The name of a rule in messages; `None` for rules that they do not mention.
fn words(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::statement | Rule::action => "a statement",
        Rule::expression | Rule::constant | Rule::number | Rule::nondet | Rule::value => {
            "an expression"
        }
        Rule::and | Rule::or | Rule::xor | Rule::implies | Rule::equal | Rule::not_equal => {
            "an operator"
        }
        Rule::VOID | Rule::BOOL => "'void' or 'bool'",
        Rule::variable => "the name of a variable",
        Rule::procedure_name => "the name of a procedure",
        Rule::parameter => "the name of a parameter",
        Rule::label_name => "a label",
        Rule::width => "the number of values that are returned",
        Rule::end_of_width => "'>'",
        Rule::open_choose => "'['",
        Rule::assign => "':='",
        Rule::open_parameters | Rule::open_arguments => "'('",
        Rule::colon => "':'",
        Rule::comma => "','",
        Rule::close_parameters | Rule::close_arguments => "')'",
        Rule::semicolon => "';'",
        Rule::BEGIN => "'begin'",
        Rule::THEN => "'then'",
        Rule::DO => "'do'",
        Rule::end_of_expression => "the end of the expression",
        _ => return None,
    })
}

/// A found token (any, if empty), a rule that was expected instead, and advice.
type Hint = (&'static str, Rule, &'static str);

const DIFFERS: &str = "inequality is written '!='";
const ORDER: &str = "Boolean values have no order; inequality is written '!='";
const TOO_MANY: &str = "is there an extra ';' before it?";
const DECLARED: &str = "variables are declared by 'decl x, y;'";

/// The first one that fits is given.
const HINTS: &[Hint] = &[
    (":=", Rule::and, "equality is written '='"),
    (":=", Rule::semicolon, "only variables can be assigned to"),
    ("do", Rule::THEN, "'do' belongs to 'while'"),
    ("then", Rule::DO, "'then' belongs to 'if'"),
    ("do", Rule::statement, TOO_MANY),
    ("then", Rule::statement, TOO_MANY),
    ("do", Rule::semicolon, "the head of a loop is 'while .. do'"),
    ("then", Rule::semicolon, "the head of a branch is 'if .. then'"),
    ("!", Rule::and, DIFFERS),
    ("~", Rule::and, DIFFERS),
    ("?", Rule::and, "there is no 'c ? a : b'; write '(c & a) | (!c & b)'"),
    ("<", Rule::and, ORDER),
    (">", Rule::and, ORDER),
    (")", Rule::semicolon, "no '(' is open here"),
    ("]", Rule::semicolon, "no '[' is open here"),
    ("and", Rule::and, "conjunction is written '&'"),
    ("or", Rule::and, "disjunction is written '|'"),
    ("xor", Rule::and, "exclusive or is written '^'"),
    ("'", Rule::assign, "next-state values are not assigned; they occur in 'constrain'"),
    (";", Rule::open_parameters, DECLARED),
    (",", Rule::open_parameters, DECLARED),
    ("bool", Rule::statement, DECLARED),
    (
        "",
        Rule::open_parameters,
        "a procedure's parameters are written in '( )', even if there are none",
    ),
    ("", Rule::open_choose, "it is written 'schoose[p, n]'"),
];

/// The expected tokens, as a list without repetitions.
fn list(expected: &[Rule], closing: Option<&'static str>, on_new_line: bool) -> String {
    let mut all: Vec<&str> = Vec::new();
    for &rule in expected {
        let words = if rule == Rule::close { closing } else { words(rule) };
        // More likely the end of a head is missing than the rest of its condition.
        let unlikely = on_new_line && words == Some("an operator");
        all.extend(words.filter(|words| !unlikely && !all.contains(words)));
    }
    match all.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "something else".to_owned(),
    }
}

/// Explains what is wrong with an entry of the program that begins at `start`.
pub(super) fn explain(reader: &Reader<'_>, failure: &Failure, start: usize) -> Diagnostic {
    let (place, found) = reader.found(failure.at);
    let row = reader.row(start, failure.at);
    let (open, previous) = (row.open(), Span::new(start, row.end));
    let at = Place { reader, failure, start, found: reader.slice(place), previous, open };
    if let Some(diagnostic) = at.call().or_else(|| at.choose()) {
        return diagnostic;
    }
    let bracket = open.map(|open| reader.slice(open));
    let closing = bracket.map(|bracket| if bracket == "(" { "')'" } else { "']'" });
    let head = at.expects(Rule::THEN) || at.expects(Rule::DO);
    let on_new_line = head && reader.new_line(row.end, failure.at);
    let mut diagnostic = expected(&list(&failure.expected, closing, on_new_line), place, &found);
    diagnostic.related = at.related();
    diagnostic.hint = at.hint().map(str::to_owned).or_else(|| at.name_hint());
    diagnostic
}

/// The place where reading an entry of the program fails.
struct Place<'r> {
    reader: &'r Reader<'r>,
    failure: &'r Failure,
    /// The first byte of the entry.
    start: usize,
    /// The token that does not fit.
    found: &'r str,
    /// The span from the start of the entry to the end of the token before `found`.
    previous: Span,
    /// The innermost open bracket, or the `schoose` before it.
    open: Option<Span>,
}

impl Place<'_> {
    fn expects(&self, rule: Rule) -> bool {
        self.failure.expected.contains(&rule)
    }

    fn expects_operand(&self) -> bool {
        self.expects(Rule::expression) || self.expects(Rule::value)
    }

    /// The text up to the place, without the gap before it.
    fn before(&self) -> &str {
        self.reader.slice(self.previous)
    }

    /// A call used as a value.
    fn call(&self) -> Option<Diagnostic> {
        let (reader, at) = (self.reader, self.failure.at);
        let hint = "assign its value to a variable first, ";
        if self.expects_operand() {
            let call = reader.test(Rule::call_in_expression, at)?;
            let callee = call.children().next()?;
            let message =
                format!("the call of '{}' is part of an expression", shorten(callee.text()));
            let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, callee.span(), message)
                .with_label("a call is a statement of its own")
                .with_hint(format!("{hint}as in 'x := f(a)'"));
            return Some(diagnostic);
        }
        let call = reader.test(Rule::call_as_value, self.start)?.children().next_back()?;
        if call.span().end != self.previous.end {
            return None;
        }
        let problem = match self.found {
            "constrain" => "a call cannot be constrained",
            "," => "a call cannot be one of several values",
            _ => "a call cannot be part of an expression",
        };
        let place = reader.found(at).0;
        let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, place, problem)
            .with_label("expected ';'")
            .with_related(call.span(), "the call is here")
            .with_hint(format!("{hint}and use that"));
        Some(diagnostic)
    }

    /// A `schoose` with one value or with three.
    fn choose(&self) -> Option<Diagnostic> {
        let word = self.open.filter(|&open| self.reader.slice(open) == "schoose")?;
        if !self.expects(Rule::close) || !matches!(self.found, "]" | ",") {
            return None;
        }
        let few = self.found == "]";
        let span = Span { end: self.previous.end, ..word };
        let diagnostic = Diagnostic::new(DiagnosticKind::Arity, span, "'schoose' takes two values")
            .with_label(if few { "found only one" } else { "found more than two" })
            .with_hint("'schoose[p, n]' is T if p, else F if n, else either");
        Some(diagnostic)
    }

    /// The place that the missing token belongs to, with words about it.
    fn related(&self) -> Option<(Span, String)> {
        let condition = || {
            let head = self.reader.test(Rule::broken_head, self.start)?;
            Some(head.children().next_back()?.span())
        };
        let (span, words) = match self.open {
            Some(open) if self.expects_operand() => {
                let directly = open.end == self.previous.end && !matches!(self.found, ")" | "]");
                (directly.then_some(open)?, "after this '('")
            }
            Some(open) if self.reader.slice(open) == "schoose" => {
                (open, "to close this 'schoose['")
            }
            Some(open) => (open, "to close this '('"),
            _ if self.expects(Rule::open_parameters) => {
                (self.previous, "in the head of this procedure")
            }
            _ if self.expects(Rule::BEGIN) => {
                (self.previous, "to begin the body of this procedure")
            }
            _ if self.expects(Rule::THEN) => (condition()?, "after the condition of this 'if'"),
            _ if self.expects(Rule::DO) => (condition()?, "after the condition of this 'while'"),
            _ => return None,
        };
        Some((span, words.to_owned()))
    }

    /// Advice that depends on the found token alone.
    fn hint(&self) -> Option<&'static str> {
        let behind = self.expects(Rule::and) || self.expects(Rule::semicolon);
        if behind && ends_with_word(self.before(), &["not", "NOT"]) {
            return Some("negation is written '!'");
        }
        if behind && self.found.starts_with('{') {
            return Some(
                "braces enclose names; blocks are 'if .. then .. fi', 'while .. do .. od'",
            );
        }
        let fits = |&&(found, rule, _): &&Hint| {
            (found.is_empty() || found.eq_ignore_ascii_case(self.found)) && self.expects(rule)
        };
        HINTS.iter().find(fits).map(|&(.., hint)| hint)
    }

    /// A hint that reserved words cannot be names, if a name is missing.
    fn name_hint(&self) -> Option<String> {
        use Rule::{label_name, parameter, procedure_name, statement, variable};
        let names = [label_name, parameter, procedure_name, variable];
        let constant = matches!(self.found, "T" | "F") && self.expects(statement);
        let word = self.found.starts_with(|c: char| c.is_ascii_alphabetic());
        let missing = names.into_iter().any(|rule| self.expects(rule));
        (constant || word && missing).then(|| reserved(self.found))
    }
}

/// Whether the last word of a text is one of these.
fn ends_with_word(text: &str, words: &[&str]) -> bool {
    let start = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |i| i + 1);
    words.contains(&&text[start..])
}

/// Why a word cannot be a name.
pub(super) fn reserved(word: &str) -> String {
    match word {
        "T" | "F" => "'T' and 'F' are constants and cannot be names".to_owned(),
        _ => format!("'{word}' is a reserved word"),
    }
}

/// The mistake of text at the top level that is neither a declaration nor a procedure; `previous`
/// is the end of the procedure before it.
pub(super) fn stray(reader: &Reader<'_>, at: usize, previous: Option<Span>) -> Diagnostic {
    let (place, found) = reader.found(at);
    let mut diagnostic = expected("'decl' or a procedure", place, &found);
    let hint = match reader.slice(place) {
        "end" => Some("the procedure is already closed: is there an extra 'end'?"),
        "fi" | "od" | "begin" => None,
        word if word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            Some("statements stand in procedures, as in 'void main() begin .. end'")
        }
        _ => None,
    };
    diagnostic.hint = hint.map(str::to_owned);
    diagnostic.related = previous.map(|end| (end, "the procedure before it ends here".to_owned()));
    diagnostic
}

/// Text that is not a token.
pub(super) fn strange(node: &Node<'_>) -> Diagnostic {
    let (span, text) = (node.span(), node.text());
    let (span, message, label, hint) = match node.rule() {
        Rule::unclosed_comment => (
            span,
            "this comment is never closed".to_owned(),
            "opened here",
            Some("close it with '*/', or begin a one-line comment with '//'"),
        ),
        Rule::unclosed_quote => {
            let start = span.start as usize;
            let hint = if text[1..].trim().is_empty() {
                "a body is written 'begin .. end'; braces enclose names such as '{x == 0}'"
            } else {
                "close it with '}' on the same line"
            };
            (
                Span::new(start, start + text.trim_end().len()),
                "this quoted name is not closed".to_owned(),
                "no '}' on this line",
                Some(hint),
            )
        }
        _ => (span, unknown(text), "not part of the language", unknown_hint(text)),
    };
    let mut diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message).with_label(label);
    diagnostic.hint = hint.map(str::to_owned);
    diagnostic
}

fn unknown(text: &str) -> String {
    if text.chars().nth(1).is_none() {
        format!("unknown character '{text}'")
    } else if text.len() <= 20 {
        format!("unknown characters '{text}'")
    } else {
        "unknown characters".to_owned()
    }
}

fn unknown_hint(text: &str) -> Option<&'static str> {
    Some(match text {
        "->" => "implication is written '=>'",
        "{}" => "a quoted name needs a character between its braces",
        "}" => "a body ends with 'end', an 'if' with 'fi', a 'while' with 'od'",
        "+" | "-" | "/" | "%" | "++" | "--" | "-=" | "+=" => "Boolean programs have no arithmetic",
        "¬" => "negation is written '!'",
        "∧" | "/\\" => "conjunction is written '&'",
        "∨" | "\\/" => "disjunction is written '|'",
        "⊕" => "exclusive or is written '^'",
        "→" | "⇒" => "implication is written '=>'",
        "≠" => "inequality is written '!='",
        "↔" | "⇔" | "≡" => "equivalence is written '=' or '<=>'",
        _ if text.starts_with('"') => "there are no strings; names may be quoted with '{ }'",
        _ if !text.is_ascii() => "names consist of ASCII letters, digits, '_', '$' and '#'",
        _ => return None,
    })
}
