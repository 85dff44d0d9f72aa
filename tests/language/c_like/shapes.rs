//! Deep, long and senseless texts: they end soon, and nothing panics.

use std::time::{Duration, Instant};

use hardbop_base::source::{Diagnostic, Source};
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_report::diagnostic::render;
use proptest::prelude::*;

use crate::support::parsing::check_tree;

fn body(text: &str) -> String {
    format!("bool x, y; int i; var s: enum {{A, B, C}};\nvoid main() {{ {text} }}")
}

#[test]
fn deep_and_large() {
    let n = 6_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let texts = [
        body(&format!("x = {};", nested("(", "x", ")"))),
        body(&format!("x = {};", nested("!(x && ", "y", ")"))),
        body(&format!("x = {};", nested("(i == ", "x", ")"))),
        body(&format!("x = {};", nested("(x == ", "i", ")"))),
        body(&format!("x = {}y;", "x && ".repeat(n))),
        body(&format!("x = {}y;", "i || x && ".repeat(n))),
        body(&format!("x = {}y;", "!".repeat(n))),
        body(&nested("{", "x = y;", "}")),
        body(&nested("{ bool x;", "x = y;", "}")),
        body(&nested("atomic {", "x = y;", "}")),
        body(&nested("if (x) {", "x = y;", "} else y = x;")),
        body(&nested("while (x) {", "break;", "}")),
        body(&format!("{} ;", "if (x) ".repeat(n))),
        body(&format!("{} ;", "if (x) x = y; else ".repeat(n))),
        body(&format!("{} ;", "while (x) ".repeat(n))),
        body(&"atomic { x = y; if (x) return; }".repeat(n)),
        body(&"x = y; s = *; ".repeat(n)),
        body(&"L: ".repeat(n)),
        body(&"7 ".repeat(n)),
        format!(
            "bool {}b; void main() {{ }}",
            (0..n).map(|i| format!("b{i}, ")).collect::<String>()
        ),
        format!("void main() {{ }} /*{}*/", "/ * {".repeat(n)),
    ];
    for text in &texts {
        let start = Instant::now();
        if let Err(d) = parse(text, Dialect::Slam) {
            panic!("{}", render(&Source::new("deep.bp", text.as_str()), &d[..1], false));
        }
        let seconds = start.elapsed();
        assert!(seconds < Duration::from_secs(20), "{seconds:?}: {}", &text[..90]);
    }
}

#[test]
fn hopeless_texts_end_soon() {
    let n = 300_000;
    let start = Instant::now();
    for text in [
        body(&format!("x = {}", "(".repeat(n))),
        body(&format!("x = {}", "!".repeat(n))),
        body(&format!("{} i = i", "if (".repeat(n))),
        body(&"{".repeat(n)),
        body(&"}".repeat(n)),
        body(&"else ".repeat(n)),
        body(&"x = ;".repeat(n)),
        body(&"@ ".repeat(n)),
        body(&"\u{e9}".repeat(n)),
        body(&"/*".repeat(n)),
        body(&"z = z;".repeat(n)),
        body(&"bool z;".repeat(n)),
        body(&format!("i = {}i;", "i + ".repeat(n))),
        format!("define DEFAULT_INT_BITS 16\n{}", body(&format!("i = {}i;", "i + ".repeat(n)))),
        format!("void f() {{ {}", "x".repeat(n)),
        format!("void f() {{}} {}", "bool ".repeat(n)),
        format!("void f() {{}} {}", ") {".repeat(n)),
        format!("void f() {{}} #{}", "x".repeat(n)),
    ] {
        let diagnostics = parse(&text, Dialect::Slam).unwrap_err();
        assert!(diagnostics.len() <= 101);
        let shown = render(&Source::new("f.bp", text), &diagnostics, false);
        assert!(shown.len() < 200_000, "{}", shown.len());
    }
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}

/// All spans are within the text, on character boundaries, and can be shown.
fn check_diagnostics(text: &str, diagnostics: &[Diagnostic]) {
    assert!(!diagnostics.is_empty());
    assert!(diagnostics.is_sorted_by_key(|d| d.span.start));
    for d in diagnostics {
        assert!(text.get(d.span.range()).is_some(), "{d:?}");
        if let Some((span, _)) = &d.related {
            assert!(text.get(span.range()).is_some(), "{d:?}");
        }
    }
    render(&Source::new("f.bp", text), diagnostics, true);
}

fn soup() -> impl Strategy<Value = String> {
    let words = "bool int void decl enum var mutex module define # \n DEFAULT_INT_BITS x y i s A f g 0 1 2 77 \
        ( ) { } { } ; ; ; , : = := == != < <= > >= + - ++ -- += -= && || & | ^ ! * true false if else while \
        break continue return goto L: L atomic wait assume assert create_thread thread_create acquire \
        release lock unlock call skip end_thread atomic_begin atomic_end begin_atomic T end _ init ? . -> ' \
        /* // \u{e9} @ f(x) while(x) if(x)else x=1; bool\u{a0}z atomic{x=y;} {";
    let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    prop::collection::vec(prop::sample::select(words), 0..50).prop_map(|w| w.join(" "))
}

fn read(text: &str) {
    match parse(text, Dialect::Slam) {
        Ok(tree) => check_tree(tree),
        Err(diagnostics) => check_diagnostics(text, &diagnostics),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn random_words(text in soup()) {
        read(&format!("void f() {{ }} {text}"));
    }

    #[test]
    fn random_words_in_a_body(text in soup()) {
        read(&format!("define DEFAULT_INT_BITS 2\nmutex m; {} void f(bool a) {{}}", body(&text)));
    }

    #[test]
    fn random_texts(text in any::<String>()) {
        read(&format!("void f() {{ {text}"));
    }
}
