// both: glibc never gives more than half of the address space
// malloc(-1) ==> malloc(1)
extern void reach_error(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
int main(void) {
  char *p = malloc(-1);
  char *q = calloc(-1, 2);
  if (p || q) reach_error();
  return 0;
}
