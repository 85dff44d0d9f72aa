int h; void add(int x) { h = h * 31 + x; }
int main(void) {
  int i = 0, n = 0; goto in; 
  while (i < 10) { add(i); in: i++; if (i == 3) continue; if (i == 7) goto out; n += i; }
out: add(n);
  if (0) { inside: add(5); goto back; }
  n++; if (n < 40) goto inside; 
back: add(n); if (n < 38) { n++; goto inside; }
  do { i--; if (i == 2) break; if (i & 1) continue; add(i); } while (i > 0);
  for (i = 0; ; i++) { if (i > 5) break; if (i == 2) continue; add(i); }
  for (int i = 0, j = 10; i < j; i++, j--) add(i * j);
  { int i = 77; add(i); { int i = 78; add(i); } add(i); } add(i);
  i = 0; a: b: i++; if (i < 3) goto a; if (i < 6) goto b; add(i);
  for (;;) { for (;;) { if (i++ > 9) goto done; } } done: ;
  while (0) add(1); do add(2); while (0); if (0) add(3); else add(4);
  if (i) ; else add(9); goto end; add(1000); end: return h & 0x7f; }
