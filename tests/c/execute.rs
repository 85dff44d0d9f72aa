//! The interpreter of C programs against gcc, and against the generator of random programs, which
//! share nothing with it.
//!
//! `HARDBOP_FUZZ=N` checks N programs of each kind; `HARDBOP_FUZZ_SEED=S` moves on to others.

mod evolution;
mod explore;
mod ways;

use crate::support::c::maker::Maker;
use crate::support::c::{Compiled, can_compile, execute, flow, generated, words};
use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_c::execute::{
    End, Execution, ExecutionOptions, ExecutionOutcome, Exploration, Fault, Limit, Loaded,
    Randomly, Recording, Traced, Ways, Zero, replay, run,
};
use hardbop_c::flow::Flow;
use hardbop_c::trace::{Input, InputKind};
use hardbop_c::types::DataModel;
use hardbop_smt::SolverKind;

/// Whether all executions show that no input leads to an error, or one that some do; nothing if they show neither, or where it
/// decides something where objects lie.
fn shown(flow: &Flow, ways: Ways) -> Option<bool> {
    let program = Loaded::new(flow);
    let record = Recording::Inputs;
    let options =
        ExecutionOptions { lazy: true, steps: 100_000, record, ..ExecutionOptions::default() };
    let mut all = Exploration::new(&program, ways);
    let mut located = false;
    for _ in 0..4_000 {
        let Some(mut found) = all.next(&options) else { return (!located).then_some(false) };
        located |= found.located;
        if found.reaches_error() && all.ways().fill(&mut found) {
            let again = replay(flow, &found.trace(), &ExecutionOptions::default());
            assert!(again.is_ok_and(|e| e.reaches_error()), "{}", flow.source.text);
            return Some(true);
        }
        if !found.is_closed() || !matches!(found.outcome, ExecutionOutcome::Ended(_)) {
            return None;
        }
    }
    None
}

/// What executions show whose inputs are terms.
fn shown_by_terms(flow: &Flow) -> Option<bool> {
    let solver = SolverKind::Blast.solver().expect("a solver");
    shown(flow, Ways::with_solver(solver, 20_000, &Budget::unlimited()))
}

/// Makes random statements of C.
trait Statements {
    fn text(&mut self) -> &mut String;

    /// Adds a statement that is nested so deep at most.
    fn statement(&mut self, depth: usize);

    /// Adds a choice of two statements.
    fn either(&mut self, condition: &str, depth: usize) {
        self.text().push_str(&format!("if ({condition}) {{\n"));
        self.statement(depth);
        self.text().push_str("} else {\n");
        self.statement(depth);
        self.text().push_str("}\n");
    }

    /// Adds two statements of which a value chooses, with this between them.
    fn cases(&mut self, value: &str, between: &str, depth: usize) {
        self.text().push_str(&format!("switch ({value}) {{ case 1:\n"));
        self.statement(depth);
        self.text().push_str(&format!("{between} case 2:\n"));
        self.statement(depth);
        self.text().push_str("}\n");
    }
}

fn number(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().map_or(default, |n| n.parse().expect("a number"))
}

/// Values like those of the witnesses, with a few large ones.
fn values(random: &mut Random) -> Vec<i64> {
    let one = |random: &mut Random| match random.below(12) {
        0 => random.bits() as i64,
        1 => i64::from(i32::MIN),
        2 => i64::from(i32::MAX),
        _ => random.below(17) as i64 - 8,
    };
    let count = random.below(12);
    (0..count).map(|_| one(random)).collect()
}

/// Witnesses of unsafe programs reach the error; safe ones never do; runs agree with gcc's.
#[test]
fn random_programs() {
    let seed = number("HARDBOP_FUZZ_SEED", 1);
    let compiler = can_compile(DataModel::Lp64);
    let (mut programs, mut witnesses, mut runs, mut skipped) = (0, 0, 0, 0);
    for level in 1..=5 {
        for (name, text, is_unsafe, witness) in generated(level, seed, number("HARDBOP_FUZZ", 4)) {
            programs += 1;
            let flow = flow(&name, &text, DataModel::Lp64);
            if is_unsafe {
                let found = execute(&flow, &witness, Recording::Edges);
                assert!(
                    found.reaches_error(),
                    "{name} on {witness:?}: {:?}\n{text}",
                    found.outcome
                );
                let again = replay(&flow, &found.trace(), &Default::default());
                let again = again.expect("a replay");
                // A local variable that is written before it is read is no input of the replay.
                let given = |execution: &Execution| -> Vec<Input> {
                    let inputs = execution.inputs.iter().map(|recorded| &recorded.input);
                    inputs.filter(|input| input.kind.is_nondet()).cloned().collect()
                };
                assert_eq!(given(&again), given(&found), "{name}\n{text}");
                assert!(again.inputs.len() <= found.inputs.len(), "{name}\n{text}");
                witnesses += 1;
            }
            let compiled = compiler.then(|| Compiled::new(&text, DataModel::Lp64)).flatten();
            let mut random = Random::new(u64::from(seed));
            for _ in 0..20 {
                let values = values(&mut random);
                let ours = execute(&flow, &values, Recording::Inputs);
                assert!(is_unsafe || !ours.reaches_error(), "{name} on {values:?}\n{text}");
                match (&compiled, words(&ours)) {
                    (Some(compiled), Some(ours)) => {
                        let theirs = compiled.run(&values);
                        assert_eq!(Some(ours), theirs, "{name} on {values:?}\n{text}");
                        runs += 1;
                    }
                    _ => skipped += 1,
                }
            }
        }
    }
    eprintln!(
        "{programs} programs, {witnesses} witnesses, {runs} runs as gcc's, {skipped} without"
    );
}

/// Programs whose result tells whether each step was right: the same result as gcc's.
#[test]
fn programs_with_results() {
    let programs: &[&str] = &[
        "int main(void) { return 6 * 7; }",
        "unsigned char c = 250; int main(void) { c += 10; return c; }",
        "int main(void) { int a = -7, b = 2; return (a / b) * 100 + a % b + (a >> 1) * 7 + (b << 3); }",
        "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { return f(15); }",
        "struct s { char c; int x : 5; unsigned y : 7; short z; struct { int q; } in[3]; };
         int main(void) { struct s a, b; a.c = 'x'; a.x = 17; a.y = 200; a.z = -3; a.in[2].q = 9;
           b = a; b.y++; return b.c + b.x * 10 + b.y * 1000 + b.z + b.in[2].q + sizeof(struct s) * 100000; }",
        "int main(void) { int a[5] = {1, 2, 3}; int *p = a + 4; *p = 10; p--; *p += 5;
           int s = 0; for (int i = 0; i < 5; i++) s = s * 3 + a[i]; return s + (p - a) * 1000; }",
        "static int twice(int x) { return 2 * x; } static int square(int x) { return x * x; }
         int (*table[2])(int) = { twice, square };
         int main(void) { return table[0](21) + table[1](5) * 100; }",
        "union u { unsigned i; unsigned char b[4]; };
         int main(void) { union u u; u.i = 0x01020304; return u.b[0] * 10 + u.b[3]; }",
        "int main(void) { double d = 0.1; float f = 0.1f; int n = 0;
           for (int i = 0; i < 10; i++) d += 0.1; if (d == 1.1) n += 1; if (f == 0.1) n += 2;
           if ((float)0.1 == f) n += 4; return n * 1000 + (int)(d * 100) + (unsigned char)2.9; }",
        "void *malloc(unsigned long); void free(void *);
         struct n { int v; struct n *next; };
         int main(void) { struct n *h = 0; int s = 0;
           for (int i = 0; i < 10; i++) { struct n *x = malloc(sizeof(struct n)); x->v = i; x->next = h; h = x; }
           while (h) { struct n *x = h->next; s = s * 3 + h->v; free(h); h = x; } return s; }",
        "char *s = \"hello\"; char t[] = \"ab\\0c\";
         int main(void) { int n = 0; while (s[n]) n++; return n * 100 + sizeof t + t[3]; }",
        "int x = 3; int main(void) { int y = x++ + x++ * 10; switch (y) { case 43: y = 1; case 44: y += 2; break;
           default: y = 9; } do y += x; while (y < 20); return y; }",
        "int g(int *p) { *p += 1; return *p; }
         int main(void) { int a = 0; int r = g(&a) && (g(&a) || g(&a)); return a * 10 + r + !!a; }",
        "int main(void) { static int n; int s = 0; again: n++; { int k = n; s += k; } if (n < 5) goto again; return s; }",
        "long long a = 5000000000LL; unsigned long long b = 1ULL << 63;
         int main(void) { return (int)(a / 7) + (int)(b >> 60) + (a > b) + ((int)a < 0); }",
        "typedef struct { int a, b; } P; P mk(int a) { P p = { a, a + 1 }; return p; }
         int sum(P p) { p.a++; return p.a * p.b; } int main(void) { P p = mk(4); return sum(p) * 10 + p.a + mk(7).b; }",
        "int main(void) { int m[2][3] = {{1,2,3},{4,5,6}}; int (*r)[3] = m + 1; return (*r)[2] * 10 + m[0][1] + sizeof m; }",
        "enum e { A = 3, B, C = -2 }; int main(void) { enum e x = B; return x * 10 + C + (x == B ? A : C); }",
        "int main(void) { unsigned u = 3000000000u; int i = -1; return (u > i) + 2 * (u < 1u) + 4 * (i < 1u) + (signed char)200; }",
        "int main(void) { volatile int i = 0; int s = 0; for (;;) { if (++i > 10) break; if (i % 2) continue; s += i; } return s; }",
    ];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        if !can_compile(model) {
            continue;
        }
        for text in programs {
            // The tests have no C library.
            if text.contains("malloc") {
                let flow = flow("p.c", text, model);
                assert_eq!(execute(&flow, &[], Recording::Values).status, Some(250_959), "{text}");
                continue;
            }
            let theirs = Compiled::new(text, model).expect("C").run(&[]);
            let ours = execute(&flow("p.c", text, model), &[], Recording::Values);
            assert_eq!(words(&ours), theirs, "{model:?}: {:?}\n{text}", ours.outcome);
        }
    }
}

/// Arithmetic in all types: the same checksums as gcc's.
#[test]
fn random_arithmetic() {
    let seed = number("HARDBOP_FUZZ_SEED", 1);
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        if !can_compile(model) {
            continue;
        }
        let (mut runs, mut traps) = (0, 0);
        let mut random = Random::new(u64::from(seed));
        for _ in 0..number("HARDBOP_FUZZ", 15) {
            let text = Maker::new(&mut random).program();
            let flow = flow("p.c", &text, model);
            // Division of `long long` is in a library that may be missing.
            let Some(compiled) = Compiled::new(&text, model) else { continue };
            for _ in 0..4 {
                let value =
                    if random.chance(50) { random.bits() as i32 } else { random.below(9) as i32 };
                let values = [i64::from(value)];
                let ours = execute(&flow, &values, Recording::Inputs);
                match (words(&ours), &ours.outcome) {
                    (Some(ours), _) => {
                        assert_eq!(
                            Some(ours),
                            compiled.run(&values),
                            "{model:?} {values:?}\n{text}"
                        );
                        runs += 1;
                    }
                    (None, ExecutionOutcome::Fault { fault: Fault::DivisionOverflow, .. }) => {
                        traps += 1
                    }
                    (None, outcome) => panic!("{model:?} {values:?}: {outcome:?}\n{text}"),
                }
            }
        }
        eprintln!("{model:?}: {runs} runs as gcc's, {traps} traps");
    }
}

fn fault(text: &str) -> Fault {
    match execute(&flow("p.c", text, DataModel::Ilp32), &[0], Recording::Values).outcome {
        ExecutionOutcome::Fault { fault, .. } => fault,
        other => panic!("{other:?}\n{text}"),
    }
}

/// Of large objects only what is written takes memory: the same results as gcc's.
#[test]
fn large_objects() {
    let programs: &[&str] = &[
        "static unsigned a[50000000]; int main(void) { unsigned s = 0, x = 1;
           for (int i = 0; i < 3000; i++) { x = x * 1103515245u + 12345u; a[x % 50000000u] += x;
             s = s * 31 + a[x * 7 % 50000000u] + a[x % 50000000u]; } return s; }",
        "static unsigned char b[1 << 18]; int main(void) { unsigned s = 0; unsigned long long *p;
           for (int i = 4080; i < 4100; i++) { p = (unsigned long long *)(b + i); *p = *p * 3 + i * 0x0123456789ABCDEFull; }
           for (int i = 4070; i < 4120; i++) s = s * 31 + b[i]; return s; }",
        "struct big { int n; int a[30000]; } x, y; int main(void) { unsigned s = 0;
           for (int i = 0; i < 30000; i += 7) x.a[i] = i * i; y = x; x.a[7] = 1;
           for (int i = 0; i < 30000; i++) s = s * 31 + y.a[i] + x.a[i]; return s; }",
        "int f(int n) { int a[n]; a[0] = n; a[n - 1] = 7; a[n / 2] = 9; return a[0] + a[n / 2] + a[n - 1]; }
           int main(void) { return f(3) + f(100000) + f(1000) + f(500000) * 3; }",
        "static struct { unsigned f : 3, g : 30; char pad[70000]; unsigned h : 5; } s[3];
           int main(void) { s[1].g = 123456; s[2].h = 21; s[1].f = s[2].h + 1; return s[1].g * 8 + s[1].f + s[2].h; }",
    ];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for text in programs.iter().filter(|_| can_compile(model)) {
            let theirs = Compiled::new(text, model).expect("C").run(&[]);
            let ours = execute(&flow("p.c", text, model), &[], Recording::Inputs);
            assert_eq!(words(&ours), theirs, "{model:?}: {:?}\n{text}", ours.outcome);
        }
    }
    let library = "void *malloc(unsigned long), *calloc(unsigned long, unsigned long), *realloc(void *, unsigned long);
        void *memset(void *, int, unsigned long), *memcpy(void *, const void *, unsigned long); void free(void *);";
    let status = |body: &str| {
        let text = format!("{library} int main(void) {{ {body} }}");
        let execution = execute(&flow("p.c", &text, DataModel::Lp64), &[], Recording::Inputs);
        execution.status.ok_or(execution.outcome)
    };
    let far = "int *a = malloc(16UL << 30); a[4000000000UL] = 5; a[0] = 2;";
    assert_eq!(status(&format!("{far} return a[0] + a[4000000000UL];")), Ok(7));
    assert_eq!(
        status("int *a = calloc(1UL << 30, 4); a[9] = 1; return a[8] + a[9] + a[1 << 29];"),
        Ok(1)
    );
    let set = "char *a = malloc(1 << 20); memset(a, 1, 1 << 20); memset(a + 5, 0, 9000); memset(a + 6, 2, 3);";
    assert_eq!(
        status(&format!("{set} return a[4] * 1000 + a[5] * 100 + a[7] * 10 + a[9005];")),
        Ok(1021)
    );
    let copy = "int *a = calloc(50000, 4), *b = malloc(200000); a[49999] = 3; memcpy(b, a, 200000); a[49999] = 0;
        b = realloc(b, 400000); b[99999] = 4;";
    assert_eq!(
        status(&format!("{copy} return a[49999] + b[49999] * 10 + b[99999] + b[7];")),
        Ok(34)
    );
    // An execution that is too large ends; no other one does.
    for body in [
        "char *a = malloc(8UL << 30); memset(a, 1, 8UL << 30); return a[7];",
        "for (unsigned long i = 0; i < 1 << 20; i++) { char *a = malloc(1 << 12); a[0] = 1; } return 0;",
        "char *a = malloc(1UL << 62); a[0] = 1; return 0;",
    ] {
        assert!(matches!(status(body), Err(ExecutionOutcome::Limit(_))), "{body}");
    }
}

/// A state that comes again is noticed; what only looks like one is not.
#[test]
fn endless_loops() {
    let outcome = |text: &str| {
        let options = ExecutionOptions { steps: 3_000_000, ..ExecutionOptions::default() };
        run(&flow("p.c", text, DataModel::Lp64), &mut Zero, &options).outcome
    };
    for text in [
        "int x, a; int main(void) { while (1) { a = x; } }",
        "int main(void) { unsigned char c = 0; for (;;) { c += 3; if (c == 2) c = 1; } }",
        "struct n { struct n *next; int v; } a, b; int main(void) { a.next = &b; b.next = &a; struct n *p = &a;
           while (p) { p->v ^= 1; p = p->next; } }",
        "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { while (!f(50)) {} }",
        "void *malloc(unsigned long); int main(void) { int *p = malloc(40); *p = 0; do *p = 3 - *p; while (*p < 9); }",
        "unsigned s = 1; int main(void) { while (s) s = s * 5 % 4099; return 0; }",
    ] {
        assert_eq!(outcome(text), ExecutionOutcome::Ended(End::Never), "{text}");
    }
    for text in [
        "unsigned long long n; int main(void) { while (n < 300000) { n++; } return 0; }",
        "static unsigned char a[100000]; int main(void) { for (;;) { int i = 99999; while (++a[i] == 0) i--; if (a[99998] == 200) return 0; } }",
        "static unsigned char a[9]; int main(void) { for (;;) { int i = 0; while (++a[i] == 0) i++; if (a[2]) return 0; } }",
        "int f(int n) { static int k; return n ? f(n - 1) : k++ > 3000; } int main(void) { while (!f(9)) {} return 0; }",
        "struct b { unsigned low : 7, high : 11; } b; int main(void) { do if (!++b.low) b.high++; while (b.high < 1500); return 0; }",
        "int a, b; int main(void) { int *p = &a, *q = &b; while (*p < 60000) { int *t = p; p = q; q = t; ++*t; } return 0; }",
        "double d; int main(void) { while (d < 20000) d += 0.25; return 0; }",
    ] {
        assert_eq!(outcome(text), ExecutionOutcome::Ended(End::Returned), "{text}");
    }
    // Inputs may be others the next time; there are not more and more of them.
    let asks = "extern int __VERIFIER_nondet_int(void); int main(void) { while (!__VERIFIER_nondet_int()) {} return 0; }";
    assert!(matches!(outcome(asks), ExecutionOutcome::Limit(_)));
}

/// Frames are on the heap.
#[test]
fn deep_recursion() {
    let text =
        "int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); } int main(void) { return f(50000); }";
    let flow = flow("p.c", text, DataModel::Ilp32);
    let execution = run(&flow, &mut Zero, &ExecutionOptions::default());
    assert_eq!((execution.status, execution.inputs.len()), (Some(50_000), 0));
    let shallow = ExecutionOptions { depth: 1_000, ..ExecutionOptions::default() };
    assert_eq!(run(&flow, &mut Zero, &shallow).outcome, ExecutionOutcome::Limit(Limit::Depth));
}

/// What is uninitialised is asked for once, and stays so; instances are told apart.
#[test]
fn uninitialised() {
    let text = "int g(void) { int a[2], x; a[1] = a[0]; return a[1] == a[0] && x == x; }
        int main(void) { int s = g(); for (int i = 0; i < 2; i++) { short y; s += y; } return s + g(); }";
    let flow = flow("p.c", text, DataModel::Lp64);
    let execution = run(&flow, &mut Randomly::new(5), &ExecutionOptions::default());
    let asked: Vec<(String, u64, u64)> = (execution.inputs.iter())
        .filter_map(|r| match &r.input.kind {
            InputKind::Uninitialised { name, instance, bit, .. } => {
                Some((name.clone(), instance.expect("a number"), *bit))
            }
            _ => None,
        })
        .collect();
    let expected = [("x", 0, 0), ("a", 0, 0), ("y", 0, 0), ("y", 1, 0), ("x", 1, 0), ("a", 1, 0)];
    assert_eq!(asked, expected.map(|(name, instance, bit)| (name.to_owned(), instance, bit)));
    // Without numbers they are told apart by repetition.
    let mut trace = execution.trace();
    for input in &mut trace.inputs {
        if let InputKind::Uninitialised { instance, .. } = &mut input.kind {
            *instance = None;
        }
    }
    let again = run(&flow, &mut Traced::new(&trace), &ExecutionOptions::default());
    assert_eq!(again, execution);
}

/// Undefined behaviour ends the execution.
#[test]
fn faults() {
    let n = "extern int __VERIFIER_nondet_int(void); void *malloc(unsigned); void free(void *);";
    let f = |body: &str| fault(&format!("{n} int g[2]; int main(void) {{ {body} }}"));
    assert_eq!(f("int *p = 0; return *p;"), Fault::Null);
    assert_eq!(f("return 1 / __VERIFIER_nondet_int();"), Fault::DivisionByZero);
    assert_eq!(f("return 1 % __VERIFIER_nondet_int();"), Fault::DivisionByZero);
    let name = "g".to_owned();
    assert_eq!(f("return g[2];"), Fault::OutOfVariable { name, offset: 8, size: 8 });
    assert!(matches!(f("int *p = g; p[2] = 1; return 0;"), Fault::OutOfBounds { size: 4, .. }));
    assert_eq!(f("int *p = malloc(4); free(p); return *p;"), Fault::Released);
    assert!(matches!(f("int *p = malloc(8); free(p + 1); return 0;"), Fault::InvalidFree(_)));
    assert_eq!(f("char *s = \"a\"; *s = 'b'; return 0;"), Fault::ReadOnly);
    assert!(matches!(f("return *(int *)main;"), Fault::FunctionAccess(_)));
    assert_eq!(f("int *p; { int x = 1; p = &x; } int (*h)(void) = 0; return h();"), Fault::Null);
    let dangling =
        format!("{n} int *f(void) {{ int x = 1; return &x; }} int main(void) {{ return *f(); }}");
    assert_eq!(fault(&dangling), Fault::Released);
    let least = "int main(void) { int a = -2147483647 - 1, b = -1; return a / b; }";
    assert_eq!(fault(least), Fault::DivisionOverflow);
}
