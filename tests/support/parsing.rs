//! Comparison of syntax trees, for the tests of parser and printer.

use hardbop_base::source::{Source, Span};
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::print::print;
use hardbop_bp::language::syntax::{
    Expression, Item, Name, Start, StatementKind, SyntaxTree, Target,
};
use hardbop_report::diagnostic::render;

/// The tree with all spans set to zero.
pub fn without_spans(mut tree: SyntaxTree) -> SyntaxTree {
    fn names(names: &mut [Name]) {
        names.iter_mut().for_each(|n| n.span = Span::default());
    }
    fn expressions(expressions: &mut [Expression]) {
        for e in expressions {
            e.nodes.iter_mut().for_each(|n| n.span = Span::default());
        }
    }
    fn targets(targets: &mut [Target]) {
        for target in targets {
            match target {
                Target::Variable(name) => name.span = Span::default(),
                Target::Discard(span) => *span = Span::default(),
            }
        }
    }
    for item in &mut tree.items {
        let p = match item {
            Item::Declaration(variables) | Item::ThreadLocal(variables) => {
                names(variables);
                continue;
            }
            Item::Initial { names: variables, values } => {
                names(variables);
                expressions(values);
                continue;
            }
            Item::Procedure(p) => p,
        };
        (p.span, p.end, p.name.span) = (Span::default(), Span::default(), Span::default());
        names(&mut p.formals);
        for s in &mut p.body {
            s.span = Span::default();
            names(&mut s.labels);
            use StatementKind::*;
            match &mut s.kind {
                Assign { targets: t, values, constrain } => {
                    targets(t);
                    expressions(values);
                    expressions(constrain.as_mut_slice());
                }
                Call { targets: t, procedure, arguments } => {
                    targets(t);
                    procedure.span = Span::default();
                    expressions(arguments);
                }
                Assume(e) | Assert(e) | AbortIf(e) | Enforce(e) | If(e) | ElseIf(e) | While(e) => {
                    expressions(std::slice::from_mut(e));
                }
                Goto(n) | Declare(n) | Dead(n) => names(n),
                Return(values) | Print(values) => expressions(values),
                StartThread(Start::At(label)) => label.span = Span::default(),
                StartThread(Start::Call { procedure, arguments }) => {
                    procedure.span = Span::default();
                    expressions(arguments);
                }
                Skip | EndThread | AtomicBegin | AtomicEnd | Else | EndIf | EndWhile => {}
            }
        }
    }
    tree
}

/// Reads a text that must be correct.
pub fn reread(text: &str, dialect: Dialect) -> SyntaxTree {
    match parse(text, dialect) {
        Ok(tree) => without_spans(tree),
        Err(diagnostics) => {
            panic!("{}", render(&Source::new("printed", text), &diagnostics, false))
        }
    }
}

/// Prints and reads again, in all dialects; printing is stable.
pub fn check_tree(tree: SyntaxTree) {
    let tree = without_spans(tree);
    let text = print(&tree);
    for dialect in Dialect::ALL {
        assert_eq!(reread(&text, dialect), tree, "{dialect}:\n{text}");
    }
    assert_eq!(print(&reread(&text, Dialect::Slam)), text);
}
