// unsafe: glibc frees the block and returns null
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
int main(void) {
  int *block = malloc(8 * sizeof *block);
  unsigned count = __VERIFIER_nondet_uint();
  if (count > 8) return 0;
  block = realloc(block, count * sizeof *block);
  if (!block) reach_error();
  return 0;
}
