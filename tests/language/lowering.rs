//! What the statements mean: verdicts of small programs by the explicit search, and the shape of
//! the graphs.

use crate::support::explicit::error_reachable;
use crate::support::{generated, load_with, program};
use hardbop_bp::language::dot::dot;
use hardbop_bp::language::program::{EdgeRole, NodeId, Operation, Program};
use hardbop_bp::language::resolve::ResolveOptions;

const LIMIT: usize = 1_000_000;

/// Checks what `Procedure` promises.
fn well_formed(program: &Program) {
    for procedure in &program.procedures {
        let none = |n: NodeId| procedure.outgoing[n.index()].is_empty();
        assert!(none(procedure.exit) && none(procedure.error));
        assert_eq!(procedure.nodes.len(), procedure.outgoing.len());
        let listed: usize = procedure.outgoing.iter().map(Vec::len).sum();
        assert_eq!(listed, procedure.edges.len());
        for (node, edges) in procedure.outgoing.iter().enumerate() {
            assert!(edges.is_sorted());
            assert!(edges.iter().all(|&e| procedure.edge(e).source.index() == node));
        }
        for edge in &procedure.edges {
            assert!(edge.target.index() < procedure.nodes.len());
            assert_ne!(edge.target, procedure.entry);
            if edge.target == procedure.exit && !procedure.returns.is_empty() {
                let Operation::Assign(a) = &edge.operation else { panic!("{edge:?}") };
                assert_eq!(a.targets, procedure.returns);
            }
            if let Operation::Assign(a) = &edge.operation {
                assert_eq!(a.targets.len(), a.values.len());
            }
        }
    }
}

/// Whether `decl x, y, z;` and `void main()` with this body is unsafe.
fn fails(body: &str) -> bool {
    let text = format!(
        "decl x, y, z;
         bool<2> pair(a, b) begin return b, a; end
         bool any() begin skip; end
         void set(a) begin x := a; end
         void main() begin {body} end"
    );
    let program = program(&text);
    well_formed(&program);
    error_reachable(&program, LIMIT).expect("a small program")
}

#[test]
fn statements() {
    let table: &[(&str, bool)] = &[
        // Nondeterminism.
        ("assert(x);", true),
        ("assert(x = x);", false),
        ("assert(* = *);", true),
        ("x := *; assert(x);", true),
        ("x := F; dead x; assert(!x);", true),
        ("decl l; assert(l);", true),
        ("x := schoose[T, *]; assert(x);", false),
        ("x := schoose[F, T]; assert(!x);", false),
        ("x := schoose[F, F]; assert(!x);", true),
        ("x := schoose[y, !y]; assert(x = y);", false),
        // Declarations in the head are no statements, elsewhere they give any value.
        ("decl l; l := T; assert(l);", false),
        ("l := T; decl l; assert(l);", true),
        ("skip; l := T; if T then decl l; fi assert(l);", true),
        ("skip; l := T; if F then decl l; fi assert(l);", false),
        ("L: decl l; if x then assert(l); else x, l := T, T; goto L; fi", true),
        ("decl l; L: if x then assert(l); else x, l := T, T; goto L; fi", true),
        ("decl l; x, l := F, T; L: if x then assert(l); else x := T; goto L; fi", false),
        // Assignments.
        ("x, y := y, x; x, y := y, x; z := x; assert(z = x);", false),
        ("x, y := T, F; x, y := y, x; assert(!x & y);", false),
        ("x, y := *, * constrain ('x != 'y); assert(x ^ y);", false),
        ("x := F; x := T constrain x; assert(F);", false),
        ("x := F; x := T constrain (x' & !x); assert(F);", true),
        ("y := T; x := * constrain ('x = 'y); assert(x);", false),
        ("_ := * constrain x; assert(x);", false),
        ("x, _ := T, F; assert(x);", false),
        ("_ := *; assert(F);", true),
        // Assumptions.
        ("assume(x); assert(x);", false),
        ("assume(*); assert(F);", true),
        ("constrain(x & y); assert(x);", false),
        ("assume(F); assert(F);", false),
        // Branches.
        ("if x then assert(x); else assert(!x); fi", false),
        ("if * then assert(F); fi", true),
        ("if * then skip; else assert(F); fi", true),
        ("if x then y := T; elsif z then y := z; else y := !z; fi assert(y);", false),
        (
            "if x then skip; elsif y then assert(!x & y); elsif T then assert(!x & !y); \
          else assert(F); fi",
            false,
        ),
        ("if x & * then assert(x); else assert(!x); fi", true),
        ("if (x) then if (y) then z := T; fi else z := T; fi assert(z);", true),
        ("if x then fi assert(T);", false),
        // Loops.
        ("while x do x := *; od assert(!x);", false),
        ("while T do skip; od assert(F);", false),
        ("while * do x := !x; od assert(x);", true),
        ("x := F; y := F; while !y do y := x; x := T; od assert(x & y);", false),
        ("while x do od assert(x);", true),
        ("while * do return; od assert(T);", false),
        // Jumps.
        ("goto A, B; A: assert(T); return; B: assert(x);", true),
        ("goto A; assert(F); A: skip;", false),
        ("x := T; goto A; if F then A: assert(!x); fi", true),
        ("L: M: x := !x; goto L, E; E: assert(x);", true),
        ("goto E; E:", false),
        ("return; assert(F);", false),
        // Calls.
        ("x, y := T, F; x, y := pair(x, y); assert(!x & y);", false),
        ("x, y := pair(x, *); assert(x);", true),
        ("_, y := pair(T, F); assert(y);", false),
        ("x := F; pair(T, T); assert(!x);", false),
        ("x := any(); assert(x);", true),
        ("set(T); assert(x);", false),
        ("set(y); assert(x = y);", false),
        ("set(*); assert(x);", true),
        // Properties.
        ("x := F; abortif x; assert(T);", false),
        ("abortif x;", true),
        ("abortif *;", true),
        ("assert(x | !x);", false),
        ("if x then ERROR: skip; fi", true),
        ("x := F; if x then ERROR: skip; fi", false),
        ("goto L; SLIC_ERROR: skip; L: skip;", false),
        ("if x then ERROR:  fi", true),
        // enforce.
        ("enforce x; assert(x);", false),
        ("enforce x; x := *; assert(x);", false),
        ("enforce x; x := F; assert(F);", false),
        ("enforce x; set(F); assert(F);", false),
        ("enforce x; enforce y; x, y := *, *; assert(x & y);", false),
        ("enforce x; decl l; x := *; assert(x & l);", true),
        ("enforce x; x := F; ERROR: skip;", false),
        ("x := F; if * then enforce x; ERROR: skip; fi", false),
        ("x := T; if * then enforce x; skip; fi x := F; assert(x);", true),
        ("x := F; if * then enforce x; else ERROR: skip; fi", true),
        ("if T then enforce x; x := F; fi assert(F);", false),
        ("if T then enforce x; fi assert(x);", false),
        ("x := F; enforce x; assert(F);", false),
        ("while * do enforce x; x := *; od assert(x);", true),
        ("x := T; while * do enforce x; x := *; od assert(x);", false),
        ("x := T; goto L; skip; L: enforce x; x := *; assert(x);", false),
        // No effect.
        ("print(x, y); assert(T);", false),
        // Names.
        ("assert(true & !false);", false),
        ("decl true; assert(true);", true),
        ("decl x; x := T; set(F); assert(x);", false),
    ];
    for &(body, expected) in table {
        assert_eq!(fails(body), expected, "{body}");
    }
}

#[test]
fn the_generators_oracle_agrees() {
    let programs = generated(7, 200);
    let mut decided = 0;
    for (text, expected) in &programs {
        let program = program(text);
        well_formed(&program);
        if let Some(found) = error_reachable(&program, LIMIT) {
            assert_eq!(found, *expected, "{text}");
            decided += 1;
        }
    }
    assert!(decided * 10 >= programs.len() * 9, "only {decided} decided");
}

#[test]
fn options() {
    let text =
        "void start() begin assert(F); abortif T; BAD: skip; end void main() begin skip; end";
    let verdict = |entry: &str, labels: &[&str], check_asserts: bool| {
        let error_labels = labels.iter().map(|&l| l.to_owned()).collect();
        let options = ResolveOptions { entry: entry.to_owned(), error_labels, check_asserts };
        error_reachable(&load_with(text, &options).unwrap(), LIMIT).unwrap()
    };
    assert!(!verdict("main", &["BAD"], true));
    assert!(verdict("start", &[], true));
    assert!(!verdict("start", &[], false));
    assert!(verdict("start", &["BAD"], false));
}

#[test]
fn options_have_stable_names() {
    let json = serde_json::to_string(&ResolveOptions::default()).unwrap();
    assert_eq!(
        json,
        r#"{"entry":"main","error-labels":["ERROR","SLIC_ERROR"],"check-asserts":true}"#
    );
    let options: ResolveOptions = serde_json::from_str(r#"{"check-asserts": false}"#).unwrap();
    assert_eq!(options, ResolveOptions { check_asserts: false, ..ResolveOptions::default() });
}

#[test]
fn graphs_are_lean() {
    for (body, nodes, edges) in [
        ("", 3, 1),
        ("skip;", 4, 2),
        ("if x then skip; else skip; fi", 6, 5),
        ("if x then skip; fi skip;", 6, 5),
        ("while x do skip; od", 6, 5),
        ("skip; while x do skip; od", 6, 5),
        ("goto L; L: skip;", 5, 3),
        ("return; skip; skip;", 3, 1),
        ("decl l; return;", 3, 1),
    ] {
        let program = program(&format!("decl x; void main() begin {body} end"));
        well_formed(&program);
        let main = &program.procedures[0];
        assert_eq!((main.nodes.len(), main.edges.len()), (nodes, edges), "{body}");
    }
}

#[test]
fn a_star_as_condition_needs_no_choice() {
    let program = program("void main() begin if * then skip; fi end");
    for edge in &program.procedures[0].edges {
        if let (Operation::Assume(e), EdgeRole::Branch(_)) = (&edge.operation, edge.role) {
            assert_eq!(e.choices(), 0);
        }
    }
}

#[test]
fn deep_nesting() {
    for (open, close) in [("if x then ", "fi "), ("while x do ", "od "), ("if x then else ", "fi ")]
    {
        let n = 100_000;
        let text =
            format!("decl x; void main() begin {} skip; {} end", open.repeat(n), close.repeat(n));
        let program = program(&text);
        well_formed(&program);
        assert!(program.procedures[0].nodes.len() > n);
    }
}

#[test]
fn dot_is_quoted() {
    let program = program(
        "decl {a\\b == \"c\"};
         void main() begin L: {a\\b == \"c\"} := T; assert(F); goto L; end",
    );
    let text = dot(&program);
    assert!(text.contains(r#"{a\\b == \"c\"} := T"#), "{text}");
    assert!(text.contains("L:\\n"), "{text}");
    assert_eq!(text.matches('{').count() - text.matches('}').count(), 0);
    assert!(text.lines().all(|l| l.replace("\\\"", "").matches('"').count() % 2 == 0), "{text}");
}

#[test]
fn benchmark_files() {
    let Some(folder) = crate::support::shared().map(|s| s.join("benchmarks")) else {
        return eprintln!("skipped: no benchmarks (set HARDBOP_SHARED)");
    };
    let list = std::fs::read_to_string(folder.join("expected.tsv")).unwrap_or_default();
    for line in list.lines().filter(|l| l.starts_with("bp/")) {
        let fields: Vec<&str> = line.split('\t').collect();
        let text = std::fs::read_to_string(folder.join(fields[0])).expect("a program");
        // Those without a verdict may have mistakes.
        let Ok(program) = crate::support::load(&text) else {
            assert_eq!(fields[1], "unknown", "{}", fields[0]);
            continue;
        };
        well_formed(&program);
        let found = error_reachable(&program, LIMIT);
        match fields[1] {
            "safe" => assert_eq!(found, Some(false), "{}", fields[0]),
            "unsafe" => assert_eq!(found, Some(true), "{}", fields[0]),
            _ => {}
        }
    }
}
