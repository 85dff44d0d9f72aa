// both
// *to = 1; ==> *to = n > 3 ? 0 : 1;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int done;
void work(int n, int *to) {
  if (n > 0) work(n - 1, to);
  *to = 1;
}
int main(void) {
  work(__VERIFIER_nondet_int(), &done);
  if (!done) reach_error();
  return 0;
}
