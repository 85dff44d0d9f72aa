int h; void add(int x) { h = h * 31 + x; }
int duff(int n) { int i = 0, c = (n + 3) / 4; switch (n % 4) { case 0: do { i++; case 3: i++; case 2: i++; case 1: i++; } while (--c > 0); } return i; }
int f(int x) { switch (x) { case 1: add(1); case 2: add(2); break; case 3: { add(3); } default: add(4); case -5: add(5); break; case 'a': return 6; case 10 ... 20: add(7); } return x; }
int g(unsigned char c) { switch (c) { case 255: return 1; case 0: return 2; } return 3; }
int k(long long x) { switch (x) { case 5000000000LL: return 1; default: return 2; } }
int nest(int a, int b) { switch (a) { case 1: switch (b) { case 1: return 1; case 2: break; default: return 3; } add(9); break; case 2: while (1) { if (b) break; b = 1; continue; } add(8); if (0) { case 3: add(7); } else add(6); } return 5; }
int main(void) {
  int i; for (i = -6; i < 25; i++) add(f(i)); add(f('a')); add(f(97)); for (i = 1; i < 12; i++) add(duff(i));
  add(g(255)); add(g(0)); add(g(7)); add(k(5000000000LL)); add(k(705032704));
  for (i = 0; i < 4; i++) { add(nest(i, 0)); add(nest(i, 1)); add(nest(i, 2)); }
  switch (3) { int z; case 3: z = 4; add(z); }
  switch (i) ; switch (i) case 4: add(44); switch (i) { default: add(1); }
  return h & 0x7f; }
