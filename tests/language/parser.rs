//! The parser: precedence, spans, huge and deep texts, and nonsense, on which it never panics.

use std::time::{Duration, Instant};

use crate::support::parsing::check_tree;
use hardbop_base::source::Diagnostic;
use hardbop_base::source::Source;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::print::print;
use hardbop_bp::language::syntax::{Item, StatementKind};
use hardbop_report::diagnostic::render;
use proptest::prelude::*;

/// Text, and the same with parentheses in the readings of SLAM, Getafix, WALi.
#[test]
fn precedence() {
    let rows = [
        ("a = b & c", ["a = (b & c)", "(a = b) & c", "(a = b) & c"]),
        ("a & b = c", ["(a & b) = c", "a & (b = c)", "a & (b = c)"]),
        ("a = b => c", ["a = (b => c)", "(a = b) => c", "(a = b) => c"]),
        ("a => b = c", ["a => (b = c)", "a => (b = c)", "a => (b = c)"]),
        ("a => b => c", ["a => (b => c)", "(a => b) => c", "(a => b) => c"]),
        ("a = b != c", ["a = (b != c)", "(a = b) != c", "(a = b) != c"]),
        ("a | b => c", ["(a | b) => c", "(a | b) => c", "(a | b) => c"]),
        ("a => b | c", ["a => (b | c)", "a => (b | c)", "(a => b) | c"]),
        ("a | b ^ c", ["(a | b) ^ c", "a | (b ^ c)", "a | (b ^ c)"]),
        ("a ^ b | c", ["a ^ (b | c)", "(a ^ b) | c", "(a ^ b) | c"]),
        ("a ^ b & c", ["a ^ (b & c)", "a ^ (b & c)", "a ^ (b & c)"]),
        ("a | b & c", ["a | (b & c)", "a | (b & c)", "a | (b & c)"]),
        ("!a = b", ["!a = b", "!a = b", "!a = b"]),
        ("!~(a) && b || c", ["(!!a & b) | c", "(!!a & b) | c", "(!!a & b) | c"]),
        ("a | b | c & (d & e)", ["a | b | (c & (d & e))"; 3]),
        ("a <=> b == c", ["a = (b = c)", "(a = b) = c", "(a = b) = c"]),
    ];
    let program = |e: &str| format!("void main() begin\n  assert({e});\nend\n");
    for (text, readings) in rows {
        for (dialect, reading) in Dialect::ALL.into_iter().zip(readings) {
            let tree = parse(&program(text), dialect).unwrap();
            assert_eq!(print(&tree), program(reading), "{text} in {dialect}");
        }
    }
}

#[test]
fn spans_are_exact() {
    let text = "void main() begin\n L: x := (a & b) | !(c) ; if (x) then y() fi end";
    let tree = parse(text, Dialect::Slam).unwrap();
    let Item::Procedure(main) = &tree.items[0] else { panic!() };
    let shown: Vec<&str> = main.body.iter().map(|s| &text[s.span.range()]).collect();
    assert_eq!(shown, ["x := (a & b) | !(c)", "if (x)", "y()", "fi"]);
    assert_eq!((&text[main.span.range()], &text[main.end.range()]), ("void main()", "end"));
    let StatementKind::Assign { values, .. } = &main.body[0].kind else { panic!() };
    let shown: Vec<&str> = values[0].nodes.iter().map(|n| &text[n.span.range()]).collect();
    assert_eq!(shown, ["a", "b", "(a & b)", "c", "!(c)", "(a & b) | !(c)"]);
}

#[test]
fn keywords_do_not_swallow_names() {
    let text = "decl dodo, goto1, T1, F#, end_, endif, _x, $, $$, if-x, elsif1, assert;
        void sync(print) begin assert, if-x := print, T; assert (assert); dead: dead dead; end";
    let printed = print(&parse(text, Dialect::Slam).unwrap());
    assert!(printed.contains("assert, if-x := print, T;"), "{printed}");
    assert!(printed.contains("dead: dead dead;"), "{printed}");
}

#[test]
fn numbers_are_truth_values() {
    let text = "void main() begin assert(00 | 01 | 2); end";
    assert!(parse(text, Dialect::Slam).is_err() && parse(text, Dialect::Getafix).is_err());
    let printed = print(&parse(text, Dialect::Wali).unwrap());
    assert!(printed.contains("assert(F | T | T);"), "{printed}");
}

/// No stack overflow and no quadratic time, whatever is nested.
#[test]
fn deep_and_large() {
    let n = 10_000;
    let body = |s: String| format!("void main() begin {s} end");
    let texts = [
        body(format!("x := {}x{};", "(".repeat(n), ")".repeat(n))),
        body(format!("x := {}x{};", "!(a & ".repeat(n), ")".repeat(n))),
        body(format!("x := {}x;", "x & ".repeat(n))),
        body(format!("x := {}x;", "x => ".repeat(n))),
        body(format!("x := {}x{};", "schoose[a, ".repeat(n), "]".repeat(n))),
        body(format!("x := {}{}x{}{};", "'(", "(".repeat(n), ")".repeat(n), ")")),
        body(format!("{}{}", "if * then ".repeat(n), "fi ".repeat(n))),
        body(format!("{}{}", "while * do L: ".repeat(n), "od;".repeat(n))),
        body("x, y := y & (x | !z), schoose[x, z];\n".repeat(20_000)),
        body("L: ".repeat(n)),
        format!("decl {}a;", "a,\n".repeat(n)),
        format!("/*{}*/ // {}", "/ * {".repeat(n), "x".repeat(n)),
    ];
    for text in &texts {
        let start = Instant::now();
        check_tree(parse(text, Dialect::Slam).unwrap());
        // Seven passes; generous, for slow machines and builds without optimisation.
        let seconds = start.elapsed();
        assert!(seconds < Duration::from_secs(60), "{seconds:?}: {}", &text[..40]);
    }
}

#[test]
fn hopeless_texts_end_soon() {
    let n = 500_000;
    let start = Instant::now();
    for text in [
        format!("void main() begin x := {}", "(".repeat(n)),
        "(".repeat(n),
        ")".repeat(n),
        "@".repeat(n),
        "@ ".repeat(n),
        "/*".repeat(n),
        "{".repeat(n),
        format!("void main() begin {}", "if * then ".repeat(n / 3)),
        format!("void main() begin {}", "x = 1;".repeat(n / 3)),
        "x".repeat(n),
    ] {
        let diagnostics = parse(&text, Dialect::Slam).unwrap_err();
        assert!(diagnostics.len() <= 101);
        let shown = render(&Source::new("f.bp", text), &diagnostics, false);
        assert!(shown.len() < 100_000, "{}", shown.len());
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// All spans are within the text, on character boundaries, and can be shown.
fn check_diagnostics(text: &str, diagnostics: &[Diagnostic]) {
    assert!(!diagnostics.is_empty());
    for d in diagnostics {
        assert!(text.get(d.span.range()).is_some(), "{d:?}");
        if let Some((span, _)) = &d.related {
            assert!(text.get(span.range()).is_some(), "{d:?}");
        }
    }
    render(&Source::new("f.bp", text), diagnostics, true);
}

fn soup() -> impl Strategy<Value = String> {
    let words = vec![
        "decl",
        "void",
        "bool",
        "bool<2>",
        "dfs",
        "main",
        "(",
        ")",
        "begin",
        "end",
        "if",
        "then",
        "else",
        "elsif",
        "fi",
        "while",
        "do",
        "od",
        "x",
        "y",
        "_",
        ":=",
        ":",
        ";",
        ";",
        ",",
        "=",
        "=>",
        "&",
        "|",
        "^",
        "!",
        "'",
        "*",
        "?",
        "T",
        "0",
        "2",
        "schoose",
        "[",
        "]",
        "constrain",
        "goto",
        "return",
        "skip",
        "assume",
        "assert",
        "abortif",
        "enforce",
        "dead",
        "print",
        "start_thread",
        "sync",
        "atomic_begin",
        "ASYNC_1",
        "<",
        ">",
        "{q 1}",
        "{",
        "}",
        "/*",
        "//",
        "\n",
        "\u{e9}",
        "@",
        "-",
        "->",
        "void f() begin",
        "end\n",
        "if x then",
        "while * do",
    ];
    prop::collection::vec(prop::sample::select(words), 0..60).prop_map(|w| w.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_words(text in soup()) {
        for dialect in Dialect::ALL {
            match parse(&text, dialect) {
                Ok(tree) => check_tree(tree),
                Err(diagnostics) => check_diagnostics(&text, &diagnostics),
            }
        }
    }

    #[test]
    fn random_words_in_a_body(text in soup()) {
        let text = format!("decl x, y;\nvoid main() begin\n  {text}\nend\n");
        match parse(&text, Dialect::Slam) {
            Ok(tree) => check_tree(tree),
            Err(diagnostics) => check_diagnostics(&text, &diagnostics),
        }
    }

    #[test]
    fn random_texts(text in any::<String>()) {
        if let Err(diagnostics) = parse(&text, Dialect::Slam) {
            check_diagnostics(&text, &diagnostics);
        }
    }

    #[test]
    fn random_bytes(bytes in any::<Vec<u8>>()) {
        if let Ok(text) = hardbop_bp::language::text::decode(bytes)
            && let Err(diagnostics) = parse(&text, Dialect::Slam)
        {
            check_diagnostics(&text, &diagnostics);
        }
    }
}
