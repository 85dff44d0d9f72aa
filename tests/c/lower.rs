//! The lowering of C against the concrete interpreter: every execution is one of the automaton's,
//! and where the model is exact there is no other with the same inputs.

use crate::support::c::{execute, flow, generated, maker::Maker};
use crate::support::walk::{Walk, walk};
use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_c::execute::{Execution, Recording};
use hardbop_c::flow::Flow;
use hardbop_c::lower::{Lowered, LoweringOptions, lower};
use hardbop_c::on_large_stack;
use hardbop_c::types::DataModel;
use hardbop_cfa::{Operation, Origin, Step};
use hardbop_smt::{SmtAnswer, SolverKind, Terms};

fn lowered(flow: &Flow, options: LoweringOptions) -> (Terms, Lowered) {
    on_large_stack(|| {
        let mut terms = Terms::new();
        let lowered = lower(flow, &mut terms, options, &Budget::unlimited()).expect("it fits");
        (terms, lowered)
    })
    .expect("a thread")
}

/// How much the automaton knows of an execution.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Knows {
    /// The result is what it must be.
    All,
    /// The execution is possible, and others with these inputs.
    Something,
}

/// Executes a program on inputs, and follows the execution in the automaton; with `exact`, also
/// where some values are unknown, the result is asked for.
pub fn check(
    name: &str,
    text: &str,
    model: DataModel,
    inputs: &[i64],
    exact: bool,
) -> Option<Knows> {
    let flow = flow(name, text, model);
    let execution = execute(&flow, inputs, Recording::Edges);
    let known = follow(name, text, &flow, &execution, (true, exact));
    // What is left without the irrelevant still has the execution.
    follow(name, text, &flow, &execution, (false, false));
    known
}

fn follow(
    name: &str,
    text: &str,
    flow: &Flow,
    execution: &Execution,
    (keep_irrelevant, exact): (bool, bool),
) -> Option<Knows> {
    let mut options = LoweringOptions { keep_irrelevant, ..LoweringOptions::default() };
    // The interpreter does not pass the bodies of library functions.
    options.limits.memory.texts = 0;
    let (mut terms, lowered) = lowered(flow, options);
    let Walk { conditions, result, approximations } =
        walk(&mut terms, &lowered.program, execution)?;
    let mut solver = SolverKind::Z3.solver().expect("Z3");
    for &condition in &conditions {
        solver.assert(&terms, condition).expect("a formula");
    }
    let budget = Budget::unlimited();
    let mut goal = vec![];
    // Beside unknown values the result need not be known, and to invert a checksum is hard.
    let known = result.filter(|_| exact || approximations == 0);
    if let Some((result, status)) = known.zip(execution.status) {
        let status = terms.bits(32, status);
        goal.push(terms.equal(result, status));
    }
    let possible = solver.check(&terms, &goal, &budget).expect("an answer");
    if possible != SmtAnswer::Sat {
        let pieces: Vec<String> =
            conditions.iter().map(|&c| terms.display(c).to_string()).collect();
        panic!("{name} cannot be followed:\n{text}\n{}", pieces.join("\n"));
    }
    let Some(&goal) = goal.first() else { return Some(Knows::Something) };
    let other = terms.not(goal);
    let other = solver.check(&terms, &[other], &budget).expect("an answer");
    Some(if other == SmtAnswer::Unsat { Knows::All } else { Knows::Something })
}

/// Programs whose result the model must know, with inputs.
const EXACT: &[(&str, &[i64])] = &[
    ("int main(void) { int x = __VERIFIER_nondet_int(); return x * 3 - x / 2 + x % 7; }", &[-17]),
    (
        "int main(void) { unsigned x = __VERIFIER_nondet_int(); return (x >> 3) + (x << 33); }",
        &[-17],
    ),
    ("int main(void) { int x = 5; int *p = &x; *p += 2; return x; }", &[]),
    (
        "int main(void) { int x = 5, y = 6; int *p = __VERIFIER_nondet_int() ? &x : &y; *p = 9; return x * 10 + y; }",
        &[1],
    ),
    (
        "int main(void) { int x = 5, y = 6; int *p = __VERIFIER_nondet_int() ? &x : &y; *p = 9; return x * 10 + *p; }",
        &[0],
    ),
    (
        "int a[5] = {1, 2, 3}; int main(void) { int i = __VERIFIER_nondet_int(); a[i] = 7; a[i - 1]++; return a[0] + a[1] * 10 + a[2] * 100 + a[i]; }",
        &[2],
    ),
    (
        "int a[2][3]; int main(void) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(); a[i][j] = 7; return a[1][2] * 10 + a[0][1]; }",
        &[1, 2],
    ),
    (
        "int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; } int main(void) { int b[4] = {1, 2, 3, 4}; return sum(b, 4); }",
        &[],
    ),
    (
        "int main(void) { int b[4] = {1, 2, 3, 4}; int *p = b, s = 0; while (p < b + 4) s = s * 10 + *p++; return s; }",
        &[],
    ),
    (
        "struct s { int x; struct { char c; int y; } in; } g; int main(void) { struct s t = {1, {2, 3}}, *p = &g; *p = t; g.in.y++; return p->in.y * 100 + p->in.c * 10 + g.x; }",
        &[],
    ),
    (
        "struct l { struct l *next; int v; }; int main(void) { struct l a, b, *p; a.v = 1; b.v = 2; a.next = &b; b.next = 0; int s = 0; for (p = &a; p; p = p->next) s = s * 10 + p->v; return s; }",
        &[],
    ),
    (
        "struct b { unsigned x : 3; int y : 5; _Bool z : 1; }; int main(void) { struct b s; s.x = 13; s.y = 19; s.z = 4; s.x++; return s.x * 100 + s.y * 3 + s.z; }",
        &[],
    ),
    (
        "union u { int i; unsigned char c[4]; struct { short a, b; } s; }; int main(void) { union u x; x.i = 0x01020304; x.c[1] = 9; x.s.b = 5; return x.i; }",
        &[],
    ),
    (
        "int main(void) { int x = 0x01020304; char *p = (char *)&x; p[1] = 7; return x + ((short *)&x)[1]; }",
        &[],
    ),
    (
        "int f(int x) { return x + 1; } int g(int x) { return x * 2; } int main(void) { int (*p)(int) = __VERIFIER_nondet_int() ? f : g; return p(20); }",
        &[0],
    ),
    (
        "struct m { int (*op)(int); } ; int f(int x) { return x + 1; } struct m t = { f }; int main(void) { struct m *p = &t; return p->op(4); }",
        &[],
    ),
    (
        "struct s { int a; int b; }; struct s f(struct s x) { x.a++; return x; } int main(void) { struct s y = {1, 2}; y = f(f(y)); return y.a * 10 + y.b; }",
        &[],
    ),
    (
        "void *malloc(unsigned); struct s { int a; struct s *n; }; int main(void) { struct s *p = malloc(sizeof(struct s)); p->n = malloc(sizeof *p); p->n->a = 3; p->a = 4; return p->n->a * 10 + p->a; }",
        &[],
    ),
    (
        "void *malloc(unsigned); int main(void) { int *p = malloc(4 * sizeof(int)); for (int i = 0; i < 4; i++) p[i] = i; return p[1] + p[3]; }",
        &[],
    ),
    (
        "void *memcpy(void *, const void *, unsigned); void *memset(void *, int, unsigned); struct s { int a; char c[3]; } x = {7, \"ab\"}, y; int main(void) { memcpy(&y, &x, sizeof x); memset(x.c, 1, 2); return y.a + y.c[1] + x.c[0] * 1000 + x.c[2]; }",
        &[],
    ),
    (
        "int main(void) { const char *s = \"hello\"; int i = __VERIFIER_nondet_int(); return s[i]; }",
        &[3],
    ),
    (
        "int fac(int n) { return n < 2 ? 1 : n * fac(n - 1); } int main(void) { return fac(5); }",
        &[],
    ),
    (
        "int fib(int n) { int a, b; if (n < 2) return n; a = fib(n - 1); b = fib(n - 2); return a + b; } int main(void) { return fib(6); }",
        &[],
    ),
    (
        "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } int main(void) { int x = 1, y = 2, z = 3; swap(&x, &y); swap(&y, &z); return x * 100 + y * 10 + z; }",
        &[],
    ),
    (
        "int g; void set(int **p) { *p = &g; } int main(void) { int *q; set(&q); *q = 12; return g; }",
        &[],
    ),
    (
        "struct o { int k; struct i { int v; } in; }; int main(void) { struct o x = {1, {2}}; struct i *p = &x.in; struct o *q = (struct o *)((char *)p - __builtin_offsetof(struct o, in)); return q->k + p->v * 10; }",
        &[],
    ),
    (
        "int main(void) { _Bool b = __VERIFIER_nondet_int(); char c = 200; short s = c; return b * 1000 + s + (unsigned char)c; }",
        &[6],
    ),
    (
        "long long main2(long long x) { return x * x; } int main(void) { long long r = main2(__VERIFIER_nondet_int()); return r >> 32; }",
        &[123456],
    ),
    (
        "int a[3]; int main(void) { int *p = &a[2]; p--; *p = 5; p -= 1; *p = 6; return a[0] * 10 + a[1]; }",
        &[],
    ),
    ("int main(void) { float f = 2.5f, g; g = f; return g == f ? 1 : 1; }", &[]),
];

/// Programs where one name stands for several objects, or memory is not modelled: the result must
/// be among the possible ones.
const VAGUE: &[(&str, &[i64])] = &[
    (
        "void *malloc(unsigned long); struct l { struct l *next; int v; }; int main(void) { struct l *l = 0; for (int i = 1; i < 4; i++) { struct l *n = malloc(sizeof *n); n->next = l; n->v = i; l = n; } return l->v * 100 + l->next->v * 10 + l->next->next->v; }",
        &[],
    ),
    (
        "void *malloc(unsigned long); int *make(int x) { int *p = malloc(sizeof(int)); *p = x; return p; } int main(void) { int *p = make(1), *q = make(2); return *p * 10 + *q + (p == q); }",
        &[],
    ),
    (
        "int f(int n, int *up) { int x = n; if (n > 0) f(n - 1, &x); *up += x; return x; } int main(void) { int r = 0; f(3, &r); return r; }",
        &[],
    ),
    (
        "int a[100]; int main(void) { for (int i = 0; i < 5; i++) a[i * 20] = i; return a[20] + a[80] * 10; }",
        &[],
    ),
    (
        "int main(void) { int x = 1, y = 2; long n = (long)&x; n ^= 7; n ^= 7; *(int *)n = 5; return x * 10 + y; }",
        &[],
    ),
    (
        "void *malloc(unsigned long); void *realloc(void *, unsigned long); int main(void) { int *p = malloc(8); p[1] = 3; p = realloc(p, 16); p[3] = 4; return p[1] + p[3]; }",
        &[],
    ),
    (
        "char *strcpy(char *, const char *); unsigned long strlen(const char *); int main(void) { char b[8]; strcpy(b, \"abc\"); return b[1] + strlen(b); }",
        &[],
    ),
    ("int main(void) { double d = 1.5; d = d * 2; int x = d; if (d > 2) x++; return x; }", &[]),
];

#[test]
fn vague_results_are_among_the_possible_ones() {
    for (i, (text, inputs)) in VAGUE.iter().enumerate() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let known = check(&format!("program {i}"), &format!("{text}\n"), model, inputs, true);
            assert!(known.is_some(), "program {i} leaves the model");
        }
    }
}

#[test]
fn the_model_knows_the_results_of_small_programs() {
    let mut vague = Vec::new();
    for (i, (text, inputs)) in EXACT.iter().enumerate() {
        let text = format!("extern int __VERIFIER_nondet_int(void);\n{text}\n");
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            if check(&format!("program {i}"), &text, model, inputs, true) != Some(Knows::All) {
                vague.push((i, model));
            }
        }
    }
    assert!(vague.is_empty(), "not known: {vague:?}");
}

#[test]
fn executions_of_random_programs_can_be_followed() {
    let mut random = Random::new(23);
    for i in 0..40 {
        let text = Maker::new(&mut random).program();
        let input = random.below(1000) as i64 - 500;
        let model = if i % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        check(&format!("random {i}"), &text, model, &[input], false);
    }
}

#[test]
fn executions_of_generated_programs_can_be_followed() {
    for level in 1..=3 {
        for (name, text, _, witness) in generated(level, 5, 25) {
            for inputs in [witness.clone(), vec![1; 40], vec![3, 0, 2, 1, -1, 5, 7, 0, 1, 2, 3, 4]]
            {
                check(&name, &text, DataModel::Ilp32, &inputs, false);
            }
        }
    }
}

/// Figures of a family: files, edges, and those edges and values that the model does not know.
#[derive(Debug, Default)]
struct Figures {
    files: u32,
    functions: usize,
    edges: usize,
    locals: usize,
    approximations: usize,
    unsupported: usize,
}

#[test]
fn all_benchmarks_are_lowered() {
    let Some(folder) = crate::support::c::shared().map(|s| s.join("benchmarks/c")) else {
        eprintln!("skipped: no benchmarks (set HARDBOP_SHARED)");
        return;
    };
    let mut table: std::collections::BTreeMap<String, Figures> = Default::default();
    let mut families: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().collect();
    families.sort_by_key(std::fs::DirEntry::path);
    for family in families.iter().filter(|f| f.path().is_dir()) {
        let figures = table.entry(family.file_name().to_string_lossy().into_owned()).or_default();
        for file in std::fs::read_dir(family.path()).expect("a folder").flatten() {
            let path = file.path();
            if !path.extension().is_some_and(|e| e == "c" || e == "i") {
                continue;
            }
            let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
            let flow = flow(&path.to_string_lossy(), &text, DataModel::Ilp32);
            let (terms, Lowered { program, assumptions, .. }) =
                lowered(&flow, LoweringOptions::default());
            figures.files += 1;
            figures.functions += program.functions.len();
            for function in &program.functions {
                figures.edges += function.edges.len();
                figures.locals += function.locals.len();
                for edge in &function.edges {
                    figures.unsupported += usize::from(matches!(edge.step, Step::Unsupported(_)));
                    let approximation = matches!(
                        edge.step,
                        Step::Operation(Operation::Havoc(_, Origin::Approximation))
                    );
                    figures.approximations += usize::from(approximation);
                }
            }
            if std::env::var_os("HARDBOP_VERBOSE").is_some() {
                eprintln!("{}: {} terms", path.display(), terms.len());
                for assumption in assumptions {
                    eprintln!("  {assumption}");
                }
            }
        }
    }
    for (family, figures) in &table {
        eprintln!("{family}: {figures:?}");
    }
    for exact in ["locks", "ssh-simplified", "ntdrivers-simplified", "loops", "loop-lit"] {
        let figures = &table[exact];
        assert!(figures.files > 0, "{exact}");
        assert_eq!(figures.unsupported, 0, "{exact}");
    }
}
