// unsafe: pointers as numbers and back
extern void reach_error(void);
struct request { int kind; unsigned long context; };
static int done(struct request *r) { int *flag = (int *)r->context; *flag = *flag + r->kind; return 0; }
int main(void) {
  int flag = 1, other = 10;
  struct request r;
  unsigned long n = (unsigned long)&flag;
  r.kind = 2;
  r.context = n;
  done(&r);
  if (flag == 3 && other == 10) reach_error();
  if ((int *)n != &flag || n == (unsigned long)&other || !n) reach_error();
  *(int *)(unsigned long)&other = 4;
  if (other != 4) reach_error();
  return 0;
}
