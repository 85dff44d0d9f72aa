//! Where pointers point: calls through them, by table.

use crate::support::c::flow;
use hardbop_base::budget::Budget;
use hardbop_c::flow::{Callee, FunctionId, Instruction};
use hardbop_c::limits::Memory;
use hardbop_c::memory::Rounds;
use hardbop_c::on_large_stack;
use hardbop_c::points_to::{Externals, PointsTo};
use hardbop_c::types::DataModel;

/// Functions `a` to `d`, and what may become of their addresses.
const START: &str = "
int a(int x) { return x; } int b(int x) { return x; } int c(int x) { return x; } int d(void) { return 0; }
typedef int (*fun)(int);
extern int __VERIFIER_nondet_int(void); extern void *__VERIFIER_nondet_pointer(void);
void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);
struct s { fun f, g; struct s *next; int n; };
";

/// The rest of a program, and where its only call through a pointer may go; `?` for functions that
/// are not known.
const TABLE: &[(&str, &str)] = &[
    ("int main(void) { fun p = a; p = b; return p(1); }", "a b"),
    ("int main(void) { struct s x = { a, b }; return x.g(1); }", "b"),
    ("int main(void) { struct s x = { a, b }, y = { b, c }; y = x; return y.g(1); }", "b c"),
    ("struct s t[3] = { { a, b }, { c } }; int main(void) { return t[1].f(1); }", "c"),
    (
        "struct s t[3] = { { a, b }, { c } }; int main(void) { return t[__VERIFIER_nondet_int()].f(1); }",
        "a c",
    ),
    ("struct s t[100]; int main(void) { t[3].f = a; t[4].g = b; return t[9].f(1); }", "a"),
    ("fun t[100]; int main(void) { fun *p = &t[99]; p--; *p = a; return t[7](1); }", "a"),
    ("int main(void) { fun t[3]; fun *p = t + 2; *--p = a; t[0] = b; return t[1](1); }", "a"),
    (
        "int main(void) { struct s *x = malloc(sizeof *x), *y = malloc(sizeof *y); x->next = y; y->f = a; x->f = b; return x->next->f(1); }",
        "a",
    ),
    (
        "struct s *make(void) { return malloc(sizeof(struct s)); } int main(void) { struct s *x = make(); x->g = a; return x->g(1); }",
        "a",
    ),
    (
        "void set(struct s *p, fun f) { p->f = f; } int main(void) { struct s x, y; set(&x, a); set(&y, b); return x.f(1); }",
        "a b",
    ),
    ("int main(void) { struct s x = { a }, y; memcpy(&y, &x, sizeof x); return y.f(1); }", "a"),
    (
        "int main(void) { struct s x = { a, b }; struct s y; char t[sizeof x]; memcpy(t, &x, sizeof x); memcpy(&y, t, sizeof x); return y.f(1); }",
        "?",
    ),
    (
        "int main(void) { struct s x = { a, b }; struct s *p = (struct s *)((char *)&x.g - __builtin_offsetof(struct s, g)); return p->f(1); }",
        "a",
    ),
    ("int main(void) { fun p = a; long n = (long)p; n++; p = (fun)n; return p(1); }", "a ?"),
    ("int main(void) { fun p = (fun)(unsigned long)b; return p == (fun)a ? 1 : p(1); }", "b"),
    (
        "extern void take(struct s *); int main(void) { struct s x = { a }; take(&x); return x.f(1); }",
        "a ?",
    ),
    (
        "extern void take(struct s *); int main(void) { struct s x = { a }, y = { b }; take(&y); return x.f(1); }",
        "a",
    ),
    ("extern fun give(void); int main(void) { return give()(1); }", "?"),
    (
        "union u { fun f; fun g; long n; }; int main(void) { union u x; x.f = a; return x.g(1); }",
        "a",
    ),
    (
        "union u { fun f; long n; }; int main(void) { union u x; x.f = a; x.n = 5; return x.f(1); }",
        "a ?",
    ),
    (
        "int main(void) { struct s x = { a }, *p = &x; char *from = (char *)p, *to; struct s y; to = (char *)&y; for (unsigned i = 0; i < sizeof x; i++) to[i] = from[i]; return y.f(1); }",
        "?",
    ),
    ("int k(fun f) { return f(1); } int main(void) { return k(a) + k(c); }", "a c"),
    ("int main(void) { fun p = (fun)d; p = a; return p(1); }", "a d"),
    (
        "struct n { struct n *next; fun f; }; int main(void) { struct n *l = 0; for (int i = 0; i < 9; i++) { struct n *x = malloc(sizeof *x); x->next = l; x->f = i ? a : b; l = x; } return l->next->next->f(1); }",
        "a b",
    ),
];

#[test]
fn calls_go_where_they_may() {
    let mut wrong = Vec::new();
    for (text, expected) in TABLE {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let found =
                on_large_stack(|| targets(&format!("{START}{text}"), model)).expect("a thread");
            if found != *expected {
                wrong.push(format!("{model:?} {text}\n  found '{found}', not '{expected}'"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn targets(text: &str, model: DataModel) -> String {
    let flow = flow("table", text, model);
    let (limits, budget) = (Memory::default(), Budget::unlimited());
    let analysis = PointsTo::new(&flow, Externals::Reachable, &Rounds::default(), limits, &budget)
        .expect("no limits");
    let mut words = Vec::new();
    for (f, function) in flow.functions.iter().enumerate() {
        for (e, edge) in function.body.iter().flat_map(|b| &b.edges).enumerate() {
            if let Instruction::Call { callee: Callee::Pointer(_), .. } = edge.instruction {
                let targets = analysis.targets(FunctionId(f as u32), e as u32);
                let name = |f: &FunctionId| flow.functions[f.0 as usize].name.clone();
                words.extend(targets.functions.iter().map(name));
                words.extend(targets.unknown.then(|| "?".to_owned()));
            }
        }
    }
    words.join(" ")
}
