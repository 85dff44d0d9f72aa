//! What reading a text in the C-like dialect keeps in mind.

use rustc_hash::FxHashMap;

use super::super::state::Parser;
use super::token::Tokens;
use super::tree::{Operator, Tree};

/// The text, and what has been read of it.
pub(super) struct Reader<'t> {
    pub tokens: Tokens<'t>,
    pub tree: Tree,
    /// What `#define NAME VALUE` says.
    pub macros: FxHashMap<String, Operator>,
    /// Loops so far.
    pub loops: usize,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str, mistakes: Parser) -> Self {
        let tokens = Tokens::new(text, mistakes);
        Self { tokens, tree: Tree::default(), macros: FxHashMap::default(), loops: 0 }
    }
}
