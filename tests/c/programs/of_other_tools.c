// unknown: what other tools define is no function that returns anything
extern void reach_error(void);
extern _Bool __CPROVER_r_ok(const void *, unsigned long);
int main(void) {
  int x;
  if (!__CPROVER_r_ok(&x, sizeof x)) reach_error();
  return 0;
}
