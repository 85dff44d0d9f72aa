// safe: a caller of functions that both have a static variable of the same name
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int first(void) { static char d = 0; d++; return d; }
int second(void) { static int d = 5; d++; return d; }
void both(void) {
  int a = first();
  int b = second();
  if (b != a + 5) reach_error();
}
int main(void) {
  if (__VERIFIER_nondet_int() > 0) both();
  return 0;
}
