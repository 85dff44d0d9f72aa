int g = 1; int set(int v) { int old = g; g = v; return old; }
struct P { int a, b; } s = {1, 2};
struct P make(int a) { struct P p = {a, a + 1}; g += a; return p; }
int main(void) {
  int x = 5; int r = 0;
  x = 7; r = x + set(3); r = r * 3 + set(5) - set(6);
  int *p = &x; r = r * 3 + (*p = 9, 2); r += x;
  r = r * 3 + make(2).b + make(3).a; r += g; s = make(4); r = r * 3 + s.a + s.b;
  struct P q = g > 3 ? make(1) : s; r += q.a * 5 + q.b; r += (g > 100 ? q : s).b;
  struct P arr[2] = {make(1), {7}}; r += arr[0].b + arr[1].a + arr[1].b;
  struct P *pp = &arr[1]; *pp = arr[0]; r += pp->a + (*pp).b; pp--; r += pp->b; 
  return r & 0x7f;
}
