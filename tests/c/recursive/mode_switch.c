// both
// mode = saved; ==> if (saved != 1) mode = saved;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mode;
void handle(void) {
  int saved = mode;
  mode = 1;
  if (__VERIFIER_nondet_int()) handle();
  if (mode != 1) reach_error();
  mode = 2;
  if (__VERIFIER_nondet_int()) handle();
  if (mode != 2) reach_error();
  mode = saved;
}
int main(void) {
  mode = 0;
  handle();
  if (mode != 0) reach_error();
  return 0;
}
