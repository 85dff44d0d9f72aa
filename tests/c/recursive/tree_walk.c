// both
// opened = 0; ==> if (level != 6) opened = 0;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int opened;
void enter(void) { if (opened) reach_error(); opened = 1; }
void walk(int level) {
  enter();
  opened = 0;
  if (level < 100 && __VERIFIER_nondet_int()) walk(level + 1);
  if (level < 100 && __VERIFIER_nondet_int()) walk(level + 1);
}
int main(void) {
  walk(0);
  return 0;
}
