//! The evidence of an answer as a tree that a page shows: the abstract reachability tree, or who
//! calls whom.

/// A tree, as far as a page shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    pub kind: OutlineKind,
    /// Parents come before their children.
    pub nodes: Vec<OutlineNode>,
    /// How many more nodes there are.
    pub left_out: usize,
}

/// The kind of the nodes of an [`Outline`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutlineKind {
    /// Abstract states of a C program at places between blocks.
    #[default]
    ReachabilityTree,
    /// Procedures below those that call them, with their summaries.
    Procedures,
}

/// A node of an [`Outline`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutlineNode {
    /// Position of its parent.
    pub parent: Option<usize>,
    /// The name of the node, in words.
    pub name: String,
    /// A file that is named; else that of the answer.
    pub file: Option<String>,
    pub line: Option<usize>,
    /// The facts known there: where, in words, and a formula.
    pub known: Vec<(String, String)>,
    /// The position of the node which stands for it, and all below it: that covers it, or is the
    /// same procedure.
    pub stands_for: Option<usize>,
    /// Whether it is an error.
    pub is_error: bool,
}
