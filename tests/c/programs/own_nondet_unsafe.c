// unsafe: an uninitialised local is any value, another one in each call
extern void reach_error(void);
int __VERIFIER_nondet_int(void) { int x; return x; }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a == 77 && b == 1000) reach_error();
  return 0;
}
