//! The grammar of rules.

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pairs;
use pest_derive::Parser;

use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};

#[derive(Parser)]
#[grammar = "../grammars/rule.pest"]
struct Grammar;

pub(super) use Rule as Part;

/// The longest text of a rule in bytes, and how deep brackets may be nested: the parser nests on the call stack.
const MAX_LENGTH: usize = 1 << 16;
const MAX_NESTING: usize = 50;

/// The parts of a rule.
///
/// # Errors
/// The text is no rule.
pub(super) fn parts(source: &Source) -> Result<Pairs<'_, Part>, Box<Diagnostic>> {
    let mistake = |at, message: &str| {
        let span = Span::new(at, (at + 1).min(source.text.len()));
        let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
        Box::new(diagnostic.with_hint("docs/rules.md shows what a rule looks like"))
    };
    if source.text.len() > MAX_LENGTH || nesting(&source.text) > MAX_NESTING {
        return Err(mistake(0, "this is too large for a rule"));
    }
    Grammar::parse(Rule::file, &source.text).map_err(|error| {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let mut expected: Vec<&str> = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => {
                positives.iter().filter_map(|&part| words_of(part)).collect()
            }
            ErrorVariant::CustomError { .. } => vec![],
        };
        expected.sort_unstable();
        expected.dedup();
        let message = match expected.as_slice() {
            [] => "this is not what a rule has here".to_owned(),
            [one] => format!("expected {one}"),
            [all @ .., last] => format!("expected {} or {last}", all.join(", ")),
        };
        mistake(at, &message)
    })
}

/// What a message calls a part that is missing.
fn words_of(part: Part) -> Option<&'static str> {
    Some(match part {
        Part::heading | Part::RULE => "'rule NAME \"WORDS\";'",
        Part::name => "a name",
        Part::words => "a text in quotes",
        Part::number => "a number",
        Part::state | Part::STATE => "'state'",
        Part::event | Part::moment | Part::BEFORE | Part::AFTER | Part::END => {
            "'before', 'after' or 'end'"
        }
        Part::function => "a function, as in 'int close(int fd)'",
        Part::type_name => "a type",
        Part::parameters => "parameters",
        Part::guard => "a condition in '[ ]'",
        Part::block => "C code in '{ }'",
        Part::argument => "a value in '( )'",
        Part::declaration => "a declaration",
        _ => return None,
    })
}

/// How deep brackets of any kind are nested, at most.
fn nesting(text: &str) -> usize {
    let (mut depth, mut greatest) = (0_usize, 0);
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        greatest = greatest.max(depth);
    }
    greatest
}
