int h; void add(int x) { h = h * 31 + x; }
struct A { int a; char b[3]; struct { short x, y; } c; int d; };
union U { int i; char c[4]; short s; };
struct A ga = {1, "ab", {2, 3}, 4}, gb = {.d = 9, .c.y = 7, .b = {[1] = 5}}, gc[] = {{1}, {2, {3, 4}, 5, 6, 7}, 8};
int m[2][3] = {1, 2, 3, 4}, m2[][2] = {{1}, {2, 3}, {4}}, m3[] = {[5] = 1, 2, [0 ... 2] = 9};
char str[] = "hello", str2[3] = "abc", str3[8] = "xy", *ps = "lit" "eral", *tab[] = {"a", "bb", 0};
union U u = {0x01020304}, u2 = {.c = {1, 2}}; int *pi = &m[1][1], *pj = m[1] + 2; char *pc = str + 2; int (*fp)(void);
int main(void); int (*fm)(void) = main, (*fm2)(void) = &main; long off = (long)&((struct A *)0)->c; 
enum E { X = 3, Y, Z = Y * 2 + 1, W = sizeof(int) } e = Z; unsigned char uc = 300; short sh = -1; _Bool bo = 7; float fl = 2.5; double db = 3;
static void locals(int k) {
  struct A a = {k, "ab", {k + 1, 3}, 4}, b = {.d = 9, .c = {.y = 7}, .b = {[1] = 5}}, c[] = {{1}, {2, {3, 4}, 5, 6, 7}, 8}, z = {0}, y = a;
  int m[2][3] = {1, k, 3, 4}, big[300] = {1, [200] = k}; char s[] = "hello", s2[3] = "abc", s3[10] = {"xy"}, s4[] = {'a', 0}; 
  union U u = {.s = 3}; int i; add(a.a + a.b[1] + a.b[2] + a.c.x + a.c.y + a.d); add(b.a + b.b[1] * 3 + b.c.x + b.c.y * 5 + b.d);
  add(sizeof c / sizeof c[0]); add(c[0].d + c[1].b[0] + c[1].b[1] + c[1].b[2] + c[1].c.x + c[1].c.y * 2 + c[2].a); add(z.a + z.c.y + z.b[2]); add(y.c.x);
  for (i = 0; i < 6; i++) add(m[i / 3][i % 3]); for (i = 0; i < 300; i++) if (big[i]) add(big[i] + i); add(sizeof s + sizeof s2 + sizeof s3 + sizeof s4);
  add(s[4] + s[5] + s2[2] + s3[1] + s3[9] + s4[1]); add(u.s); int sc = {k}; add(sc); int *p = (int[]){1, 2, k}; add(p[2]); struct A *q = &(struct A){.d = k}; add(q->d + q->a);
  int tw[3] = {[1] = 4, [1] = 5, 6}; add(tw[0] + tw[1] * 2 + tw[2]*3); struct { struct A in; int t; } dd = {.in.c.x = 4, 5, 6, .t = 2}; add(dd.in.c.x * 2 + dd.in.c.y * 3 + dd.in.d * 5 + dd.t * 7); struct { struct A in; int t; } de = {a, 3}; add(de.in.d + de.t);
}
int main(void) { int i;
  add(ga.a + ga.b[1] + ga.b[2] + ga.c.y + ga.d); add(gb.a + gb.b[1] + gb.c.y * 2 + gb.d); add(sizeof gc / sizeof *gc); add(gc[1].c.y + gc[2].a + gc[1].b[1]);
  for (i = 0; i < 6; i++) add(m[i / 3][i % 3]); add(sizeof m2); for (i = 0; i < 6; i++) add(m2[i / 2][i % 2]); add(sizeof m3 / 4); for (i = 0; i < 7; i++) add(m3[i]);
  add(sizeof str + sizeof str2); add(str[5] + str2[2] + str3[1] + str3[7]); add(ps[5]); add(tab[1][1]); add(tab[2] == 0); add(u.c[0]); add(u2.c[1]); add(u2.i);
  add(*pi); add(*pj); add(*pc); add(fp == 0); add(fm == main); add(fm2 == fm); add(off); add(e + W + Y); add(uc + sh + bo); add(fl * 2 + db); locals(6); locals(7); return h & 0x7f; }
