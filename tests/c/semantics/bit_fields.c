int h; void add(int x) { h = h * 31 + x; }
struct B { unsigned a : 3; int b : 5; unsigned c : 7; int : 0; unsigned char d : 2; signed char e : 3; unsigned long long f : 20; int g : 1; _Bool k : 1; unsigned m : 32; } s, *p = &s;
struct C { char c; int a : 4; int b : 30; short d : 3; long long e : 40; } t;
union N { struct { unsigned lo : 4, hi : 4; }; unsigned char byte; } n;
int main(void) {
  s.a = 9; add(s.a); s.b = 17; add(s.b); s.b = -17; add(s.b); s.c = -1; add(s.c); s.d = 7; add(s.d); p->e = 5; add(p->e); s.f = 0xfffff; add((int)s.f); s.g = 1; add(s.g); s.k = 4; add(s.k);
  add(s.a++); add(s.a); add(s.a += 7); add((s.b = 16)); add(s.a - 5 < 0); add(s.a - 5); s.m = -1; add(s.m > 0); add(s.m - 1 > 0); add(-s.a < 0); add(~s.a); add(s.a << 30);
  t.a = 7; t.b = 0x1fffffff; t.d = 3; t.c = 'x'; t.e = 1; add(t.a + t.b + t.d + t.c + (int)t.e); n.lo = 5; n.hi = 10; add(n.byte); n.byte = 0x3c; add(n.lo * n.hi);
  unsigned char *b = (unsigned char *)&s; unsigned i; s.f = 0x12345; for (i = 0; i < sizeof s; i++) add(b[i]); struct B c = s; add(c.f == s.f); struct B l = {1, 2, 3, .f = 77}; add(l.a + l.b + l.c + (int)l.f + l.m);
  return h & 0x7f; }
