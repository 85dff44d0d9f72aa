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
pub(super) fn tokens_of(_text: &str) -> Option<Vec<Token>> { let _ = TokenKind::Quoted; None }
