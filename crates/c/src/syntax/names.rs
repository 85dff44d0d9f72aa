//! Which names are types, by block.

use rustc_hash::FxHashMap;

/// The names that are declared at a place of the text: whether each is that of a type.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    known: FxHashMap<&'t str, bool>,
    /// The meanings of names outside of the blocks that are open.
    hidden: Vec<(&'t str, Option<bool>)>,
    /// For each open block, where its part of `hidden` begins.
    blocks: Vec<usize>,
}

impl<'t> Names<'t> {
    pub fn enter(&mut self) {
        self.blocks.push(self.hidden.len());
    }

    pub fn leave(&mut self) {
        let start = self.blocks.pop().unwrap_or(0);
        for (name, before) in self.hidden.drain(start..).rev() {
            match before {
                Some(meaning) => self.known.insert(name, meaning),
                None => self.known.remove(name),
            };
        }
    }

    pub fn declare(&mut self, name: &'t str, is_type: bool) {
        let before = self.known.insert(name, is_type);
        if !self.blocks.is_empty() {
            self.hidden.push((name, before));
        }
    }

    pub fn is_type(&self, name: &str) -> bool {
        self.known.get(name) == Some(&true)
    }

    /// Whether the name is declared, as whatever.
    pub fn is_known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }
}
