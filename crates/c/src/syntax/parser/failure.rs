//! Messages about mistakes.

use super::{Failed, Parsed, Parser};
use crate::syntax::token::{Kind, Sign, Word};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Words behind which a type follows.
const DECLARING: &[&str] = &[
    "typedef",
    "static",
    "extern",
    "register",
    "auto",
    "const",
    "volatile",
    "restrict",
    "inline",
    "_Thread_local",
    "_Noreturn",
    "_Atomic",
];

/// Words that C++ has.
const CPP: [&str; 8] =
    ["class", "namespace", "template", "using", "public", "private", "try", "throw"];

/// The most characters of a token that a message shows.
const SHOWN: usize = 40;

fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Syntax, span, message)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

impl<'t> Parser<'t> {
    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        self.mistakes.push(diagnostic);
        Failed
    }

    /// The characters of the token before the current one.
    fn previous(&self) -> &'t str {
        self.at.checked_sub(1).map_or("", |i| self.text_of(self.tokens[i]))
    }

    /// The current token as messages name it.
    fn found(&self) -> String {
        match self.here() {
            "" => "the end of the file".to_owned(),
            text if text.chars().count() > SHOWN => {
                format!("'{}...'", text.chars().take(SHOWN).collect::<String>())
            }
            text => format!("'{text}'"),
        }
    }

    /// Something else than `wanted` is here.
    pub(super) fn wrong(&mut self, wanted: &str) -> Failed {
        let span = self.token().span;
        if let Some(diagnostic) = self.in_assertion() {
            return self.report(diagnostic);
        }
        if matches!(wanted, "an expression" | "a name")
            && let Kind::Word(_) = self.kind()
        {
            let word = self.here();
            let diagnostic = syntax(span, format!("'{word}' cannot stand here"));
            let hint = format!("'{word}' is a keyword and cannot be a name");
            return self.report(diagnostic.with_label("a reserved word").with_hint(hint));
        }
        // What is no C at all would have mistakes everywhere.
        self.is_balanced &= self.here() != "decl" && !self.is_cpp();
        let diagnostic = syntax(span, format!("expected {wanted}, found {}", self.found()))
            .with_label(format!("expected {wanted}"));
        let diagnostic = match self.hint() {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        };
        self.report(diagnostic)
    }

    /// Says that something else was wanted than what the last mistake says.
    pub(super) fn rephrase(&mut self, wanted: &str) {
        let is_plain = |d: &Diagnostic| d.message.starts_with("expected an expression, found ");
        if self.mistakes.last().is_some_and(is_plain) && self.kind() != Kind::Sign(Sign::AndAnd) {
            self.mistakes.pop();
            self.wrong(wanted);
        }
    }

    /// Takes a semicolon; `wanted` is what might stand here.
    pub(super) fn expect_semicolon(&mut self, wanted: &str) -> Parsed<()> {
        if self.accept(Sign::Semicolon) {
            return Ok(());
        }
        let (found, previous) = (self.token(), self.previous());
        let before = self.tokens[self.at.saturating_sub(1)];
        // If a statement continues on the next line, a semicolon is probably missing.
        let between = self.text.get(before.to as usize..found.from as usize);
        let is_behind =
            between.is_some_and(|text| text.contains('\n')) || self.is(Sign::CloseBrace);
        if is_behind && !["", "}", "{", ";"].contains(&previous) && self.in_assertion().is_none() {
            let end = before.span.end;
            let span = Span { start: end.saturating_sub(1), end };
            let message = format!("expected ';' after '{previous}', found {}", self.found());
            let diagnostic = syntax(span, message)
                .with_label("';' is missing behind this")
                .with_related(found.span, "found this instead");
            return Err(self.report(diagnostic));
        }
        Err(self.wrong(wanted))
    }

    /// A name is missing in a declaration.
    pub(super) fn wrong_name(&mut self) -> Failed {
        match self.kind() {
            Kind::Word(_) => self.wrong("a name"),
            _ => self.wrong("a name, '*' or '('"),
        }
    }

    /// A type is missing.
    pub(super) fn not_a_type(&mut self) -> Failed {
        let (here, previous) = (self.here(), self.previous());
        if self.kind() != Kind::Name || self.in_assertion().is_some() {
            return self.wrong("a type");
        }
        let label = match DECLARING.contains(&previous) {
            true => format!("a type has to stand behind '{previous}'"),
            false => "no type of this name is declared above".to_owned(),
        };
        let diagnostic = syntax(self.token().span, format!("'{here}' is not a type"));
        let hint = format!("if '{here}' is a type, its typedef is missing above");
        self.report(diagnostic.with_label(label).with_hint(hint))
    }

    /// No declaration begins here.
    pub(super) fn no_declaration(&mut self) -> Failed {
        self.wrong("a declaration")
    }

    /// A storage class in the name of a type.
    pub(super) fn storage_here(&mut self, span: Span) -> Failed {
        let diagnostic = syntax(span, "this word cannot stand in the name of a type");
        self.report(diagnostic.with_label("only for a declaration"))
    }

    /// A function within a function.
    pub(super) fn nested_function(&mut self) -> Failed {
        self.wrong("';', ',' or '='")
    }

    pub(super) fn else_without_if(&mut self) -> Failed {
        let diagnostic = syntax(self.token().span, "'else' without an 'if' before it")
            .with_label("belongs to nothing")
            .with_hint("more than one statement after 'if' needs braces");
        self.report(diagnostic)
    }

    pub(super) fn do_without_while(&mut self) -> Failed {
        let message = format!("expected 'while' behind the body of 'do', found {}", self.found());
        let diagnostic = syntax(self.token().span, message);
        self.report(diagnostic.with_label("expected 'while'"))
    }

    /// A mistake in an assertion of ACSL.
    fn in_assertion(&self) -> Option<Diagnostic> {
        let start = self.start();
        let within = |span: &&Span| (span.start..span.end).contains(&start);
        let assertion = *self.surroundings.assertions.iter().find(within)?;
        let is_first = start == assertion.start;
        if is_first && (self.here().starts_with("__hardbop_") || self.is(Sign::OpenRound)) {
            let message = "an assertion cannot stand here";
            return Some(
                syntax(assertion, message).with_label("not in front of a statement of a block"),
            );
        }
        let rest = self.surroundings.program.get(start as usize..).unwrap_or("");
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let sign = Sign::at(rest.as_bytes()).map_or(0, |(_, length)| length);
        let token = rest.get(..word.max(sign)).unwrap_or("");
        let shown = match token {
            ";" | "" => "its end".to_owned(),
            token => format!("'{token}'"),
        };
        let span = Span { start, end: start + token.len() as u32 };
        let message = format!("the predicate is not understood: found {shown}");
        Some(syntax(span, message).with_label("not expected here"))
    }

    /// Whether C++ is likely to be meant here.
    fn is_cpp(&self) -> bool {
        let found = self.here();
        CPP.contains(&found) || CPP.contains(&self.previous()) || found == "::"
    }

    /// Advice on common mistakes.
    fn hint(&self) -> Option<String> {
        let (found, previous) = (self.here(), self.previous());
        if self.is_cpp() {
            return Some("this looks like C++; hardbop reads C".to_owned());
        }
        let count = |sign: Sign, to: usize| {
            self.tokens[..to].iter().filter(|t| t.kind == Kind::Sign(sign)).count()
        };
        if self.kind() == Kind::End {
            let all = self.tokens.len();
            let (open, close) = (count(Sign::OpenBrace, all), count(Sign::CloseBrace, all));
            return (open > close).then(|| format!("{} '{{' without '}}'", open - close));
        }
        if self.is(Sign::CloseBrace)
            && count(Sign::CloseBrace, self.at + 1) > count(Sign::OpenBrace, self.at)
        {
            return Some("there is no '{' that this closes".to_owned());
        }
        if found == "decl" {
            let hint =
                "this looks like a Boolean program; the name of its file should end in '.bp'";
            return Some(hint.to_owned());
        }
        if self.is(Sign::OpenBrace) && previous == ")" {
            let hint = "a function cannot be defined within another one; move it in front of that";
            return Some(hint.to_owned());
        }
        if is_name(previous) && Word::of(previous).is_none() && (is_name(found) || found == "*") {
            return Some(format!("if '{previous}' is a type, its typedef is missing above"));
        }
        if self.declares_of_unknown_type() {
            return Some(format!("if '{found}' is a type, its typedef is missing above"));
        }
        if !found.is_ascii() {
            return Some("only ASCII characters may stand outside of strings".to_owned());
        }
        None
    }

    /// Whether `T x;` or `T *f(` begins here, where `T` is not known.
    fn declares_of_unknown_type(&self) -> bool {
        let mut i = self.at + 1;
        while self.token_at(i).kind == Kind::Sign(Sign::Star) {
            i += 1;
        }
        let signs = [Sign::Semicolon, Sign::Assign, Sign::Comma, Sign::OpenRound, Sign::OpenSquare];
        self.kind() == Kind::Name
            && self.token_at(i).kind == Kind::Name
            && signs.iter().any(|sign| self.token_at(i + 1).kind == Kind::Sign(*sign))
    }
}
