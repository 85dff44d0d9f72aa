int h; void add(int x) { h = h * 31 + x; } typedef int T; typedef struct S S; struct S { T t; S *s; }; enum { A, B = 5, C }; extern int later; int tent; int tent; int tent = 4;
static int count(void) { static int n = 3; static T a[2] = {1, 2}; n += a[1]; a[1]++; return n; } static int count2(void) { static int n; return ++n; }
int T2(T T) { return T + 1; } struct S f(struct S s) { s.t++; return s; }
int main(void) { T x = 2; { typedef char T; T y = 300; add(y + sizeof(T)); struct S { char c; } s = {1}; add(sizeof s + s.c); enum { A = 9 }; add(A); } add(A + B + C); add(sizeof(struct S)> 4);
  { T T = 3; add(T); } add(T2(x)); add(count()); add(count()); add(count()); add(count2()); add(count2()); add(later); add(tent); { extern int later; later++; add(later); } int g(int); add(g(3)); S s = {1}; add(f(s).t + s.t); struct S *T = &s; add(T->t); 
  for (int i = 0; i < 2; i++) { int loc = i; static int st; st += loc + 1; add(st); } if (1) { int h2 = 3; add(h2); } add(({ int q = x; q *= 2; q + 1; })); add(({ ; 3; }) + ({ int z = 0; while (z < 4) z++; z; })); ({ add(1); }); return h & 0x7f; }
int later = 6; int g(int x) { return x * 2; }
