//! Whether the text of a type has qualifiers, which types do not have here: `_Generic` tells pointers apart by them.

use crate::syntax::tree::{
    DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Node, SpecifierQualifier,
    TypeName, TypeSpecifier,
};

/// What the text of a type shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Qualified {
    /// No part of the type has qualifiers.
    No,
    /// A part of it has some.
    Yes,
    /// It uses another type that may have some, or that is an integer here, or has parameters, whose own do not count.
    Open,
}

impl Qualified {
    pub fn of_declaration(
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) -> Self {
        let own = specifiers.iter().map(|specifier| match &specifier.node {
            DeclarationSpecifier::TypeSpecifier(ty) => of_specifier(&ty.node),
            DeclarationSpecifier::TypeQualifier(_) => Self::Yes,
            _ => Self::No,
        });
        own.max().unwrap_or(Self::No).max(of_declarator(&declarator.node))
    }

    pub fn of_name(name: &TypeName) -> Self {
        let own = name.specifiers.iter().map(|specifier| match &specifier.node {
            SpecifierQualifier::TypeSpecifier(ty) => of_specifier(&ty.node),
            SpecifierQualifier::TypeQualifier(_) => Self::Yes,
            SpecifierQualifier::Extension(_) => Self::No,
        });
        let declared = name.declarator.as_ref().map_or(Self::No, |d| of_declarator(&d.node));
        own.max().unwrap_or(Self::No).max(declared)
    }
}

fn of_specifier(ty: &TypeSpecifier) -> Qualified {
    match ty {
        TypeSpecifier::TypedefName(_)
        | TypeSpecifier::TypeOf(_)
        | TypeSpecifier::Atomic(_)
        | TypeSpecifier::Auto
        | TypeSpecifier::Enum(_) => Qualified::Open,
        _ => Qualified::No,
    }
}

fn of_declarator(declarator: &Declarator) -> Qualified {
    let derived = declarator.derived.iter().map(|part| match &part.node {
        DerivedDeclarator::Pointer(qualifiers) if qualifiers.is_empty() => Qualified::No,
        DerivedDeclarator::Pointer(_) => Qualified::Yes,
        DerivedDeclarator::Array(_) => Qualified::No,
        DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_) => Qualified::Open,
    });
    let inner = match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => of_declarator(&inner.node),
        _ => Qualified::No,
    };
    derived.max().unwrap_or(Qualified::No).max(inner)
}
