// both
// state = 2; // closed ==> if (depth > 3) state = 3; else state = 2;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int state;
void expression(int depth);
void factor(int depth) {
  if (__VERIFIER_nondet_int()) {
    if (state != 1) reach_error();
    state = 2;
  } else {
    if (state != 1) reach_error();
    expression(depth + 1);
    if (state != 2) reach_error();
    state = 2; // closed
  }
}
void expression(int depth) {
  factor(depth);
  while (__VERIFIER_nondet_int()) {
    state = 1;
    factor(depth);
  }
}
int main(void) {
  state = 1;
  expression(0);
  if (state != 2) reach_error();
  return 0;
}
