//! From tokens to the tree, by recursive descent.
//!
//! A mistake ends the statement or the declaration that it is in, and the rest is read all the same.

mod attribute;
mod declaration;
mod declarator;
mod external;
mod failure;
mod initialiser;
mod operand;
mod operator;
mod record;
mod recovery;
mod specifier;
mod statement;
mod words;

use rustc_hash::{FxHashMap, FxHashSet};

use super::attributes::{Found, Refusal};
use super::known::Noted;
use super::lexer::Lexed;
use super::names::Names;
use super::token::{Kind, Sign, Token, Word};
use super::tree::{Extension, Identifier, Node, TranslationUnit};
use hardbop_base::source::{Diagnostic, Span};

/// A mistake has been noted; what it is in cannot be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failed;

type Parsed<T> = Result<T, Failed>;

/// The surroundings of the tokens: the program, and what comments and directives say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings<'t> {
    /// The text of the program.
    pub program: &'t str,
    /// Where the file begins in it.
    pub base: usize,
    /// Offset in the file and limit of each `#pragma pack`.
    pub packs: &'t [(usize, Option<u64>)],
    /// Assertions of ACSL, in the text of the program.
    pub assertions: &'t [Span],
}

/// Reads the tokens of a file.
pub(super) fn parse(
    lexed: &Lexed,
    surroundings: Surroundings,
    found: &mut Found,
) -> Result<TranslationUnit, Vec<Diagnostic>> {
    let mut parser = Parser {
        text: &lexed.text,
        tokens: &lexed.tokens,
        at: 0,
        names: Names::default(),
        surroundings,
        noted: Vec::new(),
        refusals: Vec::new(),
        mistakes: Vec::new(),
        behind_tag: Vec::new(),
        promises: Vec::new(),
        parameters: None,
        prototypes: 0,
        labels: Vec::new(),
        local_labels: FxHashMap::default(),
        is_balanced: recovery::is_balanced(&lexed.tokens),
        aligned: None,
    };
    let unit = parser.unit();
    found.noted.append(&mut parser.noted);
    found.noted.sort_by_key(|noted| noted.at);
    found.refusals.append(&mut parser.refusals);
    if parser.mistakes.is_empty() { Ok(unit) } else { Err(parser.mistakes) }
}

struct Parser<'t> {
    text: &'t str,
    /// Never empty: the last one is the end.
    tokens: &'t [Token],
    at: usize,
    names: Names<'t>,
    surroundings: Surroundings<'t>,
    noted: Vec<Noted>,
    refusals: Vec<Refusal>,
    mistakes: Vec<Diagnostic>,
    /// Attributes in front of the tag of a type, which count as if they stood behind its members.
    behind_tag: Vec<Node<Extension>>,
    /// Attributes behind a `*` that are about the function that is declared.
    promises: Vec<Node<Extension>>,
    /// The names of the parameters of the function that is declared.
    parameters: Option<Vec<&'t str>>,
    /// The number of lists of parameters that are open.
    prototypes: u32,
    /// Labels that only the blocks around have, with the names that they get.
    labels: Vec<(&'t str, String)>,
    /// How many blocks of the function have a label of their own with this name.
    local_labels: FxHashMap<&'t str, u32>,
    /// Whether each brace has a partner.
    is_balanced: bool,
    /// The names in declarations that have an alignment, once that is asked.
    aligned: Option<FxHashSet<&'t str>>,
}

impl<'t> Parser<'t> {
    fn token(&self) -> Token {
        self.token_at(self.at)
    }

    /// The token at an index; the end behind all of them.
    fn token_at(&self, i: usize) -> Token {
        self.tokens[i.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    /// The kind of the token so many places ahead.
    fn ahead(&self, by: usize) -> Kind {
        self.token_at(self.at + by).kind
    }

    fn text_of(&self, token: Token) -> &'t str {
        self.text.get(token.from as usize..token.to as usize).unwrap_or("")
    }

    /// The characters of the current token.
    fn here(&self) -> &'t str {
        self.text_of(self.token())
    }

    fn bump(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is(&self, sign: Sign) -> bool {
        self.kind() == Kind::Sign(sign)
    }

    fn is_word(&self, word: Word) -> bool {
        self.kind() == Kind::Word(word)
    }

    /// Takes the sign if it is next.
    fn accept(&mut self, sign: Sign) -> bool {
        let found = self.is(sign);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the word if it is next.
    fn accept_word(&mut self, word: Word) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the sign; `wanted` is what might stand here.
    fn expect(&mut self, sign: Sign, wanted: &str) -> Parsed<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.wrong(wanted)) }
    }

    /// Where the current token begins.
    fn start(&self) -> u32 {
        self.token().span.start
    }

    /// Where the last token that was taken ends.
    fn end(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |i| self.tokens[i].span.end)
    }

    /// From a place to the end of the last token that was taken.
    fn span_from(&self, start: u32) -> Span {
        Span { start, end: self.end().max(start) }
    }

    /// A node from a place to the end of the last token.
    fn node<T>(&self, node: T, start: u32) -> Node<T> {
        Node::new(node, self.span_from(start))
    }

    /// Takes a name.
    fn name(&mut self) -> Parsed<(Node<Identifier>, &'t str)> {
        if self.kind() != Kind::Name {
            return Err(self.wrong("a name"));
        }
        let token = self.token();
        let text = self.text_of(token);
        self.bump();
        Ok((Node::new(Identifier { name: text.to_owned() }, token.span), text))
    }

    /// The index behind the bracket that closes the one at token `i`.
    fn closing(&self, i: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (j, token) in self.tokens.iter().enumerate().skip(i) {
            let Kind::Sign(sign) = token.kind else { continue };
            if sign.opens() {
                depth += 1;
            } else if sign.closes() {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(j + 1);
                }
            }
        }
        None
    }
}
