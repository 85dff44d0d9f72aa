//! The surface that a file shows to others: the names that it declares, with their linkage.
//!
//! This is read off the syntax tree, since a file's meaning depends on it: calls of what another file defines are not
//! calls of library functions.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::declaration::{alias_of, name_of};
use super::unit::{sees_errors, uses_at_exit};
use crate::library::{Family, find};
use crate::syntax::File;
use crate::syntax::known::plain;
use crate::syntax::tree::{
    DeclarationSpecifier, DerivedDeclarator, Extension, ExternalDeclaration, FunctionDefinition,
    FunctionSpecifier, Node, StorageClassSpecifier,
};
use hardbop_base::source::Span;

/// How much a definition counts: of two, the greater one is that of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// One of a function that other files do not see (C11, 6.7.4).
    Inline,
    Weak,
    /// Of a variable without an initial value.
    Tentative,
    Strong,
}

/// A definition in a file.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub strength: Strength,
    /// The place of the name.
    pub span: Span,
    /// Whether it is the body of a function.
    pub is_body: bool,
    /// Whether it gives another thing of the file a second name.
    pub is_alias: bool,
    /// Whether no call enters it: see [`is_for_inlining`].
    pub is_for_inlining: bool,
    /// The tokens of a function from its declarator to the end of its body; none of other things.
    pub tokens: Vec<String>,
}

/// The linkage of a name, as a file says it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// Whether no other file can name it.
    pub is_static: bool,
    pub is_weak: bool,
    pub definition: Option<Definition>,
    /// The name that linkers see, where it is another one; or what it is an alias of.
    pub label: Option<(String, Span)>,
    /// Whether a declaration makes an inline definition an external one.
    is_plain: bool,
    is_inline: bool,
}

/// The names that a file declares.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub names: IndexMap<String, Facts>,
    /// Whether functions may be given to `atexit`.
    pub uses_at_exit: bool,
    /// Whether `errno` may be read.
    pub sees_errors: bool,
    /// The clauses of contracts in front of each function, word by word.
    pub contracts: HashMap<String, HashSet<String>>,
}

/// The sayings of the specifiers and attributes of one declaration.
#[derive(Default)]
struct Said {
    is_static: bool,
    is_extern: bool,
    is_typedef: bool,
    is_inline: bool,
    is_gnu_inline: bool,
    is_always_inline: bool,
    is_weak: bool,
    label: Option<(String, Span)>,
    is_alias: bool,
}

impl Said {
    fn of(specifiers: &[Node<DeclarationSpecifier>], own: &[Node<Extension>]) -> Self {
        let mut said = Self::default();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class {
                    StorageClassSpecifier::Static => said.is_static = true,
                    StorageClassSpecifier::Extern => said.is_extern = true,
                    StorageClassSpecifier::Typedef => said.is_typedef = true,
                    _ => {}
                },
                DeclarationSpecifier::Function(word) => {
                    said.is_inline |= *word == FunctionSpecifier::Inline;
                }
                DeclarationSpecifier::Extension(list) => said.add(list),
                _ => {}
            }
        }
        said.add(own);
        said
    }

    fn add(&mut self, extensions: &[Node<Extension>]) {
        for extension in extensions {
            match &extension.node {
                Extension::AsmLabel(label) => {
                    let text = label.node.iter().map(|piece| piece.trim_matches('"')).collect();
                    self.label = Some((text, label.span));
                }
                Extension::Attribute(attribute) => {
                    let name = plain(&attribute.name.node);
                    self.is_weak |= name == "weak" || name == "weakref";
                    self.is_gnu_inline |= name == "gnu_inline";
                    self.is_always_inline |= name == "always_inline";
                    if let Some(target) = alias_of(attribute) {
                        self.label = Some((target, attribute.name.span));
                        self.is_alias = true;
                    }
                }
            }
        }
    }
}

/// Whether a function has a body for compilers to inline only, as GNU C has it: a call of it is one of another definition.
/// Bodies around functions of the library, which glibc's headers have, look at sizes and hand on what they are given.
pub(super) fn is_for_inlining(function: &FunctionDefinition) -> bool {
    let said = Said::of(&function.specifiers, &function.declarator.node.extensions);
    let is_known = || {
        let known = name_of(&function.declarator).and_then(find);
        known.is_some_and(|known| known.family == Family::Library)
    };
    let is_inline = said.is_gnu_inline && said.is_extern && said.is_inline;
    is_inline && (!said.is_always_inline || is_known())
}

/// Whether a function is one that gcc's headers have for an instruction of the processor, or is
/// written like those.
pub(super) fn is_always_inlined(function: &FunctionDefinition) -> bool {
    let said = Said::of(&function.specifiers, &function.declarator.node.extensions);
    let is_inline = said.is_gnu_inline && said.is_extern && said.is_inline;
    is_inline && said.is_always_inline && !is_for_inlining(function)
}

impl Surface {
    /// Reads it off the tree.  With `gnu_inline`, `inline` means what it did before C99.
    pub(super) fn of(file: &File, gnu_inline: bool) -> Self {
        let mut surface = Self {
            names: IndexMap::new(),
            uses_at_exit: uses_at_exit(&file.text),
            sees_errors: sees_errors(&file.text),
            contracts: HashMap::new(),
        };
        for item in &file.unit.0 {
            match item {
                ExternalDeclaration::FunctionDefinition(node) => {
                    let function = &node.node;
                    let Some(name) = name_of(&function.declarator) else { continue };
                    let extensions = &function.declarator.node.extensions;
                    let said = Said::of(&function.specifiers, extensions);
                    let facts = surface.names.entry(name.to_owned()).or_default();
                    let gnu = gnu_inline || said.is_gnu_inline;
                    facts.declared(&said, gnu);
                    let strength = match (gnu, said.is_inline, said.is_extern) {
                        (true, true, true) => Strength::Inline,
                        _ => Strength::Strong,
                    };
                    let span = function.declarator.span;
                    let tokens = file.words(Span { start: span.start, end: node.span.end });
                    let tokens = tokens.map(str::to_owned).collect();
                    let (is_body, is_alias) = (true, false);
                    let is_for_inlining = is_for_inlining(function);
                    let definition =
                        Definition { strength, span, is_body, is_alias, is_for_inlining, tokens };
                    // Of two, the other one counts.
                    if facts.definition.is_none() || !is_for_inlining {
                        facts.definition = Some(definition);
                    }
                }
                ExternalDeclaration::Declaration(node) => {
                    for item in &node.node.declarators {
                        let declarator = &item.node.declarator;
                        let said = Said::of(&node.node.specifiers, &declarator.node.extensions);
                        let Some(name) = name_of(declarator) else { continue };
                        if said.is_typedef {
                            continue;
                        }
                        let facts = surface.names.entry(name.to_owned()).or_default();
                        facts.declared(&said, gnu_inline || said.is_gnu_inline);
                        let is_function = declarator.node.derived.iter().any(|d| {
                            matches!(
                                d.node,
                                DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_)
                            )
                        });
                        let strength = if said.is_alias || item.node.initializer.is_some() {
                            Strength::Strong
                        } else if !said.is_extern && !is_function {
                            Strength::Tentative
                        } else {
                            continue;
                        };
                        let old = facts.definition.as_ref();
                        if old.is_none_or(|old| !old.is_body && old.strength < strength) {
                            let span = declarator.span;
                            facts.definition = Some(Definition {
                                strength,
                                span,
                                is_body: false,
                                is_alias: said.is_alias,
                                is_for_inlining: false,
                                tokens: vec![],
                            });
                        }
                    }
                }
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        surface.names.values_mut().for_each(Facts::finish);
        surface
    }
}

impl Facts {
    fn declared(&mut self, said: &Said, gnu: bool) {
        self.is_static |= said.is_static;
        self.is_weak |= said.is_weak;
        self.is_inline |= said.is_inline && !gnu;
        self.is_plain |= !said.is_inline || said.is_extern || gnu;
        let label = said.label.clone();
        self.label = label.or(self.label.take());
    }

    /// Settles the strength of the definition, which depends on all declarations together.
    fn finish(&mut self) {
        let Some(definition) = &mut self.definition else { return };
        if definition.is_body && self.is_inline && !self.is_plain {
            definition.strength = Strength::Inline;
        }
        if self.is_weak && definition.strength > Strength::Weak {
            definition.strength = Strength::Weak;
        }
    }
}
