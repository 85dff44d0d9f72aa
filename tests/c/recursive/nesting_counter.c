// both
// depth = depth - 1; // leave ==> if (depth != 4) depth = depth - 1;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int depth;
void visit(void) {
  int before = depth;
  depth = depth + 1;
  if (__VERIFIER_nondet_int()) visit();
  if (__VERIFIER_nondet_int()) visit();
  depth = depth - 1; // leave
  if (depth != before) reach_error();
}
int main(void) {
  visit();
  if (depth != 0) reach_error();
  return 0;
}
