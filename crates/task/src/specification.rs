//! Property files of SV-COMP: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
//!
//! Source: <https://sv-comp.sosy-lab.org/2026/rules.php>, "Properties". A file may contain several
//! such formulas; the program must satisfy all of them.

use hardbop_base::errors::{CHECKS, Check, Checks};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};
use hardbop_c::Property;

/// The content of a property file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specification {
    /// The function in which executions start.
    pub entry: String,
    pub property: Property,
    /// The formulas, as `G ! call(reach_error())`.
    pub formulas: Vec<String>,
}

impl Specification {
    /// Reads the text of a property file.
    ///
    /// # Errors
    /// If it is not a property file, or asks for something unsupported.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let start = text.len() - text.trim_start().len();
        if text[start..].starts_with("COVER") {
            let message = "test generation ('COVER') is not supported";
            return Err(unsupported(Span::new(start, start + 5), message).with_hint(KNOWN));
        }
        let mut reader = Reader { text, tokens: tokens(text)?, next: 0 };
        let mut specification: Option<Self> = None;
        while reader.next < reader.tokens.len() {
            let (entry, span) = reader.head()?;
            let all = specification.get_or_insert_with(|| Self {
                entry: entry.to_owned(),
                property: Property::nothing(),
                formulas: Vec::new(),
            });
            if all.entry != entry {
                let message = "all properties of a file must begin with one function";
                return Err(unsupported(span, message)
                    .with_hint(format!("the first one begins with '{}'", all.entry)));
            }
            let formula = reader.formula(&mut all.property)?;
            all.formulas.push(formula);
            for close in [")", ")"] {
                reader.expect(close)?;
            }
        }
        specification
            .ok_or_else(|| syntax(Span::new(0, 0), "the file has no property").with_hint(EXAMPLE))
    }

    /// Whether it only concerns calls and labels.
    #[must_use]
    pub fn is_reachability(&self) -> bool {
        !self.property.assertions && self.property.checks.is_empty()
    }
}

const EXAMPLE: &str = "a property is 'CHECK( init(main()), LTL(G ! call(reach_error())) )'";
const KNOWN: &str = "supported are 'G ! call(reach_error())', 'G ! label(ERROR)', 'G ! overflow', 'G ! data-race', 'G valid-deref', \
     'G valid-free', 'G valid-memtrack', 'G valid-memcleanup' and 'G valid-memsafety'";

fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Syntax, span, message)
}

fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Unsupported, span, message)
}

/// Splits the text into words and signs; lines that begin with `//` or `#` are comments.
fn tokens(text: &str) -> Result<Vec<Span>, Diagnostic> {
    let mut out = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if !(trimmed.starts_with("//") || trimmed.starts_with('#')) {
            let mut chars = line.char_indices().peekable();
            while let Some((at, c)) = chars.next() {
                let word = |c: char| c.is_alphanumeric() || c == '_';
                let mut end = at + c.len_utf8();
                if c.is_whitespace() {
                    continue;
                } else if word(c) {
                    // `valid-deref` is one word.
                    while let Some((at, c)) = chars.next_if(|&(_, c)| word(c) || c == '-') {
                        end = at + c.len_utf8();
                    }
                } else if !"(),!".contains(c) {
                    let span = Span::new(start + at, start + end);
                    let message = format!("'{c}' is not supported in a property");
                    return Err(unsupported(span, message).with_hint(KNOWN));
                }
                out.push(Span::new(start + at, start + end));
            }
        }
        start += line.len();
    }
    Ok(out)
}

/// The check that a formula `G ! error` asks for.
fn check_against(error: &str) -> Option<Check> {
    let is_its = |sv_comp: &str| sv_comp.strip_prefix("G ! ") == Some(error);
    CHECKS.iter().find(|row| is_its(row.sv_comp)).map(|row| row.check)
}

/// The checks that a formula about memory asks for.  SV-COMP counts accesses to what has ended as invalid ones.
fn checks_of(formula: &str) -> Option<&'static [Check]> {
    Some(match formula {
        "valid-deref" => &[Check::Bounds, Check::Null, Check::Lifetime],
        "valid-free" => &[Check::Free],
        "valid-memtrack" => &[Check::Leak],
        "valid-memcleanup" => &[Check::Cleanup],
        "valid-memsafety" => {
            &[Check::Bounds, Check::Null, Check::Lifetime, Check::Free, Check::Leak]
        }
        _ => return None,
    })
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Span>,
    next: usize,
}

impl<'t> Reader<'t> {
    /// The next token; at the end, an empty one after the text.
    fn peek(&self) -> (&'t str, Span) {
        match self.tokens.get(self.next) {
            Some(&span) => (&self.text[span.range()], span),
            None => {
                let end = self.text.trim_end().len();
                ("", Span::new(end, end))
            }
        }
    }

    fn take(&mut self) -> (&'t str, Span) {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn expect(&mut self, wanted: &str) -> Result<(), Diagnostic> {
        let (word, span) = self.take();
        if word == wanted {
            return Ok(());
        }
        Err(syntax(span, format!("'{wanted}' is needed here")).with_hint(EXAMPLE))
    }

    fn name(&mut self, what: &str) -> Result<(&'t str, Span), Diagnostic> {
        let (word, span) = self.take();
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        if word.starts_with(letter) && !word.contains('-') {
            return Ok((word, span));
        }
        Err(syntax(span, format!("the name of a {what} is needed here")))
    }

    /// `CHECK( init(main()), LTL(`, with the name of the function.
    fn head(&mut self) -> Result<(&'t str, Span), Diagnostic> {
        for word in ["CHECK", "(", "init", "("] {
            self.expect(word)?;
        }
        let entry = self.name("function")?;
        for word in ["(", ")", ")", ",", "LTL", "("] {
            self.expect(word)?;
        }
        Ok(entry)
    }

    /// Parses `G ! call(reach_error())` and other formulas, and adds them to the property.
    fn formula(&mut self, property: &mut Property) -> Result<String, Diagnostic> {
        let (operator, span) = self.take();
        if operator != "G" {
            let message = match operator {
                "F" => "termination ('F') is not supported".to_owned(),
                _ => format!("'{operator}' is not supported as the beginning of a formula"),
            };
            return Err(unsupported(span, message).with_hint(KNOWN));
        }
        let negated = self.peek().0 == "!";
        self.next += usize::from(negated);
        let (what, span) = self.take();
        let formula = match (negated, what) {
            (true, "call") => {
                self.expect("(")?;
                let (function, _) = self.name("function")?;
                for close in ["(", ")", ")"] {
                    self.expect(close)?;
                }
                property.error_functions.push(function.to_owned());
                format!("G ! call({function}())")
            }
            (true, "label") => {
                self.expect("(")?;
                let (label, _) = self.name("label")?;
                self.expect(")")?;
                property.error_labels.push(label.to_owned());
                format!("G ! label({label})")
            }
            (true, error) if check_against(error).is_some() => {
                property.checks =
                    check_against(error).into_iter().fold(property.checks, Checks::with);
                format!("G ! {error}")
            }
            (false, memory) if checks_of(memory).is_some() => {
                for &check in checks_of(memory).unwrap_or_default() {
                    property.checks.set(check, true);
                }
                format!("G {memory}")
            }
            (false, error)
                if matches!(error, "call" | "label") || check_against(error).is_some() =>
            {
                let message = format!("'G {error}' is not supported");
                let hint = format!("did you mean 'G ! {error}'?");
                return Err(unsupported(span, message).with_hint(hint));
            }
            (true, memory) if checks_of(memory).is_some() => {
                let message = format!("'G ! {memory}' is not supported");
                let hint = format!("did you mean 'G {memory}'?");
                return Err(unsupported(span, message).with_hint(hint));
            }
            (_, "") => return Err(syntax(span, "the property ends too early").with_hint(EXAMPLE)),
            _ => {
                let message = format!("'{what}' is not supported in a property");
                return Err(unsupported(span, message).with_hint(KNOWN));
            }
        };
        Ok(formula)
    }
}
