// unsafe: what the second block of one call holds at first
void *malloc(unsigned long);
extern void reach_error(void);
struct pair { int x, y; };
static struct pair *fresh(void) { return malloc(sizeof(struct pair)); }
int main(void) {
  struct pair *a = fresh(), *b = fresh();
  a->y = 3;
  if (b->y == 1234567 && a->x == 7654321 && a->y == 3) reach_error();
  return 0;
}
