// safe: 'err' does not return
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Noreturn void err(int, const char *, ...);
extern void errx(int, const char *, ...) __attribute__((noreturn));
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0) err(1, "%d", x);
  if (x > 9) errx(1, "too large");
  if (x < 0 || x > 9) reach_error();
  return 0;
}
