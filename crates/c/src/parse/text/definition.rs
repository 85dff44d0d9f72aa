//! Definitions of functions among tokens, where nothing is parsed.

use super::clean::blank_comments;
use super::tokens::{Token, TokenKind, tokens_of};

/// The parenthesis that closes the one at index `open`.
pub(crate) fn closing(tokens: &[Token], open: usize) -> Option<&Token> {
    let mut depth = 0usize;
    for token in &tokens[open..] {
        if token.is(b'(') {
            depth += 1;
        } else if token.is(b')') {
            depth -= 1;
            if depth == 0 {
                return Some(token);
            }
        }
    }
    None
}

/// The brace that opens the body of the function `name`.
pub(crate) fn body_of<'a>(text: &str, tokens: &'a [Token], name: &str) -> Option<&'a Token> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        if token.is(b'{') {
            depth += 1;
        } else if token.is(b'}') {
            depth = depth.saturating_sub(1);
        } else if depth == 0
            && word(text, token) == Some(name)
            && let Some(brace) = body_behind(text, tokens, index + 1)
        {
            return Some(brace);
        }
    }
    None
}

/// The brace of the body that follows the parameter list that starts at a token.
fn body_behind<'a>(text: &str, tokens: &'a [Token], open: usize) -> Option<&'a Token> {
    tokens.get(open).filter(|t| t.is(b'('))?;
    let end = closing(tokens, open)?.end;
    let next = tokens.partition_point(|t| t.start < end);
    let token = tokens.get(next)?;
    match word(text, token) {
        // An attribute, or an `asm` name.
        Some(word) if word.starts_with("__") || word == "asm" => None,
        // The parameters are declared in the old style; braces in their types follow other tokens.
        Some(_) => tokens[next..].windows(2).find_map(|pair| match pair {
            [before, brace] if before.is(b';') && brace.is(b'{') => Some(brace),
            _ => None,
        }),
        None => Some(token).filter(|t| t.is(b'{')),
    }
}

fn word<'t>(text: &'t str, token: &Token) -> Option<&'t str> {
    (token.kind == TokenKind::Word).then(|| text.get(token.start..token.end)).flatten()
}

/// Whether a text that need not be preprocessed defines `main`, whatever macros there are: outside of `#if`.
#[must_use]
pub fn has_main(text: &str) -> bool {
    let Ok(plain) = blank_comments(text) else { return false };
    let (mut kept, mut depth, mut goes_on) = (String::new(), 0_usize, false);
    for line in plain.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let is_directive = goes_on || directive.is_some();
        match directive.filter(|_| !goes_on) {
            Some(word) if word.starts_with("if") => depth += 1,
            Some(word) if word.starts_with("endif") => depth = depth.saturating_sub(1),
            _ => {}
        }
        goes_on = is_directive && line.ends_with('\\');
        if !is_directive && depth == 0 {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    tokens_of(&kept).is_some_and(|tokens| body_of(&kept, &tokens, "main").is_some())
}
