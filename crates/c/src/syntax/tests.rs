//! Tables of texts: how they are split, what they are read as, and what is said of mistakes.

use std::fmt::Write as _;

use super::tree::{
    ArraySize, BinaryOperatorExpression, Constant, DeclarationSpecifier, Declarator,
    DeclaratorKind, DerivedDeclarator, Expression, ExternalDeclaration, Node, Statement, TypeOf,
    TypeSpecifier, UnaryOperatorExpression,
};
use super::{File, Input, parse};
use hardbop_base::source::Diagnostic;

fn read(text: &str) -> Result<File, Vec<Diagnostic>> {
    let (replacements, packs, assertions) = (&[], &[], &[]);
    parse(&Input { text, program: text, base: 0, replacements, packs, assertions }, |_| false)
}

/// An expression with all its parentheses, and names of operators for what has no sign.
fn shown(node: &Node<Expression>) -> String {
    match &node.node {
        Expression::Identifier(name) => name.node.name.clone(),
        Expression::Constant(constant) => match &constant.node {
            Constant::Integer(integer) => integer.number.to_string(),
            Constant::Float(float) => float.number.to_string(),
            Constant::Character(text) => text.clone(),
        },
        Expression::StringLiteral(text) => text.node.join(" "),
        Expression::Member(member) => {
            format!(
                "({:?} {} {})",
                member.node.operator.node,
                shown(&member.node.expression),
                member.node.identifier.node.name
            )
        }
        Expression::Call(call) => {
            let arguments: Vec<String> = call.node.arguments.iter().map(shown).collect();
            format!("(call {} [{}])", shown(&call.node.callee), arguments.join(", "))
        }
        Expression::CompoundLiteral(literal) => {
            format!("(literal {})", literal.node.initializer_list.len())
        }
        Expression::SizeOfTy(_) => "(sizeof type)".to_owned(),
        Expression::SizeOfVal(value) => format!("(sizeof {})", shown(value)),
        Expression::AlignOf(align) => match &align.node.of {
            TypeOf::Type(_) => "(align type)".to_owned(),
            TypeOf::Expression(value) => format!("(align {})", shown(value)),
        },
        Expression::UnaryOperator(unary) => {
            let UnaryOperatorExpression { operator, operand } = &unary.node;
            format!("({:?} {})", operator.node, shown(operand))
        }
        Expression::Cast(cast) => format!("(cast {})", shown(&cast.node.expression)),
        Expression::BinaryOperator(binary) => {
            let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
            format!("({:?} {} {})", operator.node, shown(lhs), shown(rhs))
        }
        Expression::Conditional(conditional) => {
            let then = conditional.node.then_expression.as_ref();
            let then = then.map_or("same".to_owned(), |then| shown(then));
            let condition = shown(&conditional.node.condition);
            format!("(if {condition} {then} {})", shown(&conditional.node.else_expression))
        }
        Expression::Comma(all) => {
            let all: Vec<String> = all.iter().map(shown).collect();
            format!("(comma {})", all.join(" "))
        }
        Expression::Statement(_) => "(block)".to_owned(),
        Expression::LabelAddress(name) => format!("(label {})", name.node.name),
        Expression::OffsetOf(offset) => format!("(offset {})", offset.node.members.len()),
        Expression::GenericSelection(selection) => {
            format!("(generic {})", selection.node.associations.len())
        }
        Expression::VaArg(_) => "(va_arg)".to_owned(),
        Expression::TypesCompatible(_) => "(compatible)".to_owned(),
    }
}

#[test]
fn expressions() {
    for (text, expected) in [
        ("a + b * c - d", "(Minus (Plus a (Multiply b c)) d)"),
        (
            "a << b < c == d & e ^ f | g && h || i",
            "(LogicalOr (LogicalAnd (BitwiseOr (BitwiseXor (BitwiseAnd (Equals (Less (ShiftLeft a b) c) d) e) f) g) h) i)",
        ),
        ("a = b += c ? d : e", "(Assign a (AssignPlus b (if c d e)))"),
        ("a ?: b ? c : d", "(if a same (if b c d))"),
        ("\\u03b1 + α * x\\U000003b2", "(Plus α (Multiply α xβ))"),
        ("a, b = c, d", "(comma a (Assign b c) d)"),
        ("-a++ * *b", "(Multiply (Minus (PostIncrement a)) (Indirection b))"),
        ("a --> b", "(Greater (PostDecrement a) b)"),
        ("a+++++b", "(Plus (PostIncrement (PostIncrement a)) b)"),
        (
            "!~&a[1].b->c(d, e)",
            "(Negate (Complement (Address (call (Indirect (Direct (Index a 1) b) c) [d, e]))))",
        ),
        ("sizeof a * b", "(Multiply (sizeof a) b)"),
        ("sizeof (a) [1]", "(sizeof (Index a 1))"),
        ("sizeof (T) * b", "(Multiply (sizeof type) b)"),
        ("sizeof (T){1}.a", "(sizeof (Direct (literal 1) a))"),
        ("(T) -a", "(cast (Minus a))"),
        ("(a) -b", "(Minus a b)"),
        ("(T)(a) * b", "(Multiply (cast a) b)"),
        ("(T *(*)[3]) a", "(cast a)"),
        ("(T){1, .x = 2, [3] = 4}.a", "(Direct (literal 3) a)"),
        ("({ a; })", "(block)"),
        ("&&a", "(label a)"),
        ("a && &b", "(LogicalAnd a (Address b))"),
        ("a &&b", "(LogicalAnd a b)"),
        ("(T) &&b", "(cast (label b))"),
        ("_Alignof (T) + _Alignof a", "(Plus (align type) (align a))"),
        ("__extension__ a + b", "(Plus a b)"),
        ("\"a\" L\"b\" \"c\"", "\"a\" L\"b\" \"c\""),
        ("_Generic(a, int: 1, T *: 2, default: 3)", "(generic 3)"),
        ("__builtin_offsetof(T, a.b[1])", "(offset 2)"),
        ("offsetof(T, a)", "(offset 0)"),
        ("__builtin_va_arg(a, T)", "(va_arg)"),
        ("__builtin_types_compatible_p(T, const int *)", "(compatible)"),
        ("true + false", "(Plus 1 0)"),
        ("nullptr", "(cast 0)"),
        ("a<:1:>", "(Index a 1)"),
        ("1'000 + 0x1.8p3 + 'a'", "(Plus (Plus 1000 1.8p3) 'a')"),
        ("a = (b, c)", "(Assign a (comma b c))"),
        ("a + ", "refused"),
        ("(a", "refused"),
        ("a b", "refused"),
        ("a ? b", "refused"),
        ("f(a,)", "refused"),
    ] {
        let file = read(&format!("typedef int T; int main(void) {{ {text}; }}"));
        let found = match &file {
            Err(_) => "refused".to_owned(),
            Ok(file) => match &file.unit.0[1] {
                ExternalDeclaration::FunctionDefinition(node) => match &node.node.statement.node {
                    Statement::Compound(items) => match &items[0].node {
                        super::tree::BlockItem::Statement(Node {
                            node: Statement::Expression(Some(expression)),
                            ..
                        }) => shown(expression),
                        other => format!("{other:?}"),
                    },
                    other => format!("{other:?}"),
                },
                other => format!("{other:?}"),
            },
        };
        assert_eq!(found, expected, "{text}");
    }
}

/// A type in words.
fn described(specifiers: &[Node<DeclarationSpecifier>], declarator: &Node<Declarator>) -> String {
    let mut out = String::new();
    let mut declarator = declarator;
    let mut steps: Vec<&DerivedDeclarator> = Vec::new();
    loop {
        let all = declarator.node.derived.iter().map(|step| &step.node);
        let is_pointer = |step: &&DerivedDeclarator| matches!(step, DerivedDeclarator::Pointer(_));
        let (pointers, rest): (Vec<_>, Vec<_>) = all.partition(is_pointer);
        steps.extend(pointers);
        steps.extend(rest.into_iter().rev());
        match &declarator.node.kind.node {
            DeclaratorKind::Declarator(inner) => declarator = inner,
            DeclaratorKind::Identifier(name) => {
                let _ = write!(out, "{}:", name.node.name);
                break;
            }
            DeclaratorKind::Abstract => break,
        }
    }
    for step in steps.into_iter().rev() {
        match step {
            DerivedDeclarator::Pointer(_) => out.push_str(" pointer to"),
            DerivedDeclarator::Array(ArraySize::Unknown) => out.push_str(" array of"),
            DerivedDeclarator::Array(_) => out.push_str(" sized array of"),
            DerivedDeclarator::Function(f) => {
                let _ = write!(out, " function of {} to", f.parameters.len());
            }
            DerivedDeclarator::KRFunction(names) => {
                let _ = write!(out, " old function of {} to", names.len());
            }
        }
    }
    for specifier in specifiers {
        match &specifier.node {
            DeclarationSpecifier::TypeSpecifier(ty) => match &ty.node {
                TypeSpecifier::Struct(_) => out.push_str(" record"),
                TypeSpecifier::Enum(_) => out.push_str(" enum"),
                TypeSpecifier::TypedefName(name) => {
                    let _ = write!(out, " {}", name.node.name);
                }
                TypeSpecifier::TypeOf(_) => out.push_str(" typeof"),
                TypeSpecifier::Atomic(_) => out.push_str(" atomic"),
                other => {
                    let _ = write!(out, " {other:?}");
                }
            },
            DeclarationSpecifier::StorageClass(class) => {
                let _ = write!(out, " {class:?}");
            }
            DeclarationSpecifier::TypeQualifier(word) => {
                let _ = write!(out, " {word:?}");
            }
            DeclarationSpecifier::Function(word) => {
                let _ = write!(out, " {word:?}");
            }
            DeclarationSpecifier::Extension(list) => {
                let _ = write!(out, " +{}", list.len());
            }
        }
    }
    out
}

#[test]
fn declarations() {
    for (text, expected) in [
        ("int x;", "x: Int"),
        ("unsigned long long int const static x;", "x: Unsigned Long Long Int Const Static"),
        ("int *a[3];", "a: sized array of pointer to Int"),
        ("int (*a)[3];", "a: pointer to sized array of Int"),
        ("int (*f(int a))(int, char);", "f: function of 1 to pointer to function of 2 to Int"),
        ("int f();", "f: old function of 0 to Int"),
        ("int f(a, b);", "f: old function of 2 to Int"),
        ("T f(T, T T);", "f: function of 2 to T"),
        ("int f(int (T), int (x));", "f: function of 2 to Int"),
        ("T T;", "T: T"),
        ("struct { T T; } x;", "x: record"),
        ("struct s;", ""),
        ("enum { A, B = A + 1, } x;", "x: enum"),
        ("x;", "x: "),
        ("static x;", "x: Static"),
        ("f(a) int a; { }", "f: old function of 1 to"),
        ("const x = 6;", "x: Const"),
        ("__int128 unsigned x;", "x: Int128 Unsigned"),
        ("typeof (typeof (int) *) x;", "x: typeof"),
        ("_Atomic(int) x;", "x: atomic"),
        ("bool x = true;", "x: Bool"),
        ("alignas(8) int x;", "x: +1 Int"),
        ("_Alignas(0) int x;", "x: Int"),
        ("__attribute__((unused)) int x __attribute__((cold));", "x: Int"),
        ("__attribute__((aligned(8))) int x;", "x: +1 Int"),
        ("[[gnu::aligned(8)]] int x;", "x: +1 Int"),
        ("int x [[maybe_unused]];", "x: Int"),
        ("void *__attribute__((noreturn)) f(void);", "f: function of 1 to pointer to Void +1"),
        ("struct __attribute__((aligned(8))) s { int a; } x;", "x: record +1"),
        ("constexpr int x = 3;", "x: Const Int"),
        ("int a$b, __x;", "a$b: Int"),
        ("int x = 1, *p = &x, a[] = {1, [2] = 3, [4 ... 5] = 6, [7] 8};", "x: Int"),
        ("struct s { ; int a;; } x;", "x: record"),
        ("struct s { int a; int b } x;", "x: record"),
        ("int f(int n, int a[static n], int b[*], int c[const]);", "f: function of 4 to Int"),
        ("foo x;", "refused"),
        ("static foo x;", "refused"),
        ("int 3;", "refused"),
        ("int x", "refused"),
        ("int void x;", "refused"),
        ("int f(foo x);", "refused"),
        ("struct { foo x; } y;", "refused"),
        ("class C;", "refused"),
    ] {
        let file = read(&format!("typedef int T;{text}"));
        let found = match &file {
            Err(_) => "refused".to_owned(),
            Ok(file) => match &file.unit.0[1] {
                ExternalDeclaration::Declaration(node) => {
                    let first = node.node.declarators.first();
                    let described = |item: &Node<super::tree::InitDeclarator>| {
                        described(&node.node.specifiers, &item.node.declarator)
                    };
                    first.map(described).unwrap_or_default()
                }
                ExternalDeclaration::FunctionDefinition(node) => {
                    described(&node.node.specifiers, &node.node.declarator)
                }
                ExternalDeclaration::StaticAssert(_) => "assertion".to_owned(),
            },
        };
        assert_eq!(found.trim(), expected.trim(), "{text}");
    }
}

/// Names of types in the scopes of C.
#[test]
fn names() {
    for (text, is_read) in [
        ("void f(void) { T x; }", true),
        ("void f(int T) { T = 1; T * x; }", true),
        ("void f(void) { int T = 1; T++; { T * 2; } }", true),
        ("void f(void) { { int T; } T x; }", true),
        ("void f(void) { for (int T = 0; T < 3; T++) ; T x; }", true),
        ("void f(void) { enum { T }; int x = T + 1; }", true),
        ("void f(void) { T: goto T; }", true),
        ("void f(void) { struct { int T; } s; s.T = 1; T x; }", true),
        ("void f(void) { switch (1) { case 1: T x; default: } }", true),
        ("int T(void); void f(void) { T(); }", true),
        ("void f(T), g(int T), h(T x);", true),
        ("int f(T) int T; { return T; }", false),
        ("typedef T U; U x; typedef U T;", true),
        ("void f(void) { int T; T x; }", false),
        ("void f(void) { { typedef int U; } U x; }", false),
    ] {
        assert_eq!(read(&format!("typedef int T;{text}")).is_ok(), is_read, "{text}");
    }
}

/// The places of expressions: with the parentheses around them, and within.
#[test]
fn places() {
    let text = "int x = (a) +\\\n b [ 1 ] ;";
    let file = read(text).expect("C");
    let ExternalDeclaration::Declaration(node) = &file.unit.0[0] else { panic!("{file:?}") };
    let item = &node.node.declarators[0];
    let initialiser = item.node.initializer.as_ref().expect("a value");
    let at = |span: hardbop_base::source::Span| &text[span.range()];
    assert_eq!(at(node.span), text);
    assert_eq!(at(initialiser.span), "= (a) +\\\n b [ 1 ]");
    let super::tree::Initializer::Expression(sum) = &initialiser.node else { panic!("a list") };
    let Expression::BinaryOperator(sum) = &sum.node else { panic!("{sum:?}") };
    assert_eq!(at(sum.span), "(a) +\\\n b [ 1 ]");
    assert_eq!(at(sum.node.lhs.span), "(a)");
    let Expression::Identifier(name) = &sum.node.lhs.node else { panic!("{sum:?}") };
    assert_eq!(at(name.span), "a");
    assert_eq!(at(sum.node.rhs.span), "b [ 1 ]");
}

/// Several mistakes are told in one run, and none that is the consequence of another.
#[test]
fn mistakes() {
    for (text, expected) in [
        ("int f(void) { x = ; y = 1 + ; return 0; }", &["found ';'", "found ';'"][..]),
        (
            "int f(void) { if (a b) c; for (i = 0; i < ; i++) d e; return 1 }",
            &["'b'", "';'", "'e'", "'}'"],
        ),
        ("int a = ; int f(void) { return 1; } foo x; int b;", &["found ';'", "found 'foo'"]),
        ("typedef foo T; T x; int f(T y) { T z; return 0; }", &["'foo' is not a type"]),
        ("int f(void) { int a[] = {1, 2 3}; g(1,, 2); { h( } k(); }", &["'3'", "','", "'}'"]),
        ("int f(void) { if (x) { y( }", &["found '}'"]),
        ("struct s { int x; int : ; }; int f(void) { return ); }", &["found ';'", "found ')'"]),
        ("int f(void) { int g(void) { return 1; } return ; else ; }", &["'{'", "'else'"]),
    ] {
        let found = read(text).err().unwrap_or_default();
        let shown: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(shown.len(), expected.len(), "{text}: {shown:?}");
        for (message, part) in shown.iter().zip(expected) {
            assert!(message.contains(part), "{text}: {message} lacks {part}");
        }
    }
}

/// Trees that are deeper than any that people write are read, and forgotten, on the large stack.
#[test]
fn deep_trees() {
    const DEPTH: usize = 20_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEPTH), close.repeat(DEPTH))
    };
    let texts = [
        format!("int x = {};", nested("(", "1", ")")),
        format!("int x = {};", nested("(1+", "1", ")")),
        format!("int x = {};", nested("-", "1", "")),
        format!("int x = {};", nested("1 + ", "1", "")),
        format!("int x = {};", nested("y = ", "1", "")),
        format!("int x = {};", nested("1 ? 2 : ", "1", "")),
        format!("int x = {};", nested("{", "1", "}")),
        format!("int {};", nested("(*", "x", ")")),
        format!("void f(void) {{ {} }}", nested("{", "", "}")),
        format!("void f(void) {{ {} ; }}", nested("if (x) ", "", "")),
        format!("void f(void) {{ {} ; }}", nested("if (x) ; else ", "", "")),
    ];
    let work = || texts.iter().filter(|text| read(text).is_err()).count();
    assert_eq!(crate::on_large_stack(work).expect("a thread"), 0);
}
