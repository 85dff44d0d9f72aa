//! C code of the library in the text of a harness: its names are kept apart from the program's.

use std::fmt::Write;

use super::edit::Edits;
use super::text::Lexed;
use crate::parse::TokenKind;

/// The line before such code, without its end.
const MARK: &str = "\n# 1 \"<library>/";

/// Gives other names to what is static there, to tags, and to functions, which the program may declare with types of its own:
/// these keep their symbols.  Where the direction of rounding is kept, they lose them: that of the processor is the C
/// library's business.
pub(super) fn keep_apart(lexed: &Lexed, text: &str, edits: &mut Edits) {
    let starts: Vec<usize> = text.match_indices(MARK).map(|(at, _)| at + 1).collect();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(text.len(), |&next| next);
        let names = Names::of(lexed, start, end);
        let are_real = text[start..].starts_with("# 1 \"<library>/fenv.c\"");
        let (mut before, mut behind) = (String::new(), String::from("\n"));
        for name in names.tags.iter().chain(&names.statics).chain(&names.functions) {
            let _ = writeln!(before, "#define {name} hardbop_m_{name}");
            let _ = writeln!(behind, "#undef {name}");
        }
        for name in names.functions.iter().filter(|_| !are_real) {
            let _ = writeln!(behind, "__asm__(\".globl {name}\\n.set {name}, hardbop_m_{name}\");");
        }
        edits.insert(start, before);
        edits.insert(end, behind);
    }
}

/// What a part of the text defines.
#[derive(Default)]
struct Names<'t> {
    tags: Vec<&'t str>,
    /// Functions and variables.
    statics: Vec<&'t str>,
    /// Other functions.
    functions: Vec<&'t str>,
}

impl<'t> Names<'t> {
    fn of(lexed: &Lexed<'t>, start: usize, end: usize) -> Self {
        let mut names = Self::default();
        let mut depth = 0_usize;
        let mut is_static = false;
        // The word before, at the depth of declarations.
        let mut last: Option<&'t str> = None;
        let tokens = lexed.tokens().iter().enumerate();
        for (i, token) in tokens.filter(|(_, token)| token.start >= start && token.start < end) {
            let before = i.checked_sub(1).and_then(|i| lexed.token(i));
            if token.is(b'{') || token.is(b'(') {
                let is_body = token.is(b'{') && before.is_some_and(|before| before.is(b')'));
                let is_tag = token.is(b'{') && i > 1 && lexed.word(i - 2) == Some("struct");
                if let Some(name) = last.filter(|_| depth == 0) {
                    match (is_body, is_static) {
                        (true, true) => names.statics.push(name),
                        (true, false) => names.functions.push(name),
                        (false, _) if is_tag => names.tags.push(name),
                        (false, _) => {}
                    }
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
                names.statics.extend(last.take().filter(|_| is_static));
                is_static &= !token.is(b';');
            }
        }
        names
    }
}
