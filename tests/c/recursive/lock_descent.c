// both
// release(); // once ==> release(); release();
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int locked;
void acquire(void) { if (locked) reach_error(); locked = 1; }
void release(void) { if (!locked) reach_error(); locked = 0; }
void descend(int n) {
  acquire();
  if (n > 0 && __VERIFIER_nondet_int()) {
    release();
    descend(n - 1);
    acquire();
  }
  release(); // once
}
int main(void) {
  descend(__VERIFIER_nondet_int());
  if (locked) reach_error();
  return 0;
}
