//! C code of the library in the text of a harness: its names are kept apart from the program's.

use std::fmt::Write;

use super::edit::Edits;
use super::text::Lexed;
use crate::parse::TokenKind;

/// The line before such code.
const MARK: &str = "\n# 1 \"<library>/";

/// Gives the tags, and what is static, other names; so does it functions of records, which the program declares with its
/// own tags.  They keep their symbols.
pub(super) fn keep_apart(lexed: &Lexed, text: &str, edits: &mut Edits) {
    let starts: Vec<usize> = text.match_indices(MARK).map(|(at, _)| at + 1).collect();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(text.len(), |&next| next);
        let names = Names::of(lexed, start, end);
        let (mut before, mut behind) = (String::new(), String::from("\n"));
        for name in names.own.iter().chain(names.functions.iter()) {
            let _ = writeln!(before, "#define {name} hardbop_m_{name}");
            let _ = writeln!(behind, "#undef {name}");
        }
        // The direction of rounding is that of the processor.
        let is_real = text[start..].starts_with("# 1 \"<library>/fenv.c\"");
        for name in names.functions.into_iter().filter(|_| !is_real) {
            let _ = writeln!(behind, "__asm__(\".globl {name}\\n.set {name}, hardbop_m_{name}\");");
        }
        edits.insert(start, before);
        edits.insert(end, behind);
    }
}

/// Functions whose effect is more than what their code says.
const REAL: [&str; 2] = ["fesetround", "fegetround"];

/// What a part of the text defines.
#[derive(Default)]
struct Names<'t> {
    own: Vec<&'t str>,
    /// Functions, if there are records.
    functions: Vec<&'t str>,
}

impl<'t> Names<'t> {
    fn of(lexed: &Lexed<'t>, start: usize, end: usize) -> Self {
        let mut names = Self::default();
        let mut depth = 0_usize;
        let mut is_static = false;
        let mut last: Option<&'t str> = None;
        let tokens = lexed.tokens().iter().enumerate();
        for (i, token) in tokens.filter(|(_, token)| token.start >= start && token.start < end) {
            if token.is(b'{') || token.is(b'(') {
                let is_body = token.is(b'{') && i > 0 && lexed.tokens()[i - 1].is(b')');
                match last {
                    Some(name) if depth == 0 && is_body && is_static => names.own.push(name),
                    Some(name) if depth == 0 && is_body => names.functions.push(name),
                    _ if depth == 0 && token.is(b'{') => {
                        let tag = lexed
                            .word(i - 1)
                            .filter(|_| i > 1 && lexed.word(i - 2) == Some("struct"));
                        names.own.extend(tag);
                    }
                    _ => {}
                }
                depth += 1;
            } else if token.is(b'}') || token.is(b')') {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.is(b'}') {
                    (is_static, last) = (false, None);
                }
            } else if depth == 0 && token.kind == TokenKind::Word {
                let word = lexed.text(token);
                is_static |= word == "static";
                last = Some(word);
            } else if depth == 0 && (token.is(b';') || token.is(b'=') || token.is(b'[')) {
                names.own.extend(last.take().filter(|_| is_static));
                is_static &= !token.is(b';');
            }
        }
        if !names.own.iter().any(|name| {
            lexed
                .words()
                .any(|(i, word)| word == *name && i > 0 && lexed.word(i - 1) == Some("struct"))
        }) {
            names.functions.retain(|name| REAL.contains(name));
        }
        names
    }
}
