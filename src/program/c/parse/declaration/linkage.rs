//! Names for one thing: `alias`, `weakref` and assembler labels.

use std::collections::HashMap;

use lang_c::ast::{
    Attribute, Declaration, DeclarationSpecifier, Expression, Extension, ExternalDeclaration,
    StringLiteral, TranslationUnit,
};
use lang_c::span::Node;

use super::enter::name_of;

/// The names of a file that mean the same as another one, with that name.
pub(super) fn synonyms(
    unit: &TranslationUnit,
    bodies: impl Fn(&str) -> bool,
) -> HashMap<String, String> {
    // The names of the assembler, with those of C that stand for them, in order of the text.
    let mut symbols: Vec<(String, Vec<String>)> = Vec::new();
    for item in &unit.0 {
        let ExternalDeclaration::Declaration(node) = &item.node else { continue };
        for declarator in &node.node.declarators {
            let Some(name) = name_of(&declarator.node.declarator) else { continue };
            let all = extensions(&node.node, &declarator.node.declarator.node.extensions);
            let other = all.filter_map(|e| symbol(&e.node)).next();
            if let Some(other) = other.filter(|other| other != name) {
                match symbols.iter_mut().find(|(symbol, _)| *symbol == other) {
                    Some((_, names)) => names.push(name.to_owned()),
                    None => symbols.push((other, vec![name.to_owned()])),
                }
            }
        }
    }
    let declared = |symbol: &str| {
        bodies(symbol)
            || unit.0.iter().any(|item| match &item.node {
                ExternalDeclaration::Declaration(node) => {
                    let mut all = node.node.declarators.iter();
                    all.any(|d| name_of(&d.node.declarator) == Some(symbol))
                }
                _ => false,
            })
    };
    let mut same = HashMap::new();
    for (symbol, names) in symbols {
        let first = if declared(&symbol) {
            symbol
        } else {
            let defined = names.iter().find(|n| bodies(n));
            defined.or(names.first()).cloned().unwrap_or(symbol)
        };
        same.extend(names.into_iter().filter(|n| *n != first).map(|n| (n, first.clone())));
    }
    same
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

/// The name for the assembler that an extension gives.
fn symbol(extension: &Extension) -> Option<String> {
    match extension {
        Extension::AsmLabel(label) => Some(text(label)),
        Extension::Attribute(Attribute { name, arguments }) => {
            let plain = name.node.trim_matches('_');
            match arguments.first().map(|a| &a.node) {
                Some(Expression::StringLiteral(target)) if matches!(plain, "alias" | "weakref") => {
                    Some(text(target))
                }
                _ => None,
            }
        }
        Extension::AvailabilityAttribute(_) => None,
    }
}

fn text(literal: &Node<StringLiteral>) -> String {
    literal.node.iter().map(|piece| piece.trim_matches('"')).collect()
}
