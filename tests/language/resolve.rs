//! What the resolver reports.

use crate::support::{load, load_with};
use hardbop_base::source::Diagnostic;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::resolve::{ResolveOptions, missing_labels};

/// The mistakes of a text as `place: message [hint]`.
fn mistakes(text: &str) -> Vec<String> {
    let show = |d: Diagnostic| {
        let place = &text[d.span.range()];
        let hint = d.hint.map(|h| format!(" [{h}]")).unwrap_or_default();
        let related = d.related.map(|(s, w)| format!(" ({w}: {})", &text[s.range()]));
        format!("{place}: {}{}{hint}", d.message, related.unwrap_or_default())
    };
    load(text).map(|_| Vec::new()).unwrap_or_else(|d| d.into_iter().map(show).collect())
}

#[test]
fn single_mistakes() {
    let table: &[(&str, &str)] = &[
        ("locked := T;", "locked: undeclared variable 'locked' [did you mean 'Locked'?]"),
        ("Lokced := T;", "Lokced: undeclared variable 'Lokced' [did you mean 'Locked'?]"),
        ("x := qq;", "qq: undeclared variable 'qq'"),
        ("x := p;", "p: undeclared variable 'p'"),
        (
            "x := f;",
            "f: undeclared variable 'f' [\
             'f' is a procedure; its value must be assigned to a variable first]",
        ),
        ("L: x := L;", "L: undeclared variable 'L' ['L' is a label]"),
        ("x := own;", "own: undeclared variable 'own' ['own' is a variable of procedure 'f' only]"),
        ("decl l, l;", "l: local variable 'l' is declared twice (first declared here: l)"),
        (
            "decl l; if x then decl l; fi",
            "l: local variable 'l' is declared twice \
          (first declared here: l)",
        ),
        ("L: skip; L: skip;", "L: label 'L' is declared twice (first declared here: L)"),
        (
            "goto M;",
            "M: procedure 'main' has no label 'M' \
          ['M' is a label of procedure 'f'; goto stays inside one]",
        ),
        (
            "End: skip; goto end1;",
            "end1: procedure 'main' has no label 'end1' \
          [did you mean 'End'?]",
        ),
        (
            "x := f();",
            "x := f(): procedure 'f' takes 1 argument \
          (declared here: bool f(a))",
        ),
        (
            "x, y := f(T);",
            "x, y := f(T): procedure 'f' returns 1 value \
          (declared here: bool f(a))",
        ),
        (
            "x := main();",
            "x := main(): procedure 'main' returns no values \
          (declared here: void main())",
        ),
        (
            "return x;",
            "return x: procedure 'main' returns no values \
          (declared here: void main())",
        ),
        (
            "x, y, x := T, F, T;",
            "x: 'x' is assigned twice in one statement \
          (first assigned here: x)",
        ),
        ("x, x := two();", "x: 'x' is assigned twice in one statement (first assigned here: x)"),
        (
            "x := 'y;",
            "'y: next-state value of 'y' outside 'constrain' \
          [only 'constrain' after an assignment sees the next state]",
        ),
        ("g(T);", "g: undeclared procedure 'g'"),
        ("x(T);", "x: undeclared procedure 'x' ['x' is a variable]"),
        ("dead q2;", "q2: undeclared variable 'q2'"),
        ("print(q2);", "q2: undeclared variable 'q2'"),
        ("true := T;", "true: undeclared variable 'true'"),
    ];
    for &(body, expected) in table {
        let text = format!(
            "decl x, y, Locked;
             bool f(a) begin decl own; M: return a; end
             bool<2> two() begin return T, F; end
             void main() begin {body} end"
        );
        assert_eq!(mistakes(&text), [expected], "{body}");
    }
}

#[test]
fn what_is_allowed() {
    for body in [
        "x := * constrain ('y = 'x);",
        "f(T); two(); _ := f(T); _, x := two(); _, _ := two();",
        "L: L: goto L;",
        "decl x; decl true; true := false;",
        "dead x, x;",
        "goto L, L; L: skip;",
        "x: x := T; goto x;",
    ] {
        let text = format!(
            "decl x, y;
             bool f(x) begin return x; end
             void main() begin {body} end
             bool<2> two() begin return late, F; end
             decl late;"
        );
        assert_eq!(mistakes(&text), [] as [String; 0], "{body}");
    }
}

#[test]
fn all_mistakes_in_order_and_once() {
    let text = "decl a, a;
        void f(p, p) begin q1 := q1; q1 := q2; goto L1; goto L1; return T; end
        void f() begin q1 := T; end
        bool g() begin return; end";
    let found = mistakes(text);
    assert_eq!(
        found,
        [
            ": there is no entry procedure 'main' \
             [start elsewhere with --entry NAME; NAME can be f, g]",
            "a: global variable 'a' is declared twice (first declared here: a)",
            "p: parameter 'p' is declared twice (first declared here: p)",
            "q1: undeclared variable 'q1'",
            "q2: undeclared variable 'q2'",
            "L1: procedure 'f' has no label 'L1'",
            "return T: procedure 'f' returns no values (declared here: void f(p, p))",
            "f: procedure 'f' is declared twice (first declared here: f)",
            "q1: undeclared variable 'q1'",
            "return: procedure 'g' returns 1 value (declared here: bool g())",
        ]
    );
}

#[test]
fn entry() {
    assert_eq!(mistakes("decl x;"), [": the program has no procedures"]);
    assert_eq!(mistakes(""), [": the program has no procedures"]);
    assert_eq!(
        mistakes("void Main() begin skip; end"),
        [": there is no entry procedure 'main' [start elsewhere with --entry Main]"]
    );
    let options = ResolveOptions { entry: "go".to_owned(), ..ResolveOptions::default() };
    let program = load_with("void f() begin skip; end void go(a) begin skip; end", &options);
    assert_eq!(program.map(|p| p.entry.0), Ok(1));
}

#[test]
fn labels_that_are_nowhere() {
    let tree = parse("void f() begin A: skip; end", Dialect::default()).unwrap();
    let labels = ["A".to_owned(), "B".to_owned()];
    assert_eq!(missing_labels(&tree, &labels), ["B"]);
}
