//! Names for one thing: `alias`, `weakref`, assembler labels, and one thing's several declarations.

use std::collections::{HashMap, HashSet};

use super::declarator::name_of;
use crate::parse::context::Context;
use crate::parse::scope::Entity;
use crate::syntax::known::plain;
use crate::syntax::tree::{
    Attribute, Declaration, DeclarationSpecifier, DerivedDeclarator, Expression, Extension,
    ExternalDeclaration, InitDeclarator, Node, StorageClassSpecifier, StringLiteral,
    TranslationUnit,
};
use crate::types::TypeId;
use hardbop_base::source::Span;

/// The meanings of the names of a file.
#[derive(Default)]
pub(super) struct Linkage {
    /// The names that mean the same as another one, with that name.
    pub synonyms: HashMap<String, String>,
    /// Aliases of nothing.
    pub dangling: Vec<Dangling>,
    /// Weak names that the file does not define: their addresses may be null.
    pub weak: HashSet<String>,
}

/// An alias of a name that the file does not define.
pub(super) struct Dangling {
    pub name: String,
    pub target: String,
    /// Of the attribute's name.
    pub span: Span,
}

/// Finds the meanings of the names of a file.
///
/// A name of C stands for a name of the assembler: its label, or itself.  An alias makes two of those one.
pub(super) fn linkage(unit: &TranslationUnit, bodies: impl Fn(&str) -> bool) -> Linkage {
    let mut declared: Vec<(&str, String)> = Vec::new();
    let mut defined: HashSet<&str> = HashSet::new();
    let mut aliases = Vec::new();
    let mut weak: HashSet<&str> = HashSet::new();
    let mut symbols = Symbols::default();
    for item in &unit.0 {
        if let ExternalDeclaration::FunctionDefinition(node) = item {
            let name = name_of(&node.node.declarator);
            declared.extend(name.map(|name| (name, String::new())));
            defined.extend(name);
        }
        let ExternalDeclaration::Declaration(node) = item else { continue };
        for declarator in &node.node.declarators {
            let Some(name) = name_of(&declarator.node.declarator) else { continue };
            let mut label = String::new();
            let mut is_alias = false;
            for extension in extensions(&node.node, &declarator.node.declarator.node.extensions) {
                match &extension.node {
                    Extension::AsmLabel(given) => label = text(given),
                    Extension::Attribute(attribute) => {
                        if plain(&attribute.name.node).starts_with("weak") {
                            weak.insert(name);
                        }
                        if let Some(target) = alias_of(attribute) {
                            symbols.join(name, &target);
                            is_alias = true;
                            // What a weak reference means may be elsewhere.
                            if plain(&attribute.name.node) == "alias" {
                                let span = attribute.name.span;
                                aliases.push(Dangling { name: name.to_owned(), target, span });
                            }
                        }
                    }
                }
            }
            if !is_alias && is_definition(&node.node, &declarator.node) {
                defined.insert(name);
            }
            declared.push((name, label));
        }
    }
    let labels: HashMap<&str, &str> = declared
        .iter()
        .filter(|(_, label)| !label.is_empty())
        .map(|(name, label)| (*name, label.as_str()))
        .collect();
    if labels.is_empty() && symbols.parents.is_empty() && weak.is_empty() {
        return Linkage::default();
    }
    let symbol = |name: &&str| symbols.root(labels.get(name).unwrap_or(name));
    let roots: HashSet<String> = defined.iter().map(symbol).collect();
    weak.retain(|name| !roots.contains(&symbol(name)));
    let weak = weak.into_iter().map(str::to_owned).collect();
    aliases.retain(|alias| !roots.contains(&symbols.root(&alias.target)));
    // For each symbol, the names that stand for it, in order of the text.
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (name, _) in &declared {
        let symbol = symbol(name);
        let place = *places.entry(symbol.clone()).or_insert_with(|| {
            groups.push((symbol, Vec::new()));
            groups.len() - 1
        });
        if !groups[place].1.contains(name) {
            groups[place].1.push(name);
        }
    }
    let mut same = HashMap::new();
    for (_, names) in groups {
        let first = names.iter().find(|n| bodies(n)).unwrap_or(&names[0]);
        let others = names.iter().filter(|n| n != &first);
        same.extend(others.map(|n| ((*n).to_owned(), (*first).to_owned())));
    }
    Linkage { synonyms: same, dangling: aliases, weak }
}

/// Whether a declaration of the file defines a variable.
fn is_definition(declaration: &Declaration, declarator: &InitDeclarator) -> bool {
    let elsewhere = declaration.specifiers.iter().any(|s| {
        matches!(&s.node, DeclarationSpecifier::StorageClass(class)
            if matches!(class, StorageClassSpecifier::Extern | StorageClassSpecifier::Typedef))
    });
    let function = declarator.declarator.node.derived.iter().any(|d| {
        matches!(d.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
    });
    declarator.initializer.is_some() || !elsewhere && !function
}

/// Names of the assembler, some of which are one.
#[derive(Default)]
struct Symbols {
    parents: HashMap<String, String>,
}

impl Symbols {
    fn root(&self, name: &str) -> String {
        let mut at = name;
        while let Some(parent) = self.parents.get(at) {
            at = parent;
        }
        at.to_owned()
    }

    fn join(&mut self, a: &str, b: &str) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a, b);
        }
    }
}

fn extensions<'a>(
    declaration: &'a Declaration,
    own: &'a [Node<Extension>],
) -> impl Iterator<Item = &'a Node<Extension>> {
    let specifiers = declaration.specifiers.iter().filter_map(|s| match &s.node {
        DeclarationSpecifier::Extension(list) => Some(list),
        _ => None,
    });
    specifiers.flatten().chain(own)
}

/// The name that an attribute makes another one an alias of.
pub(in crate::parse) fn alias_of(Attribute { name, arguments }: &Attribute) -> Option<String> {
    let is_alias = matches!(plain(&name.node), "alias" | "weakref");
    match arguments.first().map(|a| &a.node) {
        Some(Expression::StringLiteral(target)) if is_alias => Some(text(target)),
        _ => None,
    }
}

fn text(literal: &Node<StringLiteral>) -> String {
    literal.node.iter().map(|piece| piece.trim_matches('"')).collect()
}

impl Context<'_> {
    /// The other name of a function.  Two of one assembler label may have two types, as C does not see that they are
    /// one; they stay apart where the file defines neither, so that nothing is known of either.
    pub(super) fn synonym(&mut self, name: &str, ty: TypeId) -> Option<String> {
        let other = self.synonyms.get(name)?.clone();
        let Some((Entity::Function(id), _)) = self.scopes.find_at_file(&other) else {
            return Some(other);
        };
        let old = self.functions[id.0 as usize].ty;
        if !self.bodies.contains(&other) && self.composite(old, ty).is_none() {
            self.synonyms.remove(name);
            return None;
        }
        Some(other)
    }

    /// The composite type of two declarations of the same thing.
    pub(super) fn composite(&mut self, old: TypeId, new: TypeId) -> Option<TypeId> {
        self.types.composite(old, new)
    }
}
