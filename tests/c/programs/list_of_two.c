// both: one call allocates two nodes
// (sum == 1) ==> (sum == 1 + input)
void *malloc(unsigned long);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = 0;
  int input = __VERIFIER_nondet_bool(), sum = 0;
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    n->v = i;
    n->next = head;
    head = n;
  }
  for (struct node *p = head; p; p = p->next) sum += p->v;
  if (!(sum == 1)) reach_error();
  return input;
}
