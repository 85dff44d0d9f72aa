h; add(x) { h = h * 31 + x; } 
f(a, b) int a; char b; { return a * 10 + b; } static g(p) short *p; { return *p; } k(x, y) { return x - y; } unsigned ff(float x) { return x; }
int none() { return 4; } 
main() { static s; auto a = 3; register r = 4; const c = 5; short sh[2] = {7, 8}; add(f(1, 2)); add(f(1, 300)); add(g(sh)); add(k(9, 4)); add(s + a + r + c); add(none()); add(none(1, 2)); add(ff(3.5)); unsigned n = 3; int v[n]; v[2] = 5; add(v[2] + sizeof v); n = 9; add(sizeof v); int i; for (i = 1; i < 4; i++) { int w[i]; w[i - 1] = i; add(w[i - 1] + sizeof(w)); } return h & 127; ; };
