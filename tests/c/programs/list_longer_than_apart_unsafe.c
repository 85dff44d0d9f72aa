// unsafe: more nodes than are kept apart
void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 12; i++) {
    struct node *n = malloc(sizeof *n);
    n->v = i;
    n->next = head;
    head = n;
  }
  if (head->v == 11 && __VERIFIER_nondet_int() == 7) reach_error();
  return 0;
}
