//! Parts of objects: designators and lists of values, layouts under `#pragma pack`, tags of blocks;
//! and types that look alike.

use super::{compare_lists, expect};
use hardbop_c::points_to::Externals;

/// Programs with one execution, which are decided.
const DECIDED: &[&str] = &[
    // A list for a part makes what was there before nothing.
    "struct p {int x, y;}; int main(){ struct p s[2] = {[0] = {1, 2}, [0] = {.y = 3}}; if (s[0].x == 0 && s[0].y == 3) reach_error(); return 0; }",
    "int main(){ int a[2][2] = {[0] = {1, 2}, [0] = {3}}; if (a[0][1] != 0) reach_error(); return 0; }",
    "struct p {int x, y;}; struct o {struct p p;} s = {.p = {1, 2}, .p = {.y = 3}}; int main(){ if (s.p.x == 1) reach_error(); return 0; }",
    "struct p {int x, y;}; struct o {struct p p;}; int main(){ struct o s = {.p.x = 1, .p = {.y = 3}}; if (s.p.x == 0) reach_error(); return 0; }",
    "struct s {int a[2]; int b;}; static struct s s[2] = {[1].a[0] = 5, 6, 7, [1] = {.b = 8}};
     int main(){ if (s[1].a[0] == 0 && s[1].a[1] == 0 && s[1].b == 8) reach_error(); return 0; }",
    "struct p {int x, y;}; struct o {struct p q;}; int main(){ struct p p = {1, 2}; struct o s = {.q = p, .q = {.y = 3}};
     if (s.q.x != 0) reach_error(); return 0; }",
    "struct b {char a[100]; int n;}; int main(){ struct b s[2] = {{{1, 2}, 3}, [0] = {.n = 4}}; if (s[0].a[1] == 0 && s[0].n == 4) reach_error(); return 0; }",
    r#"int main(){ char a[2][4] = {[0] = "abc", [0] = {'x'}}; if (a[0][1] == 0) reach_error(); return 0; }"#,
    // So does a value for another member of a union.
    "union u {struct {short a, b;} s; int k;}; int main(){ union u u = {.k = -1, .s = {.a = 1}}; if (u.s.b == 0) reach_error(); return 0; }",
    "union u {struct {short a, b;} s; int k;} u = {.k = -1, .s.a = 1}; int main(){ if (u.s.b != 0) reach_error(); return 0; }",
    "union u {int k; char c;} u = {.k = 5, .c = 0}; int main(){ if (u.c == 0) reach_error(); return 0; }",
    "union u {int k; char c;} u = {.k = -1, .c = 0}; int main(){ if (u.k == 0) reach_error(); return 0; }",
    "union u {struct {short a, b;} s; int k;} u[2] = {[1] = {.k = -1}, [1].s = {2}}; int main(){ if (u[1].k == 2) reach_error(); return 0; }",
    // The list goes on within anonymous records.
    "struct s {struct {short c, d;}; int e;}; int main(){ struct s z = {.c = 7, 8, 9}; if (z.d == 8 && z.e == 9) reach_error(); return 0; }",
    "struct s {struct {int a; struct {int b, c;}; int d;}; int e;} z = {.b = 1, 2, 3, 4};
     int main(){ if (z.a == 0 && z.c == 2 && z.d == 3 && z.e == 4) reach_error(); return 0; }",
    "struct s {int n; union {struct {int p, q;}; long l;}; int e;}; int main(){ struct s z = {.p = 5, 6, 7}; if (z.q == 6 && z.e == 7) reach_error(); return 0; }",
    "struct s {struct {unsigned c : 3, d : 4;}; int e;}; int main(){ struct s z = {.c = 1, 2, 3}; if (z.d != 2 || z.e != 3) reach_error(); return 0; }",
    // After a range, in the last element.
    "char v[3][3] = {[1 ... 2][1] = 2, 3}; int main(){ if (v[1][1] == 2 && v[1][2] == 0 && v[2][2] == 3) reach_error(); return 0; }",
    "struct p {int x, y;}; int main(){ struct p s[3] = {[0 ... 1].x = 1, 2, 3}; if (s[0].y == 0 && s[1].y == 2 && s[2].x == 3) reach_error(); return 0; }",
    // Without braces, a value is for the first part of an object, and the list goes on there.
    "struct s {int a[3]; int b;}; int main(){ struct s x = {.a = {1, 2, 3}, .a = 9, .b = 4}; if (x.a[0] == 9 && x.a[1] == 2 && x.b == 4) reach_error(); return 0; }",
    "struct o {struct {int a[3]; int b;} s; int c;} z = {.s = 7, 8, 9, 10, 11};
     int main(){ if (z.s.a[2] == 9 && z.s.b == 10 && z.c == 11) reach_error(); return 0; }",
    "struct v {union {struct {short a, b;} s; int k;} u; int e;}; int main(){ struct v v = {.u.k = -1, .u = 5, .e = 6};
     if (v.u.s.a == 5 && v.u.s.b == 0) reach_error(); return 0; }",
    "int m[2][2] = {[1] = 5, 6, [0] = 7}; int main(){ if (m[0][0] == 7 && m[0][1] == 0 && m[1][1] == 6) reach_error(); return 0; }",
    "int m[3][2] = {[0 ... 1] = 7, 8, 9}; int main(){ if (m[0][0] == 7 && m[0][1] == 0 && m[1][1] == 8 && m[2][0] == 9) reach_error(); return 0; }",
    // What is too much is left out alone.
    "struct p {int x, y;}; int main(){ struct p p = {.y = 8, 9, .x = 3}; if (p.x == 3 && p.y == 8) reach_error(); return 0; }",
    "int main(){ int a[2] = {1, 2, 3, [0] = 4, 5}; if (a[0] == 4 && a[1] == 5) reach_error(); return 0; }",
    // `#pragma pack` lets bit-fields lie across units, limits `aligned`, and ends with 0.
    "#pragma pack(1)\nstruct s {char a; int b __attribute__((aligned(4)));};\n#pragma pack()\nint main(){ if (sizeof(struct s) == 5) reach_error(); return 0; }",
    "#pragma pack(4)\nstruct s {char a; _Alignas(8) char f;};\n#pragma pack()\nint main(){ if (sizeof(struct s) != 8) reach_error(); return 0; }",
    "#pragma pack(1)\n#pragma pack(0)\nstruct t {char c; long d;};\nint main(){ if (sizeof(struct t) == 16) reach_error(); return 0; }",
    "#pragma pack(3)\nstruct t {char c; long d;};\nint main(){ if (sizeof(struct t) == 16) reach_error(); return 0; }",
    "#pragma pack(1)\nstruct s {char a; int : 0; char b;};\n#pragma pack()\nint main(){ if (sizeof(struct s) == 5) reach_error(); return 0; }",
    "#pragma pack(2)\nstruct s {unsigned a : 12, b : 12; short c;};\n#pragma pack()\nint main(){ if (sizeof(struct s) == 6) reach_error(); return 0; }",
    // Packed bit-fields lie across units; promotions look at their bits.
    "struct s {unsigned char a; unsigned char b : 5, c : 6; unsigned d : 32; int e : 20; long f : 30; char g;} __attribute__((packed));
     int main(){ struct s s = {1, 17, 33, ~0u, -3, -5, 7}; s.c += 31; s.e--; unsigned char *p = (unsigned char *) &s;
     if (sizeof s == 14 && s.c == 0 && s.d + 1 == 0 && s.e == -4 && s.f == -5 && p[1] == 17 && p[2] == 0xf8 && s.g == 7) reach_error(); return 0; }",
    "#pragma pack(1)\nstruct s {unsigned a : 12, b : 25;};\n#pragma pack()\nint main(){ struct s s = {1, 2}; if (sizeof s == 5 && s.b == 2) reach_error(); return 0; }",
    "#pragma pack(1)\nstruct s {unsigned char a : 3; unsigned short b : 14;};\n#pragma pack()\nint main(){ union {struct s s; unsigned l;} u = {.l = 0};
     u.s.b = 0x3fff; if (u.l == 0x1fff8) reach_error(); return 0; }",
    "#pragma pack(4)\nstruct s {unsigned a : 20, b : 20;};\n#pragma pack()\nint main(){ union {struct s s; unsigned long l;} u = {.l = 0};
     u.s.b = 1; if (u.l == 1 << 20) reach_error(); return 0; }",
    // Bits without a name are not those of the member before.
    "struct s {signed char f0 : 2; unsigned char f1; unsigned char f2 : 3; long f3 : 16; unsigned short f4 : 8; unsigned char : 3;};
     int main(){ struct s s = {1, 2, 3, 4, 5}; if (sizeof s == 8 && s.f4 == 5) reach_error(); return 0; }",
    // Types of blocks.
    "struct s {int a;}; int main(){ struct s; struct s *q; struct s {long l;} x; q = &x; if (sizeof *q == 8) reach_error(); return 0; }",
    "struct s {int a;}; int main(){ struct s; struct t {struct s *p;}; struct s {long l;}; struct t t; if (sizeof *t.p == 8) reach_error(); return 0; }",
    "struct s {int a;}; struct s; int main(){ struct s x = {1}; if (x.a == 1) reach_error(); return 0; }",
    "struct s {int a;}; int main(){ struct s *q = 0; { struct s {char c;}; if (sizeof(struct s) != 1) return 0; } if (sizeof *q == 4) reach_error(); return 0; }",
    // `char` is neither `signed char` nor `unsigned char`.
    "int main(){ if (!__builtin_types_compatible_p(char, signed char)) reach_error(); return 0; }",
    "int main(){ signed char s = 1; if (_Generic(s, char: 1, default: 3) == 3) reach_error(); return 0; }",
    "int main(){ char c = 1; if (_Generic(c, signed char: 2, unsigned char: 1, char: 5) == 5) reach_error(); return 0; }",
    r#"int main(){ signed char s[] = "a\377"; signed char *p = s; char *c = (char *) p; if (p[1] == -1 && c[1] == -1 && s[0] == 'a') reach_error(); return 0; }"#,
    "signed char f(signed char x) { return -x; } int main(){ char c = f(-128); if (c == -128) reach_error(); return 0; }",
    "typedef signed char int8_t; int8_t a[3] = {-1, 2}; int main(){ int8_t *p = a; if (p[0] < 0 && *(unsigned char *) p == 255) reach_error(); return 0; }",
];

/// Programs of which nothing wrong may be said.
const LEFT: &[&str] = &[
    "union u {int k; char c;}; int main(){ union u u = {.k = -1, .c = 0}; if (u.k == 0) reach_error(); return 0; }",
    "struct q {int v; int s[2];}; struct h {struct q i[2];}; int main(){ struct q q = {1, {2, 3}}; struct h h = {.i[0] = q, .i[0].v = 5};
     if (h.i[0].s[0] == 2) reach_error(); return 0; }",
    "#pragma pack(4)\nstruct s {_Bool f0; int f1 : 31; unsigned short f2 __attribute__((aligned(2))); long f3;};\n#pragma pack()\n
     int main(){ if (sizeof(struct s) == 16) reach_error(); return 0; }",
    r#"char v[2][4] = {1, [0 ... 1][2 ... 3] = 2, "a"}; int main(){ if (v[1][0] == 'a' && v[1][2] == 0) reach_error(); return 0; }"#,
    "int g(struct zz {int a;} *p){ return sizeof(struct zz); } struct zz {char c;}; int main(){ if (g(0) == 4) reach_error(); return 0; }",
    "struct zz {char c;}; int g(struct zz {int a;} *p){ return sizeof(struct zz); } int main(){ if (g(0) == 4) reach_error(); return 0; }",
];

#[test]
fn gcc_agrees() {
    compare_lists(DECIDED, LEFT);
}

#[test]
fn reasons() {
    let cases = [
        (LEFT[1], "a value for a part of what has a value as a whole is not supported"),
        (LEFT[3], "a string behind a value for a character of an array is not supported"),
        (LEFT[4], "a type that is defined by a parameter is not supported"),
    ];
    expect(cases.into_iter().map(|(text, expected)| (text, expected, Externals::Any)));
}
