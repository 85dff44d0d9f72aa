// both
// return 1; // even ==> return 0;
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int odd(unsigned n);
int even(unsigned n) {
  if (n == 0) return 1; // even
  return odd(n - 1);
}
int odd(unsigned n) {
  if (n == 0) return 0;
  return even(n - 1);
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int e = even(n), o;
  if (n > 0) {
    o = odd(n - 1);
    if (e != 0 && e != 1) reach_error();
    if (o != 0 && o != 1) reach_error();
  }
  if (n == 0 && !e) reach_error();
  return 0;
}
