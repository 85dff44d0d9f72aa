// both: the size of memory is not known, what it is used as is
// a->x != 1 ==> a->x != 2
void *calloc(unsigned long, unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct words { int x, y[3]; };
struct bytes { char y[30]; };
static void *fresh(unsigned long n) { return calloc(1, n); }
int main(void) {
  struct words *a = fresh(sizeof *a);
  struct bytes *b = fresh(sizeof *b);
  int i = __VERIFIER_nondet_int();
  a->x = 1;
  if (i >= 0 && i < 30) b->y[i] = 5;
  if (a->x != 1) reach_error();
  if (a->y[2] != 0) reach_error();
  return 0;
}
