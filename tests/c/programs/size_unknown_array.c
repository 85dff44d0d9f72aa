// unknown: what is written as an array is behind what else the memory is used as (it is unsafe)
void *calloc(unsigned long, unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { int y[2]; };
static void *fresh(unsigned long n) { return calloc(1, n); }
int main(void) {
  void *a = fresh(32), *b = fresh(32);
  ((struct pair *)a)->y[1] = 1;
  ((struct pair *)b)->y[0] = 2;
  int *p = a, i = __VERIFIER_nondet_int();
  if (i < 0 || i > 7) return 0;
  p[i] = 3;
  if (((struct pair *)a)->y[1] == 1 && p[5] == 3) reach_error();
  return 0;
}
