//! Reads variables in SMT-LIB 2 syntax: `(declare-const x (_ BitVec 32))`, and `declare-fun`
//! without parameters.

use std::ops::Range;

use thiserror::Error;

use super::reader::{Kind, ReadError, tokens};
use super::term::{Sort, Symbol, Terms};

/// Why a text is not a list of declarations.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DeclarationError {
    #[error(transparent)]
    Text(#[from] ReadError),
    #[error("expected {expected}, as in '(declare-const x (_ BitVec 32))'")]
    Form { place: Range<usize>, expected: &'static str },
    #[error("bit-vectors have 1 to 64 bits")]
    Width { place: Range<usize> },
    #[error("'{name}' is declared already, with another sort")]
    Twice { place: Range<usize>, name: String },
}

impl DeclarationError {
    /// The place of the error, in bytes.
    pub fn place(&self) -> Range<usize> {
        match self {
            Self::Text(e) => e.place.clone(),
            Self::Form { place, .. } | Self::Width { place } | Self::Twice { place, .. } => {
                place.clone()
            }
        }
    }
}

/// Enters all variables that a text declares, and returns them in order.
///
/// # Errors
/// The first error; variables declared before it have been entered.
pub fn declare(terms: &mut Terms, text: &str) -> Result<Vec<Symbol>, DeclarationError> {
    let mut reader = Reader { text, tokens: tokens(text).collect::<Result<Vec<_>, _>>()?, next: 0 };
    let mut symbols = vec![];
    while reader.next < reader.tokens.len() {
        reader.open()?;
        let is_function = match reader.word("'declare-const'")? {
            "declare-const" => false,
            "declare-fun" => true,
            _ => return Err(reader.before("'declare-const'")),
        };
        let (name, place) = reader.name()?;
        if is_function {
            reader.open()?;
            reader.close()?;
        }
        let sort = reader.sort()?;
        reader.close()?;
        match terms.find_symbol(&name) {
            Some(known) if terms.symbol_sort(known) != sort => {
                return Err(DeclarationError::Twice { place, name });
            }
            _ => symbols.push(terms.symbol(&name, sort)),
        }
    }
    Ok(symbols)
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<(Range<usize>, Kind)>,
    next: usize,
}

impl<'t> Reader<'t> {
    /// An error at the token that was read last, or at the last token if the text has ended.
    fn before(&self, expected: &'static str) -> DeclarationError {
        let at = self.next.min(self.tokens.len()).saturating_sub(1);
        let place = self.tokens.get(at).map_or(0..0, |t| t.0.clone());
        DeclarationError::Form { place, expected }
    }

    fn take(&mut self, kind: Kind, expected: &'static str) -> Result<&'t str, DeclarationError> {
        let found = self.tokens.get(self.next).cloned();
        self.next += 1;
        match found {
            Some((place, found)) if found == kind => Ok(&self.text[place]),
            _ => Err(self.before(expected)),
        }
    }

    fn open(&mut self) -> Result<(), DeclarationError> {
        self.take(Kind::Open, "'('").map(|_| ())
    }

    fn close(&mut self) -> Result<(), DeclarationError> {
        self.take(Kind::Close, "')'").map(|_| ())
    }

    fn word(&mut self, expected: &'static str) -> Result<&'t str, DeclarationError> {
        self.take(Kind::Word, expected)
    }

    /// Reads a name, and removes its bars.
    fn name(&mut self) -> Result<(String, Range<usize>), DeclarationError> {
        let (place, kind) = match self.tokens.get(self.next) {
            Some((place, kind @ (Kind::Word | Kind::Name))) => (place.clone(), *kind),
            _ => {
                self.next += 1;
                return Err(self.before("a name"));
            }
        };
        self.next += 1;
        let text = &self.text[place.clone()];
        let name = if kind == Kind::Name { &text[1..text.len() - 1] } else { text };
        Ok((name.to_owned(), place))
    }

    fn sort(&mut self) -> Result<Sort, DeclarationError> {
        const EXPECTED: &str = "'Bool' or '(_ BitVec n)'";
        if let Some((_, Kind::Word)) = self.tokens.get(self.next) {
            return match self.word(EXPECTED)? {
                "Bool" => Ok(Sort::Bool),
                _ => Err(self.before(EXPECTED)),
            };
        }
        self.open()?;
        if self.word(EXPECTED)? != "_" || self.word(EXPECTED)? != "BitVec" {
            return Err(self.before(EXPECTED));
        }
        let width = match self.word("a number")?.parse::<u32>() {
            Ok(width @ 1..=64) => width,
            _ => {
                let place = self.tokens[self.next - 1].0.clone();
                return Err(DeclarationError::Width { place });
            }
        };
        self.close()?;
        Ok(Sort::Bits(width))
    }
}
