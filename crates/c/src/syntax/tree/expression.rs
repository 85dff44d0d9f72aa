//! Expressions.
//!
//! A node within an expression has the place of the expression without the parentheses around it; the expression's own
//! node has it with them.

use super::{InitializerListItem, Node, Statement, TypeName};

/// A name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identifier {
    pub name: String,
}

/// A number or a character.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Constant {
    Integer(Integer),
    Float(Float),
    /// With its prefix and its quotes.
    Character(String),
}

/// A number of an integer type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Integer {
    pub base: IntegerBase,
    /// The digits, without what shows their base.
    pub number: Box<str>,
    pub suffix: IntegerSuffix,
}

/// The base of a number's digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerBase {
    Decimal,
    Octal,
    Hexadecimal,
    Binary,
}

/// The meaning of the letters behind an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IntegerSuffix {
    pub size: IntegerSize,
    pub unsigned: bool,
    pub imaginary: bool,
}

/// The least type that an integer may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerSize {
    Int,
    Long,
    LongLong,
    /// Of a `_BitInt`: `wb`.
    BitInt,
}

/// A number of a floating type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Float {
    pub is_hexadecimal: bool,
    /// The digits with their exponent, without `0x`.
    pub number: Box<str>,
    pub format: FloatFormat,
    pub imaginary: bool,
}

/// The type that the letters behind a floating number ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatFormat {
    Float,
    Double,
    LongDouble,
    /// A type with its width in its name, a decimal one, or `__float128`.
    Other,
}

/// String literals that stand side by side, with their prefixes and quotes.
pub(crate) type StringLiteral = Vec<String>;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression {
    Identifier(Box<Node<Identifier>>),
    Constant(Box<Node<Constant>>),
    StringLiteral(Box<Node<StringLiteral>>),
    GenericSelection(Box<Node<GenericSelection>>),
    Member(Box<Node<MemberExpression>>),
    Call(Box<Node<CallExpression>>),
    CompoundLiteral(Box<Node<CompoundLiteral>>),
    /// `sizeof (T)`
    SizeOfTy(Box<Node<TypeName>>),
    /// `sizeof e`
    SizeOfVal(Box<Node<Expression>>),
    AlignOf(Box<Node<AlignOf>>),
    UnaryOperator(Box<Node<UnaryOperatorExpression>>),
    Cast(Box<Node<CastExpression>>),
    BinaryOperator(Box<Node<BinaryOperatorExpression>>),
    Conditional(Box<Node<ConditionalExpression>>),
    Comma(Vec<Node<Expression>>),
    OffsetOf(Box<Node<OffsetOfExpression>>),
    VaArg(Box<Node<VaArgExpression>>),
    /// `({ .. })`
    Statement(Box<Node<Statement>>),
    /// `&&label`
    LabelAddress(Box<Node<Identifier>>),
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible(Box<Node<TypesCompatible>>),
}

/// `.` or `->`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemberOperator {
    Direct,
    Indirect,
}

/// `_Generic(e, T: a, default: b)`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GenericSelection {
    pub expression: Box<Node<Expression>>,
    pub associations: Vec<Node<GenericAssociation>>,
}

/// A case of `_Generic`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GenericAssociation {
    Type(Box<Node<TypeName>>, Box<Node<Expression>>),
    Default(Box<Node<Expression>>),
}

/// `a.m` or `p->m`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MemberExpression {
    pub operator: Node<MemberOperator>,
    pub expression: Box<Node<Expression>>,
    pub identifier: Node<Identifier>,
}

/// `f(a, b)`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallExpression {
    pub callee: Box<Node<Expression>>,
    pub arguments: Vec<Node<Expression>>,
}

/// `(T){ .. }`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CompoundLiteral {
    pub type_name: Node<TypeName>,
    pub initializer_list: Vec<Node<InitializerListItem>>,
}

/// `_Alignof (T)` or `_Alignof (e)`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AlignOf {
    /// Whether it is that of a whole object: `__alignof__`, and that of an expression.
    pub is_natural: bool,
    pub of: TypeOf,
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    PostIncrement,
    PostDecrement,
    PreIncrement,
    PreDecrement,
    Address,
    Indirection,
    Plus,
    Minus,
    Complement,
    /// `!`
    Negate,
    /// `__real__`
    RealPart,
    /// `__imag__`
    ImaginaryPart,
}

/// An operator in front of its operand or behind it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UnaryOperatorExpression {
    pub operator: Node<UnaryOperator>,
    pub operand: Box<Node<Expression>>,
}

/// `(T) e`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CastExpression {
    pub type_name: Node<TypeName>,
    pub expression: Box<Node<Expression>>,
}

/// An operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Index,
    Multiply,
    Divide,
    Modulo,
    Plus,
    Minus,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equals,
    NotEquals,
    BitwiseAnd,
    BitwiseXor,
    BitwiseOr,
    LogicalAnd,
    LogicalOr,
    Assign,
    AssignMultiply,
    AssignDivide,
    AssignModulo,
    AssignPlus,
    AssignMinus,
    AssignShiftLeft,
    AssignShiftRight,
    AssignBitwiseAnd,
    AssignBitwiseXor,
    AssignBitwiseOr,
}

/// An operator between its operands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BinaryOperatorExpression {
    pub operator: Node<BinaryOperator>,
    pub lhs: Box<Node<Expression>>,
    pub rhs: Box<Node<Expression>>,
}

/// `c ? a : b`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ConditionalExpression {
    pub condition: Box<Node<Expression>>,
    /// None in `c ?: b`, where it is the value of `c`.
    pub then_expression: Option<Box<Node<Expression>>>,
    pub else_expression: Box<Node<Expression>>,
}

/// `__builtin_va_arg(list, T)`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VaArgExpression {
    pub va_list: Box<Node<Expression>>,
    pub type_name: Node<TypeName>,
}

/// `offsetof(T, a.b[1])`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OffsetOfExpression {
    pub type_name: Node<TypeName>,
    pub base: Node<Identifier>,
    pub members: Vec<Node<OffsetMember>>,
}

/// A step from a member to a part of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum OffsetMember {
    Member(Node<Identifier>),
    IndirectMember(Node<Identifier>),
    Index(Node<Expression>),
}

/// Two types that are compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TypesCompatible {
    pub first: Node<TypeName>,
    pub second: Node<TypeName>,
}

/// A type, or an expression that has it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TypeOf {
    Expression(Box<Node<Expression>>),
    Type(Box<Node<TypeName>>),
}

/// A part of an initialiser that a list goes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Designator {
    Index(Node<Expression>),
    Member(Node<Identifier>),
    /// `[a ... b]`
    Range(Box<Node<Expression>>, Box<Node<Expression>>),
}
