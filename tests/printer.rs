//! `parse(print(tree)) == tree` up to spans: on examples, on random programs, on random trees.
//! And the parser on nonsense: it never panics, and its spans lie within the text.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use hardbop::bp::diagnostic::Diagnostic;
use hardbop::bp::parser::{Dialect, parse};
use hardbop::bp::print::print;
use hardbop::bp::span::{Source, Span};
use hardbop::bp::syntax::{
    Expression, ExpressionNode, Item, Name, Operator, ProcedureSyntax, Statement, StatementKind,
    SyntaxTree, Target,
};
use hardbop::report::diagnostic::render;
use proptest::prelude::*;

/// The tree with all spans set to zero.
fn without_spans(mut tree: SyntaxTree) -> SyntaxTree {
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
            Item::Declaration(variables) => {
                names(variables);
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
                Skip | Else | EndIf | EndWhile => {}
            }
        }
    }
    tree
}

fn reread(text: &str, dialect: Dialect) -> SyntaxTree {
    match parse(text, dialect) {
        Ok(tree) => without_spans(tree),
        Err(diagnostics) => {
            panic!("{}", render(&Source::new("printed", text), &diagnostics, false))
        }
    }
}

/// Prints and reads again, in all dialects; printing is stable.
fn check_tree(tree: SyntaxTree) {
    let tree = without_spans(tree);
    let text = print(&tree);
    for dialect in Dialect::ALL {
        assert_eq!(reread(&text, dialect), tree, "{dialect}:\n{text}");
    }
    assert_eq!(print(&reread(&text, Dialect::Slam)), text);
}

fn printed(text: &str) -> String {
    print(&reread(text, Dialect::Slam))
}

/// Example programs and tools next to the repository, if they are there.
fn shared() -> Option<PathBuf> {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    let folder = std::env::var_os("HARDBOP_SHARED").map_or_else(default, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no folder {} (set HARDBOP_SHARED)", folder.display());
    None
}

/// Checks the programs in a folder; how many there were, and how many could be read.
fn check_folder(folder: &std::path::Path) -> (usize, usize) {
    let (mut files, mut read) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "bp") {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        for dialect in Dialect::ALL {
            match parse(&text, dialect) {
                Ok(tree) => {
                    read += usize::from(dialect == Dialect::Slam);
                    check_tree(tree);
                }
                Err(diagnostics) => eprintln!("{}: {}", path.display(), diagnostics[0]),
            }
        }
    }
    (files, read)
}

#[test]
fn benchmarks() {
    let Some(shared) = shared() else { return };
    let (files, read) = check_folder(&shared.join("benchmarks/bp"));
    assert!(read > 0 && read + 1 >= files, "{read} of {files}");
}

#[test]
fn random_programs() {
    let Some(shared) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new("python3")
        .arg(shared.join("tools/bpfuzz.py"))
        .args(["--seed", "11", "--count", "40", "--out"])
        .arg(folder.path())
        .stdout(std::process::Stdio::null())
        .status();
    if !status.is_ok_and(|s| s.success()) {
        eprintln!("skipped: bpfuzz.py does not run");
        return;
    }
    assert_eq!(check_folder(folder.path()), (40, 40));
}

#[test]
fn canonical_form() {
    let text = "decl g ,{x == 0};dfs bool<2> f(a,b) begin decl l enforce g;
        L:M: l:=a&&b&&!(g||T)=>'g constrain g'==0; // comment
        if g then N: else if (* ) then od_:skip fi elsif ? then x,_:=f(l,schoose[a,b]) fi
        while(g)do od while g do goto L,M;;; od; return a,b; E: end;
        decl h; void main() begin assert g; assume(g);constrain g; abortif h; dead g, h; print(g) end";
    // `decl l enforce` lacks a `;`.
    assert!(parse(text, Dialect::Slam).is_err());
    let text = text.replace("decl l enforce", "decl l; enforce").replace(
        "else if (* ) then od_:skip fi elsif ? then x,_:=f(l,schoose[a,b]) fi",
        "elsif ? then else if (* ) then od_:skip fi; x,_:=f(l,schoose[a,b]) fi",
    );
    let expected = "\
decl g, {x == 0};

dfs bool<2> f(a, b) begin
  decl l;
  enforce (g);
  L: M: l := (a & b & !(g | T)) => 'g constrain ('g = F);
  if (g) then
    N: skip;
  elsif (*) then
  else
    if (*) then
      od_: skip;
    fi;
    x, _ := f(l, schoose[a, b]);
  fi;
  while (g) do
  od;
  while (g) do
    goto L, M;
  od;
  return a, b;
  E: skip;
end

decl h;

void main() begin
  assert(g);
  assume(g);
  assume(g);
  abortif (h);
  dead g, h;
  print(g);
end
";
    assert_eq!(printed(&text), expected);
    assert_eq!(printed(expected), expected);
    assert_eq!(printed(""), "");
}

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
fn numbers_are_truth_values() {
    let text = "void main() begin assert(00 | 01 | 2); end";
    assert!(parse(text, Dialect::Slam).is_err() && parse(text, Dialect::Getafix).is_err());
    let printed = print(&parse(text, Dialect::Wali).unwrap());
    assert!(printed.contains("assert(F | T | T);"), "{printed}");
}

/// No stack overflow and no quadratic time, whatever is nested.
#[test]
fn deep_and_large() {
    let n = 30_000;
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
        body("x, y := y & (x | !z), schoose[x, z];\n".repeat(50_000)),
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
    let n = 2_000_000;
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

// ---------- random trees

fn name(text: &str) -> Name {
    Name { text: text.to_owned(), span: Span::default() }
}

/// Names, among them some that look like keywords, and keywords that may be names.
fn variables() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a",
        "b",
        "x1",
        "_x",
        "$y",
        "dodo",
        "T1",
        "F_",
        "goto1",
        "end-if",
        "v#2",
        "true",
        "print",
        "assert",
        "dead",
        "{x == 0}",
        "{*p->next > 'a'}",
        "{p && (q)}",
    ])
    .prop_map(str::to_owned)
}

fn labels() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["L", "ERROR", "{l 1}", "print", "fi_"]).prop_map(str::to_owned)
}

fn procedures() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["main", "c$$main", "{f}", "begins"]).prop_map(str::to_owned)
}

fn name_list(s: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<Name>> {
    prop::collection::vec(s.prop_map(|t| name(&t)), 1..4)
}

fn expression() -> impl Strategy<Value = Expression> {
    let node = |operator| vec![ExpressionNode { operator, span: Span::default() }];
    let leaf = prop_oneof![
        any::<bool>().prop_map(Operator::Constant),
        variables().prop_map(Operator::Variable),
        variables().prop_map(Operator::Next),
        Just(Operator::Nondet),
    ]
    .prop_map(node);
    let operators = vec![
        Operator::And,
        Operator::Or,
        Operator::Xor,
        Operator::Equal,
        Operator::NotEqual,
        Operator::Implies,
        Operator::Choose,
    ];
    leaf.prop_recursive(6, 40, 2, move |inner| {
        let binary = (inner.clone(), inner.clone(), prop::sample::select(operators.clone()));
        prop_oneof![
            inner.prop_map(move |a| [a, node(Operator::Not)].concat()),
            binary.prop_map(move |(a, b, operator)| [a, b, node(operator)].concat()),
        ]
    })
    .prop_map(|nodes| Expression { nodes })
}

fn expressions(
    n: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = Vec<Expression>> {
    prop::collection::vec(expression(), n)
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        4 => variables().prop_map(|v| Target::Variable(name(&v))),
        1 => Just(Target::Discard(Span::default())),
    ]
}

fn statement(kind: StatementKind) -> Statement {
    Statement { labels: Vec::new(), kind, span: Span::default() }
}

fn simple() -> impl Strategy<Value = StatementKind> {
    use StatementKind::*;
    let assign = (1usize..4).prop_flat_map(|n| {
        (prop::collection::vec(target(), n), expressions(n), prop::option::of(expression()))
    });
    let call = (prop::collection::vec(target(), 0..3), procedures(), expressions(0..3));
    prop_oneof![
        Just(Skip),
        assign.prop_map(|(targets, values, constrain)| Assign { targets, values, constrain }),
        call.prop_map(|(targets, f, arguments)| {
            Call { targets, procedure: name(&f), arguments }
        }),
        expression().prop_map(Assume),
        expression().prop_map(Assert),
        expression().prop_map(AbortIf),
        expression().prop_map(Enforce),
        name_list(labels()).prop_map(Goto),
        expressions(0..3).prop_map(Return),
        name_list(variables()).prop_map(Declare),
        name_list(variables()).prop_map(Dead),
        expressions(0..3).prop_map(Print),
    ]
}

fn body() -> impl Strategy<Value = Vec<Statement>> {
    let leaf = simple().prop_map(|kind| vec![statement(kind)]);
    let block = leaf.prop_recursive(4, 24, 4, |inner| {
        let part = prop::collection::vec(inner, 0..3).prop_map(|parts| parts.concat());
        let branches = prop::collection::vec((expression(), part.clone()), 0..3);
        let conditional = (expression(), part.clone(), branches, prop::option::of(part.clone()));
        prop_oneof![
            (expression(), part.clone()).prop_map(|(e, inner)| {
                let mut all = vec![statement(StatementKind::While(e))];
                all.extend(inner);
                all.push(statement(StatementKind::EndWhile));
                all
            }),
            conditional.prop_map(|(e, inner, branches, otherwise)| {
                let mut all = vec![statement(StatementKind::If(e))];
                all.extend(inner);
                for (e, inner) in branches {
                    all.push(statement(StatementKind::ElseIf(e)));
                    all.extend(inner);
                }
                if let Some(inner) = otherwise {
                    all.push(statement(StatementKind::Else));
                    all.extend(inner);
                }
                all.push(statement(StatementKind::EndIf));
                all
            }),
            part,
        ]
    });
    (block, prop::collection::vec(prop::collection::vec(labels(), 0..3), 0..8)).prop_map(
        |(mut all, labels)| {
            use StatementKind::{Else, ElseIf, EndIf, EndWhile};
            let labelled =
                all.iter_mut().filter(|s| !matches!(s.kind, Else | ElseIf(_) | EndIf | EndWhile));
            for (s, labels) in labelled.zip(labels) {
                s.labels = labels.iter().map(|l| name(l)).collect();
            }
            all
        },
    )
}

fn item() -> impl Strategy<Value = Item> {
    let formals = prop::collection::vec(variables(), 0..3);
    let procedure = (procedures(), any::<bool>(), 0usize..4, formals, body());
    prop_oneof![
        1 => name_list(variables()).prop_map(Item::Declaration),
        3 => procedure.prop_map(|(f, dfs, returns, formals, body)| {
            Item::Procedure(ProcedureSyntax {
                name: name(&f),
                dfs,
                returns,
                formals: formals.iter().map(|f| name(f)).collect(),
                body,
                span: Span::default(),
                end: Span::default(),
            })
        }),
    ]
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
    fn random_trees(items in prop::collection::vec(item(), 0..4)) {
        check_tree(SyntaxTree { items });
    }

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
        if let Ok(text) = hardbop::bp::text::decode(bytes)
            && let Err(diagnostics) = parse(&text, Dialect::Slam)
        {
            check_diagnostics(&text, &diagnostics);
        }
    }
}
