/* pipe (POSIX): two descriptors that were not open. */
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int condition);

int pipe(int ends[2]) {
  int from, to;
  if (__VERIFIER_nondet_bool()) return -1;
  from = __VERIFIER_nondet_int();
  to = __VERIFIER_nondet_int();
  __VERIFIER_assume(from >= 0 && to >= 0 && from != to);
  ends[0] = from;
  ends[1] = to;
  return 0;
}
