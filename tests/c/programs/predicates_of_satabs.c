// safe: what only names predicates does nothing
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __CPROVER_assume(_Bool);
int other(int a) {
  __CPROVER_parameter_predicates();
  int r = __VERIFIER_nondet_int();
  __CPROVER_assume(r != a);
  return r;
}
int main(void) {
  int i = __VERIFIER_nondet_int();
  __CPROVER_predicate(i > 3);
  if (other(i) == i) reach_error();
  return 0;
}
