//! Harnesses reach the error when gcc compiles them.

use crate::support::c::{
    analysis_only, can_compile, flow, generated, run_harness, run_harness_hosted,
};
use hardbop::Budget;
use hardbop_base::random::Random;
use hardbop_c::execute::{
    Execution, ExecutionOptions, Given, Oracle, Randomly, Recording, Request, replay, run,
};
use hardbop_c::harness::{ASSUMPTION_CODE, ERROR_CODE, harness};
use hardbop_c::on_large_stack;
use hardbop_c::trace::{CTrace, Input, InputKind};
use hardbop_c::types::DataModel;
use hardbop_report::trace::Trace;
use hardbop_verify::{self as verify, CProgram, Outcome};

/// Random values until the error is reached.
struct Search(Random);

impl Oracle for Search {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        let small = self.0.below(9) as i64 - 3;
        Some(Given::Bits(match (request.float, request.bits) {
            (true, 32) => u64::from((small as f32 / 2.0).to_bits()),
            (true, _) => (small as f64 / 2.0).to_bits(),
            _ => small as u64,
        }))
    }
}

fn search(flow: &hardbop_c::flow::Flow) -> Execution {
    let options = ExecutionOptions {
        steps: 100_000,
        record: Recording::Values,
        ..ExecutionOptions::default()
    };
    on_large_stack(|| {
        let all = (0..20_000).map(|seed| run(flow, &mut Search(Random::new(seed)), &options));
        all.into_iter().find(Execution::reaches_error)
    })
    .expect("a thread")
    .unwrap_or_else(|| panic!("no error found:\n{}", flow.source.text))
}

/// Where values come from, and where errors are.
const PROGRAMS: &[&str] = &[
    // The error as a call, a label, an assertion of three kinds.
    "extern int __VERIFIER_nondet_int(void); void reach_error() { }
     int main() { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); return 107; }",
    "extern int __VERIFIER_nondet_int(); int main() { int x = __VERIFIER_nondet_int();
       if (x != 2) goto out; /* the label */ ERROR: x = 1; out: return x; }",
    "extern int __VERIFIER_nondet_int(void); extern void assert(int);
     int main() { int i = 0; while (i < 10) { assert(i != 5 || __VERIFIER_nondet_int() < 4); i++; } return 0; }",
    "extern void __assert_fail(const char *a, const char *f, unsigned l, const char *n) __attribute__((__noreturn__));
     extern unsigned char __VERIFIER_nondet_uchar(void);
     int main() { unsigned char c = __VERIFIER_nondet_uchar(); c == 253 ? __assert_fail(\"c\", \"f\", 1, \"m\") : (void)0; return 0; }",
    "extern void __VERIFIER_error(); extern _Bool __VERIFIER_nondet_bool(); extern void __VERIFIER_assume(int);
     int main() { _Bool b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool(); __VERIFIER_assume(b != c);
       if (b) __VERIFIER_error(); return 0; }",
    // The error by a pointer, with a body and without one.
    "extern void reach_error(void); extern void abort(void); extern int __VERIFIER_nondet_int(void);
     void (*table[2])(void) = {abort, reach_error}, (*one)(void) = &reach_error;
     int main() { if (one != table[1]) return 0; (__VERIFIER_nondet_int() == 3 ? *one : abort)(); return 0; }",
    "void __VERIFIER_error(void) {} static void call(void (*f)(void)) { f(); } int main() { call(__VERIFIER_error); return 0; }",
    // Functions without a body, of several types; some without a use of their results.
    "int unknown(int, char *); signed char small(void); void nothing(int *); double real(void); float single(void);
     struct s { int a; } *pointer(void); unsigned long long wide(void); void reach_error(void);
     int main() { int n = 0; nothing(&n); unknown(1, 0); small(); if (unknown(2, 0) == 1 && small() == -2 && real() <= 0.5
       && single() < 2.5f && pointer() == 0 && wide() != 99) reach_error(); return n; }",
    // Uninitialised locals: scalars, in loops, records, arrays, pointers to functions.
    "void reach_error(void); int main() { int x, *p = &x, y; char c; float f; if (*p == 4 && y == -1 && c == 2 && f == 1.5f) reach_error(); return 0; }",
    "void reach_error(void); int main() { for (int i = 0; i < 3; i++) { int x; short y; if (x + y != i) return 0; } reach_error(); return 0; }",
    "void reach_error(void); struct s { int a; char b; int c : 3; }; int f(int k) { struct s s; int a[2], b; return s.a > 0 && a[k] >= b && s.c != 2; }
     int main() { if (f(0) && f(1)) reach_error(); return 0; }",
    // Variables that nothing defines.
    "extern int outside; extern struct { short a, b; } both; void reach_error(void);
     int main() { if (outside == 2 && both.b == -1) reach_error(); return 0; }",
    // The streams of the C library, where it is linked.
    "typedef struct _IO_FILE FILE; extern FILE *stdout; extern int fputs(const char *, FILE *), printf(const char *, ...);
     extern int __VERIFIER_nondet_int(void); void reach_error(void);
     int main() { fputs(\"\", stdout); printf(\"\"); if (__VERIFIER_nondet_int() == 3) reach_error(); return 0; }",
    // Bits that were written after they had been copied.
    "void reach_error(void); struct s { unsigned a : 4, b : 4; int c; };
     int main() { struct s x; struct s y = x; y.a = 3; if (y.b == 2 && x.a == 5) reach_error(); return 0; }",
    // Arguments of the function that starts, in both styles.
    "void reach_error(void); int main(int argc, char **argv) { int n = 0; while (argc-- > 0) n++; if (n == 3) reach_error(); return 0; }",
    "void reach_error(void); int main(argc) int argc; { if (argc == 2) reach_error(); return argc > 0 ? main(argc - 1) : 0; }",
    // The size of long.
    "extern long __VERIFIER_nondet_long(void); extern unsigned long int __VERIFIER_nondet_ulong(void); void reach_error(void);
     int main() { long a = __VERIFIER_nondet_long(); unsigned long b = __VERIFIER_nondet_ulong(); long int c = 4UL + b;
       if (a == 3 && c + 1L == 8 && sizeof(long) == sizeof(void *)) reach_error(); return 0; }",
    // Blocks that are read before they are written, again allocated.
    "void *malloc(__SIZE_TYPE__); void *realloc(void *, __SIZE_TYPE__); void reach_error(void);
     struct s { char c; int n : 5; _Bool b; short h; };
     int main() { struct s *s = malloc(sizeof *s), *t = malloc(2 * sizeof *t); if (s->n > 1 && t[1].h == 3 && !s->b && t[1].b) {
       s = realloc(s, 2 * sizeof *s); if (s[1].c == s->n) reach_error(); } return 0; }",
    // Memory and strings.
    "void *malloc(__SIZE_TYPE__); void free(void *); void *memset(void *, int, __SIZE_TYPE__); int __VERIFIER_nondet_int(void);
     void reach_error(void); struct n { int v; struct n *next; };
     int main() { struct n *h = 0; for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); memset(x, 0, sizeof *x);
       x->v = __VERIFIER_nondet_int(); x->next = h; h = x; } if (h->v == 1 && h->next->v == 2 && h->next->next->v == 3) reach_error(); return 0; }",
];

#[test]
fn kinds_of_values_and_errors() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let compiler = can_compile(model);
        for text in PROGRAMS {
            let flow = flow("p.c", &text.replace("__SIZE_TYPE__", "unsigned long"), model);
            let execution = search(&flow);
            let made = harness(&flow, &execution).expect("an execution into the error");
            assert!(made.notes.is_empty(), "{:?}\n{text}", made.notes);
            if compiler {
                let code = run_harness(&made.text, model);
                assert_eq!(code, Some(ERROR_CODE), "{model:?}\n{}", made.text);
            }
        }
    }
}

/// Allocations that fail: found by the solver and by random executions, replayed, and compiled.
#[test]
fn allocations_that_fail() {
    let head = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
        void *realloc(void *, unsigned long); void free(void *); void reach_error(void);\n";
    let programs = [
        "int main(void) { int *p = malloc(4); if (!p) reach_error(); return 0; }",
        "int main(void) { int *p = malloc(4), *q = calloc(1, 4); if (p && !q && *p == 3) reach_error(); return 0; }",
        "int main(void) { char *p = malloc(4); if (!p) return 0; *p = 5; char *q = realloc(p, 8);
           if (!q && *p == 5) reach_error(); return 0; }",
        "int main(void) { int n = 0; for (int i = 0; i < 3; i++) { char *p = malloc(i + 1);
           if (!p) n += i; else free(p); } if (n == 2) reach_error(); return 0; }",
    ];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let compiler = can_compile(model);
        for text in programs {
            let flow = flow("p.c", &format!("{head}{text}"), model);
            for executions in [0, 200] {
                let options = verify::Options { executions, ..analysis_only() };
                let check = |options: &verify::Options| {
                    let flow = &flow;
                    on_large_stack(move || {
                        let program = CProgram::new(flow);
                        let budget = Budget::unlimited();
                        verify::check(program, options, &budget, &mut ()).map(|r| r.outcome)
                    })
                    .expect("a thread")
                    .expect("an answer")
                };
                assert!(matches!(check(&options), Outcome::Safe(_)), "{text}");
                let options = verify::Options { malloc_may_fail: true, ..options };
                let outcome = check(&options);
                let Outcome::Unsafe(execution) = outcome else { panic!("{outcome:?}: {text}") };
                let shown = Trace::of_execution(&flow, &execution).text();
                assert!(shown.contains(") returns null (line 3)"), "{shown}");
                let made = harness(&flow, &execution).expect("a harness");
                assert!(made.notes.is_empty(), "{:?}\n{text}", made.notes);
                if compiler {
                    let code = run_harness(&made.text, model);
                    assert_eq!(code, Some(ERROR_CODE), "{model:?}\n{}", made.text);
                }
            }
        }
    }
}

/// Pointers from outside point to objects of their own where the program needs them.
#[test]
fn objects_from_outside() {
    let programs = [
        "int *place(void); void reach_error(void); int main() { int *p = place(), *q = place(); *p = 3; *q = 4;
           if (*p == 3 && place() == 0) reach_error(); return 0; }",
        "struct n { int v; struct n *next; }; struct n *list(void); void reach_error(void);
         int main() { struct n *x = list(), *y; if (x->next == 0) return 0; if (x->next->v == y->v) reach_error(); return 0; }",
        "struct d { int (*f)(void); struct d *up; char name[8]; }; extern struct d *top; void reach_error(void);
         int main() { struct d local; local.up->up->name[1] = 'x'; top->name[0] = 2; if (!local.up->up->name[2]) reach_error(); return 0; }",
        "struct unknown; extern struct unknown somewhere; struct s { int a[20], b; }; void reach_error(void);
         int main(const struct s *p) { if (p->a[7] == p->b) reach_error(); return 0; }",
    ];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let compiler = can_compile(model);
        for text in programs {
            let flow = flow("p.c", text, model);
            // In the second one the pointer that is not null comes from the trace.
            let kind = |bit| InputKind::Outside { object: 0, bit };
            let next =
                Input { kind: kind(i64::from(model.word())), bits: 32, value: 0, object: true };
            let trace = CTrace { inputs: vec![next], ..CTrace::default() };
            let options =
                ExecutionOptions { record: Recording::Values, ..ExecutionOptions::default() };
            let execution = on_large_stack(|| replay(&flow, &trace, &options)).expect("a thread");
            let execution = execution.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
            let again = on_large_stack(|| replay(&flow, &execution.trace(), &options));
            assert_eq!(again.expect("a thread").as_ref(), Ok(&execution), "{text}");
            let strict = ExecutionOptions { outside_objects: false, ..options };
            assert!(replay(&flow, &trace, &strict).is_err(), "{text}");
            let made = harness(&flow, &execution).expect("a harness");
            assert!(made.notes.is_empty(), "{:?}\n{text}", made.notes);
            if compiler {
                let code = run_harness(&made.text, model);
                assert_eq!(code, Some(ERROR_CODE), "{model:?}\n{}", made.text);
            }
        }
    }
}

/// Objects that are used as larger ones, memory of kernels, and addresses as numbers.
#[test]
fn objects_of_other_sizes() {
    let wide = "struct wide { int a; struct wide *next; char name[20]; int b; }; void reach_error(void);
        extern int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void *memset(void *, int, unsigned long);\n";
    let programs = [
        "int g, other = 7; struct wide *p; int main() { p = (struct wide *)&g; p->b = __VERIFIER_nondet_int(); p->name[19] = 1;
           if (p->b == 2 && g == 0 && other == 7) reach_error(); return 0; }",
        "int g = 7; int *q = &g; int main() { struct wide *p = (struct wide *)q; p->b = 1; if (p->a == 7 && p->name[0] == 2)
           reach_error(); return 0; }",
        "int main() { int before = 1, x, after = 2; struct wide *p = (struct wide *)&x; p->b = 5; p->a = __VERIFIER_nondet_int();
           if (x == 3 && p->name[3] == 2 && before == 1 && after == 2) reach_error(); return 0; }",
        "int main() { int x = 9; struct wide *p = (struct wide *)&x; if (p->b == 2 && x == 9 && p->a == 9) reach_error(); return 0; }",
        "int main() { char x = 9; unsigned *p = (unsigned *)&x; if (*p >> 8 == 0xffffff && (char)*p == 9) reach_error(); return 0; }",
        "int main() { static char x; unsigned *p = (unsigned *)&x; if (*p >> 8 == 0xffffff && x == 0) reach_error(); return 0; }",
        "int f(int k) { int x; struct wide *p = (struct wide *)&x; int old = p->b; p->b = k; return old; }
         int main() { if (f(1) == 3 && f(2) == 4) reach_error(); return 0; }",
        "int main() { struct wide *p = malloc(4), *q = malloc(sizeof(void *)); p->next = q; memset(q, 0, sizeof *q); q->b = 4;
           p->b = 1; if (p->next->b == 4 && p->name[1] == 2 && q->name[19] == 0) reach_error(); return 0; }",
        "void *ExAllocatePoolWithTag(int kind, unsigned long size, unsigned long tag); void ExFreePool(void *);
         int main() { struct wide *p = ExAllocatePoolWithTag(0, sizeof *p, 1); p->a = 1; if (p->b == 2 && p->a == 1) reach_error();
           ExFreePool(p); return 0; }",
        "void *make(void) { return (char *)1; } int main() { struct wide *p = make(); p->a = 3; p->b = 4;
           if (p->a == 3 && !p->name[2] && ((struct wide *)make())->b == 4) reach_error(); return 0; }",
    ];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let compiler = can_compile(model);
        for text in programs {
            let flow = flow("p.c", &format!("{wide}{text}"), model);
            let options = ExecutionOptions {
                steps: 10_000,
                record: Recording::Values,
                ..ExecutionOptions::default()
            };
            let found = (0..20_000).find_map(|seed| {
                let trace = run(&flow, &mut Search(Random::new(seed)), &options).trace();
                replay(&flow, &trace, &options).ok()
            });
            let execution = found.unwrap_or_else(|| panic!("no error found:\n{text}"));
            let strict =
                ExecutionOptions { larger_objects: false, outside_objects: false, ..options };
            // The trace has the object at the address.
            let plain = text.contains("ExAllocatePool") || text.contains("(char *)1");
            assert_eq!(replay(&flow, &execution.trace(), &strict).is_ok(), plain, "{text}");
            let made = harness(&flow, &execution).expect("a harness");
            assert!(made.notes.is_empty(), "{:?}\n{text}", made.notes);
            if compiler {
                let code = run_harness(&made.text, model);
                assert_eq!(code, Some(ERROR_CODE), "{model:?}\n{}", made.text);
            }
        }
    }
}

/// With the C library, and without a compiler for ILP32.
#[test]
fn with_the_c_library() {
    if !can_compile(DataModel::Lp64) {
        return;
    }
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for text in PROGRAMS.iter().filter(|text| !text.contains("sizeof(void *)")) {
            let flow = flow("p.c", &text.replace("__SIZE_TYPE__", "unsigned long"), model);
            let made = harness(&flow, &search(&flow)).expect("an execution into the error");
            let Some(code) = run_harness_hosted(&made.text) else {
                return eprintln!("skipped: gcc has no C library");
            };
            assert_eq!(code, ERROR_CODE, "{model:?}\n{}", made.text);
        }
    }
}

/// Functions that headers only declare are the C library's, whose other functions may call them; those that the harness has in
/// place of the library's may be declared with types of the program's own.
#[test]
fn with_declarations_of_headers() {
    let text = "typedef struct _IO_FILE FILE; extern FILE *stdin; void free(void *); void reach_error(void); long sysconf(int);
        long getdelim(char **restrict, unsigned long *restrict, int, FILE *restrict); int isatty(int);
        long getline(char **restrict, unsigned long *restrict, FILE *restrict); int (*question)(int) = isatty;
        int main(void) { char *line = 0; unsigned long n = 0;
          if (getline(&line, &n, stdin) > 1 && question(0)) reach_error(); free(line); return 0; }";
    let flow = flow("p.c", text, DataModel::Lp64);
    let made = harness(&flow, &search(&flow)).expect("an execution into the error");
    assert!(!made.text.contains("\"sysconf\"") && made.text.contains("\"isatty\""));
    if can_compile(DataModel::Lp64)
        && let Some(code) = run_harness_hosted(&made.text)
    {
        assert_eq!(code, ERROR_CODE, "{}", made.text);
    }
}

/// The values decide: with others the harness does not reach the error.
#[test]
fn other_values_do_not_reach_it() {
    if !can_compile(DataModel::Lp64) {
        return;
    }
    let text = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); void reach_error(void);
        int main() { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 1); if (x == 3) reach_error(); return 7; }";
    let flow = flow("p.c", text, DataModel::Lp64);
    let mut execution = search(&flow);
    let mut codes = Vec::new();
    for value in [3, 2, 0] {
        assert!(matches!(execution.inputs[0].input.kind, InputKind::Nondet { .. }));
        execution.inputs[0].input.value = value;
        let made = harness(&flow, &execution).expect("a harness");
        codes.push(run_harness(&made.text, DataModel::Lp64));
    }
    // Without a C library nobody returns what main does.
    assert_eq!(codes, [Some(ERROR_CODE), Some(0), Some(ASSUMPTION_CODE)]);
}

#[test]
fn random_programs() {
    if !can_compile(DataModel::Lp64) || !can_compile(DataModel::Ilp32) {
        return;
    }
    let count = std::env::var("HARDBOP_FUZZ").ok().map_or(4, |n| n.parse().expect("a number"));
    let mut programs = 0;
    for level in 1..=5 {
        for (name, text, is_unsafe, witness) in generated(level, 7, count) {
            for model in [DataModel::Lp64, DataModel::Ilp32].into_iter().filter(|_| is_unsafe) {
                let flow = flow(&name, &text, model);
                let execution = crate::support::c::execute(&flow, &witness, Recording::Values);
                let made = harness(&flow, &execution).expect("an execution into the error");
                let code = run_harness(&made.text, model);
                assert_eq!(code, Some(ERROR_CODE), "{name}, {model:?}\n{}", made.text);
                programs += 1;
            }
        }
    }
    eprintln!("{programs} harnesses");
}

/// An execution in the terms of the program.
#[test]
fn report() {
    let text = "extern int __VERIFIER_nondet_int(void);
int twice(int x) {
  return 2 * x;
}
int main() {
  int a[2], *p = a, i;
  for (i = 0; i < 2; i++) {
    a[i] = twice(__VERIFIER_nondet_int());
  }
  if (a[0] == 4 && p[1] == -2) {
ERROR:
    return 1;
  }
  return 0;
}
";
    let flow = flow("p.c", text, DataModel::Ilp32);
    let report = Trace::of_execution(&flow, &search(&flow));
    let text = report.text();
    let expected = "The error is reached in 17 steps:
  input i (uninitialised) = 1 (line 6)
  input __VERIFIER_nondet_int() = 2 (line 8)
  input __VERIFIER_nondet_int() = -1 (line 8)
  p.c:6   main   *p = a                                        p = &a
  p.c:6   main   i                                             i = 1
  p.c:7   main   i = 0                                         i = 0
  p.c:7   main   i < 2: true
  p.c:8   main   twice(__VERIFIER_nondet_int())                x = 2
  p.c:3   twice    return 2 * x;                               twice() = 4
  p.c:8   main   a[i] = twice(__VERIFIER_nondet_int())         a[0] = 4
  p.c:7   main   i++                                           i = 1
  p.c:7   main   i < 2: true (iteration 2)
  p.c:8   main   twice(__VERIFIER_nondet_int())                x = -1
  p.c:3   twice    return 2 * x;                               twice() = -2
  p.c:8   main   a[i] = twice(__VERIFIER_nondet_int())         a[1] = -2
  p.c:7   main   i++                                           i = 2
  p.c:7   main   i < 2: false (iteration 3)
  p.c:10  main   a[0] == 4: true
  p.c:10  main   p[1] == -2: true
  p.c:11  main   ERROR: ERROR
";
    assert_eq!(text, expected, "\n{text}");
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(json["inputs"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        json["steps"].as_array().and_then(|s| s.last()).map(|s| &s["kind"]),
        Some(&"error".into())
    );
}

/// All files below a folder, in order.
fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut out = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() { open.push(path) } else { out.push(path) }
        }
    }
    out.sort();
    out
}

/// Random runs of the benchmarks: safe ones never reach the error; what reaches it in the others
/// does so when compiled.
#[test]
fn benchmarks() {
    let Some(folder) = crate::support::c::shared().map(|s| s.join("benchmarks/c")) else {
        return eprintln!("skipped: no benchmarks (set HARDBOP_SHARED)");
    };
    let model = DataModel::Ilp32;
    let compiler = can_compile(model);
    let runs = std::env::var("HARDBOP_FUZZ").ok().map_or(20, |n| n.parse().expect("a number"));
    let options = ExecutionOptions {
        steps: 20_000,
        record: Recording::Inputs,
        ..ExecutionOptions::default()
    };
    let (mut programs, mut errors, mut exact) = (0, 0, 0);
    for file in files(&folder) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_unsafe = name.contains(".unsafe.");
        if !is_unsafe && !name.contains(".safe.") {
            continue;
        }
        let text = std::fs::read(&file).expect("a file");
        let flow = flow(&name, &String::from_utf8_lossy(&text), model);
        programs += 1;
        let found = on_large_stack(|| {
            (0..runs).find_map(|seed| {
                let random = Random::new(seed);
                let execution = if seed % 2 == 0 {
                    run(&flow, &mut Search(random), &options)
                } else {
                    run(&flow, &mut Randomly::new(seed), &options)
                };
                execution.reaches_error().then_some(execution)
            })
        })
        .expect("a thread");
        let Some(execution) = found else { continue };
        assert!(is_unsafe, "{name}: {:?}", execution.inputs);
        errors += 1;
        let made = harness(&flow, &execution).expect("a harness");
        if compiler && made.notes.is_empty() {
            assert_eq!(run_harness(&made.text, model), Some(ERROR_CODE), "{name}\n{}", made.text);
            exact += 1;
        } else {
            eprintln!("{name}: {:?}", made.notes);
        }
    }
    eprintln!("{programs} programs, {errors} errors reached, {exact} harnesses");
}
