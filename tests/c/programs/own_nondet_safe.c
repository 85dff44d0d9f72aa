// safe: an uninitialised local is one value, however often it is read
extern void reach_error(void);
int __VERIFIER_nondet_int(void) { int x; if (x < 0 && x >= 0) reach_error(); return x; }
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a > 5 && a < 6) reach_error();
  return 0;
}
