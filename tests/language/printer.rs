//! `parse(print(tree)) == tree` up to spans: on examples, on random programs, on random trees.

use std::path::PathBuf;
use std::process::Command;

use crate::support::parsing::{check_tree, reread};
use hardbop_base::source::Span;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::print::print;
use hardbop_bp::language::syntax::{
    Expression, ExpressionNode, Item, Name, Operator, ProcedureSyntax, Statement, StatementKind,
    SyntaxTree, Target,
};
use proptest::prelude::*;

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
fn threads() {
    let text = "decl a, b:=0, c:=a|1, d; thread_local decl t; decl thread_local u, v;
        void f(x) begin end void main() begin decl l := *, m;
        0: a,l$ := T,l$ constrain 'a&!l$; 1: start_thread goto 0; start_thread f(a);
        ASYNC_2: f(*); atomic_begin; if * then goto 0, 1; fi; atomic_end; end_thread end";
    let expected = "\
decl a;
decl b := F, c := a | T;
decl d;
decl thread_local t;
decl thread_local u, v;

void f(x) begin
end

void main() begin
  decl l, m;
  l := *;
  0: a, l$ := T, l$ constrain ('a & !l$);
  1: start_thread goto 0;
  start_thread f(a);
  ASYNC_2: f(*);
  atomic_begin;
  if (*) then
    goto 0, 1;
  fi;
  atomic_end;
  end_thread;
end
";
    assert_eq!(printed(text), expected);
    check_tree(parse(text, Dialect::Slam).expect("a program"));
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_trees(items in prop::collection::vec(item(), 0..4)) {
        check_tree(SyntaxTree { items });
    }
}
