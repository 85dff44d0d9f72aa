//! The variables that an expression at a loop can name.

use rustc_hash::FxHashMap;

use hardbop_base::source::Span;
use hardbop_c::flow::{Flow, FunctionId, Variable, VariableKind};

/// The integers that can be named at a loop, with their bits and signs, by what formulas call them.
pub(super) fn visible(
    flow: &Flow,
    function: FunctionId,
    at: Span,
) -> FxHashMap<String, (String, u32, bool)> {
    let name = &flow.functions[function.0 as usize].name;
    let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
    let near = |v: &&Variable| v.function.is_none() || v.function == Some(function);
    flow.variables.iter().filter(near).for_each(|v| *uses.entry(&v.name).or_default() += 1);
    let near = flow.variables.iter().filter(near).filter(|v| uses[v.name.as_str()] == 1);
    let there = near.filter(|v| {
        let is_named = !v.name.is_empty() && v.kind != VariableKind::Temporary && !v.volatile;
        let is_seen = match (v.function, v.kind) {
            (_, VariableKind::Temporary) => false,
            (Some(_), VariableKind::Parameter) => true,
            _ => is_in_scope(&flow.source.text, v.span, at),
        };
        is_named && is_seen
    });
    there
        .filter_map(|v| {
            let (bits, signed) = flow.types.bits(v.ty).filter(|_| flow.types.is_integer(v.ty))?;
            let symbol = match v.function {
                Some(_) => format!("{name}::{}", v.name),
                None => v.name.clone(),
            };
            Some((symbol, (v.name.clone(), bits, signed)))
        })
        .collect()
}

/// Can what is declared at `declared` be named in the loop that begins at `at`?  Looks at the text:
/// a block or the statement behind a header in parentheses must not have ended in between.  In its
/// own header, a loop's variable can.
fn is_in_scope(text: &str, declared: Span, at: Span) -> bool {
    if declared.start >= at.start {
        // In the header of the loop itself.
        let own = text.get(at.start as usize..declared.start as usize).unwrap_or_default();
        let letters = || Letters::new(own);
        let opened = letters().filter(|&c| c == '(').count();
        let closed = letters().filter(|&c| c == ')').count();
        return own.starts_with("for")
            && opened == closed + 1
            && !letters().any(|c| c == ';' || c == '{');
    }
    let Some(between) = text.get(declared.end as usize..at.start as usize) else { return false };
    let (mut braces, mut parentheses, mut header) = (0_i64, 0_i64, false);
    for letter in Letters::new(between) {
        match letter {
            '{' => braces += 1,
            '}' => braces -= 1,
            '(' => parentheses += 1,
            ')' => parentheses -= 1,
            _ => {}
        }
        if parentheses < 0 && !header {
            (header, parentheses) = (true, 0);
        }
        let ends_header = header && braces == 0 && parentheses == 0 && matches!(letter, ';' | '}');
        if braces < 0 || ends_header {
            return false;
        }
    }
    true
}

/// The letters of a text of C that are in no comment, string or character.
struct Letters<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

impl<'a> Letters<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars().peekable() }
    }
}

impl Iterator for Letters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let letter = self.rest.next()?;
        match letter {
            '"' | '\'' => {
                while let Some(inner) = self.rest.next() {
                    match inner {
                        '\\' => drop(self.rest.next()),
                        end if end == letter => break,
                        _ => {}
                    }
                }
                Some(' ')
            }
            '/' if self.rest.peek() == Some(&'/') => {
                self.rest.by_ref().find(|&c| c == '\n');
                Some(' ')
            }
            '/' if self.rest.peek() == Some(&'*') => {
                let mut last = ' ';
                self.rest.next();
                for inner in self.rest.by_ref() {
                    if last == '*' && inner == '/' {
                        break;
                    }
                    last = inner;
                }
                Some(' ')
            }
            other => Some(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Is `x` in scope at the loop marked by `@`?
    fn seen(text: &str) -> bool {
        let declared = text.find('x').expect("a declaration");
        let at = text.find('@').expect("a loop");
        let text = text.replace('@', "");
        let declared = if declared > at { declared - 1 } else { declared };
        is_in_scope(&text, Span::new(declared, declared + 1), Span::new(at, at + 3))
    }

    #[test]
    fn a_name_is_seen_until_its_block_or_statement_ends() {
        assert!(seen("{ int x; @while (1) ; }"));
        assert!(seen("{ int x; { @while (1) ; } }"));
        assert!(!seen("{ { int x; } @while (1) ; }"));
        assert!(!seen("{ @while (1) { int x; } }"));
        assert!(seen("{ @for (int x = 0; x < 3; x++) ; }"));
        assert!(!seen("{ @for (;;) { int x; } }"));
        assert!(seen("{ for (int x = 0; x < 3; x++) { @while (1) ; } }"));
        assert!(seen("{ for (int x = 0; x < 3; x++) @while (1) ; }"));
        assert!(!seen("{ for (int x = 0; x < 3; x++) { } @while (1) ; }"));
        assert!(!seen("{ for (int x = 0; x < 3; x++) f(1); @while (1) ; }"));
        assert!(seen("{ int x; f(\"}\"); /* } */ g('}'); @while (1) ; }"));
    }
}
