// safe: a parameter that changes, and a global of its name that changes, too
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
char d;
void bump(void) { d = d + 1; }
void f(int d) {
  d = d + 1;
  bump();
  if (__VERIFIER_nondet_int() == 7 && d == 6) reach_error();
}
int main(void) {
  d = 3;
  f(4);
  if (d != 4) reach_error();
  return 0;
}
