//! Names and what they stand for, by block.

use std::collections::HashMap;

use crate::base::source::Span;
use crate::program::c::flow::{FunctionId, VariableId};
use crate::program::c::types::{RecordId, TypeId};

/// What an ordinary name stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entity {
    Typedef(TypeId),
    /// A type that is known by name only (`__int128`).
    Strange(&'static str),
    Variable(VariableId),
    /// An array whose length is computed: a pointer to its elements, and its size in bytes.
    VariableArray {
        pointer: VariableId,
        size: VariableId,
    },
    Function(FunctionId),
    /// An enumerator.
    Constant(i128, TypeId),
}

/// What a tag stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

#[derive(Debug, Default)]
struct Block {
    names: HashMap<String, (Entity, Span)>,
    tags: HashMap<String, Tag>,
}

/// The blocks around a place, outermost (the file) first.
#[derive(Debug)]
pub(super) struct Scopes {
    blocks: Vec<Block>,
}

impl Scopes {
    pub fn new() -> Self {
        Self { blocks: vec![Block::default()] }
    }

    pub fn enter(&mut self) {
        self.blocks.push(Block::default());
    }

    /// Ends the innermost block, not the file.
    pub fn leave(&mut self) {
        if self.blocks.len() > 1 {
            self.blocks.pop();
        }
    }

    /// What a name stands for, and where it was declared.
    pub fn find(&self, name: &str) -> Option<(Entity, Span)> {
        self.blocks.iter().rev().find_map(|b| b.names.get(name)).copied()
    }

    pub fn find_at_file(&self, name: &str) -> Option<(Entity, Span)> {
        self.blocks[0].names.get(name).copied()
    }

    /// What a name stands for in the innermost block alone.
    pub fn find_here(&self, name: &str) -> Option<(Entity, Span)> {
        self.blocks.last().and_then(|b| b.names.get(name)).copied()
    }

    pub fn declare(&mut self, name: &str, entity: Entity, span: Span) {
        if let Some(block) = self.blocks.last_mut() {
            block.names.insert(name.to_owned(), (entity, span));
        }
    }

    pub fn declare_at_file(&mut self, name: &str, entity: Entity, span: Span) {
        self.blocks[0].names.insert(name.to_owned(), (entity, span));
    }

    pub fn find_tag(&self, name: &str) -> Option<Tag> {
        self.blocks.iter().rev().find_map(|b| b.tags.get(name)).copied()
    }

    pub fn find_tag_here(&self, name: &str) -> Option<Tag> {
        self.blocks.last().and_then(|b| b.tags.get(name)).copied()
    }

    pub fn declare_tag(&mut self, name: &str, tag: Tag) {
        if let Some(block) = self.blocks.last_mut() {
            block.tags.insert(name.to_owned(), tag);
        }
    }

    /// All ordinary names, for suggestions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().flat_map(|b| b.names.keys().map(String::as_str))
    }
}
