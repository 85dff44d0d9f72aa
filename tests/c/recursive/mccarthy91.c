// both
// return n - 10; ==> return n - 11;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) {
  if (n > 100) return n - 10;
  return f(f(n + 11));
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 95 || n > 101) return 0;
  if (f(n) != 91) reach_error();
  return 0;
}
