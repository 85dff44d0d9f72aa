// both
// return a; ==> return a - 2;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int gcd(int a, int b) {
  if (a <= 0 || b <= 0) return 1;
  if (a == b) return a;
  if (a > b) return gcd(a - b, b);
  return gcd(a, b - a);
}
int main(void) {
  if (gcd(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) <= 0) reach_error();
  return 0;
}
