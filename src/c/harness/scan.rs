//! TEMPORARY
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind { Word, Number, Quoted, Sign(u8) }
#[derive(Debug, Clone, Copy)]
pub(super) struct Token { pub kind: TokenKind, pub start: usize, pub end: usize }
impl Token {
    pub fn is(self, sign: u8) -> bool { self.kind == TokenKind::Sign(sign) }
    pub fn is_word(self) -> bool { self.kind == TokenKind::Word }
    pub fn is_number(self) -> bool { self.kind == TokenKind::Number }
}
pub(super) fn tokens_of(text: &str) -> Option<Vec<Token>> {
    let b = text.as_bytes(); let mut at = 0; let mut out = vec![]; let mut bol = true;
    let w = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 128;
    while at < b.len() {
        let start = at; let c = b[at];
        if c == b'\n' { bol = true; at += 1; continue; }
        if c.is_ascii_whitespace() { at += 1; continue; }
        if c == b'#' && bol { while at < b.len() && b[at] != b'\n' { at += 1; } continue; }
        bol = false;
        if b[at..].starts_with(b"//") { while at < b.len() && b[at] != b'\n' { at += 1; } continue; }
        if b[at..].starts_with(b"/*") { at += 2; while at < b.len() && !b[at..].starts_with(b"*/") { at += 1; } at += 2; continue; }
        let kind = if c == b'"' || c == b'\'' { at += 1; while at < b.len() && b[at] != c { at += if b[at] == b'\\' {2} else {1}; } at += 1; TokenKind::Quoted }
        else if c.is_ascii_digit() { while at < b.len() && (w(b[at]) || b[at] == b'.') { at += 1; } TokenKind::Number }
        else if w(c) { while at < b.len() && w(b[at]) { at += 1; } TokenKind::Word }
        else { at += 1; TokenKind::Sign(c) };
        out.push(Token { kind, start, end: at });
    }
    Some(out)
}
