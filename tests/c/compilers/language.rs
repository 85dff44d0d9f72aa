//! The language itself: extensions of gcc, attributes, types of enumerators, layout; and what gcc
//! refuses.

mod lengths;
mod variadic;
mod vectors;

use hardbop_c::points_to::Externals;

use super::{compare_lists, expect};

/// Programs with one execution, which are decided.
const DECIDED: &[&str] = &[
    // Calls of functions without a declaration.
    "int main(){__builtin_memcpy(1,2,0); return 0;}",
    "int main(){char a[4]; __builtin_memset(a,1,4L); if(a[2]==1) reach_error();}",
    "int main(){char a[4]; memset(a,1,4); if(a[2]==1) reach_error();}",
    "int main(){char a[4]; __builtin_memset(a,1.0,4); if(a[2]==1) reach_error();}",
    "int main(){ __builtin_strlen(3); return 0;}",
    "int main(){ int *p = __builtin_malloc(4); *p = 3; if (*p==3) reach_error(); free(p); return 0;}",
    "void *memset(); int main(){ char a[4]; memset(a,1,4); if (a[3] == 1) reach_error(); return 0;}",
    "int x, *p = &x; int main(){ __atomic_store_n(&p, 0, 0); if (p == 0) reach_error(); return 0;}",
    "int x, *p; int main(){ __atomic_store_n(&p, &x, 0); if (p == &x) reach_error(); return 0;}",
    "int x, *p; int main(){ int *e = 0; if (__atomic_compare_exchange_n(&p, &e, &x, 0, 0, 0) && p == &x)
     reach_error(); return 0;}",
    "int x, *p; int main(){ if (__sync_bool_compare_and_swap(&p, 0, &x) && p == &x) reach_error(); return 0;}",
    "int x, *p=&x; int main(){ __sync_lock_test_and_set(&p, 0); if (p == 0) reach_error(); __sync_lock_release(&p);
     return 0;}",
    "int x, *p=&x; int main(){ int *r = __sync_val_compare_and_swap(&p, &x, 0); if (p == 0 && r == &x) reach_error();
     return 0;}",
    "int x, *p=&x; int main(){ __atomic_load_n(&p, 0); if (*__atomic_load_n(&p, 0) == 0) reach_error(); return 0;}",
    "int t, u=1; int main(){ __atomic_store(&t, &u, 0); if (t==1) reach_error(); return 0;}",
    "int t=4, u=1; int main(){ __atomic_load(&t, &u, 0); if (u==4) reach_error(); return 0;}",
    "int t=4, u=1, r; int main(){ __atomic_exchange(&t, &u, &r, 0); if (r==4&&t==1) reach_error(); return 0;}",
    "_Bool b; int main(){ __atomic_store_n(&b, 7, 0); if (b == 1) reach_error(); return 0;}",
    "_Bool b; int main(){ if (__atomic_exchange_n(&b, 2, 0) == 0) reach_error(); return 0;}",
    "int main(){ unsigned c; if (__builtin_sadd_overflow(2147483647, 1, &c) && c == 2147483648) reach_error(); return 0; }",
    "int main(){ if (abs(-3) == 3) reach_error(); return 0; }",
    "int main(){ if (__builtin_abs(-3.7) == 3) reach_error(); return 0; }",
    r#"int main(){ __builtin_abs("x"); return 0; }"#,
    "int main(){ if (__builtin_bswap16(0x1234L) == 0x3412) reach_error(); return 0; }",
    r#"int main(){ if (__builtin_popcount("x")) return 0; return 0; }"#,
    r#"int main(){ if (toupper("a")) return 0; return 0; }"#,
    "struct s {int a;} s; int main(){ toupper(s); return 0; }",
    "int main(){ exit(main); }",
    // gcc makes positive numbers that are none, the processor negative ones.
    "static double d[3] = {0.0/0.0, -(0.0/0.0), 1/0.0 - 1/0.0}; int main(){ static double s = 0.0 * (-1/0.0); double x = 0.0/0.0;
     if (!__builtin_signbit(d[0]) && __builtin_signbit(d[1]) && !__builtin_signbit(d[2]) && __builtin_signbit(s)
     && __builtin_signbit(x)) reach_error(); return 0; }",
    // Copies of what has no value.
    "struct s {int a, b;}; int main(){ struct s x, y, z; y = x; z = x; if (y.a != z.a) reach_error(); return 0; }",
    "struct s {int a, b;}; int main(){ struct s x, y, z; y = x; z = y; if (y.a != x.a || z.b != x.b) reach_error();
     return 0; }",
    "struct s {int a, b;}; int main(){ struct s x, y, z; y = x; x.a = 1; z = y; if (z.a != y.a) reach_error(); return 0; }",
    "struct s {int a, b;}; struct s f(struct s p){ return p; } int main(){ struct s x, y = f(x); if (y.b != x.b)
     reach_error(); return 0; }",
    "void *malloc(unsigned long); struct s {int a, b;}; int main(){ struct s *x = malloc(sizeof *x), y, z;
     if (!x) return 0; y = *x; z = *x; if (y.a != z.a || y.b != x->b) reach_error(); return 0; }",
    "void *memcpy(void *, const void *, unsigned long); struct s {int a; char b, c; int d : 3, e : 9;};
     int main(){ struct s x, y; memcpy(&y, &x, sizeof x); if (y.b != x.b || x.d != y.d || y.e != x.e) reach_error();
     return 0; }",
    "void *memcpy(void *, const void *, unsigned long); int main(){ struct {short a, b;} x; int y, z;
     memcpy(&y, &x, sizeof x); z = x.a & 65535 | x.b << 16; if (y != z) reach_error(); return 0; }",
    "struct s {unsigned a : 4, b : 4; int c;}; int main(){ struct s x; struct s y = x; y.a = 3; if (y.b != x.b)
     reach_error(); return 0; }",
    // Attributes, enumerations, alignment, aliases, modes.
    "int g; void die(void) __attribute__((noreturn)); void die(void){ for(;;) __builtin_exit(0); } int main(){ die();
     reach_error(); return 0; }",
    "void f [[noreturn]] (void); void f(void){__builtin_exit(1);} int main(){ f(); reach_error(); }",
    "struct [[gnu::packed]] s { char a; int b; }; int main(){ if (sizeof(struct s)==5) reach_error(); return 0;}",
    "struct s { char a; int b; } [[gnu::packed]]; int main(){ if (sizeof(struct s)==5) reach_error(); return 0;}",
    "struct s { char a; [[gnu::aligned(16)]] int b; }; int main(){ if (sizeof(struct s)==32) reach_error(); return 0;}",
    "struct s { char a; int b [[gnu::aligned(16)]]; }; int main(){ if (sizeof(struct s)==32) reach_error(); return 0;}",
    "int main(){ int x = 1; switch (x) { case 1: x = 2; [[fallthrough]]; case 2: x++; } if (x == 3) reach_error();
     return 0; }",
    r#"[[nodiscard]] [[gnu::const]] static int f(void) { return 3; } [[deprecated("x")]] int y [[maybe_unused]] = 3;
     int main(){ if (f() == y) reach_error(); return 0;}"#,
    "struct s { char a; __attribute__((aligned(8))) int b; }; int main(){ if (sizeof(struct s)==16) reach_error();
     return 0;}",
    "struct t {int x;}; struct s { char a; __attribute__((aligned(8))) struct t b; }; int main(){ if (sizeof(struct
     s)==16 && _Alignof(struct t) == 4) reach_error(); return 0;}",
    "struct s { char a; __attribute__((packed)) int b; }; int main(){ if (sizeof(struct s)==5) reach_error(); return 0;}",
    "struct s { char a; int b __attribute__((packed)); }; int main(){ if (sizeof(struct s)==5) reach_error(); return 0;}",
    "struct s { char a; struct __attribute__((packed)) { char c; int x; } b; }; int main(){ if (sizeof(struct s)==6)
     reach_error(); return 0;}",
    "struct s { char a; struct { char c; int x; } __attribute__((aligned(16))) b; }; int main(){ if (sizeof(struct
     s)==32) reach_error(); return 0;}",
    "struct s { char a; struct { char c; int x; } b __attribute__((aligned(16))); }; int main(){ if (sizeof(struct
     s)==32) reach_error(); return 0;}",
    "enum {A = 0xfffffffe, B}; int main(){ if (B == 0xffffffffu && sizeof(B) == 4) reach_error(); return 0;}",
    "enum e {A = 1, B = 1LL << 40}; int main(){ if (sizeof(A) == 4 && sizeof(B) == 8 && sizeof(enum e) == 8)
     reach_error(); return 0;}",
    "enum e {A = -1, B = 0xffffffff}; int main(){ if (sizeof(enum e) == 8 && B > 0 && A < 0) reach_error(); return 0;}",
    "enum e {A = -1, B = 0xffffffff}; int main(){ enum e x = B; if (x > A) reach_error(); return 0;}",
    "enum e {A = 0x80000000}; int main(){ if (A > 0 && -A > 0) reach_error(); return 0;}",
    "enum e {A = 0x80000000, B = -1}; int main(){ if (-A < 0) reach_error(); return 0;}",
    "enum e {A = 0xffffffffffffffff}; int main(){ if (A + 1 == 0 && sizeof A == 8) reach_error(); return 0;}",
    "enum e {A = 0x7fffffff, B = A + 1}; int main(){ return 0;}",
    "enum e {A = 0x7fffffff, B = A + 1u, C, D}; int main(){ if (D == 0x80000002) reach_error(); return 0;}",
    "enum e {A = 1u, B = sizeof(A), C = -A}; int main(){ if (C < 0) reach_error(); return 0;}",
    "enum e {A = 1LL << 33, B = sizeof(A), C = sizeof(B)}; int main(){ if (B == 8 && C == 4) reach_error(); return 0;}",
    "int main(){int x = {1,2}; return x-1;}",
    "int main(){int x = {{1}}; return x-1;}",
    "struct s {int a,b;}; int main(){struct s x = (struct s){}; if (x.b == 0) reach_error(); return 0;}",
    "int main(){int a[3] = {}; struct {int x;} s[2] = {{}}; if (a[2]==0 && s[1].x == 0) reach_error(); return 0;}",
    "struct s {char c; _Atomic long long x;}; int main(){ if (sizeof(struct s)==16 && _Alignof(_Atomic long long)==8
     && _Alignof(struct s) == 8) reach_error(); return 0;}",
    "typedef _Atomic long long T; struct s {char c; T x;}; int main(){ if (sizeof(struct s)==16 && _Alignof(T)==8)
     reach_error(); return 0;}",
    "struct s {char c; _Atomic(long long) x[2];}; int main(){ if (sizeof(struct s)==24) reach_error(); return 0;}",
    "struct s {char c; _Atomic(long long) *x;}; int main(){ if (sizeof(struct s)==2*sizeof(void*)) reach_error();
     return 0;}",
    "struct s {char c; _Atomic double x;}; int main(){ if (sizeof(struct s)==16) reach_error(); return 0;}",
    "struct t {char a, b;}; struct s {char c; _Atomic struct t x;}; int main(){ if (sizeof(struct s)==4)
     reach_error(); return 0;}",
    "struct t {char a, b, d;}; struct s {char c; _Atomic struct t x;}; int main(){ if (sizeof(struct s)==4)
     reach_error(); return 0;}",
    "struct s {char c; long long x;}; int main(){ if (sizeof(struct s)==12) reach_error(); return 0;}",
    "struct S {int a;} static s; int main(){ s.a = 3; if (s.a == 3) reach_error(); return 0;}",
    "struct {int a;} typedef T; int main(){ T t = {3}; if (t.a == 3) reach_error(); return 0;}",
    "int static x = 3; int typedef long unsigned T; int main(){ T t = x; if (t == 3 && sizeof t == sizeof(long))
     reach_error(); return 0;}",
    "enum {A} static x; union {int a;} const static y; int main(){ if (x == A) reach_error(); return 0;}",
    "int main(){ struct {int a;} static s; s.a++; if (s.a == 1) reach_error(); return 0;}",
    r#"int y = 3; extern int x __attribute__((alias("y"))); int main(){ if (x == 3) reach_error(); return 0;}"#,
    r#"static int y; extern int x __attribute__((alias("y"))); int main(){ x = 3; if (y == 3) reach_error(); return 0;}"#,
    r#"void f(void) {} void g(void) __attribute__((alias("f"))); void h(void) __attribute__((alias("g"))); int main(){
     h(); reach_error(); return 0;}"#,
    r#"void f(void) __asm__("k"); void f(void) {} void g(void) __attribute__((alias("k"))); int main(){ g();
     reach_error(); return 0;}"#,
    r#"void f(void); static void g(void) __attribute__((weakref("f"))); int main(){ if (0) g(); return 0;}"#,
    "typedef int T __attribute__((mode(DI))); int main(){ if (sizeof(T) == 8) reach_error(); return 0;}",
    "typedef float T __attribute__((mode(DF))); int main(){ if (sizeof(T) == 8) reach_error(); return 0;}",
    "typedef int T __attribute__((mode(__unwind_word__))); int main(){ if (sizeof(T) == sizeof(void*)) reach_error();
     return 0;}",
    // Extensions.
    "int main(){ int a[3] = {1,2,3}; __auto_type x = a[1]; __auto_type p = a; if (x == 2 && *p == 1 && sizeof p ==
     sizeof(int*)) reach_error(); return 0;}",
    "int main(){ __auto_type x = ({ __auto_type y = (char)3; y + 1L; }); if (sizeof x == 8 && x == 4) reach_error();
     return 0;}",
    "__auto_type g = 3L; int main(){ if (sizeof g == sizeof(long) && g == 3) reach_error(); return 0;}",
    "_Alignas(16) char c; struct s { char a; _Alignas(8) char b; _Alignas(double) char d; }; int main(){ if
     (sizeof(struct s) == 24) reach_error(); return 0;}",
    "typedef long T; struct s { char a; _Alignas(T) char b; }; int main(){ _Alignas(32) int x = 3; if (sizeof(struct
     s) == 16 && x == 3) reach_error(); return 0;}",
    "struct s { char a; _Alignas(0) char b; }; int main(){ if (sizeof(struct s) == 2) reach_error(); return 0;}",
    "enum {K = 4}; struct s { char a; _Alignas(K) char b; _Alignas(sizeof(int)*2) char c; }; int main(){ if
     (sizeof(struct s) == 16) reach_error(); return 0;}",
    "int main(){ if (__builtin_types_compatible_p(int, int) && !__builtin_types_compatible_p(int, long))
     reach_error(); return 0;}",
    "int main(){ int a[3]; if (!__builtin_types_compatible_p(typeof(a), typeof(&a[0]))) reach_error(); return 0;}",
    "struct a {int x;}; int main(){ if (__builtin_types_compatible_p(struct a, struct a) &&
     !__builtin_types_compatible_p(struct a, int)) reach_error(); return 0;}",
    r#"int main(){ char *p = 0; if (_Generic(p, char*: 1, int*: 2) == 1 && _Generic("a", char*: 1, default: 0) &&
     _Generic(1L, int: 1, long: 2, default: 3) == 2) reach_error(); return 0;}"#,
    "int main(){ int x = 1; void *t[] = { &&a, &&b }; goto *t[x]; a: return 0; b: reach_error(); return 0;}",
    "int main(){ static const void *t[] = { &&a, &&b, &&c }; int pc = 0, n = 0; static const int code[] = {0, 0, 1};
     next: goto *t[code[pc++]]; a: n++; goto next; b: if (n == 2) reach_error(); return 0; c: return 1;}",
    "int main(){ void *p = __VERIFIER_nondet_int() ? &&a : &&b; goto *p; a: return 0; b: reach_error(); return 0;}",
    "int main(){ void *p = &&a; if (p == (void*)&&b) reach_error(); if (0) { b: return 1; } goto *p; return 2; a:
     return 0; }",
    "int f(int n){ void *l = n ? &&a : &&b; goto *l; a: return 1; b: return 2;} int main(){ if (f(1) == 1 && f(0) ==
     2) reach_error(); return 0;}",
    "int a = 1, b; int main(){ int x = (a) &&b; if (!x) reach_error(); goto b; b: return 0; }",
    r#"_Pragma("GCC diagnostic ignored \"-Wall\"") int main(){ _Pragma("unroll 3") reach_error(); }"#,
    "void f(int n, int a[n]) { a[1] = 3; } int main(){ int a[2]; f(2, a); if (a[1] == 3) reach_error(); return 0;}",
    "_Atomic int x; int main(){ x += 3; x++; if (x == 4) reach_error(); return 0;}",
    "union u {int i; char *p;}; int main(){ union u x = (union u) 3; if (x.i == 3) reach_error(); return 0;}",
    r#"union u {int i; char *p;} x; int main(){ x = (union u) "a"; if (x.p[0] == 'a') reach_error(); return 0;}"#,
    "typedef union {int *i; char *p;} U __attribute__((transparent_union)); int f(U u) { return *u.i; } int main(){
     int x = 3; if (f(&x) == 3) reach_error(); return 0;}",
    r#"const unsigned short *s = u"a\u00e9"; unsigned short t[3] = u"b"; int main(){ if (s[1] == 0xe9 && t[0] == 'b' &&
     t[1] == 0 && sizeof u"abc" == 8 && sizeof(u'a') == 2) reach_error(); return 0;}"#,
    r#"int main(){ if (u"\U0001F600"[0] == 0xD83D && U"\U0001F600"[0] == 0x1F600 && sizeof(u"\U0001F600") == 6)
     reach_error(); return 0;}"#,
    r#"int main(){ if (L"a" "b"[0] != 'a') return 1; if (sizeof(L"a" "b") == 12) reach_error(); return 0;}"#,
    r#"int main(){ if (L'\xff' == 255 && '\xff' == -1 && u8"a"[0] == 'a' && sizeof(L'a') == 4) reach_error(); return 0;}"#,
    r#"struct w { int n; int t[4]; } w = { 1, L"ab" }; int main(){ if (w.t[1] == 'b') reach_error(); return 0;}"#,
    r#"int main(){ char *s = "a\qb"; if (s[1] == 'q') reach_error(); return 0;}"#,
    "struct e {}; struct e a[3]; struct {int n; struct e e; int f[];} f; int main(){ struct e x = a[1]; if (sizeof(a)
     == 0 && sizeof f == 4) reach_error(); return 0;}",
    "struct { int : 0; } a; struct { int x : 3; int : 0; int y : 3; } b; int main(){ if (sizeof a == 0 && sizeof b ==
     8) reach_error(); return 0;}",
    "struct { int n; char c[]; } *p; int main(){ p = __builtin_malloc(10); p->c[3] = 1; if (p->c[3] == 1)
     reach_error(); return 0;}",
    "int main(){ int a[0]; int b[3]; __builtin_memset(a, 0, 0); __builtin_memcpy(b, a, 0); return sizeof a; }",
    "union {} u; union { struct {} a; int b[0]; } v; int main(){ u = u; v = v; return sizeof u + sizeof v; }",
    "struct s { struct {} e[4]; int x; } s = {{}, 3}; int main(){ if (s.x == 3) reach_error(); return 0; }",
    "struct { unsigned long long a : 64; _Bool b : 1; signed char c : 8; } s; int main(){ s.a = -1; s.b = 2; s.c =
     200; if (s.a + 1 == 0 && s.b == 1 && s.c == -56) reach_error(); return 0; }",
    "int main(){ int n = -1; { char a[n]; } return 0; }",
    "int main(){ int a[2]; int *p = a + (1UL << 60); return p == a; }",
    "int a[]; int main(){ a[0] = 1; if (a[0] == 1) reach_error(); return 0; }",
    // More of them.
    "typedef int b; typedef enum {A} c; int main(){ typeof(b) x = 3; __typeof__(c) y = A; typeof(typeof(x)) z = 0; if
     (x == 3 && y == z) reach_error(); return 0;}",
    "double f(void) { return 0; } int main(){ typeof(f()) x; if (sizeof(x) == 8) reach_error(); return 0;}",
    "int f(int n, int m, char a[n + m][4]) { return a[1][1]; } int main(){ char a[3][4] = {{0}}; a[1][1] = 5; if
     (f(1, 2, a) == 5) reach_error(); return 0;}",
    "int f(int n, int (*cb)(int n, int m)) { return cb(n, n); } int g(int a, int b) { return a + b; } int main(){ if
     (f(2, g) == 4) reach_error(); return 0;}",
    "int f(int n, char a[sizeof(n)]); int f(int n, char a[sizeof(n)]) { return a[0]; } int main(){ char c[4] = {7};
     if (f(1, c) == 7) reach_error(); return 0;}",
    "int f(n, a) int n; int a[]; { return a[n]; } int main(){ int a[2] = {1, 2}; if (f(1, a) == 2) reach_error();
     return 0;}",
    "double d[] = {.5, .5e3, 1.f, 1e-3, 0x1p3, 08.5, 1.e+2}; int main(){ if (d[0] == 0.5 && d[4] == 8.0 && d[5] ==
     8.5) reach_error(); return 0;}",
    "int main(){ int a[] = {[0 ... 3] = 7}; switch (a[2]) { case 1 ... 9: reach_error(); } return 0;}",
    "void *memset(void*, int, unsigned long); int main(){ void *(*f)(void*, int, unsigned long) = memset; char a[2];
     f(a, 1, 2); if (a[1] == 1) reach_error(); return 0;}",
    "struct e {int x;}; struct e read(struct e); struct e read(struct e a) { a.x++; return a; } int main(){ struct e
     a = {1}; if (read(a).x == 2) reach_error(); return 0;}",
    "struct u { int n; int f[0]; int a; }; int main(){ if (sizeof(struct u) == 8) reach_error(); return 0;}",
    "int main(){ int x = 1; L: if (x) { void *p = &&L; x = 0; goto *p; } reach_error(); }",
    "int f(void) { static void *t[2] = {&&a, &&b}; static int i; goto *t[i++]; a: return 1; b: return 2; } int
     main(){ if (f() == 1 && f() == 2) reach_error(); return 0;}",
    "int main(){ long off[] = { (char*)&&a - (char*)&&a, (char*)&&b - (char*)&&a }; goto *((char*)&&a + off[1]); a:
     return 0; b: reach_error(); return 0;}",
    "int main(){ for (int i = 0; i < 3; i++) { void *p = i == 2 ? &&out : &&next; goto *p; next: ; } return 0; out:
     reach_error(); return 0;}",
    "int main(){ int a[3]; if (!__builtin_types_compatible_p(typeof(a), typeof(&a[0])) &&
     __builtin_types_compatible_p(typeof(*a), int)) reach_error(); return 0;}",
    r#"int main(){ char *s = "a\u00e9"; if (sizeof("a\u00e9") == 4 && (unsigned char)s[1] == 0xc3) reach_error();
     return 0;}"#,
    // Static long double.
    "typedef int b; typedef enum {A} c; int main(){ typeof(b) x = 3; __typeof__(c) y = A; if (x == 3 && y == 0)
     reach_error(); return 0;}",
    "enum a {A}; typedef enum a b; b x; int main(){ __typeof__(b) y = A; reach_error(); return 0;}",
];

/// Programs that gcc refuses, that crash, or that need not be decided.
const LEFT: &[&str] = &[
    "extern struct f *stdin, *stdout; int main(void){ if (stdin == stdout || !stdin) reach_error(); return 0; }",
    r#"int main(void){ double q = __builtin_nan(""); double r = (-q) + q; if (__builtin_signbit(r)) reach_error(); return 0; }"#,
    "int main(){ long long c = 0; if (!__builtin_sadd_overflow(2147483647, 1, &c)) reach_error(); return 0; }",
    "int main(){ short c; if (__builtin_saddl_overflow(32767, 1, &c)) reach_error(); return 0; }",
    // Blocks of unknown size, and pointers moved within them.
    "void *malloc(unsigned long); struct list { struct list *next, *prev; }; struct item { int k; struct list l; };
     int main(void) { struct item *p = 0; int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) {
     struct item *q = malloc(sizeof *q * n); q[i].l.next = p ? &p->l : 0; p = q; }
     if (p && p->l.next) { struct item *r = (struct item *)((char *)p->l.next - __builtin_offsetof(struct item, l));
     if (r->k == 5) reach_error(); } return 0; }",
    "void *malloc(unsigned long); struct item { int k, l; }; int main(void) { struct item *q = malloc(16);
     int n = __VERIFIER_nondet_int(); struct item *p = malloc(n); int *r = &(n ? p : q)[n].l; char *c = (char *)r + 2;
     c = c + 1; if (n == 1 && *c == 5) reach_error(); return 0; }",
    // Calls of functions without a declaration.
    "int main(){__builtin_memset(0,0,4);}",
    "int main(){__builtin_memcpy(1,2,3);}",
    r#"int main(){ if (strlen("abc") != 3) reach_error(); return 0;}"#,
    "int main(){ char *p = malloc(4); free(3); return 0;}",
    "int main(){ char a[5]; strcpy(a, 5); return 0;}",
    r#"int main(){ char a[5]="ab"; if (strchr(a, 'b') != a+1) reach_error(); return 0;}"#,
    "void *memset(int, int, int); int main(){ char a[4]; memset(a,1,4); return 0;}",
    "int memcpy(int,int,int); int main(){ memcpy(1,2,3); return 0;}",
    "struct s {int a;}; void *memset(struct s, int, int); int main(){ struct s s={0}; memset(s,1,3); return 0;}",
    "void *memset(); struct s {int a;}; int main(){ struct s s={0}; memset(s,1,3); return 0;}",
    "int main(){ memset(0,0); return 0;}",
    "int main(){ memset(); return 0;}",
    "int main(){ free(); return 0;}",
    "int main(){ __builtin_memset(0,0,4,5); return 0;}",
    "int x, *p = &x, **q = &p; int main(){ __sync_fetch_and_add(q, 1); if (p != &x + 1) return 1; reach_error(); }",
    "int x; int main(){ int e; if (__atomic_compare_exchange_n(&x, 0, 1, 0, 0, 0)) reach_error(); return 0;}",
    "int x; int main(){ if (__atomic_compare_exchange_n(&x, 5, 1, 0, 0, 0)) reach_error(); return 0;}",
    "int x, *p=&x; int main(){ int **q = &p; __atomic_fetch_add(q, 4, 0); if (p == &x + 1) reach_error(); return 0;}",
    "int x; int main(){ __atomic_store_n(&x, 0, 0); __atomic_store_n(0, 0, 0); return 0;}",
    "struct s {int a;} t; int main(){ __atomic_load_n(&t, 0); return 0;}",
    "struct s {int a;} t, u; int main(){ __atomic_store_n(&t, u, 0); return 0;}",
    "struct s {int a;} t, u={1}; int main(){ __atomic_store(&t, &u, 0); if (t.a==1) reach_error(); return 0;}",
    "double d; int main(){ __atomic_store_n(&d, 1.0, 0);return 0; }",
    "int x; int main(){ struct s {int a;} s = {1}; __atomic_store_n(&x, s, 0); return 0;}",
    "int x; struct s {int a;} s = {1}; int main(){ __sync_fetch_and_add(&x, s); return 0;}",
    "int f(void){return 0;} int main(){ __atomic_load_n(f, 0); __atomic_store_n(f, 0, 0); return 0;}",
    "struct s {int a;} s; int main(){ __builtin_clz(s); return 0; }",
    "int main(){ int r; __builtin_add_overflow(1, 2, 3); return 0; }",
    r#"int main(){ int r; __builtin_add_overflow("a", 2, &r); return 0; }"#,
    "int main(){ int *r; __builtin_add_overflow(1, 2, &r); return 0; }",
    "int main(){ __builtin_alloca(-1); return 0; }",
    "int main(){ int x; int *p = &x; if (__builtin_realloc(p, 3, 4)) return 1; return 0; }",
    "int main(){ __builtin_printf(3); return 0; }",
    r#"int main(){ __builtin_printf("%d\n", 3.0); if (__builtin_puts("a") < 0) return 1; reach_error(); return 0; }"#,
    "int main(){ sprintf(1, 2); snprintf(1,2); return 0; }",
    "struct s {int a;} s; int main(){ isdigit(s); return 0; }",
    // Attributes, enumerations, alignment, aliases, modes.
    "enum {A = 0x7fffffff, B}; int main(){return 0;}",
    "enum {A = 0xffffffff, B}; int main(){return 0;}",
    "enum e {A = 0xffffffffffffffff, B}; int main(){ return 0;}",
    "enum e {A = -1, B = 0xffffffffffffffff}; int main(){ return 0;}",
    "enum e {A}; enum e {B}; int main(){return 0;}",
    "struct e {int x;}; enum e {B}; int main(){return 0;}",
    "enum e {}; int main(){return 0;}",
    "enum e {A, A}; int main(){return 0;}",
    "enum e {A = 1.5}; int main(){return 0;}",
    "int x; enum e {A = x}; int main(){return 0;}",
    "int main(){int x = {}; return x;}",
    "int x = {}; int main(){ return x;}",
    "int main(){int x = (int){}; return x;}",
    "struct s {char c; _Atomic int x : 3;}; int main(){ return 0;}",
    r#"int x; void f(void) __attribute__((alias("nope"))); int main(){ return 0;}"#,
    r#"extern int x __attribute__((alias("nope"))); int main(){ return 0;}"#,
    r#"extern int x __attribute__((alias("y"))); extern int y __attribute__((alias("x"))); int main(){ return 0;}"#,
    r#"extern int y; extern int x __attribute__((alias("y"))); int main(){ return 0;}"#,
    r#"void f(void) __asm__("k"); void f(void) {} void g(void) __attribute__((alias("f"))); int main(){ g();
     reach_error(); return 0;}"#,
    "typedef int T __attribute__((mode(FOO))); int main(){ return 0;}",
    "typedef int T __attribute__((mode(SF))); int main(){ return 0;}",
    "typedef float T __attribute__((mode(SI))); int main(){ return 0;}",
    "typedef int T __attribute__((mode(TI))); int main(){ if (sizeof(T) == 16) reach_error(); return 0;}",
    "typedef int T __attribute__((mode(V4SI))); int main(){ if (sizeof(T) == 16) reach_error(); return 0;}",
    "typedef int T __attribute__((mode)); int main(){ return 0;}",
    r#"typedef int T __attribute__((mode("DI"))); int main(){ return 0;}"#,
    // Extensions.
    "int main(){ __auto_type x; return 0;}",
    "struct s { char a; _Alignas(3) char b; }; int main(){ return 0;}",
    "int main(){ int x; const int y = 3; if (__builtin_types_compatible_p(typeof(x), typeof(y)) &&
     !__builtin_types_compatible_p(char*, int*)) reach_error(); return 0;}",
    "int main(){ if (__builtin_types_compatible_p(char*, const char*)) reach_error(); return 0;}",
    "int main(){ int a[3]; if (__builtin_types_compatible_p(typeof(a), int[])) reach_error(); return 0;}",
    "enum a {A}; enum b {B}; int main(){ if (__builtin_types_compatible_p(enum a, enum b)) reach_error(); return 0;}",
    "enum a {A}; typedef enum a b; int main(){ if (__builtin_types_compatible_p(enum a, b)) reach_error(); return 0;}",
    "int main(){ const char *p = 0; if (_Generic(p, char*: 1, default: 2) == 2) reach_error(); return 0;}",
    "int main(){ const char *p = 0; if (_Generic(p, char*: 1, const char*: 2) == 2) reach_error(); return 0;}",
    "int main(){ int x = 0; if (_Generic(x, int: 1, const int: 2) == 1) reach_error(); return 0;}",
    r#"asm(""); asm volatile(""); int main(){ reach_error(); }"#,
    r#"asm(".globl foo"); int main(){ reach_error(); }"#,
    "int main(){ void *p = &&nolabel; goto *p; }",
    "int main(){ goto *(void*)0; }",
    r#"_Pragma("pack(1)") struct s {char a; int b;}; int main(){ if (sizeof(struct s)==5) reach_error(); return 0; }"#,
    "void f(int n, int a[n][n]) { a[1][1] = 3; } int main(){ int a[2][2]; f(2, a); if (a[1][1] == 3) reach_error();
     return 0;}",
    "__int128 x; int main(){ return 0;}",
    "unsigned __int128 f(void); int main(){ return 0;}",
    "union u {int i; char *p;}; int main(){ union u x = (union u) 3.0; return 0;}",
    "typedef union {int *i; char *p;} U; int f(U u) { return *u.i; } int main(){ int x = 3; if (f(&x) == 3)
     reach_error(); return 0;}",
    r#"int main(){ char s[] = L"a"; return 0;}"#,
    r#"int s[] = "a"; int main(){ return 0;}"#,
    "struct __attribute__((packed)) s { int a : 5; int b : 30; int c : 7; }; int main(){ struct s x = {1, 2, 3}; if
     (sizeof(x) == 6 && x.b == 2) reach_error(); return 0;}",
    "struct s { long long x : 40; } s; int main(){ s.x = 1LL << 38; if (s.x == 1LL << 38) reach_error(); return 0;}",
    "_Complex double z; int main(){ return 0;}",
    "int main(){ int g(int x) { return x + 1; } if (g(1) == 2) reach_error(); return 0;}",
    "static long double d = 1.5L; int main(){ if (d == 1.5L) reach_error(); return 0;}",
    "long double d = 1.5L; int main(){ if (d != 1.5L) reach_error(); return 0;}",
    "long double d; int main(){ union {long double d; unsigned char c[16];} u; u.d = d; if (u.c[9] == 0)
     reach_error(); return 0;}",
    "union {long double d; unsigned char c[16];} u = {1.0L}; int main(){ if (u.c[9] == 0x3f) reach_error(); return 0;}",
    "union {long double d; unsigned char c[16];} u = {1.0L}; int main(){ if (u.c[9] != 0x3f) reach_error(); return 0;}",
    "struct e {} a, *p = &a; int main(){ struct e b[2]; if (p - &a) return 1; *p = b[1]; return &b[1] - &b[0]; }",
    "struct { int x : 0; } a; int main(){ return 0;}",
    "char a[1UL << 39]; int main(){ a[1UL << 38] = 1; if (a[1UL << 38] == 1) reach_error(); return 0;}",
    "char a[1UL << 62]; int main(){ return 0;}",
    "char a[1UL << 35][1UL << 35]; int main(){ return 0;}",
    "struct { char a[1L << 39]; char b[1L << 39]; char c[1L<<39]; } s[1 << 20]; int main(){ return 0;}",
    "int main(){ char *p = __builtin_malloc(-1UL); if (p) reach_error(); return 0;}",
    "struct s { int x; struct s2 { int a[]; } t; } s; int main(){ return 0; }",
    "struct s { int n; int a[]; } s = {1, {2, 3}}; int main(){ if (s.a[1] == 3) reach_error(); return 0; }",
    "struct s; struct s *p; int main(){ return sizeof(*p); }",
    "void f(struct s x); int main(){ f(3); return 0; }",
    "int x __attribute__((aligned(3))); int main(){return 0;}",
    // More of them.
    "int main(){ void (*f)(int, int, int) = (void*)__builtin_memset; if (__VERIFIER_nondet_int()) f(0, 0, 4); return 0;}",
    "void *memset(void*, int, unsigned long); int main(){ void (*f)(int, int, int) = (void(*)(int,int,int))memset;
     f(0, 0, 0); return 0;}",
    "union u { int a; int f[]; }; int main(){ return 0;}",
    "struct u { int f[]; int a; }; int main(){ return 0;}",
    // Static long double.
    "long double d = 1.0L; int main(){ unsigned char *c = (unsigned char*)&d; if (c[9] != 0x3f) reach_error(); return 0;}",
    "long double d = 1.0L; int main(){ unsigned char c[16]; __builtin_memcpy(c, &d, 16); if (c[9] != 0x3f)
     reach_error(); return 0;}",
    "long double d = 1.0L; int main(){ unsigned char c[16]; __builtin_memcpy(c, &d, 16); if (c[9] == 0x3f)
     reach_error(); return 0;}",
    "long double d = 1.0L; int main(){ unsigned char *c = (unsigned char*)&d; if (c[9] == 0x3f) reach_error(); return 0;}",
    "struct s {long double d;} s = {1.0L}; int main(){ unsigned char *c = (unsigned char*)&s; if (c[9] != 0x3f)
     reach_error(); return 0;}",
    "int main(){ static union {unsigned char c[16]; long double d;} u = {.d = 1.0L}; if (u.c[9] != 0x3f)
     reach_error(); return 0;}",
    "int main(){ union {unsigned char c[16]; long double d;} u = {.d = 1.0L}; if (u.c[9] != 0x3f) reach_error();
     return 0;}",
];

/// Functions without a body, of which declarations say something.
const PROMISED: &[(&str, &str)] = &[
    (
        "void die(void) __attribute__((noreturn)); int main(void) { die(); reach_error(); return 0; }",
        "safe",
    ),
    (
        "__attribute__((__noreturn__)) extern void a(int), b(void); int main(void) { b(); reach_error(); }",
        "safe",
    ),
    (
        "extern void a(void), b(int) __attribute__((noreturn)); int main(void) { a(); reach_error(); }",
        "unsafe",
    ),
    ("_Noreturn void die(void); int main(void) { die(); reach_error(); }", "safe"),
    ("[[noreturn]] void die(void); int main(void) { die(); reach_error(); }", "safe"),
    (
        "void *__attribute__((noreturn)) die(void); int main(void) { void *p = die(); reach_error(); }",
        "safe",
    ),
    (
        "void die(void) __attribute__((noreturn)); void (*p)(void) = die; int main(void) { p(); reach_error(); }",
        "unknown: a call of 'die'",
    ),
    (
        "typedef void F(void) __attribute__((noreturn)); F die; int main(void) { die(); reach_error(); }",
        "'noreturn' type",
    ),
    (
        "void die(void (*)(void)) __attribute__((noreturn)); void f(void) { reach_error(); } int main(void) { die(f); }",
        "may call 'f' back",
    ),
    (
        "int f(int) __attribute__((pure)); int g; int main(void) { g = 1; f(3); if (g != 1) reach_error(); return 0; }",
        "safe",
    ),
    (
        "int f(int) __attribute__((const)); int g; int main(void) { g = 1; int x = f(3); if (g != 1) reach_error(); return x; }",
        "safe",
    ),
    (
        "int f(int) __attribute__((const)); int main(void) { if (f(3) == 7) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "char *f(char *) __attribute__((pure)); char b[2]; int main(void) { *f(b) = 1; if (b[0]) reach_error(); return 0; }",
        "unknown",
    ),
];

#[test]
fn gcc_agrees() {
    compare_lists(DECIDED, LEFT);
}

#[test]
fn promises_of_functions() {
    expect(PROMISED.iter().map(|&(text, expected)| (text, expected, Externals::Any)));
}
