int h; void add(int x) { h = h * 31 + x; }
struct L { int v; struct L *next; struct { int in[3]; } sub[2]; }; int a[10]; int m[3][4];
int sum(int *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }
int sum2(int p[][4], int n) { int s = 0, i, j; for (i = 0; i < n; i++) for (j = 0; j < 4; j++) s = s * 3 + p[i][j]; return s; }
int apply(int (*f)(int *, int), int *p) { return f(p, 3) + (*f)(p, 2) + (**f)(p, 1); }
void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; } int *pick(int **pp, int i) { return pp[i]; }
int main(void) { int i; struct L x = {1}, y = {2, &x}, *p = &y; int *q = a, **qq = &q; void *v = a; char *c; int (*row)[4] = m; int (*fs[2])(int *, int) = {sum, sum};
  for (i = 0; i < 10; i++) a[i] = i * i; for (i = 0; i < 12; i++) m[i / 4][i % 4] = i; add(sum(a, 5)); add(sum(a + 3, 2)); add(sum(&a[4], 3)); add(*(a + 2)); add(2[a]); add(q[3]); add(*++q); add(**qq); add((*qq)[2]); q += 4; add(*q); q -= 2; add(*q); add(q - a); add(&a[7] - q); add(q > a); add(q == &a[3]); add(q != 0); add(!q);
  add(p->next->v); p->next->v = 9; add(x.v); p = p->next; add(p->next == 0); p->sub[1].in[2] = 5; add(x.sub[1].in[2]); int *z = p->sub[1].in; add(z[2]); add(*(p->sub[1].in + 2)); add(sum2(m, 3)); add(sum2(&m[1], 2)); add(row[1][2]); add((*(row + 2))[3]); add(*row[1]); row++; add(row[0][0]); add(sizeof *row); add(sizeof m[0] / sizeof m[0][0]);
  c = (char *)&a[1]; c += 4; add(*(int *)c); add(((int *)v)[3]); v = (char *)v + 8; add(*(int *)v); add(apply(sum, a)); add(apply(&sum, a + 1)); add(fs[1](a, 4)); swap(&a[1], &a[2]); add(a[1]); int *ps[2] = {a, a + 5}; add(*pick(ps, 1)); add((int)(unsigned char)"xyz"[1]); add(*"q"); add(&*q == q); add(*&i); add(&a[2] == a + 2); add((p ? p : &y)->v); add((0 ? 0 : q)[0]); unsigned u = 1; add(a[u + 1]); signed char sc = -1; add(q[sc]); add(&p->sub[1] - p->sub); long off = (char *)&p->sub[1].in[1] - (char *)p; add(off > 8); 
  const int k = 3; volatile int vo = k; add(vo); int *restrict r = a; add(r[1]); return h & 0x7f; }
