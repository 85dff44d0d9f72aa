// both
// if (r < 0) return r; ==> if (r < 0) return 0;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int failed;
int parse(int n) {
  int r;
  if (__VERIFIER_nondet_int()) { failed = 1; return -1; }
  if (n == 0) return 0;
  r = parse(n - 1);
  if (r < 0) return r;
  return 1;
}
int main(void) {
  int r;
  failed = 0;
  r = parse(__VERIFIER_nondet_int());
  if (failed && r >= 0) reach_error();
  if (!failed && r < 0) reach_error();
  return 0;
}
