//! Declarations, types and initialisers.

use super::{Designator, Expression, Identifier, Node, Statement, StringLiteral, TypeOf};

/// A declaration: `int x = 3, *p;`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Declaration {
    pub specifiers: Vec<Node<DeclarationSpecifier>>,
    pub declarators: Vec<Node<InitDeclarator>>,
}

/// A word in front of what is declared, or several.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DeclarationSpecifier {
    StorageClass(StorageClassSpecifier),
    TypeSpecifier(Node<TypeSpecifier>),
    TypeQualifier(TypeQualifier),
    Function(FunctionSpecifier),
    Extension(Vec<Node<Extension>>),
}

/// A name that is declared, with its initial value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InitDeclarator {
    pub declarator: Node<Declarator>,
    /// From the sign `=` on.
    pub initializer: Option<Node<Initializer>>,
}

/// A storage class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StorageClassSpecifier {
    Typedef,
    Extern,
    Static,
    ThreadLocal,
    Auto,
    Register,
}

/// A type, or a word of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TypeSpecifier {
    Void,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Bool,
    Complex,
    Int128,
    /// `_BitInt(N)`
    BitInt(Box<Node<Expression>>),
    /// `__auto_type`
    Auto,
    /// `_Atomic (T)`
    Atomic(Box<Node<TypeName>>),
    Struct(Box<Node<StructType>>),
    Enum(Box<Node<EnumType>>),
    TypedefName(Node<Identifier>),
    TypeOf(TypeOf),
    SizedFloat(SizedFloat),
}

/// A floating type with its width in its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SizedFloat {
    pub is_decimal: bool,
    pub width: u32,
    /// Whether it is the next wider one: `_Float32x`.
    pub is_extended: bool,
}

/// A structure or a union.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StructType {
    pub is_union: bool,
    pub identifier: Option<Node<Identifier>>,
    /// The members, where it is defined.
    pub declarations: Option<Vec<Node<StructDeclaration>>>,
    /// Whether an attribute of it is `packed`.
    pub packed: bool,
    /// The greatest alignment of members, by `#pragma pack`.
    pub limit: Option<u64>,
}

/// A line of members, or an assertion among them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StructDeclaration {
    Field(StructField),
    StaticAssert(Node<StaticAssert>),
}

/// Members of one type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StructField {
    pub specifiers: Vec<Node<SpecifierQualifier>>,
    pub declarators: Vec<Node<StructDeclarator>>,
}

/// A word of a type name, or of the type of members.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SpecifierQualifier {
    TypeSpecifier(Node<TypeSpecifier>),
    TypeQualifier(TypeQualifier),
    Extension(Vec<Node<Extension>>),
}

/// A member.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StructDeclarator {
    pub declarator: Option<Node<Declarator>>,
    pub bit_width: Option<Box<Node<Expression>>>,
}

/// An enumeration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EnumType {
    pub identifier: Option<Node<Identifier>>,
    /// Empty where it is not defined.
    pub enumerators: Vec<Node<Enumerator>>,
}

/// A name of an enumeration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Enumerator {
    pub identifier: Node<Identifier>,
    pub expression: Option<Box<Node<Expression>>>,
}

/// A qualifier of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeQualifier {
    Const,
    Restrict,
    Volatile,
    Atomic,
}

/// A word that only functions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FunctionSpecifier {
    Inline,
    Noreturn,
}

/// A name with what makes a pointer, an array or a function of the type in front of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Declarator {
    pub kind: Node<DeclaratorKind>,
    /// The pointers from left to right, and then the arrays and functions.
    pub derived: Vec<Node<DerivedDeclarator>>,
    pub extensions: Vec<Node<Extension>>,
}

/// The middle of a declarator, which its pointers, arrays and functions are around.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DeclaratorKind {
    /// Nothing: the name is left out.
    Abstract,
    Identifier(Node<Identifier>),
    /// A declarator in parentheses.
    Declarator(Box<Node<Declarator>>),
}

/// A step from the type of a declaration to that of the name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DerivedDeclarator {
    /// With the qualifiers behind the `*`.
    Pointer(Vec<TypeQualifier>),
    Array(ArraySize),
    Function(FunctionDeclarator),
    /// A function with the names of its parameters only, or without any.
    KRFunction(Vec<Node<Identifier>>),
}

/// The parameters of a function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FunctionDeclarator {
    pub parameters: Vec<Node<ParameterDeclaration>>,
    /// Whether `...` follows.
    pub is_variadic: bool,
}

/// The length between the brackets of an array.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ArraySize {
    Unknown,
    /// `[*]`
    Variable,
    Expression(Box<Node<Expression>>),
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ParameterDeclaration {
    pub specifiers: Vec<Node<DeclarationSpecifier>>,
    pub declarator: Option<Node<Declarator>>,
}

/// The name of a type: `const int *[3]`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TypeName {
    pub specifiers: Vec<Node<SpecifierQualifier>>,
    pub declarator: Option<Node<Declarator>>,
}

/// An initial value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Initializer {
    Expression(Box<Node<Expression>>),
    List(Vec<Node<InitializerListItem>>),
}

/// A value of a list, with the part that it is for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InitializerListItem {
    pub designation: Vec<Node<Designator>>,
    pub initializer: Box<Node<Initializer>>,
}

/// `_Static_assert(e, "..");`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StaticAssert {
    pub expression: Box<Node<Expression>>,
}

/// All of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TranslationUnit(pub Vec<ExternalDeclaration>);

/// A declaration of a file, or a function with its body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ExternalDeclaration {
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
    FunctionDefinition(Node<FunctionDefinition>),
}

impl ExternalDeclaration {
    /// Its first place.
    pub fn start(&self) -> u32 {
        match self {
            Self::Declaration(node) => node.span.start,
            Self::StaticAssert(node) => node.span.start,
            Self::FunctionDefinition(node) => node.span.start,
        }
    }
}

/// A function with its body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FunctionDefinition {
    pub specifiers: Vec<Node<DeclarationSpecifier>>,
    pub declarator: Node<Declarator>,
    /// The declarations of parameters behind their names.
    pub declarations: Vec<Node<Declaration>>,
    pub statement: Node<Statement>,
}

/// An attribute of a declaration, or its name for the assembler.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Extension {
    Attribute(Attribute),
    /// The name for the assembler.
    AsmLabel(Node<StringLiteral>),
}

/// `name(arguments)` of `__attribute__((..))`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attribute {
    pub name: Node<String>,
    pub arguments: Vec<Node<Expression>>,
}
