// safe: blocks that are too small
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *memset(void *, int, unsigned long);
struct node { struct node *next; int value; char name[8]; };
int main(void) {
  struct node *a = malloc(sizeof(struct node *)), *b = malloc(4);
  memset(a, 0, sizeof *a);
  if (a->value != 0 || a->name[3] != 0 || a->next) reach_error();
  b->next = a;
  b->value = 2;
  a->value = 1;
  if (b->next->value + b->value != 3) reach_error();
  return 0;
}
