//! Names and their meanings, by block.

use std::collections::HashMap;

use crate::flow::{FunctionId, VariableId};
use crate::types::{RecordId, TypeId};
use hardbop_base::source::Span;

/// The meaning of an ordinary name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entity {
    Typedef(TypeId),
    /// A type known only by name (`__int128`).
    Strange(&'static str),
    /// A type whose name asks for more alignment than the type has: for the targets of pointers, which do not depend on it.
    Aligned(TypeId),
    /// A name that is declared in a way that is not supported.
    Refused,
    /// A name that is declared with a mistake, which has been reported.
    Reported,
    Variable(VariableId),
    /// An array of computed length: a pointer to its parts that have a constant size, its size in
    /// bytes, and its type.
    VariableArray {
        pointer: VariableId,
        size: VariableId,
        ty: TypeId,
    },
    Function(FunctionId),
    /// An enumerator.
    Constant(i128, TypeId),
}

/// The meaning of a tag.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

#[derive(Debug, Default)]
struct Block {
    names: HashMap<String, (Entity, Span)>,
    tags: HashMap<String, Tag>,
    /// Whether it stands in the file, and not in the blocks before it.
    in_file: bool,
}

/// The enclosing blocks, outermost (the file) first.
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

    /// Enters a block that sees the names of the file, and not those of the blocks that are open.
    pub fn enter_in_file(&mut self) {
        self.blocks.push(Block { in_file: true, ..Block::default() });
    }

    /// The blocks whose names are seen, innermost first.
    fn seen(&self) -> impl Iterator<Item = &Block> {
        let hidden = self.blocks.iter().rposition(|block| block.in_file).unwrap_or(1);
        let (file, inner) = (self.blocks.get(..1), self.blocks.get(hidden..));
        let inner = inner.unwrap_or_default().iter().rev();
        inner.chain(file.unwrap_or_default())
    }

    /// Enters a block that ends where the innermost one does, unless that has declared nothing so far.
    pub fn enter_behind_names(&mut self) -> bool {
        let is_needed =
            self.blocks.last().is_some_and(|b| !b.names.is_empty() || !b.tags.is_empty());
        if is_needed {
            self.enter();
        }
        is_needed
    }

    /// The number of blocks.
    pub fn depth(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// Leaves the innermost block, which must not be the file.
    pub fn leave(&mut self) {
        if self.blocks.len() > 1 {
            self.blocks.pop();
        }
    }

    /// The meaning of a name, and where it was declared.
    pub fn find(&self, name: &str) -> Option<(Entity, Span)> {
        self.seen().find_map(|b| b.names.get(name)).copied()
    }

    pub fn find_at_file(&self, name: &str) -> Option<(Entity, Span)> {
        self.blocks[0].names.get(name).copied()
    }

    /// The names of the file with their meanings, in no order.
    pub fn at_file(&self) -> impl Iterator<Item = (&str, Entity, Span)> {
        self.blocks[0].names.iter().map(|(name, &(entity, span))| (name.as_str(), entity, span))
    }

    /// The meaning of a name in the innermost block only.
    pub fn find_here(&self, name: &str) -> Option<(Entity, Span)> {
        self.blocks.last().and_then(|b| b.names.get(name)).copied()
    }

    pub fn declare(&mut self, name: &str, entity: Entity, span: Span) {
        if let Some(block) = self.blocks.last_mut() {
            block.names.insert(name.to_owned(), (entity, span));
        }
    }

    /// Declares a name whose declaration has a mistake, unless the block has it.
    pub fn declare_reported(&mut self, name: &str, span: Span) {
        if let Some(block) = self.blocks.last_mut() {
            block.names.entry(name.to_owned()).or_insert((Entity::Reported, span));
        }
    }

    pub fn declare_at_file(&mut self, name: &str, entity: Entity, span: Span) {
        self.blocks[0].names.insert(name.to_owned(), (entity, span));
    }

    pub fn find_tag(&self, name: &str) -> Option<Tag> {
        self.seen().find_map(|b| b.tags.get(name)).copied()
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
        self.seen().flat_map(|b| b.names.keys().map(String::as_str))
    }
}
