// safe: a function of the program goes before the library's of that name
extern void reach_error(void);
static int pool[4];
void *malloc(unsigned n) { return pool; }
int main(void) {
  int *a = malloc(4), *b = malloc(4);
  *a = 1;
  *b = 2;
  if (*a != 2) reach_error();
  return 0;
}
