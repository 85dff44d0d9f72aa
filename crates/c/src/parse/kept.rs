//! What several parts of the reader hand on to each other: results of calls, promises about functions, computed `goto`s,
//! and what is given to `atexit`.

use super::around_main::priority;
use super::unit::Thing;
use crate::flow::{Expr, FunctionId, LocationId, VariableId};
use crate::syntax::known::plain;
use crate::syntax::tree::{DeclarationSpecifier, Extension, FunctionSpecifier, Node};
use hardbop_base::source::Span;

/// Where the result of a call is.
#[derive(Debug)]
pub(super) enum Called {
    Value(Expr),
    /// In the destination that was offered.
    Stored,
    Nothing,
}

/// The promises of declarations about a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Promises {
    /// A call does not return: `_Noreturn`, or the attribute.
    pub no_return: bool,
    /// A call changes nothing: the attributes `pure` and `const`.
    pub no_effect: bool,
    /// It runs before `main`, or behind it: the attributes `constructor` and `destructor`, with a priority if that is plain.
    pub constructor: Option<Option<u32>>,
    pub destructor: Option<Option<u32>>,
}

impl Promises {
    /// The promises of the specifiers and the attributes of a declaration.
    pub fn of(specifiers: &[Node<DeclarationSpecifier>], own: &[Node<Extension>]) -> Self {
        let mut promises = Self::default();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::Function(word) => {
                    promises.no_return |= *word == FunctionSpecifier::Noreturn;
                }
                DeclarationSpecifier::Extension(list) => promises.add(list),
                _ => {}
            }
        }
        promises.add(own);
        promises
    }

    fn add(&mut self, extensions: &[Node<Extension>]) {
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            let attribute = &attribute;
            match plain(&attribute.name.node) {
                "noreturn" => self.no_return = true,
                "pure" | "const" => self.no_effect = true,
                "constructor" => self.constructor = Some(priority(attribute)),
                "destructor" => self.destructor = Some(priority(attribute)),
                _ => {}
            }
        }
    }
}

/// A `goto` whose targets are known at the end of its function.
#[derive(Debug)]
pub(super) struct ComputedGoto {
    pub from: LocationId,
    pub value: Expr,
    pub span: Span,
}

/// The functions that the program has registered, and the one that calls them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handlers {
    /// An array of pointers to functions.
    pub list: VariableId,
    pub count: VariableId,
    /// Calls them all.
    pub run: FunctionId,
}

/// The names of what is registered, which no text can have.
pub(crate) const RUN: &str = "calls of functions given to atexit";
pub(super) const LIST: &str = "functions given to atexit";
pub(super) const COUNT: &str = "number of functions given to atexit";

impl Handlers {
    /// The things that all files of a program share, by name.
    pub fn names(self) -> [(&'static str, Thing); 3] {
        let [list, count] = [self.list, self.count].map(Thing::Variable);
        [(LIST, list), (COUNT, count), (RUN, Thing::Function(self.run))]
    }
}
