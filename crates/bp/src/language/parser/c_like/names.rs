//! Which variables are visible, and what they are called in the syntax tree.
//!
//! Names of our own have a `#`, which no name of a text in this dialect has, and all of them are
//! names of the language, so the syntax tree can be printed and read again.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::is_name;
use super::tree::Type;
use crate::language::syntax::Name;
use hardbop_base::source::Span;

/// A visible variable.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub kind: Type,
    /// What it is called in the syntax tree.
    pub written: String,
}

/// The variables that are visible at a place.
#[derive(Default)]
pub(super) struct Names {
    /// The variables of a name, the innermost last.
    visible: FxHashMap<String, Vec<Variable>>,
    globals: FxHashSet<String>,
    /// The names that each open block declares.
    blocks: Vec<Vec<(String, Span)>>,
    /// How often the procedure has declared a name so far, with its first place.
    declared: FxHashMap<String, (usize, Span)>,
}

impl Names {
    /// Begins a procedure.
    pub fn begin(&mut self) {
        self.declared.clear();
        self.open();
    }

    /// Begins a block.
    pub fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// Ends the innermost block.
    pub fn close(&mut self) {
        for (name, _) in self.blocks.pop().unwrap_or_default() {
            if let Some(all) = self.visible.get_mut(&name) {
                all.pop();
            }
        }
    }

    /// A global variable.
    pub fn global(&mut self, name: &Name, kind: Type) -> String {
        let written = quoted(&name.text);
        let variable = Variable { kind, written: written.clone() };
        self.visible.entry(name.text.clone()).or_default().push(variable);
        self.globals.insert(name.text.clone());
        written
    }

    /// A variable of the innermost block.
    ///
    /// # Errors
    /// The place where the block declares this name already.
    pub fn local(&mut self, name: &Name, kind: Type, is_formal: bool) -> Result<String, Span> {
        let text = &name.text;
        let block = self.blocks.last().into_iter().flatten();
        if let Some((_, first)) = block.into_iter().find(|(known, _)| known == text) {
            return Err(*first);
        }
        let before = self.declared.entry(text.clone()).or_insert((0, name.span));
        before.0 += 1;
        // In the syntax tree a local variable hides a global one in its whole procedure.
        let hides = !is_formal && self.globals.contains(text);
        let written = match before.0 + usize::from(hides) {
            1 => quoted(text),
            n => format!("{}#{n}", quoted(text).trim_matches(['{', '}'])),
        };
        let variable = Variable { kind, written: written.clone() };
        self.visible.entry(text.clone()).or_default().push(variable);
        if let Some(block) = self.blocks.last_mut() {
            block.push((text.clone(), name.span));
        }
        Ok(written)
    }

    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.visible.get(name)?.last()
    }

    /// All names that are visible.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.visible.iter().filter(|(_, all)| !all.is_empty()).map(|(name, _)| name.as_str())
    }

    /// Where the procedure has declared a name, in whatever block.
    pub fn declared(&self, name: &str) -> Option<Span> {
        self.declared.get(name).map(|(_, span)| *span)
    }
}

/// A name of the text as one of the language: in braces where it is a reserved word there, or has
/// a meaning by convention.
pub(super) fn quoted(name: &str) -> String {
    if name == "_" || name == "init" || name.starts_with("ASYNC") || !is_name(name) {
        format!("{{{name}}}")
    } else {
        name.to_owned()
    }
}

/// The name of a bit of a variable.
pub(super) fn bit(written: &str, index: usize) -> String {
    format!("{}#bit{index}", written.trim_matches(['{', '}']))
}
