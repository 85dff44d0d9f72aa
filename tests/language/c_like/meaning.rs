//! A table: a text with a hole, the same in the ordinary dialect, what stands in the hole, and whether
//! an error is then reached.

use super::is_unsafe;

struct Row {
    /// In the C-like dialect, with `@` for the hole.
    c_like: &'static str,
    /// In the ordinary one.
    ordinary: &'static str,
    /// What stands in the hole in both, and whether an error is reached.
    holes: &'static [(&'static str, &'static str, bool)],
}

const ROWS: &[Row] = &[
    // Declarations, assignments, constants.
    Row {
        c_like: "bool x = @, y; decl z := 1; void main() { y := x; assert(y == z); }",
        ordinary: "decl x := @, y; decl z := T; void main() begin y := x; assert(y = z); end",
        holes: &[("1", "T", false), ("0", "F", true), ("true", "T", false), ("*", "*", true)],
    },
    // A global without a value has any; so has a local.
    Row {
        c_like: "bool x; void main() { bool l; @ assert(x || l); }",
        ordinary: "decl x; void main() begin decl l; @ assert(x | l); end",
        holes: &[("", "", true), ("x = 1;", "x := T;", false), ("l = true;", "l := T;", false)],
    },
    // A local of a loop has any value each time.
    Row {
        c_like: "bool x = 0; void main() { while (*) { @ assert(!x || l); l = 1; x = 1; } }",
        ordinary: "decl x := F; void main() begin decl l; while (*) do @ assert(!x | l); l := T; x := T; od end",
        holes: &[("bool l;", "dead l;", true), ("bool l = x;", "l := x;", false)],
    },
    // Blocks have names of their own.
    Row {
        c_like: "void main() { bool x = 0; { bool x = 1; { bool x; x = *; } @ } assert(!x); }",
        ordinary: "void main() begin decl x, y, z; x := F; y := T; z := *; @ assert(!x); end",
        holes: &[("x = 1;", "y := T;", false), ("assert(!x);", "assert(!y);", true)],
    },
    Row {
        c_like: "bool x = 0; void f() { @ x = 1; } void main() { f(); assert(!x); }",
        ordinary: "decl x := F; void f() begin decl y; @ end void main() begin f(); assert(!x); end",
        holes: &[("bool x = 0;", "y := T;", false), ("{ bool x; }", "x := T;", true)],
    },
    // Calls with and without a value, and recursion.
    Row {
        c_like: "bool x = 0; bool f(bool a) { if (*) { call f(!a); } x = a; return @; }
                 void main() { bool s = f(1); assert(s); x = call f(s); assert(x); }",
        ordinary: "decl x := F; bool f(a) begin if (*) then f(!a); fi x := a; return @; end
                   void main() begin decl s; s := f(T); assert(s); x := f(s); assert(x); end",
        holes: &[("a", "a", false), ("(x)", "x", false), ("!x", "!x", true)],
    },
    // A call is returned.
    Row {
        c_like: "bool f(bool a) { return !a; } bool g(bool a) { return f(a); }
                 void main() { bool s; s = g(@); assert(s); }",
        ordinary: "bool f(a) begin return !a; end bool g(a) begin decl r; r := f(a); return r; end
                   void main() begin decl s; s := g(@); assert(s); end",
        holes: &[("0", "F", false), ("1", "T", true)],
    },
    // What `else` belongs to, and chains of it.
    Row {
        c_like: "bool a, b; void main() { if (a) if (b) @ else assert(a && !b); else if (b) assert(!a); else ; }",
        ordinary: "decl a, b; void main() begin
                   if (a) then if (b) then @ else assert(a & !b); fi elsif (b) then assert(!a); fi end",
        holes: &[("assert(a);", "assert(a);", false), ("assert(!b);", "assert(!b);", true)],
    },
    // Loops, empty and not, left and gone on with.
    Row {
        c_like: "bool a = 0, b = 0; void main() { while (1) { if (a) @ b = 1; a = *; if (*) continue; a = !a; } assert(!b); }",
        ordinary: "decl a := F, b := F; void main() begin
                   while (T) do if (a) then @ fi b := T; a := *; if (*) then goto C; fi a := !a; C: skip; od B: assert(!b); end",
        holes: &[("break;", "goto B;", true), ("while (a);", "while (a) do od", false)],
    },
    Row {
        c_like: "bool a, b; void main() { while (a) { while (b) { if (*) @ a = 0; } assert(!b); b = 1; } }",
        ordinary: "decl a, b; void main() begin
                   while (a) do while (b) do if (*) then @ fi a := F; C: skip; od B: assert(!b); b := T; od end",
        holes: &[("break;", "goto B;", true), ("continue;", "goto C;", false)],
    },
    // Labels, numbers as labels, numbers in front of lines.
    Row {
        c_like: "1 bool x = 0;\nvoid main() {\n2 x = *;\n3: goto @;\n4 assert(x);\n2 }",
        ordinary: "decl x := F; void main() begin x := *; 3: goto @; 4: assert(x); 2: skip; end",
        holes: &[("4", "4", true), ("3", "3", false), ("3, 4", "3, 4", true)],
    },
    Row {
        c_like: "bool x; void main() { L: if (x) { 7: x = !x; M: } goto @; ERROR: ; E: }",
        ordinary: "decl x; void main() begin L: if (x) then 7: x := !x; M: skip; fi goto @; ERROR: skip; E: skip; end",
        holes: &[("L", "L", false), ("7", "7", false), ("M", "M", false), ("ERROR", "ERROR", true)],
    },
    // C's precedences.
    Row {
        c_like: "bool a, b, c; void main() { assume(@); assert(a); }",
        ordinary: "decl a, b, c; void main() begin assume(@); assert(a); end",
        holes: &[
            ("a & b == c && b", "(a & (b = c)) & b", false),
            ("a || b && c", "a | (b & c)", true),
            ("!a == b & b == c ^ a", "((!a = b) & (b = c)) ^ a", true),
            ("a != b && !b", "(a != b) & !b", false),
        ],
    },
    // Threads: `wait` waits, and anybody may step in between.
    Row {
        c_like: "bool g = 0, h = 0; void t() { wait(g); @ } void main() { create_thread(&t); g = 1; h = 1; assert(h); }",
        ordinary: "decl g := F, h := F; void t() begin assume(g); @ end
                   void main() begin start_thread t(); g := T; h := T; assert(h); end",
        holes: &[("h = 0;", "h := F;", true), ("assert(g);", "assert(g);", false)],
    },
    // Any number of threads, with arguments.
    Row {
        c_like: "bool g = 0; void t(bool a) { if (a) { assert(@); g = 1; } }
                 void main() { while (*) thread_create(&t, *); }",
        ordinary: "decl g := F; void t(a) begin if (a) then assert(@); g := T; fi end
                   void main() begin while (*) do start_thread t(*); od end",
        holes: &[("!g", "!g", true), ("a || g", "a | g", false)],
    },
    // `atomic`, also left by jumps, and begun in one.
    Row {
        c_like: "bool g = 0; void t() { g = 1; } void main() { create_thread(&t); g = 0; @ }",
        ordinary: "decl g := F; void t() begin g := T; end void main() begin start_thread t(); g := F; @ end",
        holes: &[
            ("atomic { g = 0; assert(!g) };", "atomic_begin; g := F; assert(!g); atomic_end;", false),
            ("{ g = 0; assert(!g); }", "g := F; assert(!g);", true),
            ("atomic { g = 0; } assert(!g);", "atomic_begin; g := F; atomic_end; assert(!g);", true),
            ("atomic { atomic { g = 0; } assert(!g); }", "atomic_begin; g := F; assert(!g); atomic_end;", false),
            (
                "while (1) { atomic { g = 0; if (*) break; assert(!g); } } wait(g); assert(0);",
                "while (T) do atomic_begin; g := F; if (*) then atomic_end; goto B; fi assert(!g); atomic_end; od
                 B: assume(g); assert(F);",
                true,
            ),
            (
                "atomic { g = 0; goto E; } E: wait(g); assert(0);",
                "atomic_begin; g := F; atomic_end; goto E; E: assume(g); assert(F);",
                true,
            ),
            (
                "begin_atomic; g = 0; assert(!g); end_atomic;",
                "atomic_begin; g := F; assert(!g); atomic_end;",
                false,
            ),
        ],
    },
    Row {
        c_like: "bool g = 0; void t() { g = 1; } bool f() { atomic { g = 0; return @; } }
                 void main() { bool r; create_thread(&t); r = f(); wait(g); assert(r); }",
        ordinary: "decl g := F; void t() begin g := T; end
                   bool f() begin decl r; atomic_begin; g := F; r := @; atomic_end; return r; end
                   void main() begin decl r; start_thread t(); r := f(); assume(g); assert(r); end",
        // Inside, g is 0; the other thread can only step behind it.
        holes: &[("g", "g", true), ("!g", "!g", false)],
    },
    Row {
        c_like: "bool g = 0; void t() { atomic { g = 1; } } void f() { atomic { h(); } } void h() { atomic { } }
                 void main() { create_thread(&t); @ }",
        ordinary: "decl g := F; void t() begin g := T; end void f() begin h(); end void h() begin end
                   void main() begin start_thread t(); @ end",
        holes: &[
            ("atomic { g = 0; f(); assert(!g); }", "atomic_begin; g := F; f(); assert(!g); atomic_end;", false),
            ("g = 0; f(); assert(!g);", "g := F; f(); assert(!g);", true),
            (
                "atomic { g = 0; f(); } wait(g); assert(0);",
                "atomic_begin; g := F; f(); atomic_end; assume(g); assert(F);",
                true,
            ),
            (
                "atomic { g = 0; f(); create_thread(&t); end_thread; }",
                "g := F; start_thread t(); end_thread;",
                false,
            ),
        ],
    },
    // A thread that ends in a block that is in a block lets others step again.
    Row {
        c_like: "bool g = 0, h = 0; void f() { atomic { h = 1; end_thread; } } void t() { atomic { f(); } }
                 void u() { wait(h); atomic { g = @; } while (1); } void main() { create_thread(&t); create_thread(&u); wait(g); atomic { assert(0); } }",
        ordinary: "decl g := F, h := F; void t() begin h := T; end_thread; end void u() begin assume(h); g := @; while (T) do od end
                   void main() begin start_thread t(); start_thread u(); assume(g); assert(F); end",
        holes: &[("1", "T", true), ("0", "F", false)],
    },
    // A mutex is free at the beginning; taking it is one step.
    Row {
        c_like: "#define mutex\nmutex m; bool in = 0; void t() { @ } void main() { create_thread(&t); t(); }",
        ordinary: "decl m := F, in := F; void t() begin @ end void main() begin start_thread t(); t(); end",
        holes: &[
            (
                "acquire(m); assert(!in); in = 1; in = 0; release(m);",
                "m := T constrain (!m); assert(!in); in := T; in := F; m := F;",
                false,
            ),
            (
                "lock(m); in = 1; unlock(m); lock(m); assert(!in); unlock(m);",
                "m := T constrain (!m); in := T; m := F; m := T constrain (!m); assert(!in); m := F;",
                true,
            ),
            ("assert(!in); in = 1; in = 0;", "assert(!in); in := T; in := F;", true),
        ],
    },
    // `acquire` may be a procedure.
    Row {
        c_like: "bool x = 0; void acquire(bool m) { x = m; } void main() { bool m = @; acquire(m); assert(x); }",
        ordinary: "decl x := F; void acquire(m) begin x := m; end void main() begin decl m; m := @; acquire(m); assert(x); end",
        holes: &[("1", "T", false), ("0", "F", true)],
    },
    // Enumerations: any of their values, and no others.
    Row {
        c_like: "var s: enum {0, 1, 2}\nvoid main() { @ if (s == 0) return; if (s == 1) return; assert(s == 2); assert(0); }",
        ordinary: "decl s := T; void main() begin @ assert(!s); end",
        holes: &[("", "", true), ("s = *;", "s := *;", true), ("s := 1;", "s := F;", false)],
    },
    Row {
        c_like: "var s, t: enum {IDLE, BUSY, DONE}; void main() { @ if (s != IDLE) { if (s != BUSY) assert(s == DONE); } }",
        ordinary: "decl s, x; void main() begin @ end",
        holes: &[
            ("", "", false),
            ("s = *;", "s := *;", false),
            ("t = s; assert(t == s);", "s := *;", false),
            ("assert(t == s);", "assert(s = x);", true),
        ],
    },
    // Numbers: of the width that is said, and computing goes round.
    Row {
        c_like: "define DEFAULT_INT_BITS 2\nint x = 3; void main() { int y = x; @ }",
        ordinary: "decl x := T; void main() begin @ end",
        holes: &[
            ("x++; assert(x == 0); y -= 1; assert(y == 2);", "assert(x);", false),
            ("assert(x + 2 < y);", "assert(x);", false),
            ("x--; assert(x > y);", "assert(!x);", true),
            ("y = *; assert(y <= 3 && y >= 0);", "assert(x);", false),
            ("y = *; assert(y < 3);", "x := *; assert(x);", true),
            ("if (x) y = x == 3; assert(y == 1);", "assert(x);", false),
        ],
    },
    // Numbers of an unknown width, where it does not matter.
    Row {
        c_like: "bool g = 0; int f(int r) { return r; } void main() { int q = *; q = f(q); if (q == 0) g = 1; @ }",
        ordinary: "decl g := F; void main() begin decl q, w; if (!q & !w) then g := T; fi @ end",
        holes: &[
            ("assert(!g || q == 0);", "assert(!g | (!q & !w));", false),
            ("assert(q == 0 || q == 5);", "assert((!q & !w) | q);", true),
            ("assert(q == 0 || q == 1);", "assert((!q & !w) | q);", true),
            ("if (q != 5) assert(q == 0);", "if (!q) then assert(!w); fi", true),
        ],
    },
    // Names that mean something in the ordinary dialect.
    Row {
        c_like: "bool T = 0, fi, end = 1; void init() { T = 1; } void thread0() { T = 1; }
                 void main() { fi = T; ASYNC_1: od(); create_thread(&t); assert(@); } void od() { T = !T; } void t() {}",
        ordinary: "decl x := F; void t() begin end void main() begin start_thread t(); assert(x @ F); end",
        holes: &[("T && end && !fi", "=", false), ("!T", "!=", true)],
    },
    // Macros, prototypes, `void` parameters, `module`, several targets.
    Row {
        c_like: "#define YES 1\n#define NO false\nbool a, b; bool f(void); module bool f(void) { return YES; }
                 void main() { b = NO; a = f(); a, b := b, a; assert(@); }",
        ordinary: "decl a, b; void main() begin a, b := F, T; assert(@); end",
        holes: &[("b", "b", false), ("a", "a", true)],
    },
];

#[test]
fn texts_mean_the_same_in_both_dialects() {
    for row in ROWS {
        for (c_like, ordinary, expected) in row.holes {
            for (text, hole) in [(row.ordinary, ordinary), (row.c_like, c_like)] {
                let text = text.replace('@', hole);
                assert_eq!(is_unsafe(&text), *expected, "{text}");
            }
        }
    }
}
