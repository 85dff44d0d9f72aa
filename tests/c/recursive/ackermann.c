// both
// if (n <= 0) return ackermann(m - 1, 1); ==> if (n <= 0) return ackermann(m - 1, 0) + (n == -7);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int ackermann(int m, int n) {
  if (m <= 0) return 1;
  if (n <= 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
int main(void) {
  int a = ackermann(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
  if (a != 1) reach_error();
  return 0;
}
