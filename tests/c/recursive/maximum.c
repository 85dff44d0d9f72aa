// both
// return rest > n ? rest : n; ==> return rest > n ? n : rest;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int maximum(int n, int left) {
  int rest;
  if (left <= 0) return n;
  rest = maximum(__VERIFIER_nondet_int(), left - 1);
  return rest > n ? rest : n;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (maximum(n, __VERIFIER_nondet_int()) < n) reach_error();
  return 0;
}
