// both
// return 1 + identity(n - 1); ==> return 2 + identity(n - 1);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned identity(unsigned n) {
  if (n == 0) return 0;
  return 1 + identity(n - 1);
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (identity(n) != n) reach_error();
  return 0;
}
